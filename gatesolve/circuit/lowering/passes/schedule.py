"""Shallower orders of the same gates: those that commute on a qubit take turns as the rest of the circuit needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TypeVar

G = TypeVar("G")
Wires = Callable[[G], tuple[int, ...]]
Kinds = Callable[[G], str]
ROUNDS = 5
"""Orders tried; all but the first cost a pass backwards and one forwards."""
LARGE = 20_000
"""Gates above which only two passes are made."""


def reschedule(gates: Sequence[G], wires: Wires[G], kinds: Kinds[G]) -> list[G]:
    """Return the gates in the order of least depth found; never deeper.

    On each qubit, neighbours that are all diagonal there (or all functions of X) form a group with any order inside.
    Gates are placed layer by layer, those with the longest remaining chain first. Backward and forward passes follow,
    each prioritised by the one before. The result keeps the given order where the layers leave a choice. Neither depth
    nor two-qubit depth is more than before.

    ``wires`` gives a gate's qubits, and ``kinds`` one letter for each of them: ``z`` where the gate is diagonal,
    ``x`` where it is a function of X, ``-`` where it is neither.

    Cost: a sort of the gates that wait, for each layer and pass.
    Source: list scheduling by tails, improved forwards and backwards (Li and Willis, 1992,
    doi:10.1016/0377-2217(92)90180-X).
    """
    places = [tuple(wires(gate)) for gate in gates]
    letters = [kinds(gate) for gate in gates]
    best = list(range(len(gates)))
    given = least = wire_depths(places)
    forward = _Groups.of(places, letters)
    backward = _Groups.of(places[::-1], letters[::-1])
    layers = forward.layers(forward.tails())
    for left in reversed(range(2 if len(gates) > LARGE else ROUNDS)):
        order = _near_order(layers, places)
        found = wire_depths([places[gate] for gate in order])
        if found < least and found[1] <= given[1]:
            best, least = order, found
        if left:
            # The layer in one direction is the urgency in the other: what ended late from the end must come early.
            from_end = backward.layers(layers[::-1])
            before, layers = layers, forward.layers(from_end[::-1])
            if layers == before:
                break
    return [gates[k] for k in best]


@dataclass(frozen=True)
class _Groups:
    """Gates in groups that commute, qubit by qubit: ``members`` are the gates of each.

    ``following`` is the next group on the same qubit, -1 after the last, and ``first`` whether a group is the first
    there; ``of_gate`` has the groups that a gate is in, one for each of its qubits.
    """

    members: list[list[int]]
    following: list[int]
    of_gate: list[tuple[int, ...]]
    first: list[bool]

    @staticmethod
    def of(places: Sequence[tuple[int, ...]], letters: Sequence[str]) -> _Groups:
        members: list[list[int]] = []
        following: list[int] = []
        of_gate: list[tuple[int, ...]] = []
        first: list[bool] = []
        current: dict[int, tuple[int, str]] = {}
        for gate, (qubits, kinds) in enumerate(zip(places, letters, strict=True)):
            mine = []
            for qubit, kind in zip(qubits, kinds, strict=True):
                group, before = current.get(qubit, (-1, "-"))
                # A gate that is neither diagonal nor a function of X is a group by itself.
                if kind == "-" or kind != before:
                    if group >= 0:
                        following[group] = len(members)
                    first.append(group < 0)
                    group = len(members)
                    members.append([])
                    following.append(-1)
                current[qubit] = (group, kind)
                members[group].append(gate)
                mine.append(group)
            of_gate.append(tuple(mine))
        return _Groups(members, following, of_gate, first)

    def tails(self) -> list[int]:
        """Return, for each gate, a lower bound on the layers from it to the end."""
        tails = [0] * len(self.of_gate)
        bounds: dict[int, int] = {-1: 0}
        for gate in range(len(self.of_gate) - 1, -1, -1):
            longest = 0
            for group in self.of_gate[gate]:
                after = self.following[group]
                if after not in bounds:
                    # A qubit takes the members one by one; the longest remaining chain first is the best order.
                    ways = sorted((tails[g] for g in self.members[after]), reverse=True)
                    bounds[after] = max(turn + way for turn, way in enumerate(ways))
                longest = max(longest, bounds[after])
            tails[gate] = 1 + longest
        return tails

    def layers(self, urgency: Sequence[int]) -> list[int]:
        """Return a layer for each gate, the more urgent first."""
        left = [len(group) for group in self.members]
        waits = [len(groups) for groups in self.of_gate]
        layer_of = [0] * len(self.of_gate)
        ready = [
            (-urgency[g], g) for g in self._open_groups((k for k, is_first in enumerate(self.first) if is_first), waits)
        ]
        layer = 0
        while ready:
            ready.sort()
            taken: set[int] = set()
            postponed = []
            done: list[int] = []
            for entry in ready:
                groups = self.of_gate[entry[1]]
                # An open group is the only open one of its qubit, so it stands for the qubit.
                if not taken.isdisjoint(groups):
                    postponed.append(entry)
                    continue
                taken.update(groups)
                layer_of[entry[1]] = layer
                done += groups
            closed = []
            for group in done:
                left[group] -= 1
                if not left[group] and self.following[group] >= 0:
                    closed.append(self.following[group])
            ready = postponed + [(-urgency[g], g) for g in self._open_groups(closed, waits)]
            layer += 1
        return layer_of

    def _open_groups(self, groups: Iterable[int], waits: list[int]) -> list[int]:
        """Return the gates all of whose groups are open once ``groups`` are."""
        opened = []
        for group in groups:
            for gate in self.members[group]:
                # A gate is ready when all its groups are open; each group opens once.
                waits[gate] -= 1
                if not waits[gate]:
                    opened.append(gate)
        return opened


def _near_order(layers: Sequence[int], places: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the gates in the order of the layers on each qubit, otherwise as near to the given order as possible."""
    # A gate is placed only when it is due or a due gate needs it, so no AND's superposition opens earlier than needed.
    before: list[list[int]] = [[] for _ in places]
    last: dict[int, int] = {}
    for gate in sorted(range(len(places)), key=lambda g: layers[g]):
        for qubit in places[gate]:
            if qubit in last:
                before[gate].append(last[qubit])
            last[qubit] = gate
    order: list[int] = []
    placed = [False] * len(places)
    for first in range(len(places)):
        # An explicit stack, because chains of gates may be longer than the recursion limit.
        stack = [] if placed[first] else [first]
        while stack:
            gate = stack[-1]
            missing = [] if placed[gate] else [g for g in before[gate] if not placed[g]]
            if missing:
                stack.extend(sorted(missing, reverse=True))
                continue
            stack.pop()
            if not placed[gate]:
                placed[gate] = True
                order.append(gate)
    return order


def wire_depths(places: Sequence[tuple[int, ...]]) -> tuple[int, int]:
    """Return the depth of gates on these qubits in this order, and the depth of those on more than one."""
    return longest_chain(places, repeat(1)), longest_chain([p for p in places if len(p) > 1], repeat(1))


def longest_chain(places: Iterable[tuple[int, ...]], lengths: Iterable[int]) -> int:
    """Return the longest chain of gates on common qubits, with the given length of each gate."""
    ends: dict[int, int] = {}
    for qubits, length in zip(places, lengths, strict=False):
        end = 0
        for qubit in qubits:
            end = max(end, ends.get(qubit, 0))
        for qubit in qubits:
            ends[qubit] = end + length
    return max(ends.values(), default=0)

"""Ways to write multi-controlled gates for devices on which few qubits are neighbours.

A multi-controlled Z is taken apart two qubits at a time by logical ANDs onto ancillas, down to a Z over three qubits,
and that one is written for three qubits in a line. So it works on a tree of neighbours: each AND in the fork of its
ancilla. Which qubits stand where is not settled here: `list_shapes` gives many arrangements, and a router finds out
which of them a device takes well.

Measured on ``fake_torino`` with Qiskit's transpiler (optimization level 3, best of two seeds; table encoding, presolve
``none``): the best of a few arrangements has 73 two-qubit gates on ``examples/kakuro/contest.txt``, the plain circuit
122; on ``small.txt`` they have 8 and 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

import numpy as np
from qiskit import QuantumCircuit

from gatesolve.circuit import And, Op, Ops, Parity, PhaseFlip, independent_parities
from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering.lower import build, emit
from gatesolve.circuit.ops import make_in_place, rename_wires

ALL_ORDERS = 5
"""Most qubits of multi-controlled gates of which every order is listed."""
LINE = ((0, 1), (1, 2)) * 4
"""CX of a Z over three qubits in a line; between them each parity of the three stands on some wire once."""
LINE_CROSSED = ((0, 1), (0, 1), (2, 1), (1, 2), (0, 1), (2, 1), (0, 1))
"""The same with one CX less, the last two qubits changing places."""


@dataclass(frozen=True)
class IsaShape:
    """An arrangement: in each gate the first two qubits in this order are joined first.

    ``crossed`` says whether a Z over three qubits may exchange two of them, ``chain`` whether ANDs are joined one after
    the other instead of in a tree.
    """

    order: tuple[int, ...]
    crossed: bool
    chain: bool = False


def list_shapes(ops: Ops, num_qubits: int, most: int) -> Iterator[IsaShape]:
    """Arrangements to try, at most so many; always the same."""
    joined = [factors for op in ops if (factors := _list_factors(op))]
    held = sorted({q for factors in joined for factor in factors for q in factor.wires})
    chains = (False, True) if max(map(len, joined), default=0) > 4 else (False,)
    rest = tuple(q for q in range(num_qubits) if q not in held)

    def arrange() -> Iterator[IsaShape]:
        for order in _orders(held):
            for crossed in (True, False):
                yield from (IsaShape((*order, *rest), crossed, chain) for chain in chains)

    return islice(arrange() if joined else (), most)


def _orders(held: list[int]) -> Iterator[tuple[int, ...]]:
    if len(held) <= ALL_ORDERS:
        yield from permutations(held)
        return
    yield tuple(held)
    draw = np.random.default_rng(0)
    while True:
        yield tuple(int(q) for q in draw.permutation(held))


def write_shape(
    ops: Ops, num_qubits: int, keep: Sequence[int], shape: IsaShape
) -> tuple[QuantumCircuit, tuple[int, ...]]:
    """The operations in CX and one-qubit gates, in a stated arrangement.

    All qubits are zero before them. Those not in ``keep`` are ancillas and stay where they are.

    Returns:
        The circuit, wider by the ancillas that it adds, and the wire on which each qubit ends.

    Cost: for a Z over n qubits n - 3 ANDs made and undone, 6 n - 18 CX, and 8 CX for the last three, or 7 where two of
    them may change places.
    Source: a Z over three qubits in a line with 8 CX is known, among others from Nakanishi, Satoh and Todo,
    arXiv:2109.13223; both forms here were found by a search over all CX sequences of neighbours.
    """
    writer = _IsaWriter(num_qubits, frozenset(keep), shape, _pairs(ops))
    for op in ops:
        writer.write(op)
    return build(writer.gates, writer.width), tuple(writer.at[:num_qubits])


class _IsaWriter:
    """Writes operations one by one; qubits move, and it knows where they are."""

    def __init__(
        self, num_qubits: int, keep: frozenset[int], shape: IsaShape, known: dict[frozenset[int], int]
    ) -> None:
        self.gates: list[LowGate] = []
        self.at = list(range(num_qubits))
        self.width = num_qubits
        self._keep, self._shape, self._known = keep, shape, known
        self._own: list[int] = []
        self._rank = {wire: k for k, wire in enumerate(shape.order)}

    def write(self, op: Op) -> None:
        found = op.as_flip()
        if found is None:
            self._emit(op)
            return
        turns, flip = found
        self._emit(*turns)
        self._phase(flip.factors, flip.clean)
        self._emit(*turns)

    def _emit(self, *ops: Op) -> None:
        self.gates.extend(emit(rename_wires(ops, self.at)))

    def _phase(self, factors: tuple[Parity, ...], clean: tuple[int, ...]) -> None:
        kept = independent_parities(factors)
        if kept is None or len(kept) < 3:
            self._emit(PhaseFlip(factors))
            return
        make = make_in_place(kept)
        self._emit(*make)
        self._all_ones([p.wires[0] for p in kept], [*clean, *self._own])
        self._emit(*reversed(make))

    def _all_ones(self, qubits: list[int], clean: list[int]) -> None:
        """Phase -1 where all ``qubits`` are 1."""
        if len(qubits) == 3:
            self._three(qubits)
            return
        ordered = sorted(qubits, key=self._place)
        # A pair whose AND the oracle makes is made in the same place.
        pair = next((p for p in self._known if p <= set(qubits)), frozenset(ordered[:2]))
        first, second = sorted(pair, key=self._place)
        target = self._ancilla(self._known.get(pair), clean)
        made = And(Parity((first,)), Parity((second,)), target)
        rest = [q for q in ordered if q not in pair]
        self._emit(made)
        self._all_ones([target, *rest] if self._shape.chain else [*rest, target], [q for q in clean if q != target])
        self._emit(made.inverse())

    def _place(self, qubit: int) -> tuple[bool, int]:
        """Ancillas last in a tree and first in a chain; else by the wire's place in the order."""
        return (qubit not in self._keep) != self._shape.chain, self._rank.get(self.at[qubit], len(self._rank) + qubit)

    def _ancilla(self, wanted: int | None, clean: list[int]) -> int:
        """The wanted ancilla if it is free, else one that is, else a new one, which later gates have too."""
        if wanted in clean:
            return wanted
        if clean:
            return clean[0]
        self.at.append(self.width)
        self.width += 1
        self._own.append(self.width - 1)
        return self.width - 1

    def _three(self, qubits: list[int]) -> None:
        """Phase -1 where three qubits are 1: an ancilla at an end, a data qubit between if there is one."""
        held = sorted((q for q in qubits if q not in self._keep), key=lambda q: self._rank.get(self.at[q], q))
        free = sorted((q for q in qubits if q in self._keep), key=self._place)
        line = [*held[:1], *free, *held[1:]] if len(held) < 3 else held
        crossed = self._shape.crossed and len(held) < 2
        self.gates.extend(_line([self.at[q] for q in line], LINE_CROSSED if crossed else LINE))
        if crossed:
            middle, last = line[1:]
            self.at[middle], self.at[last] = self.at[last], self.at[middle]


def _line(line: list[int], moves: Iterable[tuple[int, int]]) -> Iterator[LowGate]:
    """T on every parity of an odd number of the qubits, T-dagger on the others, where it first stands."""
    held = [1, 2, 4]
    done = set(held)
    yield from (("t", (wire,), 0.0) for wire in line)
    for control, target in moves:
        held[target] ^= held[control]
        yield "cx", (line[control], line[target]), 0.0
        if held[target] not in done:
            done.add(held[target])
            yield "t" if held[target].bit_count() & 1 else "tdg", (line[target],), 0.0


def _list_factors(op: Op) -> tuple[Parity, ...]:
    """The factors of an operation that is taken apart here; none of another one."""
    found = op.as_flip()
    kept = None if found is None else independent_parities(found[1].factors)
    return () if kept is None or len(kept) < 3 else tuple(kept)


def _pairs(ops: Ops) -> dict[frozenset[int], int]:
    """Pairs of qubits whose AND is made somewhere, and where."""
    pairs = {}
    for op in ops:
        wires = [wire for side in op.product for wire in side.wires]
        # An AND of a qubit and itself is one too, and joins nothing.
        if op.is_and and len(wires) == len({*wires}) == 2 and all(side.wires for side in op.product):
            pairs[frozenset(wires)] = op.changed[0]
    return pairs

"""An order of a circuit's gates in which few qubits are in superposition at a time."""

from __future__ import annotations

import heapq
import math
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from graphlib import TopologicalSorter

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Clbit, Qubit

from gatesolve.circuit.gates import CONTROLLED, EIGHTHS

States = NDArray[np.complex128]
MOST_FLIPS = 6
"""Bits that flip a qubit in superposition, up to which it is followed; beyond, it counts as never closed."""
LOOK_AHEAD = 64
"""Gates looked through to see what has to be opened before a superposition can be closed again."""


def find_spans(instructions: Sequence[CircuitInstruction]) -> dict[int, int]:
    """Places of gates that open a superposition of their qubit, and of those that close it: themselves if none does.

    Each qubit is followed separately, for every value of the bits that control it. So an AND of four rotations about y
    is one span, and so is one of two H.

    Cost: up to 2^`MOST_FLIPS` products of a matrix and a vector a gate.
    """
    draw = random.Random(0)
    spans: dict[int, int] = {}
    is_open: dict[Qubit, _Open] = {}
    # Each unknown bit is a random even number and the constant is 1, so parities are XORs of numbers. Equal numbers
    # mean equal parities, except with probability near 2^-64. An error here costs terms, not correctness.
    bits: dict[Qubit, int] = defaultdict(lambda: 2 * draw.getrandbits(64))
    products: dict[frozenset[int], int] = defaultdict(lambda: 2 * draw.getrandbits(64))
    for index, instruction in enumerate(instructions):
        name, wires = instruction.operation.name, instruction.qubits
        if name == "barrier" or not wires:
            continue
        inner = CONTROLLED.get(name, "")
        # A controlled phase is symmetric in its qubits, so the one in superposition counts as the target.
        qubit = next((wire for wire in wires if inner == "z" and wire in is_open), wires[-1])
        # After such an operation nothing is known about the bits of its qubits.
        if name in {"measure", "if_else"} or (len(wires) > 1 and not inner):
            if name == "measure" and qubit in is_open:
                spans[is_open.pop(qubit).start] = index
            for wire in wires:
                bits.pop(wire, None)
            continue
        others = [bits[wire] for wire in wires if wire != qubit]
        # The product of two unknown bits is one more unknown bit, the same one each time.
        by = products[frozenset(others)] if len(others) > 1 else others[0] if others else 1
        if not inner and qubit not in is_open and not is_turn(instruction, 0) and not is_turn(instruction, 1):
            is_open[qubit], spans[index] = _Open(index), index
        # Gates that an open qubit controls are assumed to leave it unchanged; only gates on it are followed.
        if held := is_open.get(qubit):
            bits.pop(qubit, None)
            if inner:
                held.apply(inner, by)
            else:
                held.turn(instruction.operation.to_matrix())
            if held.is_closed():
                spans[is_open.pop(qubit).start] = index
        elif inner == "x":
            bits[qubit] ^= by
        elif not inner and is_turn(instruction, 1):
            bits[qubit] ^= 1
    return spans


def is_turn(instruction: CircuitInstruction, half_turns: int) -> bool:
    """Whether a one-qubit gate is diagonal (0), or a flip up to phases (1)."""
    name = instruction.operation.name
    if name in {"u", "u3"}:
        return abs(math.sin((float(instruction.operation.params[0]) - half_turns * math.pi) / 2)) < 1e-12
    return name in (EIGHTHS, {"x"})[half_turns]


_APPLY: dict[str, Callable[[States], States]] = {"x": lambda states: states[..., ::-1], "z": lambda s: s * (1, -1)}


class _Open:
    """A qubit's states for both values that it may have had, and for every value of the bits that have flipped it."""

    def __init__(self, start: int) -> None:
        self.start = start
        self._flips: list[int] = []
        # Axes: the flips' values, the first value, amplitudes. None once the qubit is no longer followed.
        self._states: NDArray[np.complex128] | None = np.eye(2, dtype=np.complex128)[None]

    def apply(self, gate: str, by: int) -> None:
        if self._states is None:
            return
        if by & 1:
            self._states = _APPLY[gate](self._states)
        # Bit 0 of ``by`` is the constant, applied above; the rest is the parity of unknown bits.
        if by >> 1 << 1 not in self._flips:
            self._flips.append(by >> 1 << 1)
            # One more unknown bit doubles the states: the flip applies to one of the two copies.
            self._states = np.concatenate([self._states, self._states])
        if len(self._flips) > MOST_FLIPS:
            self._states = None
            return
        is_set = np.arange(len(self._states)) >> self._flips.index(by >> 1 << 1) & 1 == 1
        self._states = np.where(is_set[:, None, None], _APPLY[gate](self._states), self._states)

    def turn(self, matrix: NDArray[np.complex128]) -> None:
        if self._states is not None:
            self._states = self._states @ matrix.T

    def is_closed(self) -> bool:
        """Whether only basis states are left."""
        return self._states is not None and bool((np.abs(self._states).min(axis=-1) < 1e-9).all())


def narrow_order(circuit: QuantumCircuit) -> list[int]:
    """Return the circuit's instructions in an equivalent order that keeps few terms in a sparse simulation.

    Lowered circuits are ordered for depth, which opens the superpositions of many logical ANDs at once. Here a gate
    that opens one waits until no other gate is left. Instructions on a common wire keep their order unless both are
    diagonal on it.

    Cost: linear in the number of instructions, plus the choice of what to open.
    """
    return _Greedy(list(circuit.data)).order()


class _Greedy:
    def __init__(self, instructions: Sequence[CircuitInstruction]) -> None:
        self._wires: list[tuple[Qubit | Clbit, ...]] = [(*i.qubits, *i.clbits) for i in instructions]
        self._closing = find_spans(instructions)
        self._needs = _dependencies(instructions)
        self._done = [False] * len(instructions)
        self._touched: dict[Qubit | Clbit, int] = {}

    def order(self) -> list[int]:
        graph = TopologicalSorter(dict(enumerate(self._needs)))
        graph.prepare()
        ready: list[int] = []
        opening: list[int] = []
        order: list[int] = []
        while graph.is_active():
            for index in graph.get_ready():
                if index in self._closing:
                    opening.append(index)
                else:
                    # A heap of numbers: of the gates that open nothing, the earliest in the circuit goes first.
                    heapq.heappush(ready, index)
            index = heapq.heappop(ready) if ready else self._take_best(opening)
            order.append(index)
            self._done[index] = True
            self._touched |= dict.fromkeys(self._wires[index], len(order))
            graph.done(index)
        return order

    def _take_best(self, opening: list[int]) -> int:
        """Remove from ``opening`` the gate whose superposition closes with the fewest others opened, and return it."""
        # Among equals, take the qubit touched last: it may not have held a basis state. Gates that must be opened
        # before that superposition can close go first.
        opening.sort(key=lambda k: (-self._touched.get(self._wires[k][0], 0), k))
        before: dict[int, set[int]] = {}
        for index in opening:
            before[index] = self._opened_before(self._closing[index], index)
            if not before[index]:
                break
        best = min(before, key=lambda k: len(before[k]))
        best = min(before[best].intersection(opening), default=best)
        opening.remove(best)
        return best

    def _opened_before(self, end: int, start: int) -> set[int]:
        """Return the gates that open others and must come before ``end``, among at most `LOOK_AHEAD` gates."""
        seen, stack = {start, end}, [end]
        while stack and len(seen) < LOOK_AHEAD:
            for needed in self._needs[stack.pop()]:
                if needed not in seen and not self._done[needed]:
                    seen.add(needed)
                    stack.append(needed)
        return {k for k in seen if k in self._closing and k != start}


def _is_diagonal(instruction: CircuitInstruction, place: int) -> bool:
    """Whether the instruction is diagonal on its wire number ``place``."""
    name = instruction.operation.name
    if name in CONTROLLED:
        return place < len(instruction.qubits) - (CONTROLLED[name] == "x")
    return place == 0 and is_turn(instruction, 0)


def _dependencies(instructions: Sequence[CircuitInstruction]) -> list[list[int]]:
    """Return, for each instruction, the earlier ones that it must follow directly."""
    last: dict[Qubit | Clbit, list[int]] = {}
    diagonal: dict[Qubit | Clbit, list[int]] = {}
    needs: list[list[int]] = []
    for index, instruction in enumerate(instructions):
        found: set[int] = set()
        for place, wire in enumerate((*instruction.qubits, *instruction.clbits)):
            if _is_diagonal(instruction, place):
                found.update(last.get(wire, ()))
                diagonal.setdefault(wire, []).append(index)
            else:
                # Diagonal instructions commute, so a later one waits for all diagonal ones since the last that is not.
                found.update(diagonal.pop(wire, last.get(wire, [])))
                last[wire] = [index]
        needs.append(sorted(found))
    return needs

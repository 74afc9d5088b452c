"""An order of a circuit's gates in which few qubits are in superposition at a time."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from graphlib import TopologicalSorter

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Clbit, Qubit

_DIAGONAL = frozenset({"z", "s", "sdg", "t", "tdg"})
_FLIPS = frozenset({"x", "cx", "measure", "if_else", "barrier"})
LOOK_AHEAD = 64
"""Gates looked through to see what has to be opened before a superposition can be closed again."""


def narrow_order(circuit: QuantumCircuit) -> list[int]:
    """Places of the circuit's instructions in an equivalent order that carries few terms through a sparse simulation.

    Lowered circuits are ordered for depth, which opens the superpositions of many logical ANDs at once. Here a gate
    that opens one waits until nothing else is left to do, and of several the one comes first that can be closed
    again with the fewest others opened. Instructions on a common wire keep their order unless both are diagonal on it.

    Cost: linear in the number of instructions, but for the choice of what to open.
    """
    return _Greedy(list(circuit.data)).order()


class _Greedy:
    def __init__(self, instructions: Sequence[CircuitInstruction]) -> None:
        self._wires: list[tuple[Qubit | Clbit, ...]] = [(*i.qubits, *i.clbits) for i in instructions]
        self._mixing = [_is_mixing(i) for i in instructions]
        self._measures = [i.operation.name == "measure" for i in instructions]
        self._needs = _dependencies(instructions)
        self._closing = self._ends()
        self._done = [False] * len(instructions)
        self._touched: dict[Qubit | Clbit, int] = {}

    def order(self) -> list[int]:
        graph = TopologicalSorter(dict(enumerate(self._needs)))
        graph.prepare()
        ready: list[int] = []
        opening: list[int] = []
        is_open: set[Qubit | Clbit] = set()
        order: list[int] = []
        while graph.is_active():
            for index in graph.get_ready():
                if self._mixing[index] and self._wires[index][0] not in is_open:
                    opening.append(index)
                else:
                    heapq.heappush(ready, index)
            index = heapq.heappop(ready) if ready else self._take_best(opening)
            if self._mixing[index]:
                is_open ^= {self._wires[index][0]}
            elif self._measures[index]:
                is_open -= {self._wires[index][0]}
            order.append(index)
            self._done[index] = True
            self._touched |= dict.fromkeys(self._wires[index], len(order))
            graph.done(index)
        return order

    def _take_best(self, opening: list[int]) -> int:
        """Take the gate out of ``opening`` whose superposition closes with the fewest others opened.

        Of equal ones the one on the qubit touched last: what it held may not have been a basis state.
        """
        opening.sort(key=lambda k: (-self._touched.get(self._wires[k][0], 0), k))
        costs: dict[int, int] = {}
        for index in opening:
            costs[index] = self._opened_before(self._closing[index], index)
            if not costs[index]:
                break
        best = min(costs, key=costs.__getitem__)
        opening.remove(best)
        return best

    def _opened_before(self, end: int, start: int) -> int:
        """How many other mixing gates have to be applied before ``end``, looking at `LOOK_AHEAD` gates at most."""
        seen, stack = {start, end}, [end]
        count = 0
        while stack and len(seen) < LOOK_AHEAD:
            for needed in self._needs[stack.pop()]:
                if needed not in seen and not self._done[needed]:
                    seen.add(needed)
                    stack.append(needed)
                    count += self._mixing[needed]
        return count

    def _ends(self) -> list[int]:
        """For each mixing gate, the next mixing gate or measurement on its qubit; itself if there is none."""
        ends = list(range(len(self._needs)))
        waiting: dict[Qubit | Clbit, int] = {}
        for index in range(len(ends)):
            if self._mixing[index] or self._measures[index]:
                qubit = self._wires[index][0]
                if qubit in waiting:
                    ends[waiting.pop(qubit)] = index
                if self._mixing[index]:
                    waiting[qubit] = index
        return ends


def _is_mixing(instruction: CircuitInstruction) -> bool:
    """Whether basis states may become superpositions."""
    name = instruction.operation.name
    if name == "u":
        return abs(math.sin(float(instruction.operation.params[0]))) > 1e-12
    return name not in _DIAGONAL and name not in _FLIPS


def _is_diagonal(instruction: CircuitInstruction, place: int) -> bool:
    """Whether the instruction is diagonal on its wire number ``place``."""
    name = instruction.operation.name
    if name == "u":
        return abs(math.sin(float(instruction.operation.params[0]) / 2)) < 1e-12
    return name in _DIAGONAL or (name == "cx" and place == 0)


def _dependencies(instructions: Sequence[CircuitInstruction]) -> list[list[int]]:
    """For each instruction, those before it that it must follow directly."""
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
                found.update(diagonal.pop(wire, last.get(wire, [])))
                last[wire] = [index]
        needs.append(sorted(found))
    return needs

"""An order of a circuit's gates in which few qubits are in superposition at a time."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from graphlib import TopologicalSorter

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Clbit, Qubit

from gatesolve.simulate.spans import find_spans, is_turn

LOOK_AHEAD = 64
"""Gates looked through to see what has to be opened before a superposition can be closed again."""


def narrow_order(circuit: QuantumCircuit) -> list[int]:
    """Places of the circuit's instructions in an equivalent order that carries few terms through a sparse simulation.

    Lowered circuits are ordered for depth, which opens the superpositions of many logical ANDs at once. Here a gate
    that opens one waits until nothing else is left to do, and of several the one comes first that can be closed
    again with the fewest others opened (`find_spans`). Instructions on a common wire keep their order unless both are
    diagonal on it.

    Cost: linear in the number of instructions, but for the choice of what to open.
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
                    heapq.heappush(ready, index)
            index = heapq.heappop(ready) if ready else self._take_best(opening)
            order.append(index)
            self._done[index] = True
            self._touched |= dict.fromkeys(self._wires[index], len(order))
            graph.done(index)
        return order

    def _take_best(self, opening: list[int]) -> int:
        """Take the gate out of ``opening`` whose superposition closes with the fewest others opened.

        Of equal ones the one on the qubit touched last: what it held may not have been a basis state. What has to be
        opened before that superposition can be closed goes first.
        """
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
        """Gates that open others and have to be applied before ``end``, looking at `LOOK_AHEAD` gates at most."""
        seen, stack = {start, end}, [end]
        while stack and len(seen) < LOOK_AHEAD:
            for needed in self._needs[stack.pop()]:
                if needed not in seen and not self._done[needed]:
                    seen.add(needed)
                    stack.append(needed)
        return {k for k in seen if k in self._closing and k != start}


def _is_diagonal(instruction: CircuitInstruction, place: int) -> bool:
    """Whether the instruction is diagonal on its wire number ``place``."""
    if instruction.operation.name in {"cx", "ccx"}:
        return place < len(instruction.qubits) - 1
    return place == 0 and is_turn(instruction, 0)


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

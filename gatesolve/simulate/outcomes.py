"""Sparse exact simulation of circuits that measure as they work: every sequence of outcomes side by side.

Amplitudes are not normalised: the state of one sequence of outcomes is what projections leave of it. A circuit acts
alike on a superposition of inputs exactly if, on each sequence, all inputs keep the same amplitude.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Clbit, Qubit

from gatesolve.errors import UnsupportedError
from gatesolve.simulate.order import narrow_order
from gatesolve.simulate.sparse import SMALL, Matrices, Terms, Waiting, apply_late, apply_waiting, bit

MOST_SEQUENCES = 64
"""Sequences of outcomes that are followed; of more, some are drawn."""
Wires = Mapping[Qubit, int]


@dataclass(frozen=True)
class OutcomeBranch:
    """The inputs that remain on one sequence of outcomes.

    Attributes:
        terms: the states, not normalised.
        outcomes: of all measurements so far.
        bits: the classical bits that are 1.
    """

    terms: Terms
    outcomes: tuple[bool, ...] = ()
    bits: frozenset[Clbit] = frozenset()


def has_outcomes(circuit: QuantumCircuit) -> bool:
    """Whether a circuit measures, or reads a classical bit."""
    return not circuit.count_ops().keys().isdisjoint({"measure", "if_else"})


def run_outcomes(circuit: QuantumCircuit, terms: Terms, seed: int = 0) -> tuple[list[OutcomeBranch], bool]:
    """Run a circuit of CX and one-qubit gates, measurements, and gates conditioned on classical bits.

    Args:
        circuit: classical bits start at 0.
        terms: the inputs.
        seed: of the sequences that are drawn.

    Returns:
        The branches that occur, and whether these are all.

    Raises:
        UnsupportedError: another operation, or a condition that is no comparison of bits with a number.
        DoesNotFitError: the state has too many terms to follow.
    """
    run = _OutcomeRun(seed)
    wires = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    instructions = list(circuit.data)
    branches = run.follow((instructions[k] for k in narrow_order(circuit)), wires, [OutcomeBranch(terms)])
    return branches, not run.cut


class _OutcomeRun:
    def __init__(self, seed: int) -> None:
        self.cut = False
        self._seed = seed
        self._matrices: Matrices = {}

    def follow(
        self, instructions: Iterable[CircuitInstruction], wires: Wires, branches: list[OutcomeBranch]
    ) -> list[OutcomeBranch]:
        waiting: list[CircuitInstruction] = []
        for instruction in instructions:
            name = instruction.operation.name
            if name in {"measure", "if_else"}:
                branches = [self._apply(branch, waiting, wires) for branch in branches]
                waiting = []
            match name:
                case "measure":
                    branches = self._split(branches, wires[instruction.qubits[0]], instruction.clbits[0])
                case "if_else":
                    branches = self._choose(branches, instruction, wires)
                case "barrier":
                    pass
                case _:
                    waiting.append(instruction)
        return [self._apply(branch, waiting, wires) for branch in branches]

    def _apply(self, branch: OutcomeBranch, gates: Iterable[CircuitInstruction], wires: Wires) -> OutcomeBranch:
        terms = branch.terms
        late: Waiting = {}
        for gate in gates:
            terms, late = apply_late(terms, late, gate.operation, [wires[q] for q in gate.qubits], self._matrices)
        return replace(branch, terms=apply_waiting(terms, late))

    def _split(self, branches: list[OutcomeBranch], qubit: int, target: Clbit) -> list[OutcomeBranch]:
        """Both outcomes of each branch, if they occur."""
        result = list[OutcomeBranch]()
        for branch in branches:
            ones = bit(branch.terms.keys, qubit).astype(bool)
            for outcome in (False, True):
                terms = branch.terms
                kept = ones == outcome
                terms = Terms(terms.keys[kept], terms.amplitudes[kept], terms.lost)
                if not (np.abs(terms.amplitudes) > SMALL).any():
                    continue
                bits = branch.bits | {target} if outcome else branch.bits - {target}
                result.append(OutcomeBranch(terms, (*branch.outcomes, outcome), bits))
        if len(result) > MOST_SEQUENCES:
            # The same ones for every batch of inputs: drawn by their outcomes.
            self.cut = True
            result.sort(key=lambda one: zlib.crc32(bytes(one.outcomes), self._seed))
            del result[MOST_SEQUENCES:]
        return result

    def _choose(
        self, branches: list[OutcomeBranch], instruction: CircuitInstruction, wires: Wires
    ) -> list[OutcomeBranch]:
        """The block that each branch takes."""
        result = list[OutcomeBranch]()
        blocks = instruction.operation.blocks
        for branch in branches:
            place = 0 if _holds(instruction, branch.bits) else 1
            if place == len(blocks):
                result.append(branch)
                continue
            block = blocks[place]
            inner = {q: wires[outer] for q, outer in zip(block.qubits, instruction.qubits, strict=True)}
            for name in block.count_ops().keys() & {"measure", "if_else"}:
                raise UnsupportedError(f"{name} inside a conditional block is not followed")
            result += self.follow(block.data, inner, [branch])
        return result


def _holds(instruction: CircuitInstruction, bits: frozenset[Clbit]) -> bool:
    condition = instruction.operation.condition
    if not isinstance(condition, tuple):
        raise UnsupportedError("a condition is followed if it compares a bit or a register with a number")
    tested, value = condition
    if isinstance(tested, Clbit):
        return (tested in bits) == bool(value)
    return sum((one in bits) << k for k, one in enumerate(tested)) == int(value)

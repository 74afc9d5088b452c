"""Sparse exact simulation of circuits that measure as they work: every sequence of outcomes side by side.

Amplitudes are not normalised: the state of one sequence of outcomes is what projections leave of it. A circuit acts
alike on a superposition of inputs exactly if, on each sequence, all inputs keep the same amplitude.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Clbit, Qubit

from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.simulate.certificate import CertificateError
from gatesolve.simulate.order import narrow_order
from gatesolve.simulate.product import product_phases
from gatesolve.simulate.sparse import (
    SMALL,
    Matrices,
    Terms,
    Waiting,
    apply_late,
    apply_waiting,
    basis_terms,
    bit,
    compare_phases,
)

MOST_SEQUENCES = 64
"""Sequences of outcomes that are followed; of more, some are drawn."""
CHECKED_SEQUENCES = 8
"""Sequences on which a user's oracle is compared."""
CHUNK = 1 << 10
"""Inputs run side by side."""
NEAR = 1e-7
"""Phases within this are equal where nothing else is said."""
Wires = Mapping[Qubit, int]


@dataclass(frozen=True)
class OutcomeBranch:
    """The inputs that remain on one sequence of outcomes of all measurements so far, as states that are not normalised.

    The ``bits`` are the classical bits that are 1.
    """

    terms: Terms
    outcomes: tuple[bool, ...] = ()
    bits: frozenset[Clbit] = frozenset()

    @property
    def scaled(self) -> Terms:
        """The states times the square root of 2 for each measurement: of norm 1 if all outcomes are equally likely."""
        scale = math.sqrt(2) ** len(self.outcomes)
        return replace(self.terms, amplitudes=self.terms.amplitudes * scale, lost=self.terms.lost * scale)


def has_outcomes(circuit: QuantumCircuit) -> bool:
    """Whether a circuit measures, or reads a classical bit."""
    return not circuit.count_ops().keys().isdisjoint({"measure", "if_else"})


def run_outcomes(
    circuit: QuantumCircuit, terms: Terms, seed: int = 0, most: int = MOST_SEQUENCES
) -> tuple[list[OutcomeBranch], bool]:
    """Run a circuit of CX and one-qubit gates, measurements, and gates conditioned on classical bits, which start at 0.

    Returns:
        The branches that occur, and whether these are all; of over ``most`` sequences of outcomes so many are drawn.

    Raises:
        UnsupportedError: another operation, or a condition that is no comparison of bits with a number.
        DoesNotFitError: the state has too many terms to follow.
    """
    run = _OutcomeRun(seed, most)
    wires = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    instructions = list(circuit.data)
    branches = run.follow((instructions[k] for k in narrow_order(circuit)), wires, [OutcomeBranch(terms)])
    return branches, not run.cut


class _OutcomeRun:
    def __init__(self, seed: int, most: int) -> None:
        self.cut = False
        self._seed, self._most = seed, most
        self._matrices: Matrices = {}

    def follow(
        self, instructions: Iterable[CircuitInstruction], wires: Wires, branches: list[OutcomeBranch]
    ) -> list[OutcomeBranch]:
        waiting: list[CircuitInstruction] = []
        for instruction in instructions:
            name = instruction.operation.name
            # Gates wait until then, so that rotations on a qubit are multiplied before they add terms.
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
        result = list[OutcomeBranch]()
        for branch in branches:
            ones = bit(branch.terms.keys, qubit).astype(bool)
            for outcome in (False, True):
                terms = branch.terms
                kept = ones == outcome
                terms = Terms(terms.keys[kept], terms.amplitudes[kept], terms.lost)
                # This outcome has probability zero.
                if not (np.abs(terms.amplitudes) > SMALL).any():
                    continue
                bits = branch.bits | {target} if outcome else branch.bits - {target}
                result.append(OutcomeBranch(terms, (*branch.outcomes, outcome), bits))
        if len(result) > self._most:
            # A hash of the outcomes chooses, so that every batch of inputs keeps the same sequences.
            self.cut = True
            result.sort(key=lambda one: zlib.crc32(bytes(one.outcomes), self._seed))
            del result[self._most :]
        return result

    def _choose(
        self, branches: list[OutcomeBranch], instruction: CircuitInstruction, wires: Wires
    ) -> list[OutcomeBranch]:
        result = list[OutcomeBranch]()
        blocks = instruction.operation.blocks
        for branch in branches:
            place = 0 if _holds(instruction, branch.bits) else 1
            # The condition is false and there is no else block.
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


def check_branches(
    circuit: QuantumCircuit,
    bits: NDArray[np.bool_],
    marked: NDArray[np.bool_],
    seed: int,
    most: int = CHECKED_SEQUENCES,
    error: float = NEAR,
) -> int:
    """Check that a lowered oracle marks what it should, whatever its measurements, if any, give.

    Args:
        circuit: the lowered oracle, without a final measurement.
        bits: shape (qubits, inputs), ancillas zero.
        marked: for each input, whether its phase is -1.
        seed: of the sequences of outcomes that are drawn.
        most: sequences that are followed; the number of those that were is returned.
        error: phases within this are equal.

    Raises:
        CertificateError: on some branch a phase differs, relative to the first input's, an input does not come
            back, or outcomes do not have probability one half for every input.
        DoesNotFitError: the state has too many terms to follow.
    """
    signs, first = np.where(marked, -1, 1), dict[tuple[bool, ...], complex]()
    for start in range(0, len(signs), CHUNK):
        part = slice(start, start + CHUNK)
        for outcomes, phases in _branch_phases(circuit, bits[:, part], seed, most, error):
            # One factor for all inputs: nothing else is a global phase of a superposition.
            factor = None if phases is None else first.setdefault(outcomes, complex(phases[0] * signs[part][0]))
            if phases is None or factor is None or not np.allclose(phases, factor * signs[part], rtol=0, atol=error):
                where = " on some outcomes" if outcomes else ""
                raise CertificateError(
                    f"the lowered oracle differs from the reversible one{where}: please report this as a bug"
                )
    return len(first)


def _branch_phases(
    circuit: QuantumCircuit, bits: NDArray[np.bool_], seed: int, most: int, error: float
) -> Iterator[tuple[tuple[bool, ...], NDArray[np.complex128] | None]]:
    """Yield the outcomes of each branch and the phase that each basis state gains there, None where one is changed."""
    if not has_outcomes(circuit):
        # Product states cost two amplitudes per qubit, while a sparse state doubles with each qubit in superposition.
        with suppress(DoesNotFitError):
            yield (), product_phases(circuit, bits)
            return
    before = basis_terms(bits)
    for branch in run_outcomes(circuit, before, seed, most)[0]:
        yield branch.outcomes, compare_phases(before, branch.scaled, error)

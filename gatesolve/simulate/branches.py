"""Sparse exact simulation of circuits with mid-circuit measurement, one sequence of outcomes at a time.

Outcomes are chosen, not drawn, and amplitudes are not normalised input by input: were an outcome likelier for one
input than for another, a superposition of the two would change, and that shows as unequal amplitudes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Clbit, Instruction

from gatesolve.errors import DoesNotFitError
from gatesolve.simulate.certificate import CertificateError
from gatesolve.simulate.order import narrow_order
from gatesolve.simulate.product import product_phases
from gatesolve.simulate.sparse import Matrices, Terms, apply_instruction, basis_terms, bit, check_signs, compare_phases

CHUNK = 1 << 10
"""Inputs run side by side."""
EXHAUSTIVE = 6
"""Measurements up to which every sequence of outcomes is run."""


def count_measurements(circuit: QuantumCircuit) -> int:
    """How many outcomes a run of the circuit takes: its measurements outside of conditional blocks."""
    return int(circuit.count_ops().get("measure", 0))


def run_branch(circuit: QuantumCircuit, terms: Terms, outcomes: Sequence[bool]) -> Terms:
    """Apply a circuit, with ``outcomes`` as the results of its measurements in the order in which they stand.

    The circuit has gates of `CONTROLLED`, one-qubit gates, measurements, and gates conditioned on one classical bit.

    Returns:
        The state on that branch, times the square root of 2 for each measurement: of norm 1 where every outcome
        had probability one half. Terms that a measurement excludes are gone.

    Raises:
        ValueError: too few or too many outcomes, a bit read before it was written, or another operation.
        DoesNotFitError: the state has too many terms to follow.
    """
    if len(outcomes) != count_measurements(circuit):
        raise ValueError(f"{count_measurements(circuit)} measurements, {len(outcomes)} outcomes")
    bits: dict[Clbit, bool] = {}
    matrices: Matrices = {}
    place = {q: k for k, q in enumerate(circuit.qubits)}
    instructions = list(circuit.data)
    given = iter(outcomes)
    results = [next(given) if i.operation.name == "measure" else None for i in instructions]
    for index in narrow_order(circuit):
        instruction, outcome = instructions[index], results[index]
        qubits = [place[q] for q in instruction.qubits]
        if outcome is not None:
            bits[instruction.clbits[0]] = outcome
            kept = bit(terms.keys, qubits[0]).astype(bool) == outcome
            root = math.sqrt(2)
            terms = Terms(terms.keys[kept], terms.amplitudes[kept] * root, terms.lost * root)
        elif instruction.operation.name == "if_else":
            for gate, targets in _choose_gates(instruction, qubits, bits):
                terms = apply_instruction(terms, gate, targets, matrices)
        elif instruction.operation.name != "barrier":
            terms = apply_instruction(terms, instruction.operation, qubits, matrices)
    return terms


def _choose_gates(
    instruction: CircuitInstruction, qubits: list[int], bits: Mapping[Clbit, bool]
) -> list[tuple[Instruction, list[int]]]:
    """The gates of the block that a condition takes, and their qubits."""
    tested, value = instruction.operation.condition
    if not isinstance(tested, Clbit):
        raise ValueError("a condition on more than one classical bit")
    if tested not in bits:
        raise ValueError("a condition on a classical bit that was never written")
    blocks = instruction.operation.blocks
    if bits[tested] != bool(value):
        blocks = blocks[1:]
    if not blocks:
        return []
    for name in blocks[0].count_ops().keys() & {"measure", "if_else"}:
        raise ValueError(f"{name} inside a conditional block")
    place = dict(zip(blocks[0].qubits, qubits, strict=True))
    return [(inner.operation, [place[q] for q in inner.qubits]) for inner in blocks[0].data]


def branch_phases(
    circuit: QuantumCircuit, bits: NDArray[np.bool_], outcomes: Sequence[bool]
) -> NDArray[np.complex128] | None:
    """The phase each basis state gains on one branch.

    None if an input does not come back to itself, or an outcome does not have probability one half for every input.
    A circuit of CX and one-qubit gates is followed qubit by qubit where its states are products, whatever the number
    of qubits in superposition.
    """
    if circuit.count_ops().keys().isdisjoint({"measure", "if_else"}):
        with suppress(DoesNotFitError):
            return product_phases(circuit, bits)
    before = basis_terms(bits)
    return compare_phases(before, run_branch(circuit, before, outcomes), 1e-7)


def outcome_sequences(count: int, seed: int, samples: int = 4) -> list[tuple[bool, ...]]:
    """Sequences of ``count`` outcomes to check: all of them up to `EXHAUSTIVE`, else all 0, all 1 and some drawn."""
    if count <= EXHAUSTIVE:
        return [tuple(bool(number >> k & 1) for k in range(count)) for number in range(1 << count)]
    drawn = np.random.default_rng(seed).integers(0, 2, size=(samples, count)).astype(bool)
    return [(False,) * count, (True,) * count, *(tuple(row.tolist()) for row in drawn)]


def check_branches(
    circuit: QuantumCircuit,
    bits: NDArray[np.bool_],
    marked: NDArray[np.bool_],
    seed: int,
    samples: int = 4,
) -> int:
    """Check that a lowered oracle marks what it should, whatever its measurements, if any, give.

    Args:
        circuit: the lowered oracle, without a final measurement.
        bits: shape (qubits, inputs), ancillas zero.
        marked: for each input, whether its phase is -1.
        seed: of the sequences of outcomes that are drawn.
        samples: how many are.

    Returns:
        How many sequences of outcomes were compared.

    Raises:
        CertificateError: on some branch a phase differs, relative to the first input's, an input does not come
            back, or outcomes are not equally likely.
        DoesNotFitError: the state has too many terms to follow.
    """
    sequences = outcome_sequences(count_measurements(circuit), seed, samples)
    for outcomes in sequences:
        if not check_signs(partial(branch_phases, circuit, outcomes=outcomes), bits, marked, CHUNK, 1e-7):
            where = " on some outcomes" if outcomes else ""
            raise CertificateError(
                f"the lowered oracle differs from the reversible one{where}: please report this as a bug"
            )
    return len(sequences)

"""Exact simulation on basis inputs, and what a whole search measures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.errors import DoesNotFitError
from gatesolve.simulate.sparse import basis_terms, compare_phases, run_sparse
from gatesolve.simulate.sparse import bit as bit_of

from .base import RefusedError, UnfollowedError

Bits = NDArray[np.bool_]
CHUNK = 1 << 12
SAMPLE = 64
"""Inputs that are tried before all."""
NEAR = 1e-8
"""Most distance between the state an input ends in and the right one."""


def bits_of(numbers: NDArray[np.int64], width: int) -> Bits:
    """A row a wire, wire 0 the lowest digit."""
    return (numbers >> np.arange(width)[:, None] & 1).astype(bool)


def check_action(
    circuit: QuantumCircuit, before: Bits, after: Bits, phases: NDArray[np.complex128] | None, path: Path
) -> None:
    """Each basis state must go to its own, with the given phases up to one factor for all, or any phases for None.

    Wires beyond the given rows start and end at zero.

    Raises:
        RefusedError: an input goes elsewhere, or has another phase.
        UnfollowedError: too many terms for this simulation.
    """
    first: complex | None = None
    # Most faults show on a few inputs, spread over all: these go first.
    parts = [np.unique(np.linspace(0, before.shape[1] - 1, SAMPLE, dtype=np.int64))]
    parts += np.split(np.arange(before.shape[1]), range(CHUNK, before.shape[1], CHUNK))
    while parts:
        part = parts.pop(0)
        given, wanted = (basis_terms(_widen(bits[:, part], circuit.num_qubits)) for bits in (before, after))
        try:
            factors = compare_phases(wanted, run_sparse(circuit, given), NEAR)
        except DoesNotFitError as error:
            if len(part) <= 16:
                raise UnfollowedError(f"{path}: {error}") from None
            parts[:0] = np.array_split(part, 8)
            continue
        place = f"an input among {part[0]} to {part[-1]}"
        if factors is None:
            raise RefusedError(f"{path}: {place} does not end where it should")
        if phases is not None:
            factors = factors / phases[part]
            first = complex(factors[0] / abs(factors[0])) if first is None else first
            if not np.allclose(factors, first, rtol=0, atol=NEAR):
                raise RefusedError(f"{path}: {place} ends with a wrong phase")


def _widen(bits: Bits, width: int) -> Bits:
    return np.concatenate([bits, np.zeros((width - len(bits), bits.shape[1]), dtype=bool)])


def unmeasured(circuit: QuantumCircuit) -> QuantumCircuit:
    """Its gates in their own order; Qiskit's ``remove_final_measurements`` may take another, of more terms."""
    gates = QuantumCircuit(circuit.num_qubits)
    for step in circuit.data:
        if step.operation.name not in {"measure", "barrier"}:
            gates.append(step.operation, [circuit.find_bit(qubit).index for qubit in step.qubits])
    return gates


def measured(circuit: QuantumCircuit, bits: int, path: Path) -> NDArray[np.float64]:
    """The probability of each outcome; classical bit 0 is the highest digit of its number.

    Raises:
        RefusedError: a bit is not measured exactly once, or a measured wire is used again.
        UnfollowedError: too many terms for this simulation.
    """
    places: dict[int, int] = {}
    for step in circuit.data:
        wires = [circuit.find_bit(qubit).index for qubit in step.qubits]
        if step.operation.name == "measure":
            bit = circuit.find_bit(step.clbits[0]).index
            if bit in places:
                raise RefusedError(f"{path}: bit {bit} is measured twice")
            places[bit] = wires[0]
        elif step.operation.name != "barrier" and set(wires) & set(places.values()):
            raise RefusedError(f"{path}: a gate on a wire that was measured")
    if sorted(places) != list(range(bits)):
        raise RefusedError(f"{path}: the contest wants bits 0 to {bits - 1} measured, each once")
    start = basis_terms(np.zeros((circuit.num_qubits, 1), dtype=bool))
    try:
        after = run_sparse(unmeasured(circuit), start)
    except DoesNotFitError as error:
        raise UnfollowedError(f"{path}: {error}") from None
    outcomes = np.zeros(len(after.amplitudes), dtype=np.int64)
    for bit, wire in places.items():
        outcomes |= bit_of(after.keys, wire).astype(np.int64) << bits - 1 - bit
    found = np.bincount(outcomes, np.abs(after.amplitudes) ** 2, 1 << bits)
    if abs(found.sum() - 1) > 1e-6:
        raise RefusedError(f"{path}: the probabilities add up to {found.sum():.6f}")
    return found


def check_ideal(found: NDArray[np.float64], marked: NDArray[np.bool_], iterations: int, least: int, path: Path) -> None:
    """The outcomes must be those of an exact oracle after so many iterations from a uniform start.

    Raises:
        RefusedError: they are not, or fewer than ``least`` occur: a start from the solutions alone is no search.
    """
    size = int((found > 1e-9).sum())
    if size < least:
        raise RefusedError(f"{path}: {size} outcomes occur; class exact wants a search among {least} or more")
    angle = np.arcsin(np.sqrt(marked.sum() / size))
    good = np.sin((2 * iterations + 1) * angle) ** 2
    ideal = np.where(marked, good / marked.sum(), (1 - good) / (size - marked.sum()))
    if not np.allclose(found, np.where(found > 1e-9, ideal, 0), atol=1e-7) or not (found[marked] > 1e-9).all():
        raise RefusedError(f"{path}: not the outcomes of an exact oracle after {iterations} iterations, uniform start")


def drawn(found: NDArray[np.float64], shots: int, right, path: Path) -> None:  # type: ignore[no-untyped-def]
    """At least 95 of 100 runs of the contest's shots must give the right answer.

    Raises:
        RefusedError: they do not.
    """
    draw = np.random.default_rng(12345)
    good = sum(bool(right(draw.multinomial(shots, found / found.sum()))) for _ in range(200))
    if good < 190:
        raise RefusedError(f"{path}: only {good} of 200 runs of {shots:,} shots give the right answer")

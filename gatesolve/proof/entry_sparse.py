"""Anyone's oracle run by sparse state vectors: slower and with rounding, for circuits that entangle as they work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, transpile

from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Model
from gatesolve.pipelines.certify_sample import draw_places
from gatesolve.proof.claim import Claim, leave, prove
from gatesolve.proof.entry_words import Layout, refuse_at, tell_phase, tell_sample
from gatesolve.simulate.sparse import basis_terms, compare_phases, run_sparse

FOLLOWED = 1 << 14
"""Most codewords that are all run."""
BATCH = 1 << 6
"""Codewords run side by side."""
NEAR = 1e-7
"""Phases and amplitudes that differ by less are equal."""


@dataclass(frozen=True)
class Drawn:
    """Some codewords: for each block its position in each of them, their bits, and which are solutions."""

    space: Space
    places: list[NDArray[np.int64]]
    bits: NDArray[np.bool_]
    holds: NDArray[np.bool_]

    def assignment(self, number: int) -> dict[str, int]:
        """The values of one of them."""
        blocks = zip(self.space.blocks, self.places, strict=True)
        return {name: value for b, p in blocks for name, value in zip(b.variables, b.tuples[p[number]], strict=True)}


def draw_codewords(model: Model, space: Space, seed: int, most: int) -> Drawn:
    """All codewords where there are at most ``most``, else some drawn, a solution and its neighbours among them."""
    places = space.positions(np.arange(space.size)) if space.size <= most else draw_places(model, space, seed)[0]
    blocks = list(zip(space.blocks, places, strict=True))
    values = {name: b.values[p, j] for b, p in blocks for j, name in enumerate(b.variables)}
    bits = np.concatenate([b.bits[p].T for b, p in blocks])
    return Drawn(space, places, bits, np.broadcast_to(model.holds(values), bits.shape[1:]))


def follow_codewords(
    model: Model, space: Space, circuit: QuantumCircuit, layout: Layout, seed: int, reason: str
) -> Claim:
    """Judge an oracle as `gatesolve.proof.entry.judge_oracle` does; ``reason`` says why that could not."""
    drawn = draw_codewords(model, space, seed, FOLLOWED)
    run = _Run.prepare(circuit, layout, drawn)
    count = len(drawn.holds)
    first: complex | None = None
    try:
        for start in range(0, count, BATCH):
            numbers = np.arange(start, min(start + BATCH, count))
            phases = run.find_phases(numbers)
            if phases is None:
                return run.find_fault(numbers, first)
            first = complex(phases[0]) if first is None else first
            if np.abs(phases - first).max() > NEAR:
                return run.find_fault(numbers, first)
    except (DoesNotFitError, ValueError) as error:
        return leave("oracle", f"{reason}; {error}")
    if count == space.size:
        marked = int(drawn.holds.sum())
        return prove("oracle", "state vectors of every codeword", f"{marked} of {count} are marked")
    return tell_sample(count, space, seed)


@dataclass(frozen=True)
class _Run:
    """A circuit of CX and one-qubit gates, with the codewords that it is run on."""

    circuit: QuantumCircuit
    layout: Layout
    drawn: Drawn

    @staticmethod
    def prepare(circuit: QuantumCircuit, layout: Layout, drawn: Drawn) -> _Run:
        """Any circuit, its gates taken apart."""
        bare = circuit.remove_final_measurements(inplace=False)
        return _Run(transpile(bare, basis_gates=["cx", "u"], optimization_level=0), layout, drawn)

    def find_phases(self, numbers: NDArray[np.int64]) -> NDArray[np.complex128] | None:
        """The phases of some codewords without the signs that they should have; None if one does not come back."""
        holds = self.drawn.holds[numbers]
        before = np.zeros((self.circuit.num_qubits, len(numbers)), dtype=bool)
        before[list(self.layout.data)] = self.drawn.bits[:, numbers]
        wanted = before.copy()
        signs = np.where(holds, -1, 1)
        if self.layout.output is not None:
            wanted[self.layout.output] ^= holds
            signs = np.ones(len(numbers))
        after = run_sparse(self.circuit, basis_terms(before))
        phases = compare_phases(basis_terms(wanted), after, NEAR)
        return None if phases is None else phases * signs

    def find_fault(self, numbers: NDArray[np.int64], first: complex | None) -> Claim:
        """The first codeword that is wrong among some of which one is."""
        for number in numbers.tolist():
            phases = self.find_phases(np.array([number]))
            where, assignment = f"codeword {number}", self.drawn.assignment(number)
            if phases is None:
                return refuse_at(where, assignment, "its qubits do not come back as they should")
            first = complex(phases[0]) if first is None else first
            if abs(phases[0] - first) > NEAR:
                holds, by_sign = bool(self.drawn.holds[number]), self.layout.output is None
                turn = round(float(np.angle(phases[0] / first)) / (2 * np.pi), 6)
                return refuse_at(where, assignment, tell_phase(turn + 0.5 * (holds and by_sign), holds, by_sign))
        raise AssertionError("the codewords are right one by one and wrong together")

"""Anyone's oracle run by sparse state vectors: slower and with rounding, for circuits that entangle as they work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, transpile

from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError, InfeasibleError, UnsupportedError
from gatesolve.model import Model
from gatesolve.pipelines.certify import Sample, draw_around, draw_sample
from gatesolve.proof.claim import Claim, leave, prove
from gatesolve.proof.entry_words import QubitLayout, refuse_at, tell_marked, tell_output, tell_phase, tell_sample
from gatesolve.simulate.outcomes import OutcomeBranch, has_outcomes, run_outcomes
from gatesolve.simulate.sparse import basis_terms, overlaps, run_sparse

FOLLOWED = 1 << 14
"""Most codewords that are all run."""
BASIS = ["cx", "u", "measure", "if_else"]
FEW, MANY = 1 << 6, 1 << 12
"""Codewords run side by side: few may have many terms each, while many are quick if each has few terms."""
NEAR = 1e-7
"""Most distance between the state that a codeword ends in and the right one."""
Amplitudes = dict[tuple[bool, ...], NDArray[np.complex128]]
"""For each sequence of measured outcomes, amplitudes of codewords at their right places, without their right signs."""


@dataclass(frozen=True)
class Drawn:
    """Some codewords: for each block its position in each of them, their bits, and which are solutions.

    Attributes:
        outputs: values with which the output enters; each codeword comes once with each, one after the other.
    """

    space: Space
    places: list[NDArray[np.int64]]
    bits: NDArray[np.bool_]
    holds: NDArray[np.bool_]
    outputs: int = 1

    @property
    def marked(self) -> int:
        """How many of the codewords are solutions."""
        return int(self.holds.sum()) // self.outputs

    def with_outputs(self) -> Drawn:
        """Return each codeword twice, for an output of 0 and of 1."""
        places = [np.repeat(one, 2) for one in self.places]
        return Drawn(self.space, places, np.repeat(self.bits, 2, axis=1), np.repeat(self.holds, 2), 2)

    def refuse(self, number: int, what: str) -> Claim:
        """Refuse one of them as wrong."""
        told = tell_output(number % self.outputs == 1) + what
        return refuse_at(f"codeword {number // self.outputs}", self.assignment(number), told)

    def assignment(self, number: int) -> dict[str, int]:
        """The values of one of them."""
        blocks = zip(self.space.blocks, self.places, strict=True)
        return {name: value for b, p in blocks for name, value in zip(b.variables, b.tuples[p[number]], strict=True)}


def draw_codewords(model: Model, space: Space, seed: int, most: int) -> Drawn:
    """Return all codewords where there are at most ``most``, else drawn ones, with a solution and its neighbours."""
    if space.size <= most:
        sample = Sample(space, space.positions(np.arange(space.size)))
    else:
        try:
            sample = draw_sample(model, space, seed)[0]
        except InfeasibleError:
            sample = draw_around(space, None, seed)
    numbers = np.arange(sample.size)
    bits, holds = sample.bits(numbers), model.holds(sample.values(numbers))
    return Drawn(space, sample.places, bits, np.broadcast_to(holds, bits.shape[1:]))


def follow_codewords(
    model: Model, space: Space, circuit: QuantumCircuit, layout: QubitLayout, seed: int, batch: int = FEW
) -> Claim:
    """Judge an oracle that bit planes cannot follow, as `gatesolve.proof.entry.prove_circuit` does.

    Codewords are run ``batch`` at a time. A circuit that measures as it works is right if all codewords keep the same
    amplitude on each sequence of outcomes.
    """
    run = SparseRun.prepare(circuit, layout, draw_codewords(model, space, seed, FOLLOWED), seed)
    drawn, done = run.drawn, 0
    entered = len(drawn.holds)
    try:
        # All other codewords must have the amplitudes of the first one.
        first = run.find_amplitudes(np.arange(1))
        if first is None:
            return run.refuse_one(0, {})
        for done in range(0, entered, batch):
            numbers = np.arange(done, min(done + batch, entered))
            if not run.agrees(run.find_amplitudes(numbers), first):
                return run.find_fault(numbers, first)
    except (DoesNotFitError, UnsupportedError) as error:
        # Codewords that were run before the failure are a sample.
        if done:
            return tell_sample(done // drawn.outputs, space, seed, f"then {error}")
        return leave("oracle", f"no codeword was run: {error}")
    count, within = entered // drawn.outputs, f"amplitudes to {NEAR:g}"
    measured = "" if first.keys() == {()} else f"; {len(first)} sequences of outcomes were followed"
    if count == space.size and not run.cut:
        told = f"{tell_marked(drawn.marked, space)}{measured}; {within}"
        return prove("oracle", "state vectors of every codeword", told)
    if count == space.size:
        told = f"right on all {count} codewords{measured}; {within}"
        return Claim("oracle", "sampled", f"sequences of outcomes drawn with seed {seed}", told)
    return tell_sample(count, space, seed, f"{measured}; {within}".lstrip("; "))


@dataclass
class SparseRun:
    """A circuit of CX and one-qubit gates, with the codewords that it is run on; ``cut`` where outcomes were drawn."""

    circuit: QuantumCircuit
    layout: QubitLayout
    drawn: Drawn
    seed: int
    cut: bool = False

    @staticmethod
    def prepare(circuit: QuantumCircuit, layout: QubitLayout, drawn: Drawn, seed: int = 0) -> SparseRun:
        """Any plain circuit, its gates taken apart; an output enters as 0 and as 1."""
        drawn = drawn if layout.output is None else drawn.with_outputs()
        # Data qubits enter as anything: none may be taken for a zero that gates can borrow.
        ready = transpile(circuit, basis_gates=BASIS, optimization_level=0, qubits_initially_zero=False)
        return SparseRun(ready, layout, drawn, seed)

    def find_amplitudes(self, numbers: NDArray[np.int64]) -> Amplitudes | None:
        """Return the amplitudes of codewords without the signs that they should have; None if one does not come back.

        Raises:
            DoesNotFitError: too many terms, or too many were dropped to tell.
            UnsupportedError: a condition that is not followed.
        """
        before, wanted, signs = self.enter(numbers)
        start, end = basis_terms(before), basis_terms(wanted)
        if has_outcomes(self.circuit):
            branches, is_whole = run_outcomes(self.circuit, start, self.seed)
            self.cut |= not is_whole
        else:
            branches = [OutcomeBranch(run_sparse(self.circuit, start))]
        found: Amplitudes = {}
        for branch in branches:
            amplitudes, others = overlaps(end, branch.terms)
            distance, lost = float(others.max(initial=0)), branch.terms.lost
            # Dropped terms may change the distance by up to ``lost``: in between, nothing is decided.
            if distance - lost > NEAR:
                return None
            if distance + lost > NEAR:
                raise DoesNotFitError(f"terms of up to {lost:.1g} were dropped, more than the tolerance allows")
            found[branch.outcomes] = amplitudes * signs
        return found

    def enter(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]:
        """Bits of all qubits before some codewords' run, bits that should be there after it, and signs."""
        holds = self.drawn.holds[numbers]
        before = np.zeros((self.circuit.num_qubits, len(numbers)), dtype=bool)
        before[list(self.layout.data)] = self.drawn.bits[:, numbers]
        if self.layout.output is None:
            return before, before.copy(), np.where(holds, -1, 1)
        # Codewords come twice in a row, for an output of 0 and of 1.
        before[self.layout.output] = numbers % 2
        wanted = before.copy()
        wanted[self.layout.output] ^= holds
        return before, wanted, np.ones(len(numbers), dtype=np.int64)

    def agrees(self, found: Amplitudes | None, first: Amplitudes) -> bool:
        """Return whether codewords keep the amplitudes of the first one, on all outcomes."""
        if found is None:
            return False
        # Where outcomes were drawn, runs may have different ones: those in common are compared.
        keys = found.keys() & first.keys() if self.cut else found.keys() | first.keys()
        zero = np.zeros(1)
        return all(np.abs(found.get(key, zero) - first.get(key, zero)[0]).max() <= NEAR for key in keys)

    def find_fault(self, numbers: NDArray[np.int64], first: Amplitudes) -> Claim:
        """Find the first wrong codeword among some of which one is wrong, by halving.

        Raises:
            DoesNotFitError: none is, by itself: the faults are no larger than what is rounded.
        """
        while len(numbers) > 1:
            left, right = np.array_split(numbers, 2)
            numbers = right if self.agrees(self.find_amplitudes(left), first) else left
        if self.agrees(self.find_amplitudes(numbers), first):
            raise DoesNotFitError("no codeword is off by more than what is rounded")
        return self.refuse_one(int(numbers[0]), first)

    def refuse_one(self, number: int, first: Amplitudes) -> Claim:
        """Refuse a codeword as wrong."""
        found = self.find_amplitudes(np.array([number]))
        if found is None:
            return self.drawn.refuse(number, "its qubits do not come back as they should")
        if found.keys() != first.keys() or len(found) > 1:
            what = "what is measured, or its phase then, is not that of the first codeword"
            return self.drawn.refuse(number, what)
        holds, by_sign = bool(self.drawn.holds[number]), self.layout.output is None
        (mine,), (other,) = found.values(), first.values()
        turn = round(float(np.angle(mine[0] / other[0])) / (2 * np.pi), 9)
        return self.drawn.refuse(number, tell_phase(turn + 0.5 * (holds and by_sign), holds, by_sign))

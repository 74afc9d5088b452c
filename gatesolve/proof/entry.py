"""Anyone's oracle, judged by the model it should mark: exactly, on every codeword where they can be listed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from qiskit import QuantumCircuit

from gatesolve.circuit.simulate import Plane, pack_plane, unpack_plane
from gatesolve.encodings import Space
from gatesolve.encodings.slices import list_slices
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.model import Model
from gatesolve.proof.claim import Claim, prove
from gatesolve.proof.entry_sparse import FOLLOWED, MANY, draw_codewords, follow_codewords
from gatesolve.proof.entry_structure import prove_by_structure
from gatesolve.proof.entry_vectors import run_vectors
from gatesolve.proof.entry_words import QubitLayout, refuse_at, tell_marked, tell_output, tell_phase, tell_sample
from gatesolve.simulate.outcomes import has_outcomes
from gatesolve.simulate.planes import PlanesOutcome, find_precision, run_planes
from gatesolve.simulate.steps import Step, list_steps

LISTED = 1 << 28
"""Most codewords that are all run."""
FEW = 1 << 8
"""Codewords up to which each is run, however many terms it has, before random superpositions are tried."""
SHARED = 4
"""Slices from which on several processes share the work."""


@dataclass(frozen=True)
class WrongCodeword:
    """The first codeword on which a circuit is wrong, by its number in the order of the run, and what is wrong."""

    number: int
    what: str


@dataclass(frozen=True)
class EntryOracle:
    """A circuit that is judged: its steps, their precision, its width and its layout."""

    steps: tuple[Step, ...]
    digits: int
    width: int
    layout: QubitLayout

    def find_fault(
        self, bits: Sequence[Plane], holds: Plane, length: int, start: tuple[int, ...]
    ) -> WrongCodeword | None:
        """Find the first of ``length`` codewords, given by planes, on which the circuit is wrong; None without one.

        ``start`` are the digits of the phase that every codeword should have, beside its sign.

        Raises:
            DoesNotFitError: the circuit entangles qubits in superposition.
        """
        # An output that enters as 1 has to be flipped back to 0.
        values = (False,) if self.layout.output is None else (False, True)
        faults = [self._find_fault_from(bits, holds, length, start, value) for value in values]
        return min((one for one in faults if one is not None), key=lambda one: one.number, default=None)

    def _find_fault_from(
        self, bits: Sequence[Plane], holds: Plane, length: int, start: tuple[int, ...], output: bool
    ) -> WrongCodeword | None:
        """The first wrong codeword where the output enters with a value."""
        before = self.enter(bits, holds, output)
        outcome = run_planes(self.steps, self.digits, before)
        # From here on ``before`` is what the circuit has to leave.
        if self.layout.output is not None:
            before[self.layout.output] = before[self.layout.output] ^ holds
        wrong = self._off_phase(outcome, holds, start)
        for given, left in zip(before, outcome.bits, strict=True):
            # A qubit that no step changed keeps its plane, which needs no comparison.
            if left is not given:
                wrong = wrong | (left ^ given)
        found = np.flatnonzero(unpack_plane(wrong, length))
        if not found.size:
            return None
        place = int(found[0])
        return WrongCodeword(place, tell_output(output) + self._describe(place, before, outcome, holds, start))

    def read_phase(self, bits: Sequence[Plane], holds: Plane) -> tuple[int, ...]:
        """Return the digits of the phase of the first codeword, without its sign: the global phase."""
        first = [plane[:1] for plane in self.enter(bits, holds)]
        outcome = run_planes(self.steps, self.digits, first)
        digits = [int(plane[0] & np.uint64(1)) for plane in outcome.phase]
        # The last digit is half a turn, which marks a solution.
        digits[-1] ^= int(holds[0] & np.uint64(1)) if self.layout.output is None else 0
        return tuple(digits)

    def enter(self, bits: Sequence[Plane], holds: Plane, output: bool = False) -> list[Plane]:
        """Return the planes of all qubits before the circuit, the output with one value for all codewords."""
        # One plane for all ancillas: steps replace planes and never write into them.
        planes = [np.zeros_like(holds)] * self.width
        if output and self.layout.output is not None:
            planes[self.layout.output] = ~np.zeros_like(holds)
        for place, plane in zip(self.layout.data, bits, strict=True):
            planes[place] = plane
        return planes

    def _off_phase(self, outcome: PlanesOutcome, holds: Plane, start: tuple[int, ...]) -> Plane:
        wrong = np.zeros_like(holds)
        # Every codeword has the phase of the first one, except for its sign.
        for digit, (plane, bit) in enumerate(zip(outcome.phase, start, strict=True)):
            sign = self.layout.output is None and digit == self.digits - 1
            wanted = holds if sign else np.zeros_like(holds)
            wrong = wrong | (plane ^ (~wanted if bit else wanted))
        return wrong

    def _describe(
        self, place: int, before: Sequence[Plane], outcome: PlanesOutcome, holds: Plane, start: tuple[int, ...]
    ) -> str:
        def read(plane: Plane) -> int:
            return int(plane[place // 64] >> np.uint64(place % 64)) & 1

        for qubit, (given, left) in enumerate(zip(before, outcome.bits, strict=True)):
            if read(given) != read(left):
                kind = "output" if qubit == self.layout.output else "data" if qubit in self.layout.data else "ancilla"
                return f"{kind} qubit {qubit} is left as {read(left)}, not {read(given)}"
        digits = zip(outcome.phase, start, strict=True)
        # Digit k counts 2^k of the smallest phase, and all digits together are one turn.
        turn = sum((read(plane) - bit) * 2.0 ** (k - self.digits) for k, (plane, bit) in enumerate(digits))
        return tell_phase(turn, bool(read(holds)), self.layout.output is None)


def prove_circuit(model: Model, space: Space, circuit: QuantumCircuit, layout: QubitLayout, seed: int = 0) -> Claim:
    """Judge whether a plain circuit marks exactly the codewords on which a model holds, all else left as it was.

    Ancillas enter as zeros, and an output as 0 and as 1. Phases are compared up to one for all codewords and outputs.
    Inputs that are no codeword may do anything. Codewords are drawn by ``seed`` where there are too many to run all.

    Returns:
        A claim: ``proved`` on every codeword, ``sampled``, ``unchecked``, or ``refused`` with the first wrong codeword.
    """
    if has_outcomes(circuit):
        return follow_codewords(model, space, circuit, layout, seed)
    try:
        steps = tuple(list_steps(circuit))
        oracle = EntryOracle(steps, find_precision(steps), circuit.num_qubits, layout)
        if space.size <= LISTED:
            return _prove_all(model, space, oracle)
        return _check_drawn(model, space, oracle, seed)
    except (DoesNotFitError, UnsupportedError):
        return _run_states(model, space, circuit, layout, seed)


def _run_states(model: Model, space: Space, circuit: QuantumCircuit, layout: QubitLayout, seed: int) -> Claim:
    """Judge a circuit that bit planes cannot follow."""
    claims = list[Claim]()
    if space.size > FEW:
        with suppress(DoesNotFitError):
            claims.append(run_vectors(model, space, circuit, layout))
    # Random superpositions leave a chance of an error, so they prove nothing: if possible, all codewords are run too.
    if space.size <= FOLLOWED and claims and claims[0].status == "sampled":
        claims.append(follow_codewords(model, space, circuit, layout, seed, MANY))
    found = [one for one in claims if one.status in {"proved", "refused"}] or claims
    return found[0] if found else follow_codewords(model, space, circuit, layout, seed)


def _prove_all(model: Model, space: Space, oracle: EntryOracle) -> Claim:
    first = next(list_slices(model, space))
    # The global phase is read once, from the first codeword, and then required of all slices.
    work = _Work(model, space, oracle, oracle.read_phase(first.bits, first.holds))
    # Slices, rounded up.
    count = -(-space.size // first.length)
    jobs = os.cpu_count() or 1
    if count < SHARED or jobs == 1:
        marked, fault = work.run(0, 1)
    else:
        with ProcessPoolExecutor(jobs) as pool:
            parts = list(pool.map(work.run, range(jobs), [jobs] * jobs))
        marked = sum(part for part, _ in parts)
        # Each process stops at its own first fault: the least of them is the first of all.
        fault = min((one for _, one in parts if one is not None), key=lambda one: one.number, default=None)
    if fault is not None:
        return refuse_at(f"codeword {fault.number}", space.assignment(fault.number), fault.what)
    return prove("oracle", "every codeword", f"{tell_marked(marked, space)}, and every qubit comes back")


@dataclass(frozen=True)
class _Work:
    """The input of a process that runs its share of the slices."""

    model: Model
    space: Space
    oracle: EntryOracle
    start: tuple[int, ...]

    def run(self, first: int, step: int) -> tuple[int, WrongCodeword | None]:
        """Run every ``step``-th slice: how many codewords are solutions, and the first fault."""
        marked = 0
        for part in list_slices(self.model, self.space, first=first, step=step):
            fault = self.oracle.find_fault(part.bits, part.holds, part.length, self.start)
            if fault is not None:
                return marked, WrongCodeword(part.start + fault.number, fault.what)
            # Bits beyond the last codeword of a slice are 0 in ``holds``, so whole words can be counted.
            marked += int(np.bitwise_count(part.holds).sum())
        return marked, None


def _check_drawn(model: Model, space: Space, oracle: EntryOracle, seed: int) -> Claim:
    drawn = draw_codewords(model, space, seed, 0)
    planes, holds = [pack_plane(row) for row in drawn.bits], pack_plane(drawn.holds)
    fault = oracle.find_fault(planes, holds, len(drawn.holds), oracle.read_phase(planes, holds))
    if fault is not None:
        return refuse_at("a codeword drawn", drawn.assignment(fault.number), fault.what)
    try:
        first = drawn.bits[:, 0].tolist(), bool(drawn.holds[0])
        return prove_by_structure(model, space, oracle.steps, oracle.width, oracle.layout, first)
    except (DoesNotFitError, UnsupportedError):
        return tell_sample(len(drawn.holds), space, seed)


def count_alone(model: Model, space: Space, circuit: QuantumCircuit, layout: QubitLayout) -> int | None:
    """Count the constraints that a circuit computes by themselves: at some time one qubit holds just that constraint.

    None where that is not known: the codewords are more than a slice, or the circuit cannot be followed in planes.
    """
    try:
        steps = list_steps(circuit)
        oracle = EntryOracle(tuple(steps), find_precision(steps), circuit.num_qubits, layout)
        parts = []
        for one in model.constraints:
            parts.append(next(list_slices(replace(model, constraints=(one,)), space)))
            # Before the next one is made: each takes its time and memory.
            if parts[0].length < space.size:
                return None
        if not parts:
            return None
        bits, length = parts[0].bits, parts[0].length
        seen = set[bytes]()
        inside = pack_plane(np.ones(length, dtype=bool))

        def watch(plane: Plane) -> None:
            # A qubit may hold the complement of a constraint as well.
            seen.add((plane & inside).tobytes())
            seen.add((~plane & inside).tobytes())

        for plane in bits:
            watch(plane)
        run_planes(steps, oracle.digits, oracle.enter(bits, parts[0].holds), watch)
    except (DoesNotFitError, UnsupportedError):
        return None
    return sum(part.holds.tobytes() in seen for part in parts)

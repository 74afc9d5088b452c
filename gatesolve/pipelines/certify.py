"""Checking what was compiled: the oracle on codewords, the lowered oracle on some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.encodings import Space
from gatesolve.encodings.slices import list_slices
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError
from gatesolve.model import Model
from gatesolve.model.constraints import Columns
from gatesolve.model.reference import count_solutions, find_within
from gatesolve.oracle import Oracle
from gatesolve.pipelines.options import SPACE_LIMIT
from gatesolve.planning.clock import Clock
from gatesolve.programs.section import describe_size
from gatesolve.simulate.certificate import Certificate, PhaseCheck, certify
from gatesolve.simulate.outcomes import check_branches

SAMPLE = 1 << 12
"""Codewords drawn to check the oracle of a space too large to enumerate."""
NEIGHBOURS = 1 << 12
"""Most codewords one block away from a solution that it is checked on too."""
MOST_COUNTED = 100_000
COUNT_SECONDS = 60
"""Solutions and seconds up to which they are counted where that is asked for."""
SOLVER_WORK = 20.0
"""How long a solution is looked for to check on: OR-Tools' deterministic time, the same everywhere."""
LOWERED_SAMPLE = 16
"""Codewords, and marked codewords, on which the lowered oracle is compared."""
SAMPLE_SIZE = 1 << 16
"""Codewords drawn for a certificate above the limit."""


@dataclass(frozen=True)
class Sample:
    """Codewords of a space that has too many to number, numbered in the order in which they were drawn.

    The places are for each block its codeword in each of them.
    """

    space: Space
    places: list[NDArray[np.int64]]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.places[0])

    def bits(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Shape (qubits, len(numbers)): bits of the numbered codewords."""
        pairs = zip(self.space.blocks, self.places, strict=True)
        return np.concatenate([block.bits[place[numbers]].T for block, place in pairs])

    def values(self, numbers: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """One array of values a variable for the numbered codewords."""
        return {
            name: block.values[place[numbers], j]
            for block, place in zip(self.space.blocks, self.places, strict=True)
            for j, name in enumerate(block.variables)
        }


def certify_sample(
    sample: Sample, holds: Callable[[Columns], NDArray[np.bool_]], oracle: Oracle, seed: int, clock: Clock
) -> tuple[Certificate, PhaseCheck, NDArray[np.bool_] | None]:
    """Run the oracle on drawn codewords, compared with the rows of values that are to be marked.

    Returns:
        The certificate of the sample, the oracle with the sample's codewords, and which of these it marks.

    Raises:
        CertificateError: the oracle disagrees with the model.
    """

    def predicate(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.broadcast_to(holds(sample.values(numbers)), numbers.shape)

    with clock.stage("certificate") as report:
        check = PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, sample.size, sample.bits, predicate)
        found, marks = certify(check, sample.size, seed, report)
    return replace(found, of=sample.space.size, method=f"sample, seed {seed}", marked=None), check, marks


def settle_solutions(model: Model, space: Space, stated: int | None, count: bool) -> tuple[int | None, str]:
    """Return the number of solutions of a space that is too large to list, if it is known, and a note on it.

    It is the number ``stated`` by the user, unless OR-Tools is to ``count`` them, within `COUNT_SECONDS` and up to
    `MOST_COUNTED`: none, or another number than was stated, is an error.
    """
    size = describe_size(space.size)
    taken = "one is assumed" if stated is None else f"{stated} are taken, as stated" if stated > 1 else "one, as stated"
    if not count:
        return stated, f"{size} codewords are too many to count solutions: {taken}"
    counted = count_solutions(model, MOST_COUNTED, COUNT_SECONDS)
    if counted is None:
        limits = f"{MOST_COUNTED} solutions or {COUNT_SECONDS} seconds"
        return stated, f"OR-Tools did not count all solutions among {size} codewords within {limits}: {taken}"
    if counted == 0:
        raise InfeasibleError("OR-Tools proved that there is no solution")
    if stated not in (None, counted):
        raise InputError(f"solutions is {stated}, but {counted} were counted: leave out solutions")
    return counted, f"OR-Tools counted {counted} solution{'' if counted == 1 else 's'} among {size} codewords"


def draw_sample(model: Model, space: Space, seed: int) -> tuple[Sample, str]:
    """Draw codewords to check an oracle on, around a solution if one is found, and say so.

    Raises:
        InfeasibleError: the reference solver proved that there is no solution.
    """
    try:
        solution = find_within(Model(model.variables, model.constraints), SOLVER_WORK)
    except DoesNotFitError:
        solution = None
    if solution is None:
        alone = "the checked sample has random codewords only: OR-Tools found no solution within its limits"
        return draw_around(space, None, seed), alone
    note = "the checked sample includes a solution that was found classically, and all codewords one block away from it"
    return draw_around(space, locate(space, solution), seed), note


def locate(space: Space, assignment: Mapping[str, int]) -> list[int]:
    """Return the codeword of an assignment in each block."""
    return [block.tuples.index(tuple(assignment[name] for name in block.variables)) for block in space.blocks]


def draw_around(space: Space, solution: list[int] | None, seed: int) -> Sample:
    """Draw codewords, and add a solution and its neighbours if one is given."""
    draw = np.random.default_rng(seed)
    places = [draw.integers(0, block.size, size=SAMPLE) for block in space.blocks]
    if solution is None:
        return Sample(space, places)
    # Drawn codewords break many constraints at once, so alone they would check little; neighbours of a solution break
    # few.
    moves = [(k, word) for k, block in enumerate(space.blocks) for word in range(block.size) if word != solution[k]]
    if len(moves) > NEIGHBOURS:
        moves = [moves[k] for k in draw.choice(len(moves), NEIGHBOURS, replace=False)]
    near = np.tile(np.array(solution), (len(moves) + 1, 1))
    for row, (number, word) in enumerate(moves, 1):
        near[row, number] = word
    return Sample(space, [np.concatenate([near[:, k], place]) for k, place in enumerate(places)])


def certify_oracle(check: PhaseCheck, seed: int, clock: Clock) -> tuple[Certificate, NDArray[np.bool_] | None]:
    """Run the oracle on every codeword of a space that is simulated, on a sample of a larger one."""
    with clock.stage("certificate") as report:
        return certify(check, SPACE_LIMIT if check.size <= SPACE_LIMIT else SAMPLE_SIZE, seed, report)


def check_lowered(
    check: PhaseCheck,
    lowered: QuantumCircuit,
    marks: NDArray[np.bool_] | None,
    seed: int,
    expected: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None,
) -> int:
    """Simulate the lowered oracle exactly on some codewords, marked ones among them, against the reversible one.

    Where ``check`` has operations that are no basis-state maps, ``expected`` gives the marks of numbered codewords.
    Where the lowered circuit measures, several sequences of outcomes are followed. Returns how many codewords were
    compared; none if the lowered circuit's states are too wide to follow.

    Raises:
        CertificateError: some phase differs.
    """
    draw = np.random.default_rng(seed)
    # NumPy draws no larger numbers than this.
    numbers = draw.integers(0, min(check.size, 2**63 - 1), size=min(LOWERED_SAMPLE, check.size))
    if marks is not None:
        # Drawn codewords are rarely marked, so some marked ones are added.
        numbers = np.concatenate([numbers, np.flatnonzero(marks)[:LOWERED_SAMPLE]])
    numbers = np.unique(numbers)
    bits = np.zeros((lowered.num_qubits, len(numbers)), dtype=bool)
    bits[: check.num_data] = check.bits(numbers)
    try:
        check_branches(lowered, bits, (expected or check.marks)(numbers), seed)
    except DoesNotFitError:
        return 0
    return len(numbers)


def phase_check(model: Model, space: Space, oracle: Oracle) -> PhaseCheck:
    """Return the oracle with the model's predicate on the space's codewords."""

    def predicate(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)

    slices = partial(list_slices, model, space)
    return PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits, predicate, slices)

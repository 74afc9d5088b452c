"""Checking what was compiled: the oracle on codewords, the lowered oracle on some of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.encodings import Space
from gatesolve.encodings.slices import list_slices
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError
from gatesolve.model import Model
from gatesolve.model.reference import count_solutions, refuse_large, refuse_numbers, run_solver, to_cpmpy
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


def certify_sample(
    model: Model, space: Space, oracle: Oracle, seed: int, clock: Clock
) -> tuple[Certificate, PhaseCheck, NDArray[np.bool_] | None, str]:
    """Run the oracle on drawn codewords, on a solution, and on all codewords one block away from it.

    Returns:
        The certificate of the sample, the oracle with the sample's codewords, which of these it marks, and a note.

    Raises:
        CertificateError: the oracle disagrees with the model.
        InfeasibleError: the reference solver proved that there is no solution.
    """
    with clock.stage("certificate") as report:
        places, solution = draw_places(model, space, seed)

        def bits(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
            return np.concatenate([b.bits[p[numbers]].T for b, p in zip(space.blocks, places, strict=True)])

        def predicate(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
            values = {
                name: block.values[place[numbers], j]
                for block, place in zip(space.blocks, places, strict=True)
                for j, name in enumerate(block.variables)
            }
            return np.broadcast_to(model.holds(values), numbers.shape)

        size = len(places[0])
        check = PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, size, bits, predicate)
        found, marks = certify(check, size, seed, report)
    certificate = replace(found, of=space.size, method=f"sample, seed {seed}", marked=None)
    note = "the checked sample includes a solution that was found classically, and all codewords one block away from it"
    alone = "the checked sample has random codewords only: OR-Tools found no solution within its limits"
    return certificate, check, marks, alone if solution is None else note


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


def draw_places(model: Model, space: Space, seed: int) -> tuple[list[NDArray[np.int64]], list[int] | None]:
    """Draw codewords to check an oracle on: for each block its codeword in each of them, and in a solution if known.

    Raises:
        InfeasibleError: the reference solver proved that there is no solution.
    """
    try:
        solution = _find_solution(model, space)
    except DoesNotFitError:
        solution = None
    return draw_around(space, solution, seed), solution


@refuse_numbers()
def _find_solution(model: Model, space: Space) -> list[int] | None:
    """Positions in each block of a solution, or None if none was found in time; raises as `refuse_large`."""
    problem, variables = to_cpmpy(Model(model.variables, model.constraints))
    refuse_large(problem)
    status = run_solver(problem, num_workers=1, max_deterministic_time=SOLVER_WORK)
    # Only this status is a proof; a timeout is not.
    if status == "UNSATISFIABLE":
        raise InfeasibleError("the reference solver proved that there is no solution")
    if status == "UNKNOWN":
        return None
    value = {name: int(variable.value()) for name, variable in variables.items()}
    return [block.tuples.index(tuple(value[name] for name in block.variables)) for block in space.blocks]


def draw_around(space: Space, solution: list[int] | None, seed: int) -> list[NDArray[np.int64]]:
    """Return for each block its codeword in drawn codewords, and in a solution and its neighbours if one is given."""
    draw = np.random.default_rng(seed)
    places = [draw.integers(0, block.size, size=SAMPLE) for block in space.blocks]
    if solution is None:
        return places
    # Drawn codewords break many constraints at once, so alone they would check little; neighbours of a solution break
    # few.
    moves = [(k, word) for k, block in enumerate(space.blocks) for word in range(block.size) if word != solution[k]]
    if len(moves) > NEIGHBOURS:
        moves = [moves[k] for k in draw.choice(len(moves), NEIGHBOURS, replace=False)]
    near = np.tile(np.array(solution), (len(moves) + 1, 1))
    for row, (number, word) in enumerate(moves, 1):
        near[row, number] = word
    return [np.concatenate([near[:, k], place]) for k, place in enumerate(places)]


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

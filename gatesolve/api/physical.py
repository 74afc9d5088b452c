"""The fault-tolerant estimate of a whole search, also of one too large to simulate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from gatesolve.api.calls import compile_problem
from gatesolve.api.choose_space import LEVELS, encode_all, find_cheapest
from gatesolve.api.options import OptionFields, Options, check_names, shows_options
from gatesolve.api.problem import Problem, Source, as_problem, settle_options
from gatesolve.circuit import Certificate, PhaseCheck, certify
from gatesolve.costs.physical import (
    BUDGET,
    Estimate,
    LogicalCounts,
    cheapest_machine,
    check_budget,
    check_installed,
    check_models,
)
from gatesolve.costs.physical_counts import MOST_LOWERED, count_iteration, count_logical, num_ands
from gatesolve.encodings import Space, encoding_label
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError, UnsupportedError
from gatesolve.model import Model
from gatesolve.model.presolve import PresolveLevel, presolve
from gatesolve.model.reference import to_cpmpy
from gatesolve.oracle.levels import joint_tables
from gatesolve.pipelines.amplification import best_iterations, grover_program, success_probability
from gatesolve.pipelines.certify import SPACE_LIMIT, check_lowered
from gatesolve.pipelines.clock import Clock, Progress
from gatesolve.pipelines.grover.compile import compiled_rules, oracle_builder
from gatesolve.pipelines.program import Program
from gatesolve.pipelines.task import Builder

SAMPLE = 1 << 12
"""Codewords drawn to check the oracle of a space too large to enumerate."""
NEIGHBOURS = 1 << 12
"""Most codewords one block away from a solution that it is checked on too."""
SOLVER_WORK = 20.0
"""How long a solution is looked for to check on: OR-Tools' deterministic time, the same everywhere."""


@dataclass(frozen=True)
class PhysicalReport:
    """What it would take to run a whole search on error-corrected machines.

    Attributes:
        title: of the problem.
        presolve: the level used.
        encoding: of the space.
        space_size: codewords.
        marked: solutions, where they were counted; None where one is assumed.
        calls: of the oracle in one run.
        success_probability: of one run without errors.
        budget: probability that errors spoil a run.
        counts: of the whole run, by how its gates are counted.
        estimates: the cheapest for each qubit model.
        certificate: what was checked of the oracle.
        notes: what a reader of the numbers should know.
    """

    title: str
    presolve: str
    encoding: str
    space_size: int
    marked: int | None
    calls: int
    success_probability: float
    budget: float
    counts: Mapping[str, LogicalCounts]
    estimates: tuple[Estimate, ...]
    certificate: Certificate
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Everything by name, for JSON."""
        return {
            "encoding": self.encoding,
            "presolve": self.presolve,
            "space_size": self.space_size,
            "marked": self.marked,
            "iterations": self.calls,
            "success_probability": self.success_probability,
            "budget": self.budget,
            "checked": self.certificate.checked,
            "counts": {way: asdict(counts) for way, counts in self.counts.items()},
            "physical": [asdict(estimate) for estimate in self.estimates],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class _Search:
    """A program with what is known about its search."""

    program: Program
    presolve: str
    marked: int | None
    calls: int
    certificate: Certificate
    notes: tuple[str, ...]


@shows_options
def estimate(
    problem: Source,
    *,
    machines: Sequence[str] = (),
    budget: float = BUDGET,
    family: str | None = None,
    progress: Progress | None = None,
    **options: Unpack[OptionFields],
) -> PhysicalReport:
    """Estimate the error-corrected machines that run a problem's whole search: qubits, distance, time.

    Needs ``pip install ".[estimate]"`` in the checkout.

    Args:
        problem: as for `gatesolve.compile`.
        machines: names of qubit models; all published ones if none is named.
        budget: probability that errors spoil a run.
        family: puzzle family of a file; found from its text when None.
        progress: called with (stage, done, total).
        **options: fields of `Options`.

    Returns:
        ``.counts`` of the logical operations and ``.estimates``, the cheapest machine for each qubit model.

    Raises:
        InputError: bad input, or an option that does not go with an estimate.
        UnsupportedError: a pipeline other than ``grover``, or the estimator is not installed.
        InfeasibleError: proven to have no solution.
        DoesNotFitError: nothing is left to search, or no oracle can be built.
    """
    check_names(options, ("machines", "budget", "family", "progress"))
    source = as_problem(problem, family)
    chosen = settle_options(Options(**options), source)
    return estimate_search(source, chosen, models=machines, budget=budget, clock=Clock(progress))


def estimate_search(
    problem: Problem,
    options: Options,
    *,
    models: Sequence[str] = (),
    budget: float = BUDGET,
    clock: Clock | None = None,
) -> PhysicalReport:
    """Estimate the machines that run the whole search for a solution: preparation, all iterations, measurement.

    CX gates cost nothing there, so the objective ``cx`` is taken as ``t``. A space of up to 2^24 codewords is
    compiled, certified and counted as always; of a larger one only a sample is checked, and one solution is assumed. Of presolve's levels ``auto`` tries ``none``
    and ``propagate``.
    """
    names, budget = check_models(models), check_budget(budget)
    if options.pipeline != "grover":
        raise UnsupportedError(f"machines are estimated for pipeline='grover', not {options.pipeline}")
    if options.schedule == "unknown":
        raise InputError("machines are estimated for one run of known length: leave out schedule='unknown'")
    check_installed()
    clock = clock or Clock()
    options = replace(options, objective="t" if options.objective == "cx" else options.objective, gates="clifford+t")
    search = _search(problem, options, clock)
    program, space = search.program, search.program.space
    with clock.stage("count"):
        counts = count_logical(program, program.iterations)
        estimates = tuple(cheapest_machine(counts, name, budget) for name in names)
    marked = 1 if search.marked is None else search.marked
    several = "" if problem.model.objective is None else "one search for any solution; the best one takes several"
    probability = 1.0 if options.exact else success_probability(space.size, marked, program.iterations)
    return PhysicalReport(
        problem.title,
        search.presolve,
        encoding_label(space),
        space.size,
        search.marked,
        search.calls,
        probability,
        budget,
        counts,
        estimates,
        search.certificate,
        (*search.notes, several) if several else search.notes,
    )


def _search(problem: Problem, options: Options, clock: Clock) -> _Search:
    """The circuit of the whole search, at the first presolve level at which its space is simulated, or the last."""
    levels = tuple(lv for lv in LEVELS if lv == options.presolve or (options.presolve == "auto" and lv != "affine"))
    for level in levels:
        with clock.stage("presolve"):
            model, _ = presolve(problem.model, level)
        if not model.variables:
            raise DoesNotFitError(
                f"nothing is left to search after presolve {level}, so there is no circuit to estimate: "
                "use presolve='none'"
            )
        spaces = encode_all(model, options.encoding, None)
        if min(space.size for space in spaces) <= SPACE_LIMIT:
            return _compiled(problem, replace(options, presolve=level), clock)
    return _large(model, spaces, level, options, clock)


def _compiled(problem: Problem, options: Options, clock: Clock) -> _Search:
    """A search that is compiled and certified as always."""
    compiled = compile_problem(problem, options, clock)
    marked = compiled.certificate.marked
    if compiled.program.num_qubits == 0:
        raise DoesNotFitError("nothing is left to search, so there is no circuit to estimate: use presolve='none'")
    return _Search(
        compiled.program, compiled.presolve, marked, compiled.oracle_calls, compiled.certificate, compiled.notes
    )


def _large(model: Model, spaces: list[Space], level: PresolveLevel, options: Options, clock: Clock) -> _Search:
    """A search that no simulation can run."""
    if options.exact:
        raise DoesNotFitError(
            f"does not fit: the number of solutions is counted up to {SPACE_LIMIT} codewords: leave out exact"
        )
    with clock.stage("oracle") as report:
        program = _cheapest(model, spaces, options, report)
    certificate, note = _certify_sample(model, program, options.seed, clock)
    calls = best_iterations(program.space.size, 1) if options.iterations is None else options.iterations
    program = program.with_iterations(calls)
    notes = [f"2^{math.log2(program.space.size):.1f} codewords are too many to count solutions: one is assumed", note]
    notes += joint_tables(model, program.space, compiled_rules(model, program.space, options))
    return _Search(program, level, None, calls, certificate, tuple(notes))


def _cheapest(model: Model, spaces: list[Space], options: Options, report: Callable[[int, int], None]) -> Program:
    """One iteration on the space whose whole search takes the fewest logical operations."""
    build = oracle_builder(model, options)
    return find_cheapest(
        model,
        spaces,
        lambda space: _program(space, build, options),
        # No reflection takes less than an AND a root, of three operations.
        lambda space: 3 * math.sqrt(space.size) * len(space.mirror_roots),
        lambda space, program: math.sqrt(space.size) * _cycles(count_iteration(program)),
        report,
    )[1]


def _cycles(counts: LogicalCounts) -> int:
    """Logical operations of an iteration, a rotation at the price of some thirty T in its layer."""
    return counts.cycles + counts.rotations + 30 * counts.rotation_depth


def _program(space: Space, build: Builder, options: Options) -> Program:
    """One iteration on a space, with as many ancillas for the reflection as save T."""
    program = grover_program(
        space, build(space), 1, ancillas=options.ancillas, gates="clifford+t", spare=len(space.mirror_roots)
    )
    return replace(program, objective=options.objective)


def _certify_sample(model: Model, program: Program, seed: int, clock: Clock) -> tuple[Certificate, str]:
    """The oracle run on drawn codewords, on a solution, and on what is one block away from it.

    Drawn codewords of a large space break many constraints at once, so alone they would check little.
    """
    space, oracle = program.space, program.oracle
    with clock.stage("certificate") as report:
        solution = _a_solution(model, space)
        places = _places(space, solution, seed)

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
        lowered = replace(program, measured=True) if num_ands(program) <= MOST_LOWERED else None
        compared = 0 if lowered is None else check_lowered(check, lowered.lowered_oracle, marks, seed)
    certificate = replace(found, of=space.size, method=f"sample, seed {seed}", marked=None, lowered=compared)
    if solution is None:
        return (
            certificate,
            "no solution was found in the time allowed, so the oracle was checked on drawn codewords alone",
        )
    return certificate, "the oracle was checked on a solution found classically, too, and on all one block away from it"


def _a_solution(model: Model, space: Space) -> list[int] | None:
    """Positions in each block of a solution, or None if none was found in the time allowed."""
    problem, variables = to_cpmpy(Model(model.variables, model.constraints))
    if not problem.solve(solver="ortools", num_workers=1, max_deterministic_time=SOLVER_WORK):
        if problem.status().exitstatus.name == "UNSATISFIABLE":
            raise InfeasibleError("the reference solver proved that there is no solution")
        return None
    value = {name: int(variable.value()) for name, variable in variables.items()}
    return [block.tuples.index(tuple(value[name] for name in block.variables)) for block in space.blocks]


def _places(space: Space, solution: list[int] | None, seed: int) -> list[NDArray[np.int64]]:
    """For each block, its codeword in each codeword of the sample."""
    draw = np.random.default_rng(seed)
    places = [draw.integers(0, block.size, size=SAMPLE) for block in space.blocks]
    if solution is None:
        return places
    moves = [(k, word) for k, block in enumerate(space.blocks) for word in range(block.size) if word != solution[k]]
    if len(moves) > NEIGHBOURS:
        moves = [moves[k] for k in draw.choice(len(moves), NEIGHBOURS, replace=False)]
    near = np.tile(np.array(solution), (len(moves) + 1, 1))
    for row, (number, word) in enumerate(moves, 1):
        near[row, number] = word
    return [np.concatenate([near[:, k], place]) for k, place in enumerate(places)]

"""The public calls: `compile`, `solve` and `count`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from gatesolve.api.options import OptionFields, Options, check_names, check_pipeline, given_options, shows_options
from gatesolve.api.result import Result, versions
from gatesolve.api.shown_progress import shown_progress
from gatesolve.circuit.collection import collect_rarely
from gatesolve.division.run import Machines, WatchLeaves, solve_divided
from gatesolve.errors import GatesolveError, InfeasibleError, InputError, UnsupportedError
from gatesolve.files import as_path, check_kept
from gatesolve.formats.problem import Problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.gate_sets import GATE_SETS
from gatesolve.model import Model
from gatesolve.pipelines.answer import Answer, Compiled, infeasible_answer
from gatesolve.pipelines.options import SPACE_LIMIT
from gatesolve.pipelines.protocol import Pipeline
from gatesolve.pipelines.registry import PIPELINES, find_pipeline, name_pipelines
from gatesolve.pipelines.thresholds import find_best
from gatesolve.planning import Clock, Layout, Progress, TooLarge, Watch
from gatesolve.planning.ladder import HOPELESS
from gatesolve.programs import CountRun, estimate_marked

CHOSEN_BY_COUNT = ("count_solutions", "early_check", "exact", "iterations", "schedule", "shots", "solutions")
"""Options of a search that `count` chooses itself."""


@shows_options
def compile(  # the word users know; the builtin is not needed here
    problem: Source,
    *,
    family: str | None = None,
    progress: Progress | bool | None = None,
    on_event: Watch | None = None,
    **options: Unpack[OptionFields],
) -> Compiled:
    """Compile a problem to a certified program without running it.

    Args:
        problem: any supported file (``"-"`` for standard input) or its text, constraints as text
            (``"x, y in 0..3; x != y"``), `Puzzle`, ``cpmpy.Model``, `Model`, `Qubo`, a dimod BQM, CQM, polynomial or
            ``QuadraticModel``, a networkx graph, a QUBO's dict ``{(i, j): weight}`` or its square matrix,
            ``QuadraticProgram`` or OMMX instance.
        family: puzzle family or format of a file; None detects it from the text.
        progress: None for a bar, True for lines in a log too, False for neither, or a function (stage, done, total).
        on_event: called with intermediate results as soon as they are known, such as the model after presolve: the
            types are in ``gatesolve.pipelines.events``.
        **options: fields of `Options`; those that only affect a run, such as ``shots``, have no effect here. ``angles``
            may also be two lists of numbers: ``([gamma, ...], [beta, ...])``.

    Returns:
        The compiled problem. ``.program`` has ``.circuit``, ``.lowered``, ``.resources()``, ``.qasm2()`` and
        ``.qasm3()``; all ancillas start and end at zero. ``.decode(counts)`` lists the measured assignments.
        ``.certificate`` states what was checked. Up to 2^24 states, ``.details`` has for ``pipeline="gas"`` the cost of
        every codeword in ``.costs``, for ``"qaoa"`` the angles in ``.outcome`` and the amplitudes in ``.state``.

    Raises:
        InputError: bad input or option.
        InfeasibleError: proven to have no solution.
        DoesNotFitError: too large; the message names what would fit.
        UnsupportedError: a kind of constraint, or a pipeline without a circuit.
    """
    check_names(options, ("family", "progress", "on_event"))
    chosen = Options(**options)
    source = as_problem(problem, family)
    chosen = settle_options(chosen, source, options)
    with collect_rarely(), shown_progress(progress) as told:
        return compile_problem(source, chosen, Clock(told, watch=on_event))


def settle_options(options: Options, problem: Problem, named: Iterable[str] = ()) -> Options:
    """Return the options with the pipeline that ``auto`` stands for; unsuitable and unused ones are refused."""
    if problem.qubo is not None:
        if options.pipeline != "auto" and not find_pipeline(options.pipeline).minimises:
            mend = name_pipelines(lambda one: one.minimises)
            raise UnsupportedError(f"a Qubo has no constraints for a plain search to mark: use {mend}")
        if options.presolve not in {"auto", "none"}:
            raise InputError("presolve cannot use the terms of a Qubo: leave out presolve")
        options = replace(options, presolve="none")
    if options.pipeline == "auto":
        options = replace(options, pipeline="grover" if problem.qubo is None else "gas")
    check_pipeline(options, named)
    find_pipeline(options.pipeline).check(problem, options)
    # In a gate set with Toffoli gates an AND is not made of CX, so the metric cx is replaced by t.
    by_ands = options.optimize == "cx" and GATE_SETS[options.gates].has_toffoli
    return replace(options, optimize="t") if by_ands else options


def compile_problem(problem: Problem, options: Options, clock: Clock, *, is_simulated: bool = False) -> Compiled:
    """Compile with settled options; if it ``is_simulated``, a space too large to simulate is refused."""
    pipeline = find_pipeline(options.pipeline)
    if pipeline.compile is None:
        mend = name_pipelines(lambda one: one.compile is not None and (one.minimises or problem.qubo is None))
        raise UnsupportedError(f"pipeline='{options.pipeline}' has no circuit: use {mend}, or gatesolve qubo")
    layout = plan_problem(problem, options, clock, is_simulated=is_simulated)
    compiled: Compiled = pipeline.compile(problem, layout, pipeline.take(options), clock)
    # A pipeline that minimises marks nothing without a threshold, so a count of 0 proves nothing there.
    if not pipeline.minimises and compiled.certificate.marked == 0:
        raise InfeasibleError(f"no solution: every one of {compiled.certificate.of} codewords was checked")
    return compiled


def plan_problem(problem: Problem, options: Options, clock: Clock, **how: bool) -> Layout:
    """Plan with settled options and ``how`` of `Pipeline.plan`; what is too large is refused, with what would fit."""
    pipeline = find_pipeline(options.pipeline)
    layout: Layout | TooLarge = pipeline.plan(problem, pipeline.take(options), clock, **how)
    if isinstance(layout, TooLarge):
        raise layout.error()
    return layout


@shows_options
def solve(
    problem: Source,
    *,
    family: str | None = None,
    progress: Progress | bool | None = None,
    resume: str | Path | None = None,
    jobs: int = 1,
    dask: str | None = None,
    on_leaf: WatchLeaves | None = None,
    on_event: Watch | None = None,
    **options: Unpack[OptionFields],
) -> Result:
    """Compile a problem, run its search, and judge the measured answer by the problem's own rules.

    A problem that is too large for one search is divided, and its parts are searched: those of an objective by
    ``pipeline="gas"``. This needs the defaults of ``presolve`` and ``backend``. A script that sets ``jobs`` above 1
    needs ``if __name__ == "__main__":`` around the call. The errors are those of `compile`, except that a proven
    infeasibility is a result.

    Args:
        problem: a problem of any kind that `compile` accepts.
        family: puzzle family or format of a file; None detects it from the text.
        progress: None for a bar, True for lines in a log too, False for neither, or a function (stage, done, total).
        resume: a file that Grover Adaptive Search updates after every run, and a divided search after every part. If
            it exists, the search continues from it.
        jobs: number of parts that are searched at a time, each in a separate process; the answer stays the same.
        dask: address of a Dask scheduler whose workers search the parts; ``local`` starts a cluster on this machine.
        on_leaf: called after each part with a `LeafEvent`: its record, the parts so far, and the remaining time.
        on_event: called with all events of the search; in a divided search also before and after each part.
        **options: fields of `Options`.
    """
    check_names(options, ("family", "progress", "resume", "jobs", "dask", "on_leaf", "on_event"))
    if not (on_leaf is None or callable(on_leaf)):
        raise InputError(f"on_leaf is {on_leaf!r:.60}: give a function of a LeafEvent")
    kept = None if resume is None else as_path(resume, "resume")
    if kept is not None:
        check_kept(kept)
    with collect_rarely(), shown_progress(progress) as told:
        machines = Machines(jobs, dask, kept, {} if kept is None else versions())
        return _solve(problem, family, options, Clock(told, watch=on_event), machines, on_leaf)


def _solve(
    problem: Source,
    family: str | None,
    options: OptionFields,
    clock: Clock,
    machines: Machines,
    on_leaf: WatchLeaves | None,
) -> Result:
    chosen = Options(**options)
    try:
        with clock.stage("read"):
            source = as_problem(problem, family)
    except InfeasibleError as error:
        source, answer = Problem(Model(()), name=error.title), infeasible_answer(error, chosen)
        return Result(problem=source, options=chosen, seconds=clock.seconds, **vars(answer))
    chosen = settle_options(chosen, source, options)
    pipeline = find_pipeline(chosen.pipeline)
    own = pipeline.take(chosen)
    if machines.resume is not None and not (pipeline.resumes or pipeline.divides(source, own)):
        raise pipeline.refuse_resume()
    leaves, found = _leaves_to_gas(source, pipeline, chosen, options), None
    # A search by marking plans, compiles and checks a circuit for each of a large objective's many thresholds.
    if not leaves or source.model.num_assignments <= SPACE_LIMIT:
        found = _search_whole(source, pipeline, own, clock, machines)
    if leaves and (found is None or isinstance(found, TooLarge)):
        chosen, pipeline = replace(chosen, pipeline="gas"), find_pipeline("gas")
        own = pipeline.take(chosen)
        found = _search_whole(source, pipeline, own, clock, machines)
    assert found is not None
    if isinstance(found, TooLarge):
        if not found.divides:
            raise found.error(name_what_works(source, found))
        found = solve_divided(source, pipeline, own, clock, machines, found.probes, on_leaf)
    # The pipelines work with our names; only here the values get the user's own labels.
    fields = {**vars(found), "solution": source.restore(found.solution)}
    return Result(problem=source, options=chosen, seconds=clock.seconds, **fields)


def _search_whole(
    source: Problem, pipeline: Pipeline[Any], own: Any, clock: Clock, machines: Machines
) -> Answer | TooLarge:
    """Search a problem in one piece."""
    # A pipeline that only marks solutions minimises by repeated searches below a threshold.
    if source.model.objective is not None and not pipeline.minimises:
        return find_best(source, lambda task: pipeline.plan_and_search(task, own, clock))
    return pipeline.plan_and_search(source, own, clock, machines.resume)


def _leaves_to_gas(source: Problem, pipeline: Pipeline[Any], chosen: Options, named: OptionFields) -> bool:
    """Return whether ``auto`` chose a pipeline that does not divide an objective, and another that does can be used."""
    if source.goal is None or pipeline.divides_goals or named.get("pipeline", "auto") != "auto":
        return False
    return {*given_options(chosen, named)} <= {"pipeline", *find_pipeline("gas").options.__dataclass_fields__}


def name_what_works(problem: Problem, refused: TooLarge) -> str:
    """Return advice that names a pipeline without a circuit for the problem; empty where there is none."""
    gas = find_pipeline("gas")
    if problem.goal is not None and 0 < refused.states <= HOPELESS and gas.divides(problem, gas.options()):
        return "; with pipeline='gas' and the defaults of presolve and backend it is searched in parts"
    # If only the oracle was too large, another encoding or level helps more than another pipeline.
    for name in PIPELINES if refused.by != "oracle" else ():
        pipeline = find_pipeline(name)
        # Preparing is the check: it raises an error where the problem does not suit the pipeline.
        with suppress(GatesolveError):
            if pipeline.prepare is not None:
                pipeline.prepare(problem, pipeline.options())
                return f"; pipeline='{name}' can solve it, without a circuit"
    return ""


@dataclass(frozen=True, eq=False)
class CountEstimate:
    """An interval for the number of marked states.

    A marked state is an assignment that the oracle accepts. Two states may be the same finished board, for instance
    where a tent belongs to either of two trees. One state may stand for several solutions; a note says how many.

    Attributes:
        title: the problem's title.
        low: least number of marked states.
        high: largest number; the true one is from ``low`` to ``high`` with the confidence.
        confidence: as asked for, on a backend without errors; 1 where nothing had to be measured.
        size: states of the space.
        runs: iterations, shots and hits of each circuit that was measured.
        counted: the number that a classical count of all states gives; None where it was not made.
        compiled: oracle and space; ``compiled.program.with_iterations(k)`` is the circuit of a run. None without any.
        notes: what the number leaves out or rests on; for a problem that is proven infeasible, the reason.
    """

    title: str
    low: int
    high: int
    confidence: float
    size: int
    runs: tuple[CountRun, ...] = ()
    counted: int | None = None
    compiled: Compiled | None = None
    notes: tuple[str, ...] = ()

    @property
    def shots(self) -> int:
        """Shots of all runs. What each of them measured is judged classically, by the problem's own rules."""
        return sum(run.shots for run in self.runs)

    @property
    def oracle_calls(self) -> int:
        """Oracle calls in the circuits of all shots, one for each iteration."""
        return sum(run.shots * run.iterations for run in self.runs)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        fields = {name: value for name, value in vars(self).items() if name not in ("runs", "compiled")}
        made = {name: getattr(self.compiled, name, None) for name in ("encoding", "level", "presolve")}
        runs = [asdict(run) for run in self.runs]
        return {**fields, **made, "runs": runs, "shots": self.shots, "oracle_calls": self.oracle_calls}

    def __repr__(self) -> str:
        return f"<CountEstimate {self.low} to {self.high} of {self.size}: {self.title}>"


@shows_options
def count(
    problem: Source,
    *,
    accuracy: float = 0.1,
    family: str | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[OptionFields],
) -> CountEstimate:
    """Estimate by measurements how many states a problem's oracle marks.

    Iterative amplitude estimation (arXiv:1912.05559): searches of growing length, without a phase register.

    Args:
        problem: as for `gatesolve.compile`; an objective is left out.
        accuracy: half the width of the interval, as a share of its middle; 0 asks for one number.
        family: as for `gatesolve.solve`.
        progress: as for `gatesolve.solve`.
        **options: fields of `Options` for the oracle, ``backend``, and ``confidence`` that the interval is right.

    Returns:
        ``.low``, ``.high``, and in ``.runs`` the iterations, shots and hits of each circuit.

    Raises:
        InputError: bad input, or an option that chooses runs.
        UnsupportedError: another pipeline, or a Qubo.
        DoesNotFitError: too large; the message names what would fit.
    """
    check_names(options, ("accuracy", "family", "progress"))
    _check_count(accuracy, options)
    asked, source = Options(**options), None
    try:
        source = as_problem(problem, family)
        with shown_progress(progress) as told:
            return _count(source, asked, options.keys(), Clock(told), accuracy)
    except InfeasibleError as error:
        return CountEstimate(
            error.title or (source.title if source else ""), 0, 0, 1.0, 0, counted=0, notes=(str(error),)
        )


def _count(source: Problem, asked: Options, named: Iterable[str], clock: Clock, accuracy: float) -> CountEstimate:
    if asked.pipeline not in {"auto", "grover"}:
        raise UnsupportedError(f"pipeline='{asked.pipeline}' marks no solutions: use 'grover', or leave out pipeline")
    if source.qubo is not None:
        raise UnsupportedError("a Qubo has no constraints, so no state is a solution: count needs constraints")
    title, goal = source.title, source.model.objective
    source = replace(source, model=replace(source.model, objective=None))
    # The confidence is an option of `gas`, which plain searches refuse.
    searched = replace(asked, pipeline="grover", confidence=Options().confidence)
    chosen = settle_options(searched, source, set(named) - {"confidence"})
    pipeline, layout = find_pipeline(chosen.pipeline), plan_problem(source, chosen, clock, is_simulated=True)
    assert pipeline.compile is not None
    assert pipeline.measure is not None
    own, measure = pipeline.take(chosen), pipeline.measure
    compiled = pipeline.compile(source, layout, own, clock)
    size, counted = compiled.program.space.size, compiled.certificate.marked
    notes = tuple(_list_count_notes(compiled, goal is not None, chosen.backend))
    if not compiled.program.space.num_qubits:
        # The one state was judged when the circuit was compiled.
        assert counted is not None
        return CountEstimate(title, counted, counted, 1.0, size, counted=counted, compiled=compiled, notes=notes)
    seeds = np.random.default_rng((chosen.seed, 2))
    with clock.stage("run"):
        found, runs = estimate_marked(
            lambda iterations, shots: measure(compiled, own, iterations, shots, int(seeds.integers(2**31))),
            size, accuracy, asked.confidence,
        )  # fmt: skip
    return CountEstimate(title, *found.numbers, asked.confidence, size, runs, counted, compiled, notes)


def _check_count(accuracy: object, options: Iterable[str]) -> None:
    if not isinstance(accuracy, int | float) or not 0 <= accuracy < 1:
        raise InputError(f"accuracy is {accuracy!r:.60}: give a number from 0 to below 1")
    if idle := [name for name in CHOSEN_BY_COUNT if name in options]:
        raise InputError(f"counting chooses its own runs: leave out {idle[0]}")


def _list_count_notes(compiled: Compiled, has_objective: bool, backend: object) -> Iterator[str]:
    space, counted = compiled.program.space, compiled.certificate.marked
    if has_objective:
        yield "the objective is left out: every state that meets the constraints is counted"
    if (free := compiled.problem.count_free(space)) > 1:
        yield f"some variables have no constraint and no qubits: each marked state stands for {free} solutions"
    if space.size == counted and space.num_qubits:
        yield "presolve and encoding left only solutions in the space: they were counted classically before"
    if not isinstance(backend, str):
        yield "the confidence holds only if the backend makes no errors"

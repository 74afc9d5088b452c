"""The classical route: samplers on a problem's Qubo, judged by the problem's own rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from gatesolve.api.optimise import UNBEATABLE, unbeatable
from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.api.result import Result, infeasible, number
from gatesolve.errors import GatesolveError, InfeasibleError, UnsupportedError
from gatesolve.model import Model
from gatesolve.model.presolve import Level, presolve
from gatesolve.model.presolve.recovery import Fixed
from gatesolve.pipelines.anneal.anneal import SAMPLERS, AnnealOutcome, Bits, Sampler, anneal
from gatesolve.pipelines.clock import Clock
from gatesolve.qubo import Qubo
from gatesolve.qubo.build import add_objective, formulate_model, qubo_space
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.published import published_qubo

ENOUGH = 200
"""Reads at the least energy after which nothing lower is looked for, where something is minimised."""


@dataclass(frozen=True)
class Energy:
    """A problem as an energy for samplers.

    Attributes:
        qubo: the energy.
        decode: a state to values of the problem's variables; None if it stands for none.
        ground: the energy of every solution, where it is known; None also where something is to be made small.
        presolve: the level used.
        sufficient: whether the lowest states are the (best) solutions wherever there is one.
    """

    qubo: Qubo
    decode: Callable[[Bits], dict[str, int] | None]
    ground: Number | None
    presolve: str
    sufficient: bool


def solve_annealing(problem: Problem, options: Options, clock: Clock) -> Result:
    """Sample the problem's Qubo until its own rules accept a state, or take the best of all reads.

    Raises:
        UnsupportedError: no published formula of the problem.
        DoesNotFitError: a constraint has too many tuples for a penalty, or too many variables to list all states.
    """
    try:
        with clock.stage("qubo"):
            energy = _energy(problem, options)
    except InfeasibleError as error:
        return infeasible(error, options, problem)

    def accepted(bits: Bits) -> bool:
        values = energy.decode(bits)
        return values is not None and not problem.complaints(values)

    with clock.stage("run") as report:
        found = anneal(
            energy.qubo,
            sampler=_sampler(options),
            reads=options.reads,
            sweeps=options.sweeps,
            seed=options.seed,
            accept=accepted if problem.goal is None else None,
            ground=energy.ground,
            enough=ENOUGH,
            progress=report,
        )
    return _judged(problem, options, energy, found)


def anneals(problem: Problem) -> bool:
    """Whether the samplers take a problem: whether its Qubo can be made, with options as they are usually."""
    try:
        _energy(problem, Options(pipeline="anneal"))
    except GatesolveError:
        return False
    return True


def _energy(problem: Problem, options: Options) -> Energy:
    if options.form == "published":
        return _published(problem, options)
    level = _level(options, "propagate")
    own = problem.qubo
    if own is not None and not problem.model.constraints:
        return Energy(own, own.decode, None, "none", True)
    smaller, recovery = presolve(problem.model, level)
    if own is not None:
        made = formulate_model(smaller, qubo_space(smaller), penalties=options.penalty, quadratic=True)
        qubo, _ = add_objective(made, own, options.penalty is None)
        return Energy(qubo, _through(qubo, smaller, recovery.recover), None, level, made.proved)
    made = formulate_model(smaller, qubo_space(smaller, options.encoding), penalties=options.penalty, quadratic=True)
    ground = made.ground if problem.goal is None and made.proved else None
    return Energy(made.qubo, _through(made.qubo, smaller, recovery.recover), ground, level, made.proved)


def _through(
    qubo: Qubo, model: Model, recover: Callable[[dict[str, int]], dict[str, int]]
) -> Callable[[Bits], dict[str, int] | None]:
    """Decode with the Qubo's space, drop what breaks the presolved model, and undo presolve."""

    def decode(bits: Bits) -> dict[str, int] | None:
        values = qubo.decode(bits)
        if values is None:
            return None
        known = {name: values[name] for name in model.domains}
        return recover(known) if model.check(known) else None

    return decode


def _published(problem: Problem, options: Options) -> Energy:
    if problem.puzzle is None:
        raise UnsupportedError("published formulas are of puzzle families: leave out form='published'")
    found = published_qubo(problem.puzzle)
    level = _level(options, "none")
    if level != "none":
        smaller, recovery = presolve(problem.model, level)
        fixed = {step.name: (step.constant,) for step in recovery.steps if isinstance(step, Fixed)}
        found = found.narrowed({**problem.model.domains, **fixed, **smaller.domains})
    # Where the formula leaves rules out, more states have its least energy than there are solutions.
    return Energy(found.qubo, found.decode, found.ground, level, False)


def _level(options: Options, default: Level) -> Level:
    levels: dict[str, Level] = {"auto": default, "none": "none", "propagate": "propagate", "affine": "affine"}
    return levels[options.presolve]


def _judged(problem: Problem, options: Options, energy: Energy, found: AnnealOutcome) -> Result:
    values = energy.decode(found.bits)
    solution = values if values is not None and not problem.complaints(values) else None
    if solution is not None:
        status, message = "solved", _accepted(problem, found, solution)
    else:
        status, message = _refused(problem, options, energy, found)
    return Result(
        status,
        message,
        solution,
        problem.board(solution),
        replace(options, sampler=found.sampler),
        problem,
        energy.presolve,
        anneal=found,
        variables=energy.qubo.num_variables,
        energy=_told(problem, found, solution),
    )


def _sampler(options: Options) -> Sampler:
    names: dict[str, Sampler] = {name: name for name in SAMPLERS}
    return names[options.sampler]


def _told(problem: Problem, found: AnnealOutcome, solution: dict[str, int] | None) -> Fraction | None:
    """What was made small or large, as the user put it; the energy itself where there is nothing of the kind."""
    if problem.goal is None:
        return as_written(found.energy)
    return None if solution is None else problem.energy(solution)


def _accepted(problem: Problem, found: AnnealOutcome, solution: dict[str, int]) -> str:
    energy = problem.energy(solution)
    if energy is None:
        return problem.accepted
    what = f"{problem.aim} {number(energy)}"
    if found.proven:
        return f"{what}: nothing better exists (every state was listed)"
    if unbeatable(problem, solution):
        return f"{what}: nothing better exists ({UNBEATABLE})"
    return f"{what}: the best of {found.reads} reads, reached by {found.hits}; nothing says that there is none better"


def _refused(problem: Problem, options: Options, energy: Energy, found: AnnealOutcome) -> tuple[str, str]:
    """Status and message where no state was accepted.

    Every assignment that presolve leaves has a state, so where all that could be solutions were refused there is none.
    """
    if problem.goal is None:
        if found.exhausted:
            return "infeasible", f"no state is a solution: every one of {found.reads} was listed"
        shown = f"{found.refused} states were shown to the rules and refused"
        raised = "reads" if found.proven else "reads or sweeps"
        return "unsolved", f"none of {found.reads} reads was accepted ({shown}): raise {raised}"
    if not energy.sufficient:
        mend = "leave out form='published'" if options.form == "published" else "raise penalty, or leave it out"
        return "unsolved", f"the lowest of {found.reads} reads breaks a rule: {mend}"
    if found.proven:
        return "infeasible", f"no state is a solution, not even the lowest: every one of {found.reads} was listed"
    return "unsolved", f"the lowest of {found.reads} reads breaks a rule: raise reads or sweeps"

"""The pipeline ``anneal``, which has no circuit: samplers on a problem's Qubo, judged by the problem's own rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gatesolve.formats.problem import Problem, Values
from gatesolve.model import Model
from gatesolve.model.presolve import PresolveSetting, presolve
from gatesolve.model.presolve.recovery import Fixed
from gatesolve.pipelines.anneal.anneal import AnnealOutcome, Bits, anneal_qubo
from gatesolve.pipelines.anneal.options import AnnealOptions
from gatesolve.pipelines.answer import Answer, Status, as_number, judge_candidates
from gatesolve.pipelines.chart import Energies, plotted
from gatesolve.pipelines.events import ReadsMade
from gatesolve.pipelines.options import AS_PRINTED, refuse_idle
from gatesolve.pipelines.protocol import Pipeline, Report
from gatesolve.pipelines.thresholds import UNBEATABLE, is_unbeatable
from gatesolve.planning import Clock
from gatesolve.qubo import Qubo
from gatesolve.qubo.build import add_objective, formulate_model, qubo_space
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.polynomial import Number

ENOUGH = 200
"""Reads at the least energy after which nothing lower is looked for, where something is minimised."""


@dataclass(frozen=True)
class Energy:
    """A problem as an energy for samplers.

    Attributes:
        qubo: the energy.
        decode: a state to values of variables; None if it stands for none.
        recover: from those to all of the problem's variables; None where they are all there.
        ground: the energy of every solution, where it is known; None also where something is to be made small.
        presolve: the setting used.
        sufficient: whether the lowest states are the (best) solutions wherever there is one.
    """

    qubo: Qubo
    decode: Callable[[Bits], dict[str, int] | None]
    recover: Callable[[Values], dict[str, int]] | None
    ground: Number | None
    presolve: str
    sufficient: bool


def solve_annealing(problem: Problem, options: AnnealOptions, clock: Clock) -> Answer:
    """Sample the problem's Qubo until its own rules accept a state, or take the best of all reads.

    Raises:
        UnsupportedError: no published formula of the problem.
        DoesNotFitError: a constraint has too many tuples for a penalty, or too many variables to list all states.
    """
    with clock.stage("qubo"):
        energy = prepare_energy(problem, options)
    accept = problem.judge(energy.recover)

    def accepted(bits: Bits) -> bool:
        values = energy.decode(bits)
        return values is not None and accept(values) is not None

    def tell(found: AnnealOutcome) -> None:
        energies = tuple((plotted(as_written(level)), times) for level, times in found.energies)
        clock.tell(ReadsMade(found.sampler, found.reads, float(found.best), found.hits, energies))

    with clock.stage("run") as report:
        found = anneal_qubo(
            energy.qubo,
            sampler=options.sampler,
            reads=options.reads,
            sweeps=options.sweeps,
            seed=options.seed,
            accept=accepted if problem.goal is None else None,
            ground=energy.ground,
            enough=ENOUGH,
            progress=report,
            watch=tell if clock.watch else None,
        )
    solution = judge_candidates(accept, [(energy.decode(found.bits), 1)]).solution
    status: Status = "solved"
    if solution is not None:
        message = _solved_message(problem, found, solution)
    else:
        status, message = _conclude_unsolved(problem, options, energy, found)
    return Answer(
        status=status,
        message=message,
        solution=solution,
        exact_energy=None if solution is None else problem.energy(solution),
        optimal=None if solution is None or problem.goal is None else found.proven or is_unbeatable(problem, solution),
        presolve=energy.presolve,
        details=AnnealReport(found, energy.qubo.num_variables),
        chart=Energies(
            "energy of the Qubo",
            tuple(plotted(as_written(level)) for level, _ in found.energies),
            tuple(times for _, times in found.energies),
            tuple(solution is not None and level == found.energy for level, _ in found.energies),
            unit="reads",
        ),
    )


@dataclass(frozen=True)
class AnnealReport:
    """The report of classical samplers beside their answer; ``variables`` counts those of the Qubo they ran on."""

    outcome: AnnealOutcome
    variables: int

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = self.outcome
        return {
            "anneal": {
                "sampler": found.sampler,
                "variables": self.variables,
                "reads": found.reads,
                "sweeps": found.sweeps,
                "hits": found.hits,
                "refused": found.refused,
                "least_energy": as_number(as_written(found.best)),
                "proven": found.proven,
            }
        }


def check_samplers(problem: Problem, options: AnnealOptions) -> None:
    """Refuse what the form, the Qubo or the sampler has no use for; raises as `refuse_idle`."""
    if options.formulation == "published":
        refuse_idle(options, AS_PRINTED, "encoding", "penalty")
    if problem.qubo is not None:
        refuse_idle(
            options, "a Qubo is taken as it is", "encoding", *(() if problem.model.constraints else ("penalty",))
        )
    if options.sampler == "exact":
        refuse_idle(
            options, "sampler='exact' lists every state", "sweeps", *(() if problem.goal is None else ("reads",))
        )


def prepare_energy(problem: Problem, options: AnnealOptions) -> Energy:
    """The problem as an energy for samplers; raises as `solve_annealing`."""
    if options.formulation == "published":
        return _find_published(problem, options)
    setting: PresolveSetting = "propagate" if options.presolve == "auto" else options.presolve
    own = problem.qubo
    if own is not None and not problem.model.constraints:
        return Energy(own, own.decode, None, None, "none", True)
    smaller, recovery = presolve(problem.model, setting)
    space = qubo_space(smaller, options.encoding if own is None else "auto")
    made = formulate_model(smaller, space, penalties=options.penalty, quadratic=True)
    qubo = made.qubo if own is None else add_objective(made, own, options.penalty is None)[0]
    ground = made.ground if problem.goal is None and made.proved else None
    return Energy(qubo, decode_with(qubo, smaller), recovery.recover, ground, setting, made.proved)


def decode_with(qubo: Qubo, model: Model) -> Callable[[Bits], dict[str, int] | None]:
    """From a state of the Qubo to values of a presolved model's variables; None if it breaks the model."""

    def decode(bits: Bits) -> dict[str, int] | None:
        values = qubo.decode(bits)
        if values is None:
            return None
        known = {name: values[name] for name in model.domains}
        return known if model.check(known) else None

    return decode


def _find_published(problem: Problem, options: AnnealOptions) -> Energy:
    found = problem.published_qubo()
    setting: PresolveSetting = "none" if options.presolve == "auto" else options.presolve
    if setting != "none":
        smaller, recovery = presolve(problem.model, setting)
        fixed = {step.name: (step.constant,) for step in recovery.steps if isinstance(step, Fixed)}
        found = found.narrow({**problem.model.domains, **fixed, **smaller.domains})
    # Where the formula leaves rules out, more states have its least energy than there are solutions.
    return Energy(found.qubo, found.decode, None, found.ground, setting, False)


def _solved_message(problem: Problem, found: AnnealOutcome, solution: dict[str, int]) -> str:
    energy = problem.energy(solution)
    if energy is None:
        return problem.accepted
    what = f"{problem.goal_name} {as_number(energy)}"
    if found.proven:
        return f"{what}: nothing better exists (every state was listed)"
    if is_unbeatable(problem, solution):
        return f"{what}: nothing better exists ({UNBEATABLE})"
    return f"{what}: the best of {found.reads} reads, reached by {found.hits}; nothing says that there is none better"


def _conclude_unsolved(
    problem: Problem, options: AnnealOptions, energy: Energy, found: AnnealOutcome
) -> tuple[Status, str]:
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
        mend = (
            "leave out formulation='published'"
            if options.formulation == "published"
            else "raise penalty, or leave it out"
        )
        return "unsolved", f"the lowest of {found.reads} reads breaks a rule: {mend}"
    if found.proven:
        return "infeasible", f"no state is a solution, not even the lowest: every one of {found.reads} was listed"
    return "unsolved", f"the lowest of {found.reads} reads breaks a rule: raise reads or sweeps"


def report_samples(options: AnnealOptions, answer: Answer) -> Report:
    """Report the Qubo that the samplers ran on, and how often they reached the least energy."""
    if not isinstance(answer.details, AnnealReport):
        return Report(())
    found = answer.details.outcome
    what = "states listed" if found.proven else f"reads of {found.sweeps} sweeps"
    refused = f", {found.refused} states refused by the rules" if found.refused else ""
    return Report(
        (
            f"anneal, {found.sampler}, {answer.details.variables} variables, formulation {options.formulation}, "
            f"presolve {answer.presolve}, seed {options.seed}",
            f"{found.reads} {what}: {found.hits} at the least energy, {as_number(as_written(found.best))}{refused}",
        )
    )


PIPELINE = Pipeline(
    "anneal", AnnealOptions, report=report_samples, run=solve_annealing, check=check_samplers, prepare=prepare_energy
)

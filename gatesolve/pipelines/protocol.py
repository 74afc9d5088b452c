"""The interface of every pipeline; ``pipelines/registry.py`` finds them by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Generic

from gatesolve.circuit.counting import Resources
from gatesolve.errors import InfeasibleError, InputError
from gatesolve.formats.problem import Problem
from gatesolve.model.reference import MOST_SOLVED
from gatesolve.oracle.recipe import Recipe
from gatesolve.pipelines.answer import Answer, Compiled, KeptFile, Taken, infeasible_answer
from gatesolve.pipelines.device import Bench, NextCircuits, Round
from gatesolve.planning import Clock, Layout, TooLarge, choose
from gatesolve.programs.section import describe_size
from gatesolve.simulate.certificate import Certificate


@dataclass(frozen=True)
class Report:
    """The report of a run beside its answer: how it was searched and what it took, and remarks below the table.

    The resources are counts for that table, by the name of the circuit.
    """

    lines: tuple[str, ...]
    resources: Mapping[str, Resources] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spent:
    """The effort of a run that is one of many.

    Attributes:
        cx: of all circuits run; oracle calls, or shots, times one iteration, or all layers.
        sections: how often each section of the circuit was run in all.
        miss_probability: at most the probability that there is a solution and the run did not find it.
        proves: whether nothing better than its answer, or than its threshold, exists.
    """

    cx: int
    sections: Mapping[str, int]
    miss_probability: float
    proves: bool = False


@dataclass(frozen=True)
class Pipeline(Generic[Taken]):
    """A way to search.

    One with a circuit has ``recipe``, ``compile`` and ``search``; one without has ``run``.

    Attributes:
        name: as users choose it.
        options: the options that it takes.
        report: describes a run.
        recipe: names what it needs built on a space.
        compile: makes the certified circuit of a layout without running it.
        search: compiles what it needs and runs it; None for ``kept`` where the search keeps nothing of itself.
        run: solves a problem without a circuit.
        check: refuses options of its own that would have no effect on a problem.
        prepare: does what comes before ``run`` and costs little, to see whether it would be refused.
        minimises: whether it searches for what is best; else for any solution, so constraints are needed.
        has_one_oracle: whether it amplifies what one oracle of the constraints marks, known before the circuit runs.
        is_sampled: whether all shots of its one circuit are samples, not only the best of them.
        resumes: whether it keeps itself between runs, where that is asked for.
        divides_goals: whether it searches parts for what is better than the best found.
        account: what a run took, for a problem that is searched in parts; None where none is.
        send: the next circuits of a search on a device; None where nothing can be sent.
        measure: given iterations, shots and seed, how many shots the rules accept; None without iterations.
    """

    name: str
    options: type[Taken]
    report: Callable[[Taken, Answer], Report]
    recipe: Callable[[Problem, Taken], Recipe] | None = None
    compile: Callable[[Problem, Layout, Taken, Clock], Compiled] | None = None
    search: Callable[[Problem, Layout, Taken, Clock, KeptFile | None], Answer] | None = None
    run: Callable[[Problem, Taken, Clock], Answer] | None = None
    check: Callable[[Problem, Taken], None] = lambda problem, options: None
    prepare: Callable[[Problem, Taken], Any] | None = None
    minimises: bool = True
    has_one_oracle: bool = False
    is_sampled: bool = False
    resumes: bool = False
    divides_goals: bool = False
    account: Callable[[Taken, Answer], Spent] | None = None
    send: Callable[[Problem, Layout, Taken, Clock, Bench, Sequence[Round]], NextCircuits] | None = None
    measure: Callable[[Compiled, Taken, int, int, int], int] | None = None

    def take(self, options: Any) -> Taken:
        """Return its own options out of all."""
        return self.options(**{one.name: getattr(options, one.name) for one in fields(self.options)})

    def divides(self, problem: Problem, options: Any) -> bool:
        """Whether a problem of which no space fits is searched in parts."""
        # OR-Tools, which bounds the parts of an objective, takes no larger numbers.
        is_bounded = self.divides_goals and problem.goal_reach <= MOST_SOLVED
        if self.account is None or not (problem.goal is None or is_bounded):
            return False
        # A Qubo has no constraints to deduce from, and no other presolve than ``none``.
        deduces = options.presolve == "auto" or problem.qubo is not None
        return deduces and options.backend == "space" and options.ceiling != "classical"

    def plan(
        self, problem: Problem, options: Any, clock: Clock, *, is_simulated: bool = True, on_device: bool = False
    ) -> Layout | TooLarge:
        """Choose presolve, space and oracle for a problem; `CircuitOptions.limits` has the arguments."""
        assert self.recipe is not None
        recipe, divides = self.recipe(problem, options), self.divides(problem, options)
        limits = options.limits(divides=divides, is_simulated=is_simulated, on_device=on_device)
        return choose(problem.model, recipe, limits, clock)

    def refuse_resume(self) -> InputError:
        """Return the error for a single search of a pipeline that keeps nothing of it."""
        return InputError(
            f"pipeline='{self.name}' keeps nothing of a single search: use pipeline='gas', or leave out resume"
        )

    def plan_and_search(
        self, problem: Problem, options: Any, clock: Clock, resume: Path | None = None
    ) -> Answer | TooLarge:
        """Plan one search and run it; that there is no solution is an answer too.

        Where it fits, the search keeps itself in ``resume``; raises as `refuse_resume` where such searches do not.
        """
        try:
            if self.run is not None:
                return self.run(problem, options, clock)
            assert self.search is not None
            layout = self.plan(problem, options, clock)
            if isinstance(layout, TooLarge):
                return layout
            # Only now: a problem that does not fit may be divided, and a search in parts can be resumed.
            if resume is not None and not self.resumes:
                raise self.refuse_resume()
            return self.search(problem, layout, options, clock, None if resume is None else KeptFile(resume))
        # Presolve or a certificate may prove this at any stage, so it is caught around all of them.
        except InfeasibleError as error:
            return infeasible_answer(error, options)


def describe_iterations(number: int) -> str:
    """Format a number of iterations: ``1 iteration``, ``2 iterations``, ``about 2^95.0 iterations``."""
    return f"{describe_size(number)} iteration{'' if number == 1 else 's'}"


def describe_settings(**settings: object) -> str:
    """Format settings: ``level: merged, presolve: none``."""
    return ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in settings.items())


def describe_certificate(certificate: Certificate) -> str:
    """Describe a certificate in a sentence of two lines."""
    # `check_lowered` draws the sample and adds solutions to it.
    drawn = "random states" if certificate.marked == 0 else "random states and solutions"
    lowered = f"its gates were simulated on {certificate.lowered} of them: {drawn}"
    if not certificate.lowered:
        lowered = "its gates were not simulated, because they reach too many states at once"
    states = f"all {describe_size(certificate.of)} states"
    if certificate.checked < certificate.of:
        states = f"{certificate.checked} of {describe_size(certificate.of)} states ({certificate.method})"
    return f"checked: on {states}, the oracle marks what the model accepts\nand resets its ancillas; {lowered}"

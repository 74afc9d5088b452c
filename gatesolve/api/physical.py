"""The fault-tolerant estimate of a whole search, also of one too large to simulate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Unpack

from gatesolve.api.calls import compile_problem, settle_options
from gatesolve.api.options import OptionFields, Options, check_names, shows_options
from gatesolve.api.shown_progress import shown_progress
from gatesolve.costs.estimate import Estimate, LogicalCounts
from gatesolve.costs.physical import BUDGET, MachineName, cheapest_machine, check_budget, check_models, load_estimator
from gatesolve.costs.physical_counts import MOST_LOWERED, count_iteration, count_logical, num_ands
from gatesolve.encodings import Space, encoding_label
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.formats.problem import Problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.gate_sets import Metric
from gatesolve.oracle import Oracle
from gatesolve.oracle.recipe import Recipe
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.certify import certify_sample, check_lowered, draw_sample, settle_solutions
from gatesolve.pipelines.options import SPACE_LIMIT
from gatesolve.pipelines.registry import find_pipeline, name_pipelines
from gatesolve.planning import SETTINGS, Clock, Layout, Price, Progress, Rung, TooLarge, climb_settings, find_cheapest
from gatesolve.planning.choose import WORTH_TRYING
from gatesolve.programs.amplification import best_iterations, grover_program, ideal_success
from gatesolve.programs.program import Program, change_search, lower_part
from gatesolve.programs.provenance import Provenance
from gatesolve.programs.reflection import find_mirror


@dataclass(frozen=True)
class PhysicalReport:
    """The estimate of a whole search on error-corrected machines, the cheapest one for each qubit model.

    Attributes:
        compiled: the circuit of the whole search; if it was not enumerated, a sample is certified, and one solution is
            assumed.
        success_probability: of one run without errors.
        budget: probability that errors spoil a run.
        counts: counts of the whole run, by the way in which gates are counted.
        notes: conditions of the numbers.
    """

    compiled: Compiled
    success_probability: float
    budget: float
    counts: Mapping[str, LogicalCounts]
    estimates: tuple[Estimate, ...]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return everything by name, for JSON."""
        return {
            "encoding": self.compiled.encoding,
            "presolve": self.compiled.presolve,
            "level": self.compiled.level,
            "space_size": self.compiled.program.space.size,
            "marked": self.compiled.certificate.marked,
            "iterations": self.compiled.oracle_calls,
            "success_probability": self.success_probability,
            "budget": self.budget,
            "checked": self.compiled.certificate.checked,
            "counts": {way: asdict(counts) for way, counts in self.counts.items()},
            "physical": [asdict(estimate) for estimate in self.estimates],
            "notes": list(self.notes),
        }


@shows_options
def estimate(
    problem: Source,
    *,
    machines: Sequence[MachineName] = (),
    budget: float = BUDGET,
    family: str | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[OptionFields],
) -> PhysicalReport:
    """Estimate the error-corrected machines that run a problem's whole search: qubits, distance, time.

    CX gates cost nothing there, so the metric ``cx`` is replaced by ``t``. A space of up to 2^24 codewords is compiled,
    certified and counted as usual. For a larger one only a sample is checked, and one solution is assumed. The presolve
    setting ``auto`` tries ``none`` and ``propagate``. Needs ``pip install ".[estimate]"`` in the checkout.

    Args:
        problem: as for `gatesolve.compile`.
        machines: names of qubit models; all published ones if none is named.
        budget: probability that errors spoil a run.
        family: puzzle family of a file; None detects it from the text.
        progress: None for a bar, True for lines in a log too, False for neither, or a function (stage, done, total).
        **options: fields of `Options`.

    Returns:
        ``.counts`` of the logical operations and ``.estimates``, the cheapest machine for each qubit model.

    Raises:
        InputError: bad input, or an option that does not apply to an estimate.
        UnsupportedError: a pipeline other than ``grover``, or the estimator is not installed.
        InfeasibleError: proven to have no solution.
        DoesNotFitError: nothing is left to search, or no oracle can be built.
    """
    check_names(options, ("machines", "budget", "family", "progress"))
    chosen, models, budget = Options(**options), check_models(machines), check_budget(budget)
    source = as_problem(problem, family)
    chosen = settle_options(chosen, source, options)
    if not find_pipeline(chosen.pipeline).has_one_oracle:
        mend = name_pipelines(lambda one: one.has_one_oracle)
        raise UnsupportedError(f"machines are estimated for {mend}, not {chosen.pipeline}")
    if chosen.schedule == "unknown":
        raise InputError("machines are estimated for one run of known length: leave out schedule='unknown'")
    # A missing estimator is refused before any work is done.
    load_estimator()
    with shown_progress(progress) as told:
        clock = Clock(told)
        compiled, marked = compile_whole(source, chosen, clock)
        program = compiled.program
        with clock.stage("count"):
            counts = count_logical(program, program.iterations)
            estimates = tuple(cheapest_machine(counts, name, budget) for name in models)
    # An unknown number of solutions counts as one, the hardest case.
    success = 1.0 if chosen.exact else ideal_success(program, 1 if marked is None else marked)
    several = ("one search for any solution; the best one takes several",) if source.model.objective else ()
    return PhysicalReport(compiled, success, budget, counts, estimates, (*compiled.notes, *several))


def compile_whole(problem: Problem, options: Options, clock: Clock) -> tuple[Compiled, int | None]:
    """Return the circuit of the whole search, and its number of solutions if known.

    The presolve setting is the first whose space can be simulated, or else the last.
    """
    options = replace(options, optimize="t" if options.optimize == "cx" else options.optimize, gates="clifford+t")
    settings = SETTINGS[:2] if options.presolve == "auto" else SETTINGS
    pipeline = find_pipeline(options.pipeline)
    own = pipeline.take(options)
    for rung in climb_settings(problem.model, own.limits(), clock, settings):
        if not rung.model.variables:
            raise _nothing_left(rung.setting)
        if rung.fitting:
            # Only the planning ladder has other settings.
            assert rung.setting in SETTINGS
            compiled = compile_problem(problem, replace(options, presolve=rung.setting), clock)
            if compiled.program.num_qubits == 0:
                raise _nothing_left(rung.setting)
            return compiled, compiled.certificate.marked
    return _compile_large(problem, rung, pipeline.recipe(problem, own), own, clock)


def _nothing_left(setting: str) -> DoesNotFitError:
    bare = setting == "none"
    nothing = "there is nothing to search" if bare else f"nothing is left to search after presolve {setting}"
    mend = "gatesolve solve gives the answer" if bare else "use presolve='none'"
    return DoesNotFitError(f"{nothing}, so there is no circuit to estimate: {mend}")


def _compile_large(
    problem: Problem, rung: Rung, recipe: Recipe, options: Any, clock: Clock
) -> tuple[Compiled, int | None]:
    for name, what in (("exact", "the number of solutions is counted"), ("early_check", "early checks are estimated")):
        if getattr(options, name):
            raise DoesNotFitError(f"does not fit: {what} up to {SPACE_LIMIT} codewords: leave out {name}")
    model, limits, recipe = rung.model, options.limits(), recipe.settle(rung.model)
    price = LogicalPrice(options.ancillas, options.optimize)
    with clock.stage("oracle") as report:
        found = find_cheapest(model, rung.spaces, recipe, limits, price, report, WORTH_TRYING)
    if isinstance(found, TooLarge):
        raise found.error()
    space, oracle, _ = found
    program = price.one_iteration(space, oracle)
    sample, drawn = draw_sample(model, space, options.seed)
    certificate, check, marks = certify_sample(sample, model.holds, oracle, options.seed, clock)
    # The lowered form of a larger oracle takes too long to check; its certificate then counts 0 compared codewords.
    compared = 0
    if num_ands(program) <= MOST_LOWERED:
        lowered = lower_part(program.with_lowering(measured=True), "oracle")
        compared = check_lowered(check, lowered, marks, options.seed)
    solutions, note = settle_solutions(model, space, options.solutions, options.count_solutions)
    calls = best_iterations(space.size, solutions or 1) if options.iterations is None else options.iterations
    level, beyond = recipe.find_level(model, space, oracle)
    made = Provenance(rung.setting, encoding_label(space), level, options.ancillas, (note, drawn, *beyond))
    certificate = replace(certificate, lowered=compared)
    program = change_search(program.with_iterations(calls), provenance=made)
    return Compiled(problem, Layout(model, rung.recovery, space, oracle, made), program, certificate, None), solutions


@dataclass(frozen=True)
class LogicalPrice(Price):
    """The price of a whole search in logical operations of an error-corrected machine."""

    ancillas: int | None
    metric: Metric

    def bound(self, space: Space) -> tuple[float, ...]:
        """Return a lower bound: one AND of three operations for each root of the reflection."""
        # The square root of the states is proportional to the iterations, whose constant factor all candidates share.
        return (3 * math.sqrt(space.size) * len(find_mirror(space, self.metric).roots),)

    def cost(self, space: Space, oracle: Oracle) -> tuple[float, ...]:
        """Return the operations, with about thirty T for each layer of rotations."""
        counts = count_iteration(self.one_iteration(space, oracle))
        return (math.sqrt(space.size) * (counts.cycles + counts.rotations + 30 * counts.rotation_depth),)

    def one_iteration(self, space: Space, oracle: Oracle) -> Program:
        """Return the search with one iteration, and as many ancillas for the reflection as reduce T."""
        spare, metric = len(space.roots), self.metric
        return grover_program(space, oracle, 1, ancillas=self.ancillas, gates="clifford+t", metric=metric, spare=spare)

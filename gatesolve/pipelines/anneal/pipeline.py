"""The pipeline ``anneal``, which has no circuit, and what people are told of its runs."""

from __future__ import annotations

from gatesolve.pipelines.anneal.options import AnnealOptions
from gatesolve.pipelines.anneal.run import AnnealReport, check_samplers, prepare_energy, solve_annealing
from gatesolve.pipelines.answer import Answer, as_number
from gatesolve.pipelines.protocol import Pipeline, Report
from gatesolve.qubo.numerals import as_written


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

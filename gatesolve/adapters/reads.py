"""Reads of a search, as samplers of other tools count them, with the report of their searches."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

from gatesolve.api import find_pipeline
from gatesolve.api.calls import solve
from gatesolve.api.options import FIELDS, PipelineName
from gatesolve.api.result import Result
from gatesolve.errors import InputError
from gatesolve.formats.sources import Source

MOST_SEEDS = 1 << 31
"""Upper limit of seeds, exclusive."""
MOST_SEARCHES = 10_000
"""Most reads if each is a whole search."""
Sample = tuple[dict[Any, int], int]
"""Values by the user's own labels, and the number of their occurrences."""


@dataclass(frozen=True)
class Reads:
    """Samples in order of appearance, of which equal ones may repeat, and the results of the searches behind them."""

    samples: tuple[Sample, ...]
    results: tuple[Result, ...]

    @property
    def info(self) -> dict[str, Any]:
        """Return the totals of all searches, and the report of each as in `Result.as_dict`."""
        searches = [result.as_dict() for result in self.results]
        return {
            "oracle_calls": sum(result.oracle_calls or 0 for result in self.results),
            "qubits": max((one["resources"]["qubits"] for one in searches if one["resources"]), default=0),
            "searches": searches,
        }


def make_reads(problem: Source, pipeline: PipelineName, num_reads: int | None, options: dict[str, Any]) -> Reads:
    """Sample a problem.

    Args:
        problem: as for `solve`.
        pipeline: all measurements are reads if it measures a circuit many times; any other one is run once a read, with
            consecutive seeds, and each answer is a read.
        num_reads: number of reads; None for the pipeline's default, which is 1 for one run a read.
        options: fields of `Options`.

    Raises:
        InputError: fewer than one read, or too many; or as `solve`.
    """
    # "auto" is chosen only inside `solve`, so it counts as one search a read.
    is_sampled = pipeline != "auto" and find_pipeline(pipeline).is_sampled
    most = FIELDS["shots"].metadata["spec"].most if is_sampled else MOST_SEARCHES
    is_whole = isinstance(num_reads, Integral | None) and not isinstance(num_reads, bool)
    if not is_whole or not 1 <= (1 if num_reads is None else num_reads) <= most:
        raise InputError(f"num_reads is {num_reads!r:.60}: give a whole number from 1 to {most:.0f}")
    if is_sampled:
        shots: dict[str, Any] = {} if num_reads is None else {"shots": int(num_reads)}
        result = solve(problem, pipeline=pipeline, **options, **shots)
        return Reads(tuple(_list_measured(result)), (result,))
    results = [solve(problem, pipeline=pipeline, **options)]
    first = results[0].options.seed
    for k in range(1, num_reads or 1):
        # The seed that the first search used, which may be a default, is continued.
        results.append(solve(problem, pipeline=pipeline, **{**options, "seed": (first + k) % MOST_SEEDS}))
    found = ((result.solution, 1) for result in results if result.solution is not None)
    return Reads(tuple(found), tuple(results))


def _list_measured(result: Result) -> list[Sample]:
    """Return all measurements of a QAOA, even those that break a constraint, if presolve can complete their values."""
    found = list[Sample]()
    for outcome in getattr(result.details, "outcomes", ()):
        assert result.compiled is not None
        try:
            values = result.problem.restore(result.compiled.recovery.recover(outcome.values))
        # The values break a constraint that presolve has used up.
        except InputError:
            continue
        if values is not None:
            found.append((values, outcome.shots))
    return found


def parameters_of(pipeline: str) -> list[str]:
    """Return the names of the parameters that `make_reads` takes for a pipeline."""
    return ["num_reads", *(name for name in find_pipeline(pipeline).options.__dataclass_fields__ if name != "shots")]

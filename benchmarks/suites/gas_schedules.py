"""Oracle calls of adaptive searches in spaces whose costs all differ, beside the rule of 9 sqrt(M) calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.suites.gas_cases import Histogram
from benchmarks.suites.gas_walks import our_walk
from gatesolve.pipelines.gas.schedule import count_calls, make_schedule, proof_runs
from gatesolve.pipelines.gas.state import Settings

SIZES = tuple(1 << bits for bits in (4, 8, 12, 14, 17, 20))
SEARCHES = 300
SPANS = 10
"""Spans of 9 sqrt(M) calls without a find until the chance of a miss is below 1/1000."""
HEADER = ["M", "runs", "calls of all runs", "chance of a miss at most", "ten spans of 9 sqrt(M)", "times as many",
          "calls until the optimum (mean)", "missed"]  # fmt: skip


def lines(note: Callable[[str], None], sizes: Sequence[int] = SIZES, searches: int = SEARCHES) -> list[list[object]]:
    """One line a size under `HEADER`."""
    found: list[list[object]] = []
    for size in sizes:
        runs = proof_runs(size)
        calls, rule = count_calls(runs), SPANS * math.ceil(9 * math.sqrt(size))
        missed = make_schedule(size).bound_miss_after(runs)
        histogram = Histogram.of(np.arange(size))
        walks = [our_walk(histogram, Settings("schedule", size, seed)) for seed in range(searches)]
        done = [sum(iterations + 1 for _, iterations in walk) for walk in walks if walk]
        found.append([size, len(runs), calls, f"{missed:.6f}", rule, f"{rule / calls:.1f}", round(float(np.mean(done))),
                      f"{len(walks) - len(done)} of {len(walks)}"])  # fmt: skip
        note(f"M = {size}: {searches} searches drawn")
    return found

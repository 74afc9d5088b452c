"""Good QAOA angles of small random instances; `benchmarks/qaoa_transfer.py` makes the numbers again."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

RAMPS: tuple[tuple[float, ...], tuple[float, ...]] = ((0.7, 1.0, 1.4), (0.5, 0.7, 0.9))
"""Candidates for the ends of the linear ramp: of gamma, in one over the spread, and of beta, in units of the mixer."""
SCALES: tuple[tuple[float, ...], tuple[float, ...]] = ((0.75, 1.0, 1.3), (0.85, 1.0, 1.15))
"""Factors tried on transferred angles: of all gammas, and of all betas."""


@cache
def load_best() -> dict[str, dict[int, tuple[list[float], list[float]]]]:
    """By kind of mixer and number of layers: the gammas and the betas of a schedule, without units."""
    kinds = json.loads(files("gatesolve.pipelines.qaoa").joinpath("table.json").read_text(encoding="utf-8"))
    return {kind: {int(layers): (*sides,) for layers, sides in found.items()} for kind, found in kinds.items()}

"""Requests to a pipeline, made from the options, and whether a problem may be divided for it."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Any

from gatesolve.api.choose_space import choose_space
from gatesolve.api.ladder import Way
from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.api.registry import find_pipeline, options_taken
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.task import Kept, Request


def make_request(
    problem: Problem,
    options: Options,
    clock: Clock,
    kept: Kept | None = None,
    is_run: bool = True,
    on_device: bool = False,
) -> Request[Any]:
    """Return a pipeline's request: its own options, and how presolve and space are chosen."""
    way = Way(options.backend == "space" and not on_device, is_dividable(problem, options), options.search_refuted)
    taken = options_taken(options.pipeline)
    own = taken(**{one.name: getattr(options, one.name) for one in fields(taken)})
    return Request(problem, own, clock, partial(choose_space, options, clock, way), kept, is_run)


def is_dividable(problem: Problem, options: Options) -> bool:
    """Whether a run goes on in parts where the whole problem is too large."""
    pipeline, asked = find_pipeline(options.pipeline), (options.presolve, options.backend, options.oracle)
    return asked == ("auto", "space", "constraints") and problem.goal is None and pipeline.account is not None

"""Help shows what every pipeline has, and what the one that is named has besides."""

from __future__ import annotations

import re

import pytest

from gatesolve.api.options import FIELDS, pipelines_of
from gatesolve.api.registry import PIPELINES


def list_options(shown: str) -> set[str]:
    return set(re.findall(r"^│[ *]*(--[\w-]+)", shown, re.MULTILINE))


def flags_of(pipeline: str | None) -> set[str]:
    least = len(PIPELINES)
    names = [name for name in FIELDS if pipeline in pipelines_of(name) or len(pipelines_of(name)) == least]
    return {f"--{name.replace('_', '-')}" for name in names}


@pytest.mark.parametrize("pipeline", [None, *PIPELINES])
def test_each_option_is_in_the_help_of_its_pipelines_and_no_other(gatesolve, pipeline):
    words = ("solve", "--help") if pipeline is None else ("solve", "--pipeline", pipeline, "-h")
    run = gatesolve(*words)
    every = {f"--{name.replace('_', '-')}" for name in FIELDS}
    assert (run.status, run.err) == (0, "")
    assert list_options(run.out) & every == flags_of(pipeline)


def test_the_short_help_says_where_the_rest_is(gatesolve):
    shown = gatesolve("solve", "--help").out
    for pipeline in PIPELINES:
        _, _, said = " ".join(shown.split()).partition(f"gatesolve solve --pipeline {pipeline} --help: ")
        assert set(said.partition(" gatesolve")[0].strip().split(", ")) == flags_of(pipeline) - flags_of(None)
    assert "--pipeline" not in gatesolve("jobs", "--help").out
    assert "--help:" not in gatesolve("solve", "--pipeline", "gas", "--help").out
    assert list_options(gatesolve("solve", "--pipeline", "none", "--help").out) == list_options(shown)

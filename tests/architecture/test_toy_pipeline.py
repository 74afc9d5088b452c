"""A pipeline is added by its package and its line in the registry; nothing else in `gatesolve` knows its name."""

import json
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

import pytest

import gatesolve
from gatesolve.api import options as api_options
from gatesolve.api import registry
from gatesolve.cli.report import result_report
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import Model, NotEqual, Variable
from gatesolve.pipelines.judge import judge_candidates, make_judge
from gatesolve.pipelines.options import SpaceOptions
from gatesolve.pipelines.protocol import Pipeline, Report
from gatesolve.pipelines.task import Answer

UNEQUAL = Model((Variable("a", (0, 1)), Variable("b", (0, 1))), (NotEqual("a", "b"),))


@dataclass(frozen=True)
class Looked:
    """What this pipeline reports."""

    looked_at: int

    def as_dict(self):
        return {"listing": {"looked_at": self.looked_at}}


def run(request):
    """Shows every assignment of two bits to the judge."""
    with request.clock.stage("list"):
        candidates = [({"a": n & 1, "b": n >> 1}, 1) for n in range(4)]
        verdict = judge_candidates(make_judge(request.task, None), candidates)
    return Answer(
        status="infeasible" if verdict.solution is None else "solved",
        message=request.task.accepted,
        solution=verdict.solution,
        presolve="none",
        details=Looked(len(candidates)),
    )


def report(options, answer):
    return Report((f"listing, seed {options.seed}: {answer.details.looked_at} assignments",))


@pytest.fixture
def listing(monkeypatch):
    """The package, its line in the registry, and its name among those that `Options` takes."""
    package = ModuleType("gatesolve.pipelines.listing.pipeline")
    package.PIPELINE = Pipeline("listing", SpaceOptions, run, report)
    monkeypatch.setitem(sys.modules, "gatesolve.pipelines.listing", ModuleType("gatesolve.pipelines.listing"))
    monkeypatch.setitem(sys.modules, "gatesolve.pipelines.listing.pipeline", package)
    monkeypatch.setitem(registry.PIPELINES, "listing", SpaceOptions)
    named = Literal["auto", *registry.PIPELINES]
    monkeypatch.setattr(api_options.FIELDS["pipeline"], "type", named)


def test_it_solves_and_reports(listing):
    result = gatesolve.solve(UNEQUAL, pipeline="listing", seed=3)
    assert (result.status, result.solution) == ("solved", {"a": 1, "b": 0})
    assert result.program is result.compiled is result.resources is result.marked is None
    assert list(result.seconds) == ["read", "list"]
    assert result.report() == Report(("listing, seed 3: 4 assignments",))
    shown = json.loads(json.dumps(result.as_dict()))
    assert (shown["pipeline"], shown["listing"]) == ("listing", {"looked_at": 4})
    assert result_report(result) is not None


def test_options_of_others_are_refused_and_it_has_no_circuit(listing):
    takers = " or ".join(f"'{name}'" for name in api_options.pipelines_of("shots"))
    with pytest.raises(InputError, match=f"^shots=5 belongs to pipeline={takers}: leave out shots"):
        gatesolve.solve(UNEQUAL, pipeline="listing", shots=5)
    with pytest.raises(UnsupportedError, match="has no circuit"):
        gatesolve.compile(UNEQUAL, pipeline="listing")
    with pytest.raises(InputError, match="resume"):
        gatesolve.solve(UNEQUAL, pipeline="listing", resume="kept.json")


def test_without_its_line_it_is_unknown():
    with pytest.raises(InputError, match=r"^unknown pipeline 'listing': choose one of auto, grover, "):
        gatesolve.solve(UNEQUAL, pipeline="listing")

"""A refusal names what works on the very problem that was refused, and nothing that does not."""

import pytest

import gatesolve
from gatesolve import DoesNotFitError, Model, Variable
from gatesolve.model import NotEqual

WORKS = "; pipeline='anneal' takes it"
NAMES = tuple(f"x{k}" for k in range(30))
WIDE = Model(tuple(Variable(n, (0, 1)) for n in NAMES), tuple(map(NotEqual, NAMES, NAMES[1:])))


@pytest.mark.parametrize("pipeline", ["grover", "gas", "qaoa"])
@pytest.mark.parametrize("call", [gatesolve.solve, gatesolve.compile])
def test_what_is_named_works(call, pipeline):
    with pytest.raises(DoesNotFitError, match=r"^does not fit: ") as caught:
        call(WIDE, pipeline=pipeline, presolve="none", encoding="binary")
    assert str(caught.value).endswith(WORKS)
    assert gatesolve.solve(WIDE, pipeline="anneal").status == "solved"


def test_what_does_not_work_is_not_named(monkeypatch):
    monkeypatch.setattr("gatesolve.pipelines.anneal.run.formulate_model", _refused)
    with pytest.raises(DoesNotFitError, match=r"^does not fit: ") as caught:
        gatesolve.solve(WIDE, presolve="none", encoding="binary")
    assert "anneal" not in str(caught.value)


def _refused(*_, **__):
    raise DoesNotFitError("a constraint has too many tuples for a penalty")

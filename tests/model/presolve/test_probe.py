"""Probing keeps every solution, and deduces at least what propagation does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from strategies import models

from gatesolve.errors import InfeasibleError
from gatesolve.model import Linear, Model, Variable, apply_events, find_solutions, probe, stop_after, try_to_refute
from gatesolve.model.presolve import presolve


@pytest.mark.more_examples(100)
@settings(max_examples=40)
@given(models(max_variables=5, max_constraints=5))
def test_probing_keeps_the_solutions(model: Model) -> None:
    expected = sorted(tuple(one.values()) for one in find_solutions(model))
    try:
        events = list(probe(model))
        smaller, recovery = stop_after(model, events)
    except InfeasibleError:
        assert expected == []
        return
    assert sorted(tuple(recovery.recover(one).values()) for one in find_solutions(smaller)) == expected
    left = apply_events(model.domains, events)
    propagated = {v.name: set(v.domain) for v in presolve(model, "propagate")[0].variables}
    assert all(set(left[name]) <= values for name, values in propagated.items())


def test_what_propagation_does_not_see_a_probe_refutes() -> None:
    # x + y, y + z and x + z are each 1 for 0/1 variables: every value of x is refuted, none of them at once.
    names = ("x", "y", "z")
    sums = tuple(Linear(((1, a), (1, b)), "==", 1) for a, b in (("x", "y"), ("y", "z"), ("x", "z")))
    model = Model(tuple(Variable(name, (0, 1)) for name in names), sums)
    assert len(presolve(model, "propagate")[0].variables) == 3
    with pytest.raises(InfeasibleError):
        list(probe(model))
    assert try_to_refute(model) == (True, 1)
    assert try_to_refute(Model(model.variables, sums[:2])) == (False, 6)


def test_probing_ends_after_so_many_values(monkeypatch) -> None:
    monkeypatch.setattr("gatesolve.model.presolve.probe.MOST_PROBES", 0)
    variables = (Variable("a", (0, 1)), Variable("b", (0, 1)))
    assert list(probe(Model(variables, (Linear(((1, "a"), (1, "b")), "==", 1),)))) == []

"""Propagation event by event: every first part of the deductions keeps every solution."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.encodings import make_spaces
from gatesolve.errors import InfeasibleError
from gatesolve.model import AllDifferent, Event, Model, Variable, deduce, find_solutions, propagate, stop_after


def deductions(model: Model) -> list[Event]:
    """All of them, or those before the one that refutes the model."""
    found: list[Event] = []
    with suppress(InfeasibleError):
        found.extend(deduce(model))
    return found


@settings(max_examples=60)
@given(models(), st.data())
def test_every_first_part_of_the_deductions_keeps_the_solutions(model: Model, data: st.DataObject) -> None:
    events = deductions(model)
    number = data.draw(st.integers(0, len(events)))
    try:
        smaller, recovery = stop_after(model, events[:number])
    except InfeasibleError:
        assert not find_solutions(model)
        return
    recovered = [recovery.recover(solution) for solution in find_solutions(smaller)]
    assert sorted(map(repr, recovered)) == sorted(repr(one) for one in find_solutions(model))


@settings(max_examples=40)
@given(models())
def test_all_deductions_are_those_of_propagate(model: Model) -> None:
    try:
        whole, _ = propagate(model)
    except InfeasibleError:
        return
    after, _ = stop_after(model, deduce(model))
    assert {v.name: v.domain for v in after.variables if len(v.domain) > 1} == {
        v.name: v.domain for v in whole.variables
    }


def test_a_fixed_variable_stays_while_an_all_different_needs_it() -> None:
    variables = (Variable("a", (1,)), Variable("b", (1, 2, 3)), Variable("c", (1, 2, 3)))
    model = Model(variables, (AllDifferent(("a", "b", "c")),))
    first, recovery = stop_after(model, [])
    assert [v.name for v in first.variables] == ["a", "b", "c"]
    assert {space.size for space in make_spaces(first, "one-hot")} == {9}
    assert len(find_solutions(first)) == 2
    assert recovery.steps == ()
    second, recovery = stop_after(model, deduce(model))
    assert [v.name for v in second.variables] == ["b", "c"]
    assert [step.name for step in recovery.steps] == ["a"]


def test_each_deduction_narrows_one_domain() -> None:
    model = Model(
        (Variable("a", (1,)), Variable("b", (1, 2)), Variable("c", (1, 2, 3))), (AllDifferent(("a", "b", "c")),)
    )
    domains = dict(model.domains)
    for event in deduce(model):
        assert set(event.values) < set(domains[event.name])
        domains[event.name] = event.values
    assert domains == {"a": (1,), "b": (2,), "c": (3,)}
    assert propagate(model)[0].variables == ()


def test_a_refuted_model_is_refuted_event_by_event_too() -> None:
    model = Model((Variable("a", (1,)), Variable("b", (1,))), (AllDifferent(("a", "b")),))
    with pytest.raises(InfeasibleError, match="leaves no value"):
        list(deduce(model))

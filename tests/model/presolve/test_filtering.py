"""Each filter keeps exactly the values that some satisfying tuple uses."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import constraints, models

from gatesolve.errors import InfeasibleError
from gatesolve.model import AllDifferent, Constraint, Linear, Model, Variable
from gatesolve.model.presolve.filtering import SUM_RANGE, filter_domains, filter_linear
from gatesolve.model.presolve.propagate import reach_fixpoint, restrict


def supported(constraint: Constraint, domains: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    model = Model(tuple(Variable(n, domains[n]) for n in dict.fromkeys(constraint.scope)), (constraint,))
    rows = itertools.product(*model.domains.values())
    found = [s for s in (dict(zip(model.domains, row, strict=True)) for row in rows) if model.check(s)]
    return {name: tuple(sorted({s[name] for s in found})) for name in model.domains}


@pytest.mark.more_examples(250)
@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.data())
def test_filters_are_exact(data: st.DataObject) -> None:
    model = data.draw(models(max_constraints=0))
    constraint = data.draw(constraints(model.variables))
    expected = supported(constraint, model.domains)
    kept = filter_domains(constraint, model.domains)
    if any(not values for values in expected.values()):
        assert any(not values for values in kept.values())
    else:
        assert {name: kept.get(name, model.domains[name]) for name in expected} == expected


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.frozensets(st.integers(0, 5), min_size=1), min_size=2, max_size=5))
def test_all_different_is_exact_on_tight_domains(drawn: list[frozenset[int]]) -> None:
    domains = {f"v{k}": tuple(sorted(values)) for k, values in enumerate(drawn)}
    constraint = AllDifferent(tuple(domains))
    expected = supported(constraint, domains)
    kept = filter_domains(constraint, domains)
    assert kept == expected


def test_wide_sums_are_filtered_on_bounds() -> None:
    step = SUM_RANGE
    domains = {"a": (0, step, 5 * step), "b": (0, 2 * step, 9 * step)}
    kept = filter_linear(Linear(((1, "a"), (1, "b")), "==", 3 * step), domains)
    assert kept == {"a": (0, step), "b": (0, 2 * step)}
    assert filter_linear(Linear(((1, "a"), (1, "b")), "==", -step), domains) == {"a": (), "b": ()}


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.data())
def test_restriction_keeps_the_solutions_inside_the_domains(data: st.DataObject) -> None:
    model = data.draw(models(max_constraints=0))
    constraint = data.draw(constraints(model.variables))
    try:
        domains = reach_fixpoint(model.domains, [constraint])
    except InfeasibleError:
        assume(False)
    try:
        smaller = restrict(constraint, domains)
    except InfeasibleError:
        assert not constraint.scope, "what reads a variable left it no value"
        return
    narrowed = Model(tuple(Variable(n, values) for n, values in domains.items()), (constraint,))
    for row in itertools.product(*domains.values()):
        assignment = dict(zip(domains, row, strict=True))
        after = smaller is None or Model(narrowed.variables, (smaller,)).check(assignment)
        assert after == narrowed.check(assignment)
    if smaller is not None:
        assert all(len(domains[name]) > 1 for name in smaller.scope)


def test_fixpoint_reports_the_constraint_that_fails() -> None:
    three = AllDifferent(("a", "b", "c"))
    with pytest.raises(InfeasibleError, match=r"alldifferent\(a, b, c\)"):
        reach_fixpoint(dict.fromkeys("abc", (0, 1)), [three])

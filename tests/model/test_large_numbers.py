"""Numbers near the ends of a machine word, against whole numbers of any size."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.model import (
    AllDifferent,
    Apply,
    Clause,
    Compare,
    Distinct,
    Linear,
    Lookup,
    Model,
    NoDigit,
    Not,
    NotEqual,
    Sum,
    Table,
    Truth,
    Value,
    Variable,
    Within,
    count_solutions,
    find_solutions,
    tuples_of,
)
from gatesolve.model.presolve.propagate import filter_domains
from gatesolve.model.presolve.settings import DeterminedVariable

VALUES = [-(2**62), -(2**53) - 1, -5, 0, 1, 2, 2**53, 2**53 + 1, 2**62 - 1, 2**62]
"""Values that variables take."""
MEMBERS = [*VALUES, -(2**70), -(2**63) - 1, -(2**63), 2**63 - 1, 2**63, 2**64, 2**64 + 1, 2**70]
"""Numbers that constraints name besides."""
DOMAIN = st.sets(st.sampled_from(VALUES), min_size=1, max_size=5).map(lambda found: tuple(sorted(found)))
MEMBER = st.sampled_from(MEMBERS)
MEMBER_SET = st.frozensets(MEMBER, max_size=4)
PAIRS = st.dictionaries(st.tuples(MEMBER, MEMBER), st.sampled_from([0, 1]), max_size=6)
RELATION = st.sampled_from(["==", "!=", "<="])
HALF = st.sampled_from([-(2**60), -1, 0, 1, 2**60])


def check(constraint, domains, wanted):
    """Compare a constraint in arrays, its tuples and its filter with its meaning in whole numbers."""
    names = list(domains)
    rows = list(product(*domains.values()))
    columns = {name: np.array([row[k] for row in rows]) for k, name in enumerate(names)}
    kept = [row for row in rows if wanted(**dict(zip(names, row, strict=True)))]
    assert [row for row, held in zip(rows, constraint.holds(columns), strict=True) if held] == kept
    assert tuples_of(names, domains, [constraint], len(rows)) == tuple(kept)
    for name, left in filter_domains(constraint, domains).items():
        assert {row[names.index(name)] for row in kept} <= set(left)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(DOMAIN, DOMAIN, MEMBER_SET, MEMBER_SET)
def test_members_of_sets_are_compared_exactly(x, y, left, right) -> None:
    domains = {"x": x, "y": y}
    check(Clause((("x", left), ("y", right))), domains, lambda x, y: x in left or y in right)
    check(Within(Value("x"), left), {"x": x}, lambda x: x in left)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(DOMAIN, DOMAIN, PAIRS)
def test_rows_are_looked_up_exactly(x, y, pairs) -> None:
    domains = {"x": x, "y": y}
    lookup = Lookup((Value("x"), Value("y")), tuple(pairs.items()))
    check(Compare(lookup, "=="), domains, lambda x, y: pairs.get((x, y)) == 0)
    rows = [row for row in pairs if all(-(2**63) <= v < 2**63 for v in row)]
    check(Table(("x", "y"), tuple(sorted(rows))), domains, lambda x, y: (x, y) in rows)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(DOMAIN, DOMAIN, RELATION, HALF)
def test_sums_are_exact_up_to_the_largest_number(x, y, relation, bound) -> None:
    domains = {"x": x, "y": y}
    compare = {"==": int.__eq__, "!=": int.__ne__, "<=": int.__le__}[relation]
    check(NotEqual("x", "y", bound), domains, lambda x, y: x - y != bound)
    check(AllDifferent(("x", "y")), domains, lambda x, y: x != y)
    check(Linear(((1, "x"),), relation, bound), {"x": x}, lambda x: compare(x, bound))
    check(Linear(((1, "y"),), relation, bound), domains, lambda x, y: compare(y, bound))


X, Y = Value("x"), Value("y")
IS_ONE = Clause((("y", frozenset({1})),))


def list_far(far, beyond, further):
    """Constraints on a variable of four values far apart, with members that it cannot take."""
    return [
        Clause((("x", frozenset({0, far})),)),
        Not(Clause((("x", frozenset({0, far})),))),
        Clause((("x", frozenset({0, beyond})), ("y", frozenset({1, further})))),
        Clause((("x", frozenset({beyond})),)),
        Within(X, frozenset({1, far, further})),
        Compare(Lookup((X,), (((-far,), 0), ((0,), 5), ((far,), 0), ((beyond,), 0))), "=="),
        Compare(Apply("element", (Truth(IS_ONE), X, Y)), "=="),
    ]


@pytest.mark.parametrize("number", range(7))
def test_the_solver_agrees_on_domains_with_wide_gaps(number) -> None:
    far, x = 2**40, (-(2**40), 0, 1, 2**40)
    model = Model((Variable("x", x), Variable("y", (0, 1))), (list_far(far, 2**41, 2**42)[number],))
    rows = [{"x": x, "y": y} for x in x for y in (0, 1)]
    assert find_solutions(model) == [row for row in rows if model.check(row)]
    wide = Model((Variable("x", (-(2**60), 0, 1, 2**60)), model.variables[1]), (list_far(2**60, 2**63, 2**70)[number],))
    with pytest.raises(DoesNotFitError, match=r"2\^50"):
        find_solutions(wide)


def list_divided(size):
    """Constraints that OR-Tools 9.15 calls unsatisfiable from 10^17 on, as it does not see the overflow."""
    product = Apply("mul", (X, Sum((), -size)))
    return [
        Compare(Apply("mod", (Y, product)), "!="),
        Not(Compare(Apply("mod", (Y, product)), "!=")),
        Not(Compare(Apply("div", (Y, product)), "!=")),
        Not(Distinct((Apply("mod", (Y, product)), Sum((), 0)))),
        Compare(Apply("mul", (Apply("mod", (Y, Value("x"))), Sum((), size))), "!="),
    ]


@pytest.mark.parametrize("number", range(5))
def test_the_solver_is_not_asked_beyond_what_it_computes_exactly(number) -> None:
    def pose(end, size):
        return Model((Variable("x", (-end, 0, 7)), Variable("y", (0, 1))), (list_divided(size)[number],))

    model = pose(10**6, 10**3)
    rows = [{"x": x, "y": y} for x in (-(10**6), 0, 7) for y in (0, 1)]
    assert find_solutions(model) == [row for row in rows if model.check(row)]
    for ask in (find_solutions, lambda found: count_solutions(found, 10, 10)):
        with pytest.raises(DoesNotFitError, match=r"2\^50"):
            ask(pose(10**8, 10**9))


def test_no_weight_meets_a_number_that_wraps_around_with_it() -> None:
    # 10^6 and 2^45 alone are small, but OR-Tools 9.15 multiplies them and finds no solution
    element = Apply("element", (X, X, Y, Sum((), 10**9)))
    distinct = Distinct((element, Apply("mul", (Y, Sum((), -(10**6)))), Value("z")))
    model = Model((Variable("x", (-1000, 0, 7)), Variable("y", (0, 1)), Variable("z", (0, 1, 2**45))), (Not(distinct),))
    with pytest.raises(DoesNotFitError, match=r"2\^50"):
        find_solutions(model)


@pytest.mark.parametrize(
    "make",
    [
        lambda: NoDigit(X, 0, -1),
        lambda: NoDigit(X, 0, 64),
        lambda: Lookup((X,), (((0,), 1), ((1, 2), 1))),
        lambda: Model((Variable("x", (0,)),), (Linear(((2**70, "x"),), "==", 0),)),
        lambda: Model((Variable("x", (0,)),), (Compare(Sum(((2**70, X),)), "=="),)),
        lambda: Model((Variable("x", (0,)),), (NoDigit(X, 2**70, 0),)),
    ],
)
def test_numbers_that_cannot_be_computed_with_are_refused(make) -> None:
    with pytest.raises(InputError, match=r"give|2\^62"):
        make()


def test_a_form_that_wraps_around_is_no_form() -> None:
    # 4 * 2^62 is 0 in a machine word
    inputs = Table(("a", "b"), ((0, 0), (2**62, 1)))
    assert DeterminedVariable("b", inputs).form is None


def test_a_solution_is_counted_once_where_a_quotient_is_undefined() -> None:
    # CPMpy makes up a variable for what it divides by, and OR-Tools gives that one both its values
    inner = Apply("mod", (Sum((), 2), Value("z")))
    undefined = Not(Compare(Apply("mod", (X, inner)), "<="))
    model = Model((Variable("x", (0, 1, 2, 3)), Variable("z", (0,))), (undefined,))
    assert len(find_solutions(model)) == count_solutions(model, 100, 10.0) == 4
    assert len(find_solutions(model, limit=3)) == 3

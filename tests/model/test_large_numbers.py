"""Numbers near the ends of a machine word, against whole numbers of any size."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.model import AllDifferent, Clause, Linear, Model, NotEqual, Table, Variable
from gatesolve.model.merge import tuples_of
from gatesolve.model.presolve.filtering import filter_domains
from gatesolve.model.terms import Lookup, Value
from gatesolve.model.trees import Compare, Within

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


@pytest.mark.parametrize("other", [2**63, 2**64, -(2**63) - 1, -(2**70)])
def test_no_member_is_rounded(other) -> None:
    near = frozenset({2**53, other})
    x = (0, 2**53, 2**53 + 1)
    check(Clause((("x", near),)), {"x": x}, lambda x: x in near)
    check(Within(Value("x"), near), {"x": x}, lambda x: x in near)
    lookup = Lookup((Value("x"),), (((2**53,), 0), ((other,), 0)))
    check(Compare(lookup, "=="), {"x": x}, lambda x: x in near)


def test_a_table_of_wide_columns_does_not_wrap_around() -> None:
    top = 2**62 - 1
    table = Table(("a", "b"), ((0, 5), (1, 0), (2, top), (3, 0), (4, 0)))
    model = Model((Variable("a", (0, 1, 2, 3, 4)), Variable("b", (0, 5, top))), (table,))
    assert not model.check({"a": 4, "b": 5})

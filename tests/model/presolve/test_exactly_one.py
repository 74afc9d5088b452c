"""Joint filtering of exactly-one sums: nothing lost, and as much found as matchings allow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.errors import InfeasibleError
from gatesolve.model import Linear, Model, Variable, find_solutions
from gatesolve.model.presolve import presolve
from gatesolve.model.presolve.exactly_one import filter_exactly_one


def ones(names):
    return Linear(tuple((1, name) for name in names), "==", 1)


def board(regions):
    n = len(regions)
    cells = [[f"x{r}{c}" for c in range(n)] for r in range(n)]
    letters = sorted(set("".join(regions)))
    parts = [[cells[r][c] for r in range(n) for c in range(n) if regions[r][c] == a] for a in letters]
    columns = [[cells[r][c] for r in range(n)] for c in range(n)]
    variables = tuple(Variable(name, (0, 1)) for row in cells for name in row)
    return Model(variables, tuple(ones(group) for group in (*cells, *columns, *parts)))


def as_set(found):
    return {tuple(sorted(f.items())) for f in found}


def test_two_regions_that_fill_two_rows():
    # A and B lie in rows 0 and 1 alone, so C, which reaches into row 1, has no star there.
    model = board(["AAAB", "CABB", "CCDD", "CCDD"])
    filtered = filter_exactly_one(model.domains, model.constraints)
    assert filtered["x10"] == (0,)
    assert all(filtered[name] == (0, 1) for name in ("x00", "x03", "x11", "x20", "x33"))


def test_three_regions_in_two_rows_are_infeasible():
    model = board(["ABCC", "ABCC", "DDDD", "DDDD"])
    with pytest.raises(InfeasibleError, match="too few places"):
        filter_exactly_one(model.domains, model.constraints)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 4), st.data())
def test_no_solution_is_lost(n, data):
    letters = st.text(alphabet="ABCD"[:n], min_size=n, max_size=n)
    model = board(data.draw(st.lists(letters, min_size=n, max_size=n)))
    expected = as_set(find_solutions(model))
    try:
        filtered = filter_exactly_one(model.domains, model.constraints)
    except InfeasibleError:
        assert not expected
        return
    assert all(dict(s)[name] in filtered[name] for s in expected for name in filtered)


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_propagate_keeps_the_solutions(data):
    letters = st.text(alphabet="ABC", min_size=3, max_size=3)
    model = board(data.draw(st.lists(letters, min_size=3, max_size=3)))
    expected = as_set(find_solutions(model))
    try:
        smaller, recovery = presolve(model, "propagate")
    except InfeasibleError:
        assert not expected
        return
    assert as_set(recovery.recover(s) for s in find_solutions(smaller)) == expected


def test_other_sums_are_left_alone():
    model = board(["AB", "AB"])
    two = Model(model.variables, tuple(Linear(c.terms, "<=", 1) for c in model.constraints))
    assert filter_exactly_one(two.domains, two.constraints) == two.domains

"""Hypothesis strategies shared by the tests."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st
from tree_strategies import terms as terms_of
from tree_strategies import trees

from gatesolve.model import (
    AllDifferent,
    Clause,
    Constraint,
    Linear,
    Model,
    NotEqual,
    Objective,
    Table,
    Variable,
    is_partial,
)

#: Names CPMpy would refuse, or that could collide with renamed ones, are on purpose.
NAMES = ("x", "v0", "IV1", "b c", "~a", "y[0,1]")
DOMAINS = ((0, 1), (0, 1, 2, 3), (5,), (-1, 0, 1), (2, 3, 4, 5, 6), (-3, 0, 4), (7, 9), (0, 2, 3))


@st.composite
def models(draw: st.DrawFn, max_variables: int = 4, max_constraints: int = 4, with_objective: bool = False) -> Model:
    """Small models of every constraint kind on awkward domains: one value, gaps, offsets, negatives."""
    count = draw(st.integers(1, min(max_variables, len(NAMES))))
    variables = tuple(Variable(NAMES[k], draw(st.sampled_from(DOMAINS))) for k in range(count))
    parts = tuple(draw(st.lists(constraints(variables), max_size=max_constraints)))
    objective = None
    if with_objective:
        names = draw(_scope(variables, 1))
        linear = tuple((draw(st.sampled_from((-2, -1, 1, 3))), name) for name in names)
        weighted = st.tuples(
            st.sampled_from((-2, 1, 3)), terms_of(variables, 1).filter(lambda term: not is_partial(term))
        )
        beside = draw(st.lists(weighted, max_size=1))
        objective = Objective(linear, draw(st.integers(-3, 3)), draw(st.sampled_from(("min", "max"))), tuple(beside))
    return Model(variables, parts, objective)


@st.composite
def constraints(draw: st.DrawFn, variables: tuple[Variable, ...]) -> Constraint:
    """One constraint over some of the variables; it need not be satisfiable."""
    domains = {v.name: v.domain for v in variables}
    kind = draw(st.sampled_from(("linear", "linear", "not equal", "all different", "table", "table", "clause", "tree")))
    if kind == "not equal" and len(variables) > 1:
        left, right = draw(_scope(variables, 2))[:2]
        return NotEqual(left, right, draw(st.integers(-3, 3)))
    if kind == "all different" and len(variables) > 1:
        names = draw(_scope(variables, 2))
        return AllDifferent(names, tuple(draw(st.sampled_from((0, 0, 1, 2, -3))) for _ in names))
    if kind == "tree":
        return draw(trees(variables))
    names = draw(_scope(variables, 1))
    point = tuple(draw(st.sampled_from(domains[name])) for name in names)
    if kind == "table":
        # now and then a value outside the domain, and now and then no tuple at all
        rows = draw(st.sets(st.tuples(*(st.sampled_from((*domains[name], 8)) for name in names)), max_size=12))
        return Table(names, tuple(sorted(rows)), "drawn")
    if kind == "clause":
        return Clause(tuple((n, draw(st.frozensets(st.sampled_from(domains[n]), min_size=1))) for n in names))
    terms = tuple((draw(st.sampled_from((-3, -1, 1, 1, 2))), name) for name in names)
    bound = sum(c * v for (c, _), v in zip(terms, point, strict=True)) + draw(st.sampled_from((0, 0, 0, 1)))
    return Linear(terms, draw(st.sampled_from(("==", "==", "<=", "!="))), bound)


@st.composite
def _scope(draw: st.DrawFn, variables: tuple[Variable, ...], least: int) -> tuple[str, ...]:
    names = [v.name for v in variables]
    shuffled = draw(st.permutations(names))
    return tuple(shuffled[: draw(st.integers(least, len(names)))])


def solve_by_trying(model: Model) -> list[dict[str, int]]:
    """All solutions, in the order of the domains, by trying every assignment."""
    rows = (dict(zip(model.domains, row, strict=True)) for row in product(*model.domains.values()))
    return [row for row in rows if model.check(row)]

"""Hypothesis strategies for terms, and for constraints made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from gatesolve.model import (
    AllDifferent,
    AllOf,
    Apply,
    Clause,
    Compare,
    Constraint,
    Distinct,
    Linear,
    Lookup,
    NoDigit,
    Not,
    OddOf,
    Sum,
    Term,
    Truth,
    Value,
    Variable,
    Within,
    add_terms,
    apply_function,
)

FUNCTIONS = ("mul", "max", "abs", "div", "mod", "element")


@st.composite
def terms(draw: st.DrawFn, variables: Sequence[Variable], depth: int = 2) -> Term:
    """A term over some of the variables, as it comes from its class or from what simplifies it."""
    kinds = ("value", "sum", "truth", "lookup", *FUNCTIONS) if depth else ("value", "constant")
    kind = draw(st.sampled_from(kinds))
    if kind == "value":
        return Value(draw(st.sampled_from([v.name for v in variables])))
    if kind == "constant":
        return Sum((), draw(st.integers(-2, 3)))
    if kind == "truth":
        return Truth(draw(trees(variables, depth - 1)))
    inner = terms(variables, depth - 1)
    if kind == "sum":
        weights = st.sampled_from((-2, -1, 1, 3))
        parts = draw(st.lists(st.tuples(weights, inner), min_size=1, max_size=3))
        constant = draw(st.integers(-2, 2))
        return add_terms(parts, constant) if draw(st.booleans()) else Sum(tuple(parts), constant)
    if kind == "lookup":
        arguments = tuple(draw(st.lists(inner, min_size=1, max_size=2)))
        keys = st.tuples(*[st.integers(-2, 3)] * len(arguments))
        rows = draw(st.dictionaries(keys, st.integers(-1, 3), max_size=6))
        return Lookup(arguments, tuple(sorted(rows.items())))
    number = {"abs": 1, "mul": 2, "div": 2, "mod": 2}.get(kind) or draw(st.integers(2, 4))
    arguments = tuple(draw(inner) for _ in range(number))
    made: Any = apply_function if draw(st.booleans()) else Apply
    return made(kind, arguments)


@st.composite
def trees(draw: st.DrawFn, variables: Sequence[Variable], depth: int = 2) -> Constraint:
    """A constraint over some of the variables that is made of terms or of other constraints."""
    kinds = ("compare", "compare", "within", "distinct", "digit", "all", "not", "odd") if depth else ("leaf",)
    kind = draw(st.sampled_from(kinds))
    inner = terms(variables, max(depth - 1, 0))
    if kind == "leaf":
        variable = draw(st.sampled_from(list(variables)))
        form = draw(st.sampled_from(("clause", "sum", "fixed")))
        if form == "fixed":
            alone = AllDifferent((variable.name,)), Distinct((Value(variable.name),)), Within(Sum(()), frozenset({1}))
            return draw(st.sampled_from((*alone, AllDifferent(()), Clause(()), AllOf(()), Distinct(()), OddOf(()))))
        if form == "clause":
            return Clause(((variable.name, draw(st.frozensets(st.sampled_from(variable.domain), min_size=1))),))
        return Linear(((1, variable.name),), draw(st.sampled_from(("==", "!=", "<="))), variable.domain[0])
    if kind == "compare":
        return Compare(draw(inner), draw(st.sampled_from(("==", "!=", "<="))))
    if kind == "within":
        return Within(draw(inner), draw(st.frozensets(st.integers(-3, 4), max_size=4)))
    if kind == "distinct":
        return Distinct(tuple(draw(st.lists(inner, max_size=3))))
    if kind == "digit":
        term = draw(inner)
        low, _ = term.bounds({v.name: v.domain for v in variables})
        return NoDigit(term, low, draw(st.integers(0, 2)))
    if kind == "not":
        return Not(draw(trees(variables, depth - 1)))
    parts = tuple(draw(st.lists(trees(variables, depth - 1), min_size=1, max_size=3)))
    return AllOf(parts) if kind == "all" else OddOf(parts)

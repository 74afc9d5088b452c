"""Whole-number functions as weighted constraints."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.encodings import Space, make_one_hot, make_table
from gatesolve.model import Clause, Model, Objective, Table, Variable
from gatesolve.qubo import Cost
from gatesolve.qubo.digits import group_axes, make_soft_terms, num_products, split_objective

SPACE = Space(
    (
        make_one_hot(Variable("a", (0, 1, 3))),
        make_table(("b", "c"), ((0, 0), (1, 0), (1, 2))),
        make_one_hot(Variable("d", (2, 5))),
    )
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=18, max_size=18), st.integers(1, 3))
def test_weights_sum_to_the_values(numbers: list[int], count: int) -> None:
    axes = group_axes(("a", "b", "c", "d"), SPACE)[:count]
    shape = tuple(len(axis.tuples) for axis in axes)
    values = np.array(numbers[: int(np.prod(shape))]).reshape(shape)
    cost = Cost(make_soft_terms(axes, values))
    for place in np.ndindex(*shape):
        parts = [(axis.names, axis.tuples[p]) for axis, p in zip(axes, place, strict=True)]
        row = {name: np.array(v) for names, values_ in parts for name, v in zip(names, values_, strict=True)}
        assert (int(cost.evaluate(row)) if cost.terms else 0) == values[place]


def test_axes_are_projections() -> None:
    (axis,) = group_axes(("b",), SPACE)
    assert axis.tuples == ((0,), (1,))


def test_boxes_are_clauses() -> None:
    axes = group_axes(("a", "d"), SPACE)
    (corner,) = make_soft_terms(axes, np.array([[0, 0], [0, 0], [0, 7]]))
    assert corner.weight == 7
    assert corner.constraint == Clause((("a", frozenset({0, 1})), ("d", frozenset({2}))))
    (line,) = make_soft_terms(axes, np.array([[4, 4], [0, 0], [0, 0]]))
    assert line.constraint == Clause((("a", frozenset({1, 3})),))
    (diagonal,) = make_soft_terms(axes, np.array([[2, 0], [0, 2], [0, 2]]))
    assert isinstance(diagonal.constraint, Table)


def test_products_by_rank() -> None:
    assert num_products(np.eye(4, dtype=bool)) == 2
    assert num_products(np.array([[1, 0], [0, 1]], dtype=bool)) == 0
    assert num_products(np.array([[0, 0], [0, 1]], dtype=bool)) == 1


def test_objective_both_ways() -> None:
    variables = (Variable("x", (0, 1, 4)), Variable("y", (-2, 3)))
    for sense, sign in (("min", 1), ("max", -1)):
        objective = Objective(((3, "x"), (-5, "y"), (1, "x")), 7, sense)  # type: ignore[arg-type]
        terms, base = split_objective(Model(variables, (), objective))
        for x in (0, 1, 4):
            for y in (-2, 3):
                cost = int(Cost(terms).evaluate({"x": np.array(x), "y": np.array(y)}))
                assert base + cost == sign * objective.value({"x": x, "y": y})
    assert split_objective(Model(variables)) == ((), 0)

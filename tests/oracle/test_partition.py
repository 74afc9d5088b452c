"""Exactly-one constraints that share out a total: parities alone decide them."""

from itertools import product

import numpy as np
import pytest

from gatesolve.encodings import Space, make_binary, make_one_hot, make_table, make_unary
from gatesolve.model import Linear, Model, Variable
from gatesolve.oracle import assemble, share_out, synthesise
from gatesolve.pipelines import phase_check
from gatesolve.simulate import certify


def cell(r, c):
    return f"x{r}{c}"


def board(n):
    """Rows as blocks of one star each, columns as constraints."""
    variables = tuple(Variable(cell(r, c), (0, 1)) for r in range(n) for c in range(n))
    columns = tuple(Linear(tuple((1, cell(r, c)) for r in range(n)), "==", 1) for c in range(n))
    return Model(variables, columns)


def unary_rows(variables, tuples):
    return make_unary(make_table(variables, tuples))


def rows_space(n, make):
    patterns = [tuple(int(k == c) for k in range(n)) for c in range(n)]
    return Space(tuple(make([cell(r, c) for c in range(n)], patterns) for r in range(n)))


def assert_marks_the_model(conditions, model, space):
    return certify(phase_check(model, space, assemble(conditions, space.num_qubits)), 1 << 20, 0)[0]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_columns_of_a_board_of_rows(n):
    model, space = board(n), rows_space(n, unary_rows)
    conditions, left = share_out(model.constraints, space)
    assert left == []
    assert [c.flags for c in conditions] == [()]
    assert len(conditions[0].factors) == n - 1
    certificate = assert_marks_the_model(conditions, model, space)
    assert certificate.marked == np.prod(range(1, n + 1))


def test_the_total_must_be_known():
    n = 3
    variables = board(n).variables
    space = Space(tuple(make_one_hot(v) for v in variables))
    conditions, left = share_out(board(n).constraints, space)
    assert conditions == []
    assert left == list(board(n).constraints)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_columns_need_parities_alone_where_rows_are_checked(n):
    columns = board(n)
    rows = tuple(Linear(tuple((1, cell(r, c)) for c in range(n)), "==", 1) for r in range(n))
    model = Model(columns.variables, (*rows, *columns.constraints))
    space = Space(tuple(make_binary(v) for v in model.variables))
    conditions, left = share_out(model.constraints, space)
    assert left == list(rows)
    assert [(len(c.factors), c.flags) for c in conditions] == [(n - 1, ())]
    certificate = assert_marks_the_model([*conditions, *(synthesise(c, space) for c in left)], model, space)
    assert certificate.marked == np.prod(range(1, n + 1))


def test_regions_that_overlap_columns_make_a_second_group():
    n = 4
    model = board(n)
    quarters = tuple(
        Linear(tuple((1, cell(2 * a + i, 2 * b + j)) for i, j in product(range(2), repeat=2)), "==", 1)
        for a, b in product(range(2), repeat=2)
    )
    both = Model(model.variables, (*model.constraints, *quarters))
    space = rows_space(n, unary_rows)
    conditions, left = share_out(both.constraints, space)
    assert (len(conditions), left) == (2, [])
    assert_marks_the_model(conditions, both, space)

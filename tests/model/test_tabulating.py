"""A function in all combinations of the rows of some tables."""

from itertools import product

import numpy as np
import pytest

from gatesolve.model import Linear, combine_rows, tabulate

PAIRS, LONE = (("a", "b"), ((0, 1), (2, 3), (4, 5))), (("c",), (7, 9))


def test_combinations_come_in_the_order_of_nested_loops():
    columns = combine_rows([PAIRS, LONE])
    rows = list(zip(*(columns[name].tolist() for name in "abc"), strict=True))
    assert rows == [(a, b, c) for (a, b), c in product(PAIRS[1], LONE[1])]


@pytest.mark.parametrize("axes", [[PAIRS, LONE], [LONE, PAIRS], [LONE], [((), ((),)), LONE], []], ids=len)
def test_the_shape_has_an_axis_for_each_table(axes):
    shape = tuple(len(rows) for _, rows in axes)
    assert tabulate(lambda _: np.array(5), axes).shape == shape
    total = tabulate(lambda columns: sum(columns.values(), np.zeros(int(np.prod(shape)))), axes)
    for place in product(*map(range, shape)):
        assert total[place] == sum(np.sum(rows[k]) for (_, rows), k in zip(axes, place, strict=True))


def test_a_constraint_is_tabulated():
    rule = Linear(((1, "b"), (1, "c")), "<=", 10)
    expected = [[b + c <= 10 for c in LONE[1]] for _, b in PAIRS[1]]
    assert tabulate(rule.holds, [PAIRS, LONE]).tolist() == expected

"""Costs of all codewords at once, against the cost on each."""

import numpy as np
import pytest

from gatesolve.encodings import make_spaces
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Table, Variable
from gatesolve.qubo import Cost, SoftConstraint, tabulate_costs
from gatesolve.qubo import cost as module

MODEL = Model(
    (Variable("a", (-1, 0, 2)), Variable("one", (4,)), Variable("b", (0, 1, 2, 3, 4)), Variable("c", (0, 4))),
    (Table(("a", "b"), ((-1, 0), (-1, 3), (0, 1), (2, 2), (2, 4))),),
)
COST = Cost(
    (
        SoftConstraint(3, NotEqual("b", "c")),
        SoftConstraint(1, AllDifferent(("a", "b", "c", "one"))),
        SoftConstraint(7, Linear(((2, "a"), (-1, "one")), "<=", 0)),
    )
)


@pytest.mark.parametrize("kind", ["one-hot", "binary", "domain-wall", "table"])
@pytest.mark.parametrize("rows", [1 << 20, 1])
def test_costs_are_tabulated_in_codeword_order(monkeypatch, kind, rows):
    monkeypatch.setattr(module, "LOCAL_ROWS", rows)
    for space in make_spaces(MODEL, kind):
        numbers = np.arange(space.size)
        expected = np.broadcast_to(COST.evaluate(space.values(numbers)), numbers.shape)
        assert np.array_equal(tabulate_costs(COST, space), expected)


def test_a_space_of_one_codeword_and_a_cost_of_nothing():
    (space,) = make_spaces(Model((Variable("x", (3,)),)), "one-hot")
    assert tabulate_costs(Cost(()), space).tolist() == [0]
    assert tabulate_costs(Cost((SoftConstraint(2, Linear(((1, "x"),), "==", 4)),)), space).tolist() == [2]

"""Bounds of costs hold on every codeword."""

import random

import numpy as np
import pytest

from gatesolve.encodings import Space, make_binary, make_one_hot
from gatesolve.model import AllDifferent, Linear, NotEqual, Variable
from gatesolve.oracle import fourier_oracle as cost_bounds_module
from gatesolve.oracle.fourier_oracle import bound_cost, bound_jointly, bound_polynomial
from gatesolve.qubo import Cost, Qubo, SoftConstraint, binary_space, qubo_cost


@pytest.mark.parametrize("make", [make_one_hot, make_binary])
def test_bounds_hold(make: type) -> None:
    space = Space(tuple(make(Variable(f"v{k}", (0, 1, 2, 3))) for k in range(3)))
    pair = Linear(((1, "v0"), (1, "v1")), "==", 3)
    others = (SoftConstraint(1, NotEqual("v0", "v1")), SoftConstraint(2, NotEqual("v1", "v2")))
    cost = Cost((*others, SoftConstraint(4, pair)))
    costs = cost.evaluate(space.values(np.arange(space.size)))
    for low, high in (bound_cost(cost, space), bound_jointly(cost, space), bound_polynomial(cost, space)):
        assert low <= costs.min()
        assert costs.max() <= high <= cost.most


@pytest.mark.parametrize("seed", range(8))
def test_bounds_of_forms(seed: int) -> None:
    draw = random.Random(seed)
    terms = {(i, j): draw.randint(-9, 9) for i in range(7) for j in range(i + 1, 7) if draw.random() < 0.7}
    terms |= {(i,): draw.randint(-9, 9) for i in range(7)}
    if seed % 2:
        terms[(0, 1, 2)] = 5
    qubo = Qubo.of([f"v{k}" for k in range(7)], terms)
    space, cost = binary_space(qubo.names), qubo_cost(qubo)
    costs = cost.evaluate(space.values(np.arange(space.size)))
    low, high = bound_cost(cost, space)
    assert low <= costs.min()
    assert costs.max() <= high <= cost.most


def test_a_tree_is_bounded_exactly() -> None:
    qubo = Qubo.of("abcd", {(0, 1): 3, (1, 2): -2, (1, 3): 5, (0,): -1, (1,): -4, (2,): 1})
    space, cost = binary_space(qubo.names), qubo_cost(qubo)
    costs = cost.evaluate(space.values(np.arange(space.size)))
    assert bound_cost(cost, space)[0] == costs.min()


def test_no_wide_product_is_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A product of n wires has 2^n signs."""
    narrow = cost_bounds_module.product_of

    def checked(mask: int) -> object:
        assert mask.bit_count() <= 2
        return narrow(mask)

    space = Space(tuple(make_one_hot(Variable(f"v{k}", tuple(range(24)))) for k in range(2)))
    goal = tuple(SoftConstraint(1, Linear(((1, name),), "<=", 11)) for name in space.variables)
    cost = Cost((*goal, SoftConstraint(5, AllDifferent(tuple(space.variables)))))
    costs = cost.evaluate(space.values(np.arange(space.size)))
    monkeypatch.setattr(cost_bounds_module, "product_of", checked)
    low, high = bound_cost(cost, space)
    assert low <= costs.min()
    assert costs.max() <= high

"""Phase polynomials and the walks that visit their parities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.encodings import Space, make_binary, make_one_hot
from gatesolve.model import Linear, NotEqual, Variable
from gatesolve.oracle.synthesise import synthesise
from gatesolve.pipelines.parity_tour import Walks, plan_walks
from gatesolve.pipelines.phase_polynomial import (
    violation_polynomial,
)


def mask_of(wires):
    return sum(1 << wire for wire in wires)


def value(polynomial: dict, state: int) -> float:
    return float(sum(c * (-1) ** (mask & state).bit_count() for mask, c in polynomial.items()))


@pytest.mark.parametrize("make", [make_one_hot, make_binary])
@pytest.mark.parametrize(
    "constraint",
    [NotEqual("a", "b"), Linear(((1, "a"), (2, "b")), "==", 3), Linear(((1, "a"), (1, "b")), "<=", 2)],
)
def test_broken_is_one_where_the_constraint_fails(make: type, constraint: NotEqual | Linear) -> None:
    space = Space((make(Variable("a", (0, 1, 2, 3))), make(Variable("b", (0, 1, 3)))))
    polynomial = violation_polynomial(synthesise(constraint, space), 64)
    assert polynomial is not None
    holds = constraint.holds(space.values(np.arange(space.size)))
    assert [value(polynomial, space.state(n)) for n in range(space.size)] == [0 if h else 1 for h in holds]


def followed(plan: Walks, wires: int) -> tuple[list[set[int]], set[int]]:
    """The parities that each walking wire visits, having checked that it and the wires come back."""
    holds = [1 << k for k in range(wires)]
    for control, target in plan.flips:
        holds[target] ^= holds[control]
    visited, places = [], []
    for walk in (*plan.walks, plan.once):
        place, seen = 0, set()
        for mask, steps in walk.steps:
            for wire in steps:
                place ^= holds[wire]
            assert place == mask
            seen.add(mask)
        visited.append(seen)
        places.append(place)
    assert all(holds[wire] == mask for mask, wire in plan.still)
    for walk, place in zip((*plan.walks, plan.once), places, strict=True):
        assert place == mask_of(walk.back)
    return visited[:-1], visited[-1] | {mask for mask, _ in plan.still}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.frozensets(st.integers(1, 127), max_size=12), min_size=1, max_size=4),
    st.frozensets(st.integers(1, 127).filter(lambda m: m.bit_count() > 1), max_size=6),
)
def test_walks_visit_their_points_and_come_back(points: list[frozenset[int]], once: frozenset[int]) -> None:
    plan = plan_walks(tuple(points), once)
    visited, single = followed(plan, 7)
    assert visited == [set(wanted) for wanted in points]
    assert single == once

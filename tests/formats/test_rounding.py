"""Rows of floats mean what their user wrote; dimod, which has a tolerance, finds the same assignments feasible."""

import math
from fractions import Fraction
from itertools import product

import dimod
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatesolve.api import parse_problem
from gatesolve.errors import InputError
from gatesolve.formats import from_cqm

ROOT = math.sqrt(2)
LEFT, RIGHT = (dimod.Integer(name, upper_bound=3) for name in "ij")


def agrees_with_dimod(comparison):
    """Whether the same assignments keep the constraint, and some do."""
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.add_constraint(comparison, label="row")
    constraints = from_cqm(cqm).model.constraints
    names, found = list(cqm.variables), set[bool]()
    for values in product(range(4), repeat=len(names)):
        given_ = dict(zip(names, values, strict=True))
        holds = all(c.holds(given_) for c in constraints)
        assert holds == cqm.check_feasible(given_), (given_, constraints)
        found.add(holds)
    return True in found


@pytest.mark.parametrize(
    "comparison",
    [
        0.1 * LEFT + 0.1 * LEFT + 0.1 * LEFT == 0.3,
        0.1 * LEFT + 0.2 * LEFT <= 0.3,
        0.1 * LEFT + 0.2 * LEFT - 0.3 * LEFT + RIGHT <= 1,
        0.1 * LEFT + 0.2 * LEFT - 0.3 * LEFT <= 0,
        0.1 * LEFT + 0.2 * RIGHT - 0.1 - 0.2 == 0,
        LEFT / 3 + RIGHT / 7 == 1 / 3 + 1 / 7,
        ROOT * LEFT + ROOT * RIGHT == 3 * ROOT,
        ROOT * LEFT + ROOT * LEFT >= 2.8284271247461903,
        ROOT * LEFT * RIGHT == 2 * ROOT,
        0.1 * LEFT * RIGHT + 0.2 * LEFT * RIGHT == 0.3,
        math.pi * LEFT - 2 * math.pi * RIGHT >= -math.pi,
    ],
    ids=str,
)
def test_sums_of_floats(comparison):
    assert agrees_with_dimod(comparison)


@given(st.lists(st.sampled_from([0.1, 0.2, 0.7, 1.1, 1 / 3, 0.05]), min_size=1, max_size=6), st.integers(1, 3))
def test_any_sum_of_floats(weights, times):
    assert agrees_with_dimod(sum(weight * LEFT for weight in weights) == sum(weight * times for weight in weights))


def test_what_other_tools_write_into_files():
    rows = "Subject To\n a: 0.30000000000000004 x = 0.3\nBounds\n x <= 3\nGeneral\n x\nEnd\n"
    assert str(parse_problem(f"Minimize\n x\n{rows}", "a.lp").model.constraints[0]) == "3*x == 3"
    text = (
        "NAME t\nROWS\n N c\n L r\nCOLUMNS\n M1 'MARKER' 'INTORG'\n x c 1 r 0.1\n y r 0.1\n M2 'MARKER' 'INTEND'\n"
        "RHS\n R r 0.3\nRANGES\n R r 0.1\nBOUNDS\n UP B x 3\n UP B y 3\nENDATA\n"
    )
    made = parse_problem(text, "a.mps").model.constraints
    assert [str(one) for one in made] == ["-1*x + -1*y <= -2", "x + y <= 3"]  # 0.3 - 0.1 is no 0.2 in floats


@pytest.mark.parametrize(
    "word",
    [
        "0.1",
        "0.12345678901",
        "1.00000000001",
        "123456789012345",
        "1e-12",
        "12345678.5",
        "1.0000000000001",
        "0.300000000000000041",
    ],
)
def test_what_somebody_typed_stays(word):
    text = f"Minimize\n x\nSubject To\n {word} x + y = {word}\nBinary\n x y\nEnd\n"
    (row,) = parse_problem(text, "a.lp").model.constraints
    (first, _), (second, _) = row.terms
    assert Fraction(first, second) == Fraction(row.bound, second) == Fraction(word)


def test_a_small_number_of_more_digits_is_refused():
    rows = "Subject To\n c1: 1e13 x + 0.123456789123456 y >= 0.123456789123456\nBinary\n x y\nEnd\n"
    with pytest.raises(InputError, match=r"constraint with 0\.123456789123456 beside 10000000000000 has more"):
        parse_problem(f"Minimize\n x\n{rows}", "a.lp")

"""QPLIB files are read as GALAHAD's RPD describes them: against energies and rows that are worked out by hand."""

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

import gatesolve
from gatesolve.api import parse_problem
from gatesolve.model import find_solutions

CUT = """! a comment
CUT # name
QBN # kind
Maximize
3

2 # entries of one triangle
2 1 -4
3 3 2
0.0
1
2 -1
0.5
1e20
0
0
0
0
"""
ROWS = """ROWS
LIL
minimize
2 # variables
1 # constraints
1
0
0
2
1 1 2
1 2 -1.5
1e20
-1e20
0
2.5
0
-1
1
2 0
3
0
"""


def test_a_form_is_half_of_what_the_matrix_makes():
    """The energy is 0.5 - 4 x1 x2 + x3 - x2, and is made large."""
    found = parse_problem(CUT, "cut.qplib")
    assert (found.sense, found.qubo.names) == ("max", ("x1", "x2", "x3"))
    for a, b, c in product((0, 1), repeat=3):
        assert -found.qubo.energy((a, b, c)) == Fraction(1, 2) - 4 * a * b + c - b


def test_it_is_known_by_its_start():
    assert parse_problem(CUT, "cut.txt").qubo is not None


def test_rows_have_ends_and_integers_bounds():
    model = parse_problem(ROWS, "rows.qplib").model
    wanted = {(a, b) for a in range(-1, 4) for b in range(4) if 2 * a - 1.5 * b <= 2.5}
    assert {(one["x1"], one["x2"]) for one in find_solutions(model)} == wanted


@st.composite
def quadratic_rows(draw):
    """A text of two integers and a quadratic row, and what the row accepts."""
    numbers = st.integers(-3, 3)
    square, cross, first, second, low, high = (draw(numbers) for _ in range(6))
    text = f"Q\nLIQ\nminimize\n2\n1\n0\n0\n0\n2\n1 1 1 {square}\n1 2 1 {cross}\n2\n1 1 {first}\n1 2 {second}\n1e20\n"
    text += f"{low}\n0\n{high}\n0\n-1\n0\n2\n0\n0\n0\n0\n0\n0\n0\n1\n1 a\n1\n1 row\n"

    def accepts(a, b):
        return low <= Fraction(square * a * a, 2) + cross * a * b + first * a + second * b <= high

    return text, accepts


@given(one=quadratic_rows())
def test_quadratic_rows_mean_what_the_form_gives(one):
    text, accepts = one
    wanted = {(a, b) for a, b in product(range(-1, 3), repeat=2) if accepts(a, b)}
    try:
        model = parse_problem(text, "q.qplib").model
    except gatesolve.InfeasibleError:
        assert not wanted
        return
    assert {(one["a"], one["x2"]) for one in find_solutions(model)} == wanted


def test_as_many_rows_as_variables_are_no_symmetric_matrix():
    text = "L\nLBL\nminimize\n2\n2\n0\n0\n0\n4\n1 1 1\n1 2 1\n2 1 1\n2 2 -1\n1e20\n"
    text += "1\n0\n1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n"
    model = parse_problem(text, "square.qplib").model
    assert [dict(one) for one in find_solutions(model)] == [{"x1": 1, "x2": 0}]

"""MPS files by OR-Tools' reader: what they mean, and what is refused."""

from fractions import Fraction

import pytest

from gatesolve.api import is_qubo_path, parse_problem, read_problem
from gatesolve.errors import GatesolveError
from gatesolve.formats import read_mps
from gatesolve.model import find_optimum

TEXT = """* by hand
NAME t
ROWS
 N obj
 L c1
 G c2
 E c3
COLUMNS
 M1 'MARKER' 'INTORG'
 x obj 1.5 c1 1
 x c2 0.1
 y obj -2 c3 1
 z c1 3 c3 2
 M2 'MARKER' 'INTEND'
RHS
 R obj 3 c1 7.5
 R c2 -1 c3 2
RANGES
 G c1 4
BOUNDS
 UP B x 4
 BV B y
 LI B z -1
 UI B z 2
ENDATA
"""


def test_a_file_means_what_it_says(tmp_path):
    program = read_mps(TEXT, "t.mps")
    assert program.domains == {"x": (0, 4), "y": (0, 1), "z": (-1, 2)}
    assert program.objective == {("x",): Fraction(3, 2), ("y",): -2, (): -3}
    rows = [({name: c for (name,), c in row.terms.items()}, row.relation, row.bound) for row in program.rows]
    assert rows == [
        ({"x": 1, "z": 3}, ">=", Fraction(7, 2)),
        ({"x": 1, "z": 3}, "<=", Fraction(15, 2)),
        ({"x": Fraction(1, 10)}, ">=", -1),
        ({"y": 1, "z": 2}, "==", 2),
    ]
    path = tmp_path / "plain.txt"
    path.write_text(TEXT)
    assert is_qubo_path(path)
    problem = read_problem(path)
    best = min(
        1.5 * x - 2 * y - 3 for x in range(5) for y in (0, 1) for z in (0, 1, 2) if y + 2 * z == 2 and x + 3 * z > 3
    )
    assert find_optimum(problem.model)[1] / problem.scale == best


@pytest.mark.parametrize("word", ["MAX", "max"])
@pytest.mark.parametrize("lines", ["OBJSENSE\n    {}\n", "OBJSENSE {}\n", "OBJSENSE\n{}\n", "OBJSENSE\n {} $ top\n"])
def test_the_long_word_of_a_sense(lines, word):
    top = TEXT.replace("NAME t\n", "NAME t\n" + lines.format(word))
    assert parse_problem(top, "t").sense == "max"
    bottom = TEXT.replace("NAME t\n", "NAME t\n" + lines.format(word.replace("ax", "in").replace("AX", "IN")))
    assert read_mps(bottom, "t") == read_mps(TEXT, "t")


@pytest.mark.parametrize(
    "pairs",
    [
        [(" UP B x 4", " UP x 4"), (" BV B y", " BV y"), (" LI B z -1", " LI z -1"), (" UI B z 2", "    UI    z    2")],
        [
            (" R obj 3 c1 7.5", " R obj 3 c1 7.5 $ c2 9"),
            (" UP B x 4", " UP B x 4 $5"),
            (" x c2 0.1", " x c2 0.1 $ x c3 1"),
        ],
        [(" L c1", " L c1 $ of x"), ("RHS\n", "$ comment\nRHS\n")],
    ],
)
def test_other_spellings(pairs):
    text = TEXT
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert read_mps(text, "t") == read_mps(TEXT, "t")


def test_a_name_may_begin_with_a_dollar():
    text = TEXT.replace("c1", "$c1").replace("y", "$y").replace("b$y hand", "by hand")
    program = read_mps(text, "t")
    assert program.domains == {"x": (0, 4), "$y": (0, 1), "z": (-1, 2)}
    assert program.rows[0].label == "$c1"


def test_names_of_fixed_columns_may_hold_spaces():
    text = (
        "NAME          T\nROWS\n N  OBJ\n L  ROW ONE\n L  ROW TWO\nCOLUMNS\n"
        "    M         'MARKER'                 'INTORG'\n"
        "    X         ROW ONE            1.0   OBJ                1.0\n"
        "    X         ROW TWO            1.0\n"
        "    Y         ROW ONE            2.0\n"
        "RHS\n    RHS       ROW ONE            2.0   ROW TWO            1.0\nBOUNDS\n"
        " UP BND       X                  1.0\n UP BND       Y                  1.0\nENDATA\n"
    )
    assert [row.bound for row in read_mps(text, "t.mps").rows] == [2, 1]
    again = text.replace("    Y         ROW ONE", "    X         ROW ONE")
    with pytest.raises(GatesolveError, match=r"t.mps, row 10: a second entry for 'ROW ONE' under COLUMNS"):
        read_mps(again, "t.mps")


def test_numbers_of_seventeen_digits_are_read():
    assert read_mps(TEXT.replace("0.1", "0.10000000000000001"), "t.mps").rows[2].terms == {("x",): Fraction(1, 10)}

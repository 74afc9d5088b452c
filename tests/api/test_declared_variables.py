"""All variables that a file declares are in its answer and its count, and no others; titles and notes are true."""

import itertools

import pytest

import gatesolve
from gatesolve.errors import InputError

XCSP3 = '<instance format="XCSP3" type="CSP">\n<variables>{}</variables>\n<constraints>{}</constraints>\n</instance>\n'
TASKS = '<array id="s" size="[3]"> 0..3 </array>'
NO_OVERLAP = "<noOverlap><origins> s[] </origins><lengths> 2 1 1 </lengths></noOverlap>"
COUNTS = "<cardinality><list> s[] </list><values> 0 1 </values><occurs> 1..2 0..1 </occurs></cardinality>"


def apart(s):
    return all(a + w <= b or b + v <= a for (a, w), (b, v) in itertools.combinations(zip(s, (2, 1, 1), strict=True), 2))


def count(rule, values=4):
    return sum(map(rule, itertools.product(range(values), repeat=3)))


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("text", "names", "solutions"),
    [
        ("p cnf 4 2\n1 2 0\n-1 2 0\n", ["x1", "x2", "x3", "x4"], 8),
        ("p cnf 40 2\n1 2 0\n-1 2 0\n", [f"x{k}" for k in range(1, 41)], 1 << 39),
        ("* #variable= 4 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n", ["x1", "x2", "x3", "x4"], 12),
        (
            "var 0..2: x;\nvar bool: X_INTRODUCED_1_;\nvar 0..3: y;\nconstraint int_le(x,1);\nsolve satisfy;\n",
            ["x", "y"],
            8,
        ),
        (
            XCSP3.format('<var id="x"> 1..3 </var><var id="y"> 5..7 </var>', "<intension> le(x,2) </intension>"),
            ["x", "y"],
            6,
        ),
        (XCSP3.format(TASKS, NO_OVERLAP), ["s[0]", "s[1]", "s[2]"], count(apart)),
        (
            XCSP3.format(TASKS, COUNTS),
            ["s[0]", "s[1]", "s[2]"],
            count(lambda s: 1 <= s.count(0) <= 2 and s.count(1) <= 1),
        ),
    ],
)  # fmt: skip
def test_all_declared_variables_and_no_others(text, names, solutions):
    result = gatesolve.solve(text)
    assert list(result.solution) == names
    assert result.as_dict()["solution"] == result.solution
    assert result.as_dict()["solutions"] == solutions


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p cnf 999999999 1\n1 2 0\n", "row 1: 999999999 variables declared, and at most 16384 are supported"),
        (
            XCSP3.format('<array id="s" size="[20000000]"> 0..3 </array>', "<intension> le(s[0],2) </intension>"),
            "20000000 variables declared",
        ),
        ("* #variable= 4 #constraint= 1\n+1 a +1 b >= 1 ;\n", "2 variables, but the header declares 4"),
    ],
)
def test_too_many_or_nameless_variables_are_refused(text, said):
    with pytest.raises(InputError, match=said):
        gatesolve.solve(text)


def test_no_note_says_that_any_value_will_do():
    for text, status in (
        ("p wcnf 2 3\n1 1 0\n2 -1 0\n3 2 0\n", "solved"),
        ("Minimize\n o: x + y\nSubject To\n c: x + y >= 3\nBinary\n x y\nEnd\n", "infeasible"),
    ):
        result = gatesolve.solve(text)
        assert result.status == status
        assert not any("any value will do" in note for note in result.notes)
        assert status == "solved" or not any("can be checked without" in note for note in result.notes)


def test_a_file_that_is_refuted_while_it_is_read_keeps_its_name(tmp_path):
    path = tmp_path / "half.lp"
    path.write_text("Minimize\n x\nSubject To\n f: x - y = 0.5\nBinary\n x y\nEnd\n")
    result = gatesolve.solve(path)
    assert (result.status, result.problem.title) == ("infeasible", "half.lp")
    assert result.message == f"{path}: constraint f never holds: whole numbers do not add up to 1/2"

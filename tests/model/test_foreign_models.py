"""XCSP3 and FlatZinc: what they mean, what is refused, and that nothing of a program changes."""

import sys
from importlib.util import find_spec

import pytest

from gatesolve.errors import InputError, MissingExtraError, UnsupportedError
from gatesolve.model import find_optimum, find_solutions, foreign, from_cpmpy
from gatesolve.model.foreign import NEEDS, read_foreign

XML = """<instance format="XCSP3" type="COP">
  <variables>
    <var id="x"> 0..3 </var>
    <array id="y" size="[2]"> 1 3 </array>
  </variables>
  <constraints>
    <intension> lt(x,y[0]) </intension>
    <allDifferent> y[] </allDifferent>
  </constraints>
  <objectives> <maximize type="sum"> <list> x y[1] </list> <coeffs> 1 2 </coeffs> </maximize> </objectives>
</instance>
"""
FZN = """var 0..10: x; % not 1.5
var 0..10: y;
constraint int_lin_eq([1, 1], [x, y], 5);
solve maximize int_float_lin([2.0, 1.0], [], [y, x], []);
"""
needs = {name: pytest.mark.skipif(find_spec(package) is None, reason=package) for name, package in NEEDS.items()}


@needs["xcsp3"]
def test_xcsp3():
    given = list(sys.argv), list.__contains__, tuple.__contains__
    model = from_cpmpy(read_foreign(XML, "xcsp3", "f.xml"))
    assert {(s["x"], s["y[0]"], s["y[1]"]) for s in find_solutions(model)} == {
        (0, 1, 3),
        (0, 3, 1),
        (1, 3, 1),
        (2, 3, 1),
    }
    assert find_optimum(model)[1] == 6
    assert (list(sys.argv), list.__contains__, tuple.__contains__) == given


@needs["xcsp3"]
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0..3", "red blue", "f.xml: CPMpy's reader of xcsp3 does not take it ("),
        ("0..3 </var>", "red </var>", "f.xml: CPMpy's reader of xcsp3 does not take it ("),
        (
            '<var id="x">',
            '<var id="x" type="symbolic">',
            "f.xml: CPMpy's reader of xcsp3 does not take it (it has no var_",
        ),
    ],
)
def test_what_the_reader_of_xcsp3_does_not_take(old, new, said, capfd):
    with pytest.raises(UnsupportedError) as caught:
        read_foreign(XML.replace(old, new), "xcsp3", "f.xml")
    assert str(caught.value).startswith(said)
    assert capfd.readouterr() == ("", ""), "PyCSP3 prints its faults"


@needs["xcsp3"]
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id="y"', 'id="x"', "f.xml, row 4: variable x is declared twice: take one out, or rename it"),
        ("lt(x,y[0])", "lt(x,z)", "f.xml, row 7: no variable is called z: mend it, or declare it with"),
        ("> y[] <", "> y[] q <", "f.xml, row 8: no variable is called q"),
        ("x y[1] <", "x w[1] <", "f.xml: CPMpy's reader of xcsp3 does not take it ("),
    ],
)
def test_variables_of_xcsp3_are_declared_once(old, new, said):
    with pytest.raises(InputError) as caught:
        read_foreign(XML.replace(old, new), "xcsp3", "f.xml")
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (XML[:200], "f.xml, row 8, column"),
        ("", "f.xml, row 1, column 1: not well-formed XML (no element found): the file is cut short, or mend it"),
        ("<svg/>", "f.xml: XML of 'svg', not of XCSP3: give a file with <instance ...>"),
    ],
)
def test_what_is_no_xcsp3(text, said):
    with pytest.raises(InputError) as caught:
        read_foreign(text, "xcsp3", "f.xml")
    assert str(caught.value).startswith(said)


@needs["fzn"]
def test_flatzinc(capfd):
    model = from_cpmpy(read_foreign(FZN, "fzn", "f.fzn"))
    assert find_optimum(model) == ({"x": 0, "y": 5}, 10)
    assert capfd.readouterr() == ("", ""), "SCIP prints"


@needs["fzn"]
@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (
            "constraint int_lin_le([1,2],[x,y],4);\nsolve satisfy;",
            {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1)},
        ),
        ("array [1..2] of int: a = [2,-3];\nconstraint int_lin_eq(a,[x,y],1);\nsolve satisfy;", {(2, 1)}),
        (
            "var bool: b;constraint bool_eq(b,true);constraint bool2int(b,x);constraint int_lt(x,y);solve satisfy;",
            {(1, 2)},
        ),
        ("var 2..2: z;\nconstraint int_le(z,y);\nconstraint int_eq(x,y);\nsolve satisfy;", {(2, 2)}),
    ],
)
def test_what_flatzinc_means(rows, found):
    model = from_cpmpy(read_foreign(f"var 0..2: x;\nvar 0..2: y;\n{rows}\n", "fzn", "f.fzn"))
    assert {(s["x"], s["y"]) for s in find_solutions(model)} == found


@needs["fzn"]
def test_flatzinc_in_one_line_without_an_end():
    """Of which SCIP takes the first statement; and it has a variable 'true', which is not the file's."""
    text = "var 0..3: x; var bool: b; constraint int_le(3,x); constraint bool_eq(b,true); solve satisfy;"
    assert find_solutions(from_cpmpy(read_foreign(text, "fzn", "f.fzn"))) == [{"b": 1, "x": 3}]


@needs["fzn"]
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "var 0..3: BV1;\nconstraint int_le(BV1,3);\nsolve satisfy;\n",
            "f.fzn: BV1: CPMpy keeps names that start with IV",
        ),
        (
            "var 0..3: x;\nconstraint int_le(x,3;\nsolve satisfy;\n",
            "f.fzn, row 2: SCIP, which reads FlatZinc, does not ",
        ),
        (
            "var bool: x;\nconstraint int_lin_eq([9007199254740993],[x],9007199254740992);\nsolve satisfy;\n",
            "f.fzn: SCIP rounds numbers from 2^53 on, as 9.0072e+15: divide the row by a common number, or write it as",
        ),
        ("", "f.fzn: no 'solve' statement: the file is cut short, or add 'solve satisfy;'"),
        ("var 0..", "f.fzn: no 'solve' statement"),
        ("var 0..3: x;\nconstraint int_ne(x, 2);\nsolve satisfy;\n", "does not take it (constraints with 'not equal'"),
        ("var {1,3}: x;\nsolve satisfy;\n", "does not take it (sets are not supported yet)"),
        (FZN.replace("lin_eq", "_eq"), "f.fzn: SCIP, which reads FlatZinc, does not take it ("),
        (FZN.replace("int_lin_eq([1, 1], [x, y]", "int_times(x, y"), "(constraints that SCIP calls nonlinear)"),
        (
            "var int: x;\nconstraint int_le(x,3);\nsolve satisfy;\n",
            "variable x has no bounds: declare it as 'var 0..9: x'",
        ),
    ],
)
def test_what_is_not_read_of_flatzinc(text, said, capfd):
    with pytest.raises(InputError) as caught:
        read_foreign(text, "fzn", "f.fzn")
    assert said in str(caught.value)
    assert capfd.readouterr() == ("", ""), "SCIP prints its faults"


@needs["fzn"]
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("var 0.0..3.0: x;\nconstraint float_lin_eq([2.0],[x],1.0);\nsolve satisfy;\n", "variable x is a real number"),
        ("var 0..3: x;\nconstraint float_lin_le([5E-1],[x],5E-1);\nsolve maximize x;\n", "0.5 is no whole number"),
        ('var 0..3: x :: foo("50% a");\nconstraint int_le(x,2);\nsolve maximize x;\n', "expected lower bound value"),
    ],
)
def test_what_flatzinc_would_lose_is_refused(text, said):
    with pytest.raises(UnsupportedError, match=said):
        read_foreign(text, "fzn", "f.fzn")


@needs["fzn"]
def test_comments_of_flatzinc_may_hold_quotes():
    text = 'var 0..3: x; % 50 "a\nconstraint int_le(x,2); % "b" %c\nsolve maximize x;\n'
    assert find_solutions(from_cpmpy(read_foreign(text, "fzn", "f.fzn"))) == [{"x": k} for k in range(3)]


@needs["fzn"]
@pytest.mark.parametrize(
    "line", ['var 0..3: x :: foo("var q: r");', "var 0..3: x;\narray [1..1] of  var 0..3: z = [x];"]
)
def test_flatzinc_declares_no_variable_in_a_string_or_by_an_array(line):
    model = from_cpmpy(read_foreign(f"{line}\nconstraint int_le(x,2);\nsolve maximize x;\n", "fzn", "f.fzn"))
    assert {s["x"] for s in find_solutions(model)} == {0, 1, 2}


def test_decimals_of_flatzinc_are_not_cut_off():
    with pytest.raises(UnsupportedError, match=r"f.fzn, row 4: 2.5 is no whole number"):
        read_foreign(FZN.replace("2.0", "2.5"), "fzn", "f.fzn")


@pytest.mark.parametrize(("kind", "text"), [("xcsp3", XML), ("fzn", FZN)])
def test_a_package_that_is_missing_is_named(monkeypatch, kind, text):
    monkeypatch.setattr(foreign, "find_spec", lambda name: None)
    with pytest.raises(
        MissingExtraError, match=rf"f: {kind} is read with {NEEDS[kind]}, which is not installed: run pip"
    ):
        read_foreign(text, kind, "f")

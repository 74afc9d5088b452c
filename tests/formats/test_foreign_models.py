"""XCSP3: what it means, what is refused, and that nothing of a program changes."""

import sys
from importlib.util import find_spec

import pytest

from gatesolve.errors import InputError, MissingExtraError, UnsupportedError
from gatesolve.formats import (
    NEEDS,
    from_cpmpy,
    read_file,
    read_foreign,
)
from gatesolve.model import find_optimum, find_solutions

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
needs = {name: pytest.mark.skipif(find_spec(package) is None, reason=package) for name, package in NEEDS.items()}


@needs["xcsp3"]
def test_xcsp3():
    given = list(sys.argv), list.__contains__, tuple.__contains__
    model = from_cpmpy(read_foreign(XML, "xcsp3", "f.xml").model)
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
        ("x y[1] <", "x w[1] <", "f.xml, row 10: CPMpy's reader of xcsp3 does not take it ("),
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


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(read_file, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="f: xcsp3 is read with pycsp3, which is not installed: run pip"):
        read_foreign(XML, "xcsp3", "f")

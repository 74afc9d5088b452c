"""XCSP3: what it means, what is refused, and that nothing of a program changes."""

import sys
from importlib.util import find_spec

import pytest

from gatesolve.errors import MissingExtraError
from gatesolve.formats import from_cpmpy, read_foreign
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


@pytest.mark.skipif(find_spec("pycsp3") is None, reason="pycsp3")
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


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr("gatesolve.formats.files.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="f: xcsp3 is read with pycsp3, which is not installed: run pip"):
        read_foreign(XML, "xcsp3", "f")

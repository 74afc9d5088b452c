"""XCSP3: elements and attributes that are not read are named with their row, none is passed over."""

from importlib.util import find_spec

import pytest

from gatesolve.errors import UnsupportedError
from gatesolve.formats import read_foreign

pytestmark = pytest.mark.skipif(find_spec("pycsp3") is None, reason="pycsp3")
TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<instance format="XCSP3" type="COP">
  <variables>
    <array id="x" size="[4]" note="n"> <domain for="x[0]">0 1</domain> <domain for="others"> 0 2..3 </domain> </array>
    <var id="y"> 0..3 </var>
  </variables>
  <constraints>
    <intension id="i" class="c"> lt(x[0],x[1]) </intension> <!-- <soft/> -->
    <block note="n" class="symmetryBreaking">
      <group> <sum><list>%...</list><condition>(le,6)</condition></sum><args>x[0..1]</args><args> x[] </args></group>
      <extension> <list> x[1] y </list> <supports> (2,1)(3,*) </supports> </extension>
    </block>
    <slide circular="false"> <list> x[] </list> <intension> le(%0,%1) </intension> </slide>
    <element> <list startIndex="0"> x[] </list> <index rank="any"> y </index> <value> 3 </value> </element>
    <cardinality> <list> x[] </list> <values closed="false"> 2 3 </values> <occurs> 0..2 1..3 </occurs> </cardinality>
    <regular><list>x[0] y</list><transitions>(a,0,a)(a,0,a)(a,1,b)</transitions>
    <start>a</start><final>a b</final></regular>
    <noOverlap zeroIgnored="true"> <origins> y x[0] </origins> <lengths> 1 1 </lengths> </noOverlap>
  </constraints>
  <objectives combination="lexico">
    <maximize type="sum"> <list> x[] y </list> <coeffs> 1 1 1 1 2 </coeffs> </maximize>
  </objectives>
  <annotations> <decision kind="any"> x[] </decision> </annotations>
</instance>
"""


def test_what_is_read():
    assert len(read_foreign(TEXT, "xcsp3", "f.xml").variables) == 5


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('type="COP"', 'type="WCSP"', "2: attribute type='WCSP' of <instance> is not read"),
        ('size="[4]"', 'size="[4]" startIndex="1"', "4: attribute startIndex='1' of <array> is not read"),
        ('id="i"', 'reifiedBy="y"', "8: attribute reifiedBy='y' of <intension> is not read"),
        ('id="i"', 'hreifiedFrom="y"', "8: attribute hreifiedFrom='y' of <intension> is not read"),
        ('id="i"', 'hreifiedTo="y"', "8: attribute hreifiedTo='y' of <intension> is not read"),
        ('id="i"', 'type="soft" cost="3"', "8: attribute type='soft' of <intension> is not read"),
        ("<extension>", '<extension type="hybrid-1">', "11: attribute type='hybrid-1' of <extension> is not read"),
        ('circular="false"', 'circular="2"', "13: attribute circular='2' of <slide> is not read"),
        ('startIndex="0"', 'startIndex="1"', "14: attribute startIndex='1' of <list> is not read"),
        ('rank="any"', 'rank="first"', "14: attribute rank='first' of <index> is not read"),
        ("<values closed", "<values covered", "15: attribute covered='false' of <values> is not read"),
        ("<args> x[] </args>", "<argv> x[] </argv>", "10: <argv> is not read"),
        (
            "</supports>",
            "</supports><conflicts>(2,1)</conflicts>",
            "11: <extension> that holds list supports conflicts",
        ),
        ("<value> 3 </value>", "<ends> 3 </ends>", "14: <ends> is not read"),
        ("<index", "x[0] <index", "14: text 'x[0]' beside the elements of <element> is not read"),
        ("(a,1,b)", "(a,0,b)", "16: <regular> with two ways on from one state by the same value is not read"),
        ("> 1 1 1 1 2 <", "> 1..5 <", "21: a range in <coeffs> is not read"),
        ("<value> 3 <", "<value> 9999999999999999999 <", "14: a number of 19 digits in <value> is not read"),
        ("0..2 1..3", "0..2 1..9999999999", "15: a list of 10000000002 values in <occurs> is not read"),
        ("> 1 1 1 1 2 <", "> 1x999999999 <", "21: a list of 999999999 values in <coeffs> is not read"),
        ("<slide", "<smart/>\n<slide", "13: <smart> is not read"),
        ("le(%0,%1)", "le(%0,%1) <list/>", "13: <intension> that holds list is not read"),
    ],
)
def test_what_is_not_read(old, new, said):
    assert TEXT.count(old) == 1
    with pytest.raises(UnsupportedError) as caught:
        read_foreign(TEXT.replace(old, new), "xcsp3", "f.xml")
    assert str(caught.value).startswith(f"f.xml, row {said}")
    assert str(caught.value).endswith(": write it otherwise, or the model in CPMpy")

"""XCSP3: elements and attributes that are not read are named with their row, none is passed over."""

from importlib.util import find_spec

import pytest

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

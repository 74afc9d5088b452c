"""XCSP3 constraints that CPMpy's reader takes otherwise than the format says, counted out, and what is read."""

from collections.abc import Callable
from importlib.util import find_spec
from itertools import product

import pytest

from gatesolve.errors import UnsupportedError
from gatesolve.formats import from_cpmpy, read_foreign
from gatesolve.model import find_solutions

pytestmark = pytest.mark.skipif(find_spec("pycsp3") is None, reason="pycsp3")
ROWS = ((0, 1, 2), (3, 2, 1))


def read(constraint: str, *domains: str):
    names = "abcde"[: len(domains)]
    variables = "".join(f'<var id="{n}"> {d} </var>' for n, d in zip(names, domains, strict=True))
    text = f"<instance><variables>{variables}</variables><constraints>{constraint}</constraints></instance>"
    found = read_foreign(text, "xcsp3", "f.xml")
    return from_cpmpy(found.model, declared=found.variables)


def one_cycle(*after: int, sizes: Callable[[int], bool] = lambda size: size > 1) -> bool:
    moved = [node for node, to in enumerate(after) if to != node]
    if sorted(after) != list(range(len(after))) or not moved:
        return False
    walk = [moved[0]]
    while after[walk[-1]] != walk[0]:
        walk.append(after[walk[-1]])
    return len(walk) == len(moved) and sizes(len(walk))


def packed(*bins: int) -> bool:
    return all(sum(size for size, one in zip((1, 2, 3), bins, strict=True) if one == each) <= 3 for each in range(4))


MEANT = {
    "stars": (
        "<extension><list>a b c</list><conflicts>(0,1,2)(*,3,3)</conflicts></extension>",
        ["0..3"] * 3,
        lambda a, b, c: (a, b, c) != (0, 1, 2) and (b, c) != (3, 3),
    ),
    "matrix": (
        "<element><matrix>(0,1,2)(3,2,1)</matrix><index>a b</index><value>c</value></element>",
        ["0..3"] * 3,
        lambda a, b, c: a < 2 and b < 3 and ROWS[a][b] == c,
    ),
    "matrix with a row that is a number": (
        "<element><matrix>(0,a,2)(a,2,1)</matrix><index>1 b</index><value>c</value></element>",
        ["0..2"] * 3,
        lambda a, b, c: (a, 2, 1)[b] == c,
    ),
    "matrix of variables": (
        "<element><matrix>(c,d,e)(e,d,c)</matrix><index>a b</index><condition>(gt,1)</condition></element>",
        ["0..1", "0..2", "0..2", "0..2", "0..2"],
        lambda a, b, c, d, e: ((c, d, e), (e, d, c))[a][b] > 1,
    ),
    "bins": (
        "<binPacking><list>a b c</list><sizes>1 2 3</sizes><condition>(lt,4)</condition></binPacking>",
        ["0..3"] * 3,
        packed,
    ),
    "a value named twice": (
        "<count><list>a b</list><values>1 1</values><condition>(eq,1)</condition></count>",
        ["0..1"] * 2,
        lambda a, b: a + b == 1,
    ),
    "a quotient of numbers": ("<intension>eq(a,div(-1,4))</intension>", ["-1..2"], lambda a: a == 0),
    "a remainder of numbers": ("<intension>eq(a,mod(-1,4))</intension>", ["-1..2"], lambda a: a == -1),
    "limits": (
        "<binPacking><list>a b</list><sizes>1 2</sizes><limits>2 c</limits></binPacking>",
        ["0..1", "0..1", "0..3"],
        lambda a, b, c: (1 - a) + 2 * (1 - b) <= 2 and a + 2 * b <= c,
    ),
    "loads": (
        "<binPacking><list>a b</list><sizes>1 2</sizes><loads>c 2</loads></binPacking>",
        ["0..1", "0..1", "0..3"],
        lambda a, b, c: (1 - a) + 2 * (1 - b) == c and a + 2 * b == 2,
    ),
    "circuit": ("<circuit>a b c d</circuit>", ["-1..3", "0..4", "0..3", "0..3"], one_cycle),
    "circuit of a size": (
        "<circuit><list>a b c</list><size>2</size></circuit>",
        ["0..2"] * 3,
        lambda *after: one_cycle(*after, sizes=lambda size: size == 2),
    ),
    "empty boxes": (
        "<noOverlap><origins>(a,b)(b,a)(a,b)</origins><lengths>(2,2)(2,2)(0,1)</lengths></noOverlap>",
        ["0..3"] * 2,
        lambda a, b: abs(a - b) >= 2,
    ),
    "boxes that may be empty": (
        "<noOverlap><origins>(a,b)(c,d)</origins><lengths>(2,2)(e,1)</lengths></noOverlap>",
        ["0..1", "0..1", "0..2", "0..1", "0..1"],
        lambda a, b, c, d, e: e == 0 or c >= a + 2 or c + e <= a or d >= b + 2 or d + 1 <= b,
    ),
    "no empty tasks": (
        '<noOverlap zeroIgnored="false"><origins>a b</origins><lengths>4 0</lengths></noOverlap>',
        ["0..4"] * 2,
        lambda a, b: a + 4 <= b or b <= a,
    ),
    "a root that is not named first": (
        "<mdd><list>a b</list><transitions>(m,1,t)(r,0,m)(n,2,t)(r,1,n)</transitions></mdd>",
        ["0..2"] * 2,
        lambda a, b: (a, b) in ((0, 1), (1, 2)),
    ),
    "tasks of which one has a variable length": (
        "<noOverlap><origins>a b</origins><lengths>2 c</lengths></noOverlap>",
        ["0..3", "0..3", "1..2"],
        lambda a, b, c: a + 2 <= b or b + c <= a,
    ),
    "channel of a value": (
        "<channel><list>a b c</list><value>d</value></channel>",
        ["0..1", "0..1", "0..1", "0..3"],
        lambda a, b, c, d: d < 3 and [a, b, c] == [int(i == d) for i in range(3)],
    ),
    "channel below 0": (
        "<channel><list>a b</list><list>c d e</list></channel>",
        ["-2..2"] * 5,
        lambda a, b, *back: a >= 0 and b >= 0 and back[a] == 0 and back[b] == 1,
    ),
    "precedence of all values": (
        "<precedence>a b</precedence>",
        ["0 2"] * 2,
        lambda a, b: a != 1 and b != 1 and a == 0,
    ),
    "values of a count": (
        "<count><list>a b</list><values>0 2..3 2</values><condition>(ge,2)</condition></count>",
        ["0..3"] * 2,
        lambda a, b: a != 1 and b != 1,
    ),
    "values of a count that are variables": (
        "<count><list>a b</list><values>c 1 d</values><condition>(eq,1)</condition></count>",
        ["0..2"] * 4,
        lambda a, b, c, d: (a in {c, 1, d}) + (b in {c, 1, d}) == 1,
    ),
    "no sum": ("<sum><list>a b</list><condition>(notin,0..2)</condition></sum>", ["0..1"] * 2, lambda a, b: False),
    "a least and a greatest number in and outside sets": (
        "<minimum><list>a b</list><condition>(in,{0,2})</condition></minimum>"
        "<maximum><list>a b</list><condition>(notin,1..2)</condition></maximum>",
        ["0..3"] * 2,
        lambda a, b: min(a, b) in (0, 2) and max(a, b) not in (1, 2),
    ),
    "a knapsack in an interval": (
        "<knapsack><list>a b</list><weights>1 2</weights><condition>(in,1..3)</condition>"
        "<profits>2 1</profits><condition>(notin,{2})</condition></knapsack>",
        ["0..2"] * 2,
        lambda a, b: 1 <= a + 2 * b <= 3 and 2 * a + b != 2,
    ),
    "no supports": ("<extension><list>a b</list><supports> </supports></extension>", ["0..1"] * 2, lambda a, b: False),
    "a sum in an interval of one": (
        "<sum><list>a b</list><condition>(in,3..3)</condition></sum>",
        ["0..3"] * 2,
        lambda a, b: a + b == 3,
    ),
    "a number in a sum": (
        "<sum><list>a 2 add(b,1)</list><coeffs>1 2 b</coeffs><condition>(notin,{ 5 , 7})</condition></sum>",
        ["0..2"] * 2,
        lambda a, b: a + 4 + b * (b + 1) not in (5, 7),
    ),
    "in no value": ("<sum><list>a b</list><condition>(in,{})</condition></sum>", ["0..1"] * 2, lambda a, b: False),
    "several values apart": (
        "<nValues><list>a b c</list><except>0 2</except><condition>(ge,2)</condition></nValues>",
        ["0..3"] * 3,
        lambda a, b, c: len({a, b, c} - {0, 2}) >= 2,
    ),
    "an index that is a number": (
        "<element><list>a b</list><index>1</index><condition>(in,1..2)</condition></element>",
        ["0..3"] * 2,
        lambda a, b: b in (1, 2),
    ),
    "a channel of 0 and 1": (
        "<channel><list>a b</list><list>c d</list></channel>",
        ["0..1"] * 4,
        lambda a, b, c, d: a != b and (c, d) == (a, b),
    ),
    "no conflicts": (
        "<extension><list>a b</list><conflicts> </conflicts></extension>",
        ["0..1"] * 2,
        lambda a, b: True,
    ),
    "rows of one": (
        "<extension><list>a</list><supports>( 1 )(3)</supports></extension>",
        ["0..3"],
        lambda a: a in (1, 3),
    ),
    "a star between spaces": (
        "<extension><list>a b</list><supports>( 1, * ) (*,2)</supports></extension>",
        ["0..3"] * 2,
        lambda a, b: a == 1 or b == 2,
    ),
    "windows at a distance": (
        '<slide><list offset="2">a b c d e</list><intension>lt(%0,%1)</intension></slide>',
        ["0..1"] * 5,
        lambda a, b, c, d, e: a < b and c < d,
    ),
    "windows round about": (
        '<slide circular="true"><list offset="2">a b c</list><intension>ne(%0,%1)</intension></slide>',
        ["0..1"] * 3,
        lambda a, b, c: a != b and c != a,
    ),
    "windows of two lists": (
        '<slide><list collect="2">a b c</list><list offset="2">d b e</list>'
        "<intension>lt(add(%0,%1),%2)</intension></slide>",
        ["0..2"] * 5,
        lambda a, b, c, d, e: a + b < d and b + c < e,
    ),
    "windows of a condition": (
        "<slide><list>a b c</list><sum><list>%0</list><condition>(lt,%1)</condition></sum></slide>",
        ["0..2"] * 3,
        lambda a, b, c: a < b < c,
    ),
    "intervals of a group": (
        "<group><sum><list>%0 %1</list><condition>(in,%2)</condition></sum>"
        "<args>a b 1..2</args><args>b 1 2..2</args></group>",
        ["0..2"] * 2,
        lambda a, b: a + b in (1, 2) and b == 1,
    ),
}
TRUTHS = {
    "or(eq(a,b),in(1,set(3)))": lambda a, b: a == b,
    "not(in(a,set()))": lambda a, b: True,
    "in(b,set(a,add(a,2)))": lambda a, b: b in (a, a + 2),
    "notin(b,set(1,a))": lambda a, b: b not in (1, a),
    "and(a,not(0))": lambda a, b: a == 1,
    "imp(1,lt(a,b))": lambda a, b: a < b,
    "iff(a,0,lt(b,a))": lambda a, b: a == 0,
    "xor(a,1,eq(b,2))": lambda a, b: (a + 1 + (b == 2)) % 2 == 1,
    "if(1,eq(a,0),eq(b,0))": lambda a, b: a == 0,
    "if(lt(b,2),a,1)": lambda a, b: b >= 2 or a == 1,
    "eq(add(lt(1,2),a),b)": lambda a, b: 1 + a == b,
    "eq(mul(in(1,set(1)),b),a)": lambda a, b: a == b,
    "not(eq(a,b,1))": lambda a, b: not a == b == 1,
    "lt(min(a,b,a),b)": lambda a, b: a < b,
    "gt(b,max(a,1,a))": lambda a, b: b > 1,
    "eq(a,or(lt(b,1),eq(b,2)))": lambda a, b: a == (b in (0, 2)),
    "or(0,lt(1,0))": lambda a, b: False,
}
MEANT |= {tree: (f"<intension>{tree}</intension>", ["0..1", "0..3"], holds) for tree, holds in TRUTHS.items()}


@pytest.mark.parametrize("name", MEANT)
def test_what_a_constraint_means(name):
    constraint, domains, holds = MEANT[name]
    model = read(constraint, *domains)
    found = {tuple(solution[v] for v in "abcde"[: len(domains)]) for solution in find_solutions(model)}
    assert found == {values for values in product(range(-2, 5), repeat=len(domains)) if taken(domains, values, holds)}


def taken(domains, values, holds):
    for domain, value in zip(domains, values, strict=True):
        low, _, high = domain.partition("..")
        if value not in (range(int(low), int(high) + 1) if high else map(int, domain.split())):
            return False
    return holds(*values)


@pytest.mark.parametrize(
    ("constraint", "said"),
    [
        ("<intension>ne(a,b,c)</intension>", "ne expected 2 arguments, got 3"),
        ("<sum><list>a b c</list><coeffs>2</coeffs><condition>(eq,4)</condition></sum>", "a list of 1 where 3 are"),
        (
            "<binPacking><list>a b c</list><sizes>2</sizes><condition>(le,3)</condition></binPacking>",
            "a list of 1 where",
        ),
        (
            "<binPacking><list>a b</list><sizes>1 2</sizes><limits>3 3</limits></binPacking>",
            "binPacking with an item in",
        ),
        (
            "<slide><list>a b</list><sum><list>%...</list><condition>(le,3)</condition></sum></slide>",
            "a slide with %...",
        ),
        ("<intension>and(a,b)</intension>", "a where a truth is needed, 0 or 1"),
        ("<intension>eq(pow(a,63),b)</intension>", "pow with the exponent 63, beyond 62"),
        ("<sum><list>a b</list><condition>(in,3)</condition></sum>", "row 1: CPMpy's reader of xcsp3 does not"),
        ('<slide><list collect="3">a b c</list><intension>lt(%0,%1)</intension></slide>', "slide collects 3, and its"),
    ],
)
def test_what_would_be_read_otherwise(constraint, said):
    with pytest.raises(UnsupportedError, match="CPMpy's reader of xcsp3 does not support it") as caught:
        read(constraint, "0..3", "0..3", "0..3")
    assert said in str(caught.value)


def test_an_objective_has_a_coefficient_for_each_term():
    text = (
        '<instance><variables><array id="x" size="[3]"> 0..3 </array></variables><objectives><minimize type="sum">'
        "<list>x[]</list><coeffs>2</coeffs></minimize></objectives></instance>"
    )
    with pytest.raises(UnsupportedError, match="a list of 1 where 3 are needed"):
        read_foreign(text, "xcsp3", "f.xml")


def test_an_objective_may_have_no_coefficients():
    text = (
        '<instance><variables><var id="a"> 0..2 </var><var id="b"> 0..2 </var></variables>'
        '<objectives><maximize type="sum"><list>a mul(a,b) 1</list></maximize></objectives></instance>'
    )
    objective = from_cpmpy(read_foreign(text, "xcsp3", "f.xml").model).objective
    assert [objective.value({"a": a, "b": b}) for a in range(3) for b in range(3)] == [1, 1, 1, 2, 3, 4, 3, 5, 7]


def test_a_value_that_is_counted_twice_has_both_numbers():
    names, values = " ".join("abcde"), "<values>0 1 1</values>"
    for text, number in (("1 4 0", 0), ("1 4 4", 5)):
        constraint = f"<cardinality><list>{names}</list>{values}<occurs>{text}</occurs></cardinality>"
        assert len(find_solutions(read(constraint, *["0..1"] * 5))) == number


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

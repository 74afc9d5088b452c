"""One clear line for each fault of a file of any format: it names the file, the row and column where there are such.

A row of the table is a text and how its refusal begins, behind the file's name.
"""

from importlib.util import find_spec
from pathlib import Path

import pytest
from test_foreign_models import XML as SMALL
from test_mps import TEXT as MPS
from test_qplib import CUT, ROWS
from test_sparse_text import CUT as GRAPH
from test_xcsp3_callbacks import TEXT as XML

from gatesolve.api import as_problem, read_problem
from gatesolve.errors import InputError
from gatesolve.files import MODEL_FORMATS

X = "var 0..3: x;\n"
ANY = "solve satisfy;\n"
LP = "Minimize\n obj: {}\nSubject To\n {}\nBinary\n a b\n{}"
LONG = "9" * 309


def npy(header):
    """A file of numpy's with any header, and a few entries."""
    return b"\x93NUMPY\1\0" + (len(header) + 1).to_bytes(2, "little") + header.encode() + b"\n" + bytes(32)


FAULTS = {
    "fzn": [
        ("", "no 'solve' statement: the"),
        (X + ANY + ANY, "row 3: a second 'solve' statement"),
        (f"{X}constraint int_le(x,\n3", "row 2, column 1: a statement without its"),
        (f"{X}constraint int_le(x,3;{ANY}", "row 2, column 22: ',' is missing before"),
        (f"{X}constraint int_le(x,#);{ANY}", "row 2, column 21: '#);solve' has no meaning"),
        ("vra 0..3: x;", "row 1, column 1: 'vra' where a type"),
        ("var 0: x;", "row 1, column 6: ':' where a type"),
        (f"{X}constraint int_le(y, 3);{ANY}", "row 2: y is not declared"),
        (f"{X}{X}{ANY}", "row 2: x is declared twice"),
        (f"int: n;{ANY}", "row 1: n has no value"),
        ("var 3..0: x;" + ANY, "row 1: variable x has no"),
        ("var 0..3: BV1;" + ANY, "row 1: BV1: CPMpy reserves names"),
        (f"{X}constraint int_lin_eq([1],[x, x],3);{ANY}", "row 2: the arrays of int_lin_eq"),
        (f"{X}constraint int_eq(x);{ANY}", "row 2: the arguments of int_eq"),
        (f"{X}constraint int_le_reif(x, 1, x);{ANY}", "row 2: the last argument of"),
        (f"{X}constraint regular([x], 1, 2, [1], 1, {{1}});{ANY}", "row 2: 1 steps for 1"),
        (f"{X}constraint global_cardinality([x], [1, 1], [x, x]);{ANY}", "row 2: a value is counted"),
        ("var float: x;" + ANY, "row 1: variable x is a"),
        ("\nfloat: x = 2.5;" + ANY, "row 2: 2.5 is not a whole"),
        ("var set of 1..3: s;" + ANY, "row 1: variable s is a"),
        ("var int: x;" + ANY, "row 1: variable x has no"),
        (f"{X}constraint int_lin_le([1e20],[x],1);{ANY}", "row 2: 1e20 is more than"),
        ("var 0..70000: x;" + ANY, "row 1: variable x reaches over"),
        (f"{X}constraint\nfzn_foo(x);{ANY}", "row 3: constraint fzn_foo is not"),
        (f"{X}solve minimize foo(x);", "row 2: objective foo is not"),
        (f"{X}var 0..99: y;constraint int_pow(x, y, 3);{ANY}", "row 2: exponents are read up"),
    ],
    "opb": [
        ("", "no constraints: write one"),
        ("+1 x1 >= 1\n", "row 1, column 1: a statement without its"),
        ("+1 x1 >= 1.5 ;\n", "row 1, column 11: '.' where ';' should"),
        ("+1 >= 1 ;\n", "row 1, column 4: '>=' where a term"),
        (">= 1 ;\n", "row 1, column 1: '>=' where a term"),
        ("soft: 5 ;\n[2] x1 >= 1 ;\n", "row 1, column 1: 'soft:' is not allowed"),
        ("* #variable= 1 #constraint= 1\nx1 y >= 0 ;\n", "row 1: 2 variables, but the header"),
    ],
    "cnf": [
        ("", "no clauses: write one"),
        ("p cnf 2 1\n1 2\n", "row 2: no 0 ends this clause"),
        ("p cnf 2 1\n1 x 0\n", "row 2, column 3: 'x' is not a"),
        ("p cnf 1 1\np cnf 1 1\n1 0\n", "row 2, column 1: 'p' is not a"),
        ("p wcnf 2 1 9\n1.5 1 2 0\n", "row 2, column 1: '1.5' is not a"),
        (b"p cnf 1 1\n\0", "a binary file, not"),
        (b"c" * ((1 << 20) + 1), "more than 1 MiB: give"),
    ],
    "mps": [
        (MPS.replace(" UI B z 2\n", ""), "row 13: integer variable z has"),
        (MPS.replace("ENDATA\n", ""), "OR-Tools does not read"),
        (MPS.replace("z c1 3 c3 2", "z c1 3 c9 2"), "row 13: row 'c9' is not"),
        (MPS + " z c2 1\n", "row 26: 'z c2 1' after 'ENDATA'"),
        (MPS.replace("ROWS\n N", "ROWS N"), "row 9: row 'obj' is not"),
        (MPS.replace("RANGES", "QUADOBJ"), "row 18: section 'QUADOBJ' is not"),
        (MPS.replace("COLUMNS\n", "COLUMNS\n r c1 1\n"), "row 9: variable r is real"),
        (MPS.replace("obj 3", "obj 1e400"), "a coefficient is -inf"),
        (MPS.replace("UP B x 4", "UP B x -4"), "row 10: variable x is at"),
        (MPS.replace("UP B x 4", "SC B x 4"), "row 21: bounds of kind 'SC'"),
        (MPS.replace("obj 3 c1 7.5", "c1 -inf"), "row c1 must be"),
        (MPS.replace("c1 3 c3", "c1 9007199254740993 c3"), "row 13: '9007199254740993' has more digits"),
        (MPS.replace("0.1", "0.100000000000000001"), "row 11: '0.100000000000000001' has more digits"),
        (MPS.replace("c1 7.5", "c1 -9007199254740992"), "range of row c1"),
        (MPS.replace(" y obj", " x c1 1\n y obj"), "row 12: a second entry for"),
        (MPS.replace(" z c1 3 c3 2", " z c1 3 c1 2"), "row 13: a second entry for"),
        (MPS.replace(" UI B z 2", " UI C z 2"), "row 24: a second set 'C'"),
        (MPS.replace(" G c2", " g c2"), "row 6: row kind 'g' is"),
        (MPS.replace(" R c2 -1", " $ c2 -1"), "row 17: '$' may begin a"),
        (MPS.replace("NAME t", "NAME t\nOBJSENSE MAX\n MIN"), "row 4: a second sense: remove"),
    ],
    "qplib": [
        (CUT.replace("QBN", "QCN"), "row 3: all variables are real"),
        (CUT.replace("QBN", "XBN"), "row 3: kind 'XBN' is not"),
        (CUT.replace("Maximize", "largest"), "row 4: sense 'largest' is neither"),
        (CUT.replace("2 1 -4", "2 4 -4"), "row 8: '4' is not an"),
        (CUT.replace("3 3 2", "1 2 2"), "row 9: a second entry for"),
        (CUT.replace("2 1 -4", "2 1"), "row 8: 2 words in a line of quadratic terms"),
        (CUT[: CUT.index("0.5")], "the file ends before"),
        (ROWS.replace("3\n0\n", "1e20\n0\n"), "integer variable x1 has"),
    ],
    "mc": [
        ("", "empty: write a problem"),
        ("# only\n", "row 1: no counts: write 'n"),
        ("2\n" + GRAPH + GRAPH, "row 1: 2 problems in one"),
        ("3 2\n1 2 3\n", "1 lines 'i j"),
        ("3 1\n1 4 3\n", "row 2: '1 4', of 3"),
        ("3 2\n1 2 3\n2 1 3\n", "row 3: the pair 2 1"),
        ("3 1\n1 1 3\n", "row 2: an edge from a"),
        ("3 1\n1 2\n", "row 2: 2 words: write 'i"),
        ("1000000 1\n1 2 1\n", "row 1: 1000000 variables, and at most"),
    ],
    "xml": [
        (XML.replace('type="COP"', 'type="WCSP"'), "row 2: attribute type='WCSP' of <instance>"),
        (XML.replace('size="[4]"', 'size="[4]" startIndex="1"'), "row 4: attribute startIndex='1' of <array>"),
        (XML.replace('id="i"', 'reifiedBy="y"'), "row 8: attribute reifiedBy='y' of <intension>"),
        (XML.replace('id="i"', 'hreifiedFrom="y"'), "row 8: attribute hreifiedFrom='y' of <intension>"),
        (XML.replace('id="i"', 'hreifiedTo="y"'), "row 8: attribute hreifiedTo='y' of <intension>"),
        (XML.replace('id="i"', 'type="soft" cost="3"'), "row 8: attribute type='soft' of <intension>"),
        (XML.replace("<extension>", '<extension type="hybrid-1">'), "row 11: attribute type='hybrid-1' of <extension>"),
        (XML.replace('circular="false"', 'circular="2"'), "row 13: attribute circular='2' of <slide>"),
        (XML.replace('startIndex="0"', 'startIndex="1"'), "row 14: attribute startIndex='1' of <list>"),
        (XML.replace('rank="any"', 'rank="first"'), "row 14: attribute rank='first' of <index>"),
        (XML.replace("<values closed", "<values covered"), "row 15: attribute covered='false' of <values>"),
        (XML.replace("<args> x[] </args>", "<argv> x[] </argv>"), "row 10: <argv> is not read"),
        (XML.replace("</supports>", "</supports><conflicts>(2,1)</conflicts>"), "row 11: <extension> that holds list"),
        (XML.replace("<value> 3 </value>", "<ends> 3 </ends>"), "row 14: <ends> is not read"),
        (XML.replace("<index", "x[0] <index"), "row 14: text 'x[0]' beside the"),
        (XML.replace("(a,1,b)", "(a,0,b)"), "row 16: <regular> with two ways"),
        (XML.replace("> 1 1 1 1 2 <", "> 1..5 <"), "row 21: a range in <coeffs>"),
        (XML.replace("<value> 3 <", "<value> 9999999999999999999 <"), "row 14: a number of 19"),
        (XML.replace("0..2 1..3", "0..2 1..9999999999"), "row 15: a list of 10000000002"),
        (XML.replace("> 1 1 1 1 2 <", "> 1x999999999 <"), "row 21: a list of 999999999"),
        (XML.replace("<slide", "<smart/>\n<slide"), "row 13: <smart> is not read"),
        (XML.replace("le(%0,%1)", "le(%0,%1) <list/>"), "row 13: <intension> that holds list"),
        (SMALL.replace("0..3", "red blue"), "CPMpy's reader of xcsp3"),
        (SMALL.replace("0..3 </var>", "red </var>"), "CPMpy's reader of xcsp3"),
        (SMALL.replace('<var id="x">', '<var id="x" type="symbolic">'), "CPMpy's reader of xcsp3"),
        (SMALL.replace('id="y"', 'id="x"'), "row 4: variable x is declared"),
        (SMALL.replace("lt(x,y[0])", "lt(x,z)"), "row 7: no variable is called"),
        (SMALL.replace("> y[] <", "> y[] q <"), "row 8: no variable is called"),
        (SMALL.replace("x y[1] <", "x w[1] <"), "row 10: CPMpy's reader of xcsp3"),
        (SMALL[:200], "row 8, column 5: not well-formed XML (unclosed"),
        ("<instance", "row 1, column 1: not well-formed XML"),
        ("<svg/>", "XML of 'svg', not"),
    ],
    "qubo": [
        ("", "empty: write a problem"),
        ("# nothing\n", "no terms: write one"),
        (b"\x00\x01\x02", "a binary file, not"),
        (b"0 0 1\n\xff\xfe\n", "row 2: not UTF-8 text: save"),
        ("0 0 1\n0 1 nan\n", "row 2, column 3: the weight is nan"),
        ("0 0 1e999\n", "row 1, column 3: the weight '1e999' is"),
        ("0 0 heavy\n", "row 1, column 3: 'heavy' is not a"),
        ("0 x 1\n", "row 1, column 2: 'x' is not a"),
        ("a 1 1\n", "row 1, column 2: '1' is not a variable"),
        ("0 -1 1\n", "row 1, column 2: '-1' is not a"),
        ("0 1\n", "row 1: 2 words, '0 1'"),
        ("1 1 1\n1 3 1\n", "no line contains variable"),
        ("0 1000000 1\n", "row 1, column 2: 1000001 variables, and at most"),
        ("p qubo 0 1000000 1 0\n0 0 1\n", "row 1, column 4: 1000000 variables, and at most"),
        ("# variables = 2\n0 2 1\n", "row 2, column 2: variable 2, but 2 are"),
        ("p qubo 0 2 2 1\n0 0 1\n1 1 1\n", "0 couplers, but the p"),
        ("p cnf 3 2\n1 2 0\n", "row 1: not a problem line"),
        ("p qubo 0 1 0 0\np qubo 0 1 0 0\n", "row 2: a second problem line"),
    ],
    "coo": [
        ("# vartype=TERNARY\n0 0 1\n", "row 1: unknown vartype 'TERNARY': write"),
        ("0 0 1e308\n1 1 1e308\n", "the coefficients add up"),
    ],
    "json": [
        ("{", "row 1, column 2: not one JSON object"),
        ("[" * 100_000, "JSON too deep or"),
        ("{}", 'no list "terms": write'),
        ('{"terms": [["a", 1]]}', 'term 1 is \'["a"'),
        ('{"terms": [[["a"], NaN]]}', "the weight of term"),
        ('{"terms": [[["a"], "x"]]}', "the weight of term"),
        ('{"terms": [[["a"], "1/0"]]}', "the weight of term"),
        ('{"variables": ["b"], "terms": [[["a"], 1]]}', "term 1 reads 'a'"),
        ('{"variables": ["b", "b"], "terms": []}', "\"variables\" names 'b' twice"),
        ('{"terms": [[["a"], 1]], "blocks": [{}]}', "block 1 is malformed"),
        ('{"format": "gatesolve-qubo-sidecar", "file": "p.coo"}', "this is the sidecar of 'p.coo'"),
        ('{"terms": [[["a\\ud800"], 1]]}', "JSON with half of"),
    ],
    "csv": [
        ("1,2\n3,4\n", "row 2, column 1: asymmetric: 3 here, 2"),
        ("1,2\n0\n", "row 2: 1 entries in a"),
        ("1e308,1e308\n1e308,1e308\n", "row 1, column 2: inf: give a finite"),
    ],
    "npy": [
        (b"no", "not a numpy file"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 1), }"), "not a numpy file"),
    ],
    "lp": [
        (
            LP.format("a", "", "Bounds\n 9223372036854775806 <= i <= 9223372036854775808\nGeneral\n i\nEnd"),
            "variable i takes values",
        ),
        (LP.format("a", "1e20 a - 1e20 b >= 1", "End"), "the constraint on a"),
        ("hello world", "row 1, column 1: 'hello' before the objective"),
        ("Minimize\n a\nBinary\n a\n", "row 4: no 'End': the file"),
        (LP.format("nan a", "a <= 1", "End"), "row 2, column 7: the coefficient is nan"),
        (LP.format("2 a +", "a <= 1", "End"), "row 3: a variable is missing"),
        (LP.format("2 a 3 b", "a <= 1", "End"), "row 2, column 11: no + or -"),
        (LP.format("a * b", "a <= 1", "End"), "row 2, column 9: a product outside brackets"),
        (LP.format("[ a * b", "a <= 1", "End"), "row 2, column 7: a bracket that is"),
        (LP.format("a", "a + b", "End"), "row 5: <=, >= or ="),
        (LP.format("a", "a <= b", "End"), "row 4, column 7: 'b' where a number"),
        (LP.format("a", "a + b >= inf", "End"), "row 4, column 2: nothing is >= inf"),
        (LP.format("a", "a | b", "End"), "row 4, column 4: '|' has no meaning"),
        (LP.format("a", "r: a + z <= 1", "End"), "row 4: variable z is real"),
        (LP.format("a", "r: a = 1 -> [ a * b ] <= 1", "End"), "row 4, column 2: constraint r is quadratic"),
        (LP.format("a", "r: a = 2 -> b <= 1", "End"), "row 4, column 9: '2' where 0 or"),
        (
            LP.format("a", "r: n = 1 -> b <= 1", "General\n n\nBounds\n n <= 2\nEnd"),
            "row 4, column 2: n before '->' is",
        ),
        (LP.format("a", "", "General\n i\nEnd"), "integer variable i has"),
        (LP.format("a", "", "SOS1\n s\nEnd"), "row 7: section 'SOS1' is not"),
        (LP.format("a", "", "SOS\n s: S3 :: a:1\nEnd"), "row 8, column 2: 'S3' where S1 or"),
        (LP.format("a", "", "SOS\n s: S1 a:1\nEnd"), "row 8, column 8: 'a' where :: should"),
        (LP.format("a", "", "SOS\n s: S1 :: a:1 a:2\nEnd"), "row 8, column 2: a twice in s"),
        (LP.format("a", "", "End\nMinimize\n"), "row 8: a second problem after"),
    ],
}
FAULTS["coo"] += [
    (f"0 0 1\n0 1 {LONG}\n", "row 2, column 3: the weight"),
    (f"# offset = {LONG}\n0 0 1\n", "row 1: the offset"),
]
FAULTS["qubo"] += [(f"p qubo 0 1 1 0\n0 0 {LONG}\n", "row 2, column 3: the weight")]
FAULTS["csv"] += [(f"{LONG},0\n0,1\n", "row 1, column 1: the entry")]
FAULTS["json"] += [(f'{{"terms": [[["a"], {one}]]}}', "the weight of term") for one in (LONG, f'"{LONG}/3"')]
FAULTS["lp"] += [(f"Minimize\n {LONG} a\nBinary\n a\nEnd\n", "row 2, column 2: the number")]


@pytest.mark.parametrize(("suffix", "number"), [(one, k) for one, rows in FAULTS.items() for k in range(len(rows))])
def test_faults_are_named_with_their_place(tmp_path, monkeypatch, capfd, suffix, number):
    content, said = FAULTS[suffix][number]
    if suffix == "xml" and find_spec("pycsp3") is None:
        pytest.skip("pycsp3")
    monkeypatch.chdir(tmp_path)
    path = Path(f"f.{suffix}")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        (as_problem if path.suffix in MODEL_FORMATS else read_problem)(path)
    assert str(caught.value).removeprefix(path.name).lstrip(",: ").startswith(said)
    assert str(caught.value).startswith(path.name)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")

"""Texts of strangers are read as the language reads them: where comments end, annotations, headers."""

import gzip

import pytest
from referee import BITS, judge_text

import gatesolve
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.model import Linear, Model
from gatesolve.proof import entry_gates
from gatesolve.proof.read_qasm import read_qasm

ONE = Model(BITS[:1], (Linear(((1, "x"),), "==", 1),))
TWO = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\n'
THREE = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[1] q;\n'


def judge(tmp_path, text):
    return judge_text(tmp_path, text, ONE).status


@pytest.mark.parametrize("head", [TWO, THREE])
@pytest.mark.parametrize("end", ["\r", "\0", "\v", "\f", "\x1a", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_no_other_reader_ends_a_comment_earlier(tmp_path, head, end):
    """Both readers refuse it: a carriage return ends a comment in OpenQASM 3, and none in OpenQASM 2."""
    text = f"{head}z q[0];\n// a note{end}x q[0];\n"
    for read in (lambda: judge(tmp_path, text), lambda: read_qasm(text)):
        with pytest.raises(InputError, match=r"row 5, column 10: (a carriage return|the character .*) inside a line"):
            read()


@pytest.mark.parametrize("head", [TWO, THREE])
def test_lines_may_end_in_both_characters(tmp_path, head):
    assert judge(tmp_path, (head + "// a note\nz q[0];\n").replace("\n", "\r\n")) == "proved"


@pytest.mark.parametrize("note", ["@note", "@a.b", "@_n x"])
def test_an_annotation_takes_its_line_whole(tmp_path, note):
    for head in (THREE, THREE.replace("OPENQASM 3.0;", "")):
        assert judge(tmp_path, f"{head}{note} /*\nz q[0];\n{note} */\nid q[0];\n") == "proved"
        assert judge(tmp_path, f"{head}{note} /*\nz q[0];\n{note} */\nz q[0];\n") == "refused"
    assert judge(tmp_path, f"{THREE}{note} // include gate z\nz q[0];\n") == "proved"
    with pytest.raises(InputError, match="no circuit that is read"):
        judge(tmp_path, f"{TWO}{note}\nz q[0];\n")


@pytest.mark.parametrize(("head", "other"), [(TWO, "stdgates"), (THREE, "qelib1")])
def test_only_the_file_that_qiskit_has_built_in_is_included(monkeypatch, tmp_path, head, other):
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{other}.inc").write_text("gate z a { }\n")
    with pytest.raises(InputError, match=r"row 2, column 1: only \w+\.inc is included"):
        judge(tmp_path, head.replace("qelib1" if head == TWO else "stdgates", other) + "z q[0];\n")


@pytest.mark.parametrize("head", [TWO, THREE])
@pytest.mark.parametrize("name", ["inc", "stdgates", "qelib1"])
def test_a_gate_may_have_a_word_of_the_include_as_its_name(tmp_path, head, name):
    assert judge(tmp_path, f"{head}gate {name} a {{ z a; }}\n{name} q[0];\n") == "proved"


def test_a_gate_of_which_copies_of_qelib1_differ_is_refused(tmp_path):
    with pytest.raises(InputError, match="row 4, column 1: gate c3sqrtx differs in its phase"):
        judge(tmp_path, TWO.replace("q[1]", "q[4]") + "c3sqrtx q[0],q[1],q[2],q[3];\n")
    head = TWO.replace("q[1]", "q[2]")
    with pytest.raises(InputError, match="row 4, column 1: gate cu3 differs in its phase"):
        judge(tmp_path, f"{head}cu3(0,0,pi) q[0],q[1];\n")
    text = f"{head}gate cu3(a,b,c) x,y {{ cu1(c) x,y; }}\ncu3(0,0,pi) q[1],q[0]; z q[0];\n"
    assert judge(tmp_path, text) == "proved"


def test_physical_qubits_are_numbered(tmp_path):
    text = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nz $0;\ncx $0, $1;\ncx $0, $1;\n'
    assert judge(tmp_path, text) == "proved"


@pytest.mark.parametrize("word", ["pragma", "#pragma"])
def test_a_pragma_is_refused_wherever_its_comment_ends(tmp_path, word):
    with pytest.raises(InputError, match="row 4, column 1: pragma is not judged"):
        judge(tmp_path, f"{THREE}{word} note /*\nz q[0];\n{word} */\n")


def test_a_register_may_be_called_pragma_in_openqasm_2(tmp_path):
    text = f"{TWO.replace('q[1]', 'pragma[1]')}id pragma[0]; x pragma[0]; z pragma[0];\n"
    assert judge(tmp_path, text) == "refused"


@pytest.mark.parametrize("word", ["barrier", "reset", "measure", "opaque", "pi", "sin"])
def test_a_gate_has_no_word_of_openqasm_2_for_a_name(tmp_path, word):
    with pytest.raises(InputError, match=f"row 4, column 6: {word} is a word of OpenQASM"):
        judge(tmp_path, f"{TWO}gate {word} a {{ z a; }}\n{word} q[0];\n")


def test_names_of_gates_that_a_text_does_not_use_are_free(tmp_path):
    body = "bit[1] x; for int i in [0:0] { z v[i]; }"
    assert judge(tmp_path, f"OPENQASM 3.0; qubit[1] v; {body}") == "proved"


def test_a_packed_text_is_read_by_its_inner_suffix(tmp_path):
    path = tmp_path / "entry.qasm3.gz"
    path.write_bytes(gzip.compress(b'include "stdgates.inc"; qreg q[1]; z q[0];'))
    assert gatesolve.judge(path, ONE).status == "proved"


@pytest.mark.parametrize("head", [TWO, THREE])
def test_a_header_has_a_semicolon(tmp_path, head):
    bare = head.replace(";", "", 1) + "z q[0];\n"
    with pytest.raises(InputError, match="no circuit that is read"):
        judge(tmp_path, bare)
    for text in (bare, bare.replace("qelib1", "stdgates").replace("qreg q[1]", "qubit[1] q")):
        with pytest.raises(InputError, match="says neither OPENQASM"):
            read_qasm(text)


MARKS = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q; bit[2] c;\n'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("z q[-2:-1];", "column 5: a range with a minus"),
        ("z q[0 - 2:1];", "column 5: a range with a minus"),
        ("let a = q[1:-1:0]; z a;", "column 11: a range with a minus"),
        ("let a = q; let b = a ++ a; z b;", "column 20: a qubit is twice in one alias"),
        ("for int i in [0:999999999*9] { }", "column 17: a whole number over"),
        ("ctrl @ u3(0,0,pi) q[0],q[1];", "column 1: gate u3 under a control"),
        ("ctrl @ U(pi,0,pi) q[0],q[1];", "column 1: gate U under a control"),
        ("gate g a {u2(0,pi) a;} gate k a {g a;} negctrl @ inv @ k q[0],q[1];", "column 40: gate k under a control"),
        ("for int i in [1:1] { p(i/2*2*pi) q[0]; }", "column 26: a division of whole numbers"),
        ("p((-1)/2*pi) q[0];", "column 8: a division of whole numbers"),
        ("const int n = 3; p(-n/2*pi) q[0];", "column 23: a division of whole numbers"),
        ("p(0x1e3/-2*pi) q[0];", "column 9: a division of whole numbers"),
        ("for int k1e3 in [1:1] { p(k1e3/2*2*pi) q[0]; }", "column 32: a division of whole numbers"),
        ("gate g(a,b) c,t {cp(a/b*2*pi) c,t;} g(1.0,2.0) q[0],q[1];", "column 23: a division of whole numbers"),
        ("for int i in [0:1] { p(pi/i) q[0]; }", "column 27: a division of whole numbers"),
        ("for int[2] i in {4} { cp(i*pi/4) q[0],q[1]; }", "column 1: not a number of this type"),
        ("const float[32] a = 0.1; p(a) q[0];", "column 1: not a number of this type"),
        ("for int i in {2000000000000000} { p(i*1.0) q[0]; }", "column 15: a whole number over"),
        ("for uint i in {0} { p((i-1)*1.0) q[0]; }", "column 23: a uint below zero"),
        ("for uint i in {-1} { p(i*1.0) q[0]; }", "column 1: a uint below zero"),
        ("p(1e308*10) q[0];", "column 3: a number that is too large"),
        ("p((-1.0)**0.5) q[0];", "column 3: a number that is not real"),
        ("gate g(tau) a { p(tau) a; } g(1) q[0];", "column 1: gate g has a name twice, or that of a constant"),
        ('ctrl @ gphase("10") q[0];', "column 15: bits as a number"),
        ('p("101") q[0];', "column 3: bits as a number"),
        ("gate g a {g a;} g q[0];", "column 11: gate g is not defined"),
        ("gate g a {z a;} gate z a {} g q[0];", "column 11: gate z is not defined"),
        ("gate g a {z $0;} g q[0];", "column 13: [$]0 beside declared qubits"),
        ("gate g a {z q[0];} g q[0];", "column 13: q is not a qubit"),
        ("cz q[0], q[0];", "column 1: a qubit is named twice"),
        ("z q[2];", "column 3: no index of q, which has 2"),
        ("z c[0];", "column 3: c is not a qubit"),
        ("z   d;", "column 5: d is not a qubit"),
        ("bit q;", "column 5: q is defined twice"),
        ("for int z in {0} { z q[0]; }", "column 20: gate z is not defined"),
        ("ctrl @z q[0], q[1];", "column 6: no circuit that is read: '@z' is not expected here"),
        ("pow(0.5) @ h q[0];", "column 1: gate pow_h to the power 0.5"),
        ("if (c == 4) { z q[0]; }", "column 5: a condition other than"),
        ("if (c[0]) { if (c[1]) { z q[0]; } }", "column 13: branching inside"),
    ],
)
def test_what_has_several_readings_or_none_is_refused(tmp_path, body, message):
    with pytest.raises(InputError, match=f"row 4, .*{message}"):
        judge_text(tmp_path, MARKS + body)


@pytest.mark.parametrize(
    "body",
    [
        "cz q[0], q[-1];",
        "h q[{-1}]; cx q[0:0], q[1:1]; h q[-1];",
        "for int i in [1:-1:-1] { cz q[0], q[1]; }",
        "for uint[32] i in [0:0] { cz q[i], q[i + 1]; }",
        "let a = q[1:1] ++ q[0:0]; h a[0]; cx a[1], a[0]; h a[0];",
        "u3(0,0,pi) q[0]; U(0,0,pi) q[0]; ctrl @ z q[0], q[1];",
        "ctrl @ U(0,0,pi) q[0],q[1];",
        "ctrl @ U(4*pi,0,pi) q[0],q[1];",
        "gate u3(t) a {p(t) a;} ctrl @ u3(pi) q[0],q[1];",
        "c[0] = measure q[0]; if (c == 1) { z q[1]; }",
        "if (c == 0) { } c[0] = measure q[0]; if (c == 2) { } if (c == 1) { z q[1]; }",
        "p(1e-16) q[0]; p(1e-300*1e300*2*pi) q[0]; cz q[0], q[1];",
        "for int i in [1:1] { ctrl @ p(i*2*pi/2) q[0], q[1]; } p(pi*(2/2)) q[0]; z q[0];",
        "for int i in {1} { cp(i*1.0e-15*1.0e15*pi) q[0],q[1]; }",
        "gate g(t) a,b { cp(t/1.0e16*1.0e16) a,b; } g(pi) q[0],q[1];",
        "for int i in {1} { cp(i*(0.3-0.2)*10.0*pi) q[0],q[1]; }",
        "gate g(t) a,b { cp(t*0.1*0.1*0.1*0.1*0.1*0.1*1e6) a,b; } g(pi) q[0],q[1];",
        "const int n = 2; const float half = pi / n; pow(n) @ cp(half) q[0],q[1];",
        "@x.gate\ngate g a,b { for int i in [0:2] { cz a,b; } }\ng q[0],q[1];",
        "box { barrier q; { cz q[0],q[1]; } }",
    ],
)
def test_what_has_one_reading_is_judged(tmp_path, body):
    assert judge_text(tmp_path, MARKS + body).status == ("refused" if "measure" in body else "proved")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("gate both(theta, phi) c,t {cp(theta) c,t; p(phi) t;} both(pi,0) q[0],q[1];", "proved"),
        ("gate both(theta, phi) c,t {cp(theta) c,t; p(phi) t;} both(0,pi) q[0],q[1];", "refused"),
        ("gate a(z, y, x) t {U(z,y,x) t;} a(pi/2,0,pi) q[1]; cx q[0],q[1]; a(pi/2,0,pi) q[1];", "proved"),
        ("gate a(b, a) t {p(a) t; p(0*b) t;} gate b(c) t {a(0, c) t;} b(pi) q[0]; cz q[0],q[1];", "refused"),
        ("gate b(b, a) t {p(b) t; p(0*a) t;} b(2*pi, pi) q[0]; cz q[0],q[1];", "proved"),
    ],
)
def test_parameters_of_a_gate_are_given_in_its_order(tmp_path, body, status):
    assert judge_text(tmp_path, MARKS + body).status == status


@pytest.mark.parametrize(
    "loop",
    [
        f"for int i in [0:{9 * '9'}] {{ }}",
        "for int i in [0:400] { reset q; barrier q; c = measure q; }",
        2 * "for int i in [0:30000] { " + "} }",
        1200 * "inv @ " + "cz q[0], q[1];",
    ],
)
def test_loops_and_modifiers_count_what_they_do(monkeypatch, tmp_path, loop):
    monkeypatch.setattr(entry_gates, "MOST_PARTS", 1 << 10)
    with pytest.raises(DoesNotFitError, match="over 1024 gates"):
        judge_text(tmp_path, f"{MARKS}{loop}\ncz q[0], q[1];")

"""Texts of strangers are read as the language reads them: where comments end, annotations, headers."""

import pytest

import gatesolve
from gatesolve.errors import InputError
from gatesolve.model import Linear, Model, Variable
from gatesolve.proof.read_qasm import read_qasm

ONE = Model((Variable("x", (0, 1)),), (Linear(((1, "x"),), "==", 1),))
TWO = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\n'
THREE = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[1] q;\n'


def judge(tmp_path, text):
    path = tmp_path / "entry.qasm"
    path.write_bytes(text.encode())
    return gatesolve.judge(path, ONE).status


@pytest.mark.parametrize("head", [TWO, THREE])
def test_a_carriage_return_ends_no_line_by_itself(tmp_path, head):
    """It ends a comment in OpenQASM 3, and none in OpenQASM 2."""
    with pytest.raises(InputError, match=r"row 4, column 10: a carriage return without a line feed"):
        judge(tmp_path, head + "// a note\rz q[0];\nz q[0];\n")
    assert judge(tmp_path, (head + "// a note\nz q[0];\n").replace("\n", "\r\n")) == "proved"
    with pytest.raises(InputError, match="row 2: a carriage return inside a line"):
        read_qasm(head.replace("\n", "\n//\rmade here\n", 1))


@pytest.mark.parametrize("head", [TWO, THREE])
@pytest.mark.parametrize("mark", ["\f", "\v", "\x85", "\u2028"])
def test_no_other_character_ends_a_line(tmp_path, head, mark):
    assert judge(tmp_path, f"{head}// a note{mark}z q[0];\nz q[0];\n") == "proved"
    with pytest.raises(InputError, match="no circuit that Qiskit reads"):
        judge(tmp_path, f"{head}{mark}z q[0];\n")


@pytest.mark.parametrize("note", ["@note", "@a.b", "@_n x"])
def test_an_annotation_takes_its_line_whole(tmp_path, note):
    assert judge(tmp_path, f"{THREE}{note} /*\nz q[0];\n{note} */\nid q[0];\n") == "proved"
    assert judge(tmp_path, f"{THREE}{note} /*\nz q[0];\n{note} */\nz q[0];\n") == "refused"
    assert judge(tmp_path, f"{THREE}{note} // include gate z\nz q[0];\n") == "proved"
    with pytest.raises(InputError, match="no circuit that Qiskit reads"):
        judge(tmp_path, f"{TWO}{note}\nz q[0];\n")


@pytest.mark.parametrize("word", ["pragma", "#pragma"])
def test_a_pragma_is_refused_wherever_its_comment_ends(tmp_path, word):
    with pytest.raises(InputError, match="no circuit that Qiskit reads"):
        judge(tmp_path, f"{THREE}{word} note /*\nz q[0];\n{word} */\n")


@pytest.mark.parametrize("head", [TWO, THREE])
def test_a_header_has_a_semicolon(tmp_path, head):
    bare = head.replace(";", "", 1) + "z q[0];\n"
    with pytest.raises(InputError, match="no circuit that Qiskit reads"):
        judge(tmp_path, bare)
    for text in (bare, bare.replace("qelib1", "stdgates").replace("qreg q[1]", "qubit[1] q")):
        with pytest.raises(InputError, match="says neither OPENQASM"):
            read_qasm(text)

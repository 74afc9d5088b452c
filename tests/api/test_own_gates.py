"""A gate that a file defines is judged by its definition, whatever name of Qiskit's it has."""

import cpmpy as cp
import pytest
from qiskit import QuantumCircuit, qpy, transpile
from qiskit.circuit import Gate

import gatesolve
from gatesolve.errors import InputError

X, Y = cp.boolvar(name="x"), cp.boolvar(name="y")
BOTH = cp.Model([X & Y])
THIRD = "OPENQASM 3.0; "


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("gate z a { } qubit[2] q; ctrl @ z q[0],q[1];", "refused"),
        ("gate z a { } gate foo a { z a; } qubit[2] q; ctrl @ foo q[0],q[1];", "refused"),
        ("gate z a { } gate foo a,b { ctrl @ z a,b; } qubit[2] q; foo q[0],q[1];", "refused"),
        ("gate x a { U(0,0,pi) a; } qubit[2] q; ctrl @ x q[1],q[0];", "proved"),
        ("gate f a { U(0,0,pi) a; } qubit[2] q; ctrl @ f q[1],q[0];", "proved"),
    ],
)
def test_controls_are_put_on_the_definition(tmp_path, text, status):
    (tmp_path / "a.qasm3").write_text(THIRD + text)
    assert gatesolve.judge(tmp_path / "a.qasm3", BOTH).status == status


def test_transpiling_takes_the_definition(tmp_path):
    head = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'
    body = "qreg q[3];\ncreg c[1];\nx q[2];\ncz q[0],q[1];\nmeasure q[2] -> c[0];\nx q[2];\n"
    (tmp_path / "right.qasm").write_text(head + body)
    (tmp_path / "wrong.qasm").write_text(head + "gate cz a,b { }\n" + body)
    assert gatesolve.judge(tmp_path / "right.qasm", BOTH).status == "proved"
    assert gatesolve.judge(tmp_path / "wrong.qasm", BOTH).status == "refused"


@pytest.mark.parametrize("line", ['include "evil.inc";', "opaque cz a,b;"])
def test_a_gate_without_a_definition_in_the_text_is_named(tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.inc").write_text("gate cz a,b { }\n")
    (tmp_path / "a.qasm").write_text(f"OPENQASM 2.0;\n{line}\nqreg q[2];\ncz q[0],q[1];\n")
    with pytest.raises(InputError, match=r"row [24]"):
        gatesolve.judge(tmp_path / "a.qasm", BOTH)


@pytest.mark.parametrize("name", ["barrier", "measure", "h", "id"])
def test_a_gate_in_qpy_is_what_it_is_defined_as(tmp_path, name):
    flip = Gate(name, 1, [])
    flip.definition = QuantumCircuit(1)
    flip.definition.x(0)
    circuit = QuantumCircuit(2)
    circuit.cz(0, 1)
    circuit.append(flip, [0])
    with (tmp_path / "a.qpy").open("wb") as out:
        qpy.dump(circuit, out)
    assert gatesolve.judge(tmp_path / "a.qpy", BOTH).status == "refused"
    assert gatesolve.judge(circuit, BOTH).status == "refused"


def test_turns_that_are_each_nearly_nothing_add_up(tmp_path):
    loop = "for int i in [0:99999] { p(6e-9) q[0]; }"
    (tmp_path / "a.qasm3").write_text(f'{THIRD}include "stdgates.inc"; qubit[2] q; cz q[0],q[1]; {loop}')
    assert gatesolve.judge(tmp_path / "a.qasm3", BOTH).status == "refused"


@pytest.mark.parametrize("digits", ["9" * 5000, "\u0663"])
def test_odd_numbers_of_qubits_are_named(digits):
    circuit = QuantumCircuit(2)
    circuit.cz(0, 1)
    for place in (digits, f"q[{digits}]"):
        with pytest.raises(InputError, match="no qubit"):
            gatesolve.judge(circuit, BOTH, output_map={place: 0})


def test_a_damaged_qpy_is_named(tmp_path):
    circuit = QuantumCircuit(2)
    circuit.cz(0, 1)
    place = tmp_path / "a.qpy"
    with place.open("wb") as out:
        qpy.dump(circuit, out)
    data = place.read_bytes()
    for damaged, message in [
        (data[:17] + b"\2" + data[18:], "2 circuits"),
        (data[:10] + b"\xff" * 8 + data[18:], "18446744073709551615 circuits"),
        (data[:9], "circuits"),
        (data[:40] + b"\xff" * 40 + data[80:], "no QPY that Qiskit reads"),
        (data[: len(data) // 2], "no QPY that Qiskit reads"),
    ]:
        place.write_bytes(damaged)
        with pytest.raises(InputError, match=message) as caught:
            gatesolve.judge(place, BOTH)
        assert str(place) in str(caught.value)


def test_a_layout_of_another_circuit_is_named():
    circuit = QuantumCircuit(3)
    circuit.cz(0, 1)
    wide = transpile(circuit, coupling_map=[[0, 1], [1, 2], [2, 3]], initial_layout=[2, 1, 0])
    narrow = QuantumCircuit(2)
    narrow.cz(0, 1)
    narrow._layout = wide.layout
    with pytest.raises(InputError, match="transpile it again"):
        gatesolve.judge(narrow, BOTH)


@pytest.mark.parametrize("option", ["layout", "output_map"])
def test_a_map_that_names_a_qubit_twice_is_refused(tmp_path, option):
    circuit = QuantumCircuit(2)
    circuit.cz(0, 1)
    names = '{"data": [0, 1], "data": [1, 0]}' if option == "layout" else '{"0": 0, "0": 1}'
    (tmp_path / "map.json").write_text(names)
    with pytest.raises(InputError, match="twice"):
        gatesolve.judge(circuit, BOTH, **{option: tmp_path / "map.json"})

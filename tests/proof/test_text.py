"""Exported texts: proved as they are, refused once anything in them is changed."""

import math
import random
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import qasm2
from qiskit.quantum_info import Statevector
from qiskit.synthesis import OneQubitEulerDecomposer

import gatesolve
from gatesolve.errors import InputError
from gatesolve.gate_sets import GATE_SETS
from gatesolve.proof import prove_text
from gatesolve.proof.pauli import pauli_of
from gatesolve.proof.read_qasm import read_qasm
from gatesolve.proof.rotations import FormBuilder, add_general, add_product
from gatesolve.proof.text import MatrixBuilder

SMALL = "examples/kakuro/small.txt"
PAULIS = {"X": np.array([[0, 1], [1, 0]]), "Y": np.array([[0, -1j], [1j, 0]]), "Z": np.diag([1, -1])}
HADAMARD = np.array([[1, 1], [1, -1]]) / math.sqrt(2)


def make_turn(letter, angle):
    return math.cos(angle / 2) * np.eye(2) - 1j * math.sin(angle / 2) * PAULIS[letter]


def program_of(path=SMALL, **options):
    return gatesolve.compile(path, **{"presolve": "none", "encoding": "binary", "iterations": 1, **options}).program


def check_parts(program):
    for part in ("whole", "oracle"):
        for text in (program.qasm2(part), program.qasm3(part)):
            proof = prove_text(program, text, part)
            assert proof.status == "proved", (part, proof.detail)


@pytest.mark.sampled(3)
@pytest.mark.quick("*-binary")
@pytest.mark.parametrize(
    ("gates", "encoding"),
    [
        *product(["cx+u", "cz+u", "clifford+t"], ["binary", "one-hot", "domain-wall", "table"]),
        ("clifford+toffoli", "binary"),  # the others' preparations have rotations
    ],
)
def test_each_text_is_proved(gates, encoding):
    for metric in ("cx", "depth", "t_depth", "qubits"):
        check_parts(program_of(encoding=encoding, gates=gates, optimize=metric))


@pytest.mark.parametrize(("pipeline", "options"), [("gas", {"threshold": 3}), ("qaoa", {"layers": 2})])
def test_other_pipelines_are_proved(pipeline, options):
    program = gatesolve.compile(SMALL, pipeline=pipeline, presolve="none", encoding="one-hot", **options).program
    assert prove_text(program, program.qasm3()).status == "proved"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("gates", GATE_SETS)
def test_a_contest_board_is_proved(gates):
    for level in ("literal", "minimised"):
        check_parts(program_of("examples/kakuro/contest.txt", gates=gates, level=level))


@pytest.mark.sampled(0.3)
def test_a_full_board_is_proved():
    for encoding in ("one-hot", "binary"):
        program = program_of("examples/sudoku/inkala-2012.txt", encoding=encoding, level="literal")
        assert prove_text(program, program.qasm2()).status == "proved"


def mutate(text, draw):
    """One gate deleted, doubled, moved by one, or turned by a millionth, or its qubits exchanged."""
    lines = text.split("\n")
    gates = [k for k, line in enumerate(lines) if re.match(r"(c?cx|cz|u3|[hxzst])\b", line)]
    place = draw.choice(gates)
    line, kind = lines[place], draw.randrange(5)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(place, line)
    elif kind == 2 and place + 1 in gates:
        lines[place : place + 2] = lines[place + 1], line
    elif line.startswith("u3"):
        lines[place] = re.sub(r"\(([^,]*),", lambda m: f"({read_number(m[1]) + 1e-6!r},", line)
    elif line.startswith("cx"):
        lines[place] = re.sub(r"cx (.*),(.*);", r"cx \2,\1;", line)
    else:
        del lines[place]
    return "\n".join(lines)


def read_number(text):
    return float(eval(text, {"pi": np.pi}))  # of a text made here


def state_of(text, start):
    return Statevector(start).evolve(qasm2.loads(text).remove_final_measurements(inplace=False))


def check_mutants(number, options):
    """Refused, or doing to a state drawn at random what the text itself does."""
    program = program_of(**options)
    text = program.qasm2()
    draw, noise = random.Random(number), np.random.default_rng(number)
    shape = 2**program.num_qubits
    start = noise.normal(size=shape) + 1j * noise.normal(size=shape)
    start /= np.linalg.norm(start)
    right = state_of(text, start)
    refused = 0
    for _ in range(number):
        changed = mutate(text, draw)
        if prove_text(program, changed).status == "proved":
            # The header's definition of a u3 is read by others: Qiskit here.
            assert abs(right.inner(state_of(changed, start))) > 1 - 1e-9
        else:
            refused += 1
    return refused


@pytest.mark.sampled(1)
@pytest.mark.quick(1)
@pytest.mark.parametrize("gates", GATE_SETS)
def test_mutants_are_refused_or_equal(gates):
    assert check_mutants(30, {"gates": gates}) > 15


@pytest.mark.sampled(1)
@pytest.mark.parametrize("gates", GATE_SETS)
def test_many_mutants_are_refused_or_equal(gates):
    assert check_mutants(250, {"gates": gates}) > 125


def test_measurements_and_registers_are_compared():
    program = program_of()
    text = program.qasm2()
    swapped = text.replace("-> measured[0]", "-> measured[x]").replace("-> measured[1]", "-> measured[0]")
    swapped = swapped.replace("measured[x]", "measured[1]")
    for changed in (swapped, text.replace("measure data[0] -> measured[0];", "")):
        assert "measurements" in prove_text(program, changed).detail
    assert "registers" in prove_text(program, text.replace("data", "date")).detail
    assert "measurements" in prove_text(program, text, "oracle").detail


def test_what_is_not_compared_says_so(monkeypatch):
    program = program_of(measured=True)
    assert "measure in between" in prove_text(program, program.qasm3()).detail
    program = program_of()
    monkeypatch.setattr("gatesolve.proof.text.MOST_LINES", 10)
    assert "lines" in str(prove_text(program, program.qasm2()))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cy data[0],data[1];", "not understood: 'cy data"),
        ("cx data[0],data[0];", "not understood"),
        ("cx data[0];", "not understood"),
        ("u3(1,2) data[0];", "not understood"),
        ("u3(1,2,two) data[0];", "not understood"),
        ("h data[9];", r"no such place: data\[9\]"),
        ("h ancilla[0];", r"no such place: ancilla\[0\]"),
        ("qreg late[2];", "'late' is not new"),
        ("measure data[0] -> m[1];", "measured twice"),
        ("measure data[1] -> m[0];", "measured twice"),
        ("x data[0];", "a gate after its qubit was measured"),
        ("if (m == 1) x data[1];", "not understood"),
        ("h data[1]", "not understood"),
    ],
)
def test_lines_that_are_not_understood_are_named(line, message):
    text = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg data[2];\ncreg m[2];\nh data[0];\nmeasure data[0] -> m[0];\n'
    with pytest.raises(InputError, match=message) as caught:
        read_qasm(text + line + "\n")
    assert str(caught.value).startswith("row 7")


def test_lines_end_in_a_line_feed_or_a_carriage_return_before_it():
    text = 'OPENQASM 3.0;\r\ninclude "stdgates.inc";\r\nqubit[1] q; // one\r\n'
    assert read_qasm(text).comments == ("one",)


@pytest.mark.parametrize("version", [2, 3])
def test_gates_are_those_of_the_language(version):
    include, kind = ("qelib1", "qreg q[1]") if version == 2 else ("stdgates", "qubit[1] q")
    text = f'OPENQASM {version}.0;\ninclude "{include}.inc";\n{kind};\n'
    assert [name for name, *_ in read_qasm(text + "U(1,2,3) q[0];\nu3(1,2,3) q[0];\n").instructions] == ["U", "u3"]
    with pytest.raises(InputError, match="not understood: 'u"):
        read_qasm(text + "u(1,2,3) q[0];\n")


@pytest.mark.parametrize("text", ["", "hello", "OPENQASM 4.0;", "OPENQASM 2.0", "OPENQASM 3.0\n", "OPENQASM 3"])
def test_what_is_no_circuit_is_refused(text):
    with pytest.raises(InputError, match="no circuit"):
        read_qasm(text)


def test_angles_are_read_as_they_are_written():
    read = read_qasm('OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[1] q;\nU(-3*pi/4, 0.5e-3, pi) q[0];\n')
    assert read.instructions[0][2] == pytest.approx((-3 * np.pi / 4, 0.0005, np.pi))


@pytest.mark.parametrize("shift", [0.0, 1e-7])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_products_on_one_qubit_cancel_with_their_gates(shift, data):
    """As lowering does it: flips as CX between Hadamards, turns that pass a flip, one general gate for each product."""
    # Steps of a thousandth: what Qiskit rounds away near the poles stays far below the tolerance.
    angles = st.one_of(
        st.integers(-3000, 3000).map(lambda n: n / 1000), st.integers(-4, 4).map(lambda n: n * math.pi / 4)
    )
    flip = st.sampled_from([(0, 1), (1, 2), (2, 0)])
    turn = st.tuples(st.sampled_from("XYZ"), st.integers(0, 2), angles)
    steps = [*data.draw(st.lists(st.one_of(flip, turn), min_size=4, max_size=16)), ("Y", 1, 0.7), ("X", 1, 0.4)]
    wanted = FormBuilder(3)
    for step in steps:
        if len(step) == 2:
            add_product(wanted, [pauli_of([qubit]) for qubit in step])
        else:
            wanted.add_rotation(pauli_of([step[1]], step[0]), step[2])
    for place in range(len(steps) - 1):
        if len(steps[place]) == 3 and steps[place][0] == "Z" and len(steps[place + 1]) == 2:
            steps[place : place + 2] = steps[place + 1], steps[place]
    found, products = FormBuilder(3), dict.fromkeys(range(3), np.eye(2))

    def settle(*qubits):
        for qubit in qubits:
            add_general(found, qubit, OneQubitEulerDecomposer("U").angles(products[qubit]))
            products[qubit] = np.eye(2)

    for step in (*steps[:-1], ("X", 1, 0.4 + shift)):
        if len(step) == 2:
            products[step[1]] = HADAMARD @ products[step[1]]
            settle(*step)
            found.add_cx(*step)
            products[step[1]] = HADAMARD @ products[step[1]]
        else:
            products[step[1]] = make_turn(step[0], step[2]) @ products[step[1]]
    settle(*products)
    assert found.finish().cancels(wanted.finish()) == (shift == 0.0)


def test_the_matrix_decides_where_forms_do_not():
    made = []
    for change in (0.0, 0.0, 1e-8):
        builder = MatrixBuilder(2)
        for letter, turn in (("Z", 1.1), ("Y", 0.4 + change), ("Z", -0.3)):
            builder.add_rotation(pauli_of([0, 1], letter), turn)
            builder.add_h(0)
            builder.add_cx(0, 1)
        made.append(builder)
    made[1].add_rotation(pauli_of([0]), 2 * math.pi)  # a global phase
    assert made[0].is_same(made[1])
    assert not made[0].is_same(made[2])

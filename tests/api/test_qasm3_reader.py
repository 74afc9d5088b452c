"""Gates, modifiers, definitions and numbers of OpenQASM 3 against matrices made from its specification."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator

from gatesolve.api import qasm3_reader

HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'
ANGLES = {"p": 1, "phase": 1, "u1": 1, "rx": 1, "ry": 1, "rz": 1, "cp": 1, "cphase": 1, "crx": 1, "cry": 1, "crz": 1}
ANGLES |= {"u2": 2, "u3": 3, "cu": 4}
UNDER_CONTROL = sorted(qasm3_reader.STDGATES.keys() - {"u2", "u3"})


def turn(theta, phi, lam):
    """``U`` of the specification, which has the phase of its first angle's half."""
    a, b = 1 + np.exp(1j * theta), 1 - np.exp(1j * theta)
    return np.array([[a, -1j * np.exp(1j * lam) * b], [1j * np.exp(1j * phi) * b, np.exp(1j * (phi + lam)) * a]]) / 2


def phased(gamma, matrix):
    return np.exp(1j * gamma) * matrix


def control(matrix, value=1):
    """A control as the first qubit, which is the lowest bit."""
    size = len(matrix)
    out = np.eye(2 * size, dtype=complex)
    out[value::2, value::2] = matrix
    return out


def specified(name, angles):
    """The matrix of stdgates.inc's definition, first qubit as the lowest bit."""
    if name in ("CX", "ccx", "cphase"):
        name = {"CX": "cx", "ccx": "ccx", "cphase": "cp"}[name]
    if name == "cu":
        theta, phi, lam, gamma = angles
        return control(phased(gamma - theta / 2, turn(theta, phi, lam)))
    if name.startswith("c"):
        return control(specified(name[1:], angles))
    if name == "swap":
        return np.eye(4)[[0, 2, 1, 3]]
    if name == "u2":
        return phased(-(sum(angles) + math.pi / 2) / 2, turn(math.pi / 2, *angles))
    if name == "u3":
        return phased(-sum(angles) / 2, turn(*angles))
    half = math.pi / 2
    fixed = {
        "id": turn(0, 0, 0),
        "x": phased(-half, turn(math.pi, 0, math.pi)),
        "y": phased(-half, turn(math.pi, half, half)),
        "z": turn(0, 0, math.pi),
        "h": phased(-half / 2, turn(half, 0, math.pi)),
        "s": turn(0, 0, half),
        "sdg": turn(0, 0, -half),
        "t": turn(0, 0, half / 2),
        "tdg": turn(0, 0, -half / 2),
        "sx": phased(0, turn(half, -half, half)),
    }
    if name in fixed:
        return fixed[name]
    (angle,) = angles
    return {
        "p": turn(0, 0, angle),
        "phase": turn(0, 0, angle),
        "u1": turn(0, 0, angle),
        "rx": phased(-angle / 2, turn(angle, -half, half)),
        "ry": phased(-angle / 2, turn(angle, 0, 0)),
        "rz": phased(-angle / 2, turn(0, 0, angle)),
    }[name]


def assert_equal(circuit, matrix):
    """Equal up to one phase."""
    found = Operator(circuit).data
    assert abs(abs(np.vdot(matrix, found)) / len(matrix) - 1) < 1e-9


def read_one(call, num_qubits, before=""):
    """A circuit in which a control is added, so that the phase of the call is seen."""
    wires = ", ".join(f"q[{one}]" for one in range(num_qubits))
    return qasm3_reader.convert_qasm3(f"{HEAD}{before}qubit[{num_qubits}] q;\n{call} {wires};")


def written(name, angles):
    return name + (f"({', '.join(map(repr, angles))})" if angles else "")


angle = st.floats(-7, 7, allow_nan=False).map(lambda one: round(one, 3))


@st.composite
def calls(draw, names):
    name = draw(st.sampled_from(names))
    return name, tuple(draw(angle) for _ in range(ANGLES.get(name, 0)))


@given(call=calls(sorted(qasm3_reader.STDGATES)))
@settings(max_examples=80, deadline=None)
def test_a_gate_is_what_the_specification_defines(call):
    matrix = specified(*call)
    assert_equal(read_one(written(*call), len(matrix).bit_length() - 1), matrix)


@st.composite
def modified(draw):
    """A call with modifiers, as text and as a matrix."""
    call = draw(calls(UNDER_CONTROL))
    text, matrix = written(*call), specified(*call)
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["inv", "pow", "ctrl", "negctrl"]))
        if kind == "inv":
            text, matrix = f"inv @ {text}", matrix.conj().T
        elif kind == "pow":
            power = draw(st.integers(-2, 3))
            text, matrix = f"pow({power}) @ {text}", np.linalg.matrix_power(matrix, power)
        elif len(matrix) < 16:
            text, matrix = f"{kind} @ {text}", control(matrix, int(kind == "ctrl"))
    return text, matrix


@given(one=modified())
@settings(max_examples=150, deadline=None)
def test_modifiers_are_taken_from_the_gate_outwards(one):
    text, matrix = one
    assert_equal(read_one(text, len(matrix).bit_length() - 1), matrix)


@given(one=modified(), value=st.integers(0, 1))
@settings(max_examples=80, deadline=None)
def test_a_definition_under_a_control_keeps_its_phase(one, value):
    text, matrix = one
    num_qubits = len(matrix).bit_length() - 1
    names = ", ".join(f"a{place}" for place in range(num_qubits))
    before = f"gate g(t) {names} {{ gphase(t); {text} {names}; }}\n"
    kind = "ctrl" if value else "negctrl"
    assert_equal(read_one(f"{kind} @ g(0.7)", num_qubits + 1, before), control(phased(0.7, matrix), value))


@given(angles=st.tuples(angle, angle), values=st.lists(st.integers(0, 1), min_size=1, max_size=3))
@settings(max_examples=40, deadline=None)
def test_a_phase_under_controls(angles, values):
    matrix = np.array([[np.exp(1j * sum(angles))]])
    for value in reversed(values):
        matrix = control(matrix, value)
    kinds = " ".join("ctrl @" if value else "negctrl @" for value in values)
    assert_equal(read_one(f"{kinds} gphase({angles[0]} + {angles[1]})", len(values)), matrix)


@st.composite
def expressions(draw, depth=3):
    """An expression of whole numbers, floats, constants and the loop's and the gate's parameters, with its value."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        leaf = draw(st.sampled_from(["float", "pi", "tau", "n", "t", "b", "i"]))
        value = draw(st.floats(-3, 3).map(lambda one: round(one, 2)))
        known = {"pi": math.pi, "tau": math.tau, "n": 3, "t": 0.25, "b": -1.5, "i": 2}
        return (f"({value})", value) if leaf == "float" else (leaf, known[leaf])
    left, right = draw(expressions(depth=depth - 1)), draw(expressions(depth=depth - 1))
    sign = draw(st.sampled_from("+-*"))
    value = {"+": left[1] + right[1], "-": left[1] - right[1], "*": left[1] * right[1]}[sign]
    return f"({left[0]} {sign} {right[0]})", value


@given(one=expressions())
@settings(max_examples=60, deadline=None)
def test_numbers_are_worked_out_as_python_does(one):
    text, value = one
    before = f"const int n = 3;\ngate g(t, b) a {{ for int i in {{2}} {{ p({text}) a; }} }}\n"
    assert_equal(read_one("g(0.25, -1.5)", 1, before), specified("p", (value,)))


@pytest.mark.parametrize(("text", "value"), [("-2**2", -4), ("2**3**2", 512), ("7 - 2 - 1", 4), ("8/2*3", 12)])
def test_signs_bind_as_in_the_specification(text, value):
    assert_equal(read_one(f"p({text})", 1), specified("p", (value,)))


def test_registers_are_taken_side_by_side():
    text = f"{HEAD}qubit[2] q; qubit[2] Q; qubit r; cx q, Q; cz r, q; h Q[{{1, 0}}];"
    plain = "qubit[5] w; cx w[0], w[2]; cx w[1], w[3]; cz w[4], w[0]; cz w[4], w[1]; h w[2]; h w[3];"
    assert_equal(qasm3_reader.convert_qasm3(text), Operator(qasm3_reader.convert_qasm3(HEAD + plain)).data)
    assert [register.name for register in qasm3_reader.convert_qasm3(text).qregs] == ["q", "Q", "r"]


def test_gates_of_braket_are_known_where_a_text_defines_none():
    short = "ccnot q[0], q[1], q[2]; vi q[0]; cphaseshift(0.3) q[0], q[1];"
    braket = qasm3_reader.convert_qasm3(f"OPENQASM 3.0; qubit[3] q; {short}")
    plain = qasm3_reader.convert_qasm3(HEAD + "qubit[3] q; ccx q[0], q[1], q[2]; inv @ sx q[0]; cp(0.3) q[0], q[1];")
    assert_equal(braket, Operator(plain).data)

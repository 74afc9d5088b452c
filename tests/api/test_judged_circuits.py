"""The referee on what strangers' files hold: entangled ANDs, resets, measurements, conditions, routed qubits."""

import cpmpy as cp
import numpy as np
import pytest
from qiskit import QuantumCircuit, qasm2, transpile
from qiskit.circuit import ControlModifier, ForLoopOp, InverseModifier, Parameter, PowerModifier
from qiskit.circuit.library import CUGate, RZGate
from qiskit.quantum_info import Clifford
from referee import BOTH, CZ, PAIR, circuit_of, judge_text, modify, status, write_qpy

import gatesolve
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import Linear, Model, NotEqual, Variable
from gatesolve.proof import entry_gates

TWO = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg c[2];\n'
THREE = 'OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit[2] c;\n'


def all_ones(controls):
    circuit = circuit_of(controls + 1, ("h", controls), ("mcx", [*range(controls)], controls), ("h", controls))
    return circuit, cp.Model(cp.sum(cp.boolvar(shape=controls + 1, name="z")) == controls + 1)


def test_an_and_of_qiskit_without_ancillas_is_proved_and_its_mutants_refused():
    controls = 8
    circuit, model = all_ones(controls)
    assert status(circuit, model) == "proved"
    for angle, place in ((6e-7, 3), (np.pi, 0), (-8e-7, controls)):
        for gate in ("p",) if place else ("p", "rx"):
            mutant = circuit.copy()
            getattr(mutant, gate)(angle, place)
            found = gatesolve.judge(mutant, model)
            assert found.status == "refused", (gate, angle)
            assert "wrong first at codeword" in found.claim.detail


@pytest.mark.slow
def test_an_and_of_17_controls_is_proved():
    circuit, model = all_ones(17)
    assert status(circuit, model) == "proved"
    circuit.ccz(0, 1, 2)
    assert "wrong first at codeword 7 " in gatesolve.judge(circuit, model).claim.detail


@pytest.mark.slow
def test_what_was_not_run_is_not_said_to_be_sampled():
    circuit = QuantumCircuit(27)
    circuit.h(range(2, 27))
    for qubit in range(2, 26):
        circuit.rzz(0.1, qubit, qubit + 1)
        circuit.rx(0.3, qubit)
    found = gatesolve.judge(circuit, PAIR)
    assert found.status == "unchecked"
    assert "no codeword was run" in found.claim.detail


RIGHT = "z q[0]; z q[1];"


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (TWO, f"reset q[2]; {RIGHT} reset q[2];"),
        (TWO, f"x q[2]; measure q[2] -> c[0]; if (c==1) x q[2]; {RIGHT}"),
        (TWO, "cx q[0],q[2]; cx q[1],q[2]; z q[2]; cx q[0],q[2]; cx q[1],q[2]; reset q[2];"),
        (TWO, f"h q[2]; measure q[2] -> c[0]; reset q[2]; {RIGHT} measure q -> c;".replace("q -> c;", "q[0] -> c[1];")),
        (TWO, f"barrier q; {RIGHT} id q[0];"),
        (THREE, f"delay[10ns] q[0]; gphase(0.3); {RIGHT} box {{ x q[2]; x q[2]; }}"),
        (THREE, "ctrl @ gphase(pi) q[0]; inv @ z q[1];"),
        (THREE, "x q[2]; negctrl @ z q[2], q[0]; ctrl @ z q[2], q[1]; ctrl @ z q[2], q[0]; x q[2];"),
        (THREE, f"h q[2]; c[0] = measure q[2]; if (c[0]) {{ x q[2]; }} else {{ id q[2]; }} {RIGHT}"),
        (THREE, f"pow(0.5) @ x q[2]; pow(0.5) @ x q[2]; x q[2]; {RIGHT} for int i in {{0, 1}} {{ x q[2]; }}"),
    ],
)
def test_what_changes_nothing_is_no_fault(tmp_path, head, text):
    name = "a.qasm" if head is TWO else "a.qasm3"
    assert judge_text(tmp_path, head + text, PAIR, name=name).status == "proved"
    assert judge_text(tmp_path, head + text + " s q[0];", PAIR, name=name).status == "refused"


@pytest.mark.parametrize("bits", [2, 9])
def test_a_bit_that_was_never_measured_is_zero(tmp_path, bits):
    model = Model(tuple(Variable(f"x{k}", (0, 1)) for k in range(bits)), (NotEqual("x0", "x1"),))
    head = f'OPENQASM 3.0; include "stdgates.inc"; qubit[{bits}] q; bit[2] c;\n'
    right = "if (c == 0) { z q[0]; } else { x q[0]; } if (c[1]) { x q[1]; } z q[1];"
    assert judge_text(tmp_path, head + right, model, "a.qasm3").status == "proved"
    assert judge_text(tmp_path, head + right.replace("== 0", "== 1"), model, "a.qasm3").status == "refused"


@pytest.mark.parametrize(
    "text",
    [
        "reset q[0]; z q[0]; z q[1];",
        "cx q[0],q[2]; z q[0]; z q[1]; reset q[2];",
        "measure q[0] -> c[0]; z q[0]; z q[1];",
        "cx q[0],q[2]; measure q[2] -> c[0]; cx q[0],q[2]; z q[0]; z q[1];",
        "h q[2]; cz q[0],q[2]; measure q[2] -> c[0]; if (c==1) x q[2]; z q[0]; z q[1];",
        "h q[2]; measure q[2] -> c[0]; if (c==1) z q[0]; z q[0]; z q[1]; reset q[2];",
    ],
)
def test_measuring_the_data_is_refused(tmp_path, text):
    assert judge_text(tmp_path, TWO + text, PAIR).status == "refused"


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (TWO + "opaque f a;\n f q[0];", "a.qasm", "row 3, column 2: gate f has no definition"),
        (TWO + "\nu3(6283185307179636.0,0,0) q[2];", "a.qasm", "row 3, column 1: gate u3 has the angle 6.28319e\\+15"),
        (TWO + "\n " + "/* " * 200_000, "a.qasm", "row 3, column 2: a comment has no end: close it with \\*/"),
        ("OPENQASM " + "2" * 200_000, "a.qasm", "row 1, column 1: a version or a qubit has over 9 digits"),
        (TWO + f"z q[{2**64}];", "a.qasm", "row 2, column 4: a version or a qubit has over 9 digits"),
        (THREE + "while (c[0]) { x q[0]; }", "a.qasm3", "row 2, column 1: while is not judged"),
        (THREE + "input float a; rx(a) q[0];", "a.qasm3", "row 2, column 1: parameter a has no value"),
        (THREE + "\n foo q[0];", "a.qasm3", "row 3, column 2: gate foo is not defined"),
        ("OPENQASM 2.0;\nqreg q[999999999];", "a.qasm", "row 2, column 1: over 100000 qubits"),
        (
            TWO
            + "gate a0 a {x a;}"
            + "".join(f"gate a{k} a {{a{k - 1} a; a{k - 1} a;}}" for k in range(1, 40))
            + "a39 q[0];",
            "a.qasm",
            "over 4096 gates",
        ),
    ],
)
def test_what_is_not_judged_is_one_line_with_its_place(monkeypatch, tmp_path, text, name, message):
    monkeypatch.setattr(entry_gates, "MOST_PARTS", 1 << 12)
    with pytest.raises(gatesolve.GatesolveError, match=message) as caught:
        judge_text(tmp_path, text, PAIR, name=name)
    assert "\n" not in str(caught.value)


def test_an_unbound_parameter_of_an_object_is_named():
    with pytest.raises(InputError, match="parameter theta has no value"):
        gatesolve.judge(circuit_of(2, ("rz", Parameter("theta"), 0)), PAIR)


@pytest.mark.parametrize(
    "text",
    [
        "// made by a tool\n\n/* of\nsomeone */ OPENQASM 3.0;\ninclude 'stdgates.inc';\nqubit[2] q; z q[0]; z q[1];",
        "OPENQASM 3.0;\nqubit[3] q;\n"
        "cnot q[0], q[2]; cnot q[1], q[2]; z q[2]; cnot q[1], q[2]; cnot q[0], q[2]; si q[2];",
    ],
)
def test_openqasm_3_of_other_tools_is_read(tmp_path, text):
    assert judge_text(tmp_path, text.replace("'", '"'), PAIR).status == "proved"


def oracle():
    """Marks x = y = 1 by an ancilla, with gates between qubits that are far apart on a line."""
    return circuit_of(5, ("ccx", 0, 1, 4), ("z", 4), ("ccx", 0, 1, 4))


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(6))
def test_routed_oracles_are_proved_with_the_map_of_their_outputs(tmp_path, seed):
    line = [[k, k + 1] for k in range(5)] + [[k + 1, k] for k in range(5)]
    routed = transpile(oracle(), coupling_map=line, basis_gates=["cx", "u"], seed_transpiler=seed, optimization_level=1)
    assert status(routed) == "proved"
    found = gatesolve.judge(write_qpy(tmp_path, routed), BOTH)
    assert found.status == "proved"
    assert found.applied.startswith("the TranspileLayout in the circuit is applied: qubits have their names of before")
    start, end = routed.layout.initial_index_layout(), routed.layout.final_index_layout(filter_ancillas=False)
    text, layout = qasm2.dumps(routed), {"data": [start[0], start[1]]}
    ends = dict(zip(start, end, strict=True))
    for given in (ends, [ends[k] for k in range(6)], {f"q[{k}]": ends[k] for k in start[:2]}):
        found = judge_text(tmp_path, text, BOTH, layout=layout, output_map=given)
        assert (found.status, found.applied.split(" is ")[0]) == ("proved", "the output map")
    wrong = {**ends, start[0]: ends[start[1]], start[1]: ends[start[0]]}
    assert judge_text(tmp_path, text, BOTH, layout=layout, output_map=wrong).status == "refused"
    with pytest.raises(InputError, match="leave out the output map"):
        gatesolve.judge(routed, BOTH, output_map=ends)
    routed.swap(0, 1)
    assert status(routed) == "refused"


def test_powers_with_two_readings_are_refused():
    half = modify(RZGate(4 * np.pi), PowerModifier(0.5), ControlModifier(1))
    with pytest.raises(UnsupportedError, match=r"gate rz to the power 0\.5: give a whole power"):
        gatesolve.judge(circuit_of(2, (half, [0, 1])), BOTH)
    whole = modify(RZGate(2 * np.pi), PowerModifier(3.0), ControlModifier(1))
    assert status(circuit_of(2, (whole, [0, 1]), ("z", 1)), PAIR) == "proved"


def test_the_tolerance_is_named(tmp_path):
    found = judge_text(tmp_path, TWO + RIGHT + " u1(9e-8) q[1];", PAIR)
    assert found.claim.detail == "2 of 4 codewords are marked; amplitudes to 1e-07"
    assert judge_text(tmp_path, TWO + RIGHT + " u1(2e-7) q[1];", PAIR).status == "refused"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0, 1], "the circuit has 5 qubits, and 2 places are there"),
        ({0: 1}, "two qubits end in one place"),
        ({"0": 1, 0: 2}, "qubit 0 is named twice"),
        ({0: 9}, "the circuit has no qubit 9"),
        ("5", "no output map|no such file"),
        (3, "not an output map: give a list of places"),
    ],
)
def test_output_maps_that_do_not_fit_are_told(given, message):
    with pytest.raises(InputError, match=message):
        gatesolve.judge(oracle(), BOTH, output_map=given)


@pytest.mark.parametrize("head", [TWO, THREE])
def test_no_data_qubit_is_taken_for_a_zero(tmp_path, head):
    """Qiskit's C3X borrows a clean ancilla where it finds one, and a fourth data qubit is none."""
    model = Model(tuple(Variable(name, (0, 1)) for name in "abcd"), (Linear(((1, "a"), (1, "b"), (1, "c")), "==", 3),))
    text = head.replace("q[3]", "q[5]").replace("qubit[3]", "qubit[5]")
    flip = "c3x q[0],q[1],q[2],q[4];" if head == TWO else "ctrl(3) @ x q[0],q[1],q[2],q[4];"
    text += f"x q[4]; h q[4]; {flip} h q[4]; x q[4]; reset q[4];\n"
    assert judge_text(tmp_path, text, model).status == "proved"
    assert judge_text(tmp_path, text + "cz q[0],q[3];\n", model).status == "refused"


def test_modifiers_on_what_is_no_gate_are_refused():
    circuit = circuit_of(3, (modify(Clifford(circuit_of(2, CZ)), ControlModifier(1)), [0, 1, 2]))
    with pytest.raises(UnsupportedError, match="clifford is not judged"):
        gatesolve.judge(circuit, BOTH)


TURN = CUGate(0, 0, 0, np.pi)
JUDGED = {
    # Qiskit loses the phase of a CU in the inverse of a controlled one.
    "the phase of CU": circuit_of(3, (modify(TURN, ControlModifier(1), InverseModifier()), [0, 1, 2])),
    "the phase of a controlled CU": circuit_of(3, (modify(TURN.control(1), InverseModifier()), [0, 1, 2])),
    "a loop without its parameter": circuit_of(2, (ForLoopOp([1], Parameter("a"), circuit_of(2, CZ)), [0, 1])),
}


@pytest.mark.parametrize("circuit", JUDGED.values(), ids=JUDGED)
def test_what_marks_the_solution_is_proved(circuit):
    assert status(circuit) == "proved"


def test_a_barrier_inside_a_gate_changes_nothing(tmp_path):
    text = TWO + "gate g a,b {barrier a,b; cz a,b;}\ng q[0],q[1];\n"
    assert judge_text(tmp_path, text).status == "proved"

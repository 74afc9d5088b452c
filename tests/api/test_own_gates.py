"""A gate that a file defines is judged by its definition, whatever name of Qiskit's it has."""

import math

import numpy as np
import pytest
from qiskit import QuantumCircuit, QuantumRegister, qasm3, transpile
from qiskit.circuit import ControlModifier, ForLoopOp, IfElseOp, Instruction, InverseModifier, Parameter, PowerModifier
from qiskit.circuit.library import (
    DiagonalGate,
    HamiltonianGate,
    LinearFunction,
    MCMTGate,
    PauliGate,
    PermutationGate,
    UnitaryGate,
    ZGate,
)
from referee import BITS, BOTH, CZ, circuit_of, define, judge_text, modify, status, write_qpy
from typer.testing import CliRunner

import gatesolve
from gatesolve.cli import app
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import Linear, Model, NotEqual

SECOND = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'
THIRD = "OPENQASM 3.0; "
CONTROL, INVERSE = ControlModifier(1), InverseModifier()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("gate z a { } qubit[2] q; ctrl @ z q[0],q[1];", "refused"),
        ("gate z a { } gate foo a { z a; } qubit[2] q; ctrl @ foo q[0],q[1];", "refused"),
        ("gate z a { } gate foo a,b { ctrl @ z a,b; } qubit[2] q; foo q[0],q[1];", "refused"),
        ("gate x a { U(0,0,pi) a; } qubit[2] q; ctrl @ x q[1],q[0];", "proved"),
        ("gate f a { U(0,0,pi) a; } qubit[2] q; ctrl @ f q[1],q[0];", "proved"),
        # Turns that are each nearly nothing add up.
        ('include "stdgates.inc"; qubit[2] q; cz q[0],q[1]; for int i in [0:1999] { p(6e-9) q[0]; }', "refused"),
    ],
)
def test_controls_are_put_on_the_definition(tmp_path, text, status):
    assert judge_text(tmp_path, THIRD + text, name="a.qasm3").status == status


@pytest.mark.parametrize(("gate", "status"), [("", "proved"), ("gate cz a,b { }\n", "refused")])
def test_transpiling_takes_the_definition(tmp_path, gate, status):
    body = "qreg q[3];\ncreg c[1];\nx q[2];\ncz q[0],q[1];\nmeasure q[2] -> c[0];\nx q[2];\n"
    assert judge_text(tmp_path, SECOND + gate + body).status == status


@pytest.mark.parametrize("line", ['include "evil.inc";', "opaque cz a,b;"])
def test_a_gate_without_a_definition_in_the_text_is_named(tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.inc").write_text("gate cz a,b { }\n")
    with pytest.raises(InputError, match=r"row [24]"):
        judge_text(tmp_path, f"OPENQASM 2.0;\n{line}\nqreg q[2];\ncz q[0],q[1];\n")


def test_a_gate_in_qpy_is_what_it_is_defined_as(tmp_path):
    circuit = circuit_of(2, CZ, (define("fence", 1, ("x", 0)), [0]))
    assert status(write_qpy(tmp_path, circuit)) == status(circuit) == "refused"
    for name in ("measure", "h", "barrier"):
        with pytest.raises(UnsupportedError, match="the file defines it anew: give it another name"):
            status(write_qpy(tmp_path, circuit_of(2, CZ, (define(name, 1, ("x", 0)), [0]))))


@pytest.mark.parametrize("value", [0, 1])
def test_bits_of_a_condition_are_those_that_a_definition_is_put_on(value):
    """A qubit that is zero is measured, and the outcome asked for, inside a definition on bits of the other order."""
    inner = QuantumCircuit(3, 2)
    inner.measure(2, 0)
    with inner.if_test((inner.clbits[0], value)):
        inner.cz(0, 1)
    opened = Instruction("opened", 3, 2, [])
    opened.definition = inner
    for order in ([0, 1], [1, 0]):
        circuit = QuantumCircuit(3, 2)
        circuit.append(opened, [0, 1, 2], order)
        assert status(circuit) == ("refused" if value else "proved")


@pytest.mark.parametrize("value", [0, 1])
def test_bits_of_a_condition_in_a_loop_are_those_that_the_loop_is_put_on(value):
    circuit = QuantumCircuit(3, 2)
    first, second = circuit.clbits
    body, flip = QuantumCircuit(circuit.qubits, [second, first]), QuantumCircuit(circuit.qubits, [second, first])
    flip.cz(0, 1)
    body.x(2)
    body.measure(2, first)
    body.x(2)
    body.append(IfElseOp((first, value), flip), circuit.qubits, [second, first])
    circuit.append(ForLoopOp(range(1), None, body), circuit.qubits, [first, second])
    assert status(circuit) == ("proved" if value else "refused")


SWAPPED, ADDED = (PermutationGate([1, 0, 2]), [0, 1, 2]), (LinearFunction([[1, 0], [1, 1]]), [2, 3])
IN_MATRICES = (SWAPPED, (DiagonalGate([1, 1, 1, -1]), [0, 1]), ADDED, ADDED, SWAPPED)
TURNED = circuit_of(3, (PermutationGate([1, 2, 0]), [0, 1, 2])).to_gate()
FLIP = UnitaryGate(np.diag([1, -1]))
P = Parameter("p")
BOUND = circuit_of(2, (define("g", 2, ("cp", P * math.pi, 0, 1), params=[P]), [0, 1]))
JUDGED = {
    "instructions and matrices": (circuit_of(4, *IN_MATRICES), "proved"),
    "a wrong matrix": (circuit_of(4, *IN_MATRICES, (DiagonalGate([1, 1, -1, 1]), [0, 1])), "refused"),
    "a permutation in a modified definition": (
        circuit_of(4, CZ, (modify(TURNED, CONTROL), range(4)), (modify(TURNED, CONTROL, INVERSE), range(4))),
        "proved",
    ),
    "a controlled matrix": (circuit_of(2, (modify(FLIP, CONTROL), [0, 1])), "proved"),
    "a modified matrix": (circuit_of(2, (modify(FLIP, INVERSE, CONTROL), [0, 1])), "proved"),
    "a parameter bound by a loop": (circuit_of(2, (ForLoopOp((1, 1, 1), P, BOUND), [0, 1], [])), "proved"),
    "a modified gate in a definition": (
        circuit_of(2, (circuit_of(2, (modify(ZGate(), CONTROL), [0, 1])).to_gate(), [0, 1])),
        "proved",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("circuit", "expected"), JUDGED.values(), ids=JUDGED)
def test_gates_are_judged_whatever_holds_them(circuit, expected):
    assert status(circuit) == expected


def many(times, size, matrix):
    return circuit_of(2, CZ, *[(UnitaryGate(matrix, check_input=False), range(size // 2))] * times)


TURN = np.exp(-2.4e-5j)
"""Qiskit leaves out a rotation of 5e-5, as often as it stands there."""
UNJUDGED = {
    # Qiskit controls the inner gate by its name.
    "controls on a defined gate": (
        circuit_of(2, (MCMTGate(define("z", 1), 1, 1), [0, 1])),
        "mcmt of a gate that is not one of Qiskit's own",
    ),
    # One that is far off is written, and many that are off by less than Qiskit sees.
    **{
        f"{times} of size {size}, off by {factor - 1}": (
            many(times, size, np.diag([*[1] * (size - 1), -factor])),
            "matrices are off by",
        )
        for size in (2, 4)
        for factor, times in ((5, 1), (1 + 4e-6, 1001))
    },
    "other gates in Qiskit": (many(1, 4, np.diag([TURN, TURN.conj(), TURN.conj(), TURN])), "matrices are off by"),
    # To the power of 2^24 it is a multiple of whole turns, and its matrix a thousandth of a turn off.
    "a large power": (
        circuit_of(
            2, CZ, (modify(circuit_of(1, ("h", 0), ("s", 0)).to_gate(), PowerModifier(21272448), CONTROL), [0, 1])
        ),
        "is over 4096 gates: write fewer",
    ),
    **{
        f"a Hamiltonian of {size}": (
            circuit_of(2, (HamiltonianGate(np.diag([0, size]), 1.0), [0])),
            "a Hamiltonian of large numbers",
        )
        for size in (25.0 * 2**29, 2.0**33)
    },
}


@pytest.mark.parametrize(("circuit", "message"), UNJUDGED.values(), ids=UNJUDGED)
def test_gates_that_are_not_judged_are_named(circuit, message):
    with pytest.raises(UnsupportedError, match=message):
        gatesolve.judge(circuit, BOTH)


@pytest.mark.parametrize("power", [-3, 0, 1, 5, 64])
def test_a_power_is_that_many_gates(power):
    """Of an eighth of a turn, under a control: an odd number of half turns marks the solution."""
    turn = circuit_of(1, ("p", math.pi / 4, 0)).to_gate()
    circuit = circuit_of(2, (modify(turn, PowerModifier(power), PowerModifier(4), CONTROL), [0, 1]))
    assert status(circuit) == ("proved" if power % 2 else "refused")


@pytest.mark.parametrize("name", ["barrier", "measure", "id", "cx"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_library_gate_is_what_its_class_is(name, times):
    """Transpiling and counting go by names."""
    flips, flip = PauliGate("XX"), ZGate().to_mutable()
    for gate in (flips, flip):
        gate.name = name
        judged = gatesolve.judge(circuit_of(2, CZ, *[(gate, range(gate.num_qubits))] * times), BOTH)
        assert judged.status == ("refused" if times == 1 else "proved")
        assert judged.gates == {"cz": 1, "z" if gate is flip else f"{name} (defined)": times}


def test_a_name_of_a_gate_begins_no_line(tmp_path):
    names = f"{'a' * 200}\nverdict: proved\n {'b' * 200}", f"{'a' * 109} verdict: proved {'b' * 109}"
    path = write_qpy(tmp_path, circuit_of(2, *((define(name, 1), [0]) for name in names)))
    (tmp_path / "p.opb").write_text("+1 x1 +1 x2 = 2 ;\n")
    run = CliRunner().invoke(app.app, ["verify", str(path), "--problem", str(tmp_path / "p.opb")])
    assert [line for line in run.stdout.splitlines() if line.startswith("verdict")] == ["verdict: refused"]


def test_physical_qubits_in_qpy_are_where_they_are(tmp_path):
    circuit = qasm3.loads(f'{THIRD}include "stdgates.inc"; cz $0, $1; h $2; h $2;')
    assert status(write_qpy(tmp_path, circuit)) == "proved"


def test_qubits_that_an_output_map_does_not_name_stay_if_they_can():
    circuit = circuit_of(4, CZ, ("swap", 1, 3))
    judged = gatesolve.judge(circuit, BOTH, output_map={1: 3})
    assert (judged.status, judged.applied) == (
        "proved",
        "the output map is applied: 2 of 4 qubits end in another place and are brought back",
    )
    circuit.x(2)
    assert "ancilla qubit 2 is left as 1" in str(gatesolve.judge(circuit, BOTH, output_map={1: 3}).claim)


def test_a_quarter_turn_that_waits_shows_no_constraint():
    """The ancilla holds no parity here, only the sum or the difference of its states."""
    there, back = (
        [("ry", angle, 2), ("cz", 0, 2), ("cz", 1, 2), ("ry", angle, 2)] for angle in (math.pi / 2, -math.pi / 2)
    )
    parities = NotEqual("x", "y"), Linear(((1, "x"), (-1, "y")), "==", 0)
    assert gatesolve.judge(circuit_of(3, *there, *back, CZ), Model(BITS, parities)).alone == 0


def test_a_circuit_without_qubits_is_refused():
    with pytest.raises(InputError, match="no qubits"):
        gatesolve.judge(QuantumCircuit(0), Model(()))


@pytest.mark.sampled(0.5)
def test_qubits_keep_their_names_of_before_in_a_file(tmp_path):
    circuit = QuantumCircuit(QuantumRegister(1, "a"), QuantumRegister(2, "d"))
    circuit.cz(1, 2)
    routed = transpile(circuit, coupling_map=[[0, 1], [1, 2], [2, 3]], initial_layout=[3, 0, 2], optimization_level=1)
    for given in (routed, write_qpy(tmp_path, routed)):
        assert status(given, layout={"data": ["d[0]", "d[1]"]}) == "proved"
        assert status(given, layout={"data": ["d[0]", "a[0]"]}) == "refused"


@pytest.mark.parametrize("digits", ["9" * 5000, "\u0663"])
def test_odd_numbers_of_qubits_are_named(digits):
    for place in (digits, f"q[{digits}]"):
        with pytest.raises(InputError, match="no qubit"):
            gatesolve.judge(circuit_of(2, CZ), BOTH, output_map={place: 0})


@pytest.mark.sampled(0.5)
def test_a_damaged_qpy_is_named(tmp_path):
    place = write_qpy(tmp_path, circuit_of(2, CZ))
    data = place.read_bytes()
    for damaged, message in [
        (data[:17] + b"\2" + data[18:], "2 circuits"),
        (data[:10] + b"\xff" * 8 + data[18:], "18446744073709551615 circuits"),
        (data[:9], "circuits"),
        (data[:40] + b"\xff" * 40 + data[80:], "Qiskit does not read this QPY"),
        (data[: len(data) // 2], "Qiskit does not read this QPY"),
    ]:
        place.write_bytes(damaged)
        with pytest.raises(InputError, match=message) as caught:
            gatesolve.judge(place, BOTH)
        assert str(place) in str(caught.value)


def test_a_layout_of_another_circuit_is_named():
    wide = transpile(circuit_of(3, CZ), coupling_map=[[0, 1], [1, 2], [2, 3]], initial_layout=[2, 1, 0])
    narrow = circuit_of(2, CZ)
    narrow._layout = wide.layout
    with pytest.raises(InputError, match="transpile it again"):
        gatesolve.judge(narrow, BOTH)


@pytest.mark.parametrize(
    ("option", "names"), [("layout", '{"data": [0, 1], "data": [1, 0]}'), ("output_map", '{"0": 0, "0": 1}')]
)
def test_a_map_that_names_a_qubit_twice_is_refused(tmp_path, option, names):
    (tmp_path / "map.json").write_text(names)
    with pytest.raises(InputError, match="twice"):
        gatesolve.judge(circuit_of(2, CZ), BOTH, **{option: tmp_path / "map.json"})


@pytest.mark.parametrize("value", [2, -1])
def test_a_bit_is_compared_with_0_or_1(value):
    """Qiskit's simulators and writers differ on others."""
    circuit = QuantumCircuit(3, 1)
    circuit.cz(0, 1)
    circuit.h(2)
    circuit.measure(2, 0)
    circuit.append(IfElseOp((circuit.clbits[0], value), circuit_of(1, ("x", 0))), [2])
    with pytest.raises(UnsupportedError, match="give 0 or 1"):
        gatesolve.judge(circuit, BOTH)


@pytest.mark.parametrize("name", ["cz ", "cz, 0 t", "CZ"])
def test_a_defined_gate_is_told_from_those_of_qiskit(name):
    ((told, number),) = gatesolve.judge(circuit_of(2, (define(name, 2, CZ), [0, 1])), BOTH).gates.items()
    assert (told.endswith(" (defined)"), number) == (True, 1)
    assert told.removesuffix(" (defined)").replace("?", "_").isidentifier()


def test_a_definition_without_a_value_is_named_and_waiting_costs_nothing(tmp_path):
    head = f"{SECOND}gate g(a) x {{ rz(1/a) x; }} gate f(a) x {{ rz(sqrt(a)) x; }}\nqreg q[3];\ncz q[0],q[1];\n"
    assert judge_text(tmp_path, f"{head}u0(20000000) q[2];\n").status == "proved"
    for call in ("g(0)", "f(-1)"):
        with pytest.raises(InputError, match="no definition that is read"):
            judge_text(tmp_path, f"{head}{call} q[2];\n")

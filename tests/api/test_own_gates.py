"""A gate that a file defines is judged by its definition, whatever name of Qiskit's it has."""

import math

import cpmpy as cp
import numpy as np
import pytest
from qiskit import QuantumCircuit, QuantumRegister, qasm3, qpy, transpile
from qiskit.circuit import (
    AnnotatedOperation,
    ControlModifier,
    ForLoopOp,
    Gate,
    IfElseOp,
    Instruction,
    InverseModifier,
    Parameter,
    PowerModifier,
)
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
from typer.testing import CliRunner

import gatesolve
from gatesolve.cli import app
from gatesolve.errors import InputError, UnsupportedError

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


@pytest.mark.quick(1)
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


def test_a_library_gate_of_a_gate_with_a_definition_is_not_judged():
    """Qiskit controls the inner gate by its name."""
    inner = Gate("z", 1, [])
    inner.definition = QuantumCircuit(1)
    circuit = QuantumCircuit(2)
    circuit.append(MCMTGate(inner, 1, 1), [0, 1])
    with pytest.raises(UnsupportedError, match="mcmt of a gate that is not one of Qiskit's own"):
        gatesolve.judge(circuit, BOTH)


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
        assert gatesolve.judge(circuit, BOTH).status == ("refused" if value else "proved")


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
    assert gatesolve.judge(circuit, BOTH).status == ("proved" if value else "refused")


def test_what_holds_its_gates_in_instructions_or_a_matrix_is_judged():
    circuit = QuantumCircuit(4)
    for gate, qubits in (
        (PermutationGate([1, 0, 2]), [0, 1, 2]),
        (DiagonalGate([1, 1, 1, -1]), [0, 1]),
        (LinearFunction([[1, 0], [1, 1]]), [2, 3]),
        (LinearFunction([[1, 0], [1, 1]]), [2, 3]),
        (PermutationGate([1, 0, 2]), [0, 1, 2]),
    ):
        circuit.append(gate, qubits)
    assert gatesolve.judge(circuit, BOTH).status == "proved"
    circuit.append(DiagonalGate([1, 1, -1, 1]), [0, 1])
    assert gatesolve.judge(circuit, BOTH).status == "refused"


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize(("factor", "times"), [(5, 1), (1 + 4e-6, 1001)])
def test_matrices_that_are_no_unitaries_are_refused(size, factor, times):
    """One that is far off is written, and many that are off by less than Qiskit sees."""
    matrix = np.diag([*[1] * (size - 1), -factor])
    circuit = QuantumCircuit(2)
    for _ in range(times):
        circuit.append(UnitaryGate(matrix, check_input=False), range(size // 2))
    with pytest.raises(UnsupportedError, match="matrices are off by"):
        gatesolve.judge(circuit, BOTH)


def modify(gate, *modifiers):
    return AnnotatedOperation(gate, list(modifiers))


@pytest.mark.parametrize("power", [-3, 0, 1, 5, 64])
def test_a_power_is_that_many_gates(power):
    """Of an eighth of a turn, under a control: an odd number of half turns marks the solution."""
    turn = QuantumCircuit(1)
    turn.p(math.pi / 4, 0)
    circuit = QuantumCircuit(2)
    circuit.append(modify(turn.to_gate(), PowerModifier(power), PowerModifier(4), ControlModifier(1)), [0, 1])
    assert gatesolve.judge(circuit, BOTH).status == ("proved" if power % 2 else "refused")


def test_a_power_of_a_matrix_is_not_rounded():
    """The gate to the power of 2^24 is a multiple of whole turns, and its matrix a thousandth of a turn off."""
    turn = QuantumCircuit(1)
    turn.h(0)
    turn.s(0)
    circuit = QuantumCircuit(2)
    circuit.cz(0, 1)
    circuit.append(modify(turn.to_gate(), PowerModifier(21272448), ControlModifier(1)), [0, 1])
    with pytest.raises(UnsupportedError, match="is over 4096 gates: write fewer"):
        gatesolve.judge(circuit, BOTH)


@pytest.mark.parametrize("size", [25.0 * 2**29, 2.0**33])
def test_a_hamiltonian_of_large_numbers_is_refused(size):
    circuit = QuantumCircuit(2)
    circuit.append(HamiltonianGate(np.diag([0, size]), 1.0), [0])
    with pytest.raises(UnsupportedError, match="a Hamiltonian of large numbers"):
        gatesolve.judge(circuit, BOTH)


def test_a_permutation_in_a_modified_definition_is_judged():
    inner = QuantumCircuit(3)
    inner.append(PermutationGate([1, 2, 0]), [0, 1, 2])
    circuit = QuantumCircuit(4)
    circuit.cz(0, 1)
    for modifiers in ((ControlModifier(1),), (ControlModifier(1), InverseModifier())):
        circuit.append(modify(inner.to_gate(), *modifiers), range(4))
    assert gatesolve.judge(circuit, BOTH).status == "proved"


def test_matrices_whose_gates_in_qiskit_are_others_are_refused():
    """Qiskit leaves out a rotation of 5e-5, as often as it stands there."""
    turn = np.exp(-2.4e-5j)
    circuit = QuantumCircuit(2)
    circuit.cz(0, 1)
    circuit.append(UnitaryGate(np.diag([turn, turn.conj(), turn.conj(), turn])), [0, 1])
    with pytest.raises(UnsupportedError, match="matrices are off by"):
        gatesolve.judge(circuit, BOTH)


@pytest.mark.parametrize("modifiers", [(ControlModifier(1),), (InverseModifier(), ControlModifier(1))])
def test_a_modified_matrix_is_a_matrix(modifiers):
    circuit = QuantumCircuit(2)
    circuit.append(modify(UnitaryGate(np.diag([1, -1])), *modifiers), [0, 1])
    assert gatesolve.judge(circuit, BOTH).status == "proved"


@pytest.mark.parametrize("name", ["barrier", "measure", "id", "cx"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_library_gate_is_what_its_class_is(name, times):
    """Transpiling and counting go by names."""
    flips, flip = PauliGate("XX"), ZGate().to_mutable()
    for gate in (flips, flip):
        circuit = QuantumCircuit(2)
        circuit.cz(0, 1)
        gate.name = name
        for _ in range(times):
            circuit.append(gate, range(gate.num_qubits))
        judged = gatesolve.judge(circuit, BOTH)
        assert judged.status == ("refused" if times == 1 else "proved")
        assert judged.gates == {"cz": 1, "z" if gate is flip else f"{name} (defined)": times}


def test_parameters_of_a_defined_gate_are_bound_by_a_loop():
    p = Parameter("p")
    flip = Gate("g", 2, [p])
    flip.definition = QuantumCircuit(2)
    flip.definition.cp(p * math.pi, 0, 1)
    body, circuit = QuantumCircuit(2), QuantumCircuit(2)
    body.append(flip, [0, 1])
    circuit.append(ForLoopOp((1, 1, 1), p, body), [0, 1], [])
    assert gatesolve.judge(circuit, BOTH).status == "proved"


def test_a_name_of_a_gate_begins_no_line(tmp_path):
    circuit = QuantumCircuit(2)
    circuit.append(Gate(f"{'a' * 200}\nverdict: proved\n {'b' * 200}", 1, []), [0])
    circuit.data[0].operation.definition = QuantumCircuit(1)
    flip = Gate(f"{'a' * 109} verdict: proved {'b' * 109}", 1, [])
    flip.definition = QuantumCircuit(1)
    circuit.append(flip, [0])
    with (tmp_path / "a.qpy").open("wb") as out:
        qpy.dump(circuit, out)
    (tmp_path / "p.opb").write_text("+1 x1 +1 x2 = 2 ;\n")
    run = CliRunner().invoke(app.app, ["verify", str(tmp_path / "a.qpy"), "--problem", str(tmp_path / "p.opb")])
    assert [line for line in run.stdout.splitlines() if line.startswith("verdict")] == ["verdict: refused"]


def test_a_definition_may_hold_modified_gates():
    circuit, inner = QuantumCircuit(2), QuantumCircuit(2)
    inner.append(AnnotatedOperation(ZGate(), [ControlModifier(1)]), [0, 1])
    circuit.append(inner.to_gate(), [0, 1])
    assert gatesolve.judge(circuit, BOTH).status == "proved"


def test_physical_qubits_in_qpy_are_where_they_are(tmp_path):
    circuit = qasm3.loads(f'{THIRD}include "stdgates.inc"; cz $0, $1; h $2; h $2;')
    with (tmp_path / "a.qpy").open("wb") as out:
        qpy.dump(circuit, out)
    assert gatesolve.judge(tmp_path / "a.qpy", BOTH).status == "proved"


def test_qubits_that_an_output_map_does_not_name_stay_if_they_can():
    circuit = QuantumCircuit(4)
    circuit.cz(0, 1)
    circuit.swap(1, 3)
    judged = gatesolve.judge(circuit, BOTH, output_map={1: 3})
    assert (judged.status, judged.applied) == (
        "proved",
        "the output map is applied: 2 of 4 qubits end in another place and are brought back",
    )
    circuit.x(2)
    assert "ancilla qubit 2 is left as 1" in str(gatesolve.judge(circuit, BOTH, output_map={1: 3}).claim)


def test_a_quarter_turn_that_waits_shows_no_constraint():
    """The ancilla holds no parity here, only the sum or the difference of its states."""
    circuit = QuantumCircuit(3)
    circuit.ry(math.pi / 2, 2)
    circuit.cz(0, 2)
    circuit.cz(1, 2)
    circuit.ry(math.pi / 2, 2)
    circuit.ry(-math.pi / 2, 2)
    circuit.cz(0, 2)
    circuit.cz(1, 2)
    circuit.ry(-math.pi / 2, 2)
    circuit.cz(0, 1)
    judged = gatesolve.judge(circuit, cp.Model([X != Y, X & Y | (X == Y)]))
    assert judged.alone == 0


def test_a_circuit_without_qubits_is_refused():
    with pytest.raises(InputError, match="no qubits"):
        gatesolve.judge(QuantumCircuit(0), gatesolve.model.Model(()))


@pytest.mark.sampled(0.5)
def test_qubits_keep_their_names_of_before_in_a_file(tmp_path):
    circuit = QuantumCircuit(QuantumRegister(1, "a"), QuantumRegister(2, "d"))
    circuit.cz(1, 2)
    routed = transpile(circuit, coupling_map=[[0, 1], [1, 2], [2, 3]], initial_layout=[3, 0, 2], optimization_level=1)
    with (tmp_path / "a.qpy").open("wb") as out:
        qpy.dump(routed, out)
    for given in (routed, tmp_path / "a.qpy"):
        assert gatesolve.judge(given, BOTH, layout={"data": ["d[0]", "d[1]"]}).status == "proved"
        assert gatesolve.judge(given, BOTH, layout={"data": ["d[0]", "a[0]"]}).status == "refused"


def test_turns_that_are_each_nearly_nothing_add_up(tmp_path):
    loop = "for int i in [0:1999] { p(6e-9) q[0]; }"
    (tmp_path / "a.qasm3").write_text(f'{THIRD}include "stdgates.inc"; qubit[2] q; cz q[0],q[1]; {loop}')
    assert gatesolve.judge(tmp_path / "a.qasm3", BOTH).status == "refused"


@pytest.mark.parametrize("digits", ["9" * 5000, "\u0663"])
def test_odd_numbers_of_qubits_are_named(digits):
    circuit = QuantumCircuit(2)
    circuit.cz(0, 1)
    for place in (digits, f"q[{digits}]"):
        with pytest.raises(InputError, match="no qubit"):
            gatesolve.judge(circuit, BOTH, output_map={place: 0})


@pytest.mark.sampled(0.5)
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
        (data[:40] + b"\xff" * 40 + data[80:], "Qiskit does not read this QPY"),
        (data[: len(data) // 2], "Qiskit does not read this QPY"),
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


@pytest.mark.parametrize("value", [2, -1])
def test_a_bit_is_compared_with_0_or_1(value):
    """Qiskit's simulators and writers differ on others."""
    circuit, flip = QuantumCircuit(3, 1), QuantumCircuit(1)
    circuit.cz(0, 1)
    circuit.h(2)
    circuit.measure(2, 0)
    flip.x(0)
    circuit.append(IfElseOp((circuit.clbits[0], value), flip), [2])
    with pytest.raises(UnsupportedError, match="give 0 or 1"):
        gatesolve.judge(circuit, BOTH)


@pytest.mark.parametrize("name", ["cz ", "cz, 0 t", "mcx", "CZ"])
def test_a_defined_gate_is_told_from_those_of_qiskit(name):
    gate, circuit = Gate(name, 2, []), QuantumCircuit(2)
    gate.definition = QuantumCircuit(2)
    gate.definition.cz(0, 1)
    circuit.append(gate, [0, 1])
    ((told, number),) = gatesolve.judge(circuit, BOTH).gates.items()
    assert (told.endswith(" (defined)"), number) == (True, 1)
    assert told.removesuffix(" (defined)").replace("?", "_").isidentifier()


@pytest.mark.parametrize("call", ["g(0)", "u0(20000000)", "f(-1)"])
def test_a_definition_without_a_value_is_named_and_waiting_costs_nothing(tmp_path, call):
    defined = "gate g(a) x { rz(1/a) x; } gate f(a) x { rz(sqrt(a)) x; }"
    text = f'OPENQASM 2.0;\ninclude "qelib1.inc";\n{defined}\nqreg q[3];\ncz q[0],q[1];\n{call} q[2];\n'
    (tmp_path / "a.qasm").write_text(text)
    if call.startswith("u0"):
        assert gatesolve.judge(tmp_path / "a.qasm", BOTH).status == "proved"
        return
    with pytest.raises(InputError, match="no definition that is read"):
        gatesolve.judge(tmp_path / "a.qasm", BOTH)

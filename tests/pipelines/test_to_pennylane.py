"""Programs as PennyLane operations: the same gates, the same counts, the same state."""

import sys
from functools import cache

import numpy as np
import pennylane as qml
import pytest
from conformance.dense import distance_up_to_phase, expected
from contest_kakuro import K4, K7
from searched_states import searched_amplitudes

import gatesolve
from gatesolve.circuit import And, Mcx, Parity, PhaseFlip
from gatesolve.circuit.pennylane import named_function
from gatesolve.circuit.pennylane_and import LogicalAnd
from gatesolve.errors import UnsupportedError
from gatesolve.gate_sets import GATE_SETS
from gatesolve.programs import lower_part
from gatesolve.simulate import list_marked, run_grover

MODELS = {"K4": K4, "K7": K7}
ENCODINGS = ("table", "one-hot", "binary", "domain-wall")
QUBITS = 5
P = Parity
#: Qiskit's names of the gates that `qml.specs` counts.
NAMES = {
    "Rot": "u", "CNOT": "cx", "Hadamard": "h", "PauliX": "x", "PauliZ": "z", "S": "s", "T": "t", "Adjoint(S)": "sdg",
    "Adjoint(T)": "tdg", "Toffoli": "ccx", "CZ": "cz",
}  # fmt: skip


@cache
def compiled(name, encoding):
    return gatesolve.compile(MODELS[name], presolve="none", encoding=encoding, level="minimised")


def program(name, encoding, iterations, **changes):
    return compiled(name, encoding).program.with_iterations(iterations).with_lowering(**changes)


def tape(circuit):
    return qml.tape.make_qscript(circuit)().operations


def specs(circuit, num_qubits, level="device"):
    def state():
        circuit()
        return qml.state()

    return qml.specs(qml.QNode(state, qml.device("lightning.qubit", wires=num_qubits)), level=level)().resources


def matrix(circuit):
    """Qubit 0 is the least significant bit."""
    if not tape(circuit):
        return np.eye(1 << QUBITS)
    return qml.matrix(circuit, wire_order=range(QUBITS)[::-1])()


# What is counted.


@pytest.mark.sampled(3)
@pytest.mark.quick("K4-*-c[xz]+u", "K7-table-cx+u")
@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", MODELS)
def test_specs_are_our_counts(name, encoding, gates):
    # Rotations of domain-wall preparations are long words of Clifford+T: there one oracle call is enough.
    part = "oracle" if (encoding, gates) == ("domain-wall", "clifford+t") else "whole"
    chosen = program(name, encoding, gates=gates, iterations=1)
    ours = chosen.resources(part)
    theirs = specs(chosen.to_pennylane(part, lowered=True), chosen.num_qubits)
    by_name = {NAMES[key]: number for key, number in theirs.gate_types.items()}
    circuit = lower_part(chosen, part).remove_final_measurements(inplace=False)
    assert by_name == dict(circuit.count_ops())
    assert (theirs.num_gates, theirs.depth, by_name[GATE_SETS[gates].two_qubit]) == (ours.total, ours.depth, ours.cx)
    assert theirs.num_allocs == chosen.num_qubits
    if gates == "clifford+t":
        assert by_name["t"] + by_name["tdg"] == ours.t


@pytest.mark.parametrize("encoding", ["binary", "table"])
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
def test_specs_of_measured_erasure(encoding, gates):
    """Conditional gates and measurements have names of their own there, measurements count as gates."""
    chosen = program("K4" if encoding == "binary" else "K7", encoding, gates=gates, measured=True, iterations=1)
    ours = chosen.resources()
    theirs = specs(chosen.to_pennylane(lowered=True), chosen.num_qubits, level="top")
    types = {key.removeprefix("Conditional(").rstrip(")"): 0 for key in theirs.gate_types}
    for key, number in theirs.gate_types.items():
        types[key.removeprefix("Conditional(").rstrip(")")] += number
    assert types.pop("MidMeasureMP") == ours.measurements > 0
    assert sum(types.values()) == ours.total == theirs.num_gates - ours.measurements
    assert (theirs.depth, types["CNOT"]) == (ours.depth, ours.cx)
    if gates == "clifford+t":
        assert types["T"] + types["Adjoint(T"] == ours.t


def test_named_operations():
    chosen = program("K4", "binary", iterations=1)
    found = specs(chosen.to_pennylane("oracle"), chosen.num_qubits, level="top").gate_types
    ands = sum(isinstance(op, And) for op in chosen.oracle.ops)
    assert found["LogicalAnd"] == ands > 0
    labels = [op.label() for op in tape(chosen.to_pennylane("oracle")) if isinstance(op, LogicalAnd)]
    assert labels.count("AND†") == sum(isinstance(op, And) and op.undo for op in chosen.oracle.ops) == ands / 2
    assert set(found) <= {"LogicalAnd", "MultiControlledX", "CNOT", "CZ", "CCZ", "C(PauliZ)", "PauliX", "PauliZ"}


# What they do.


def state_of(circuit, num_qubits, device="lightning.qubit"):
    def state():
        circuit()
        return qml.state()

    return qml.QNode(state, qml.device(device, wires=num_qubits))()


@pytest.mark.quick("K4-domain-wall-2-lightning.qubit", "K7*", "K4-table*")
@pytest.mark.parametrize(
    ("name", "encoding", "iterations", "device"),
    [("K4", "table", 1, "default.qubit"), ("K4", "binary", 8, "default.qubit"), ("K4", "one-hot", 1, "lightning.qubit"),
     ("K4", "domain-wall", 2, "lightning.qubit"), ("K7", "table", 3, "lightning.qubit")],
)  # fmt: skip
def test_the_state_is_grovers_and_ancillas_are_clean(name, encoding, iterations, device):
    chosen = program(name, encoding, iterations=iterations)
    expected = searched_amplitudes(
        chosen, run_grover(list_marked(compiled(name, encoding).marks), iterations).amplitudes()
    )
    amplitudes = np.array(list(expected.values()))
    # The first wire is the most significant bit of PennyLane's states.
    places = [int(format(state, f"0{chosen.num_qubits}b")[::-1], 2) for state in expected]
    for lowered in (False, True):
        state = state_of(chosen.to_pennylane(lowered=lowered), chosen.num_qubits, device)
        overlap = np.vdot(amplitudes, state[places])
        assert np.allclose(state[places], overlap * amplitudes, atol=1e-9)
        assert abs(overlap) == pytest.approx(1, abs=1e-9)
        state[places] = 0
        assert np.abs(state).max() < 1e-9


def test_the_fourier_oracle():
    """Grover Adaptive Search by phases: an oracle of rotations and a Fourier transform."""
    search = gatesolve.compile(K4, pipeline="gas", value_oracle="fourier", presolve="none", encoding="table").program
    once = search.with_iterations(1)
    named, low = (state_of(once.to_pennylane(lowered=low), once.num_qubits) for low in (False, True))
    assert abs(np.vdot(named, low)) == pytest.approx(1, abs=1e-9)
    assert len(tape(once.to_pennylane("oracle"))) > 0


def test_clean_qubits_are_lent():
    flip = tape(named_function((Mcx(((0, True), (1, False), (2, True)), 3, (4,)),)))
    phase = tape(named_function((PhaseFlip(tuple(P((q,)) for q in range(4)), (4,)),)))
    for (op,) in (flip, phase):
        assert op.work_wires.tolist() == [4]
        assert op.work_wire_type == "zeroed"


@pytest.mark.parametrize("undo", [False, True])
@pytest.mark.parametrize("right", [P((1,)), P((0, 1), True)])
@pytest.mark.parametrize("left", [P((0,)), P((0, 2), True)])
def test_the_and_is_a_valid_operation(left, right, undo):
    op = And(left, right, 3, undo)
    wires = sorted({*left.wires, *right.wires, 3})
    local = And(*(side.renamed({w: k for k, w in enumerate(wires)}) for side in (left, right)), len(wires) - 1, undo)
    made = LogicalAnd(["abcd"[w] for w in wires], local)
    qml.ops.functions.assert_valid(made, skip_differentiation=True)
    order = ["d", "c", "b", "a"]
    assert distance_up_to_phase(qml.matrix(made, wire_order=order), expected([op], 4)) < 1e-12
    assert made.label() == ("AND†" if undo else "AND")


# What a user does with them.


def test_counts_are_decoded():
    chosen = compiled("K7", "table").program
    circuit = chosen.to_pennylane()
    device = qml.device("lightning.qubit", wires=chosen.num_qubits, seed=1)

    @qml.set_shots(shots=200)
    @qml.qnode(device)
    def counts():
        circuit()
        return qml.counts(wires=range(chosen.space.num_qubits)[::-1])

    (best, shots), *_ = chosen.decode(counts())
    assert [best[f"x{k}"] for k in range(7)] == [2, 1, 3, 2, 0, 0, 1]
    assert shots > 180


@pytest.mark.parametrize("lowered", [False, True])
def test_without_pennylane(monkeypatch, lowered):
    chosen = compiled("K4", "table").program
    monkeypatch.setitem(sys.modules, "pennylane", None)
    with pytest.raises(
        UnsupportedError, match=r"""^PennyLane is not installed: run pip install "gatesolve-circuits\[pennylane\]"$"""
    ):
        chosen.to_pennylane(lowered=lowered)

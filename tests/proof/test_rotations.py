"""The normal form: equal circuits have one, different ones never the same."""

import math
import random

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

from gatesolve.circuit import And, AndNot, Gate, Mcx, Parity, PhaseFlip, Xor
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.lowering.target import PLAIN
from gatesolve.proof import rotations
from gatesolve.proof.pauli import Pauli, pauli_of
from gatesolve.proof.program_form import add_ops
from gatesolve.proof.rotations import FormBuilder, split_angle

NAMES = ("h", "x", "z", "s", "sdg", "t", "tdg", "cx", "ry", "rz")


def form_of(ops, num_qubits):
    builder = FormBuilder(num_qubits)
    add_ops(builder, ops, PLAIN)
    return builder.finish()


def draw_gates(draw, num_qubits, length):
    gates = []
    for _ in range(length):
        name = draw.choice(NAMES)
        qubits = tuple(draw.sample(range(num_qubits), 2 if name == "cx" else 1))
        params = (draw.choice([math.pi / 4, math.pi / 2, 0.3, -0.3]),) if name in {"ry", "rz"} else ()
        gates.append(Gate(name, qubits, params))
    return gates


def circuit_of(gates, num_qubits):
    circuit = QuantumCircuit(num_qubits)
    for gate in gates:
        getattr(circuit, gate.name)(*gate.params, *gate.qubits)
    return circuit


def check_pairs(seeds):
    """Circuits and what one changed gate makes of them: the same form never where the matrices differ."""
    proved = 0
    for seed in seeds:
        draw = random.Random(seed)
        num_qubits = draw.randint(2, 5)
        gates = draw_gates(draw, num_qubits, draw.randint(4, 24))
        other = list(gates)
        place = draw.randrange(len(other))
        match draw.randrange(3):
            case 0:
                del other[place]
            case 1:
                other.insert(place, draw.choice(gates))
            case _:
                other.append(other.pop(place))
        if form_of(gates, num_qubits).find_difference(form_of(other, num_qubits)) is None:
            assert Operator(circuit_of(gates, num_qubits)).equiv(Operator(circuit_of(other, num_qubits)))
            proved += 1
    return proved


def test_no_circuit_has_the_form_of_another():
    assert check_pairs(range(120)) > 0


@pytest.mark.slow
def test_no_circuit_of_a_thousand_has_the_form_of_another():
    assert check_pairs(range(1000, 2000)) > 10


def test_a_circuit_and_what_lowering_makes_of_it_have_one_form():
    """Lowering merges runs of one-qubit gates; where a run turns three ways and more its angles are others."""
    proved = 0
    for seed in range(60):
        draw = random.Random(seed)
        gates = [g for g in draw_gates(draw, 4, 30) if g.name not in {"ry", "rz"}]
        low = lower(gates, 4, "clifford+t")
        again = [Gate(i.operation.name, tuple(low.find_bit(q).index for q in i.qubits)) for i in low.data]
        proved += form_of(gates, 4).find_difference(form_of(again, 4)) is None
    assert proved == 60


def test_operations_are_what_they_are_defined_as():
    """Each operation as rotations against its matrix, through the form of gates that Qiskit knows."""
    toffoli = Parity((0,)), Parity((1,), True)
    for ops in (
        [And(*toffoli, 2)],
        [And(*toffoli, 2, undo=True)],
        [And(Parity((0, 1), True), Parity((1, 3)), 2)],
        [AndNot(Parity((0,)), Parity((1,)), Parity((3,)), 2)],
        [AndNot(Parity((0, 1), True), Parity((1, 3)), Parity((3,), True), 2)],
        [Xor(Parity((0, 3), True), 2)],
        [PhaseFlip((Parity((0, 1)), Parity((2,), True), Parity((3,))))],
        [PhaseFlip((Parity((0,)), Parity((1, 2), True)))],
        [PhaseFlip(tuple(Parity((q,)) for q in range(4)), (4,))],
        [Mcx(((0, True), (1, False)), 3)],
        [Gate("cz", (0, 2))],
    ):
        low = lower(ops, 5, "clifford+t")
        gates = [Gate(i.operation.name, tuple(low.find_bit(q).index for q in i.qubits)) for i in low.data]
        assert form_of(ops, 5).find_difference(form_of(gates, 5)) is None


def test_an_and_is_its_table_of_phases():
    """Its rotations as a matrix: -1 at (1, 0, 1), i at (1, 1, 0), -i at (1, 1, 1), and the target flipped."""
    x, z = np.array([[0, 1], [1, 0]]), np.diag([1, -1])
    letters = {"I": np.eye(2), "X": x, "Z": z}

    def matrix(word):
        return np.kron(np.kron(letters[word[2]], letters[word[1]]), letters[word[0]])

    found = np.eye(8, dtype=complex)
    for eighths, word in ((1, "IIX"), (-1, "IZX"), (1, "ZZX"), (-1, "ZIX")):
        angle = eighths * math.pi / 8
        found = (math.cos(angle) * np.eye(8) - 1j * math.sin(angle) * matrix(word)) @ found
    found = np.diag([-1.0 if k & 1 and k & 4 else 1.0 for k in range(8)]) @ found
    wanted = np.zeros((8, 8), dtype=complex)
    for k in range(8):
        left, right, target = k & 1, k >> 1 & 1, k >> 2
        phase = {(1, 0, 1): -1, (1, 1, 0): 1j, (1, 1, 1): -1j}.get((left, right, target), 1)
        wanted[k ^ (4 if left and right else 0), k] = phase
    assert np.allclose(found * (wanted[0, 0] / found[0, 0]), wanted)


def test_what_cancels_is_gone():
    builder = FormBuilder(70)
    for turn in (0.4, -0.4):
        builder.add_rotation(pauli_of([0, 69]), turn)
    assert builder.finish().layers == ()
    builder.add_rotation(pauli_of([0], "Y"), math.pi / 4)
    builder.add_rotation(pauli_of([0], "Y", negative=True), -math.pi / 4)
    assert builder.finish().layers == ()
    assert builder.finish().x[0] != Pauli(1, 0), "a quarter turn is left"


def test_more_rotations_than_one_block_of_words():
    builder = FormBuilder(3)
    for step in range(3000):
        builder.add_rotation(pauli_of([step % 3], "XYZ"[step % 2]), 0.1 + step / 10_000)
    assert builder.finish().num_rotations == 3000


@pytest.mark.parametrize(
    ("angle", "wanted"), [(0.0, (0, 0.0)), (math.pi / 2, (1, 0.0)), (-math.pi / 4, (-1, math.pi / 4))]
)
def test_angles_are_quarter_turns_and_a_rest(angle, wanted):
    quarters, left = split_angle(angle)
    assert (quarters, pytest.approx(left)) == wanted
    assert split_angle(angle + 1e-12)[0] == quarters


def test_differences_are_named():
    plain, turned = form_of([Gate("t", (0,))], 2), form_of([Gate("t", (1,))], 2)
    assert plain.find_difference(turned).startswith("layer 1 of rotations")
    assert plain.find_difference(form_of([Gate("t", (0,))], 3)) == "2 qubits against 3"
    assert "on qubit 1" in plain.find_difference(form_of([Gate("t", (0,)), Gate("s", (1,))], 2))
    more = form_of([Gate("t", (0,)), Gate("h", (0,)), Gate("t", (0,))], 2)
    assert "1 layers of rotations against 2" in plain.find_difference(more)


def test_rotations_are_placed_alike_however_many_words_are_scanned_at_a_time(monkeypatch):
    def place(words):
        monkeypatch.setattr(rotations, "SCANNED", words)
        draw, builder = random.Random(5), rotations.FormBuilder(4)
        for _ in range(700):
            x, z = draw.randrange(16), draw.randrange(1, 16)
            builder.add_rotation(Pauli(x, z, (x & z).bit_count()), draw.choice([0.3, 0.7, math.pi / 4]))
        return builder.finish()

    assert place(1).find_difference(place(32)) is None

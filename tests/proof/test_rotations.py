"""The normal form: equal circuits have one, different ones never the same."""

import math
import random

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

from gatesolve.circuit import And, AndNot, Gate, Mcx, Mux, Parity, PhaseFlip, Xor, lower
from gatesolve.circuit.lowering.target import PLAIN
from gatesolve.proof import rotations
from gatesolve.proof.pauli import Frame, Pauli, pauli_of
from gatesolve.proof.rotations import FormBuilder, NormalForm, split_angle
from gatesolve.proof.text import add_ops

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
        [Mux(Parity((0,)), Parity((1,)), Parity((3,)), 2)],
        [Mux(Parity((0, 1), True), Parity((1, 3)), Parity((0,), True), 2)],
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


def test_what_cancels_is_gone():
    builder = FormBuilder(70)
    for turn in (0.4, -0.4):
        builder.add_rotation(pauli_of([0, 69]), turn)
    assert builder.finish().layers == ()
    builder.add_rotation(pauli_of([0], "Y"), math.pi / 4)
    builder.add_rotation(pauli_of([0], "Y", negative=True), -math.pi / 4)
    assert builder.finish().layers == ()
    assert builder.finish().x[0] != Pauli(1, 0), "a quarter turn is left"


def test_many_rotations():
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


def place_by_definition(steps, num_qubits):
    """Each rotation in the layer after the last that it does not commute with, all of them looked at."""
    frame, layers = Frame(num_qubits), []
    for axis, angle in steps:
        if axis is None:
            (frame.add_h if len(angle) == 1 else frame.add_cx)(*angle)
            continue
        image, sign = frame.image(axis), frame.image(axis).sign
        apart = [k for k, layer in enumerate(layers, 1) if not all(image.commutes(Pauli(*key)) for key in layer)]
        place = max(apart, default=0)
        if place == len(layers):
            layers.append({})
        quarters, left = split_angle(sign * angle + layers[place].pop(image[:2], 0.0))
        if left:
            layers[place][image[:2]] = left
        frame.add_turns(axis, sign * quarters)
    while layers and not layers[-1]:
        layers.pop()
    return NormalForm(tuple(layers), tuple(frame.x), tuple(frame.z))


@pytest.mark.parametrize(("span", "width"), [(1, 1), (2, 8), (32, 2)])
@pytest.mark.parametrize("num_qubits", [1, 3, 5])
def test_rotations_are_placed_by_definition_however_many_layers_are_stored_together(
    span, width, num_qubits, monkeypatch
):
    monkeypatch.setattr(rotations, "SPAN", span)
    monkeypatch.setattr(rotations, "WIDTH", width)
    draw, builder, steps = random.Random(num_qubits), rotations.FormBuilder(num_qubits), []
    for _ in range(700):
        qubits = draw.sample(range(num_qubits), min(num_qubits, draw.choice([1, 2])))
        # Seldom the last qubit, so that its rotations go back far.
        if num_qubits > 1 and num_qubits - 1 in qubits and draw.random() < 0.9:
            continue
        axis = pauli_of(qubits, draw.choice("XYZ"), draw.random() < 0.5)
        step = (axis, draw.choice([0.3, 0.7, math.pi / 4, -math.pi / 4, math.pi / 2]))
        steps.append((None, tuple(qubits)) if draw.random() < 0.3 else step)
        if steps[-1][0] is None:
            (builder.add_h if len(qubits) == 1 else builder.add_cx)(*qubits)
        else:
            builder.add_rotation(*step)
    made, wanted = builder.finish(), place_by_definition(steps, num_qubits)
    assert made.find_difference(wanted) is None
    assert [layer.keys() for layer in made.layers] == [layer.keys() for layer in wanted.layers]


def test_a_wide_layer_among_narrow_ones():
    """Bits for each layer become more and fewer again."""
    builder, steps = FormBuilder(6), []
    for number in range(200):
        for mask in range(1, 64) if number in {70, 71} else [1]:
            steps.append((pauli_of([q for q in range(6) if mask >> q & 1], "XZ"[number % 2]), 0.3))
            builder.add_rotation(*steps[-1])
    made = builder.finish()
    assert max(map(len, made.layers)) >= 32
    assert made.find_difference(place_by_definition(steps, 6)) is None

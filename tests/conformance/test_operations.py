"""Every operation through every consumer: simulators, lowering, counting, export, drawing, reading out.

The references are the docstrings of the operations, written down in `dense.act`, and Qiskit's matrices of gates.
"""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
import pennylane as qml
import pytest
from conformance.dense import act, basis_ops, distance_up_to_phase, expected, matrix_of
from conformance.kickmix_machine import interpret
from hypothesis import given, settings
from matplotlib.figure import Figure
from qiskit import QuantumCircuit, qasm2, qasm3, qpy
from qiskit.circuit.library import PermutationGate, get_standard_gate_name_mapping
from qiskit.quantum_info import Operator
from scripts import load_script

from gatesolve.circuit import (
    And,
    AndNot,
    Gate,
    Mcx,
    Mux,
    Op,
    Parity,
    PhaseFlip,
    Planes,
    Xor,
    count,
    count_cx,
    emit,
    inverse,
    kickmix_text,
    lower,
    lower_measured,
    named_circuit,
    pack_plane,
    run_ops,
    strict_qasm2,
    unpack_plane,
)
from gatesolve.circuit import ops as definitions
from gatesolve.circuit.cost import count_t, count_toffoli
from gatesolve.circuit.gates import SHAPES
from gatesolve.circuit.lowering.lower import emit_circuit
from gatesolve.circuit.lowering.target import LoweringTarget
from gatesolve.circuit.operation import OpCounts, Operation
from gatesolve.circuit.ops import rename_wires
from gatesolve.circuit.pennylane import lowered_function, named_function
from gatesolve.circuit.qasm import encode_qpy
from gatesolve.costs.physical_counts import _Tally
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.gate_sets import GATE_SETS, METRICS
from gatesolve.programs.postprocess import IsaShape, list_shapes, split_postprocessing, write_shape
from gatesolve.simulate import basis_terms, find_precision, list_steps, run_outcomes, run_planes, run_sparse
from gatesolve.web.story import _tell_op

make_overview = load_script(Path(__file__).parents[2] / "docs" / "make_overview.py")
QUBITS, LENT = 6, 5
HEIGHTS = {wire: float(wire) for wire in range(QUBITS)}
"""The last qubit is zero before and after, and lent to operations that take one."""
STATES = np.arange(1 << LENT)
A, B, C, D = Parity((0, 1)), Parity((2,), True), Parity((3,)), Parity((1,))
BASIS = {
    "xor": Xor(A, 4),
    "xor of a complement": Xor(B, 4),
    "and": And(A, B, 4),
    "and of two wires": And(C, D, 4),
    "and undone": And(A, B, 4, undo=True),
    "and not": AndNot(C, A, B, 4),
    "mux": Mux(B, A, C, 4),
    "majority": Mux(A, C, Parity((0,)), 4),
    "mcx": Mcx(((0, True), (2, False), (3, True)), 4, (LENT,)),
    "mcx of one control": Mcx(((0, False),), 4),
    "flip": PhaseFlip((A, B, C, Parity((4,))), (LENT,)),
    "flip of two": PhaseFlip((A, B)),
    "flip of one": PhaseFlip((Parity((2,)),)),
}
EDGES = {
    "xor of a constant": Xor(Parity((), True), 4),
    "and of overlapping parities": And(A, Parity((1, 2), True), 4),
    "and of complements": And(Parity((0, 2), True), Parity((0, 2), True), 4),
    "and of a constant": And(Parity((), True), C, 4),
    "and of nothing undone": And(D, Parity(()), 4, undo=True),
    "and not of nothing": AndNot(Parity(()), A, B, 4),
    "and not of overlapping parities": AndNot(A, Parity((1, 2), True), Parity((2,)), 4),
    "and not of complements": AndNot(Parity((1, 3), True), Parity((0, 2), True), Parity((1,), True), 4),
    "mux by nothing": Mux(Parity(()), A, C, 4),
    "mux of complements": Mux(Parity((1, 3), True), Parity((0, 2), True), Parity((1,), True), 4),
    "mcx without controls": Mcx((), 4),
    "mcx of zeros": Mcx(((0, False), (3, False), (1, False)), 4, (LENT,)),
    "flip of nothing": PhaseFlip(()),
    "flip that is always one": PhaseFlip((Parity((), True),)),
    "flip that is never one": PhaseFlip((Parity(()), D)),
    "flip of a complement": PhaseFlip((Parity((0, 2, 4), True),)),
    "flip of long factors": PhaseFlip((Parity((0, 1, 2), True), Parity((2, 3, 4)))),
    "flip of a factor twice": PhaseFlip((D, D, Parity((2,)))),
    "flip of a factor and its complement": PhaseFlip((D, D.negated(), Parity((2,)), C)),
    "flip of dependent factors": PhaseFlip((A, Parity((1, 2)), Parity((0, 2), True), C)),
    "flip of contradicting factors": PhaseFlip((A, Parity((1, 2)), Parity((0, 2)), C)),
    "flip of factors that share a wire": PhaseFlip((A, Parity((0, 2), True), Parity((0, 3)), Parity((0, 4))), (LENT,)),
    "flip of a chain": PhaseFlip((A, Parity((1, 2)), Parity((2, 3)), Parity((3, 4), True), Parity((4,))), (LENT,)),
    "flip of all wires": PhaseFlip(tuple(Parity((q,), q % 2 == 0) for q in range(LENT)), (LENT,)),
}
TURNED = {Gate(name, (4,), (0.7,)) for name in ("p", "rz", "ry")}
GATES = {name: Gate(name, (0, 4)[-qubits:], (0.7,) * angles) for name, (qubits, angles) in SHAPES.items()}
EVERY = BASIS | GATES
every = pytest.mark.parametrize("op", EVERY.values(), ids=EVERY)
on_bits = pytest.mark.parametrize("op", (BASIS | EDGES).values(), ids=BASIS | EDGES)


def wanted(op):
    """The operation's columns for every state in which the lent qubit is zero."""
    if isinstance(op, Gate):
        kind = type(get_standard_gate_name_mapping()[op.name])
        circuit = QuantumCircuit(QUBITS)
        circuit.append(kind(*op.params), op.qubits)
        return Operator(circuit).data[:, STATES]
    columns = np.zeros((1 << QUBITS, len(STATES)), dtype=complex)
    for state in STATES.tolist():
        after, power = act(op, state)
        columns[after, state] = 1j**power
    return columns


def assert_is(op, circuit, error=1e-9):
    """The circuit does what the operation does."""
    assert distance_up_to_phase(Operator(circuit).data[:, STATES], wanted(op)) < error


def by_pennylane(function):
    return qml.matrix(function, wire_order=range(QUBITS)[::-1])()[:, STATES]


def columns_of_states():
    return np.array([STATES >> qubit & 1 for qubit in range(QUBITS)], dtype=bool)


def test_every_operation_and_every_gate_is_here():
    members = {part for kind in get_args(Op) for part in (get_args(kind) or (kind,))}
    classes = {one for one in vars(definitions).values() if isinstance(one, type) and issubclass(one, Operation)}
    assert {type(op) for op in EVERY.values()} == members == {one for one in classes if not one.__abstractmethods__}
    assert {op.name for op in EVERY.values() if isinstance(op, Gate)} == set(SHAPES)


@every
def test_the_inverse_and_other_wires(op):
    back = inverse([op])
    both = Operator(emit_circuit([op, *back], QUBITS)).data[:, STATES]
    assert distance_up_to_phase(both, np.eye(1 << QUBITS)[:, STATES]) < 1e-9
    assert inverse(back) == (op,)
    places = (3, 0, 4, 2, 1, 5)
    (moved,) = rename_wires([op], places)
    assert {places[wire] for wire in op.wires} == set(moved.wires)
    assert [places[wire] for wire in (*op.changed, *op.lent)] == [*moved.changed, *moved.lent]
    assert rename_wires([moved], [places.index(wire) for wire in range(QUBITS)]) == (op,)


@on_bits
def test_the_simulator_of_operations(op):
    planes = Planes.from_bits(columns_of_states())
    run_ops([op], planes)
    bits, (low, high) = planes.unpack(planes.bits, len(STATES)), planes.unpack(planes.phase, len(STATES))
    after = (bits.astype(int) << np.arange(QUBITS)[:, None]).sum(axis=0)
    found = list(zip(after.tolist(), (low + 2 * high.astype(int)).tolist(), strict=True))
    assert found == [act(op, state) for state in STATES.tolist()]


@every
@pytest.mark.parametrize("gates", ["cx+u", "cz+u"])
def test_the_simulators_of_circuits(op, gates):
    low = lower([op], QUBITS, gates)
    after = run_sparse(low, basis_terms(columns_of_states()))
    found = np.zeros((1 << QUBITS, len(STATES)), dtype=complex)
    found[after.keys[:, 1].astype(int), after.keys[:, 0].astype(int)] = after.amplitudes
    assert distance_up_to_phase(found, wanted(op)) < 1e-9
    # By CZ, a Z over four qubits is left to the engines that follow amplitudes.
    if op.is_mixing or getattr(op, "params", ()) or (gates == "cz+u" and len(op.wires) > 3 and op.as_flip()):
        return
    steps = list_steps(low)
    digits = find_precision(steps)
    outcome = run_planes(steps, digits, [pack_plane(column) for column in columns_of_states()])
    turns = sum(unpack_plane(plane, len(STATES)) * 2.0 ** (k - digits) for k, plane in enumerate(outcome.phase))
    after = sum(unpack_plane(plane, len(STATES)).astype(int) << q for q, plane in enumerate(outcome.bits))
    found = np.zeros((1 << QUBITS, len(STATES)), dtype=complex)
    found[after, STATES] = np.exp(2j * np.pi * turns)
    assert distance_up_to_phase(found, wanted(op)) < 1e-9


@every
@pytest.mark.parametrize("metric", METRICS)
def test_gates_before_the_passes(op, metric):
    assert_is(op, emit_circuit([op], QUBITS, "cx+u", metric))


@on_bits
def test_edges(op):
    """As gates before the passes, by name, and in PennyLane."""
    assert_is(op, emitted := emit_circuit([op], QUBITS))
    assert emitted.count_ops().get("cx", 0) == count_cx([op])
    assert_is(op, named_circuit([op], QuantumCircuit(QUBITS)))
    assert distance_up_to_phase(by_pennylane(named_function((op,))), wanted(op)) < 1e-9


MATRICES = {
    "gates": lambda ops: matrix_of(emit(ops), LENT),
    "named gates": lambda ops: Operator(named_circuit(ops, QuantumCircuit(LENT))).data,
    "pennylane": lambda ops: qml.matrix(named_function(tuple(ops)), wire_order=range(LENT)[::-1])(),
}


@pytest.mark.quick(1)
@pytest.mark.parametrize("make", MATRICES.values(), ids=MATRICES)
@settings(deadline=None, max_examples=40)
@given(ops=basis_ops(LENT))
def test_any_list(make, ops):
    assert distance_up_to_phase(make(ops) if ops else np.eye(1 << LENT), expected(ops, LENT)) < 1e-10


def test_big_gates_stay_whole_and_have_their_names():
    found = {name: set(named_circuit([op], QuantumCircuit(QUBITS)).count_ops()) for name, op in (BASIS | EDGES).items()}
    assert found["mcx of zeros"] == {"mcx_o0"}
    assert found["mcx of one control"] == {"cx_o0"}
    assert found["mcx without controls"] == {"x"}
    assert found["and of overlapping parities"] == {"and"}
    assert found["and undone"] == {"and_dg"}
    assert any(name.startswith("mcx") for name in found["flip of all wires"])


@every
@pytest.mark.parametrize("gates", GATE_SETS)
def test_lowering_and_counting(op, gates):
    refused = {Gate("t", (4,)), Gate("tdg", (4,)), *TURNED}
    if gates == "clifford+toffoli" and (isinstance(op, AndNot | Mux) or op in refused):
        with pytest.raises(DoesNotFitError, match=r"not Toffoli gates|no exact circuit"):
            lower([op], QUBITS, gates)
        return
    low = lower([op], QUBITS, gates)
    assert_is(op, low)
    found = count(low, gates)
    assert found.cx <= count_cx([op])
    assert found.cx == low.num_nonlocal_gates() - (found.toffoli or 0)
    if gates == "clifford+t" and op not in TURNED:
        assert found.t <= count_t([op])
    if found.toffoli is not None:
        # A single AND keeps its phase, which takes a Toffoli gate more.
        assert found.toffoli <= count_toffoli([op]) + isinstance(op, And)


@every
@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t"])
def test_lowering_with_measurement(op, gates):
    low = lower_measured([op], QUBITS, gates, "t", zeros=(LENT,))
    size = len(STATES)
    for branch in run_outcomes(low, basis_terms(columns_of_states()))[0]:
        after = branch.scaled
        found = np.zeros((1 << QUBITS, size), dtype=complex)
        found[after.keys[:, 1].astype(int), after.keys[:, 0].astype(int)] = after.amplitudes
        assert distance_up_to_phase(found, wanted(op)) < 1e-8


@every
def test_logical_counts(op):
    """A gate that takes T is counted as T, whole, or as a rotation."""
    tally = _Tally()
    tally.ops((op,), LoweringTarget("cx", "clifford+t", QUBITS))
    assert bool(sum(tally.counts.values())) == bool(count_t([op]))


@every
def test_named_gates(op):
    circuit = named_circuit([op], QuantumCircuit(QUBITS))
    assert_is(op, circuit)
    drawn = str(circuit.draw("text"))
    assert op.title in drawn
    assert any(sign in drawn for sign in (op.title or "■", "┤", "⊕", "■", "o"))


@every
def test_pennylane(op):
    for function in (named_function((op,)), *(lowered_function(lower([op], QUBITS, g)) for g in ("cx+u", "cz+u"))):
        assert distance_up_to_phase(by_pennylane(function), wanted(op)) < 1e-9


@every
@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t"])
def test_files(op, gates):
    low = lower([op], QUBITS, gates)
    assert_is(op, qasm2.loads(strict_qasm2(low)))
    assert_is(op, qasm3.loads(qasm3.dumps(low)))
    assert_is(op, qpy.load(io.BytesIO(encode_qpy(low)))[0])


@every
def test_kickmix(op):
    """With its inverse behind another operation, so that relative phases go; what it has no words for is refused."""
    ops = (op, Gate("s", (0,)), *inverse([op]), Gate("sdg", (0,)))
    if op.is_mixing or getattr(op, "params", ()):
        with pytest.raises(UnsupportedError, match="kickmix has no gate"):
            kickmix_text(ops, QUBITS, (LENT,))
        return
    lines = [line for line in kickmix_text(ops, QUBITS, (LENT,)).splitlines() if "Z_POW q0" not in line]
    if not isinstance(op, Gate):
        bits, sign = interpret("\n".join(lines), columns_of_states())
        assert np.array_equal(bits, columns_of_states())
        assert not sign.any()


@every
def test_reading_out(op):
    """An operation at the end is done on the measured bits, or stays."""
    kept, finish = split_postprocessing([op], LENT, QUBITS)
    assert bool(kept) == op.is_mixing
    for state in STATES.tolist() if not kept else ():
        bits = "".join(str(state >> qubit & 1) for qubit in reversed(finish.measured))
        lost = state & ~sum(1 << qubit for qubit in finish.measured)
        if not lost:
            after = np.abs(wanted(op)[:, state]).argmax()
            assert finish.states({bits: 1}) == {after: 1}


@every
def test_writing_for_few_neighbours(op):
    for shape in [*list_shapes([op], QUBITS, 3), IsaShape(tuple(range(QUBITS)), False)]:
        circuit, at = write_shape([op], QUBITS, range(QUBITS - 1), shape)
        back = QuantumCircuit(circuit.num_qubits)
        back.compose(circuit, inplace=True)
        back = back.compose(PermutationGate([*at, *range(QUBITS, circuit.num_qubits)]))
        assert_is(op, back) if circuit.num_qubits == QUBITS else None


@every
def test_drawing(op):
    """The page gets every operation; the picture of the README draws it, or refuses it in words."""
    kind, sign, inputs, target = json.loads(json.dumps(_tell_op(op)))
    dots = {wire for parity in inputs for wire in parity["wires"]}
    assert kind in {"and", "undo", "xor", "phase", "gate"}
    assert sign
    assert {*dots, target} - {-1} == set(op.wires)
    assert target == (op.changed[0] if op.changed else op.wires[0] if kind == "gate" else -1)
    axes = Figure().add_subplot()
    if (isinstance(op, PhaseFlip) and len(op.wires) > 1) or len(op.reads) > 3:
        with pytest.raises(ValueError, match="no place for"):
            make_overview.draw_operation(axes, 0.0, op, HEIGHTS)
        return
    make_overview.draw_operation(axes, 0.0, op, HEIGHTS)
    assert {text.get_text() for text in axes.texts} == {sign}


CONSUMERS = {
    "simulator": lambda op: run_ops([op], Planes.from_bits(columns_of_states())),
    "inverse": lambda op: inverse([op]),
    "lowering": lambda op: lower([op], QUBITS),
    "lowering with measurement": lambda op: lower_measured([op], QUBITS, zeros=(LENT,)),
    "counting": lambda op: count_cx([op]),
    "logical counting": lambda op: _Tally().ops((op,), LoweringTarget("cx", "clifford+t", QUBITS)),
    "named circuit": lambda op: named_circuit([op], QuantumCircuit(QUBITS)),
    "pennylane": lambda op: named_function((op,))(),
    "kickmix": lambda op: kickmix_text([op], QUBITS, ()),
    "reading out": lambda op: split_postprocessing([op], LENT, QUBITS),
    "page": _tell_op,
    "picture": lambda op: make_overview.draw_operation(Figure().add_subplot(), 0.0, op, {}),
}


@dataclass(frozen=True)
class Stranger:
    """Something that is no operation."""

    target: int = 4


@pytest.mark.parametrize("use", CONSUMERS.values(), ids=CONSUMERS)
def test_what_is_no_operation_is_refused(use):
    with pytest.raises(AttributeError, match="'Stranger' object has no attribute"):
        use(Stranger())


def test_an_operation_that_lacks_a_method_cannot_be_made():
    class Half(Operation):
        reads = changed = phases = ()

    with pytest.raises(TypeError, match=r"abstract method.*counts.*export.*gates.*glyph.*inverse.*renamed"):
        Half()


class Bare(Operation):
    """A CX that has the methods without defaults, and no other."""

    reads, changed, phases, counts = (Parity((0,)),), (4,), (), OpCounts(1, 0, 0)

    def renamed(self, wires):
        return self

    def inverse(self):
        return self

    def gates(self, aim, expand):
        yield "cx", (0, 4), 0.0

    def glyph(self):
        return Xor(*self.reads, 4).glyph()

    def export(self, to):
        to.write_gates(self)


@pytest.mark.parametrize("name", ["simulator", "lowering with measurement", "kickmix", "reading out"])
def test_what_an_operation_does_not_define_is_not_guessed(name):
    assert_is(Xor(Parity((0,)), 4), lower([Bare()], QUBITS))
    assert_is(Xor(Parity((0,)), 4), named_circuit([Bare()], QuantumCircuit(QUBITS)))
    with pytest.raises(TypeError, match=r"does not map basis states|has no effect on bits defined"):
        CONSUMERS[name](Bare())


def test_a_gate_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match="no gate cswap on 3 qubits with 0 angles is known"):
        Gate("cswap", (0, 1, 2))

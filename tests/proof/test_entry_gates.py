"""Gates of any kind are read as what Qiskit's matrices say, to rounding."""

import contextlib
import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit, qpy
from qiskit.circuit import (
    AnnotatedOperation,
    ControlledGate,
    ControlModifier,
    ForLoopOp,
    Gate,
    Instruction,
    InverseModifier,
    Parameter,
    PowerModifier,
)
from qiskit.circuit.library import (
    C3XGate,
    C4XGate,
    CSwapGate,
    CSXGate,
    ExactReciprocalGate,
    HamiltonianGate,
    MCPhaseGate,
    MCXGate,
    MCXVChain,
    MultiplierGate,
    PauliEvolutionGate,
    PauliGate,
    PermutationGate,
    SXGate,
    UnitaryGate,
    get_standard_gate_name_mapping,
)
from qiskit.quantum_info import Operator, SparsePauliOp, random_unitary
from qiskit.synthesis import LieTrotter

from gatesolve.errors import UnsupportedError
from gatesolve.proof import QubitLayout
from gatesolve.proof.entry_circuit import make_plain
from gatesolve.proof.entry_gates import GateReader, check_wires

NAMED = {name: one.base_class for name, one in get_standard_gate_name_mapping().items() if isinstance(one, Gate)}
MANY = {"mcx": lambda: MCXGate(3), "c3x": C3XGate, "c4x": C4XGate, "mcp": lambda a: MCPhaseGate(a, 3)}
SOURCES = {**NAMED, **MANY}
ANGLES = st.one_of(st.floats(-7, 7), st.sampled_from([0.0, 1e-9, -5e-5, math.pi / 2, math.pi, -math.pi]))
MOST_QUBITS = 5


def read(gate):
    """The matrix of what a gate is read as."""
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.append(gate, range(gate.num_qubits))
    return Operator(make_plain(circuit, QubitLayout(()))[0]).data


def matrix_of(gate):
    """The matrix of a gate, by numpy where it is modified: Qiskit loses phases there."""
    if not isinstance(gate, AnnotatedOperation):
        return Operator(gate).data
    matrix = matrix_of(gate.base_op)
    for modifier in gate.modifiers:
        if isinstance(modifier, InverseModifier):
            matrix = matrix.conj().T
        elif isinstance(modifier, PowerModifier):
            matrix = np.linalg.matrix_power(matrix if modifier.power >= 0 else matrix.conj().T, abs(modifier.power))
        else:
            many, state = modifier.num_ctrl_qubits, modifier.ctrl_state
            whole = np.eye(len(matrix) << many, dtype=complex)
            whole[state :: 1 << many, state :: 1 << many] = matrix
            matrix = whole
    return matrix


@st.composite
def plain_gates(draw):
    name = draw(st.sampled_from(sorted(SOURCES)))
    needed = {"mcp": 1} | {one: len(kind.params) for one, kind in get_standard_gate_name_mapping().items()}
    gate = SOURCES[name](*(draw(ANGLES) for _ in range(needed.get(name, 0))))
    if hasattr(gate, "ctrl_state") and draw(st.booleans()):
        gate = gate.to_mutable()
        gate.ctrl_state = draw(st.integers(0, 2**gate.num_ctrl_qubits - 1))
    return gate


@st.composite
def defined_gates(draw):
    parts = draw(st.lists(plain_gates(), min_size=1, max_size=3))
    inner = QuantumCircuit(max(1, *(one.num_qubits for one in parts)), global_phase=draw(ANGLES))
    for one in parts:
        inner.append(one, draw(st.permutations(range(inner.num_qubits)))[: one.num_qubits])
        inner.barrier()
    return _define(inner)


def _define(inner):
    gate = Gate("defined", inner.num_qubits, [])
    gate.definition = inner
    return gate


permutations = st.integers(1, 5).flatmap(lambda size: st.permutations(range(size))).map(PermutationGate)


@st.composite
def modified_gates(draw):
    seed = draw(st.integers(0, 9))
    matrices = st.sampled_from([UnitaryGate(random_unitary(2**n, seed=seed)) for n in (1, 2)])
    hamiltonians = st.just(HamiltonianGate(np.diag([0.3, -1.0]), 0.5))
    others = (matrices, hamiltonians, st.just(PauliGate("XYZ")), permutations)
    gate = draw(st.one_of(plain_gates(), defined_gates(), *others))
    gate = AnnotatedOperation(gate, [])  # phases of definitions are dropped where no control can be put on them
    for _ in range(draw(st.integers(0, 2))):
        modifiers = []
        left = MOST_QUBITS - gate.num_qubits
        for kind in draw(st.lists(st.sampled_from(["inv", "pow", "ctrl"]), max_size=3)):
            many = draw(st.integers(1, left)) if kind == "ctrl" and left else 0
            if kind == "inv":
                modifiers.append(InverseModifier())
            elif kind == "pow":
                modifiers.append(PowerModifier(draw(st.integers(-3, 3))))
            elif many:
                modifiers.append(ControlModifier(many, draw(st.integers(0, 2**many - 1))))
                left -= many
        gate = AnnotatedOperation(gate, modifiers)
    return gate


@given(gate=modified_gates())
def test_gates_are_what_their_matrices_are(gate):
    may_be_refused = (UnsupportedError,) if has_matrix(gate) else ()  # where Qiskit's gates are too far from it
    with contextlib.suppress(*may_be_refused):
        assert np.abs(read(gate) - matrix_of(gate)).max() < (1e-8 if has_matrix(gate) else 1e-11)


def has_matrix(gate):
    base = gate
    while isinstance(base, AnnotatedOperation):
        base = base.base_op
    return isinstance(base, UnitaryGate | HamiltonianGate)


TURN = np.exp(-2.4e-5j)
NEARLY = UnitaryGate(np.diag([TURN, TURN.conj(), TURN.conj(), TURN]))
"""Qiskit leaves this out."""


def hold(gate):
    inner = QuantumCircuit(gate.num_qubits)
    inner.append(gate, range(gate.num_qubits))
    return _define(inner)


@pytest.mark.quick(3)
@pytest.mark.parametrize("controls", [0, 1, 2])
@pytest.mark.parametrize(
    "gate",
    [
        hold(NEARLY),
        AnnotatedOperation(NEARLY, [PowerModifier(400)]),
        HamiltonianGate(np.diag([2.4e-5, -2.4e-5, -2.4e-5, 2.4e-5]), 1.0),
    ],
)
def test_small_rotations_are_kept_or_refused(gate, controls):
    whole = AnnotatedOperation(gate, [ControlModifier(controls)] if controls else [])
    with contextlib.suppress(UnsupportedError):
        assert np.abs(read(whole) - matrix_of(whole)).max() < 1e-8


@pytest.mark.parametrize("diagonal", [[1, -5], [0, 0], [1, -5, 1, 1]])
@pytest.mark.parametrize("controls", [0, 1, 2])
def test_a_control_hides_no_matrix_that_is_no_unitary(diagonal, controls):
    gate = AnnotatedOperation(hold(UnitaryGate(np.diag(diagonal), check_input=False)), [ControlModifier(controls or 1)])
    with pytest.raises(UnsupportedError, match="matrices are off by"):
        read(gate if controls else gate.base_op)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_gates_that_need_ancillas_are_taken_by_their_definitions():
    gate = MCXVChain(4, dirty_ancillas=True)
    assert np.abs(read(gate) - Operator(gate).data).max() < 1e-11


@pytest.mark.parametrize("what", ["definition", "matrix", "angles", "qubits", "infinite", "unbound"])
def test_gates_that_are_broken_are_named(what):
    gate = Gate("g", 1, [])
    if what == "definition":
        gate.definition = QuantumCircuit(2)
    elif what == "matrix":
        gate = UnitaryGate(np.eye(2))
        gate.params = [np.eye(3)]
    elif what == "qubits":
        gate = NAMED["ccx"]().to_mutable()
        gate.num_qubits = 2
    else:
        gate = NAMED["rx"](math.inf if what == "infinite" else Parameter("t"))
        gate.params = [] if what == "angles" else gate.params
    with pytest.raises(UnsupportedError):
        GateReader(0).read(gate)


@pytest.mark.parametrize("power", [1e20, 10**400, 2 + 0j, 0.5, math.nan, -(10**9)], ids=range(6))
@pytest.mark.parametrize("name", ["id", "x"])
def test_powers_that_are_not_made_are_named(name, power):
    gate = AnnotatedOperation(NAMED[name](), [PowerModifier(2)])
    gate.modifiers = [PowerModifier(power)]
    with pytest.raises(UnsupportedError, match="to the power"):
        GateReader(0).read(gate)


def test_a_definition_that_grows_exponentially_is_not_made():
    with pytest.raises(UnsupportedError, match="exponentially"):
        read(ExactReciprocalGate(24, 0.5))


@pytest.mark.parametrize("modifiers", [[], [InverseModifier()]])
@pytest.mark.parametrize("gate", [MultiplierGate(2), PauliEvolutionGate(SparsePauliOp(["Z"]), synthesis=LieTrotter(0))])
def test_a_gate_that_qiskit_defines_in_two_ways_is_refused(gate, modifiers):
    with pytest.raises(UnsupportedError, match="several definitions"):
        read(AnnotatedOperation(gate, modifiers) if modifiers else gate)


@pytest.mark.parametrize(
    "gate", [SXGate().control(3, ctrl_state=2, annotated=False), CSXGate().control(2, annotated=False), C4XGate()]
)
def test_qiskits_own_gates_without_a_class_keep_their_names(gate):
    circuit, file = QuantumCircuit(gate.num_qubits), io.BytesIO()
    circuit.append(gate, range(gate.num_qubits))
    qpy.dump(circuit, file)
    file.seek(0)
    for one in (circuit, qpy.load(file)[0]):
        assert np.allclose(read(one.data[0].operation), Operator(gate).data)
    other = ControlledGate("c3sx", 4, [], None, 3, QuantumCircuit(4), base_gate=SXGate())
    with pytest.raises(UnsupportedError, match="another name"):
        read(other)


@pytest.mark.parametrize("name", ["x", "cz", "mcx", "unitary", "measure", "barrier", "mcy", "rc3x", "if_else"])
def test_a_name_of_qiskit_is_not_defined_anew(name):
    """Qiskit's transpiler and writers go by the name, so the definition is not what runs."""
    gate = Gate(name, 2, [])
    gate.definition = QuantumCircuit(2)
    with pytest.raises(UnsupportedError, match="another name"):
        read(gate)


def test_gates_that_stand_on_a_qubit_twice_are_named():
    qubit = QuantumCircuit(1).qubits[0]
    with pytest.raises(UnsupportedError, match="twice"):
        check_wires(NAMED["cx"](), (qubit, qubit), ())


def test_the_time_of_a_hamiltonian_is_bound_by_a_loop():
    time, body, circuit = Parameter("t"), QuantumCircuit(1), QuantumCircuit(1)
    body.append(HamiltonianGate(np.diag([0.0, 0.5]), time), [0])
    circuit.append(ForLoopOp((1, 2), time, body), [0])
    plain = make_plain(circuit, QubitLayout((0,), None))[0]
    assert np.abs(Operator(plain).data - np.diag([1, np.exp(-1.5j)])).max() < 1e-8


def test_barriers_and_modified_gates_stand_in_modified_definitions():
    inner = QuantumCircuit(3)
    inner.barrier()
    inner.append(AnnotatedOperation(PermutationGate([1, 0]), [PowerModifier(3)]), [0, 2])
    opened = Instruction("opened", 3, 0, [])
    opened.definition = inner
    outer = QuantumCircuit(3)
    outer.append(opened, [2, 1, 0])
    gate = AnnotatedOperation(_define(outer), [ControlModifier(1, 0)])
    swap = QuantumCircuit(4)
    swap.append(CSwapGate(ctrl_state=0), [0, 1, 3])
    assert np.abs(read(gate) - Operator(swap).data).max() < 1e-11


def test_a_permutation_is_swaps_whatever_its_width():
    swaps = GateReader(1).read(PermutationGate([*range(1, 40), 0]))
    assert {(one.base, one.controls) for one in swaps} == {("swap", ())}
    assert len(swaps) == 39


@pytest.mark.parametrize("pattern", [[0, 0, 1], [0, 1], "abc", [0, 1, math.nan], None])
def test_a_pattern_that_is_no_permutation_is_refused(pattern):
    gate = PermutationGate([0, 2, 1])
    gate.params[0] = pattern
    with pytest.raises(UnsupportedError, match="pattern"):
        GateReader(1).read(gate)

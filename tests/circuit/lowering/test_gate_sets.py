"""Lowered circuits equal the operations, in both gate sets, and hold only the stated gates."""

import cmath
import math

import numpy as np
import pytest
from conformance.dense import basis_ops, distance_up_to_phase, expected, matrix_of
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator

from gatesolve.circuit import And, AndNot, Gate, Mcx, Mux, Parity, PhaseFlip, emit, inverse, lower, lower_measured
from gatesolve.circuit.lowering.target import TOFFOLI
from gatesolve.encodings.prepare import prepare_domain_wall, prepare_one_hot, prepare_uniform
from gatesolve.errors import DoesNotFitError
from gatesolve.gate_sets import GATE_SETS

every_set = pytest.mark.parametrize("gates", GATE_SETS)


def reference(ops, num_qubits):
    """Operation by operation; preparation gates as dense matrices."""
    matrix = np.eye(1 << num_qubits, dtype=complex)
    for op in ops:
        one = matrix_of(emit([op]), num_qubits) if isinstance(op, Gate) else expected([op], num_qubits)
        matrix = one @ matrix
    return matrix


def assert_lowers(ops, num_data, num_clean, gates, tolerance=1e-9):
    """Equal up to a global phase where the ancillas, the highest qubits, start at zero."""
    width, size = num_data + num_clean, 1 << num_data
    circuit = lower(ops, width, gates)
    assert set(circuit.count_ops()) <= GATE_SETS[gates].names
    assert (circuit.num_qubits, circuit.num_clbits) == (width, 0)
    matrix = Operator(circuit).data[:, :size]
    assert np.abs(matrix[size:]).max(initial=0) < tolerance
    assert distance_up_to_phase(matrix[:size], reference(ops, num_data)) < tolerance


def singles(num_qubits, gates):
    qubit = st.integers(0, num_qubits - 1)
    names = ["h", "x", "z", "s", "sdg", *(["t", "tdg"] if gates != TOFFOLI else [])]
    fixed = st.builds(lambda name, q: Gate(name, (q,)), st.sampled_from(names), qubit)
    pair = st.builds(
        lambda name, a, step: Gate(name, (a, (a + step) % num_qubits)),
        st.sampled_from(["cx", "cz"]),
        qubit,
        st.integers(1, num_qubits - 1),
    )
    return st.one_of(fixed, pair)


def borrowing(ops, clean):
    """The same with ``clean`` lent to every multi-controlled operation."""
    lent = []
    for op in ops:
        if isinstance(op, PhaseFlip):
            lent.append(PhaseFlip(op.factors, clean))
        else:
            lent.append(Mcx(op.controls, op.target, clean) if isinstance(op, Mcx) else op)
    return tuple(lent)


@every_set
@pytest.mark.more_examples(30)
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_any_operations(gates, data):
    """In Toffoli gates too, where ANDs of these lists that are never undone keep their relative phases."""
    drawn = data.draw(basis_ops(5, most=5))
    known = [op for op in drawn if gates != TOFFOLI or not isinstance(op, AndNot | Mux)]
    ops = (*known, *data.draw(st.lists(singles(5, gates), max_size=4)))
    ops = data.draw(st.permutations(ops))
    num_clean = data.draw(st.integers(0, 2))
    ops = borrowing(ops, tuple(range(5, 5 + num_clean)))
    try:
        assert_lowers(ops, 5, num_clean, gates)
    except DoesNotFitError:
        assert "u" not in GATE_SETS[gates].names
        assert num_clean == 0


@pytest.mark.quick("cx+u-*", "clifford+t-*-[234]")
@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
@pytest.mark.parametrize(
    "make", [prepare_uniform, prepare_domain_wall, lambda n: prepare_one_hot(n)[0]], ids=["uniform", "wall", "one-hot"]
)
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t", "cz+u"])
def test_preparations(gates, make, size):
    ops = make(size)
    width = max(max(op.qubits if isinstance(op, Gate) else (op.target,)) for op in ops) + 1
    assert_lowers(ops, width, 0, gates, 1e-8 if gates == "clifford+t" else 1e-12)


@pytest.mark.parametrize("eighths", [-9, -4, -3, 0, 1, 2, 6, 8])
def test_rotations_by_multiples_of_a_right_angle_are_exact(eighths):
    """Half a turn of Ry by k pi/4 is k T gates' worth: at most one T, no synthesis."""
    ops = [Gate("ry", (0,), (eighths * math.pi / 4,))]
    assert_lowers(ops, 1, 0, "clifford+t", 1e-12)
    counts = lower(ops, 1, "clifford+t").count_ops()
    assert counts.get("t", 0) + counts.get("tdg", 0) == eighths % 2


@pytest.mark.parametrize("ops", [prepare_uniform(3), [Gate("t", (0,))], [Gate("ry", (0,), (math.pi / 4,))]], ids=str)
def test_what_clifford_and_toffoli_gates_cannot_do_is_refused(ops):
    """Entries of their matrices are in Z[i, 1/sqrt 2], up to a global phase, and T's are not (arXiv:1908.06076)."""
    with pytest.raises(DoesNotFitError, match="no exact circuit of Clifford and Toffoli gates: use gates='clifford"):
        lower(ops, 2, TOFFOLI)
    quarter = [Gate("t", (0,)), Gate("ry", (1,), (math.pi / 2,)), Gate("t", (0,))]
    assert_lowers(quarter, 2, 0, TOFFOLI, 1e-12)


def test_pairs_of_ands_are_a_toffoli_gate_each_whatever_lies_between():
    """And one that is never undone takes one gate more, for its phase; none where its target is known to be zero."""
    one, two = And(Parity((0,), True), Parity((1, 2)), 3), And(Parity((3,)), Parity((2,)), 4)
    middle = [Gate("h", (5,)), Mcx(((4, True), (0, False)), 5), Gate("s", (4,))]
    assert lower([one, two, *middle, *inverse([one, two])], 6, TOFFOLI).count_ops()["ccx"] == 5
    assert lower([one], 4, TOFFOLI).count_ops()["ccx"] == 2
    assert lower_measured([one], 4, TOFFOLI, zeros=[3]).count_ops()["ccx"] == 1
    assert_lowers([one], 4, 0, TOFFOLI)


def test_an_oracle_made_for_few_cx_is_refused_in_toffoli_gates():
    one = AndNot(Parity((0,)), Parity((1,)), Parity((2,)), 3)
    with pytest.raises(DoesNotFitError, match=r"compile it with gates='clifford\+toffoli'"):
        lower([one, one], 4, TOFFOLI)


@pytest.mark.parametrize("angle", [0.3, -1.234, 2.9, math.pi / 3, 1e-3])
def test_other_rotations_are_synthesised_to_the_stated_error(angle):
    assert_lowers([Gate("ry", (0,), (angle,))], 1, 0, "clifford+t", 2e-10)


def wide(n, clean=()):
    return PhaseFlip(tuple(Parity((q,), q % 3 == 1) for q in range(n)), clean)


@pytest.mark.parametrize(("n", "clean"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1), (7, 1)])
@every_set
def test_flips_with_a_clean_ancilla_where_they_are_wide(gates, n, clean):
    assert_lowers([wide(n, tuple(range(n, n + clean)))], n, clean, gates)


@pytest.mark.parametrize("n", [4, 5, 6])
@every_set
def test_wide_flip_borrowing_a_busy_qubit(gates, n):
    """No ancilla is lent, but a further data qubit in any state is there; it comes back as it was."""
    assert_lowers([wide(n)], n + 1, 0, gates)
    assert lower([wide(n)], n + 1, TOFFOLI).count_ops()["ccx"] == 4 * (n - 3)
    # Counted as Qiskit's own borrowed-qubit rule: no rotations hidden in it.
    counts = lower([wide(n)], n + 1, "clifford+t").count_ops()
    assert counts["t"] + counts["tdg"] <= 16 * n


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_wide_flip_over_all_qubits(n):
    assert_lowers([wide(n)], n, 0, "cx+u", 1e-8)
    with pytest.raises(DoesNotFitError, match=f"over all {n} qubits .* ancillas=1 or more, or gates='cx\\+u'"):
        lower([wide(n)], n, "clifford+t")
    with pytest.raises(DoesNotFitError, match="Clifford\\+Toffoli circuit without a spare qubit: use ancillas=1"):
        lower([wide(n)], n, TOFFOLI)


@every_set
def test_nothing_lowers_to_nothing(gates):
    assert lower([], 3, gates).size() == 0
    ops = (And(Parity((0,), True), Parity((1, 2)), 3), And(Parity((3,)), Parity((2,)), 4))
    assert lower(ops, 5, gates).size() > 0
    assert lower([*ops, *inverse(ops)], 5, gates).size() == 0


@pytest.mark.quick(5)
@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t"])
@pytest.mark.parametrize("angle", [1e17, -3e16, 1234567890123.0, 1e5, 2**53 * math.pi])
def test_angles_of_many_turns_are_reduced_exactly(gates, angle):
    """Divided by a rounded pi, these are whole numbers of eighths."""
    ops = (Gate("h", (0,)), Gate("ry", (0,), (angle,)), Gate("p", (0,), (angle,)), Gate("rz", (0,), (-angle / 3,)))
    made = Operator(lower(ops, 1, gates)).data
    wanted = np.eye(2)
    for op in ops:
        half = (op.params[0] if op.params else 0.0) / 2
        turn = np.array([[math.cos(half), -math.sin(half)], [math.sin(half), math.cos(half)]])
        phase = np.diag([1, cmath.exp(2j * half)])
        wanted = {"h": np.array([[1, 1], [1, -1]]) / math.sqrt(2), "ry": turn}.get(op.name, phase) @ wanted
    overlap = abs(np.trace(wanted.conj().T @ made)) / 2
    assert overlap == pytest.approx(1, abs=1e-9)

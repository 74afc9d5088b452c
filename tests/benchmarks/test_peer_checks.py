import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import MCXGate

from benchmarks.core import follow, problems, sparse
from benchmarks.suites import gate_counts

STATES = np.array([[number >> qubit & 1 for number in range(8)] for qubit in range(3)], dtype=bool)


def ccz() -> QuantumCircuit:
    circuit = QuantumCircuit(4)
    circuit.ccz(0, 1, 2)
    return circuit.decompose().decompose()


def test_a_ccz_marks_one_state():
    assert list(np.flatnonzero(sparse.marked(ccz(), STATES))) == [7]


def test_states_in_any_order():
    order = np.random.default_rng(3).permutation(8)
    assert list(order[sparse.marked(ccz(), STATES[:, order])]) == [7]


def test_a_global_phase_does_not_matter():
    circuit = ccz()
    for name in ("z", "x", "z", "x"):
        getattr(circuit, name)(3)
    assert list(np.flatnonzero(sparse.marked(circuit, STATES))) == [7]


def test_an_ancilla_left_set_is_caught():
    circuit = ccz()
    circuit.cx(0, 3)
    with pytest.raises(ValueError, match="clean"):
        sparse.marked(circuit, STATES)


def test_states_that_change_places_are_caught():
    circuit = ccz()
    circuit.x(0)
    with pytest.raises(ValueError, match="phases"):
        sparse.marked(circuit, STATES)


def test_more_qubits_than_a_word_holds():
    wide = QuantumCircuit(150)
    wide.compose(ccz(), [0, 1, 2, 149], inplace=True)
    wide.cx(0, 149)
    wide.z(149)
    wide.cx(0, 149)
    wide.z(0)
    assert list(np.flatnonzero(sparse.marked(wide, STATES))) == [7]


def test_gates_moved_apart_are_brought_together():
    flags = 40
    circuit = QuantumCircuit(3 + flags)
    for flag in range(flags):
        circuit.h(3 + flag)
    for flag in range(flags):
        circuit.cx(flag % 3, 3 + flag)
    for flag in range(flags):
        circuit.h(3 + flag)
    circuit.compose(ccz(), range(4), inplace=True)
    assert list(np.flatnonzero(sparse.marked(circuit, STATES))) == [7]


def erased(right: bool) -> QuantumCircuit:
    """An AND onto qubit 2 erased by measurement, with the correction or without, and a Z of it in between."""
    circuit = QuantumCircuit(4, 1)
    both = QuantumCircuit(3)
    both.ccx(0, 1, 2)
    circuit.compose(both.decompose(), range(3), inplace=True)
    circuit.z(2)
    circuit.h(2)
    circuit.measure(2, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(2)
        if right:
            circuit.h(1)
            circuit.cx(0, 1)
            circuit.h(1)
    return circuit


def test_erasure_by_measurement_is_followed_whatever_the_outcome():
    for seed in range(4):
        assert list(np.flatnonzero(sparse.marked(erased(True), STATES[:2, :4], seed))) == [3]


def test_a_missing_correction_is_caught():
    with pytest.raises(ValueError, match="depends on the outcomes"):
        follow._marked(erased(False), STATES[:2, :4])


def test_what_is_too_much_at_once_is_followed_in_slices(monkeypatch):
    """Signs of different slices are told beside one codeword; most of the second one's are -1."""
    circuit = QuantumCircuit(4)
    circuit.compose(ccz(), inplace=True)
    circuit.cx(0, 3)
    circuit.cx(1, 3)
    circuit.z(3)
    circuit.cx(1, 3)
    circuit.cx(0, 3)
    whole = follow._marked(circuit, STATES)

    def limited(made, bits, seed=0, *, whole=sparse.marked):
        if bits.shape[1] > 3:
            raise OverflowError
        return whole(made, bits, seed)

    monkeypatch.setattr(sparse, "marked", limited)
    monkeypatch.setattr(follow, "SLICE", 2)
    found = follow._marked_in_slices(circuit, STATES)
    assert np.array_equal(found, whole ^ whole[0])
    assert 0 < found.sum() < 8
    monkeypatch.setattr(follow, "SLICE", 3)
    with pytest.raises(OverflowError):
        follow._marked_in_slices(circuit, STATES)


def test_a_relative_phase_is_caught():
    circuit = ccz()
    circuit.s(1)
    with pytest.raises(ValueError, match="phases"):
        sparse.marked(circuit, STATES)


def test_a_state_left_in_superposition_is_caught():
    circuit = ccz()
    circuit.h(3)
    with pytest.raises(ValueError, match="clean"):
        sparse.marked(circuit, STATES)


@pytest.fixture(scope="module")
def k4():
    return problems.case("K4")


def test_qiskits_oracle_is_right_once_its_data_qubits_count_as_in_use(k4):
    rows = gate_counts.qiskit_rows(k4)
    assert [(row.qubits, row.checked) for row in rows] == [(14, 256), (14, 256), (8, 256), (10, 256)]


def test_a_wrong_peer_does_not_count(k4, capsys):

    def made(circuit):
        row = ("a peer", "1", "", "literal", {"cx+u": circuit})
        return gate_counts.attempt_all(k4, "a peer", [lambda: gate_counts.row(k4, *row)])

    circuit = QuantumCircuit(8)
    circuit.append(MCXGate(7), range(8))
    half = QuantumCircuit(8)
    half.z(0)
    assert made(circuit) == made(half) == []
    notes = capsys.readouterr().out.splitlines()
    assert "neither CX" in notes[0]
    assert "other codewords" in notes[1]

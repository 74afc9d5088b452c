import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import MCXGate


@pytest.fixture(scope="module")
def sparse(benchmark_module):
    return benchmark_module("sparse")


STATES = np.arange(8, dtype=np.uint64)


def ccz() -> QuantumCircuit:
    circuit = QuantumCircuit(4)
    circuit.ccz(0, 1, 2)
    return circuit.decompose().decompose()


def test_a_ccz_marks_one_state(sparse):
    assert list(np.flatnonzero(sparse.marked(ccz(), STATES))) == [7]


def test_states_in_any_order(sparse):
    shuffled = np.random.default_rng(3).permutation(STATES)
    assert list(shuffled[sparse.marked(ccz(), shuffled)]) == [7]


def test_a_global_phase_does_not_matter(sparse):
    circuit = ccz()
    for name in ("z", "x", "z", "x"):
        getattr(circuit, name)(3)
    assert list(np.flatnonzero(sparse.marked(circuit, STATES))) == [7]


def test_an_ancilla_left_set_is_caught(sparse):
    circuit = ccz()
    circuit.cx(0, 3)
    with pytest.raises(ValueError, match="clean"):
        sparse.marked(circuit, STATES)


def test_a_relative_phase_is_caught(sparse):
    circuit = ccz()
    circuit.s(1)
    with pytest.raises(ValueError, match="phases"):
        sparse.marked(circuit, STATES)


def test_a_state_left_in_superposition_is_caught(sparse):
    circuit = ccz()
    circuit.h(3)
    with pytest.raises(ValueError, match="clean"):
        sparse.marked(circuit, STATES)


def test_qiskits_oracle_is_right_once_its_data_qubits_count_as_in_use(benchmark_module):
    peers, problems = benchmark_module("peers_oracles"), benchmark_module("problems")
    assert peers.qiskit_row(problems.K4).qubits == 14


def test_a_wrong_peer_does_not_count(benchmark_module):
    peers, problems = benchmark_module("peers_oracles"), benchmark_module("problems")
    circuit = QuantumCircuit(8)
    circuit.append(MCXGate(7), range(8))
    with pytest.raises(ValueError, match="neither CX"):
        peers.checked(problems.K4, circuit, "an MCX")
    half = QuantumCircuit(8)
    half.z(0)
    with pytest.raises(AssertionError, match="other codewords"):
        peers.checked(problems.K4, half, "a Z")

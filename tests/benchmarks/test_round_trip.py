"""Circuits written and read back: a sample of the suite, and that it sees what came back wrong."""

import random

import pytest

from benchmarks.suites import round_trip as suite


@pytest.mark.parametrize("count", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_ours_come_back_equal(count, sample_seed):
    numbers = random.Random(sample_seed).sample(range(suite.NUMBER), count)
    found = suite.count_outcomes(numbers)
    assert {name: counts["equal"] for name, counts in found["gatesolve"].items()} == dict.fromkeys(suite.OURS, count)
    # Without them, OpenQASM 2 has a gate that its own library does not define.
    assert found["Qiskit"]["OpenQASM 2, legacy gates"]["equal"] == count
    assert found["Qiskit"]["OpenQASM 2"]["equal"] == 0


def test_both_circuits_do_the_same_and_have_what_is_said():
    for seed in range(4):
        ours, whole = suite.circuits(seed)
        assert suite.is_equal(ours, whole, seed)
        assert [register.name for register in ours.qregs] == ["q", "ancilla"]
        assert max(len(one.qubits) for one in whole.data) >= 6


def test_what_came_back_wrong_is_seen():
    ours, _ = suite.circuits(0)

    def lose_a_gate(circuit):
        circuit = circuit.copy()
        place = next(k for k, one in enumerate(circuit.data) if one.operation.name == "cx")
        del circuit.data[place]
        return circuit

    def rename(circuit):
        return suite.QuantumCircuit(circuit.num_qubits).compose(circuit, range(circuit.num_qubits))

    def fail(circuit):
        raise ValueError("unreadable")

    assert [suite.outcome(trip, ours, 0) for trip in (lose_a_gate, rename, fail)] == [
        "different", "different", "ValueError",
    ]  # fmt: skip
    assert "| 3 | 1 | 1 | 1 |" in suite.table({"ours": {"QPY": suite.Counter(["equal", "different", "ValueError"])}})

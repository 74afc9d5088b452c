"""States of given weights, by which words that an oracle reads are prepared."""

import numpy as np
from exact_counts import distribution
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit

from gatesolve.circuit import named_circuit
from gatesolve.pipelines import measure_qubits, real_state


@settings(max_examples=25)
@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.integers(0, 5), min_size=1 << n, max_size=1 << n)))
def test_states_of_whole_weights(weights):
    if not any(weights):
        return
    amplitudes = np.sqrt(np.array(weights) / sum(weights))
    count = len(weights).bit_length() - 1
    circuit = named_circuit(real_state(amplitudes), QuantumCircuit(count))
    found = distribution(measure_qubits(circuit, range(count)))
    assert all(abs(found.get(format(k, f"0{count}b"), 0) - p) < 1e-9 for k, p in enumerate(amplitudes**2))
    assert circuit.count_ops().get("cx", 0) <= 2**count - count - 1


def test_a_product_state_takes_no_cz():
    turned = np.kron(np.kron([0.6, 0.8], [1, 0]), np.sqrt([0.3, 0.7]))
    assert {gate.name for gate in real_state(turned)} == {"ry"}

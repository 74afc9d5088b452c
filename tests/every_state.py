"""All basis states of some qubits at once, and what operations make of them."""

import numpy as np

from gatesolve.circuit import Planes, run_ops


def every_state(num_data, num_qubits=None):
    """A row a qubit, a column a state of the first ``num_data`` qubits; further qubits are zero."""
    bits = np.zeros((num_qubits or num_data, 1 << num_data), dtype=bool)
    bits[:num_data] = np.arange(1 << num_data) >> np.arange(num_data)[:, None] & 1
    return bits


def phases_of(ops, num_data, num_qubits):
    """The two bits of the power of i that each state gains; every qubit is as it was before."""
    bits = every_state(num_data, num_qubits)
    planes = Planes.from_bits(bits)
    run_ops(ops, planes)
    assert np.array_equal(planes.unpack(planes.bits, bits.shape[1]), bits)
    return planes.unpack(planes.phase, bits.shape[1])

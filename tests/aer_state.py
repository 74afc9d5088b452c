"""The exact state of a program's lowered circuit on Qiskit Aer."""

from __future__ import annotations

import numpy as np
from qiskit_aer import AerSimulator
from searched_states import searched_states


def amplitudes_on_aer(program):
    """The amplitude of every codeword at the end of the lowered circuit, ancillas zero, in codeword order.

    Codewords that differ in what is never read alone share the amplitude of the state that stands for them.
    """
    circuit = program.lowered.remove_final_measurements(inplace=False)
    circuit.save_statevector()
    simulator = AerSimulator(method="statevector", max_parallel_threads=1)
    result = simulator.run(circuit).result()
    assert result.success, result.status
    state = np.asarray(result.get_statevector())
    places, number, counts = np.unique(searched_states(program), return_inverse=True, return_counts=True)
    return (state[places] / np.sqrt(counts))[number]


def equal_up_to_a_phase(found, expected):
    """Whether two states are one, to 1e-9 in each amplitude."""
    place = int(np.argmax(np.abs(expected)))
    return np.allclose(found * (expected[place] / found[place]), expected, atol=1e-9)

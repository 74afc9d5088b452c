"""Too wide a superposition is given up, not followed until memory is gone."""

import numpy as np
import pytest
from qiskit import QuantumCircuit

from gatesolve.errors import DoesNotFitError
from gatesolve.simulate import sparse


def test_too_many_terms(monkeypatch):
    monkeypatch.setattr(sparse, "MOST_TERMS", 1 << 6)
    circuit = QuantumCircuit(8)
    circuit.h(range(8))
    with pytest.raises(DoesNotFitError, match="over 64 terms"):
        sparse.diagonal_phases(circuit, np.zeros((8, 1), dtype=bool))

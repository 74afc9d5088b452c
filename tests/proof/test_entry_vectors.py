"""Oracles of others run on random superpositions: as wide as memory holds, not wider."""

import pytest
from qiskit import QuantumCircuit

from gatesolve.encodings import make_spaces
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Linear, Model, Variable
from gatesolve.proof import QubitLayout, entry_vectors


@pytest.mark.parametrize(
    ("data", "width", "message"),
    [(24, 24, "over 16777216 codewords"), (12, 30, "of 30 qubits"), (30, 30, "of 30 qubits")],
)
def test_no_state_is_made_that_memory_does_not_hold(monkeypatch, data, width, message):
    model = Model(tuple(Variable(f"x{k}", (0, 1)) for k in range(data)), (Linear(((1, "x0"),), "==", 1),))
    circuit = QuantumCircuit(width)
    circuit.z(0)
    circuit.mcx(list(range(width - 1)), width - 1)
    monkeypatch.setattr(entry_vectors, "draw_codewords", lambda *given: pytest.fail("codewords are listed"))
    with pytest.raises(DoesNotFitError, match=message):
        entry_vectors.prove_vectors(model, make_spaces(model, "binary")[0], circuit, QubitLayout(tuple(range(data))))

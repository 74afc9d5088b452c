"""Oracles that flip an output: judged with the output entering as 0 and as 1, on every path that follows them."""

import pytest
from qiskit import QuantumCircuit

from gatesolve.encodings import make_spaces
from gatesolve.model import Linear, Model, Variable
from gatesolve.proof import QubitLayout, prove_circuit

PATHS = {
    "planes": 2,
    "state vectors of every codeword": 2,
    "state vectors of every codeword, many together": 9,
    "random superpositions": 15,
    "structure": 29,
}
"""How many data qubits make an oracle take each path."""


def make_oracle(path: str, fault: str) -> tuple[Model, QuantumCircuit]:
    """An AND of two data qubits onto the last qubit, with a fault that shows where that enters as 1."""
    data = PATHS[path]
    model = Model(tuple(Variable(f"x{k}", (0, 1)) for k in range(data)), (Linear(((1, "x0"), (1, "x1")), "==", 2),))
    circuit = QuantumCircuit(data + 1)
    match fault:
        case "data":
            circuit.cx(data, 0)
        case "sign":
            circuit.cz(data, 0)
        case "solution's sign":
            circuit.ccz(0, 1, data)
    if "vectors" in path or "random" in path:
        circuit.ry(0.3, 0)
        circuit.ry(-0.3, 0)
    circuit.ccx(0, 1, data)
    return model, circuit


@pytest.mark.parametrize("path", PATHS)
def test_only_a_right_oracle_that_was_checked_at_random_is_not_proved(path):
    model, circuit = make_oracle(path, "")
    space = make_spaces(model, "binary")[0]
    claim = prove_circuit(model, space, circuit, QubitLayout(tuple(range(space.num_qubits)), space.num_qubits))
    assert claim.status == ("sampled" if "random" in path else "proved"), claim
    assert path.split(",")[0] in claim.method or (path, claim.method) == ("planes", "every codeword")
    told = "missed with a chance below 1e-18" if "random" in path else f"{space.size // 4} of {space.size} codewords "
    assert path == "structure" or told in claim.detail


@pytest.mark.quick(4)
@pytest.mark.parametrize("fault", ["data", "sign", "solution's sign"])
@pytest.mark.parametrize("path", PATHS)
def test_an_oracle_that_is_right_for_an_output_of_0_alone_is_refused(path, fault):
    model, circuit = make_oracle(path, fault)
    space = make_spaces(model, "binary")[0]
    claim = prove_circuit(model, space, circuit, QubitLayout(tuple(range(space.num_qubits)), space.num_qubits))
    assert claim.status == "refused", claim
    assert "with the output entering as 1: " in claim.detail

"""QAOA's circuit in PennyLane's own operations, at angles it may train."""

from itertools import product

import numpy as np
import pennylane as qml
import pytest
from dense_qaoa import dense

from gatesolve.encodings import Space
from gatesolve.encodings import block as blocks
from gatesolve.encodings import mixer as mix
from gatesolve.model import Linear, NotEqual, Variable
from gatesolve.pipelines import qaoa_template
from gatesolve.qubo import Cost, SoftConstraint, tabulate_costs

SUMS = ((0, 1, 3), (1, 2, 4))
COST = Cost(
    tuple(SoftConstraint(1, NotEqual(f"x{a}", f"x{b}")) for a, b, _ in SUMS)
    + tuple(SoftConstraint(1, Linear(((1, f"x{a}"), (1, f"x{b}")), "==", total)) for a, b, total in SUMS)
)
SPACE = Space(tuple(blocks.make_one_hot(Variable(f"x{k}", (0, 1, 2, 3))) for k in range(3)))
COSTS = tabulate_costs(COST, SPACE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "coding", "kind"),
    [*product(["lightning.qubit"], ["encoded", "numbers"], ["xy-ring", "xy-complete"]),
     ("default.qubit", "numbers", "xy-ring")],
)  # fmt: skip
def test_energies_are_equal(device, coding, kind):
    mixers = mix.mixers_for(SPACE, kind)
    template = qaoa_template(SPACE, COST, mixers, block_coding=coding)
    ansatz = template.to_pennylane()
    wires = range(SPACE.num_qubits + template.num_ancillas)

    @qml.qnode(qml.device(device, wires=wires))
    def probabilities(gammas, betas):
        ansatz(gammas, betas)
        return qml.probs(wires=list(range(SPACE.num_qubits))[::-1])

    gammas, betas = np.array([0.4, -0.9, 1.3]), np.array([0.7, 0.2, -0.5])
    found = probabilities(gammas, betas)[[SPACE.state(n) for n in range(SPACE.size)]]
    expected = np.abs(dense(COSTS, (4,) * 3, mixers, gammas, betas)) ** 2
    assert np.allclose(found, expected, atol=1e-9)
    assert abs(found @ COSTS - expected @ COSTS) < 1e-9


def test_angles_of_each_blocks_own():
    """The program at the same angles, lowered, gives the same probabilities."""
    template = qaoa_template(SPACE, COST, block_coding="numbers")
    gammas, betas = [0.4, -0.9], [[0.1, 0.2, 0.3], [-0.5, 0.6, -0.7]]
    ansatz = template.to_pennylane()
    device = qml.device("lightning.qubit", wires=SPACE.num_qubits + template.num_ancillas)

    def probabilities(circuit):
        circuit()
        return qml.probs(wires=range(SPACE.num_qubits))

    whole = template.program(gammas, betas)
    found = [
        qml.QNode(probabilities, device)(circuit)
        for circuit in (lambda: ansatz(gammas, betas), whole.to_pennylane(), whole.to_pennylane(lowered=True))
    ]
    names = {op.name for op in qml.tape.make_qscript(whole.to_pennylane(lowered=True))().operations}
    assert names == {"Rot", "CNOT"}
    assert np.allclose(found[0], found[1], atol=1e-12)
    assert np.allclose(found[0], found[2], atol=1e-9)

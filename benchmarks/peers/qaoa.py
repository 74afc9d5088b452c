"""QAOA of other packages for qaoa_peers.py; runs in an interpreter of its own, without gatesolve.

Reads ``{"peer", "bits", "terms", "layers", "evaluations"}`` on standard input, terms as bits and coefficients of
products of signs. Writes, for each number of layers, the exact mean cost at the angles that the package found, and the
evaluations. Each package starts and optimises as its documentation does. Where it leaves the optimiser to its user,
COBYLA is taken.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from scipy.optimize import minimize

Answer = tuple[float, int]
Terms = list[tuple[list[int], float]]


def tabulate(bits: int, terms: Terms) -> Any:
    """Return the cost of every bit string."""
    signs = 1 - 2 * (np.arange(1 << bits)[:, None] >> np.arange(bits) & 1)
    return sum(coefficient * signs[:, own].prod(axis=1) for own, coefficient in terms)


def run_qiskit(bits: int, terms: Terms, layers: int, evaluations: int) -> Answer:
    """qiskit-optimization: its QAOA with COBYLA and a random start, on 1024 shots."""
    from qiskit.primitives import StatevectorSampler
    from qiskit.quantum_info import SparsePauliOp, Statevector
    from qiskit_optimization.minimum_eigensolvers import QAOA
    from qiskit_optimization.optimizers import COBYLA
    from qiskit_optimization.utils import algorithm_globals

    algorithm_globals.random_seed = 1
    cost = SparsePauliOp.from_sparse_list([("Z" * len(own), own, c) for own, c in terms], bits)
    solver = QAOA(StatevectorSampler(seed=1), COBYLA(maxiter=evaluations), reps=layers)
    found = solver.compute_minimum_eigenvalue(cost)
    circuit = found.optimal_circuit.assign_parameters(found.optimal_parameters)
    chances = Statevector(circuit.remove_final_measurements(inplace=False)).probabilities()
    return float(chances @ tabulate(bits, terms)), found.cost_function_evals


def run_pennylane(bits: int, terms: Terms, layers: int, evaluations: int) -> Answer:
    """PennyLane: the layers of its demonstration, all angles 0.5 at first."""
    import pennylane as qml

    products = [qml.prod(*map(qml.Z, own)) if len(own) > 1 else qml.Z(own[0]) for own, _ in terms]
    cost, mixer = qml.Hamiltonian([c for _, c in terms], products), qml.qaoa.x_mixer(range(bits))

    @qml.qnode(qml.device("lightning.qubit", wires=bits))
    def mean(angles: Any) -> Any:
        for bit in range(bits):
            qml.Hadamard(bit)
        for gamma, beta in zip(angles[:layers], angles[layers:], strict=True):
            qml.qaoa.cost_layer(gamma, cost)
            qml.qaoa.mixer_layer(beta, mixer)
        return qml.expval(cost)

    options = {"maxiter": evaluations}
    found = minimize(lambda at: float(mean(at)), np.full(2 * layers, 0.5), method="COBYLA", options=options)
    return float(found.fun), found.nfev


def run_qokit(bits: int, terms: Terms, layers: int, evaluations: int) -> Answer:
    """QOKit: its simulator, from its angles of the Sherrington-Kirkpatrick model over the root of the mean square."""
    from qokit.fur import choose_simulator
    from qokit.parameter_utils import get_sk_gamma_beta

    machine = choose_simulator(name="python")(bits, costs=tabulate(bits, terms))

    def mean(angles: Any) -> float:
        return float(machine.get_expectation(machine.simulate_qaoa(angles[:layers], angles[layers:])))

    spread = np.sqrt(sum(len(own) * c * c for own, c in terms) / bits)
    gammas, betas = get_sk_gamma_beta(layers)
    # Its phase is halved, as its signs of angles are; both are tried.
    start = min((np.append(sign * gammas / spread, betas) for sign in (1, -1)), key=mean)
    found = minimize(mean, start, method="COBYLA", options={"maxiter": evaluations - 2})
    return float(found.fun), found.nfev + 2


def run_openqaoa(bits: int, terms: Terms, layers: int, evaluations: int) -> Answer:
    """OpenQAOA: its vectorised simulator, its ramp and COBYLA."""
    from openqaoa import QAOA
    from openqaoa.problems import QUBO

    solver = QAOA()
    solver.set_circuit_properties(p=layers, init_type="ramp", param_type="standard")
    solver.set_classical_optimizer(method="cobyla", maxiter=evaluations)
    solver.compile(QUBO(bits, [own for own, _ in terms], [c for _, c in terms]))
    solver.optimize()
    return float(solver.result.optimized["cost"]), int(solver.result.evals["number_of_evals"])


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    run, depths = globals()[f"run_{asked.pop('peer')}"], asked.pop("layers")
    print(json.dumps([(mean_cost, int(made)) for mean_cost, made in (run(layers=p, **asked) for p in depths)]))

"""qiskit-optimization's side of gas.py; runs in an interpreter of its own, without gatesolve.

Reads one JSON request on standard input, writes one JSON answer on its last line.

- ``{"what": "count", "quadratic", "linear", "offset", "width", "threshold"}``: CX of GroverOptimizer's A and of the
  operator that it iterates, lowered by Qiskit at level 1.
- ``{"what": "solve", "problems": [...], "seed", "iterations"}``: what GroverOptimizer finds for each, and how long
  it takes; a problem has the keys above less the threshold.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
import qiskit_optimization
from qiskit import QuantumCircuit, QuantumRegister, transpile
from qiskit.primitives import StatevectorSampler
from qiskit_algorithms import AmplificationProblem
from qiskit_algorithms.utils import algorithm_globals
from qiskit_optimization import QuadraticProgram
from qiskit_optimization.algorithms import GroverOptimizer


def program(request: dict[str, Any], threshold: float = 0) -> QuadraticProgram:
    """The problem as QuadraticProgram."""
    made = QuadraticProgram()
    for number in range(len(request["linear"])):
        made.binary_var(f"x{number}")
    offset = request["offset"] - threshold
    made.minimize(offset, np.array(request["linear"]), np.array(request["quadratic"]))
    return made


def lowered_cx(circuit: QuantumCircuit) -> int:
    """CX after Qiskit's level 1."""
    lowered = transpile(circuit, basis_gates=["cx", "u"], optimization_level=1, seed_transpiler=1)
    return int(lowered.count_ops().get("cx", 0))


def counts(request: dict[str, Any]) -> dict[str, Any]:
    """CX of its own A and operator, taken from the object itself."""
    optimizer = GroverOptimizer(request["width"], sampler=StatevectorSampler())
    optimizer._num_key_qubits = len(request["linear"])
    register = QuantumRegister(optimizer._num_key_qubits + request["width"])
    prepare = optimizer._get_a_operator(register, program(request, request["threshold"]))
    oracle, good = optimizer._get_oracle(register)
    problem = AmplificationProblem(oracle=oracle, state_preparation=prepare, is_good_state=good)
    return {
        "cx": [lowered_cx(prepare), lowered_cx(problem.grover_operator)],
        "version": qiskit_optimization.__version__,
    }


def solved(request: dict[str, Any]) -> dict[str, Any]:
    """The values it finds."""
    found, seconds = [], []
    for number, problem in enumerate(request["problems"]):
        algorithm_globals.random_seed = request["seed"] + number
        start = time.perf_counter()
        sampler = StatevectorSampler(default_shots=request["shots"], seed=request["seed"] + number)
        optimizer = GroverOptimizer(problem["width"], num_iterations=request["iterations"], sampler=sampler)
        result = optimizer.solve(program(problem))
        found.append([round(x) for x in result.x])
        seconds.append(time.perf_counter() - start)
    return {"found": found, "seconds": seconds, "version": qiskit_optimization.__version__}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    print(json.dumps(counts(asked) if asked["what"] == "count" else solved(asked)))

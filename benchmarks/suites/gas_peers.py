"""Circuits of qiskit-optimization's GroverOptimizer, and the same with a start from W states.

Its pieces are Qiskit's own: H on the variables and a QuadraticForm onto the value register (A), Z on that register's
first qubit, the operator of both by `grover_operator`, all lowered by Qiskit at optimization level 3. Where
its package is installed `same_as_installed` compares.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit.library import grover_operator

from benchmarks.core import sparse
from benchmarks.core.processes import ask
from benchmarks.peers import qiskit as peer_qiskit
from benchmarks.suites.gas_cases import matrices
from gatesolve.circuit.counting import count
from gatesolve.encodings.space import Space
from gatesolve.qubo import Qubo

GENERAL = "cx+u"
BRANCHES = 1 << 15
"""Basis states in superposition up to which a lowered oracle is followed."""
MOST_CHECKED = 256
SECONDS = 900


@dataclass(frozen=True)
class Counted:
    """A circuit of the peer's kind at one threshold.

    Attributes:
        qubits: variables and value register, and Qiskit's own idle qubit.
        value_qubits: of the register.
        preparation: CX of A.
        iteration: CX of the operator that is iterated.
        checked: states on which its lowered oracle was followed exactly.
    """

    qubits: int
    value_qubits: int
    preparation: int
    iteration: int
    checked: int


def value_qubits(least: int, most: int) -> int:
    """The fewest that hold, signed, every energy and its difference to every other."""
    spread = most - least
    return next(m for m in range(1, 64) if max(spread, most) < 1 << m - 1 and min(-spread, least) >= -(1 << m - 1))


def value_circuit(qubo: Qubo, width: int, threshold: int) -> QuantumCircuit:
    """The energy less the threshold onto ``width`` zeroed qubits behind the variables, two's complement, sign first."""
    from qiskit.circuit.library import QuadraticForm

    quadratic, linear = matrices(qubo)
    with warnings.catch_warnings():
        # Deprecated, and what GroverOptimizer uses.
        warnings.simplefilter("ignore", DeprecationWarning)
        form = QuadraticForm(width, quadratic, linear, float(qubo.offset) - threshold, little_endian=False)
        circuit = QuantumCircuit(qubo.num_variables + width)
        return circuit.compose(form)


def start_circuit(num_qubits: int, space: Space | None) -> QuantumCircuit:
    """H on every variable, or for a one-hot space a W state on each block's qubits."""
    circuit = QuantumCircuit(num_qubits)
    if space is None:
        circuit.h(range(num_qubits))
        return circuit
    for block, first in zip(space.blocks, space.offsets, strict=True):
        circuit.x(first)
        for k in range(block.num_qubits - 1):
            # What is still on this qubit is shared with those after it.
            angle = 2 * math.acos(math.sqrt(1 / (block.num_qubits - k)))
            circuit.cry(angle, first + k, first + k + 1)
            circuit.cx(first + k + 1, first + k)
    return circuit


def operators(qubo: Qubo, width: int, threshold: int, space: Space | None) -> tuple[QuantumCircuit, QuantumCircuit]:
    """A, and the operator that is iterated, as GroverOptimizer builds them."""
    n = qubo.num_variables
    prepare = QuantumCircuit(n + width)
    prepare.compose(start_circuit(n, space), range(n), inplace=True)
    prepare.compose(value_circuit(qubo, width, threshold), inplace=True)
    # The qubit that its oracle declares and never uses.
    oracle = QuantumCircuit(n + width + 1)
    oracle.z(n)
    return prepare, grover_operator(oracle, prepare)


def counted(qubo: Qubo, width: int, threshold: int, space: Space | None = None) -> Counted:
    """Build, check and count.

    Raises:
        AssertionError: the lowered oracle marks other states than those below the threshold.
    """
    prepare, operator = operators(qubo, width, threshold, space)
    data = qubo.num_variables
    checked = check(qubo, width, threshold, space)
    preparation = count(peer_qiskit.transpiled(prepare, data, GENERAL), GENERAL).cx
    iteration = count(peer_qiskit.transpiled(operator, operator.num_qubits, GENERAL), GENERAL).cx
    return Counted(operator.num_qubits, width, preparation, iteration, checked)


def check(qubo: Qubo, width: int, threshold: int, space: Space | None = None, seed: int = 2026) -> int:
    """Follow the lowered value circuit, Z on the sign and the lowered inverse exactly on states of the search space.

    Returns:
        On how many, drawn where there are more than fit.

    Raises:
        AssertionError: other states are marked than those below the threshold.
    """
    n = qubo.num_variables
    size = space.size if space is not None else 1 << n
    most = max(min(BRANCHES >> width, MOST_CHECKED), 8)
    numbers = np.arange(size)
    if size > most:
        numbers = np.unique(np.random.default_rng(seed).integers(0, size, size=most))
    bits = space.bits(numbers) if space is not None else (numbers >> np.arange(n)[:, None] & 1).astype(bool)
    value = value_circuit(qubo, width, threshold)
    marking = value.copy()
    marking.z(n)
    marking.compose(value.inverse(), inplace=True)
    found = sparse.marked(peer_qiskit.transpiled(marking, n, GENERAL), bits)
    below = qubo.energies(bits) < threshold
    assert np.array_equal(found, below) or np.array_equal(found, ~below), "it marks other states"
    return len(numbers)


def exact_success(qubo: Qubo, width: int, threshold: int, space: Space | None, iterations: int) -> float:
    """Probability of a state below the threshold after the lowered circuits, simulated whole (small ones only)."""
    from qiskit.quantum_info import Statevector

    prepare, operator = operators(qubo, width, threshold, space)
    whole = QuantumCircuit(operator.num_qubits)
    whole.compose(peer_qiskit.transpiled(prepare, qubo.num_variables, GENERAL), range(prepare.num_qubits), inplace=True)
    lowered = peer_qiskit.transpiled(operator, operator.num_qubits, GENERAL)
    for _ in range(iterations):
        whole.compose(lowered, range(lowered.num_qubits), inplace=True)
    n = qubo.num_variables
    chances: NDArray[np.float64] = Statevector(whole).probabilities(range(n))
    bits = (np.arange(1 << n) >> np.arange(n)[:, None] & 1).astype(bool)
    return float(chances[qubo.energies(bits) < threshold].sum())


def as_request(qubo: Qubo, width: int, threshold: float = 0) -> dict[str, object]:
    """What peer_gas.py reads."""
    quadratic, linear = matrices(qubo)
    offset = float(qubo.offset)
    return {
        "quadratic": quadratic.tolist(), "linear": linear.tolist(), "offset": offset, "width": width,
        "threshold": threshold
    }  # fmt: skip


def same_as_installed(python: str, qubo: Qubo, width: int, threshold: int) -> str:
    """The version of qiskit-optimization whose own circuits have as many CX as ours of its pieces.

    Raises:
        AssertionError: they have not.
        ImportError: it is not installed there.
    """
    answer = ask(python, "qiskit_optimization", {"what": "count", **as_request(qubo, width, threshold)}, SECONDS)
    prepare, operator = operators(qubo, width, threshold, None)
    ours = [_plain_cx(circuit) for circuit in (prepare, operator)]
    assert answer["cx"] == ours, f"GroverOptimizer's own circuits have {answer['cx']} CX, rebuilt {ours}"
    return str(answer["version"])


def _plain_cx(circuit: QuantumCircuit) -> int:
    from qiskit import transpile

    lowered = transpile(circuit, basis_gates=["cx", "u"], optimization_level=1, seed_transpiler=1)
    return int(lowered.count_ops().get("cx", 0))

"""What candidates are compared by: one number for an oracle, one for a whole search."""

from __future__ import annotations

from collections.abc import Callable

from gatesolve.circuit import Ops
from gatesolve.circuit.cost import count_cx, count_t
from gatesolve.circuit.lowering import lower
from gatesolve.encodings import Space
from gatesolve.oracle import Oracle
from gatesolve.pipelines.amplification import best_iterations

Key = tuple[float, float]
"""What is compared first, and the CX to break ties."""


def oracle_key(objective: str) -> Callable[[Oracle], Key]:
    """The key of one oracle call for an objective of `Options`."""
    if objective == "qubits":
        return lambda oracle: (oracle.num_qubits, count_cx(oracle.ops))
    return lambda oracle: (_measure(oracle.ops, oracle.num_qubits, objective), count_cx(oracle.ops))


def search_key(space: Space, oracle: Oracle | None, objective: str) -> Key:
    """The key of the search for one solution: preparation, then iterations of oracle and reflection.

    Without an oracle: what the space alone costs, which no oracle can lower.
    """
    iterations = max(best_iterations(space.size, 1), 1)
    roots = 6 * max(len(space.mirror_roots) - 2, 0)
    ops = oracle.ops if oracle is not None else ()
    qubits = oracle.num_qubits if oracle is not None else space.num_qubits
    cx = _search(space, ops, iterations, count_cx, roots)
    if objective == "cx":
        return cx, qubits
    if objective == "qubits":
        return qubits, cx
    return _search(space, ops, iterations, lambda part: _measure(part, qubits, objective), roots), cx


def _search(space: Space, oracle: Ops, iterations: int, price: Callable[[Ops], float], reflection: float) -> float:
    return price(space.preparation) + iterations * (price(oracle) + 2 * price(space.mirror) + reflection)


def _measure(ops: Ops, num_qubits: int, objective: str) -> float:
    """CX and T as declared; depths of the lowered circuit, since nothing declares them."""
    if objective == "cx":
        return count_cx(ops)
    if objective == "t":
        return count_t(ops)
    if objective == "depth":
        return float(lower(ops, num_qubits, "cx+u", "depth").depth())
    lowered = lower(ops, num_qubits, "clifford+t", "t_depth")
    return float(lowered.depth(lambda gate: gate.operation.name in {"t", "tdg"}))

"""Measures by which candidates are compared: one number for an oracle, one for a whole search."""

from __future__ import annotations

from collections.abc import Callable

from gatesolve.circuit import Ops
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.lowering.lower import price_ops
from gatesolve.encodings import Space
from gatesolve.gate_sets import GateSet
from gatesolve.oracle import Oracle
from gatesolve.pipelines.amplification import best_iterations
from gatesolve.programs.reflection import find_mirror

Key = tuple[float, float]
"""What is compared first, and the CX to break ties."""


def oracle_key(metric: str, gates: GateSet = "cx+u") -> Callable[[Oracle], Key]:
    """The key of one oracle call for a metric and a gate set of `Options`."""
    if metric == "qubits":
        return lambda oracle: (oracle.num_qubits, count_cx(oracle.ops))
    return lambda oracle: (price_ops(oracle.ops, oracle.num_qubits, metric, gates), count_cx(oracle.ops))


def search_key(space: Space, oracle: Oracle | None, metric: str) -> Key:
    """The key of the search for one solution: preparation, then iterations of oracle and reflection.

    Without an oracle: what the space alone costs, which no oracle can lower.
    """
    iterations = max(best_iterations(space.size, 1), 1)
    mirror = find_mirror(space, metric)
    roots = 6 * max(len(mirror.roots) - 2, 0)
    ops = oracle.ops if oracle is not None else ()
    qubits = oracle.num_qubits if oracle is not None else space.num_qubits

    def search(price: Callable[[Ops], float]) -> float:
        return price(space.preparation) + iterations * (price(ops) + 2 * price(mirror.ops) + roots)

    cx = search(count_cx)
    if metric == "cx":
        return cx, qubits
    if metric == "qubits":
        return qubits, cx
    return search(lambda part: price_ops(part, qubits, metric)), cx

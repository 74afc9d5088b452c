"""Prices of operations by a metric, for choosing between circuits."""

from __future__ import annotations

from collections.abc import Iterable

from gatesolve.circuit.cost import count_cx, count_t, count_toffoli
from gatesolve.circuit.lowering.lower import lower
from gatesolve.circuit.ops import Op
from gatesolve.gate_sets import GATE_SETS, GateSet


def price_ops(ops: Iterable[Op], num_qubits: int, metric: str, gates: GateSet = "cx+u") -> float:
    """CX, for ``qubits`` too, and T as declared; depths of the lowered circuit, since nothing declares them.

    In a gate set of Toffoli gates these in place of T.
    """
    if metric in {"cx", "qubits"}:
        return count_cx(ops)
    if metric == "t":
        return count_toffoli(ops) if GATE_SETS[gates].has_toffoli else count_t(ops)
    if metric == "depth":
        general = gates if GATE_SETS[gates].has_rotations else "cx+u"
        return float(lower(ops, num_qubits, general, "depth").depth())
    lowered = lower(ops, num_qubits, gates if GATE_SETS[gates].has_toffoli else "clifford+t", "t_depth")
    return float(lowered.depth(lambda gate: gate.operation.name in {"t", "tdg", "ccx"}))

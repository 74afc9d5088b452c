"""Prices of operations by an objective, for choosing between circuits."""

from __future__ import annotations

from collections.abc import Iterable

from gatesolve.circuit.cost import count_cx, count_t, count_toffoli
from gatesolve.circuit.lowering.lower import lower
from gatesolve.circuit.lowering.target import TOFFOLI
from gatesolve.circuit.ops import Op


def price_ops(ops: Iterable[Op], num_qubits: int, objective: str, gates: str = "cx+u") -> float:
    """CX, for ``qubits`` too, and T as declared; depths of the lowered circuit, since nothing declares them.

    In `TOFFOLI` Toffoli gates in place of T.
    """
    if objective in {"cx", "qubits"}:
        return count_cx(ops)
    if objective == "t":
        return count_toffoli(ops) if gates == TOFFOLI else count_t(ops)
    if objective == "depth":
        return float(lower(ops, num_qubits, "cx+u", "depth").depth())
    lowered = lower(ops, num_qubits, TOFFOLI if gates == TOFFOLI else "clifford+t", "t_depth")
    return float(lowered.depth(lambda gate: gate.operation.name in {"t", "tdg", "ccx"}))

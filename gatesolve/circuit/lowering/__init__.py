"""Lowering of reversible operations to a gate set under an ancilla budget."""

from gatesolve.circuit.lowering.lower import GATE_SETS, GateSet, lower

__all__ = ["GATE_SETS", "GateSet", "lower"]

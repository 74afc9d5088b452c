"""Lowering of reversible operations to a gate set under an ancilla budget.

``rules/`` has the ways to write multi-controlled gates, each with its declared cost; ``gates.py`` writes gates;
``passes/`` make them fewer or shallower; ``measured/`` erases logical ANDs by measurement.
"""

from gatesolve.circuit.lowering.lower import estimate_cx, lower
from gatesolve.gate_sets import GATE_SETS, GateSet

__all__ = ["GATE_SETS", "GateSet", "estimate_cx", "lower"]

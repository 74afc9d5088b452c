"""Lowering of reversible operations to a gate set under an ancilla budget.

Operations write their own gates. ``rules/`` has the ways to write multi-controlled ones, each with its declared cost;
``passes/`` make gates fewer or shallower; ``measured/`` erases logical ANDs by measurement.
"""

from gatesolve.circuit.lowering.lower import estimate_cx, lower
from gatesolve.gate_sets import GATE_SETS, GateSet

__all__ = ["GATE_SETS", "GateSet", "estimate_cx", "lower"]

"""Counting lowered circuits, and result rows."""

from gatesolve.circuit.counting import WHOLE_CIRCUIT, Resources, count
from gatesolve.costs.row import Identity, ResultRow, to_csv

__all__ = ["WHOLE_CIRCUIT", "Identity", "Resources", "ResultRow", "count", "to_csv"]

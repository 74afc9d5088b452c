"""Counting lowered circuits, and result rows."""

from gatesolve.resources.count import WHOLE_CIRCUIT, Resources, count
from gatesolve.resources.row import Identity, ResultRow, to_csv

__all__ = ["WHOLE_CIRCUIT", "Identity", "Resources", "ResultRow", "count", "to_csv"]

"""Counting lowered circuits, and result rows."""

from gatesolve.resources.count import Resources, count
from gatesolve.resources.row import Identity, ResultRow, to_csv

__all__ = ["Identity", "Resources", "ResultRow", "count", "to_csv"]

"""What circuits cost: rows of results, and estimates of error-corrected machines.

Counting itself is done in one place, ``circuit/counting.py``, on lowered circuits. Here counts get their identity
(which instance, encoding, level, gate set) and become tables. May import pipelines, simulate, encodings, circuit,
model and puzzles. A new kind of cost is a module here.
"""

from gatesolve.circuit.counting import WHOLE_CIRCUIT, Resources, count
from gatesolve.costs.row import Identity, ResultRow, to_csv

__all__ = ["WHOLE_CIRCUIT", "Identity", "Resources", "ResultRow", "count", "to_csv"]

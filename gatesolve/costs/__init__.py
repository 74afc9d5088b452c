"""Costs of circuits: rows of a sweep and the front among them, and estimates of error-corrected machines.

Counting itself is done in one place, ``circuit/counting.py``, on lowered circuits. May import pipelines, programs,
simulate, encodings, circuit, model and puzzles. A new kind of cost is a module here.
"""

from gatesolve.circuit.counting import WHOLE_CIRCUIT, Resources, count
from gatesolve.costs.estimate import LogicalCounts
from gatesolve.costs.physical import MODELS, cheapest_machine, check_budget, check_models

__all__ = [
    "MODELS", "WHOLE_CIRCUIT", "LogicalCounts", "Resources", "cheapest_machine", "check_budget", "check_models",
    "count",
]  # fmt: skip

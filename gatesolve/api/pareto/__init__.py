"""Sweeping the ways to compile a problem, and the Pareto front of what they cost."""

from gatesolve.api.pareto.sweep import Sweep, pareto
from gatesolve.costs.front import Limits, ParetoFront, Row, check_metric

__all__ = ["Limits", "ParetoFront", "Row", "Sweep", "check_metric", "pareto"]

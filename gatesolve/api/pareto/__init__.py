"""Sweeping the ways to compile a problem, and the Pareto front of what they cost."""

from gatesolve.api.pareto.front import Limits, ParetoFront, Row
from gatesolve.api.pareto.sweep import pareto

__all__ = ["Limits", "ParetoFront", "Row", "pareto"]

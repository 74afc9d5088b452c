"""Sweeping the ways to compile a problem, and the Pareto front of what they cost, with its picture."""

from gatesolve.api.pareto.sweep import pareto
from gatesolve.costs.front import Limits, ParetoFront, Row, check_objective
from gatesolve.drawing.front import draw_front

__all__ = ["Limits", "ParetoFront", "Row", "check_objective", "draw_front", "pareto"]

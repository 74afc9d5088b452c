"""Boards too large for one search: divided until each part fits, searched part by part, all of it accounted."""

from gatesolve.api.division.run import Machines, solve_divided

__all__ = ["Machines", "solve_divided"]

"""The energy side of a problem: quadratic (and higher) binary forms, their penalties, and their files."""

from gatesolve.qubo.build import Formulation, formulate, make_qubo, qubo_space
from gatesolve.qubo.qubo import Qubo

__all__ = ["Formulation", "Qubo", "formulate", "make_qubo", "qubo_space"]

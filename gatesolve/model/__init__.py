"""Variables, constraints and objectives; lowering from CPMpy; the reference solver."""

from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Linear, NotEqual, Table
from gatesolve.model.model import Model, Objective, Variable

__all__ = [
    "AllDifferent",
    "Clause",
    "Constraint",
    "Linear",
    "Model",
    "NotEqual",
    "Objective",
    "Table",
    "Variable",
]

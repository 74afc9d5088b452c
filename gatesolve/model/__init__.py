"""Variables, constraints and objectives; lowering from CPMpy; the reference solver."""

from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Linear, NotEqual, Table
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.model.merge import merge_constraints, tuples_of
from gatesolve.model.model import Model, Objective, Variable
from gatesolve.model.reference import optimum, solutions, to_cpmpy

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
    "from_cpmpy",
    "merge_constraints",
    "optimum",
    "solutions",
    "to_cpmpy",
    "tuples_of",
]

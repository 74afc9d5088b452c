"""Models: variables with finite domains, constraints, objectives, from CPMpy and from files.

Also here: presolve (passes that can be undone), the reference solver (CPMpy with OR-Tools), and the hash by which
content is found again. Imports no other room. A new constraint kind is a class derived from `Constraint`, in
``constraints.py`` or wherever it is used; a new deduction is a pass in ``presolve/`` that returns the smaller model and
the way back.
"""

from gatesolve.model.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Linear,
    NotEqual,
    Table,
    combine_rows,
    tabulate,
)
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.model.merge import Level, merge_constraints, state_constraints, tuples_of
from gatesolve.model.model import Model, Variable
from gatesolve.model.objective import Objective
from gatesolve.model.reference import find_optimum, find_solutions, to_cpmpy

__all__ = [
    "AllDifferent",
    "Clause",
    "Constraint",
    "Level",
    "Linear",
    "Model",
    "NotEqual",
    "Objective",
    "Table",
    "Variable",
    "combine_rows",
    "find_optimum",
    "find_solutions",
    "from_cpmpy",
    "merge_constraints",
    "state_constraints",
    "tabulate",
    "to_cpmpy",
    "tuples_of",
]

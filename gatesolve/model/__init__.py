"""Models: variables with finite domains, constraints, objectives.

This room also contains presolve (passes that can be undone), the reference solver (CPMpy with OR-Tools), and the
content hash. Imports no other room.

A new constraint kind is a class derived from `Constraint`, in ``constraints.py`` or wherever it is used. A new
deduction is a pass in ``presolve/`` that returns the smaller model and the way to recover solutions.
"""

from gatesolve.model.constraints import AllDifferent, Clause, Columns, Constraint, Linear, NotEqual, Table
from gatesolve.model.content import canonical, content_key
from gatesolve.model.merge import Level, merge_constraints, state_constraints, tuples_of
from gatesolve.model.model import Model, Objective, Variable
from gatesolve.model.presolve.branch import backtrack, choose_branches, narrow_model, probe, settle, try_to_refute
from gatesolve.model.presolve.propagate import Event, apply_events, deduce, propagate, stop_after
from gatesolve.model.presolve.recovery import Fixed, Looked, Recovery, Weighted
from gatesolve.model.presolve.settings import PresolveSetting, presolve
from gatesolve.model.reference import SolverOutcome, count_solutions, find_optimum, find_solutions, find_some, to_cpmpy
from gatesolve.model.terms import Apply, Lookup, Sum, Term, Truth, Value, add_terms, apply_function, is_partial
from gatesolve.model.trees import AllOf, Compare, Distinct, NoDigit, Not, OddOf, Within, compare

__all__ = [
    "AllDifferent", "AllOf", "Apply", "Clause", "Columns", "Compare", "Constraint", "Distinct", "Event", "Fixed",
    "Level", "Linear", "Looked", "Lookup", "Model", "NoDigit", "Not", "NotEqual", "Objective", "OddOf",
    "PresolveSetting", "Recovery", "SolverOutcome", "Sum", "Table", "Term", "Truth", "Value", "Variable", "Weighted",
    "Within",
    "add_terms", "apply_events", "apply_function", "backtrack", "canonical", "choose_branches", "compare",
    "content_key", "count_solutions", "deduce", "find_optimum", "find_solutions", "find_some", "is_partial",
    "merge_constraints", "narrow_model", "presolve", "probe", "propagate", "settle", "state_constraints",
    "stop_after", "to_cpmpy", "try_to_refute", "tuples_of",
]  # fmt: skip

"""The energy side of a problem: quadratic (and higher) binary forms and their penalties.

From a model: `build` (the whole), `penalties` (a constraint's forms), `weights`, `scaling` (whole-number costs).
May import model, encodings, circuit, and for the published formulas puzzles. A new form of penalty goes beside
`sum_penalties`.
"""

from gatesolve.extensions import load_late
from gatesolve.qubo.build import formulate_model, qubo_space
from gatesolve.qubo.cost import Cost, SoftConstraint, tabulate_costs
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import ExactEnergies, Qubo
from gatesolve.qubo.scaling import binary_space, qubo_cost

__all__ = [
    "Cost", "ExactEnergies", "Number", "Qubo", "SoftConstraint", "as_written", "binary_space", "formulate_model",
    "qubo_cost", "qubo_space", "tabulate_costs",
]  # fmt: skip

# With all puzzles, so only when asked for.
_PUBLIC = {"gatesolve.qubo.published": ("published_families", "published_qubo")}
__getattr__ = load_late(__name__, _PUBLIC)

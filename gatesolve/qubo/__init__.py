"""The energy side of a problem: quadratic (and higher) binary forms, their penalties and their formats.

From a model: `build` (the whole), `penalties` (a constraint's forms), `weights`, `scaling` (whole-number costs).
From elsewhere: `formats` (text), `convert` and `exchange` (other packages' types). Reads no files.
May import model, encodings, circuit, and for the published formulas puzzles. A new form of penalty goes beside
`sum_penalties`, a new format beside `coo`.
"""

from importlib import import_module
from typing import Any

from gatesolve.qubo.build import Formulation, formulate_model, qubo_space
from gatesolve.qubo.convert import (
    from_bpoly,
    from_bqm,
    from_dict,
    from_ising,
    from_matrix,
    to_bpoly,
    to_bqm,
    to_dict,
    to_ising,
    to_matrix,
)
from gatesolve.qubo.cost import Cost, SoftConstraint, tabulate_costs
from gatesolve.qubo.exact import ExactEnergies
from gatesolve.qubo.exchange import from_cqm, from_ommx, from_quadratic_program, to_cqm, to_ommx, to_quadratic_program
from gatesolve.qubo.integer_program import program_of_model
from gatesolve.qubo.lp import read_lp
from gatesolve.qubo.lp_write import lp_text
from gatesolve.qubo.mps import looks_like_mps, read_mps
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.scaling import binary_space, qubo_cost

__all__ = [
    "Cost",
    "ExactEnergies",
    "Formulation",
    "Number",
    "Qubo",
    "SoftConstraint",
    "as_written",
    "binary_space",
    "formulate_model",
    "from_bpoly",
    "from_bqm",
    "from_cqm",
    "from_dict",
    "from_ising",
    "from_matrix",
    "from_ommx",
    "from_quadratic_program",
    "looks_like_mps",
    "lp_text",
    "program_of_model",
    "qubo_cost",
    "qubo_space",
    "read_lp",
    "read_mps",
    "tabulate_costs",
    "to_bpoly",
    "to_bqm",
    "to_cqm",
    "to_dict",
    "to_ising",
    "to_matrix",
    "to_ommx",
    "to_quadratic_program",
]


def __getattr__(name: str) -> Any:
    if name == "published_qubo":  # with all puzzles, so only when it is asked for
        return import_module("gatesolve.qubo.published").published_qubo
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

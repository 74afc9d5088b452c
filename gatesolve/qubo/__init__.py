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
from gatesolve.qubo.exchange import from_cqm, from_ommx, from_quadratic_program, to_cqm, to_ommx, to_quadratic_program
from gatesolve.qubo.qubo import Qubo

__all__ = [
    "Formulation",
    "Qubo",
    "formulate_model",
    "from_bpoly",
    "from_bqm",
    "from_cqm",
    "from_dict",
    "from_ising",
    "from_matrix",
    "from_ommx",
    "from_quadratic_program",
    "qubo_space",
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

"""The energy side of a problem: quadratic (and higher) binary forms, their penalties, and their files."""

from importlib import import_module
from typing import Any

from gatesolve.qubo.build import Formulation, formulate, make_qubo, qubo_space
from gatesolve.qubo.qubo import Qubo

__all__ = ["Formulation", "Qubo", "formulate", "make_qubo", "qubo_space"]

_PUBLIC = {
    "published_qubo": "gatesolve.qubo.published",
}
"""Names that are loaded when first asked for, and the modules that have them."""


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Exact simulation in the space, and sparse simulation of lowered circuits."""

from importlib import import_module
from typing import Any

_PUBLIC = {
    "check_branches": "gatesolve.simulate.branches",
    "probabilities": "gatesolve.simulate.sparse",
}
"""Names that are loaded when first asked for, and the modules that have them."""


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

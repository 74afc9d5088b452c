"""."""

from importlib import import_module
from typing import Any

_PUBLIC = {
    "preview": "gatesolve.api.hardware",
    "read_qubo": "gatesolve.qubo.read",
    "write_qubo": "gatesolve.api.qubo_files",
}
"""Names that are loaded when first asked for, and the modules that have them."""


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

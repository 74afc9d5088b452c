"""Pure passes that make a model smaller, and the way back to its original variables."""

from gatesolve.model.presolve.levels import PresolveLevel, presolve
from gatesolve.model.presolve.recovery import Recovery

__all__ = ["PresolveLevel", "Recovery", "presolve"]

"""Pure passes that make a model smaller, and the way back to its original variables."""

from gatesolve.model.presolve.recovery import Recovery
from gatesolve.model.presolve.settings import PresolveSetting, presolve

__all__ = ["PresolveSetting", "Recovery", "presolve"]

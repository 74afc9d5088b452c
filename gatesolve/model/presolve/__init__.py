"""Pure passes that make a model smaller, and the way back to its original variables."""

from gatesolve.model.presolve.recovery import Recovery
from gatesolve.model.presolve.settings import PresolveSetting, drop_unread, presolve

__all__ = ["PresolveSetting", "Recovery", "drop_unread", "presolve"]

"""Problems compiled once for all tests of a process; what comes back is frozen, so that one test cannot spoil it."""

from __future__ import annotations

from functools import cache
from typing import Any

import gatesolve


def compiled(problem: Any, **options: Any) -> Any:
    """`gatesolve.compile`, once for the same problem (a path, a model, a puzzle) and options."""
    return _compiled(problem, tuple(sorted(options.items())))


@cache
def _compiled(problem: Any, options: tuple[tuple[str, Any], ...]) -> Any:
    return gatesolve.compile(problem, **dict(options))

"""Python's search for cycles, less often: gates and operations are tuples by the ten thousand, in no cycle."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (50_000, 10, 10)
"""Objects made between two searches, and searches of the young between two of the older."""


@contextmanager
def collect_rarely() -> Iterator[None]:
    """Within it Python looks for cycles `RARELY`; by default it does every 700 objects, a sixth of a compilation."""
    before = gc.get_threshold()
    # Where another thread or a caller has set it already, it is theirs to set back.
    if before == RARELY or not gc.isenabled():
        yield
        return
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)

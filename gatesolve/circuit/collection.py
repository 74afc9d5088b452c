"""Less frequent garbage collection: gates and operations are tens of thousands of tuples that form no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (50_000, 10, 10)
"""Thresholds for `gc.set_threshold`, by generation."""


@contextmanager
def collect_rarely() -> Iterator[None]:
    """Collect garbage at the thresholds `RARELY` inside the block.

    By default Python collects after every 700 allocations, which takes a sixth of a compilation.
    """
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

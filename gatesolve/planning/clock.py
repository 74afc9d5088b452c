"""Seconds by stage, and where progress and what is found go."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from gatesolve.errors import InputError

Progress = Callable[[str, int, int], None]
Watch = Callable[[object], None]
"""A function that receives each event as soon as it is known: see ``events.py``."""


@dataclass
class Clock:
    """Seconds by stage, and where progress and what is found go."""

    progress: Progress | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    watch: Watch | None = None

    def __post_init__(self) -> None:
        if not (self.progress is None or callable(self.progress)):
            raise InputError(f"progress is {self.progress!r:.60}: give a function of (stage, done, total)")
        if not (self.watch is None or callable(self.watch)):
            raise InputError(f"on_event is {self.watch!r:.60}: give a function of an event")

    @contextmanager
    def stage(self, name: str) -> Iterator[Callable[[int, int], None]]:
        """Time a stage; yield a function that reports (done, total)."""
        start = time.perf_counter()
        report = self.progress or (lambda *_: None)
        report(name, 0, 0)
        yield lambda done, total: report(name, done, total)
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def tell(self, event: object) -> None:
        """Pass on what was found, where somebody watches."""
        if self.watch is not None:
            self.watch(event)

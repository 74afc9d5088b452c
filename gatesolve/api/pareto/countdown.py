"""How long a sweep will take, going by what it has done."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field


@dataclass
class Countdown:
    """Candidates done since a start."""

    done: int = 0
    start: float = field(default_factory=time.monotonic)

    def told(self, left: int, deadline: float | None) -> str:
        """The time for so many more, no later than the deadline, in words; empty while nothing is known of it.

        Args:
            left: candidates to do.
            deadline: on the clock of `time.monotonic`; None for none.
        """
        now = time.monotonic()
        if not left or (not self.done and deadline is None):
            return ""
        seconds = math.inf if not self.done else left * (now - self.start) / self.done
        if deadline is not None:
            seconds = min(seconds, max(deadline - now, 0))
        return f", about {seconds / 60:.0f} min left" if seconds > 90 else f", about {math.ceil(seconds)} s left"

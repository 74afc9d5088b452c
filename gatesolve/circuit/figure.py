"""Figures that notebooks show as they are. Imported only where something is drawn: matplotlib takes long to load."""

from __future__ import annotations

import io
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gatesolve.errors import one_line

INK = "#1d1d1f"
"""Lines and text."""
SOLUTION = "#1a56c4"
"""What is a solution: dark also without colours."""
OTHER = "#c9ccd4"
"""What is none: light."""
MARK = "#c2410c"
"""What is pointed out."""
PLAIN: dict[str, Any] = {"parse_math": False}
"""For texts that a file or a name brings: a dollar sign means itself."""


class Plot(Figure):
    """A matplotlib figure of its own: nothing of pyplot is touched."""

    def __init__(self, width: float, height: float, layout: Literal["constrained"] | None = "constrained") -> None:
        super().__init__(figsize=(width, height), facecolor="white", layout=layout)

    def open_axes(self, title: str) -> Axes:
        """One pair of axes under a title, open above and on the right."""
        axes = self.subplots()
        axes.set_title(shorten(title, 70), color=INK, fontsize=11, loc="left", **PLAIN)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        return axes

    def _repr_png_(self) -> bytes:
        drawn = io.BytesIO()
        self.savefig(drawn, format="png", dpi=110)
        return drawn.getvalue()


def shorten(text: str, most: int) -> str:
    """A text on one line, of at most so many characters."""
    line = one_line(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"

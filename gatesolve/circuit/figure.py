"""Figures that notebooks show as they are. Imported only where something is drawn: matplotlib takes long to load."""

from __future__ import annotations

import io
import warnings
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import get_font_names
from matplotlib.text import Text

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

WIDE_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Source Han Sans",
    "WenQuanYi Zen Hei",
    "IPAexGothic",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Arial Unicode MS",
)
"""Fonts that have Chinese, Japanese and Korean signs; those installed serve where the usual one lacks one."""


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

    def draw(self, renderer: Any) -> None:
        """Draw as matplotlib does; a character that no font here has becomes a box, without a warning for each."""
        installed = sorted({*WIDE_FONTS} & {*get_font_names()}, key=WIDE_FONTS.index)
        for text in self.findobj(Text):
            if installed and not text.get_text().isascii():
                text.set_fontfamily([*(one for one in text.get_fontfamily() if one not in installed), *installed])
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
            super().draw(renderer)

    def _repr_png_(self) -> bytes:
        drawn = io.BytesIO()
        self.savefig(drawn, format="png", dpi=110)
        return drawn.getvalue()


def shorten(text: str, most: int) -> str:
    """A text on one line, of at most so many characters."""
    line = one_line(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"

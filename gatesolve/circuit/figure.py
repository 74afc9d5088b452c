"""Figures that notebooks display. Import this module only where something is drawn: matplotlib loads slowly."""

from __future__ import annotations

import io
import warnings
from typing import Any, Literal

from gatesolve.errors import MissingExtraError, one_line

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import get_font_names
    from matplotlib.text import Text
    from matplotlib.ticker import MaxNLocator
except ImportError as error:
    raise MissingExtraError("plots need matplotlib", "plots") from error

INK = "#1d1d1f"
"""Lines and text."""
SOLUTION = "#1a56c4"
"""Solutions: dark also in greyscale."""
OTHER = "#c9ccd4"
"""Everything else: light also in greyscale."""
MARK = "#c2410c"
"""Highlights."""
PLAIN: dict[str, Any] = {"parse_math": False}
"""Text options for user-given text: a dollar sign is not the start of a formula."""

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
"""Fallback fonts with Chinese, Japanese and Korean characters, used where installed."""


class Plot(Figure):
    """A matplotlib figure that is independent of pyplot's state."""

    def __init__(self, width: float, height: float, layout: Literal["constrained"] | None = "constrained") -> None:
        super().__init__(figsize=(width, height), facecolor="white", layout=layout)

    def open_axes(self, title: str) -> Axes:
        """Return one pair of axes with a title, without a frame above and on the right."""
        axes = self.subplots()
        axes.set_title(shorten(title, 70), color=INK, fontsize=11, loc="left", **PLAIN)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        return axes

    def draw(self, renderer: Any) -> None:
        """Draw the figure; characters that no installed font has become boxes, without warnings."""
        # Matplotlib warns about each font family that is named but not installed.
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


def count_ticks(axis: Any, are_whole: bool = True) -> None:
    """Put the ticks of an axis at whole numbers, or anywhere."""
    axis.set_major_locator(MaxNLocator(integer=are_whole))


def shorten(text: str, most: int) -> str:
    """Return the text on one line, cut to at most ``most`` characters."""
    line = one_line(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"

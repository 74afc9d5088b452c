"""Drawing boards with matplotlib: a blank sheet with the origin top left, and its bytes.

Shared by all families. Only matplotlib's object interface is used, so no global figure is made.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gatesolve.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ImageKind = Literal["png", "svg"]
SUFFIXES: dict[str, ImageKind] = {".png": "png", ".svg": "svg"}

INK = "#1d1d1f"
"""Lines, black cells and given values."""
ANSWER = "#1a56c4"
"""Values that were found, not given."""


def new_sheet(rows: float, columns: float) -> tuple[Figure, Axes, float]:
    """A figure, its axes measured in cells, (column, row) from the top left, and a cell's height in points."""
    from matplotlib.figure import Figure

    inches, margin = min(0.6, 24 / max(rows, columns)), 0.15  # keeps the image of a huge board in memory
    size = (columns * inches + 2 * margin, rows * inches + 2 * margin)
    figure = Figure(figsize=size, facecolor="white")
    axes = figure.add_axes((margin / size[0], margin / size[1], columns * inches / size[0], rows * inches / size[1]))
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    axes.set_axis_off()
    return figure, axes, inches * 72


def write(axes: Axes, centre: tuple[float, float], text: str, colour: str, points: float, alpha: float = 1) -> None:
    """Write a text of a given size with its middle at ``centre``."""
    axes.text(*centre, text, color=colour, fontsize=points, ha="center", va="center_baseline", alpha=alpha)


def kind_of(path: Path) -> ImageKind:
    """The picture format that the suffix of a file name means: ``png`` or ``svg``."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"cannot draw to suffix {path.suffix!r}: name a .png or .svg file", source=str(path))
    return SUFFIXES[path.suffix.lower()]


def figure_bytes(figure: Figure, kind: ImageKind) -> bytes:
    """The figure as the bytes of a PNG or SVG file; the same figure gives the same bytes."""
    import matplotlib

    if f".{kind}" not in SUFFIXES:
        raise InputError(f"cannot draw as {kind!r}: choose png or svg")
    metadata = {"Date": None} if kind == "svg" else None  # a date would make every file differ
    drawn = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "gatesolve"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)  # it is drawn as a box
        figure.savefig(drawn, format=kind, dpi=150, metadata=metadata)
    return drawn.getvalue()

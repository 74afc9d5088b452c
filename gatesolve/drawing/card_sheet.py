"""The sheet of a cost card: the board on the left, three panels on the right."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gatesolve.puzzles import Puzzle
from gatesolve.puzzles.drawing import INK
from gatesolve.puzzles.picture import draw_picture, sheet_size

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT, EDGE = 12.0, 6.3, 0.4
"""Of the sheet and its margin in inches: the shape in which pages that link to a picture show it."""
BOARD = 4.7
"""Most inches of the board either way."""
RIGHT, TOP, BOTTOM = 5.55, 1.62, 0.62
"""Where the panels begin, from the left, the top and the bottom."""
PALE = "#5f6066"
COLOURS = ("#2a7f4f", "#b3541e", "#1a56c4")
"""Of the three panels."""
LETTER = 0.0082
"""Inches of width that a letter takes on average, a point of its size."""


class Panel(NamedTuple):
    """One part of the card: who solves the puzzle, the number, and what stands behind it."""

    heading: str
    headline: str
    lines: tuple[str, ...]


def card_figure(puzzle: Puzzle, title: str, facts: str, panels: Sequence[Panel]) -> Figure:
    """The card as a figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), facecolor="white")
    _write(figure, EDGE, 0.32, title, 19, INK, WIDTH - 2 * EDGE, lines=1, weight="bold")
    for number, line in enumerate(facts.split("\n")):
        _write(figure, EDGE, 0.82 + 0.25 * number, line, 11.5, PALE, WIDTH - 2 * EDGE, lines=1)
    _draw_board(figure, puzzle)
    step = (HEIGHT - TOP - BOTTOM) / len(panels)
    for number, (panel, colour) in enumerate(zip(panels, COLOURS, strict=True)):
        _draw_panel(figure, panel, TOP + number * step, step - 0.12, colour)
    told = (
        "gatesolve  ·  nothing was run on a quantum computer: times of the classical solver are measured, the rest is"
    )
    _write(figure, EDGE, HEIGHT - 0.42, f"{told} counted or estimated", 9, PALE, WIDTH - 2 * EDGE, lines=1)
    return figure


def _draw_board(figure: Figure, puzzle: Puzzle) -> None:
    """The board as large as its place allows, in the middle of it."""
    picture = puzzle.picture({}, drawing=True)
    rows, columns = sheet_size(picture)
    height = HEIGHT - TOP - BOTTOM
    cell = min(BOARD / columns, height / rows, 1.2)
    left = EDGE + (BOARD - cell * columns) / 2
    low = BOTTOM + (height - cell * rows) / 2
    axes = figure.add_axes((left / WIDTH, low / HEIGHT, cell * columns / WIDTH, cell * rows / HEIGHT))
    draw_picture(picture, axes, cell * 72)


def _draw_panel(figure: Figure, panel: Panel, top: float, height: float, colour: str) -> None:
    from matplotlib.patches import Rectangle

    place = (RIGHT / WIDTH, 1 - (top + height) / HEIGHT)
    figure.add_artist(Rectangle(place, 0.07 / WIDTH, height / HEIGHT, facecolor=colour, edgecolor="none"))
    left, wide = RIGHT + 0.22, WIDTH - EDGE - RIGHT - 0.22
    _write(figure, left, top, panel.heading, 11, colour, wide, lines=1, weight="bold")
    _write(figure, left, top + 0.24, panel.headline, 21, INK, wide, lines=1, weight="bold")
    _write(figure, left, top + 0.68, "\n".join(panel.lines), 10, PALE, wide, lines=3)


def _write(
    figure: Figure,
    left: float,
    top: float,
    text: str,
    points: float,
    colour: str,
    wide: float,
    lines: int,
    **style: Any,
) -> None:
    """A text from its upper left corner in inches, folded to a width; what is beyond the lines is cut with dots."""
    letters = int(wide / (LETTER * points * (1.08 if style else 1)))
    folded = [line for part in text.split("\n") for line in textwrap.wrap(part, letters)]
    if len(folded) > lines:
        folded = [*folded[: lines - 1], textwrap.shorten(" ".join(folded[lines - 1 :]), letters, placeholder=" ...")]
    figure.text(
        left / WIDTH, 1 - top / HEIGHT, "\n".join(folded), color=colour, fontsize=points, va="top", linespacing=1.3,
        parse_math=False, **style,
    )  # fmt: skip

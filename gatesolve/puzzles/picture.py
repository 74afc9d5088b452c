"""Pictures of square boards: cells with a symbol each, walls between regions, fills that separate neighbours.

A family defines the content of each cell and the walls; the terminal picture and the drawing are made here. Only
matplotlib's object interface is used, so no global figure is made.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from gatesolve.errors import InputError
from gatesolve.extensions import require
from gatesolve.puzzles.grid import CLOSED, LETTERS, NO_REGION, Cell, Grid, cells_by_name, grid_of_cells, list_touching

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.text import Text


ImageKind = Literal["png", "svg"]
Walls = Callable[[int, int], bool]
SUFFIXES: dict[str, ImageKind] = {".png": "png", ".svg": "svg"}
INK = "#1d1d1f"
"""Lines, black cells and given values."""
ANSWER = "#1a56c4"
"""Values of the answer, not given."""
FILLS = dict(zip(NO_REGION, ("white", "#b9b9bd", "#6e6e73"), strict=True))
"""Fills of cells in no region, of those where nothing may stand, and of those outside the board."""
CHEQUERED = ("#f4ead9", "#dcc7a5")
"""Fills of a chessboard, for boards without regions."""
WRAP_NOTES: Mapping[str, str] = {
    "cylinder": "cylinder: left and right edge meet",
    "torus": "torus: opposite edges meet",
}
"""Notes below a board whose edges meet."""
REGION_FILLS = (
    "#f6d6d6", "#d6e6f6", "#d9f0d6", "#f6efc8", "#e5d9f2", "#cfeeee", "#f8dfc4", "#e3e3e3",
    "#f9d1e8", "#dfe8b8", "#c9d6c9", "#d2cbe0", "#fbe7e0", "#bfe3d4", "#e8d3b9", "#cddcf9",
)  # fmt: skip
"""Pale colours for regions, used in turn."""
_NOTE_SIZE, _NOTE_LINE = 0.2, 0.3
"""Height of the letters and lines of notes, as fractions of a cell."""
_SIGNS = " ╴╸╷┐┑╻┒┓╶─╼┌┬┭┎┰┱╺╾━┍┮┯┏┲┳╵┘┙│┤┥╿┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╽┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
_JOINTS = dict(zip(product((None, False, True), repeat=4), _SIGNS, strict=True))
"""Box-drawing characters by arm (up, right, down, left): None no arm, False light, True heavy."""


def write(axes: Axes, centre: tuple[float, float], text: str, colour: str, points: float, alpha: float = 1) -> None:
    """Write a text of a given size with its middle at ``centre``."""
    axes.text(*centre, text, color=colour, fontsize=points, ha="center", va="center_baseline", alpha=alpha)


def kind_of(path: Path) -> ImageKind:
    """Return the picture format that the suffix of a file name means: ``png`` or ``svg``.

    Raises:
        InputError: another suffix.
        MissingExtraError: matplotlib is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"cannot draw to suffix {path.suffix!r}: name a .png or .svg file", source=str(path))
    load_figures()
    return SUFFIXES[path.suffix.lower()]


def load_figures() -> Any:
    """Return ``matplotlib.figure``; raises as `require`."""
    return require("matplotlib.figure", "pictures need matplotlib", "plots")


def figure_bytes(figure: Figure, kind: ImageKind) -> bytes:
    """Return the figure as the bytes of a PNG or SVG file; the same figure gives the same bytes."""
    import matplotlib

    if f".{kind}" not in SUFFIXES:
        raise InputError(f"cannot draw as {kind!r}: choose png or svg")
    # A date would make every file different.
    metadata = {"Date": None} if kind == "svg" else None
    drawn = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "gatesolve"}), warnings.catch_warnings():
        # A missing glyph is drawn as a box.
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        figure.savefig(drawn, format=kind, dpi=150, metadata=metadata)
    return drawn.getvalue()


@dataclass(frozen=True)
class Look:
    """The look of one cell: a symbol of at most three characters, empty for a blank cell, and a fill for drawings.

    An answer was found rather than given: it is bold in a terminal, blue in a drawing. The mark is a small text in the
    cell's upper left corner, drawings only.
    """

    symbol: str = ""
    answer: bool = False
    fill: str = "white"
    mark: str = ""


@dataclass(frozen=True)
class Picture:
    """A board ready to be shown.

    Attributes:
        cells: the looks, row by row.
        right: True for a thick wall right of cell (row, column), False for a thin line, None for neither.
        below: True for a thick wall below cell (row, column), False for a thin line, None for neither.
        above_texts: one text a column, written above the board; empty for none.
        left_texts: one text a row, written left of the board; empty for none.
        border_marks: one character on the border right of, or up to three below, cell (row, column), by ``(row, column,
            "right" or "below")``; row -1 is above the board.
        wrap: whether the left edge meets the right one, and the top edge the bottom one.
        notes: lines of text below the board.
        stamps: characters that overwrite others in a terminal's picture, by line and column from 0.
        paint: draws the features of a family on top, given the axes (in cells) and a cell's height in points.
    """

    cells: tuple[tuple[Look, ...], ...]
    right: Callable[[int, int], bool | None]
    below: Callable[[int, int], bool | None]
    above_texts: tuple[str, ...] = ()
    left_texts: tuple[str, ...] = ()
    border_marks: Mapping[tuple[int, int, str], str] = field(default_factory=lambda: MappingProxyType({}))
    wrap: tuple[bool, bool] = (False, False)
    notes: tuple[str, ...] = ()
    stamps: Mapping[tuple[int, int], str] = field(default_factory=lambda: MappingProxyType({}))
    paint: Callable[[Axes, float], None] | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.cells), len(self.cells[0])


def walls_between(regions: Sequence[Sequence[Hashable]]) -> tuple[Walls, Walls]:
    """Return walls wherever neighbouring cells lie in different regions; the board's edge is always a wall."""
    rows, columns = len(regions), len(regions[0])

    def right(r: int, c: int) -> bool:
        return c + 1 == columns or regions[r][c] != regions[r][c + 1]

    def below(r: int, c: int) -> bool:
        return r + 1 == rows or regions[r][c] != regions[r + 1][c]

    return right, below


def walls_around(size: tuple[int, int]) -> tuple[Walls, Walls]:
    """Return walls only at the edges of a board."""
    return walls_between([[0] * size[1]] * size[0])


def terminal(picture: Picture) -> Text:
    """Return the board in box-drawing characters: thick walls heavy, edges that meet dashed, and notes below."""
    from rich.text import Text

    rows = len(picture.cells)
    indent = max((len(t) for t in picture.left_texts), default=0)
    out = Text(no_wrap=True)
    if picture.above_texts:
        out.append("".join(f"{' ' * (indent + 1)}{line}\n" for line in _stagger_texts(picture.above_texts)))
    for r in range(rows + 1):
        out.append(" " * indent + _rule(picture, r) + "\n")
        if r == rows:
            break
        out.append(picture.left_texts[r].rjust(indent) if picture.left_texts else "")
        out.append(_bar(picture, r, -1))
        for c, look in enumerate(picture.cells[r]):
            out.append(f"{look.symbol:^3}", style="bold" if look.answer else "")
            out.append(picture.border_marks.get((r, c, "right")) or _bar(picture, r, c))
        out.append("\n")
    out.append("\n".join(picture.notes))
    out.rstrip()
    if not picture.stamps:
        return out
    # The plain text loses the styles: a picture with stamps has no bold answers.
    lines = [list(line) for line in out.plain.split("\n")]
    for (row, column), sign in picture.stamps.items():
        lines[row][column] = sign
    return Text("\n".join(map("".join, lines)), no_wrap=True)


def _stagger_texts(texts: Sequence[str]) -> list[str]:
    """Return the texts above the columns; long ones alternate between several lines, so that none overlap."""
    # A column is four characters wide, its border included.
    lines = [""] * (1 + max(map(len, texts)) // 4)
    for c, text in enumerate(texts):
        k = c % len(lines)
        lines[k] = lines[k].ljust(4 * c + (4 - len(text)) // 2) + text
    return [line.rstrip() for line in lines]


def _bar(picture: Picture, r: int, c: int) -> str:
    if picture.wrap[0] and c in (-1, picture.size[1] - 1):
        return "┇"
    thick = _wall_right(picture, r, c)
    return " " if thick is None else "┃" if thick else "│"


def _wall_right(picture: Picture, r: int, c: int) -> bool | None:
    return True if c < 0 else picture.right(r, c)


def _rule(picture: Picture, r: int) -> str:
    """Return the line of walls above row ``r``."""
    rows, columns = picture.size
    pieces = []
    for c in range(columns + 1):
        # The four arms that meet at this corner; at the edge of the board some are missing.
        up = None if r == 0 else _wall_right(picture, r - 1, c - 1)
        down = None if r == rows else _wall_right(picture, r, c - 1)
        left = None if c == 0 else _wall_above(picture, r, c - 1)
        right = None if c == columns else _wall_above(picture, r, c)
        pieces.append(_JOINTS[(up, right, down, left)])
        if c < columns:
            thick = "┅" if picture.wrap[1] and r in (0, rows) else "━"
            bar = " " if right is None else thick if right else "─"
            pieces.append(picture.border_marks.get((r - 1, c, "below"), bar).center(3, bar))
    return "".join(pieces)


def _wall_above(picture: Picture, r: int, c: int) -> bool | None:
    return True if r == 0 else picture.below(r - 1, c)


def image(picture: Picture, kind: ImageKind) -> bytes:
    """Return the board as the bytes of a file, ``kind`` being ``png`` or ``svg``."""
    rows, columns = sheet_size(picture)
    # The upper limit keeps the image of a huge board small enough for memory.
    inches, margin = min(0.6, 24 / max(rows, columns)), 0.15
    size = (columns * inches + 2 * margin, rows * inches + 2 * margin)
    figure = load_figures().Figure(figsize=size, facecolor="white")
    axes = figure.add_axes((margin / size[0], margin / size[1], columns * inches / size[0], rows * inches / size[1]))
    draw_picture(picture, axes, inches * 72)
    return figure_bytes(figure, kind)


def sheet_size(picture: Picture) -> tuple[float, float]:
    """Return height and width in cells, with the texts beside the board and the notes below it."""
    left, above, right, below = _margins(picture)
    return picture.size[0] + above + below, picture.size[1] + left + right


def _margins(picture: Picture) -> tuple[float, float, float, float]:
    """Return the cells left of the board, above it, right of it and below it."""
    # Where edges meet, the cells beyond them are drawn again, pale.
    beyond_c, beyond_r = map(int, picture.wrap)
    left = beyond_c + bool(picture.left_texts)
    notes = _fold_notes(picture.notes, picture.size[1] + left + beyond_c)
    below = beyond_r + (_NOTE_LINE * len(notes) + 0.1 if notes else 0)
    return left, beyond_r + bool(picture.above_texts), beyond_c, below


def draw_picture(picture: Picture, axes: Axes, points: float) -> None:
    """Draw the board on axes of the shape of `sheet_size`, given a cell's height in points."""
    rows, columns = picture.size
    left, above, right, below = _margins(picture)
    beyond_c, beyond_r = map(int, picture.wrap)
    axes.set_axis_off()
    axes.set_xlim(-left, columns + right)
    # Rows count downwards, so the axis is upside down.
    axes.set_ylim(rows + below, -above)
    for c, text in enumerate(picture.above_texts):
        write(axes, (c + 0.5, 0.5 - above), text, INK, points * _beside(text))
    for r, text in enumerate(picture.left_texts):
        write(axes, (0.5 - left, r + 0.5), text, INK, points * _beside(text))
    # Cells beyond an edge are those of the opposite edge, hence the remainders.
    for r in range(-beyond_r, rows + beyond_r):
        for c in range(-beyond_c, columns + beyond_c):
            _draw_cell(axes, (c, r), picture.cells[r % rows][c % columns], points, 0 <= r < rows and 0 <= c < columns)
    for k, note in enumerate(_fold_notes(picture.notes, columns + left + right)):
        y = rows + beyond_r + 0.15 + k * _NOTE_LINE
        axes.text(-left, y, note, color=INK, fontsize=points * _NOTE_SIZE, family="monospace", va="top")
    # Thick walls, dashed where the edge meets the opposite one.
    walls = [
        *(((c + 1, c + 1), (r, r + 1), picture.wrap[0] and c in (-1, columns - 1))
          for r in range(rows) for c in range(-1, columns) if _wall_right(picture, r, c)),
        *(((c, c + 1), (r, r), picture.wrap[1] and r in (0, rows))
          for r in range(rows + 1) for c in range(columns) if _wall_above(picture, r, c)),
    ]  # fmt: skip
    for across, down, meets in walls:
        style = (0, (1.5, 1.5)) if meets else "-"
        axes.plot(across, down, color=INK, linewidth=2, linestyle=style, solid_capstyle="round", clip_on=False)
    for (r, c, side), mark in picture.border_marks.items():
        centre = (c + 1, r + 0.5) if side == "right" else (c + 0.5, r + 1)
        draw_mark(axes, centre, mark, points)
    if picture.paint is not None:
        picture.paint(axes, points)


def _draw_cell(axes: Axes, corner: tuple[int, int], look: Look, points: float, inside: bool) -> None:
    """Draw one cell by its upper left corner (column, row); pale when it lies beyond the board."""
    from matplotlib.patches import Rectangle

    c, r = corner
    alpha = 1.0 if inside else 0.3
    axes.add_patch(Rectangle(corner, 1, 1, facecolor=look.fill, edgecolor="#9a9a9e", linewidth=0.5, alpha=alpha))
    if look.symbol:
        write(axes, (c + 0.5, r + 0.52), look.symbol, ANSWER if look.answer else INK, points * 0.5, alpha)
    if look.mark and inside:
        # Long marks are smaller, so that they stay inside the cell.
        size = points * min(0.2, 1.2 / len(look.mark))
        axes.text(c + 0.06, r + 0.08, look.mark, color=INK, fontsize=size, ha="left", va="top")


def _beside(text: str) -> float:
    """Return the size of a text beside the board, as a fraction of a cell: long ones are smaller, so that they fit."""
    return min(0.45, 1.3 / max(1, len(text)))


def _fold_notes(notes: Sequence[str], width: float) -> list[str]:
    """Return the notes as lines that fit below a board ``width`` cells wide."""
    import textwrap

    # A letter is about 0.6 of its size wide.
    return [line for note in notes for line in textwrap.wrap(note, int(width / (0.61 * _NOTE_SIZE)))]


def draw_mark(
    axes: Axes, centre: tuple[float, float], mark: str, points: float, edge: str = "#9a9a9e", width: float = 0.5
) -> None:
    """Draw a sign in a small circle on a border or corner of cells."""
    from matplotlib.patches import Circle

    axes.add_patch(Circle(centre, 0.15, facecolor="white", edgecolor=edge, linewidth=width, zorder=3))
    axes.text(*centre, mark, color=INK, fontsize=points * 0.28, ha="center", va="center_baseline", zorder=4)


def pieces_picture(
    marks: Sequence[Sequence[str]],
    regions: Grid,
    held: Callable[[Cell], Look],
    drawing: bool,
    *,
    wrap: str = "none",
    notes: Sequence[str] = (),
) -> Picture:
    """Return a board with pieces: its regions coloured and walled off, or chequered without regions.

    ``marks`` marks the cells that hold no piece: filled in a drawing, hatched in a terminal. ``held`` returns the look
    of any other cell, except its fill.
    """
    fills = region_fills(regions) if regions else {}
    # Cells outside the board are walled off like a separate region.
    names = [
        [(regions[r][c] if fills else "", mark == NO_REGION[-1]) for c, mark in enumerate(row)]
        for r, row in enumerate(marks)
    ]

    def look(cell: Cell) -> Look:
        r, c = cell
        if (mark := marks[r][c]) in CLOSED:
            return Look("" if drawing else mark * 3, fill=FILLS[mark])
        return replace(held(cell), fill=fills[regions[r][c]] if fills else CHEQUERED[(r + c) % 2])

    return Picture(
        grid_of_cells((len(marks), len(marks[0])), look),
        *walls_between(names),
        # A cylinder joins the left and the right edge alone.
        wrap=(wrap != "none", wrap == "torus"),
        notes=(*([WRAP_NOTES[wrap]] if wrap != "none" else []), *notes),
    )


def region_fills(regions: Grid) -> dict[str, str]:
    """Return a fill for each region: two that touch, corners included, have different ones while fills last.

    A region named by a letter has the fill of its letter, as on the web page; others take turns.
    """
    cells = cells_by_name(regions)
    near: dict[str, set[str]] = {name: set() for name in cells}
    names = {cell: name for name, some in cells.items() for cell in some}
    for name, other in ((names[a], names[b]) for a, b in list_touching(names)):
        if other != name:
            near[name].add(other)
            near[other].add(name)
    fills = dict(FILLS)
    letters = {letter: k for k, letter in enumerate(LETTERS)}
    order = {name: letters.get(name, k) for k, name in enumerate(near)}
    # The first letters, which have a fill each, come first.
    for name, k in sorted(order.items(), key=itemgetter(1)):
        taken = {fills[other] for other in near[name] if other in fills}
        # Starting further on each time uses all the fills, so that distant regions differ too where they can.
        turned = REGION_FILLS[k % len(REGION_FILLS) :] + REGION_FILLS[: k % len(REGION_FILLS)]
        # A region whose neighbours use up all fills looks like one of them; walls still separate the two.
        fills[name] = next((fill for fill in turned if fill not in taken), turned[0])
    return fills

"""Boards drawn in emoji: those of posts, with words around them, and coloured regions with queens on them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import groupby

from gatesolve.puzzles.emoji import BLANKS, CROWN, is_emoji, symbols
from gatesolve.puzzles.grid import FREE, NO_REGION, Cell, Grid, areas, by_cell, cells_by_name, cells_of, neighbours
from gatesolve.puzzles.queens_board import QUEEN
from gatesolve.puzzles.reading import Line, grid_of

LEAST_ROWS = 4
"""Fewer rows of emoji count as ornament."""

_HEADERS = (
    "attack binairo board box boxes cages chess columns cylinder diagonals opaque piece pieces queens reach region "
    "regions rows size slopes stars sums takuzu tango torus types unique weights wrap"
)
"""Words that begin a line of some family's boards."""
_ON_SQUARES = dict(zip("🔴🟠🟡🟢🔵🟣🟤⚫⚪", "🟥🟧🟨🟩🟦🟪🟫⬛⬜", strict=True))


def board_of_post(text: str) -> str | None:
    """Return the text with all lines blank except its one group of emoji rows; None where there is no such group."""
    lines = text.split("\n")
    runs = [[k for k, _ in run] for drawn, run in groupby(enumerate(map(_is_drawn, lines)), lambda k: k[1]) if drawn]
    boards = [run for run in runs if len(run) >= LEAST_ROWS]
    others = [line for k, line in enumerate(lines) if line.strip() and not any(k in run for run in boards)]
    # A line that may be a header of a board, even a mistyped one, or a sign between cells states a rule. Such a text is
    # not a post, and blanking the line would change the puzzle.
    if len(boards) != 1 or not others or any(map(_says_a_rule, others)):
        return None
    # A line with several squares of the board is a row of it with something more, which would be lost.
    squares = {sign for k in boards[0] for _, sign in symbols(lines[k]) if not sign.isspace()}
    if any(sum(sign in squares for _, sign in symbols(line)) >= LEAST_ROWS for line in others):
        return None
    return "\n".join(line if k in boards[0] else "" for k, line in enumerate(lines))


def _is_drawn(line: str) -> bool:
    """Return whether a line is a row of a board: several emoji and nothing else."""
    signs = [sign for _, sign in symbols(line.strip()) if not sign.isspace()]
    return len(signs) >= LEAST_ROWS and all(map(is_emoji, signs))


def _says_a_rule(line: str) -> bool:
    near = get_close_matches(Line(None, line).keyword, _HEADERS.split(), 1, 0.75)
    return bool(near) or re.search(r"r\d+c\d+|^\s*[({]", line) is not None


def is_drawn(rows: Sequence[Line]) -> bool:
    """Return whether some cell of a grid is an emoji."""
    return any(is_emoji(token.text) for line in rows for token in line.cells())


def drawn_marks(rows: Sequence[Line]) -> tuple[Line, ...]:
    """Return a grid of marks with crowns as ``Q`` and empty squares as ``.``, in its lines."""
    known = {CROWN: QUEEN, **dict.fromkeys(BLANKS, FREE)}
    return _lines(rows, [[known.get(token.text, token.text) for token in line.cells()] for line in rows])


def is_plain(rows: Sequence[Line]) -> bool:
    """Return whether a grid has crowns on squares that are all alike or chequered: a board without regions."""
    tokens = [(r + c, token.text) for r, line in enumerate(rows) for c, token in enumerate(line.cells())]
    shades = [{token for k, token in tokens if k % 2 == parity and token != CROWN} for parity in (0, 1)]
    crowned = any(token == CROWN for _, token in tokens)
    return crowned and all(len(shade) <= 1 and shade <= {*BLANKS, FREE} for shade in shades)


def drawn_regions(rows: Sequence[Line], alone: bool) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Return the grid of regions and that of queens (none without queens) of a board drawn in emoji.

    The board is ``alone`` if it has no header line: one queen in every row, column and region.
    """
    grid = grid_of(rows)
    kinds = {is_emoji(token) for row in grid for token in row if token not in (*NO_REGION, CROWN)}
    if len(kinds) > 1:
        raise rows[0].fault("letters and emoji in one grid of regions: write one of the two throughout")
    crowns = {cell for cell, token in by_cell(grid).items() if token == CROWN}
    if crowns:
        grid, queens = _uncover_colours(grid, rows, crowns, alone), crowns
    else:
        grid, queens = _circles_as_queens(grid)
    names = list(cells_by_name(grid))
    if alone and len(names) < len(grid):
        # Fewer colours than rows: perhaps distant regions share a colour. Then each connected area is a region.
        found = [area for name, area in _areas(grid) if name in names]
        if crowns or len(found) != len(grid):
            fault = f"{len(names)} colours in {len(found)} areas for {len(grid)} rows"
            raise rows[0].fault(f"{fault}: a region has no colour of its own; write a letter for each")
        number = {cell: str(k) for k, area in enumerate(found) for cell in area}
        grid = tuple(tuple(number.get((r, c), token) for c, token in enumerate(row)) for r, row in enumerate(grid))
    marks = [[QUEEN if (r, c) in queens else FREE for c in range(len(row))] for r, row in enumerate(grid)]
    return _lines(rows, grid), _lines(rows, marks) if queens else ()


def _lines(rows: Sequence[Line], grid: Sequence[Sequence[str]]) -> tuple[Line, ...]:
    return tuple(Line(line.number, ",".join(row) + ",") for line, row in zip(rows, grid, strict=True))


def _circles_as_queens(grid: Grid) -> tuple[Grid, set[Cell]]:
    """Replace circles that are once in every row and column of a board of squares by queens on their colour."""
    queens = {cell for cell, token in by_cell(grid).items() if token in _ON_SQUARES}
    squares = any(token in _ON_SQUARES.values() for row in grid for token in row)
    once = len(queens) == len({r for r, _ in queens}) == len({c for _, c in queens}) == len(grid)
    if not squares or not once:
        return grid, set()
    return tuple(tuple(_ON_SQUARES.get(token, token) for token in row) for row in grid), queens


def _uncover_colours(grid: Grid, rows: Sequence[Line], queens: set[Cell], alone: bool) -> Grid:
    """Return the grid with the colours below its crowns, as far as neighbours and the other crowns determine them."""
    found = _areas(grid)
    names = Counter(name for name, _ in found if name not in (*NO_REGION, CROWN))
    below: dict[Cell, str] = {}
    options: dict[Cell, set[str]] = {}
    for cell in queens:
        near = Counter(name for name, area in found if not set(area).isdisjoint(neighbours(cell)))
        options[cell] = {name for name, count in names.items() if near[name] == count or (near[name] and not alone)}
    # Elimination: a crown with one possible colour takes it, which may leave only one for another crown.
    while True:
        certain = {cell: next(iter(some)) for cell, some in options.items() if len(some) == 1}
        # As many queens as colours: each colour is below some crown.
        if alone and len(queens) == len(names):
            for name in sorted(names):
                holders = [cell for cell, some in options.items() if name in some]
                certain |= {holders[0]: name} if len(holders) == 1 else {}
        if not certain or (alone and len(set(certain.values())) < len(certain)):
            break
        below |= certain
        taken = set(certain.values()) if alone else set()
        options = {cell: some - taken for cell, some in options.items() if cell not in certain}
    if options or (alone and len(queens) > len(names)):
        fault = "the colour below this queen does not follow from its neighbours: draw the board without queens"
        raise by_cell(line.cells() for line in rows)[min(options or queens)].fault(fault)
    return tuple(tuple(below.get((r, c), token) for c, token in enumerate(row)) for r, row in enumerate(grid))


def _areas(grid: Grid) -> list[tuple[str, list[Cell]]]:
    """Return the connected areas of one colour, each with its colour, in order of appearance."""
    cells = cells_of((len(grid), len(grid[0])))
    found = areas(cells, lambda a, b: grid[a[0]][a[1]] == grid[b[0]][b[1]])
    return [(grid[area[0][0]][area[0][1]], area) for area in found]

"""Queens boards drawn in emoji: coloured squares for regions, crowns for queens that stand.

The forms that programs and posts have:

* one colour a region, any signs (squares, hearts, circles, keycaps);
* few colours used again and again, so that regions of one colour never touch: where the connected areas of one
  colour are as many as rows, each is a region;
* a crown hides the colour of its cell. It is that of a neighbour; with one queen a region it can often be told, as
  it is no other crown's and joins all areas of its colour;
* a circle among squares is a queen on a square of its colour, if there is one in every row and column;
* crowns on squares all alike, or chequered: the N-queens problem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gatesolve.errors import InputError
from gatesolve.puzzles.emoji import BLANKS, CROWN, is_emoji
from gatesolve.puzzles.lettergrid import BLOCKED, FREE, OUTSIDE, Cell, Grid, Line, file_place, grid_of, region_names
from gatesolve.puzzles.queens.board import QUEEN

_ON_SQUARES = dict(zip("🔴🟠🟡🟢🔵🟣🟤⚫⚪", "🟥🟧🟨🟩🟦🟪🟫⬛⬜", strict=True))


def is_drawn(rows: Sequence[Line]) -> bool:
    """Whether some cell of a grid is an emoji."""
    return any(is_emoji(token) for line in rows for _, token in line.cells())


def drawn_marks(rows: Sequence[Line]) -> tuple[Line, ...]:
    """A grid of marks with crowns as ``Q`` and empty squares as ``.``, in the lines it stands in."""
    known = {CROWN: QUEEN, **dict.fromkeys(BLANKS, FREE)}
    return _lines(rows, [[known.get(token, token) for _, token in line.cells()] for line in rows])


def is_plain(rows: Sequence[Line]) -> bool:
    """Whether a grid has crowns on squares that are all alike or chequered: a board without regions."""
    tokens = [(r + c, token) for r, line in enumerate(rows) for c, (_, token) in enumerate(line.cells())]
    shades = [{token for k, token in tokens if k % 2 == parity and token != CROWN} for parity in (0, 1)]
    crowned = any(token == CROWN for _, token in tokens)
    return crowned and all(len(shade) <= 1 and shade <= {*BLANKS, FREE} for shade in shades)


def drawn_regions(rows: Sequence[Line], alone: bool, source: str) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The grid of regions and that of queens (none without queens) of a board drawn in emoji.

    Args:
        rows: the lines of the board.
        alone: whether no header line says otherwise: one queen in every row, column and region.
        source: what to call the text in messages.

    Raises:
        InputError: the region of a cell cannot be told.
    """
    grid = grid_of(rows, source)
    kinds = {is_emoji(token) for row in grid for token in row if token not in (FREE, BLOCKED, OUTSIDE, CROWN)}
    if len(kinds) > 1:
        fault = "letters and emoji in one grid of regions: write one of the two throughout"
        raise InputError(fault, source=source, row=rows[0].number)
    crowns = {(r, c) for r, row in enumerate(grid) for c, token in enumerate(row) if token == CROWN}
    if crowns:
        grid, queens = _uncovered(grid, rows, crowns, alone, source), crowns
    else:
        grid, queens = _circles_as_queens(grid)
    names = region_names(grid)
    if alone and len(names) < len(grid):
        areas = [area for name, area in _areas(grid) if name in names]
        if crowns or len(areas) != len(grid):
            fault = (
                f"{len(names)} colours in {len(areas)} areas for {len(grid)} rows: a region has no colour of its own"
            )
            raise InputError(f"{fault}; write a letter for each", source=source, row=rows[0].number)
        number = {cell: str(k) for k, area in enumerate(areas) for cell in area}
        grid = tuple(tuple(number.get((r, c), token) for c, token in enumerate(row)) for r, row in enumerate(grid))
    marks = [[QUEEN if (r, c) in queens else FREE for c in range(len(row))] for r, row in enumerate(grid)]
    return _lines(rows, grid), _lines(rows, marks) if queens else ()


def _lines(rows: Sequence[Line], grid: Sequence[Sequence[str]]) -> tuple[Line, ...]:
    return tuple(Line(line.number, ",".join(row) + ",") for line, row in zip(rows, grid, strict=True))


def _circles_as_queens(grid: Grid) -> tuple[Grid, set[Cell]]:
    """Circles that stand once in every row and column of a board of squares are queens on their colour."""
    queens = {(r, c) for r, row in enumerate(grid) for c, token in enumerate(row) if token in _ON_SQUARES}
    squares = any(token in _ON_SQUARES.values() for row in grid for token in row)
    once = len(queens) == len({r for r, _ in queens}) == len({c for _, c in queens}) == len(grid)
    if not squares or not once:
        return grid, set()
    return tuple(tuple(_ON_SQUARES.get(token, token) for token in row) for row in grid), queens


def _uncovered(grid: Grid, rows: Sequence[Line], queens: set[Cell], alone: bool, source: str) -> Grid:
    """The grid with the colours below its crowns: that of a neighbour, with one queen a region that of no other."""
    areas = _areas(grid)
    names = Counter(name for name, _ in areas if name not in (FREE, BLOCKED, OUTSIDE, CROWN))
    below: dict[Cell, str] = {}
    options: dict[Cell, set[str]] = {}
    for cell in queens:
        near = Counter(name for name, area in areas if not set(area).isdisjoint(_beside(cell, grid)))
        options[cell] = {name for name, count in names.items() if near[name] == count or (near[name] and not alone)}
    while True:
        certain = {cell: next(iter(some)) for cell, some in options.items() if len(some) == 1}
        if alone and len(queens) == len(names):  # then each colour is below some crown
            for name in sorted(names):
                holders = [cell for cell, some in options.items() if name in some]
                certain |= {holders[0]: name} if len(holders) == 1 else {}
        if not certain or (alone and len(set(certain.values())) < len(certain)):
            break
        below |= certain
        taken = set(certain.values()) if alone else set()
        options = {cell: some - taken for cell, some in options.items() if cell not in certain}
    if options or (alone and len(queens) > len(names)):
        line, column = file_place(rows, min(options or queens))
        fault = "the colour below this queen cannot be told from its neighbours: draw the board without queens"
        raise InputError(fault, source=source, row=line, column=column)
    return tuple(tuple(below.get((r, c), token) for c, token in enumerate(row)) for r, row in enumerate(grid))


def _areas(grid: Grid) -> list[tuple[str, list[Cell]]]:
    """The connected areas of one colour, each with it, in order of appearance."""
    seen: set[Cell] = set()
    found = []
    for start in ((r, c) for r in range(len(grid)) for c in range(len(grid[0]))):
        if start in seen:
            continue
        seen.add(start)
        area = [start]
        for cell in area:
            same = [to for to in _beside(cell, grid) if to not in seen and grid[to[0]][to[1]] == grid[cell[0]][cell[1]]]
            seen.update(same)
            area += same
        found.append((grid[start[0]][start[1]], area))
    return found


def _beside(cell: Cell, grid: Grid) -> Iterator[Cell]:
    """The cells that share a side with a cell."""
    r, c = cell
    near = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
    return ((i, j) for i, j in near if 0 <= i < len(grid) and 0 <= j < len(grid[0]))

"""Reading and writing Queens boards, from a bare grid to the most general board; docs/formats.md has the format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.emoji import BLANKS, CROWN, MOONS, SUNS, is_emoji
from gatesolve.puzzles.grid import (
    CLOSED,
    FREE,
    NO_REGION,
    Cell,
    Grid,
    areas,
    by_cell,
    cell_name,
    cells_by_name,
    cells_of,
    cells_text,
    grid_text,
    neighbours,
)
from gatesolve.puzzles.lettergrid import Sections, grid_of, places_in, sections
from gatesolve.puzzles.queens.board import (
    DIAGONALS,
    MANY,
    MARKS,
    ONE,
    QUEEN,
    AttackSlope,
    QueensBoard,
    QueensRange,
    QueensRegion,
)
from gatesolve.puzzles.queens.other import is_param, read_param, read_regions, split_marks
from gatesolve.puzzles.reading import Line, lines_of, show_token

_ON_SQUARES = dict(zip("🔴🟠🟡🟢🔵🟣🟤⚫⚪", "🟥🟧🟨🟩🟦🟪🟫⬛⬜", strict=True))
LABELS = ("regions", "board", "reach")
KEYWORDS = (*LABELS, "queens", "size", "rows", "columns", "region", "slopes", "attack", "cylinder", "torus")
_COUNT = re.compile(r"(\d{1,4})(?:\.\.(\d{1,4}|\*))?|\*")
_SLOPE = re.compile(r"(?:(\d{1,2})(?:/(\d{1,2}))?|([+-]?\d{1,2})/([+-]?\d{1,2}))(?:\*(\d{1,4}|all))?")


def is_drawn(rows: Sequence[Line]) -> bool:
    """Whether some cell of a grid is an emoji."""
    return any(is_emoji(token.text) for line in rows for token in line.cells())


def drawn_marks(rows: Sequence[Line]) -> tuple[Line, ...]:
    """A grid of marks with crowns as ``Q`` and empty squares as ``.``, in the lines it stands in."""
    known = {CROWN: QUEEN, **dict.fromkeys(BLANKS, FREE)}
    return _lines(rows, [[known.get(token.text, token.text) for token in line.cells()] for line in rows])


def is_plain(rows: Sequence[Line]) -> bool:
    """Whether a grid has crowns on squares that are all alike or chequered: a board without regions."""
    tokens = [(r + c, token.text) for r, line in enumerate(rows) for c, token in enumerate(line.cells())]
    shades = [{token for k, token in tokens if k % 2 == parity and token != CROWN} for parity in (0, 1)]
    crowned = any(token == CROWN for _, token in tokens)
    return crowned and all(len(shade) <= 1 and shade <= {*BLANKS, FREE} for shade in shades)


def drawn_regions(rows: Sequence[Line], alone: bool, source: str) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The grid of regions and that of queens (none without queens) of a board drawn in emoji.

    The board is ``alone`` where no header line says otherwise: one queen in every row, column and region.
    """
    grid = grid_of(rows, source)
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
        found = [area for name, area in _areas(grid) if name in names]
        if crowns or len(found) != len(grid):
            fault = f"{len(names)} colours in {len(found)} areas for {len(grid)} rows"
            raise rows[0].fault(f"{fault}: a region has no colour of its own; write a letter for each")
        number = {cell: str(k) for k, area in enumerate(found) for cell in area}
        grid = tuple(tuple(number.get((r, c), token) for c, token in enumerate(row)) for r, row in enumerate(grid))
    marks = [[QUEEN if (r, c) in queens else FREE for c in range(len(row))] for r, row in enumerate(grid)]
    return _lines(rows, grid), _lines(rows, marks) if queens else ()


def _lines(rows: Sequence[Line], grid: Sequence[Sequence[str]]) -> tuple[Line, ...]:
    return tuple(Line(line.number, ",".join(row) + ",", line.source) for line, row in zip(rows, grid, strict=True))


def _circles_as_queens(grid: Grid) -> tuple[Grid, set[Cell]]:
    """Circles that stand once in every row and column of a board of squares are queens on their colour."""
    queens = {cell for cell, token in by_cell(grid).items() if token in _ON_SQUARES}
    squares = any(token in _ON_SQUARES.values() for row in grid for token in row)
    once = len(queens) == len({r for r, _ in queens}) == len({c for _, c in queens}) == len(grid)
    if not squares or not once:
        return grid, set()
    return tuple(tuple(_ON_SQUARES.get(token, token) for token in row) for row in grid), queens


def _uncover_colours(grid: Grid, rows: Sequence[Line], queens: set[Cell], alone: bool) -> Grid:
    """The grid with the colours below its crowns: that of a neighbour, with one queen a region that of no other."""
    found = _areas(grid)
    names = Counter(name for name, _ in found if name not in (*NO_REGION, CROWN))
    below: dict[Cell, str] = {}
    options: dict[Cell, set[str]] = {}
    for cell in queens:
        near = Counter(name for name, area in found if not set(area).isdisjoint(neighbours(cell)))
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
        fault = "the colour below this queen cannot be told from its neighbours: draw the board without queens"
        raise places_in(rows)[min(options or queens)].fault(fault)
    return tuple(tuple(below.get((r, c), token) for c, token in enumerate(row)) for r, row in enumerate(grid))


def _areas(grid: Grid) -> list[tuple[str, list[Cell]]]:
    """The connected areas of one colour, each with it, in order of appearance."""
    cells = cells_of((len(grid), len(grid[0])))
    found = areas(cells, lambda a, b: grid[a[0]][a[1]] == grid[b[0]][b[1]])
    return [(grid[area[0][0]][area[0][1]], area) for area in found]


def recognises(text: str) -> bool:
    """Whether the text looks like a Queens board.

    That is a CSPLib file of one, a line ``queens``, ``slopes``, ``reach`` or ``attack``, a square grid of three
    letters or four emoji or more, a grid with crowns, or one of ``.``, ``#``, ``@`` with a ``Q``. Stars in every row
    make a Star Battle.
    """
    lines = lines_of(text, "")
    words = {line.keyword for line in lines}
    if "stars" in words or not lines:
        return False
    if is_param(text) or words & {"queens", "slopes", "reach", "attack"}:
        return True
    cells = [[token.text for token in line.cells()] for line in lines]
    tokens = {token for row in cells for token in row}
    if QUEEN in tokens and tokens <= set(MARKS):
        return True
    letters = tokens - set(CLOSED)
    if any(map(is_emoji, tokens)):
        return CROWN in tokens or sum(map(is_emoji, letters - {*SUNS, *MOONS})) > 3  # with fewer it may be a Takuzu
    # nearly square is near enough: a ragged board is to be told what is wrong with it
    square = any(abs(len(row) - len(cells)) <= 1 for row in cells)
    return square and len(letters) >= 3 and all(len(t) == 1 and t.isascii() and t.isalpha() for t in letters)


def read(text: str, source: str) -> Draft:
    """The board that a text describes."""
    if is_param(text):
        return Draft(tuple(vars(read_param(text, source)).values()))
    parts = sections(text, KEYWORDS, LABELS, source)
    colours, marks, rows = _grids(parts)
    size = len(marks), len(marks[0])
    names = list(cells_by_name(colours))
    header = parts.single("queens")
    each = ONE if header is None or len(header.words) == 1 else _count(header.words[1], header, 2)
    fixed, extra = _regions(parts, size, names)
    header = parts.single("regions")
    for_all = each if header is None or len(header.words) == 1 else _count(header.words[1], header, 2)
    board = QueensBoard(
        marks=marks,
        rows=_line_counts(parts, "rows", size[0], each),
        columns=_line_counts(parts, "columns", size[1], each),
        colours=colours,
        counts=tuple(fixed.get(name, for_all) for name in names),
        extra=extra,
        slopes=_slopes(parts),
        reach=_reach(parts, size, 1 if colours else MANY),
        attacks=_attacks(parts, size),
        wrap=parts.wrap,
    )
    return Draft(tuple(vars(board).values()), places_in(rows))


def _grids(parts: Sections) -> tuple[Grid, tuple[str, ...], Sequence[Line]]:
    """Regions (no rows if there are none), marks, and the lines of the grid that faults are told in."""
    plain, source = parts.blocks.get("", ()), parts.source
    is_board = is_plain(plain) or all(token.text in MARKS for line in plain for token in line.cells())
    kind = "board" if is_board else "regions"
    if plain and kind in parts.blocks:
        raise plain[0].fault(f"a second grid of this kind beside '{kind}': keep one")
    region_rows = parts.blocks.get("regions", () if is_board else plain)
    board_rows = parts.blocks.get("board", plain if is_board else ())
    if not region_rows and not board_rows:
        height, width = parts.size("no board: write its grid, or its side as 'size 8'")
        return (), (FREE * width,) * height, ()
    if is_drawn(board_rows):
        board_rows = drawn_marks(board_rows)
    if is_drawn(region_rows):
        region_rows, queens = drawn_regions(region_rows, not parts.headers, source)
        if queens and board_rows:
            raise board_rows[0].fault("queens in both grids: draw them in one")
        board_rows = queens or board_rows
    meant = ". for a free cell, Q for a queen, # for a cell without one, @ for one outside the board"
    board = grid_of(board_rows, source, MARKS, meant) if board_rows else ()
    if not region_rows:
        return (), tuple("".join(row) for row in board), board_rows
    regions = read_regions(region_rows, source)
    if board and (len(board), len(board[0])) != (len(regions), len(regions[0])):
        fault = "the grids 'board' and 'regions' have different sizes: give both the same rows and columns"
        raise board_rows[0].fault(fault, 1)
    return *split_marks(regions, board), region_rows


def _count(token: str, line: Line, column: int) -> QueensRange:
    match = _COUNT.fullmatch(token)
    if match is None:
        raise line.fault(f"{show_token(token)} is no number of queens: write one such as 1, 0..2 or *", column)
    if match[1] is None:
        return QueensRange(0, MANY)
    low = int(match[1])
    high = low if match[2] is None else MANY if match[2] == "*" else int(match[2])
    if low > high:
        raise line.fault(f"{token} is empty: write the smaller number first, {high}..{low}", column)
    return QueensRange(low, high)


def _line_counts(parts: Sections, keyword: str, lines: int, default: QueensRange) -> tuple[QueensRange, ...]:
    header = parts.single(keyword)
    if header is None:
        return (default,) * lines
    counts = [_count(token, header, k) for k, token in enumerate(header.words[1:], 2)]
    if len(counts) == 1:
        return tuple(counts * lines)
    if len(counts) != lines:
        fault = f"{len(counts)} numbers for {lines} {keyword}: write one for each, or one for all"
        raise header.fault(fault, min(len(counts), lines) + 2)
    return tuple(counts)


def _regions(
    parts: Sections, size: tuple[int, int], names: Sequence[str]
) -> tuple[dict[str, QueensRange], tuple[QueensRegion, ...]]:
    """The counts of regions of the letter grid, and the further regions."""
    counts: dict[str, QueensRange] = {}
    extra: list[QueensRegion] = []
    for line in parts.headers.get("region", ()):
        head, colon, tail = line.text.partition(":")
        words = head.split()
        if len(words) != 3:
            raise line.fault("write a region as 'region A 1..2' or 'region A 1..2: r1c1 r1c2'", 1)
        name, count = words[1], _count(words[2], line, 3)
        if name in counts or any(region.name == name for region in extra):
            raise line.fault(f"region {name} a second time: keep one", 2)
        if bool(colon) == (name in names):
            mend = "leave out the cells or rename it" if colon else "add a colon and its cells"
            raise line.fault(f"region {show_token(name)} is {'' if colon else 'not '}in the grid of letters: {mend}", 2)
        if colon:
            extra.append(QueensRegion(name, count, _cells(tail.split(), line, len(words) + 1, size)))
        else:
            counts[name] = count
    return counts, tuple(extra)


def _cells(tokens: Sequence[str], line: Line, first: int, size: tuple[int, int]) -> tuple[Cell, ...]:
    cells = []
    for k, token in enumerate(tokens, first):
        match = re.fullmatch(r"r(\d{1,4})c(\d{1,4})", token)
        cell = (int(match[1]) - 1, int(match[2]) - 1) if match else (-1, -1)
        if not (0 <= cell[0] < size[0] and 0 <= cell[1] < size[1]):
            raise line.fault(f"{show_token(token)} is no cell of the board: write r1c1 to r{size[0]}c{size[1]}", k)
        cells.append(cell)
    if not cells:
        raise line.fault("a region without cells: name some after the colon")
    return tuple(sorted(set(cells)))


def _attacks(parts: Sections, size: tuple[int, int]) -> tuple[tuple[Cell, tuple[Cell, ...]], ...]:
    """Cells whose queen attacks further cells."""
    found: dict[Cell, tuple[Cell, ...]] = {}
    for line in parts.headers.get("attack", ()):
        head, colon, tail = line.text.partition(":")
        words, others = head.split()[1:], tail.split()
        if len(words) != 1 or not colon or not others:
            raise line.fault("write which cells a queen attacks as 'attack r1c1: r2c3 r3c2'", 1)
        (cell,) = _cells(words, line, 2, size)
        attacked = _cells(others, line, 3, size)
        if cell in found:
            raise line.fault(f"a second line for {words[0]}: write its cells in one line", 2)
        if cell in attacked:
            column = next(k for k, other in enumerate(others, 3) if _cells((other,), line, k, size) == (cell,))
            raise line.fault(f"{words[0]} attacks itself: leave it out behind the colon", column)
        found[cell] = attacked
    return tuple(found.items())


def _slopes(parts: Sections) -> tuple[AttackSlope, ...]:
    header = parts.single("slopes")
    if header is None:
        return DIAGONALS
    words = header.words[1:]
    if words == ["none"]:
        return ()
    slopes = []
    for k, word in enumerate(words, 2):
        match = _SLOPE.fullmatch(word)
        step = (int(match[1] or match[3]), int(match[2] or match[4] or 1)) if match else (0, 0)
        if match is None or step == (0, 0):
            fault = f"{show_token(word)} is no slope: write ROWS/COLUMNS of one step, such as 1, 1/2, 2/1*3 or +1/-1"
            raise header.fault(fault, k)
        reach = None if match[5] is None else MANY if match[5] == "all" else int(match[5])
        slopes.append(AttackSlope(*step, match[1] is None, reach))
    if not slopes:
        raise header.fault("no slope: write some such as 1 and 1/2, or none", 1)
    return tuple(dict.fromkeys(slopes))


def _reach(parts: Sections, size: tuple[int, int], default: int) -> tuple[tuple[int, ...], ...]:
    header = parts.single("reach")
    grid = parts.blocks.get("reach")
    if header is None:
        return ((default,),)
    if len(header.words) > 1:
        word = header.words[1]
        if grid or len(header.words) > 2 or not re.fullmatch(r"\d{1,4}|all", word):
            fault = "write one number of steps as 'reach 2' or 'reach all', or a grid of numbers below 'reach'"
            raise header.fault(fault, 2)
        return ((MANY if word == "all" else int(word),),)
    tokens = grid_of(grid or (), parts.source)
    for token in (token for line in grid or () for token in line.cells()):
        if not re.fullmatch(r"\d{1,4}|\*", token.text):
            raise token.fault(f"{show_token(token.text)} is no number of steps: write a number, or * for all")
    if (len(tokens), len(tokens[0])) != size:
        fault = f"the grid below 'reach' is not {size[0]}x{size[1]} as the board is: give a number for each cell"
        raise header.fault(fault, 1)
    return tuple(tuple(MANY if token == "*" else int(token) for token in row) for row in tokens)


def format_text(board: QueensBoard) -> str:
    """The board as a person would type it: a bare grid where that says it all."""
    if (bare := _bare(board)) is not None:
        return bare
    lines = _headers(board)
    if board.colours:
        lines += ["regions", *grid_text(_with_marks(board))]
    if not board.colours or _hidden_marks(board):
        lines += ["board", *board.marks]
    if not board.uniform:
        steps = [["*" if n == MANY else str(n) for n in row] for row in board.reach]
        lines += ["reach", *grid_text(steps)]
    return "\n".join(lines) + "\n"


def _bare(board: QueensBoard) -> str | None:
    """A grid of letters alone, if that is the same board and is recognised as one."""
    rows, columns, counts = ((ONE,) * len(found) for found in (board.rows, board.columns, board.counts))
    linkedin = QueensBoard(board.marks, rows, columns, board.colours, counts, reach=((1,),))
    if not board.colours or vars(board) != vars(linkedin) or _hidden_marks(board):
        return None
    text = "\n".join(grid_text(_with_marks(board))) + "\n"
    return text if recognises(text) else None


def _headers(board: QueensBoard) -> list[str]:
    """The header lines, without what is the default."""
    every = {*board.rows, *board.columns, *board.counts}
    each = every.pop() if len(every) == 1 else ONE
    lines = ["queens" if each == ONE else f"queens {each}"]
    for keyword, counts in (("rows", board.rows), ("columns", board.columns)):
        if any(count != each for count in counts):
            same = len(set(counts)) == 1
            lines.append(" ".join([keyword, *map(str, counts[:1] if same else counts)]))
    if board.wrap != "none":
        lines.append(board.wrap)
    if board.slopes != DIAGONALS:
        lines.append(" ".join(["slopes", *(map(str, board.slopes) if board.slopes else ["none"])]))
    if board.uniform and board.reach[0][0] != (1 if board.colours else MANY):
        lines.append(f"reach {'all' if board.reach[0][0] == MANY else board.reach[0][0]}")
    lines += [f"region {region.name} {region.queens}" for region in board.list_regions() if region.queens != each]
    lines += [f"region {region.name} {region.queens}: {cells_text(region.cells)}" for region in board.extra]
    lines += [f"attack {cell_name(cell)}: {cells_text(others)}" for cell, others in board.attacks]
    return lines


def _with_marks(board: QueensBoard) -> list[list[str]]:
    """The grid of regions, with cells that hold no queen where they are in no region."""
    return [
        [mark if name == FREE and mark in CLOSED else name for name, mark in zip(row, marks, strict=True)]
        for row, marks in zip(board.colours, board.marks, strict=True)
    ]


def _hidden_marks(board: QueensBoard) -> bool:
    """Whether the grid of regions leaves out marks: given queens, and blocked cells inside regions."""
    return any(
        mark == QUEEN or (mark != FREE and name != FREE)
        for row, marks in zip(board.colours, board.marks, strict=True)
        for name, mark in zip(row, marks, strict=True)
    )

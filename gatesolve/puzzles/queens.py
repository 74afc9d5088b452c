"""Queens: N-queens, LinkedIn Queens, and the general form with counts, regions, reaches and wrapped boards."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy
from gatesolve.puzzles.base import Draft, Puzzle, count_between, piece_variable
from gatesolve.puzzles.drawn import drawn_marks, drawn_regions, is_drawn, is_plain
from gatesolve.puzzles.emoji import CROWN, MOONS, SUNS, is_emoji
from gatesolve.puzzles.grid import (
    BLOCKED,
    CLOSED,
    FREE,
    NO_REGION,
    AttackLine,
    Cell,
    Grid,
    Step,
    areas,
    by_cell,
    cell_name,
    cells_by_name,
    cells_of,
    cells_text,
    grid_of_cells,
    grid_text,
    is_numbered,
    lines,
    list_squares,
    name_by_letters,
    windows,
)
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.pieces import MANY, ONE, PieceGroup, PieceRange, read_range
from gatesolve.puzzles.queens_board import DIAGONALS, MARKS, QUEEN, AttackSlope, QueensBoard
from gatesolve.puzzles.reading import MAX_SIDE, JsonBoard, Line, Sections, Token, check_equal, count, grid_of, lines_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_REGION_FIELDS = ("regions", "colorRegions", "board")
_JSON_FIELDS = ("size", "fixed", "blocked", "diags", "stars", "regionColors")
"""Further fields of a JSON object; the last one has colours for a screen."""
_LETTING = r"^[^\S\n]*(?:letting\s+)?({})\b"
_PARAM = re.compile(_LETTING.format("diags|blocks|init") + r"\s*(?:=|be\b)", re.MULTILINE)
LABELS = ("regions", "board")
KEYWORDS = (*LABELS, "reach", "queens", "size", "rows", "columns", "region", "slopes", "attack", "cylinder", "torus")
_STEPS_BELOW = re.compile(r"^[^\S\n]*reach[^\S\n]*$", re.MULTILINE)
_SLOPE = re.compile(r"(?:(\d{1,2})(?:/(\d{1,2}))?|([+-]?\d{1,2})/([+-]?\d{1,2}))(?:\*(\d{1,4}|all))?")


@dataclass(frozen=True)
class Queens(QueensBoard, Puzzle):
    """One Queens board; docs/families.md describes its format.

    The variable of the cell in row i and column j (both from 1), named ``r{i}c{j}``, is 1 for a queen; cells that hold
    none have no variable.
    """

    family: ClassVar[str] = "queens"
    summary: ClassVar[str] = "Place one queen in each row, column and coloured region; no two may touch."
    example: ClassVar[str] = "BAAA\nBBBC\nDDCC\nDDDD\n"
    headers: ClassVar[tuple[str, ...]] = ("queens", "slopes", "reach")
    # Names by which the same boards are known elsewhere; the text never tells them apart.
    aliases: ClassVar[tuple[str, ...]] = ("queens_linkedin", "nqueens")
    json_fields: ClassVar[tuple[str, ...]] = (*_REGION_FIELDS, *_JSON_FIELDS)
    json_mends: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("torus", "cylinder", "reach", "slopes", "attack", "region", "columns"),
        "write the board as text, which has such a line",
    )

    @staticmethod
    def recognises(text: str) -> bool:
        # It is a CSPLib file, has a line of Queens, or is a grid: a square one of at least three letters or four emoji,
        # one with crowns, or one of marks with a Q. Stars in every row make it a Star Battle.
        lines = lines_of(text)
        words = {line.keyword for line in lines}
        if "stars" in words or not lines:
            return False
        if _PARAM.search(text) or words & {"queens", "slopes", "reach", "attack"}:
            return True
        cells = [[token.text for token in line.cells()] for line in lines]
        tokens = {token for row in cells for token in row}
        if QUEEN in tokens and tokens <= set(MARKS):
            return True
        letters = tokens - set(CLOSED)
        if any(map(is_emoji, tokens)):
            # With fewer emoji it may be a Takuzu.
            return CROWN in tokens or sum(map(is_emoji, letters - {*SUNS, *MOONS})) > 3
        # A nearly square grid is accepted here, so that reading it can report its ragged row.
        square = any(abs(len(row) - len(cells)) <= 1 for row in cells)
        return square and len(letters) >= 3 and all(len(t) == 1 and t.isascii() and t.isalpha() for t in letters)

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        """Return whether a JSON object has regions, or a side with cells that are given or blocked.

        The field ``board`` must have as many regions as rows, each in one piece, or numbers side by side.
        """
        if data.get("stars", 1) != 1:
            return False
        if "board" in data:
            rows = data.tokens("board")
            cells = by_cell(rows)
            pieces = areas(cells, lambda a, b: cells[a] == cells[b])
            is_whole = len(pieces) == len(rows) == len(set(cells.values()))
            return bool(rows) and FREE not in cells.values() and (is_whole or is_numbered(rows))
        has_regions = isinstance(data.get("regions"), list) or "colorRegions" in data
        return has_regions or any(field in data for field in ("fixed", "blocked", "diags"))

    @staticmethod
    def read(text: str) -> Draft:
        if _PARAM.search(text):
            return Draft(tuple(vars(read_param(text)).values()))
        parts = Sections.of(lines_of(text), KEYWORDS, (*LABELS, "reach") if _STEPS_BELOW.search(text) else LABELS)
        colours, marks, rows = _grids(parts)
        size = len(marks), len(marks[0])
        parts.check_size(*size)
        parts.flag("board")
        # In order of appearance, which is also the order of ``counts``.
        names = list(cells_by_name(colours))
        each = _count(token) if (token := parts.value("queens")) else ONE
        fixed, extra = _regions(parts, size, names)
        for_all = _count(token) if (token := parts.value("regions")) else each
        board = QueensBoard(
            marks=marks,
            rows=_line_counts(parts, "rows", size[0], each),
            columns=_line_counts(parts, "columns", size[1], each),
            colours=colours,
            counts=tuple(fixed.get(name, for_all) for name in names),
            extra=extra,
            slopes=_slopes(parts),
            # In the LinkedIn game, with regions, queens attack only the next cell; without regions, whole lines.
            reach=_reach(parts, size, 1 if colours else MANY),
            attacks=_attacks(parts, size),
            wrap=parts.wrap,
        )
        return Draft(tuple(vars(board).values()), by_cell(line.cells() for line in rows))

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        if data.get("stars", 1) != 1:
            raise InputError("JSON of several stars a row is a Star Battle: write its family as starbattle")
        rows = _json_regions(data)
        regions = read_regions(rows) if rows else ()
        size = (len(regions), len(regions[0])) if rows else (data.side("size", MAX_SIDE),) * 2
        data.check_sides(size)
        queens, blocked = data.cells("fixed", size), set(data.cells("blocked", size))
        if "diags" in data:
            blocked |= _on_diagonals(data.pairs("diags"), size[0], Line(None, ""))
        plain = _plain(size, queens, blocked)
        if not rows:
            return Draft(tuple(vars(plain).values()))
        colours, marks = split_marks(regions, tuple(map(tuple, plain.marks)))
        counts = (ONE,) * len(cells_by_name(colours))
        board = QueensBoard(marks, plain.rows, plain.columns, colours, counts, reach=((1,),))
        return Draft(tuple(vars(board).values()), by_cell(line.cells() for line in rows))

    @property
    def expects_one_solution(self) -> bool:
        return bool(self.colours)

    @property
    def title(self) -> str:
        height, width = self.size
        touching = (self.slopes, self.reach, self.attacks, self.wrap) == (DIAGONALS, ((1,),), (), "none")
        linkedin = self.colours and touching
        words = [f"{'LinkedIn Queens' if linkedin else 'Queens'} {height}x{width}"]
        counts = {*self.rows, *self.columns, *self.counts}
        words.append("one queen per row and column" if counts == {ONE} else "counts by line")
        words += [count(len(self.counts), "region")] * bool(self.counts)
        words += [count(len(self.extra), "further region")] * bool(self.extra)
        words += [f"{len(self.list_given())} given"] * bool(self.list_given())
        words += [self.wrap] * (self.wrap != "none")
        return f"{words[0]}: {', '.join(words[1:])}"

    def to_cpmpy(self) -> cpmpy.Model:
        given = set(self.list_given())
        queens = {cell: piece_variable(cell_name(cell), cell in given) for cell in self.usable()}
        # A trivial constraint makes every cell a variable of the model, even without a rule about it.
        model = cpmpy.Model([queen >= 0 for queen in queens.values()])
        for region in self.list_groups():
            for constraint in count_between([queens[c] for c in region.cells if c in queens], *region.held):
                model += constraint
        for clique in conflicts(self):
            model += cpmpy.sum([queens[cell] for cell in clique]) <= 1
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        queens = {cell for cell in self.usable() if solution.get(cell_name(cell)) == 1}
        return [[QUEEN if (r, c) in queens else m for c, m in enumerate(row)] for r, row in enumerate(self.marks)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        board = replace(self, marks=tuple("".join(row) for row in self.board(solution or {})))
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

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        shown = self.board(solution)
        further = dict.fromkeys(self.usable(), "")
        for region in self.extra:
            for cell in region.cells:
                further[cell] = f"{further.get(cell, '')} {region.name}".strip()

        def show_cell(cell: Cell) -> Look:
            r, c = cell
            symbol = ("♛" if drawing else QUEEN) if shown[r][c] == QUEEN else ""
            return Look(symbol, answer=self.marks[r][c] != QUEEN, mark=further[cell])

        def paint(axes: Axes, points: float) -> None:
            """Draw arrows from cells to those that their queens attack at any place."""
            for (r, c), others in self.attacks:
                for i, j in others:
                    style = {"arrowstyle": "-|>", "color": "#b04a4a", "alpha": 0.6, "shrinkA": 6, "shrinkB": 6}
                    axes.annotate("", (j + 0.5, i + 0.5), (c + 0.5, r + 0.5), arrowprops=style)

        above, left = (
            tuple("" if held == ONE else str(held) for held in line) if set(line) != {ONE} else ()
            for line in (self.columns, self.rows)
        )
        notes = _notes(self, drawing)
        picture = pieces_picture(shown, self.colours, show_cell, drawing, wrap=self.wrap, notes=notes)
        return replace(picture, above_texts=above, left_texts=left, paint=paint)


def conflicts(board: QueensBoard) -> list[tuple[Cell, ...]]:
    """Return sets of cells with at most one queen each that together cover all pairs that attack each other."""
    usable = set(board.usable())
    # True if no two queens may touch at all: neighbours because of the counts of lines, corners because of attacks.
    # Then a 2x2 square is one sum that replaces two pairs and is stronger than both.
    ones = all(count.high <= 1 for count in (*board.rows, *board.columns))
    apart = ones and (board.slopes, board.reach, board.wrap) == (DIAGONALS, ((1,),), "none")
    found: dict[frozenset[Cell], tuple[Cell, ...]] = {}
    for clique in (*list_squares(board.size), *_of_their_own(board)) if apart else attacks(board):
        cells = tuple(cell for cell in clique if cell in usable)
        in_line = len({r for r, _ in cells}) == 1 or len({c for _, c in cells}) == 1
        # If only cells of one line are left of a square, the sum of that line covers them.
        if len(cells) > 1 and not (apart and in_line):
            found.setdefault(frozenset(cells), cells)
    return list(found.values())


def _of_their_own(board: QueensBoard) -> Iterator[tuple[Cell, ...]]:
    """Return cells with the cells that they attack regardless of lines."""
    return ((cell, other) for cell, others in board.attacks for other in others)


def attacks(board: QueensBoard) -> Iterator[tuple[Cell, ...]]:
    """Yield sets of cells in which any two attack each other, at least one way; every such pair is in some set.

    These are stretches of each line of attack, pairs where queens have different reaches, and further attacks of cells.
    """
    steps = (step for slope in board.slopes for step in slope.steps)
    # A step and its reverse run along the same lines, so only one of them is walked.
    for ahead in dict.fromkeys(max(step, _back(step)) for step in steps):
        for line in lines(ahead, board.size, board.wrap):
            # The reach of each cell of the line along it, and back.
            sight = [(_sight(board, cell, ahead), _sight(board, cell, _back(ahead))) for cell in line.cells]
            # With one reach for all cells, any two cells of a window attack each other, so one sum covers them.
            if len(set(sight)) == 1:
                yield from windows(line, max(sight[0]))
            else:
                yield from _pairs(line, sight)
    yield from _of_their_own(board)


def _pairs(line: AttackLine, sight: list[tuple[int, int]]) -> Iterator[tuple[Cell, ...]]:
    n = len(line.cells)
    for (i, a), (j, b) in combinations(enumerate(line.cells), 2):
        direct, around = j - i, n - j + i
        seen = max(sight[i][0], sight[j][1]) >= direct
        if seen or (line.closed and max(sight[i][1], sight[j][0]) >= around):
            yield a, b


def _sight(board: QueensBoard, cell: Cell, step: Step) -> int:
    """Return the number of steps in one direction that a queen on a cell attacks."""
    own = (slope.reach for slope in board.slopes if step in slope.steps)
    return max((board.reach_of(cell) if reach is None else reach for reach in own), default=0)


def _back(step: Step) -> Step:
    return (-step[0], -step[1])


def _notes(board: QueensBoard, drawing: bool) -> list[str]:
    found = []
    if {*board.rows, *board.columns} != {ONE}:
        found.append("numbers beside the board: queens in that line; one where there is none")
    if len(set(board.counts)) == 1 and board.counts[0] != ONE:
        found.append(f"every region: {board.counts[0]} queens")
    elif board.counts:
        found += [_region_note(region) for region in board.list_regions() if region.held != ONE]
    found += [_region_note(region) for region in board.extra]
    if board.slopes != DIAGONALS:
        found.append("lines of attack: " + (", ".join(map(_slope_words, board.slopes)) or "none"))
    if not board.uniform:
        found.append("reach of a queen, cell by cell:")
        found += [" ".join("*" if n == MANY else str(n) for n in row) for row in board.reach]
    elif (reach := board.reach[0][0]) != (1 if board.colours else MANY):
        found.append(f"queens attack {'along whole lines' if reach == MANY else count(reach, 'step')}")
    attacks = () if drawing else board.attacks  # arrows in a drawing
    found += [f"a queen on {cell_name(cell)} attacks {cells_text(others)} too" for cell, others in attacks]
    return found


def _slope_words(slope: AttackSlope) -> str:
    way = f"{slope.rows:+}/{slope.columns:+} one way" if slope.one_way else f"{slope.rows}/{slope.columns}"
    if slope.reach is None:
        return way
    return f"{way} {'to the end' if slope.reach == MANY else count(slope.reach, 'step')}"


def _region_note(region: PieceGroup) -> str:
    return f"region {region.name}: {region.held} queens in {cells_text(region.cells)}"


def _grids(parts: Sections) -> tuple[Grid, tuple[str, ...], Sequence[Line]]:
    """Return regions (no rows if there are none), marks, and the lines of the grid that faults refer to."""
    plain = parts.blocks.get("", ())
    # A grid without a name is the board if it has marks alone, and the regions otherwise.
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
        region_rows, queens = drawn_regions(region_rows, not parts.headers)
        if queens and board_rows:
            raise board_rows[0].fault("queens in both grids: draw them in one")
        board_rows = queens or board_rows
    meant = ". for a free cell, Q for a queen, # for a cell without one, @ for one outside the board"
    board = grid_of(board_rows, MARKS, meant) if board_rows else ()
    if not region_rows:
        return (), tuple("".join(row) for row in board), board_rows
    regions = read_regions(region_rows)
    if board:
        check_equal(board_rows, board, regions)
    return *split_marks(regions, board), region_rows


def _count(token: Token) -> PieceRange:
    return read_range(token, "queens")


def _line_counts(parts: Sections, keyword: str, lines: int, default: PieceRange) -> tuple[PieceRange, ...]:
    header = parts.single(keyword)
    counts = tuple(map(_count, header.tokens()[1:])) if header else (default,)
    if header and len(counts) not in (1, lines):
        fault = f"{len(counts)} numbers for {lines} {keyword}: write one for each, or one for all"
        raise header.fault(fault, min(len(counts), lines) + 2)
    return counts * lines if len(counts) == 1 else counts


def _regions(
    parts: Sections, size: tuple[int, int], names: Sequence[str]
) -> tuple[dict[str, PieceRange], tuple[PieceGroup, ...]]:
    counts: dict[str, PieceRange] = {}
    extra: dict[str, PieceGroup] = {}
    for line in parts.headers.get("region", ()):
        head, cells = line.halves()
        if len(head) != 3:
            raise line.fault("write a region as 'region A 1..2' or 'region A 1..2: r1c1 r1c2'", 1)
        name, number = head[1].text, _count(head[2])
        if name in counts or name in extra:
            raise head[1].fault(f"region {name} a second time: keep one")
        # A region of the grid has its cells there; any other one needs them behind a colon.
        if (cells is not None) == (name in names):
            mend = "add a colon and its cells" if cells is None else "leave out the cells or rename it"
            where = f"{'not ' if cells is None else ''}in the grid of letters"
            raise head[1].fault(f"region {head[1].shown} is {where}: {mend}")
        if cells is None:
            counts[name] = number
        elif not cells:
            raise line.fault("a region without cells: name some after the colon")
        else:
            extra[name] = PieceGroup(name, number, tuple(sorted({_cell(token, size) for token in cells})))
    return counts, tuple(extra.values())


def _cell(token: Token, size: tuple[int, int]) -> Cell:
    match = re.fullmatch(r"r(\d{1,4})c(\d{1,4})", token.text)
    cell = (int(match[1]) - 1, int(match[2]) - 1) if match else (-1, -1)
    if not (0 <= cell[0] < size[0] and 0 <= cell[1] < size[1]):
        raise token.fault(f"{token.shown} is not a cell of the board: write r1c1 to r{size[0]}c{size[1]}")
    return cell


def _attacks(parts: Sections, size: tuple[int, int]) -> tuple[tuple[Cell, tuple[Cell, ...]], ...]:
    found: dict[Cell, tuple[Cell, ...]] = {}
    for line in parts.headers.get("attack", ()):
        head, others = line.halves()
        if len(head) != 2 or not others:
            raise line.fault("write which cells a queen attacks as 'attack r1c1: r2c3 r3c2'", 1)
        cell, attacked = _cell(head[1], size), [_cell(token, size) for token in others]
        if cell in found:
            raise head[1].fault(f"a second line for {head[1].text}: write its cells in one line")
        if cell in attacked:
            fault = f"{head[1].text} attacks itself: leave it out behind the colon"
            raise others[attacked.index(cell)].fault(fault)
        found[cell] = tuple(sorted(set(attacked)))
    return tuple(found.items())


def _slopes(parts: Sections) -> tuple[AttackSlope, ...]:
    header = parts.single("slopes")
    if header is None or header.words[1:] == ["none"]:
        return () if header else DIAGONALS
    slopes = []
    for token in header.tokens()[1:]:
        match = _SLOPE.fullmatch(token.text)
        # Groups 1 and 2 have no sign. With a sign, groups 3 and 4, the slope is one way. A lone number has one column a
        # step.
        step = (int(match[1] or match[3]), int(match[2] or match[4] or 1)) if match else (0, 0)
        if match is None or step == (0, 0):
            mend = "write ROWS/COLUMNS of one step, such as 1, 1/2, 2/1*3 or +1/-1"
            raise token.fault(f"{token.shown} is not a slope: {mend}")
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
    tokens = grid_of(grid or ())
    for token in (token for line in grid or () for token in line.cells()):
        if not re.fullmatch(r"\d{1,4}|\*", token.text):
            raise token.fault(f"{token.shown} is not a number of steps: write a number, or * for all")
    if (len(tokens), len(tokens[0])) != size:
        fault = f"the grid below 'reach' is not {size[0]}x{size[1]} as the board is: give a number for each cell"
        raise header.fault(fault, 1)
    return tuple(tuple(MANY if token == "*" else int(token) for token in row) for row in tokens)


def _bare(board: QueensBoard) -> str | None:
    """Return a grid of letters alone, if it is recognised and read as the same board."""
    rows, columns, counts = ((ONE,) * len(found) for found in (board.rows, board.columns, board.counts))
    linkedin = QueensBoard(board.marks, rows, columns, board.colours, counts, reach=((1,),))
    # Field by field, because a board of the subclass `Queens` never equals one of the base class.
    if not board.colours or vars(board) != vars(linkedin) or _hidden_marks(board):
        return None
    text = "\n".join(grid_text(_with_marks(board))) + "\n"
    # A region called Q would be read as given queens.
    is_read = Queens.recognises(text) and Queens.read(text).clues == tuple(vars(linkedin).values())
    return text if is_read else None


def _headers(board: QueensBoard) -> list[str]:
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
    lines += [f"region {region.name} {region.held}" for region in board.list_regions() if region.held != each]
    lines += [f"region {region.name} {region.held}: {cells_text(region.cells)}" for region in board.extra]
    lines += [f"attack {cell_name(cell)}: {cells_text(others)}" for cell, others in board.attacks]
    return lines


def _with_marks(board: QueensBoard) -> Grid:
    """Return the grid of regions, with marks for cells without a queen where they are in no region."""
    marks, names = by_cell(board.marks), by_cell(board.colours)
    return grid_of_cells(board.size, lambda c: marks[c] if names[c] == FREE and marks[c] in CLOSED else names[c])


def _hidden_marks(board: QueensBoard) -> bool:
    """Return whether the grid of regions cannot show all marks: given queens, and blocked cells inside regions."""
    marks = by_cell(board.marks)
    return any(marks[c] == QUEEN or FREE not in (marks[c], name) for c, name in by_cell(board.colours).items())


def read_param(text: str) -> QueensBoard:
    """Return the board of a ``.param`` file."""
    told = _lettings(text)
    side = told["n"].text if "n" in told else ""
    if not re.fullmatch(r"\d{1,4}", side) or not 1 <= int(side) <= MAX_SIDE:
        fault = f"a board of side {side[:20] or 'none'}: write 'letting n = 8' with a side of 1..{MAX_SIDE}"
        raise told.get("n", Line(None, "")).fault(fault)
    n = int(side)
    cells: dict[str, Collection[Cell]] = {}
    for name, line in ((name, line) for name, line in told.items() if name in ("diags", "blocks", "init")):
        if not re.fullmatch(r"\[(\s*\[\s*-?\d{1,4}\s*,\s*-?\d{1,4}\s*\]\s*,?)*\s*\]", line.text):
            raise line.fault(f"'{name}' is not a list of pairs: write it as [[3,0],[7,1]]")
        pairs = [(int(a), int(b)) for a, b in re.findall(r"(-?\d+)\s*,\s*(-?\d+)", line.text)]
        if name == "diags":
            number = told.get("numdiags", Line(None, str(len(pairs))))
            if not re.fullmatch(r"\d{1,4}", number.text) or int(number.text) > len(pairs):
                fault = f"numdiags is {number.text[:20]} but 'diags' has {len(pairs)} pairs"
                raise number.fault(f"{fault}: write at most as many as there are")
            # The list may be longer than ``numdiags``: the rest of it is padding.
            cells[name] = _on_diagonals(pairs[: int(number.text)], n, line)
            continue
        # The format counts blocks from 1 and given queens from 0.
        first = 1 if name == "blocks" else 0
        for r, c in pairs:
            if not (first <= r < n + first and first <= c < n + first):
                mend = f"write rows and columns of {first}..{n + first - 1}"
                raise line.fault(f"[{r},{c}] of '{name}' is outside the board: {mend}")
        cells[name] = [(r - first, c - first) for r, c in pairs]
    return _plain((n, n), cells.get("init", ()), {*cells.get("diags", ()), *cells.get("blocks", ())})


def _lettings(text: str) -> dict[str, Line]:
    """Return the values of lines ``letting name = ...`` or ``name = ...``, up to the next one, without comments."""
    begun = list(re.finditer(_LETTING.format(r"\w+") + r"\s*(=|be\b)?", text, re.MULTILINE))
    # A known name without an equals sign stays, so that its fault is reported below.
    begun = [match for match in begun if match[2] or match[1] in ("n", "numdiags", "diags", "blocks", "init")]
    found: dict[str, Line] = {}
    for match, after in zip(begun, [*begun[1:], None], strict=True):
        value = text[match.end() : len(text) if after is None else after.start()]
        line = Line(text.count("\n", 0, match.start()) + 1, re.sub(r"\$[^\n]*", "", value).strip())
        if not match[2]:
            raise line.fault(f"write 'letting {match[1]} = ...'")
        found.setdefault(match[1], line)
    return found


def _on_diagonals(pairs: Iterable[tuple[int, int]], n: int, line: Line) -> set[Cell]:
    cells: set[Cell] = set()
    for number, kind in pairs:
        if kind not in (0, 1) or not 0 <= number <= 2 * n - 2:
            raise line.fault(f"diagonal [{number},{kind}]: write a number of 0..{2 * n - 2} and a type, 0 or 1")
        # Along a diagonal of type 1 the sum of row and column is constant, of type 0 their difference.
        rows = ((r, number - r if kind else r + n - 1 - number) for r in range(n))
        cells |= {(r, c) for r, c in rows if 0 <= c < n}
    return cells


def _plain(size: tuple[int, int], queens: Iterable[Cell], blocked: Collection[Cell]) -> QueensBoard:
    marks = dict.fromkeys(blocked, BLOCKED) | dict.fromkeys(queens, QUEEN)
    rows = tuple("".join(marks.get((r, c), FREE) for c in range(size[1])) for r in range(size[0]))
    return QueensBoard(rows, (ONE,) * size[0], (ONE,) * size[1])


def _json_regions(data: JsonBoard) -> list[Line]:
    """Return the rows of regions, from any of the fields; none for N-queens."""
    data.refuse_both(*_REGION_FIELDS)
    regions = data.get("regions")
    if not (isinstance(regions, list) and regions and all(isinstance(region, dict) for region in regions)):
        return next((data.rows(field) for field in _REGION_FIELDS if field in data), [])
    side = data.side("size", MAX_SIDE)
    names: dict[Cell, str] = {}
    for k, region in enumerate(map(JsonBoard, regions)):
        region.refuse_others(("cells", "color"))
        names |= dict.fromkeys(region.cells("cells", (side, side)), str(k))
    for r, c in cells_of((side, side)):
        if (r, c) not in names:
            raise InputError(f"cell [{r}, {c}] is in no region: add it to one of 'regions'", row=r + 1, column=c + 1)
    return [Line(k, " ".join(row)) for k, row in enumerate(grid_of_cells((side, side), names.__getitem__), 1)]


def read_regions(rows: Sequence[Line]) -> Grid:
    """Return a grid of regions, with marks where no queen stands."""
    meant = "a letter for a region, . for no region, # for a cell without a queen, @ for one outside the board"
    return grid_of(rows, NO_REGION, meant, letters=True)


def split_marks(regions: Grid, board: Grid = ()) -> tuple[Grid, tuple[str, ...]]:
    """Return the names of regions alone, and the marks of both grids together."""
    marks = tuple(
        "".join(
            board[r][c] if board and board[r][c] != FREE else token if token in CLOSED else FREE
            for c, token in enumerate(row)
        )
        for r, row in enumerate(regions)
    )
    names = tuple(tuple(FREE if token in CLOSED else token for token in row) for row in regions)
    return name_by_letters(names), marks

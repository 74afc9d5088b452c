"""Kakuro: fill the white cells so that every run makes its sum with different values.

The judging is independent of the model on purpose: lines are read token by token, as a person would, and no runs are
used. Sums with commas or colons are two dialects of the typed grid, puzz.link addresses and MiniZinc data whole boards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy
from gatesolve.puzzles.base import Draft, Fault, Forms, Puzzle, cell_variables, differ_and_add_up, misread, overwritten
from gatesolve.puzzles.grid import Cell, Grid, by_cell, cell_name, grid_of_cells
from gatesolve.puzzles.picture import INK, Look, Picture, walls_around, write
from gatesolve.puzzles.reading import Code, JsonBoard, Line, Row, Token, check_rows, digits, lines_of, link

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import RenderableType


Direction = Literal["across", "down"]
MAX_SIDE = 100
DEFAULT_VALUES = (1, 9)
MAX_VALUE = 99
_CLUE = re.compile(r"([0-9]{0,4})\\([0-9]{0,4})")
_VALUES = re.compile(r"values\s+([0-9]{1,2})\s*\.\.\s*([0-9]{1,2})", re.IGNORECASE)
_OTHER_CLUE = re.compile(r"([0-9]{0,4})([,:])([0-9]{0,4})")
_DIALECTS: Mapping[str, Mapping[str, str]] = {",": {"-": "#", "0": "."}, ":": {}}
"""Signs of other programs for black and empty cells, by the sign between their sums."""
_WORDS: Mapping[Direction, tuple[str, ...]] = {
    "across": ("to its right", "\\SUM", "to the left", "column", "left"),
    "down": ("below it", "SUM\\", "above", "row", "top"),
}
"""The place of a run from its sum, how the sum is written and where, and what is missing without such a place."""
_SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The sums 0 (none) to 45 in a puzz.link address."""


@dataclass(frozen=True)
class Black:
    """A black cell, with the sum of the run below it and of the run to its right, if it has them."""

    down: int | None = None
    across: int | None = None


@dataclass(frozen=True)
class White:
    """A white cell, with its value if that is given as a clue."""

    given: int | None = None


Clues = tuple[tuple[Black | White, ...], ...]


@dataclass(frozen=True)
class Run:
    """A maximal straight stretch of white cells in reading order.

    Its ``clue`` is the black cell before it, None at the edge of the board; ``total`` is the sum written there, if any.
    """

    direction: Direction
    cells: tuple[Cell, ...]
    clue: Cell | None
    total: int | None


@dataclass(frozen=True)
class Kakuro(Puzzle):
    """One Kakuro board; docs/families.md describes its format.

    The variable of the white cell in row i, column j of the board (both from 1, including the row and column of clues)
    is named ``r{i}c{j}``. Values of cells are ``low`` to ``high``.
    """

    grid: Clues
    low: int = 1
    high: int = 9

    family: ClassVar[str] = "kakuro"
    summary: ClassVar[str] = "Fill the white cells so that every run has its sum and repeats no digit."
    example: ClassVar[str] = "values 0..3\n#   2\\  4\\\n\\1  .   .\n\\5  .   .\n"
    headers: ClassVar[tuple[str, ...]] = ("values",)
    json_fields: ClassVar[tuple[str, ...]] = ("grid", "values", "rows", "cols")

    @cached_property
    def white(self) -> dict[Cell, int | None]:
        """The white cells with their given values, row by row."""
        return {cell: held.given for cell, held in by_cell(self.grid).items() if isinstance(held, White)}

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs of two or more cells and those of one cell with a sum; those across first."""
        return tuple(run for run in stretches(self.grid) if len(run.cells) > 1 or run.total is not None)

    def first_fault(self) -> Fault | None:
        # By first cell: the sum in a black cell belongs to the run that starts to its right or below it.
        starts = {(run.cells[0], run.direction): run for run in stretches(self.grid)}
        if all(len(run.cells) == 1 for run in starts.values()):
            return Fault("the board has no run of two or more white cells: write . for a white cell", (0, 0))
        in_run = {cell for run in self.runs for cell in run.cells}
        for (r, c), cell in by_cell(self.grid).items():
            if isinstance(cell, Black):
                across = _sum_fault("across", cell.across, starts.get(((r, c + 1), "across")))
                message = _sum_fault("down", cell.down, starts.get(((r + 1, c), "down"))) or across
            else:
                sums = (_missing_sum(starts.get(((r, c), "across"))), _missing_sum(starts.get(((r, c), "down"))))
                lonely = None if (r, c) in in_run else "a white cell in no run: make it black (#)"
                message = lonely or sums[0] or sums[1]
                if cell.given is not None and not self.low <= cell.given <= self.high:
                    mend = "write . for an empty cell, or widen the line 'values'"
                    message = f"given {cell.given} is outside {self.low}..{self.high}: {mend}"
            if message:
                return Fault(message, (r, c))
        return None

    @property
    def contradiction(self) -> str | None:
        low, high = self.low, self.high
        for run in stretches(self.grid):
            length = len(run.cells)
            if run.total is None:
                continue
            name = f"the run {run.direction} from {cell_name(run.cells[0])}"
            if length > high - low + 1:
                return f"{name} needs {length} different values and {low}..{high} has only {high - low + 1}"
            # Every sum between the two is possible, too.
            least, most = sum(range(low, low + length)), sum(range(high - length + 1, high + 1))
            if length == 1 and not least <= run.total <= most:
                cell = cell_name(run.cells[0])
                return f"the sum {run.total} {run.direction} of the one cell {cell} is outside {low}..{high}"
            if not least <= run.total <= most:
                possible = f"{length} different values of {low}..{high} make {least}..{most}"
                return f"{name} cannot make {run.total}: {possible}"
        # Where every white cell belongs to one run each way, all sums across are as large as all sums down.
        summed = [(run, run.total) for run in self.runs if run.total is not None]
        across, down = (sum(total for run, total in summed if run.direction == way) for way in ("across", "down"))
        held = Counter(cell for run, _ in summed for cell in run.cells)
        if across == down or any(held[cell] < 2 for cell in self.white):
            return None
        return f"the sums across add up to {across} and the sums down to {down}, but both add up all white cells"

    def check(self, solution: Mapping[str, int]) -> list[str]:
        white = {cell_name(cell): given for cell, given in self.white.items()}
        broken = misread(solution, dict.fromkeys(white, range(self.low, self.high + 1)), "is not a white cell")
        broken += overwritten(solution, white)
        if not white.keys() <= solution.keys():
            # Sums of an unfinished board are meaningless.
            return broken
        rows = [[(held, solution.get(cell_name((r, c)), 0)) for c, held in enumerate(row)]
                for r, row in enumerate(self.grid)]  # fmt: skip
        for k, row in enumerate(rows, 1):
            broken += _broken_in_line(row, "across", f"row {k}")
        for k, column in enumerate(zip(*rows, strict=True), 1):
            broken += _broken_in_line(column, "down", f"column {k}")
        return broken

    @staticmethod
    def foreign() -> Forms:
        return {link("kakuro"): _from_link, r"(?=.*\bgrid_data\s*=)(?=.*h_clue)(?P<body>.*)": _from_minizinc}

    @classmethod
    def recognises(cls, text: str) -> bool:
        rows = [line.tokens() for line in lines_of(text)]
        sums = any("\\" in token.text for row in rows for token in row)
        return sums or bool(_dialect(rows)) or super().recognises(text)

    @staticmethod
    def read(text: str) -> Draft:
        lines = lines_of(text)
        headers = [line for line in lines if line.word == "values"]
        if headers and headers != lines[:1]:
            raise headers[-1].fault("write one line 'values', above the board", 1)
        values = _values(headers[0]) if headers else DEFAULT_VALUES
        rows: Sequence[Row] = [line.tokens() for line in lines[len(headers) :]]
        if sign := _dialect(rows):
            # The slice drops a first line with the size: True counts as 1.
            rows = [[t._replace(text=_native(t.text, sign)) for t in row] for row in rows[_is_sized(rows) :]]
        return _draft(rows, values)

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        return any("\\" in token for row in data.tokens("grid") for token in row)

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        rows = [row.tokens() for row in data.rows("grid")]
        values = data.pair("values", "[0, 3]", DEFAULT_VALUES)
        # As a line of text, the range passes the same checks as in a file.
        draft = _draft(rows, _values(Line(1, f"values {values[0]}..{values[1]}")))
        data.check_sides((len(rows), len(rows[0])))
        return draft

    @property
    def title(self) -> str:
        size = f"{len(self.grid)}x{len(self.grid[0])}"
        return f"Kakuro {size}: {len(self.white)} cells, {len(self.runs)} runs, values {self.low}..{self.high}"

    def to_cpmpy(self) -> cpmpy.Model:
        variables = cell_variables(self.white, self.low, self.high)
        rules = [differ_and_add_up([variables[cell] for cell in run.cells], run.total) for run in self.runs]
        return cpmpy.Model([constraint for rule in rules for constraint in rule])

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        return [["#" if "\\" in token else token for token in row] for row in self._tokens(solution)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        table = self._tokens(solution or {})
        widths = [max(len(token) for token in column) for column in zip(*table, strict=True)]
        lines = ["  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in table]
        if (self.low, self.high) != DEFAULT_VALUES:
            lines.insert(0, f"values {self.low}..{self.high}")
        return "\n".join(lines) + "\n"

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        blacks = [held for row in self.grid for held in row if isinstance(held, Black)]
        # Never empty, as a valid board has sums.
        half = max(len(digits(total)) for held in blacks for total in (held.down, held.across))
        width, shown = 2 * half + 1, self.board(solution or {})

        def show_cell(cell: Cell) -> Text:
            held = self.grid[cell[0]][cell[1]]
            if not isinstance(held, Black):
                return Text(shown[cell[0]][cell[1]].strip("."), style="bold" if held.given is None else "underline")
            # The backslash is in the middle of the cell, so the two sums of a cell keep their sides.
            sums = f"{digits(held.down):>{half}}\\{digits(held.across):<{half}}"
            return Text("#".center(width) if held == Black() else sums, style="grey70 on grey19")

        table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=0)
        for _ in self.grid[0]:
            # One width for all columns; no wrapping, so that a cell keeps to its one line.
            table.add_column(justify="center", min_width=width, no_wrap=True)
        for row in grid_of_cells((len(self.grid), len(self.grid[0])), show_cell):
            table.add_row(*row)
        return table

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Return the classical picture: black cells cut by a diagonal, the sum down below it, across above."""
        shown = self.board(solution)

        def look(cell: Cell) -> Look:
            if cell not in self.white:
                return Look(fill=INK)
            return Look(shown[cell[0]][cell[1]].strip("."), answer=self.white[cell] is None)

        def paint(axes: Axes, points: float) -> None:
            for (r, c), held in by_cell(self.grid).items():
                if isinstance(held, Black) and held != Black():
                    axes.plot([c, c + 1], [r, r + 1], color="white", linewidth=points / 50, solid_capstyle="butt")
                    write(axes, (c + 0.29, r + 0.75), digits(held.down), "white", points * 0.27)
                    write(axes, (c + 0.71, r + 0.27), digits(held.across), "white", points * 0.27)

        size = len(self.grid), len(self.grid[0])
        return Picture(grid_of_cells(size, look), *walls_around(size), paint=paint)

    def _tokens(self, solution: Mapping[str, int]) -> Grid:
        def token(cell: Cell) -> str:
            held = self.grid[cell[0]][cell[1]]
            if isinstance(held, White):
                return digits(solution.get(cell_name(cell), held.given)) or "."
            return _token(digits(held.down), digits(held.across))

        return grid_of_cells((len(self.grid), len(self.grid[0])), token)


def stretches(grid: Clues) -> Iterator[Run]:
    """Yield all stretches of white cells, including single cells: those across row by row, then those down."""
    white = {cell for cell, held in by_cell(grid).items() if isinstance(held, White)}
    directions: tuple[tuple[Direction, int, int], ...] = (("across", 0, 1), ("down", 1, 0))
    for direction, dr, dc in directions:
        for r, c in sorted(white):
            # Only the first cell of a stretch begins one.
            if (r - dr, c - dc) in white:
                continue
            length = 1
            while (r + length * dr, c + length * dc) in white:
                length += 1
            cells = tuple((r + k * dr, c + k * dc) for k in range(length))
            clue = None if r - dr < 0 or c - dc < 0 else (r - dr, c - dc)
            total = None if clue is None else getattr(grid[clue[0]][clue[1]], direction)
            yield Run(direction, cells, clue, total)


def _sum_fault(direction: Direction, total: int | None, run: Run | None) -> str | None:
    """Return the fault of a sum written in a black cell, ``run`` being the run it leads."""
    if total is None or run is not None:
        return None
    beside = _WORDS[direction][0]
    return f"sum {total} {direction} has no white cell {beside}: remove the sum, or make that cell white (.)"


def _missing_sum(run: Run | None) -> str | None:
    if run is None or len(run.cells) == 1 or run.total is not None:
        return None
    _, token, before, line, side = _WORDS[run.direction]
    mend = f"write {token} in the black cell {before}"
    if run.clue is None:
        mend = f"add a {line} of black cells at the {side}, with {token} in the one before it"
    return f"the run of {len(run.cells)} cells {run.direction} that starts here has no sum: {mend}"


def _broken_in_line(line: Sequence[tuple[Black | White, int]], direction: Direction, place: str) -> Iterator[str]:
    # Read cell by cell, without `stretches`: the judge shares no code with the model.
    wanted: int | None = None
    run: list[int] = []
    # Each black cell ends a run and begins the next; one more at the end closes the last run.
    for held, value in (*line, (Black(), 0)):
        if isinstance(held, White):
            run.append(value)
            continue
        shown = " + ".join(map(str, run))
        if wanted is not None and sum(run) != wanted:
            yield f"{place}: {shown} = {sum(run)}, not {wanted} ({direction})"
        for twice in sorted({v for v in run if run.count(v) > 1}):
            yield f"{place}: {twice} is repeated in {shown} ({direction})"
        wanted, run = (held.across if direction == "across" else held.down), []


def _draft(rows: Sequence[Row], values: tuple[int, int]) -> Draft:
    # A wrong word is named before a row of another length, which it may have caused.
    cells = tuple(tuple(map(_cell, row)) for row in rows) if all(len(row) <= MAX_SIDE for row in rows) else ()
    check_rows(rows, MAX_SIDE, "such as '# 3\\ 4\\'")
    return Draft((cells, *values), by_cell(rows))


def _values(header: Line) -> tuple[int, int]:
    match = _VALUES.fullmatch(header.text.strip())
    if match is None:
        fault = f"a value range is written 'values LOW..HIGH' with numbers of 0..{MAX_VALUE}, such as values 0..3"
        raise header.fault(fault, min(2, len(header.words)))
    low, high = int(match[1]), int(match[2])
    if low > high:
        fault = f"value range {low}..{high} is empty: write the smaller number first, values {high}..{low}"
        raise header.fault(fault, 2)
    return low, high


def _cell(token: Token) -> Black | White:
    text = token.text
    if text == "#":
        return Black()
    if text in {".", "_"}:
        return White()
    if re.fullmatch("[0-9]{1,4}", text):
        return White(int(text))
    match = _CLUE.fullmatch(text)
    if match and (match[1] or match[2]):
        # The sum before the backslash is the one down, the first field of `Black`.
        return Black(*(int(part) if part else None for part in match.groups()))
    mend = r"write # for a black cell, . for a white one, a number for a given value, or sums as 16\, \23 or 23\7"
    raise token.fault(f"unknown token {token.shown}: {mend}")


def _dialect(rows: Sequence[Row]) -> str:
    """Return the sign between the sums of another program, a comma or a colon; empty for the native format."""
    tokens = {token.text for row in rows for token in row}
    if any(set(token) & set("\\=[]|{}") for token in tokens):
        return ""
    signs = {match[2] for match in map(_OTHER_CLUE.fullmatch, tokens) if match and match[3]}
    # Lists of numbers have commas too, but neither black cells nor a comma before a number.
    return "," if "," in signs and tokens & {"-", "#"} else ":" if ":" in signs else ""


def _native(token: str, sign: str) -> str:
    match = _OTHER_CLUE.fullmatch(token)
    if match and match[2] == sign:
        return _token(match[1], match[3])
    return _DIALECTS[sign].get(token, token)


def _is_sized(rows: Sequence[Row]) -> bool:
    sized = len(rows) > 2 and [t.text for t in rows[0]] == [str(len(rows) - 1), str(len(rows[1]))]
    # On a board of two columns this line may as well be a row of two given values.
    return sized and len(rows[1]) != 2


def _token(down: str, across: str) -> str:
    return f"{down}\\{across}" if down or across else "#"


def _draft_of_tokens(rows: Iterable[Iterable[str]]) -> Draft:
    return _draft([Line(number, " ".join(row)).tokens() for number, row in enumerate(rows, 1)], DEFAULT_VALUES)


def _from_link(code: Code) -> Draft:
    # The row and the column of clues at the edge, which the link does not count, are added below.
    rows, columns = code.check_size(MAX_SIDE - 1)
    letters = iter(code.body)

    def total(letter: str) -> str:
        """Return the sum that a letter stands for, without a 0 for none."""
        if not letter or letter not in _SUMS:
            raise code.fault(f"the link breaks off, or has {letter!a} for a sum: copy the whole link")
        return str(_SUMS.index(letter) or "")

    cells: list[str] = []
    while len(cells) < rows * columns:
        letter = next(letters, "")
        # k to z are 1 to 16 white cells, a dot is a black cell, other letters are its two sums.
        if "k" <= letter <= "z":
            cells += ["."] * (ord(letter) - ord("j"))
        else:
            cells.append("#" if letter == "." else _token(total(letter), total(next(letters, ""))))
    if len(cells) > rows * columns:
        raise code.fault(f"the link has more cells than {rows}x{columns}: copy it again")
    # The sums above the board and left of it follow, for the runs that start at its edge.
    table = [cells[r * columns : (r + 1) * columns] for r in range(rows)]
    above = [_token(total(next(letters, "")), "") if cell == "." else "#" for cell in table[0]]
    left = [_token("", total(next(letters, ""))) if row[0] == "." else "#" for row in table]
    return _draft_of_tokens([("#", *above), *((head, *row) for head, row in zip(left, table, strict=True))])


def _from_minizinc(code: Code) -> Draft:
    mask = code.array("grid_data")
    if not mask[0] or any(len(row) != len(mask[0]) or set(row) - {0, 1} for row in mask):
        raise InputError("MiniZinc 'grid_data' is not rows of 0 and 1 of one length: correct it")
    grid = tuple(tuple(White() if cell else Black() for cell in row) for row in mask)
    runs = {(run.direction, run.clue, len(run.cells)) for run in stretches(grid)}
    sums: dict[tuple[str, Cell], str] = {}
    for field, direction in (("v_clue", "down"), ("h_clue", "across")):
        numbers = [number for row in code.array(field) for number in row]
        # Each run has four numbers: row, column, length and sum; rows and columns count from 1.
        for clue in (numbers[k : k + 4] for k in range(0, len(numbers), 4)):
            at = tuple(number - 1 for number in clue[:2])
            if len(clue) < 4 or (direction, at, clue[2]) not in runs:
                shown = ", ".join(map(str, clue))
                fault = f"MiniZinc '{field}' has {shown}, not the row, column, length and sum of a run of grid_data"
                raise InputError(f"{fault}: correct it")
            sums[direction, (at[0], at[1])] = str(clue[3])

    def token(cell: Cell) -> str:
        return "." if mask[cell[0]][cell[1]] else _token(sums.get(("down", cell), ""), sums.get(("across", cell), ""))

    return _draft_of_tokens(grid_of_cells((len(mask), len(mask[0])), token))

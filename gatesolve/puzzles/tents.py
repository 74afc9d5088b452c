"""Tents & Trees: every tree gets a separate tent beside it, and no two tents touch.

The judging is independent of the model on purpose. It uses only the places of the tents, and finds the pairing of trees
and tents anew by augmenting paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy as cp
from gatesolve.puzzles.base import Draft, Fault, Forms, Puzzle, count_between
from gatesolve.puzzles.grid import (
    Cell,
    by_cell,
    cell_name,
    grid_of_cells,
    list_squares,
    list_touching,
    neighbours,
    rows_and_columns,
)
from gatesolve.puzzles.picture import ANSWER, INK, Look, Picture, walls_around
from gatesolve.puzzles.reading import Code, JsonBoard, Row, Token, count, digits, game_id, grid_of, lines_of, link

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Counts = tuple[int | None, ...]
"""Tents of each row or column; None where the count is missing."""
TREE, TENT, FREE = "T", "^", "."
MAX_SIDE = 100
_DIRECTIONS = ("up", "left", "right", "down")
"""The directions from a tree to its tent, in the order of `neighbours`."""
_LETTERS = {"T": TREE, "t": TREE, "x": TREE, "X": TREE, "^": TENT, ".": FREE, "-": FREE, "_": FREE}
COUNT_FIELDS = ("row_counts", "col_counts")
"""Fields of a JSON object."""
_COUNT = re.compile(r"[0-9]{1,3}|\?")
_ROW_TOKEN = re.compile(r"[TtxX^._-]+")
_NO_COUNT = "a row without its count: write the number of its tents (or ?) before its cells"


@dataclass(frozen=True)
class Tents(Puzzle):
    """One Tents & Trees board; docs/families.md describes its format.

    The tent of the tree in row i, column j (both from 1) is above, left of, right of or below it. The variable
    ``r{i}c{j}_up`` (``_left``, ``_right``, ``_down``) is 1 for one of these. Only cells inside the board without a tree
    have a variable. The grid has one string a row of `TREE`, `FREE`, and `TENT` for a tent that is given.
    """

    grid: tuple[str, ...]
    row_counts: Counts
    column_counts: Counts

    family: ClassVar[str] = "tents"
    summary: ClassVar[str] = "Place a tent beside each tree; no two may touch, and numbers count the tents of a line."
    example: ClassVar[str] = "  1 0 1 0 1\n1 . T . . .\n0 T . . . .\n2 . . . T .\n"
    json_fields: ClassVar[tuple[str, ...]] = ("grid", *COUNT_FIELDS, "rows", "cols")

    @property
    def size(self) -> tuple[int, int]:
        return len(self.grid), len(self.grid[0])

    def cells(self, letter: str) -> Iterator[Cell]:
        """Return the cells that hold ``letter``, row by row."""
        return (cell for cell, held in by_cell(self.grid).items() if held == letter)

    def places(self, tree: Cell) -> Iterator[tuple[str, Cell]]:
        """Yield the cells where a tree's tent may be: inside the board and not a tree; with the variables' names."""
        rows, columns = self.size
        for word, (r, c) in zip(_DIRECTIONS, neighbours(tree), strict=True):
            if 0 <= r < rows and 0 <= c < columns and self.grid[r][c] != TREE:
                yield f"{cell_name(tree)}_{word}", (r, c)

    def first_fault(self) -> Fault | None:
        return None if any(self.cells(TREE)) else Fault("the board has no tree: write T for a tree", (0, 0))

    @property
    def contradiction(self) -> str | None:
        places = {tree: {cell for _, cell in self.places(tree)} for tree in self.cells(TREE)}
        for tree, free in places.items():
            if not free:
                return f"the tree at {cell_name(tree)} has no free cell beside it"
        beside = {cell for free in places.values() for cell in free}
        for tent in self.cells(TENT):
            if tent not in beside:
                return f"the given tent at {cell_name(tent)} has no tree beside it"
        for a, b in list_touching(list(self.cells(TENT))):
            return f"the given tents at {cell_name(a)} and {cell_name(b)} touch"
        return _count_fault(self, len(places))

    @staticmethod
    def foreign() -> Forms:
        return {
            game_id("[a-z_]*(?:,[0-9]{1,4})+"): _from_game_id,
            link("tents"): _from_link,
            r"(?=.*\brow_sums\s*=)(?=.*col_sums)(?P<body>.*)": _from_minizinc,
        }

    @classmethod
    def recognises(cls, text: str) -> bool:
        if super().recognises(text):
            return True
        lines = list(_rows(text))
        if len(lines) < 2 or not _are_counts(lines[0]):
            return False
        rows = [line for line in lines if not _are_counts(line)]
        # The first word of a row may be its count.
        cells = [token.text for line in rows for k, token in enumerate(line) if k or not _is_count(token)]
        return all(_ROW_TOKEN.fullmatch(cell) for cell in cells) and any(set(cell) & set("TtxX") for cell in cells)

    @staticmethod
    def read(text: str) -> Draft:
        columns, counts, rows = _parts(list(_rows(text)))
        cells = [
            [Token(letter, token.column + k, token.line) for token in row for k, letter in enumerate(token.text)]
            for row in rows
        ]
        for cell in (cell for row in cells for cell in row if cell.text not in _LETTERS):
            mend = "write T for a tree, . for a free cell, ^ for a tent that is given"
            raise cell.fault(f"unknown cell {cell.shown}: {mend}")
        _check_shape(columns, counts, cells)
        grid = tuple("".join(_LETTERS[cell.text] for cell in row) for row in cells)
        places: dict[Any, Token] = {**by_cell(cells)}
        places |= {("rows", (r, 0)): token for r, token in enumerate(counts)}
        places |= {("columns", (0, c)): token for c, token in enumerate(columns)}
        return Draft((grid, _counts(counts), _counts(columns)), places)

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        return "grid" in data and ("row_counts" in data or "col_counts" in data)

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        grid = grid_of(data.rows("grid"), (TREE, TENT, FREE), "T for a tree, . for a free cell", most=MAX_SIDE)
        size = len(grid), len(grid[0])
        data.check_sides(size)
        counts = (_json_counts(data, field, lines) for field, lines in zip(COUNT_FIELDS, size, strict=True))
        return Draft((tuple(map("".join, grid)), *counts))

    @cached_property
    def into(self) -> Mapping[Cell, tuple[str, ...]]:
        """Return for each cell where a tent may be, the variables that put one there."""
        found: dict[Cell, tuple[str, ...]] = {}
        for tree in self.cells(TREE):
            for name, cell in self.places(tree):
                found[cell] = (*found.get(cell, ()), name)
        return found

    @property
    def title(self) -> str:
        rows, columns = self.size
        counts = self.row_counts + self.column_counts
        missing = counts.count(None)
        tail = f", {missing} of {len(counts)} counts missing" if missing else ""
        return f"Tents & Trees {rows}x{columns}: {count(len(list(self.cells(TREE))), 'tree')}{tail}"

    def to_cpmpy(self) -> cp.Model:
        # At most one tent in any 2x2 cells keeps tents apart, and also prevents two trees from sharing a cell.
        choices = [[name for name, _ in self.places(tree)] for tree in self.cells(TREE)]
        variable: dict[str, Any] = {name: cp.boolvar(name=name) for names in choices for name in names}
        model = cp.Model([cp.sum([variable[n] for n in names]) == 1 for names in choices])

        def tents_in(cells: Sequence[Cell]) -> list[Any]:
            return [variable[name] for cell in cells for name in self.into.get(cell, ())]

        rows, columns = self.size
        # A board of one row or column is widened to two, so that it has squares; the cells outside hold nothing.
        for square in list_squares((max(2, rows), max(2, columns))):
            close = tents_in(square)
            if len(close) > 1:
                model += cp.sum(close) <= 1
        lines = zip(rows_and_columns(self.size), self.row_counts + self.column_counts, strict=True)
        for cells, tents in (*lines, *(([cell], 1) for cell in self.cells(TENT))):
            model += [] if tents is None else count_between(tents_in(cells), tents, tents)
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        tents = self._tents(solution)
        return [[TENT if (r, c) in tents else held for c, held in enumerate(row)] for r, row in enumerate(self.grid)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        tents, faults = tents_of(self, solution)
        return faults + list(broken_rules(self, tents))

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        written = ["?" if tents is None else str(tents) for tents in self.row_counts + self.column_counts]
        width, rows = max(map(len, written)), len(self.row_counts)
        lines = [" " * (width + 1) + " ".join(tents.rjust(width) for tents in written[rows:])]
        for tents, row in zip(written, self.board(solution or {}), strict=False):
            lines.append(" ".join(cell.rjust(width) for cell in (tents, *row)))
        return "\n".join(lines) + "\n"

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        tents = self._tents(solution)

        def look(cell: Cell) -> Look:
            given = self.grid[cell[0]][cell[1]]
            if drawing:
                return Look(fill="#eef6e6" if tents and given != TREE else "white")
            if given == TREE:
                return Look(TREE)
            return Look("▲" if cell in tents or given == TENT else "", answer=cell in tents and given != TENT)

        def paint(axes: Axes, points: float) -> None:
            from matplotlib.patches import Circle, Polygon, Rectangle

            for r, c in self.cells(TREE):
                axes.add_patch(Rectangle((c + 0.44, r + 0.55), 0.12, 0.32, facecolor="#8a5a2b"))
                for x, y, radius in ((0.36, 0.5, 0.19), (0.64, 0.5, 0.19), (0.5, 0.32, 0.21)):
                    axes.add_patch(Circle((c + x, r + y), radius, facecolor="#3b8f3e"))
            for r, c in {*tents, *self.cells(TENT)}:
                colour, top = INK if self.grid[r][c] == TENT else ANSWER, (r + 0.1, r + 0.2, r + 0.1)
                for height, left, right, fill in ((0.18, 0.14, 0.86, colour), (0.45, 0.37, 0.63, "white")):
                    corners = [(c + 0.5, r + height), (c + left, r + 0.82), (c + right, r + 0.82)]
                    axes.add_patch(Polygon(corners, facecolor=fill))
                axes.plot((c + 0.45, c + 0.5, c + 0.55), top, color=colour, linewidth=points / 30)

        above, left = tuple(map(digits, self.column_counts)), tuple(f"{digits(n)} " for n in self.row_counts)
        return Picture(grid_of_cells(self.size, look), *walls_around(self.size), above, left, paint=paint)

    def _tents(self, solution: Mapping[str, int]) -> set[Cell]:
        return {cell for cell, names in self.into.items() if any(solution.get(name) == 1 for name in names)}


def _count_fault(board: Tents, trees: int) -> str | None:
    """Return the fault of the counts: more than a line can hold, or sums that are not the number of trees."""
    height, width = board.size
    lines = (("row", board.row_counts, width), ("column", board.column_counts, height))
    for part, counts, length in lines:
        for k, tents in enumerate(counts):
            # Tents that do not touch leave a cell free between any two.
            if tents is not None and tents > (length + 1) // 2:
                return f"{part} {k + 1} cannot hold {count(tents, 'tent')}, as tents never touch"
    for part, counts, _ in lines:
        known = [tents for tents in counts if tents is not None]
        if sum(known) > trees or (len(known) == len(counts) and sum(known) != trees):
            return f"the {part} counts add up to {sum(known)} but {count(trees, 'tree')} must have one tent each"
    return None


def broken_rules(board: Tents, tents: Set[Cell]) -> Iterator[str]:
    """Yield the rules that tents at these cells break, in words; none when the board is right."""
    rows, columns = board.size
    for r, c in sorted(tents):
        if not (0 <= r < rows and 0 <= c < columns):
            yield f"the tent at {cell_name((r, c))} is outside the board"
        elif board.grid[r][c] not in (FREE, TENT):
            yield f"the tent at {cell_name((r, c))} stands on a tree"
    yield from (f"the tents at {cell_name(a)} and {cell_name(b)} touch" for a, b in list_touching(tents))
    yield from (f"{cell_name(cell)} has no tent where one is given" for cell in board.cells(TENT) if cell not in tents)
    for axis, (word, counts) in enumerate((("row", board.row_counts), ("column", board.column_counts))):
        for k, wanted in enumerate(counts):
            held = sum(tent[axis] == k for tent in tents)
            if wanted is not None and held != wanted:
                yield f"{word} {k + 1} has {held} tents, not {wanted}"
    # Every tree must have a separate tent beside it, and every tent a tree.
    owner = match_tents(board.cells(TREE), tents)
    lonely = (tree for tree in board.cells(TREE) if tree not in owner.values())
    yield from (f"the tree at {cell_name(tree)} cannot have a tent of its own" for tree in lonely)
    yield from (f"the tent at {cell_name(tent)} cannot have a tree of its own" for tent in sorted(tents - owner.keys()))


def match_tents(trees: Iterable[Cell], tents: Set[Cell]) -> dict[Cell, Cell]:
    """Return the trees of as many tents as possible, each tree with one tent beside it."""
    owner: dict[Cell, Cell] = {}

    # Augmenting paths: a tent that has an owner is given away if the owner finds another.
    def give(tree: Cell, tried: set[Cell]) -> bool:
        for tent in neighbours(tree):
            if tent in tents and tent not in tried:
                tried.add(tent)
                if tent not in owner or give(owner[tent], tried):
                    owner[tent] = tree
                    return True
        return False

    for tree in trees:
        give(tree, set())
    return owner


def tents_of(board: Tents, solution: Mapping[str, int]) -> tuple[set[Cell], list[str]]:
    """Return the places of a solution's tents, and faults in its names."""
    steps = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}
    tents: set[Cell] = set()
    faults: list[str] = []
    known: set[str] = set()
    for r, c in board.cells(TREE):
        pitched = []
        for word, (dr, dc) in steps.items():
            known.add(variable := f"{cell_name((r, c))}_{word}")
            if solution.get(variable) == 1:
                pitched.append((r + dr, c + dc))
            elif solution.get(variable, 0) != 0:
                faults.append(f"{variable} is {solution[variable]}, neither 0 nor 1")
        if len(pitched) != 1:
            faults.append(f"the tree at {cell_name((r, c))} is given {len(pitched)} tents, not 1")
        faults += [f"the tent at {cell_name(tent)} is given to two trees" for tent in pitched if tent in tents]
        tents.update(pitched)
    faults += [f"{variable} is not a place beside a tree" for variable in solution if variable not in known]
    return tents, faults


def _rows(text: str) -> Iterator[Row]:
    """Return the tokens of each line, each with its first character's column; commas separate them if there are any."""
    for line in lines_of(text):
        if "," not in line.text:
            yield [Token(m[0], m.start() + 1, line) for m in re.finditer(r"\S+", line.text)]
            continue
        parts = [Token(m[0].strip() or FREE, m.start() + 1, line) for m in re.finditer(r"(?:^|(?<=,))[^,]*", line.text)]
        # A table has an empty corner above the row counts and left of the column counts.
        corner = parts[0].text == FREE and all(map(_is_count, parts[1:]))
        yield parts[1 if corner else 0 :]


def _is_count(token: Token) -> bool:
    return _COUNT.fullmatch(token.text) is not None


def _are_counts(row: Row) -> bool:
    """Return whether the row consists of counts; a missing one may be ``-`` where that is not a cell."""
    known = sum(map(_is_count, row))
    return known == len(row) or (known > 1 and all(_is_count(token) or token.text == "-" for token in row))


def _parts(rows: list[Row]) -> tuple[Row, Row, list[Row]]:
    """Return the column counts, the row counts, and the cells of each row."""
    if len(rows) < 2:
        raise InputError("no board: write a line of column counts, then each row behind its count")
    if not _is_count(rows[-1][0]):  # puzzlekit: rows without counts
        # Perhaps the numbers of rows and columns are above the counts.
        sides = (len(rows[2]), len(rows[1])) if len(rows) > 3 and _are_counts(rows[2]) else None
        first = int(sides is not None and rows[0][0].line.size == sides)
        counts = rows[first : first + 2]
        if not all(map(_are_counts, counts)):
            raise next((t for row in rows[:2] for t in row if not _is_count(t)), rows[0][0]).fault(_NO_COUNT)
        return counts[0], counts[1], rows[first + 2 :]
    for token in rows[0]:
        if not _is_count(token):
            raise token.fault(f"column count {token.shown} is not a number: write numbers, ? where one is missing")
    for row in rows[1:]:
        if not _is_count(row[0]):
            raise row[0].fault(_NO_COUNT)
    return rows[0], [row[0] for row in rows[1:]], [row[1:] for row in rows[1:]]


def _check_shape(columns: Row, counts: Row, cells: Sequence[Row]) -> None:
    for word, row in (("column", columns), ("row", counts)):
        if len(row) > MAX_SIDE:
            raise row[MAX_SIDE].fault(f"{len(row)} {word}s: a board has at most {MAX_SIDE}; give a smaller one")
    if len(counts) != len(cells):
        raise counts[0].line.fault(f"{len(counts)} row counts but {len(cells)} rows: give each row one count")
    for head, row in zip(counts, cells, strict=True):
        if len(row) != len(columns):
            mend = "add the missing cells" if len(row) < len(columns) else "remove the extra cells"
            # The first extra cell; the last cell of a row that is too short.
            at = row[min(len(row) - 1, len(columns))] if row else head
            raise at.fault(f"{count(len(row), 'cell')} here but {len(columns)} column counts: {mend}")


def _counts(row: Row) -> Counts:
    return tuple(int(token.text) if token.text.isdecimal() else None for token in row)


def _json_counts(data: JsonBoard, field: str, length: int) -> Counts:
    def are_counts(found: Any) -> bool:
        known = isinstance(found, list) and len(found) == length
        return known and all(n is None or (type(n) is int and 0 <= n < 1000) for n in found)

    wanted = f"list of {length} counts: write numbers, null where one is missing"
    return tuple(data.get_valid(field, are_counts, wanted))


def _from_game_id(code: Code) -> Draft:
    rows, columns = code.check_size(MAX_SIDE)
    # The trees come first, then the counts: those of the columns before those of the rows.
    letters, *written = code.body.split(",")
    steps = list(code.steps("`", letters=letters))
    trees = [at - 1 for at, letter in steps if letter != "z"]
    last = steps[-1][0] - 1 if steps else -1
    # The last tree is not one: it comes just after the last cell and ends the board.
    if last != rows * columns or not trees or trees.pop() != rows * columns:
        raise code.fault(f"the game id's trees end at cell {last} of {rows * columns}: copy the whole id")
    if len(written) != rows + columns:
        fault = f"the game id has {len(written)} counts, but {columns} columns and {rows} rows: copy the whole id"
        raise code.fault(fault)
    return _draft(rows, columns, trees, list(map(int, written)))


def _from_link(code: Code) -> Draft:
    rows, columns = code.check_size(MAX_SIDE)
    counts, rest = code.numbers(rows + columns)
    trees = []
    at = 0
    for letter in rest:
        if not ("0" <= letter <= "9" or "a" <= letter <= "z"):
            raise code.fault(f"the link has an unknown letter {letter!a}: copy it again")
        value = int(letter, 36)
        if value < 18:
            trees.append(at)
        at += value + 1 if value < 18 else value - 17
    if trees and trees[-1] >= rows * columns:
        raise code.fault(f"the link has a tree behind the last of {rows}x{columns} cells: copy it again")
    return _draft(rows, columns, trees, counts)


def _from_minizinc(code: Code) -> Draft:
    cells, rows, columns = (list(chain(*code.array(field))) for field in ("a", "row_sums", "col_sums"))
    if len(cells) != len(rows) * len(columns) or set(cells) - {0, 1}:
        fault = f"MiniZinc 'a' is not {len(rows)}x{len(columns)} cells of 0 and 1 as the sums say: correct it"
        raise InputError(fault)
    # Data sets write -1 where a sum is not given.
    known = [None if tents < 0 else tents for tents in columns + rows]
    return _draft(len(rows), len(columns), [k for k, cell in enumerate(cells) if cell], known)


def _draft(rows: int, columns: int, trees: Iterable[int], counts: Sequence[int | None]) -> Draft:
    """Return the board with trees at these cells, counted row by row from 0, and the counts of its columns and rows."""
    held = set(trees)
    grid = tuple("".join(TREE if r * columns + c in held else FREE for c in range(columns)) for r in range(rows))
    return Draft((grid, tuple(counts[columns:]), tuple(counts[:columns])))

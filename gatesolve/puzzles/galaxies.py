"""Galaxies (Tentai Show): cut the board into connected regions, each symmetric about its one dot.

The shapes of a dot with few possible ones are listed directly. Where a dot has more than `FEW_SHAPES`, its reach is
first narrowed by deductions from the board's geometry. The list is then shorter, and still has the shape of every
solution.

For the deductions there are two sets of cells for every dot: those that its galaxy *must* contain and those that it
*may* contain. `reaches` narrows them until nothing changes, by the rules of the puzzle alone. Nothing is guessed, so
every solution survives. A set of cells is one integer with one bit a cell.

The judging is independent of the model on purpose: galaxies are sets of cells that are turned half round and traversed.
It uses neither shapes nor reaches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.extensions import cpmpy as cp
from gatesolve.puzzles.base import Draft, Fault, Forms, Puzzle
from gatesolve.puzzles.grid import Cell, areas, by_cell, cell_name, cells_of, grid_of_cells
from gatesolve.puzzles.picture import INK, REGION_FILLS, Look, Picture
from gatesolve.puzzles.reading import Code, JsonBoard, Line, Token, check_rows, count, game_id, lines_of, link

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Dot = tuple[int, int]
"""A place on the half-grid, row first: cell (r, c) has its centre at (2r+1, 2c+1)."""
Cells = int
"""A set of cells, bit ``NumberedBoard.bit(cell)`` for each."""
FEW_SHAPES = 512
"""Most shapes of one dot that are listed without deductions; as many as a table block holds."""
MAX_SIDE = 60
MOST_SHAPES = 20_000
"""Most shapes of one dot that are listed."""
Shapes = tuple[Cells, ...]
_NAME = re.compile(r"r([1-9][0-9]*)c([1-9][0-9]*)_d(0|[1-9][0-9]*)")
DOT, BLACK_DOT, HOLE = "o", "*", "#"
_DOTS = {"o": False, "O": False, "*": True, "@": True}
_NONE = ".|-+"
_GAME_ID = game_id("[a-zA-Z]+")
_STEPS = {"0": (1, 1), "1": (1, 2), "2": (2, 1), "3": (2, 2)}


@dataclass(frozen=True)
class Galaxies(Puzzle):
    """One Galaxies board; docs/families.md describes its format.

    Dots and their galaxies are numbered from 0 in reading order. The variable ``r{i}c{j}_d{k}`` (row i and column j
    from 1) is 1 when that cell and its opposite about dot k are in galaxy k. Of two opposite cells the first in reading
    order provides the name. Only cells in some possible shape of the galaxy have a variable.

    Attributes:
        dots: in reading order.
        black: the dots that are drawn black.
        holes: cells that are not on the board.
    """

    rows: int
    columns: int
    dots: tuple[Dot, ...]
    black: frozenset[Dot] = frozenset()
    holes: frozenset[Cell] = frozenset()

    family: ClassVar[str] = "galaxies"
    summary: ClassVar[str] = "Divide the board into one connected, point-symmetric region around each dot."
    example: ClassVar[str] = ".|o|.|.\n-+-+-+-\n.|.|.|.\n-+-+-+o\no|.o.|.\n-+-+-+-\n.|.|.|.\n"
    fault_prefix: ClassVar[str] = "half-grid: "
    json_fields: ClassVar[tuple[str, ...]] = ("rows", "cols", "dots_half", "black", "holes")

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells on the board, row by row."""
        return tuple(cell for cell in cells_of((self.rows, self.columns)) if cell not in self.holes)

    def holds(self, cell: Cell) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns and cell not in self.holes

    def first_fault(self) -> Fault | None:
        """Return the first fault of the board, or None; its place is of the half-grid, counted from 0."""
        if not self.dots:
            return Fault("the board has no dot: every galaxy has one; write o for it", (0, 0))
        for dot in self.dots:
            if not all(map(self.holds, core(dot))):
                fault = "a dot on a hole or the board's edge: move it inside, or fill the hole (.)"
                return Fault(fault, (dot[0] - 1, dot[1] - 1))
        return None

    @property
    def contradiction(self) -> str | None:
        claimed: dict[Cell, Dot] = {}
        for dot in self.dots:
            for cell in core(dot):
                other = claimed.setdefault(cell, dot)
                if other != dot:
                    dots = " and ".join(f"half-row {y}, half-column {x}" for y, x in (other, dot))
                    return f"two dots claim cell {cell_name(cell)}, those of {dots}"
        return None

    def check(self, solution: Mapping[str, int]) -> list[str]:
        galaxies, faults = galaxies_of(self, solution)
        return faults + broken_rules(self, galaxies)

    @staticmethod
    def foreign() -> Forms:
        return {link("tentaisho"): _from_link, _GAME_ID: _from_game_id}

    @classmethod
    def recognises(cls, text: str) -> bool:
        if code := Code.of(text, _GAME_ID):
            # Unruly's ids look similar, but end exactly after the last cell.
            return list(code.steps())[-1][0] != code.rows * code.columns + 1
        if super().recognises(text):
            return True
        lines = lines_of(text)
        if not lines:
            return False
        used = {sign for line in lines for sign in line.text.strip()}
        if used <= set(_DOTS) | set(_NONE) | {HOLE}:
            return bool(used & set(_DOTS)) and bool(used & set("|+"))
        body = _body(lines)
        # Only the board: the line of its size contains other digits.
        used = {word for line in body for word in line.words}
        if not _is_tokens(body) or not used <= {*_STEPS, "-"} or "-" not in used:
            return False
        if "0" in used and used & {"2", "3"}:
            return True
        # Other families also have boards of few digits below a line of the size, but no rectangles, and no 0 with an
        # odd side.
        oblong = any(len(line.words) != len(body) for line in body)
        return len(body) < len(lines) and (oblong or ("0" in used and len(body) % 2 == 1))

    @staticmethod
    def read(text: str) -> Draft:
        lines = lines_of(text)
        if not lines:
            raise InputError("no board: write the half-grid, such as 'o|.' for a row of two cells")
        tokens = _body(lines)
        return _from_tokens(tokens) if _is_tokens(tokens) else _from_half_grid(lines)

    @staticmethod
    def recognises_json(data: JsonBoard) -> bool:
        return "dots_half" in data

    @classmethod
    def read_json(cls, data: JsonBoard) -> Draft:
        size = data.side("rows", MAX_SIDE), data.side("cols", MAX_SIDE)
        dots, black = data.pairs("dots_half"), data.pairs("black") if "black" in data else []
        if set(black) - set(dots):
            raise InputError("JSON field 'black' has a place that is not in 'dots_half': add it there")
        return _draft(*size, dots, black, data.cells("holes", size))

    @cached_property
    def shapes(self) -> tuple[Shapes, ...] | None:
        """The possible shapes of each galaxy; None when deductions found that there is no solution."""
        return all_shapes(NumberedBoard(self))

    @property
    def title(self) -> str:
        holes = f", {count(len(self.holes), 'hole')}" if self.holes else ""
        return f"Galaxies {self.rows}x{self.columns}: {count(len(self.dots), 'dot')}{holes}"

    def to_cpmpy(self) -> cp.Model:
        """Return the board as a CPMpy model: a table of shapes for each galaxy, each cell in one galaxy.

        Raises:
            DoesNotFitError: a galaxy has too many shapes to list.
        """
        if self.shapes is None:
            return cp.Model(cp.BoolVal(False))
        sheet = NumberedBoard(self)
        model = cp.Model()
        holders: dict[Cell, list[Any]] = {cell: [] for cell in self.cells}
        for k, several in enumerate(self.shapes):
            always, ever = reduce(and_, several), reduce(or_, several)
            loose = []
            # Only the first in reading order of each pair of opposite cells.
            for cell in (cell for cell in sheet.cells(ever) if cell <= mirror(cell, self.dots[k])):
                fixed = bool(always & sheet.bit(cell))
                # A cell of every shape is a domain of one value, so that no later stage spends a qubit on it.
                variable = cp.intvar(int(fixed), 1, name=f"{cell_name(cell)}_d{k}")
                for held in {cell, mirror(cell, self.dots[k])}:
                    holders[held].append(variable)
                if not fixed:
                    loose.append((cell, variable))
            if loose:
                rows = [[int(bool(shape & sheet.bit(cell))) for cell, _ in loose] for shape in several]
                model += cp.Table([variable for _, variable in loose], rows)
        for variables in holders.values():
            model += cp.sum(variables) == 1 if variables else cp.BoolVal(False)
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        found = self._owners(solution)
        held = {cell: str(found.get(cell, ".")) for cell in self.cells}
        return [list(row) for row in grid_of_cells((self.rows, self.columns), lambda cell: held.get(cell, "#"))]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        owners = None if solution is None else self._owners(solution)

        def sign(y: int, x: int) -> str:
            if (y, x) in self.dots:
                return BLACK_DOT if (y, x) in self.black else DOT
            # One, two or four cells around this place, as for a dot.
            cells = [(r, c) for r in {(y - 1) // 2, y // 2} for c in {(x - 1) // 2, x // 2}]
            if y % 2 and x % 2:
                return HOLE if cells[0] in self.holes else "."
            if owners is not None and len({owners.get(cell) for cell in cells}) == 1:
                return "."
            return "|" if y % 2 else "-" if x % 2 else "+"

        lines = ("".join(sign(y, x) for x in range(1, 2 * self.columns)) for y in range(1, 2 * self.rows))
        return "\n".join(lines) + "\n"

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        # Galaxies of black dots are shaded and others left white, which shows the board's hidden picture. Without black
        # dots each galaxy has a colour.
        found = self._owners(solution)

        def side(r: int, c: int) -> int | None:
            """Return a value that differs on the two sides of a wall: the galaxy, -1 off the board, -2 for a hole."""
            return found.get((r, c)) if self.holds((r, c)) else -2 if (r, c) in self.holes else -1

        def look(cell: Cell) -> Look:
            if not self.holds(cell):
                return Look("" if drawing else "###", fill="#4a4a4e")
            if cell not in found:
                return Look()
            if self.black:
                return Look(fill="#a9a9b0" if self.dots[found[cell]] in self.black else "white")
            return Look(fill=REGION_FILLS[found[cell] % len(REGION_FILLS)])

        def paint(axes: Axes, points: float) -> None:
            from matplotlib.patches import Circle

            for y, x in self.dots:
                fill = INK if (y, x) in self.black else "white"
                circle = Circle((x / 2, y / 2), 0.16, facecolor=fill, edgecolor=INK, linewidth=points / 30, zorder=5)
                axes.add_patch(circle)

        return Picture(
            cells=grid_of_cells((self.rows, self.columns), look),
            right=lambda r, c: side(r, c) != side(r, c + 1),
            below=lambda r, c: side(r, c) != side(r + 1, c),
            # A cell is two lines high and four characters wide, so the half-grid's steps are one and two.
            stamps={(y, 2 * x): "●" if (y, x) in self.black else "○" for y, x in self.dots},
            paint=paint,
        )

    def _owners(self, solution: Mapping[str, int]) -> dict[Cell, int]:
        """Return for each cell in a galaxy the number of the (first) galaxy that contains it."""
        galaxies, _ = galaxies_of(self, solution)
        # From the last galaxy to the first, so that the first one remains where several claim a cell.
        numbers = range(len(galaxies) - 1, -1, -1)
        return {cell: k for k in numbers for cell in galaxies[k] if self.holds(cell)}


def core(dot: Dot) -> tuple[Cell, ...]:
    """Return the one, two or four cells that a dot is in or on the edge of: they are in its galaxy."""
    # At an odd place both quotients are one cell; at an even place they are the cells on both sides of a border.
    rows, columns = ({(at - 1) // 2, at // 2} for at in dot)
    return tuple((r, c) for r in sorted(rows) for c in sorted(columns))


def mirror(cell: Cell, dot: Dot) -> Cell:
    """Return the cell opposite to a cell about a dot; it may lie outside the board."""
    return dot[0] - cell[0] - 1, dot[1] - cell[1] - 1


def broken_rules(board: Galaxies, galaxies: Sequence[Set[Cell]]) -> list[str]:
    """List the rules that galaxies, one set of cells a dot, break; empty when they are right."""
    broken = []
    for cell in board.cells:
        holders = [k for k, cells in enumerate(galaxies) if cell in cells]
        if len(holders) != 1:
            shown = " and ".join(map(str, holders))
            broken.append(f"{cell_name(cell)} is in " + (f"galaxies {shown}" if holders else "no galaxy"))
    for k, cells in enumerate(galaxies):
        broken += [f"galaxy {k} {fault}" for fault in _broken_by_one(board, k, cells)]
    return broken


def _broken_by_one(board: Galaxies, k: int, cells: Set[Cell]) -> Iterator[str]:
    y, x = board.dots[k]
    for r, c in sorted(cells):
        if not board.holds((r, c)):
            yield f"holds r{r + 1}c{c + 1}, which is not on the board"
    for other, (oy, ox) in enumerate(board.dots):
        # A dot touches the cells whose centres are at most one half-step away both ways.
        touched = {(r, c) for r, c in cells if abs(2 * r + 1 - oy) <= 1 and abs(2 * c + 1 - ox) <= 1}
        if other == k and not touched:
            yield "does not hold its own dot"
        if other != k and touched:
            r, c = min(touched)
            yield f"holds r{r + 1}c{c + 1}, where the dot of galaxy {other} is"
    if cells != {(y - 1 - r, x - 1 - c) for r, c in cells}:
        r, c = min((r, c) for r, c in cells if (y - 1 - r, x - 1 - c) not in cells)
        yield f"is not symmetric: it holds r{r + 1}c{c + 1} but not the opposite cell r{y - r}c{x - c}"
    pieces = len(areas(sorted(cells), lambda a, b: True))
    if pieces > 1:
        yield f"is in {pieces} pieces"


def galaxies_of(board: Galaxies, solution: Mapping[str, int]) -> tuple[list[set[Cell]], list[str]]:
    """Return the cells that a solution assigns to each galaxy, and faults in its names and values."""
    galaxies: list[set[Cell]] = [set() for _ in board.dots]
    faults = []
    for name, value in solution.items():
        match = _NAME.fullmatch(name)
        if match is None or int(match[3]) >= len(board.dots):
            faults.append(f"{name} is not a cell and a galaxy of this board")
        elif value == 1:
            r, c, (y, x) = int(match[1]) - 1, int(match[2]) - 1, board.dots[int(match[3])]
            galaxies[int(match[3])] |= {(r, c), (y - 1 - r, x - 1 - c)}
        elif value != 0:
            faults.append(f"{name} is {value}, neither 0 nor 1")
    return galaxies, faults


class Reach(NamedTuple):
    """The cells that one galaxy must and may hold; both closed under its symmetry, the first inside the second."""

    must: Cells
    may: Cells


@dataclass(frozen=True)
class NumberedBoard:
    """A board with its cells numbered; one number a row stays free, so that steps never wrap."""

    board: Galaxies

    def bit(self, cell: Cell) -> Cells:
        """Return the set of this one cell."""
        return 1 << (cell[0] * self.stride + cell[1])

    @property
    def stride(self) -> int:
        """Numbers from a cell to the one below it."""
        return self.board.columns + 1

    def set_of(self, cells: Iterable[Cell]) -> Cells:
        """Return the set of some cells."""
        return sum(map(self.bit, cells))

    @cached_property
    def all(self) -> Cells:
        """Return the set of all cells of the board."""
        return self.set_of(self.board.cells)

    def cells(self, cells: Cells) -> Iterator[Cell]:
        """Yield the cells of a set, row by row."""
        while cells:
            # The lowest bit that is set.
            low = cells & -cells
            yield divmod(low.bit_length() - 1, self.stride)
            cells ^= low

    def opposite(self, cells: Cells, dot: Dot) -> Cells:
        """Return the cells opposite to those of a set, all of which must have one on the board."""
        if not cells:
            return 0
        # Bit k is opposite to bit pivot - k, so reversing the binary digits turns the set half round.
        pivot = (dot[0] - 1) * self.stride + dot[1] - 1
        turned, shift = int(bin(cells)[:1:-1], 2), pivot - cells.bit_length() + 1
        return turned << shift if shift >= 0 else turned >> -shift

    def symmetric(self, cells: Cells, dot: Dot) -> Cells:
        """Return the largest part of a set that is symmetric about a dot."""
        inside = cells & self.mirrored[dot]
        return inside & self.opposite(inside, dot)

    @cached_property
    def mirrored(self) -> dict[Dot, Cells]:
        """Return for each dot the cells whose opposite is on the board."""
        board = self.board
        return {dot: self.set_of(c for c in board.cells if board.holds(mirror(c, dot))) for dot in board.dots}

    def grow_cells(self, cells: Cells) -> Cells:
        """Return the set with all neighbours, those outside the board too."""
        # The free number at the end of each row receives the steps beyond it; `flood` removes them.
        return cells | cells << 1 | cells >> 1 | cells << self.stride | cells >> self.stride

    def flood(self, start: Cells, allowed: Cells) -> Cells:
        """Return the cells that can be reached from ``start`` inside ``allowed``."""
        before, now = 0, start & allowed
        while now != before:
            before, now = now, self.grow_cells(now) & allowed
        return now


def reaches(sheet: NumberedBoard) -> list[Reach] | None:
    """Return the reach of each dot, narrowed as far as possible; None if the deductions find no solution."""
    dots = sheet.board.dots
    before: list[Reach] = []
    now = [Reach(sheet.set_of(core(dot)), sheet.all) for dot in dots]
    while now != before:
        before, now = now, []
        for dot, reach in zip(dots, _share_cells(sheet, before) or (), strict=False):
            if (narrowed := _narrow_reach(sheet, dot, reach)) is not None:
                now.append(narrowed)
        if len(now) < len(dots):
            return None
    return now


def _share_cells(sheet: NumberedBoard, known: Sequence[Reach]) -> list[Reach] | None:
    """Remove the cells that one galaxy must contain from the others; assign those that only one may contain."""
    owned = twice_owned = once = twice = 0
    for must, may in known:
        twice_owned |= owned & must
        owned |= must
        twice |= once & may
        once |= may
    # No solution if two galaxies must contain one cell, or if no galaxy may contain some cell.
    if twice_owned or once != sheet.all:
        return None
    return [Reach(must | may & ~twice, may & ~(owned & ~must)) for must, may in known]


def _narrow_reach(sheet: NumberedBoard, dot: Dot, reach: Reach) -> Reach | None:
    centre = sheet.set_of(core(dot))
    # A cell and its opposite go together, and cells that are cut off from the dot are excluded.
    may = sheet.flood(centre, sheet.symmetric(reach.may, dot))
    if reach.must & ~may:
        return None
    must = reach.must | sheet.opposite(reach.must, dot)
    # Without a required cell away from the dot, no pair can cut one off.
    if must == centre:
        return Reach(must, may)
    for cell in sheet.cells(may & ~must):
        pair = sheet.bit(cell) | sheet.bit(mirror(cell, dot))
        # Without this pair some required cell is cut off, so the pair is required.
        if must & ~sheet.flood(centre, may & ~pair):
            must |= pair
    return Reach(must, may)


def all_shapes(sheet: NumberedBoard, few: int = FEW_SHAPES, most: int = MOST_SHAPES) -> tuple[Shapes, ...] | None:
    """Return the shapes of every dot, or None when the deductions find that there is no solution.

    Dots with at most ``few`` shapes keep them all; deductions are made only for others.

    Raises:
        DoesNotFitError: a dot has more than ``most`` shapes despite all deductions.
    """
    dots = sheet.board.dots
    cores = [sheet.set_of(core(dot)) for dot in dots]
    # Cores that overlap have been refused as a contradiction, so the sum is the union.
    alone = [Reach(centre, sheet.all & ~sum(cores) | centre) for centre in cores]
    listed = [list_shapes(sheet, dot, reach, few) for dot, reach in zip(dots, alone, strict=True)]
    known = reaches(sheet) if None in listed else alone
    if known is None:
        return None
    found = []
    for dot, reach, several in zip(dots, known, listed, strict=True):
        several = list_shapes(sheet, dot, reach, most) if several is None else several
        if several is None:
            place = f"half-row {dot[0]}, half-column {dot[1]}"
            mend = "use a smaller board, or one with more dots"
            raise DoesNotFitError(f"the galaxy of the dot at {place} has more than {most} possible shapes: {mend}")
        found.append(several)
    return tuple(found)


def list_shapes(sheet: NumberedBoard, dot: Dot, reach: Reach, most: int) -> Shapes | None:
    """Return the shapes of one dot in its reach, or None when there are more than ``most``."""
    centre = sheet.set_of(core(dot))
    waiting = [(centre, sheet.flood(centre, sheet.symmetric(reach.may, dot)))]
    found: list[Cells] = []
    while waiting:
        inside, allowed = waiting.pop()
        rim = sheet.grow_cells(inside) & allowed & ~inside
        if not rim:
            found.append(inside)
            if len(found) > most:
                return None
            continue
        # From the dot outwards each pair of opposite cells at the rim is included or excluded.
        (cell,) = sheet.cells(rim & -rim)
        pair = sheet.bit(cell) | sheet.bit(mirror(cell, dot))
        waiting.append((inside | pair, allowed))
        left = sheet.flood(inside, allowed & ~pair)
        # Excluding is tried only while all required cells can still be reached. So every path of decisions ends in a
        # shape, and no shape occurs twice.
        if not reach.must & ~left:
            waiting.append((inside, left))
    return tuple(found)


def _body(lines: list[Line]) -> list[Line]:
    """Return the rows without a first line that gives the numbers of rows and columns."""
    size = lines[0].size
    return lines[1:] if size and len(lines) == size[0] + 1 > 1 else lines


def _is_tokens(lines: list[Line]) -> bool:
    """Return whether the rows are puzzlekit's tokens: separate single characters."""
    words = {word for line in lines for word in line.words}
    return not words.isdisjoint(_STEPS) and all(len(word) == 1 for word in words)


def _from_half_grid(lines: list[Line]) -> Draft:
    rows = [[Token(sign, k, line) for k, sign in enumerate(line.start.text, line.start.column)] for line in lines]
    width, height = len(rows[0]), len(rows)
    for row in rows:
        if len(row) != width:
            fault = f"{len(row)} characters here but {width} in the first row: make all rows of the half-grid equal"
            raise row[min(len(row), width) - 1].fault(fault)
    for size, word, mend in ((width, "characters in a row", "cells"), (height, "lines", "rows of cells")):
        if size % 2 == 0:
            fault = f"{size} {word}: a half-grid has an odd number, cells at odd places and edges between ({mend})"
            raise rows[-1][-1].fault(fault)
        if size >= 2 * MAX_SIDE:
            fault = f"{(size + 1) // 2} {mend}: a board has at most {MAX_SIDE} a side; give a smaller one"
            raise lines[0].fault(fault)
    dots: list[Dot] = []
    holes: list[Cell] = []
    for y, row in enumerate(rows, 1):
        for x, token in enumerate(row, 1):
            if token.text in _DOTS:
                dots.append((y, x))
            elif token.text == HOLE and y % 2 and x % 2:
                holes.append((y // 2, x // 2))
            elif token.text not in _NONE:
                mend = "write o or * for a dot, . for a cell, # (in a cell's place) for a hole, | - + between cells"
                raise token.fault(f"unexpected {token.shown} on the half-grid: {mend}")
    black = frozenset((y, x) for y, x in dots if _DOTS[rows[y - 1][x - 1].text])
    return Draft(((height + 1) // 2, (width + 1) // 2, tuple(dots), black, frozenset(holes)), by_cell(rows))


def _from_tokens(lines: list[Line]) -> Draft:
    rows = [line.tokens() for line in lines]
    check_rows(rows, MAX_SIDE)
    places: dict[Cell, Token] = {}
    dots: list[Dot] = []
    for (r, c), token in by_cell(rows).items():
        if token.text in _STEPS:
            dots.append((2 * r + _STEPS[token.text][0], 2 * c + _STEPS[token.text][1]))
        elif token.text not in "-.":
            raise token.fault(f"unknown token {token.text!a}: write 0, 1, 2 or 3 where a dot is, - for none")
        for dy, dx in _STEPS.values():
            places.setdefault((2 * r + dy - 1, 2 * c + dx - 1), token)
    return Draft((len(rows), len(rows[0]), tuple(sorted(dots))), places)


def _from_game_id(code: Code) -> Draft:
    rows, columns = code.check_size(MAX_SIDE)
    steps, places = list(code.steps()), (2 * columns - 1) * (2 * rows - 1)
    if steps[-1][0] > places:
        fault = f"the game id has {steps[-1][0]} places, but the half-grid has {places}: copy the whole id"
        raise code.fault(fault)
    return _draft_of_places(rows, columns, {at - 1: letter.isupper() for at, letter in steps if letter != "z"})


def _from_link(code: Code) -> Draft:
    rows, columns = code.check_size(MAX_SIDE)
    places: dict[int, bool] = {}
    at = k = 0
    while at < (2 * columns - 1) * (2 * rows - 1) and k < len(code.body):
        # g to z skip 1 to 20 places. A hex digit is a dot: odd for black, and half of it further places to skip.
        letter, k = code.body[k], k + 1
        if "g" <= letter <= "z":
            at += ord(letter) - ord("f")
            continue
        if letter not in "0123456789abcdef":
            raise code.fault(f"the link has an unknown letter {letter!a}: copy it again")
        places[at] = int(letter, 16) % 2 == 1
        at += int(letter, 16) // 2 + 1
    holes = [number for number, bit in enumerate(code.bits(code.body[k:])) if bit]
    return _draft_of_places(rows, columns, places, [divmod(n, columns) for n in holes if n < rows * columns])


def _draft_of_places(rows: int, columns: int, places: Mapping[int, bool], holes: Sequence[Cell] = ()) -> Draft:
    """Return the board of places on the half-grid, counted row by row from 0, each with whether its dot is black."""
    dots = {(at // (2 * columns - 1) + 1, at % (2 * columns - 1) + 1): black for at, black in places.items()}
    return _draft(rows, columns, [*dots], [dot for dot, black in dots.items() if black], holes)


def _draft(rows: int, columns: int, dots: Sequence[Dot], black: Sequence[Dot], holes: Sequence[Cell]) -> Draft:
    if len(set(dots)) < len(dots):
        y, x = next(dot for k, dot in enumerate(dots) if dot in dots[:k])
        raise InputError("this dot is given twice on the half-grid: remove one", row=y, column=x)
    return Draft((rows, columns, tuple(sorted(dots)), frozenset(black), frozenset(holes)))

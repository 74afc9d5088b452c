"""Queens: N-queens, LinkedIn Queens, and the general form with counts, regions, reaches and wrapped boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from gatesolve.puzzles.attack_lines import AttackLine, Step, lines, windows
from gatesolve.puzzles.base import Puzzle, count_between, piece_variable
from gatesolve.puzzles.grid import Cell, cell_name, cells_text, list_squares
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.queens import other, text
from gatesolve.puzzles.queens.board import DIAGONALS, MANY, ONE, QUEEN, AttackSlope, QueensBoard, QueensRegion
from gatesolve.puzzles.reading import count

if TYPE_CHECKING:
    import cpmpy
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Queens(QueensBoard, Puzzle):
    """One Queens board; docs/formats.md says how it is written.

    The variable of the cell in row i and column j (both from 1), named ``r{i}c{j}``, is 1 for a
    queen; cells that hold none have no variable.
    """

    family: ClassVar[str] = "queens"
    summary: ClassVar[str] = "one queen in each row, column and region, none touching, or as asked for"
    example: ClassVar[str] = "BAAA\nBBBC\nDDCC\nDDDD\n"
    headers: ClassVar[tuple[str, ...]] = ("queens", "slopes", "reach")
    # Names by which the same boards are known elsewhere; the text never tells them apart.
    aliases: ClassVar[tuple[str, ...]] = ("queens_linkedin", "nqueens")

    recognises = staticmethod(text.recognises)
    recognises_json = staticmethod(other.recognises_json)
    read = staticmethod(text.read)
    read_json = staticmethod(other.draft_of_json)
    json_fields: ClassVar[tuple[str, ...]] = other.JSON_FIELDS
    json_mends: ClassVar[Mapping[str, str]] = other.MENDS

    @property
    def expects_one_solution(self) -> bool:
        """Whether a published puzzle of this kind has exactly one solution: those with regions have."""
        return bool(self.colours)

    @property
    def title(self) -> str:
        height, width = self.size
        touching = (self.slopes, self.reach, self.attacks, self.wrap) == (DIAGONALS, ((1,),), (), "none")
        linkedin = self.colours and touching
        words = [f"{'LinkedIn Queens' if linkedin else 'Queens'} {height}x{width}"]
        counts = {*self.rows, *self.columns, *self.counts}
        words.append("one a row" if counts == {ONE} else "counts by line")
        words += [count(len(self.counts), "region")] * bool(self.counts)
        words += [count(len(self.extra), "further region")] * bool(self.extra)
        words += [f"{len(self.list_given())} given"] * bool(self.list_given())
        words += [self.wrap] * (self.wrap != "none")
        return f"{words[0]}: {', '.join(words[1:])}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The board as a CPMpy model: sums over rows, columns and regions, and over cells that see each other."""
        import cpmpy

        given = set(self.list_given())
        queens = {cell: piece_variable(cell_name(cell), cell in given) for cell in self.usable()}
        # Named even where no rule reads it, so that every cell is a variable of the model.
        model = cpmpy.Model([queen >= 0 for queen in queens.values()])
        for region in self.list_groups():
            for constraint in count_between([queens[c] for c in region.cells if c in queens], *region.queens):
                model += constraint
        for clique in conflicts(self):
            model += cpmpy.sum([queens[cell] for cell in clique]) <= 1
        return model

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: ``Q`` for a queen, ``.`` for none, ``#`` and ``@`` as in the text."""
        queens = {cell for cell in self.usable() if solution.get(cell_name(cell)) == 1}
        return [[QUEEN if (r, c) in queens else m for c, m in enumerate(row)] for r, row in enumerate(self.marks)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The board in its file format; with a solution its queens stand in the grid ``board``."""
        marks = tuple("".join(row) for row in self.board(solution or {}))
        return text.format_text(replace(self, marks=marks))

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Heavy walls between regions, answers bold or blue, other rules in words below."""
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
            """Arrows from cells to those that their queens attack wherever they lie."""
            for (r, c), others in self.attacks:
                for i, j in others:
                    style = {"arrowstyle": "-|>", "color": "#b04a4a", "alpha": 0.6, "shrinkA": 6, "shrinkB": 6}
                    axes.annotate("", (j + 0.5, i + 0.5), (c + 0.5, r + 0.5), arrowprops=style)

        above, left = (
            tuple("" if held == ONE else str(held) for held in line) if set(line) != {ONE} else ()
            for line in (self.columns, self.rows)
        )
        return pieces_picture(
            shown, self.colours, show_cell, drawing,
            wrap=self.wrap, beside=(above, left), notes=_notes(self, drawing), paint=paint,
        )  # fmt: skip


def conflicts(board: QueensBoard) -> list[tuple[Cell, ...]]:
    """Sets of cells that say together which pairs of queens attack each other."""
    usable = set(board.usable())
    # Whether no two queens may touch at all, neighbours by the counts of lines and corners by attack. Then a square is
    # one sum in place of two pairs, and stronger than both.
    ones = all(count.high <= 1 for count in (*board.rows, *board.columns))
    apart = ones and (board.slopes, board.reach, board.wrap) == (DIAGONALS, ((1,),), "none")
    found: dict[frozenset[Cell], tuple[Cell, ...]] = {}
    for clique in (*list_squares(board.size), *_of_their_own(board)) if apart else attacks(board):
        cells = tuple(cell for cell in clique if cell in usable)
        in_line = len({r for r, _ in cells}) == 1 or len({c for _, c in cells}) == 1
        if len(cells) > 1 and not (apart and in_line):  # what is left of a square can be said by its line's sum
            found.setdefault(frozenset(cells), cells)
    return list(found.values())


def _of_their_own(board: QueensBoard) -> Iterator[tuple[Cell, ...]]:
    """Cells that attack others whatever line they lie on."""
    return ((cell, other) for cell, others in board.attacks for other in others)


def attacks(board: QueensBoard) -> Iterator[tuple[Cell, ...]]:
    """Sets of cells of which each attacks each other one or is attacked by it, every such pair in some set.

    They are stretches of each line of attack, pairs where queens reach differently far, and what cells attack besides.
    """
    steps = (step for slope in board.slopes for step in slope.steps)
    for ahead in dict.fromkeys(max(step, _back(step)) for step in steps):
        for line in lines(ahead, board.size, board.wrap):
            # how far each cell of the line sees along it, and back
            sight = [(_sight(board, cell, ahead), _sight(board, cell, _back(ahead))) for cell in line.cells]
            if len(set(sight)) == 1:
                yield from windows(line, max(sight[0]))
            else:
                yield from _pairs(line, sight)
    yield from _of_their_own(board)


def _pairs(line: AttackLine, sight: list[tuple[int, int]]) -> Iterator[tuple[Cell, ...]]:
    """Pairs of cells of a line of which one sees the other."""
    n = len(line.cells)
    for (i, a), (j, b) in combinations(enumerate(line.cells), 2):
        direct, around = j - i, n - j + i
        seen = max(sight[i][0], sight[j][1]) >= direct
        if seen or (line.closed and max(sight[i][1], sight[j][0]) >= around):
            yield a, b


def _sight(board: QueensBoard, cell: Cell, step: Step) -> int:
    """How many steps in one direction a queen on a cell attacks."""
    own = (slope.reach for slope in board.slopes if step in slope.steps)
    return max((board.reach_of(cell) if reach is None else reach for reach in own), default=0)


def _back(step: Step) -> Step:
    return (-step[0], -step[1])


def _notes(board: QueensBoard, drawing: bool) -> list[str]:
    """The rules that the cells do not show, one line each."""
    found = []
    if {*board.rows, *board.columns} != {ONE}:
        found.append("numbers beside the board: queens in that line; one where there is none")
    if len(set(board.counts)) == 1 and board.counts[0] != ONE:
        found.append(f"every region: {board.counts[0]} queens")
    elif board.counts:
        found += [_region_note(region) for region in board.list_regions() if region.queens != ONE]
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


def _region_note(region: QueensRegion) -> str:
    return f"region {region.name}: {region.queens} queens in {cells_text(region.cells)}"

"""Chess piece puzzles: pieces that do not threaten each other, one a region or worth as much as can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar

from gatesolve.puzzles.attack_lines import AttackLine, Step, cut, lines, take_step
from gatesolve.puzzles.base import Puzzle, piece_variable
from gatesolve.puzzles.chess import text
from gatesolve.puzzles.chess.board import ChessBoard, Moves, standing_pieces, variable_name
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.reading import count

if TYPE_CHECKING:
    import cpmpy

Standing = tuple[Cell, str]
"""A cell and the letter of a piece on it."""
Clique = tuple[Standing, ...]
_SYMBOLS = {"K": "♚", "Q": "♛", "R": "♜", "B": "♝", "N": "♞", "P": "♟"}


@dataclass(frozen=True)
class Chess(ChessBoard, Puzzle):
    """One chess piece puzzle; docs/formats.md says how it is written.

    The variable ``r{i}c{j}N`` (row i and column j from 1, the letter of a piece) is 1 where that
    piece stands; pieces that may not stand on a cell have no variable there.
    """

    family: ClassVar[str] = "chess"
    summary: ClassVar[str] = "as many or as weighty pieces as fit without a threat"
    example: ClassVar[str] = "chess max\npieces K N B\nweights K=2 B=2\nsize 3\n"
    headers: ClassVar[tuple[str, ...]] = ("chess",)

    read = staticmethod(text.read)

    @property
    def expects_one_solution(self) -> bool:
        """Whether a published puzzle of this kind has exactly one solution: these often have many."""
        return False

    @property
    def title(self) -> str:
        name = "Max Chess Pieces" if self.maximise else "Coloured Chess Pieces"
        pieces = "".join(dict.fromkeys(piece for cell in self.usable() for piece in self.holds(cell)))
        regions = f", {count(len(self.list_regions()), 'region')}" if self.regions else ""
        given = f", {len(self.list_given())} given" if self.list_given() else ""
        return f"{name} {self.size[0]}x{self.size[1]}: pieces {' '.join(pieces)}{regions}{given}"

    def to_cpmpy(self) -> cpmpy.Model:
        """The puzzle as a CPMpy model: sums of at most one over pieces that threaten each other."""
        import cpmpy

        placed = self.list_given()
        pieces = ((cell, piece) for cell in self.usable() for piece in self.holds(cell))
        standing = {(cell, p): piece_variable(variable_name(cell, p), cell in placed) for cell, p in pieces}
        # Named even where no rule reads it, so that every piece is a variable of the model.
        model = cpmpy.Model([variable >= 0 for variable in standing.values()])
        for clique in conflicts(self):
            model += cpmpy.sum([standing[one] for one in clique]) <= 1
        for cells in self.list_regions().values():
            inside = set(cells)
            model += cpmpy.sum([variable for (cell, _), variable in standing.items() if cell in inside]) == 1
        if self.maximise:
            model.maximize(cpmpy.sum([self.weight_of(piece) * v for (_, piece), v in standing.items()]))
        return model

    def worth(self, solution: Mapping[str, int]) -> int:
        """The sum of the weights of the pieces that stand."""
        return sum(map(self.weight_of, standing_pieces(self, solution).values()))

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: the letter of a piece, ``.`` for none, ``#`` and ``@`` as in the text."""
        standing = standing_pieces(self, solution)
        return [[standing.get((r, c), m) for c, m in enumerate(row)] for r, row in enumerate(self.marks)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The puzzle in its file format; with a solution its pieces stand in the grid ``board``."""
        marks = tuple("".join(row) for row in self.board(solution or {}))
        return text.format_text(replace(self, marks=marks))

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        """Pieces by their letters or signs, answers bold or blue, other rules in words below."""
        placed = self.list_given()
        standing = {**standing_pieces(self, solution), **placed}

        def show_cell(cell: Cell) -> Look:
            piece = standing.get(cell, "")
            symbol = _SYMBOLS.get(piece, piece) if drawing else piece
            return Look(symbol, answer=cell not in placed, mark=self.holds(cell) if self.types else "")

        notes = self._notes(drawing)
        return pieces_picture(self.marks, self.regions, show_cell, drawing, wrap=self.wrap, notes=notes)

    def _notes(self, drawing: bool) -> tuple[str, ...]:
        """Return the clues that the cells do not show, one line each."""
        notes = ["weights " + ", ".join(f"{p} {w}" for p, w in self.weights)] if self.weights else []
        notes += [f"piece {piece}: {_in_words(moves)}" for piece, moves in self.moves]
        notes += ["slides stop at cells that hold no piece"] * self.opaque
        if self.types and not drawing:
            width = max(len(held) for row in self.types for held in row)
            notes += ["pieces a cell may hold:"]
            notes += [" ".join(held.ljust(width) for held in row) for row in self.types]
        return tuple(notes)


def _in_words(moves: Moves) -> str:
    kinds = (("leaps", moves.leaps), ("slides", moves.slides))
    return ", ".join(f"{word} {' '.join(f'{r:+},{c:+}' for r, c in steps)}" for word, steps in kinds if steps)


def conflicts(board: ChessBoard) -> list[Clique]:
    """Sets of standing pieces of which at most one may be: one piece a cell, and no threats.

    Each pair of pieces of which one threatens the other is in some set.
    """
    cells = {cell: board.holds(cell) for cell in board.usable()}
    found: dict[frozenset[Standing], Clique] = {}
    one_a_cell = (_all(cell, pieces) for cell, pieces in cells.items())
    everything = (*one_a_cell, *_leaping(board, cells), *_sliding(board, cells))
    # The widest first, so that a set inside another is seen to be said already.
    for clique in sorted(everything, key=len, reverse=True):
        found.setdefault(frozenset(clique), clique)
    widest: dict[Standing, list[frozenset[Standing]]] = {}
    kept = []
    for members, clique in found.items():
        if len(members) < 2 or any(members <= other for other in widest.get(clique[0], ())):
            continue
        kept.append(clique)
        for standing in clique:
            widest.setdefault(standing, []).append(members)
    return kept


def _all(cell: Cell, pieces: str) -> Clique:
    return tuple((cell, piece) for piece in pieces)


def _leaping(board: ChessBoard, cells: dict[Cell, str]) -> Iterator[Clique]:
    """Leapers on one cell with whatever stands on another that they threaten."""
    for cell, pieces in cells.items():
        targets: dict[Cell, str] = {}
        for piece in pieces:
            for step in board.moves_of(piece).leaps:
                to = take_step(cell, step, board.size, board.wrap)
                if to is not None and to != cell and piece not in targets.get(to, ""):
                    targets[to] = targets.get(to, "") + piece
        for to, threatening in targets.items():
            if to in cells:
                yield _all(cell, threatening) + _all(to, cells[to])


def _sliding(board: ChessBoard, cells: dict[Cell, str]) -> Iterator[Clique]:
    """All that slides along a line, with whatever stands on one cell of it."""
    steps = sorted({step for piece in "".join(cells.values()) for step in board.moves_of(piece).slides})
    for step in steps:
        back = (-step[0], -step[1])
        if back in steps and back < step:
            continue  # the same lines, read the other way
        for whole in lines(step, board.size, board.wrap):
            for line in cut(whole, board.stops()):
                yield from _on_line(board, cells, line, step, back)


def _on_line(board: ChessBoard, cells: dict[Cell, str], line: AttackLine, step: Step, back: Step) -> Iterator[Clique]:
    """The sets of one line.

    Along a closed line a slide comes round, so it threatens every other cell whichever way it goes.
    """
    on_line = [cell for cell in line.cells if cell in cells]

    def sliders(cell: Cell, ways: Sequence[Step]) -> Clique:
        return tuple((cell, p) for p in cells[cell] if any(way in board.moves_of(p).slides for way in ways))

    both = [sliders(cell, (step, back)) for cell in on_line]
    if line.closed or both == [sliders(cell, (step,)) for cell in on_line] == [sliders(c, (back,)) for c in on_line]:
        for k, cell in enumerate(on_line):
            others = tuple(s for j, some in enumerate(both) if j != k for s in some)
            if others:
                yield others + _all(cell, cells[cell])
        return
    for k, j in permutations(range(len(on_line)), 2):
        if some := sliders(on_line[k], (step if j > k else back,)):
            yield some + _all(on_line[j], cells[on_line[j]])

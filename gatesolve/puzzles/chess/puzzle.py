"""Chess piece puzzles: pieces that do not threaten each other, one a region or worth as much as can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gatesolve.errors import InputError
from gatesolve.puzzles import picture
from gatesolve.puzzles.base import Family
from gatesolve.puzzles.chess.board import Board, Moves, variable_name
from gatesolve.puzzles.chess.model import Standing, conflicts
from gatesolve.puzzles.chess.rules import broken_rules, contradiction, first_fault, standing_pieces
from gatesolve.puzzles.chess.text import format_text, parse_text, recognises
from gatesolve.puzzles.lettergrid import BLOCKED, OUTSIDE
from gatesolve.puzzles.region_looks import CHEQUERED, FILLS, WRAP_NOTES, region_fills

if TYPE_CHECKING:
    import cpmpy
    from rich.console import RenderableType

_SYMBOLS = {"K": "♚", "Q": "♛", "R": "♜", "B": "♝", "N": "♞", "P": "♟"}


@dataclass(frozen=True)
class Chess:
    """One chess piece puzzle; see `gatesolve.puzzles.chess.text` for how it is written.

    The variable ``r{i}c{j}N`` (row i and column j from 1, the letter of a piece) is 1 where that
    piece stands; pieces that may not stand on a cell have no variable there.

    Args:
        problem: the board, the pieces and what is asked.

    Raises:
        InputError: the board is faulty in a way that can be told without solving it.
    """

    problem: Board

    family: ClassVar[str] = "chess"

    def __post_init__(self) -> None:
        fault = first_fault(self.problem)
        if fault:
            row, column = (None, None) if fault.position is None else (fault.position[0] + 1, fault.position[1] + 1)
            raise InputError(fault.message, row=row, column=column)

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Chess:
        """Read a puzzle from its text.

        Raises:
            InputError: with the line and the column where the fault is.
        """
        return cls(parse_text(text, source))

    @property
    def title(self) -> str:
        """One line: what is asked, the size of the board, its pieces and regions."""
        board = self.problem
        name = "Max Chess Pieces" if board.maximise else "Coloured Chess Pieces"
        pieces = "".join(dict.fromkeys(piece for cell in board.usable() for piece in board.holds(cell)))
        regions = f", {len(board.coloured())} regions" if board.regions else ""
        given = f", {len(board.placed())} given" if board.placed() else ""
        return f"{name} {board.size[0]}x{board.size[1]}: pieces {' '.join(pieces)}{regions}{given}"

    @property
    def contradiction(self) -> str | None:
        """Why the board has no solution, where that can be told without solving."""
        return contradiction(self.problem)

    def to_cpmpy(self) -> cpmpy.Model:
        """The puzzle as a CPMpy model: sums of at most one over pieces that threaten each other."""
        import cpmpy

        board = self.problem
        placed = board.placed()
        standing: dict[Standing, Any] = {}
        for cell in board.usable():
            for piece in board.holds(cell):
                name = variable_name(cell, piece)
                given = cell in placed
                standing[cell, piece] = cpmpy.intvar(1, 1, name=name) if given else cpmpy.boolvar(name=name)
        # Named even where no rule reads it, so that every piece is a variable of the model.
        model = cpmpy.Model([variable >= 0 for variable in standing.values()])
        for clique in conflicts(board):
            model += cpmpy.sum([standing[one] for one in clique]) <= 1
        for cells in board.coloured().values():
            inside = set(cells)
            model += cpmpy.sum([variable for (cell, _), variable in standing.items() if cell in inside]) == 1
        if board.maximise:
            model.maximize(cpmpy.sum([board.weight_of(piece) * v for (_, piece), v in standing.items()]))
        return model

    def worth(self, solution: Mapping[str, int]) -> int:
        """The sum of the weights of the pieces that stand."""
        return sum(map(self.problem.weight_of, standing_pieces(self.problem, solution).values()))

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        """The finished board: the letter of a piece, ``.`` for none, ``#`` and ``@`` as in the text."""
        standing = standing_pieces(self.problem, solution)
        return [[standing.get((r, c), m) for c, m in enumerate(row)] for r, row in enumerate(self.problem.marks)]

    def check(self, solution: Mapping[str, int]) -> list[str]:
        """The rules that the finished board breaks, in words; empty when it is right.

        That no other board is worth more is no rule a board can be judged by alone.
        """
        return broken_rules(self.problem, solution)

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        """The puzzle in its file format; with a solution its pieces stand in the grid ``board``."""
        marks = tuple("".join(row) for row in self.board(solution or {}))
        return format_text(replace(self.problem, marks=marks))

    def render(self, solution: Mapping[str, int] | None = None) -> RenderableType:
        """The picture for a terminal: pieces by their letters, answers bold, other rules in words below."""
        return picture.terminal(self._picture(solution or {}, drawing=False))

    def draw(self, path: Path | str, solution: Mapping[str, int] | None = None) -> None:
        """Write the picture as PNG or SVG, by the suffix of ``path``.

        Raises:
            InputError: another suffix, or a place that cannot be written to.
        """
        picture.draw(self._picture(solution or {}, drawing=True), path)

    def _picture(self, solution: Mapping[str, int], drawing: bool) -> picture.Picture:
        board = self.problem
        standing = {**standing_pieces(board, solution), **board.placed()}
        fills = region_fills(board.regions) if board.regions else {}

        def look(r: int, c: int) -> picture.Look:
            mark = board.marks[r][c]
            if mark in (BLOCKED, OUTSIDE):
                return picture.Look("" if drawing else mark * 3, fill=FILLS[mark])
            piece = standing.get((r, c), "")
            symbol = _SYMBOLS.get(piece, piece) if drawing else piece
            fill = fills[board.regions[r][c]] if fills else CHEQUERED[(r + c) % 2]
            types = board.holds((r, c)) if board.types else ""
            return picture.Look(symbol, answer=(r, c) not in board.placed(), fill=fill, mark=types)

        height, width = board.size
        names = [
            [(board.regions[r][c] if fills else "", board.marks[r][c] == OUTSIDE) for c in range(width)]
            for r in range(height)
        ]
        cells = tuple(tuple(look(r, c) for c in range(width)) for r in range(height))
        around = (board.wrap != "none", board.wrap == "torus")
        return picture.Picture(cells, *picture.walls_between(names), wrap=around, notes=self._notes(drawing))

    def _notes(self, drawing: bool) -> tuple[str, ...]:
        """What the cells do not show, one line each."""
        board = self.problem
        notes = ["weights " + ", ".join(f"{p} {w}" for p, w in board.weights)] if board.weights else []
        notes += [f"piece {piece}: {_in_words(moves)}" for piece, moves in board.moves]
        if board.wrap != "none":
            notes.append(WRAP_NOTES[board.wrap])
        notes += ["slides stop at cells that hold no piece"] * board.opaque
        if board.types and not drawing:
            width = max(len(held) for row in board.types for held in row)
            notes += ["pieces a cell may hold:"]
            notes += [" ".join(held.ljust(width) for held in row) for row in board.types]
        return tuple(notes)


def _in_words(moves: Moves) -> str:
    parts = [
        f"{word} " + " ".join(f"{r:+},{c:+}" for r, c in steps)
        for word, steps in (("leaps", moves.leaps), ("slides", moves.slides))
        if steps
    ]
    return ", ".join(parts)


_EXAMPLE = """\
chess max
pieces K N B
weights K=2 B=2
size 3
"""
FAMILY = Family(
    Chess.family,
    recognises,
    Chess.parse,
    "as many or as weighty pieces as fit without a threat",
    _EXAMPLE,
    ("chess",),
    alone=lambda puzzle: False,
)

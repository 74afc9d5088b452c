"""Reading a Queens board in any format, and writing it in ours."""

from __future__ import annotations

from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.emoji import CROWN, MOONS, SUNS, is_emoji
from gatesolve.puzzles.grid import BLOCKED, FREE, OUTSIDE, cell_name, grid_text
from gatesolve.puzzles.queens.board import DIAGONALS, MANY, ONE, QUEEN, Board, cells_text
from gatesolve.puzzles.queens.other import is_param, read_param
from gatesolve.puzzles.queens.text import MARKS, read_typed
from gatesolve.puzzles.reading import lines_of


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
    letters = tokens - {BLOCKED, OUTSIDE}
    if any(map(is_emoji, tokens)):
        return CROWN in tokens or sum(map(is_emoji, letters - {*SUNS, *MOONS})) > 3  # with fewer it may be a Takuzu
    # nearly square is near enough: a ragged board is to be told what is wrong with it
    square = any(abs(len(row) - len(cells)) <= 1 for row in cells)
    return square and len(letters) >= 3 and all(len(t) == 1 and t.isascii() and t.isalpha() for t in letters)


def read(text: str, source: str) -> Draft:
    """The board that a text describes."""
    return Draft(tuple(vars(read_param(text, source)).values())) if is_param(text) else read_typed(text, source)


def format_text(board: Board) -> str:
    """The board as a person would type it: a bare grid where that says it all."""
    bare = _bare(board)
    if bare is not None:
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


def _bare(board: Board) -> str | None:
    """A grid of letters alone, if that is the same board and is recognised as one."""
    rows, columns, counts = ((ONE,) * len(found) for found in (board.rows, board.columns, board.counts))
    linkedin = Board(board.marks, rows, columns, board.colours, counts, reach=((1,),))
    if not board.colours or vars(board) != vars(linkedin) or _hidden_marks(board):
        return None
    text = "\n".join(grid_text(_with_marks(board))) + "\n"
    return text if recognises(text) else None


def _headers(board: Board) -> list[str]:
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
    lines += [f"region {region.name} {region.queens}" for region in board.coloured() if region.queens != each]
    lines += [f"region {region.name} {region.queens}: {cells_text(region.cells)}" for region in board.extra]
    lines += [f"attack {cell_name(cell)}: {cells_text(others)}" for cell, others in board.attacks]
    return lines


def _with_marks(board: Board) -> list[list[str]]:
    """The grid of regions, with cells that hold no queen where they are in no region."""
    return [
        [mark if name == FREE and mark in (BLOCKED, OUTSIDE) else name for name, mark in zip(row, marks, strict=True)]
        for row, marks in zip(board.colours, board.marks, strict=True)
    ]


def _hidden_marks(board: Board) -> bool:
    """Whether the grid of regions leaves out marks: given queens, and blocked cells inside regions."""
    return any(
        mark == QUEEN or (mark != FREE and name != FREE)
        for row, marks in zip(board.colours, board.marks, strict=True)
        for name, mark in zip(row, marks, strict=True)
    )

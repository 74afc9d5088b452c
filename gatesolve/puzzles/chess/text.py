"""Reading and writing chess piece puzzles as text; docs/formats.md has the format."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from gatesolve.errors import InputError
from gatesolve.puzzles.attack_lines import Step
from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.chess.board import PIECES, ChessBoard, Moves, around
from gatesolve.puzzles.grid import CLOSED, FREE, NO_REGION, Cell, Grid, grid_of_cells, grid_text, name_by_letters
from gatesolve.puzzles.lettergrid import Sections, grid_of, places_in, sections
from gatesolve.puzzles.reading import Line, show_token

LABELS = ("board", "types", "regions")
_KEYWORDS = (*LABELS, "chess", "pieces", "weights", "piece", "size", "cylinder", "torus", "opaque")
_GOALS = {"max": True, "coloured": False, "colored": False}
"""Whether the sum of weights is to be as large as can be."""
MAX_WEIGHT = 999


def read(text: str, source: str) -> Draft:
    """The board of a text."""
    parts = sections(text, _KEYWORDS, LABELS, source)
    header = parts.single("chess")
    if header is None:
        raise InputError("write 'chess max' or 'chess coloured' as the first line", source=source, row=1)
    if len(header.words) != 2 or header.words[1] not in _GOALS:
        raise header.fault("write 'chess max' or 'chess coloured'", 2)
    maximise = _GOALS[header.words[1]]
    defined = _read_moves(parts)
    known = {**PIECES, **defined}
    marks, types, regions, rows = _grids(parts, known)
    if not maximise and not regions:
        raise InputError("'chess coloured' without regions: draw them below a line 'regions'", source=source)
    pieces = _pieces(parts, known, types)
    used = set(pieces) | {piece for row in (*types, *marks) for held in row for piece in held}
    board = ChessBoard(
        marks=marks,
        pieces=pieces,
        moves=tuple((piece, moves) for piece, moves in defined.items() if piece in used),
        weights=tuple((piece, weight) for piece, weight in _weights(parts, known) if piece in used),
        types=types,
        regions=regions,
        maximise=maximise,
        wrap=parts.wrap,
        opaque="opaque" in parts.headers,
    )
    return Draft(tuple(vars(board).values()), places_in(rows))


def format_text(board: ChessBoard) -> str:
    """The puzzle as a person would type it."""
    lines = [f"chess {'max' if board.maximise else 'coloured'}"]
    for piece, moves in board.moves:
        words = [f"piece {piece}"]
        for word, steps in (("leap", moves.leaps), ("slide", moves.slides)):
            words += [word, *(f"{r:+},{c:+}" for r, c in steps)] if steps else []
        lines.append(" ".join(words))
    lines.append(f"pieces {' '.join(board.pieces)}")
    if board.weights:
        lines.append(" ".join(["weights", *(f"{piece}={weight}" for piece, weight in board.weights)]))
    lines += [board.wrap] * (board.wrap != "none") + ["opaque"] * board.opaque
    if board.types:
        lines += ["types", *grid_text(board.types)]
    if board.regions:
        lines += ["regions", *grid_text(board.regions)]
    return "\n".join([*lines, "board", *board.marks]) + "\n"


def _read_moves(parts: Sections) -> dict[str, Moves]:
    """The pieces of lines ``piece``."""
    found: dict[str, Moves] = {}
    for line in parts.headers.get("piece", ()):
        words = line.words[1:]
        if not words or not re.fullmatch("[A-Z]", words[0]) or words[0] in (*PIECES, *found):
            raise line.fault(f"name a piece by a capital letter of its own, none of {' '.join((*PIECES, *found))}", 2)
        steps: dict[str, list[Step]] = {"leap": [], "slide": []}
        kind = ""
        for k, word in enumerate(words[1:], 3):
            if word in steps:
                kind = word
                continue
            match = re.fullmatch(r"([+-]?)(\d{1,2}),([+-]?)(\d{1,2})", word)
            step = (int(match[1] + match[2]), int(match[3] + match[4])) if match else (0, 0)
            if not kind or step == (0, 0):
                raise line.fault(f"{show_token(word)} is no move: write it as leap 1,2 or slide 0,1", k)
            signed = match is not None and bool(match[1] or match[3])
            steps[kind] += (step,) if signed else around(*step)
        if not steps["leap"] and not steps["slide"]:
            raise line.fault("a piece without a move: write one as leap 1,2 or slide 0,1", len(words) + 1)
        found[words[0]] = Moves(*(tuple(dict.fromkeys(steps[kind])) for kind in ("leap", "slide")))
    return found


def _grids(parts: Sections, known: Collection[str]) -> tuple[tuple[str, ...], Grid, Grid, Sequence[Line]]:
    """Marks, types, regions (no rows where there are none), and the lines of the first grid."""
    if "" in parts.blocks:
        raise parts.blocks[""][0].fault("a grid without a name: write 'board', 'types' or 'regions' above it", 1)
    meant = f". or # or @ or one of the pieces {' '.join(known)}"
    grids: dict[str, Grid] = {}
    first: Sequence[Line] = ()
    for label, rows in parts.blocks.items():
        if label == "regions":
            grid = grid_of(rows, parts.source, NO_REGION, "a letter for a region, or . for none", letters=True)
        else:
            written = {token.text for row in rows for token in row.cells()}
            several = {held for held in written if label == "types" and set(held) <= set(known)}
            grid = grid_of(rows, parts.source, {*NO_REGION, *known, *several}, meant)
        grids[label] = grid
        first = first or rows
        if (len(grid), len(grid[0])) != (len(first), len(first[0].cells())):
            raise rows[0].fault(f"the grid '{label}' has another size than the one above it: give both the same", 1)
    missing = "no board: draw one below a line 'board', or write 'size 4'"
    height, width = (len(first), len(first[0].cells())) if first else parts.size(missing)

    def mark(cell: Cell) -> str:
        """Return the board's mark, unless a grid above it says that the cell holds nothing."""
        held = [(label, grids[label][cell[0]][cell[1]]) for label in ("types", "regions", "board") if label in grids]
        return next((token for label, token in held if token in CLOSED or label == "board"), FREE)

    marks = tuple(map("".join, grid_of_cells((height, width), mark)))
    types, regions = (
        tuple(tuple(FREE if token in NO_REGION else token for token in row) for row in grids.get(label, ()))
        for label in ("types", "regions")
    )
    order = {piece: k for k, piece in enumerate(known)}
    types = tuple(tuple("".join(sorted(set(held), key=lambda p: order.get(p, -1))) for held in row) for row in types)
    return marks, types, name_by_letters(regions), first


def _pieces(parts: Sections, known: Collection[str], types: Grid) -> str:
    """The pieces a free cell may hold."""
    header = parts.single("pieces")
    if header is None:
        in_types = {piece for row in types for held in row for piece in held if held != FREE}
        if not in_types:
            raise InputError("no pieces: write which are in play as 'pieces Q N'", source=parts.source)
        return "".join(piece for piece in known if piece in in_types)
    words = header.words[1:]
    for k, word in enumerate(words, 2):
        if word not in known or word in words[: k - 2]:
            raise header.fault(f"{show_token(word)} is no piece, or is said twice: write some of {' '.join(known)}", k)
    if not words:
        raise header.fault("no pieces: write which as 'pieces Q N'", 1)
    return "".join(words)


def _weights(parts: Sections, known: Collection[str]) -> list[tuple[str, int]]:
    """The weights other than 1."""
    header = parts.single("weights")
    weights: dict[str, int] = {}
    for token in header.tokens()[1:] if header else ():
        match = re.fullmatch(r"(.)=(\d{1,3})", token.text)
        if match is None or match[1] not in known or match[1] in weights:
            mend = f"write each piece once, as 'weights Q=3 N=2' with 0..{MAX_WEIGHT}"
            raise token.fault(f"{show_token(token.text)} is no weight: {mend}")
        weights[match[1]] = int(match[2])
    return [(piece, weights[piece]) for piece in known if weights.get(piece, 1) != 1]

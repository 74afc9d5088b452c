"""Chess piece puzzles: pieces that do not threaten each other, one a region or of greatest worth.

The judging is independent of the model: each piece is moved over the board step by step, as a player would.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar, NamedTuple

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy
from gatesolve.puzzles.base import Draft, Fault, Puzzle, misread, piece_variable
from gatesolve.puzzles.grid import (
    CLOSED,
    FREE,
    NO_REGION,
    AttackLine,
    Cell,
    Grid,
    Step,
    Wrap,
    by_cell,
    cell_name,
    cells_by_name,
    cells_of,
    cut,
    describe_pieces,
    grid_of_cells,
    grid_text,
    lines,
    name_by_letters,
    take_step,
)
from gatesolve.puzzles.picture import Look, Picture, pieces_picture
from gatesolve.puzzles.reading import Line, Sections, check_equal, count, grid_of, lines_of, show_token

Standing = tuple[Cell, str]
"""A cell and the letter of a piece on it."""
Clique = tuple[Standing, ...]
_SYMBOLS = {"K": "♚", "Q": "♛", "R": "♜", "B": "♝", "N": "♞", "P": "♟"}
LABELS = ("board", "types", "regions")
_KEYWORDS = (*LABELS, "chess", "pieces", "weights", "piece", "size", "cylinder", "torus", "opaque")
_GOALS = {"max": True, "coloured": False, "colored": False}
"""True where the sum of weights is maximised."""
MAX_WEIGHT = 999


class Moves(NamedTuple):
    """How a piece moves: to cells one leap away, and any number of steps along slides."""

    leaps: tuple[Step, ...] = ()
    slides: tuple[Step, ...] = ()

    def words(self, *kinds: str) -> list[str]:
        """Return its leaps and its slides as text, behind these words."""
        steps = [" ".join(f"{r:+},{c:+}" for r, c in some) for some in self]
        return [f"{word} {some}" for word, some in zip(kinds, steps, strict=True) if some]


def around(p: int, q: int) -> tuple[Step, ...]:
    """Return a step in all its mirror images and turns."""
    # A set first: straight and diagonal steps have only four different images, other steps eight.
    return tuple(sorted({(a * i, b * j) for a, b in ((p, q), (q, p)) for i in (1, -1) for j in (1, -1)}))


_STRAIGHT, _DIAGONAL = around(0, 1), around(1, 1)


PIECES: Mapping[str, Moves] = {
    "K": Moves(leaps=_STRAIGHT + _DIAGONAL),
    "Q": Moves(slides=_STRAIGHT + _DIAGONAL),
    "R": Moves(slides=_STRAIGHT),
    "B": Moves(slides=_DIAGONAL),
    "N": Moves(leaps=around(1, 2)),
    # A pawn moves up the board; what it threatens are the two cells diagonally before it.
    "P": Moves(leaps=((-1, -1), (-1, 1))),
}
"""King, queen, rook, bishop, knight, pawn."""


@dataclass(frozen=True)
class Chess(Puzzle):
    """One chess piece puzzle; docs/families.md describes its format.

    The variable ``r{i}c{j}N`` (row i and column j from 1, then the letter of a piece) is 1 where that piece stands.
    Pieces that may not stand on a cell have no variable there.

    Attributes:
        marks: one character a cell: ``.`` free, the letter of a piece that is given, ``#`` a cell without a piece,
            ``@`` one outside the board.
        pieces: letters of the pieces that a free cell may hold.
        moves: the moves of pieces defined by the puzzle.
        weights: the worth of pieces, where it is not 1.
        types: letters of the pieces that each cell may hold, ``.`` for ``pieces``; no rows when all are ``.``.
        regions: the name of each cell's region, ``.`` for none; no rows when there are none. Each holds one piece.
        maximise: True if the sum of weights is maximised.
        wrap: the edges of the board that meet.
        opaque: True if slides stop at cells that hold no piece.
    """

    marks: tuple[str, ...]
    pieces: str
    moves: tuple[tuple[str, Moves], ...] = ()
    weights: tuple[tuple[str, int], ...] = ()
    types: Grid = ()
    regions: Grid = ()
    maximise: bool = True
    wrap: Wrap = "none"
    opaque: bool = False

    family: ClassVar[str] = "chess"
    summary: ClassVar[str] = "Place pieces of the largest total value so that none threatens another."
    example: ClassVar[str] = "chess max\npieces B N\nweights B=2\nboard\n..\n..\n..\n"
    headers: ClassVar[tuple[str, ...]] = ("chess",)

    @property
    def size(self) -> tuple[int, int]:
        return len(self.marks), len(self.marks[0])

    def moves_of(self, piece: str) -> Moves:
        """Return the moves of a piece, which the puzzle may define."""
        return {**PIECES, **dict(self.moves)}[piece]

    def weight_of(self, piece: str) -> int:
        """Return the worth of a piece."""
        return dict(self.weights).get(piece, 1)

    def holds(self, cell: Cell) -> str:
        """Return the letters of the pieces that may stand on a cell."""
        r, c = cell
        mark = self.marks[r][c]
        if mark in CLOSED:
            return ""
        if mark != FREE:
            return mark
        allowed = self.types[r][c] if self.types else FREE
        return self.pieces if allowed == FREE else allowed

    def usable(self) -> list[Cell]:
        """Return the cells that may hold a piece, row by row."""
        return [cell for cell in cells_of(self.size) if self.holds(cell)]

    def stops(self) -> list[Cell]:
        """Return the cells at which slides stop."""
        return [cell for cell, mark in by_cell(self.marks).items() if self.opaque and mark in CLOSED]

    def list_given(self) -> dict[Cell, str]:
        """Return the pieces that are given."""
        return {cell: mark for cell, mark in by_cell(self.marks).items() if mark not in (FREE, *CLOSED)}

    def list_regions(self) -> dict[str, list[Cell]]:
        """Return the cells of each region."""
        return cells_by_name(self.regions)

    def first_fault(self) -> Fault | None:
        fault = Fault("no cell of the board can hold a piece: write . for a free cell", (0, 0))
        return None if self.usable() else fault

    @property
    def contradiction(self) -> str | None:
        placed = self.list_given()
        for name, cells in self.list_regions().items():
            given = [cell for cell in cells if cell in placed]
            if len(given) > 1:
                return f"region {name} has {len(given)} pieces given but holds one"
            if not any(self.holds(cell) for cell in cells):
                return f"region {name} has no cell that can hold a piece"
        for a, b in threats(self, placed):
            return f"the given {placed[a]} at {cell_name(a)} threatens the given {placed[b]} at {cell_name(b)}"
        return None

    @property
    def doubt(self) -> str | None:
        return describe_pieces((f"region {name}", cells) for name, cells in self.list_regions().items())

    def check(self, solution: Mapping[str, int]) -> list[str]:
        # That no other board has a greater worth cannot be judged from one board.
        known = [variable_name(cell, piece) for cell in self.usable() for piece in self.holds(cell)]
        broken = misread(solution, dict.fromkeys(known, (0, 1)), "is no piece that may stand there", "not 0 or 1")
        for cell in self.usable():
            here = [piece for piece in self.holds(cell) if solution.get(variable_name(cell, piece)) == 1]
            if len(here) > 1:
                broken.append(f"{cell_name(cell)} holds {' and '.join(here)}: one piece a cell")
        standing = standing_pieces(self, solution)
        gone = ((cell_name(cell), piece) for cell, piece in self.list_given().items() if cell not in standing)
        broken += [f"{name} has no {piece} where one is given" for name, piece in gone]
        for a, b in threats(self, standing):
            broken.append(f"{standing[a]} at {cell_name(a)} threatens {standing[b]} at {cell_name(b)}")
        for name, cells in self.list_regions().items():
            pieces = sum(cell in standing for cell in cells)
            if pieces != 1:
                broken.append(f"region {name} has {count(pieces, 'piece')}, not 1")
        return broken

    @staticmethod
    def read(text: str) -> Draft:
        parts = Sections.of(lines_of(text), _KEYWORDS, LABELS)
        header = parts.single("chess")
        if header is None:
            raise InputError("write 'chess max' or 'chess coloured' as the first line", row=1)
        if len(header.words) != 2 or header.words[1] not in _GOALS:
            raise header.fault("write 'chess max' or 'chess coloured'", 2)
        maximise = _GOALS[header.words[1]]
        defined = _read_moves(parts)
        known = {**PIECES, **defined}
        marks, types, regions, rows = _grids(parts, known)
        if not maximise and not regions:
            raise InputError("'chess coloured' without regions: draw them below a line 'regions'")
        pieces = _pieces(parts, known, types)
        # Definitions of pieces that no cell may hold are dropped, so that they do not make equal boards different.
        used = set(pieces) | {piece for row in (*types, *marks) for held in row for piece in held}
        moves = tuple((piece, moves) for piece, moves in defined.items() if piece in used)
        weights = tuple((piece, weight) for piece, weight in _weights(parts, known) if piece in used)
        rules = maximise, parts.wrap, parts.flag("opaque")
        return Draft((marks, pieces, moves, weights, types, regions, *rules), by_cell(line.cells() for line in rows))

    @property
    def expects_one_solution(self) -> bool:
        return False

    @property
    def title(self) -> str:
        name = "Max Chess Pieces" if self.maximise else "Coloured Chess Pieces"
        pieces = "".join(dict.fromkeys(piece for cell in self.usable() for piece in self.holds(cell)))
        regions = f", {count(len(self.list_regions()), 'region')}" if self.regions else ""
        given = f", {len(self.list_given())} given" if self.list_given() else ""
        return f"{name} {self.size[0]}x{self.size[1]}: pieces {' '.join(pieces)}{regions}{given}"

    def to_cpmpy(self) -> cpmpy.Model:
        placed = self.list_given()
        pieces = ((cell, piece) for cell in self.usable() for piece in self.holds(cell))
        standing = {(cell, p): piece_variable(variable_name(cell, p), cell in placed) for cell, p in pieces}
        # A trivial constraint makes every piece a variable of the model, even without a rule about it.
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
        """Return the sum of the weights of the pieces that stand."""
        return sum(map(self.weight_of, standing_pieces(self, solution).values()))

    def board(self, solution: Mapping[str, int]) -> list[list[str]]:
        standing = standing_pieces(self, solution)
        return [[standing.get((r, c), m) for c, m in enumerate(row)] for r, row in enumerate(self.marks)]

    def text(self, solution: Mapping[str, int] | None = None) -> str:
        lines = [f"chess {'max' if self.maximise else 'coloured'}"]
        lines += [" ".join([f"piece {piece}", *moves.words("leap", "slide")]) for piece, moves in self.moves]
        lines.append(f"pieces {' '.join(self.pieces)}")
        if self.weights:
            lines.append(" ".join(["weights", *(f"{piece}={weight}" for piece, weight in self.weights)]))
        lines += [self.wrap] * (self.wrap != "none") + ["opaque"] * self.opaque
        if self.types:
            lines += ["types", *grid_text(self.types)]
        if self.regions:
            lines += ["regions", *grid_text(self.regions)]
        return "\n".join([*lines, "board", *map("".join, self.board(solution or {}))]) + "\n"

    def picture(self, solution: Mapping[str, int], drawing: bool) -> Picture:
        placed = self.list_given()
        # Given pieces come last: they are shown even where a faulty answer leaves them out.
        standing = {**standing_pieces(self, solution), **placed}

        def show_cell(cell: Cell) -> Look:
            piece = standing.get(cell, "")
            symbol = _SYMBOLS.get(piece, piece) if drawing else piece
            return Look(symbol, answer=cell not in placed, mark=self.holds(cell) if self.types else "")

        notes = self._notes(drawing)
        return pieces_picture(self.marks, self.regions, show_cell, drawing, wrap=self.wrap, notes=notes)

    def _notes(self, drawing: bool) -> tuple[str, ...]:
        notes = ["weights " + ", ".join(f"{p} {w}" for p, w in self.weights)] if self.weights else []
        notes += [f"piece {piece}: {', '.join(moves.words('leaps', 'slides'))}" for piece, moves in self.moves]
        notes += ["slides stop at cells that hold no piece"] * self.opaque
        if self.types and not drawing:
            width = max(len(held) for row in self.types for held in row)
            notes += ["pieces a cell may hold:"]
            notes += [" ".join(held.ljust(width) for held in row) for row in self.types]
        return tuple(notes)


def variable_name(cell: Cell, piece: str) -> str:
    """Return name of the variable that says a piece stands on a cell, such as ``r1c2N``."""
    return cell_name(cell) + piece


def standing_pieces(board: Chess, solution: Mapping[str, int]) -> dict[Cell, str]:
    """Return the piece on each cell that is not empty."""
    pieces = ((cell, piece) for cell in board.usable() for piece in board.holds(cell))
    return {cell: piece for cell, piece in pieces if solution.get(variable_name(cell, piece)) == 1}


def threats(board: Chess, standing: Mapping[Cell, str]) -> Iterator[tuple[Cell, Cell]]:
    """Yield pairs of cells of which the piece on the first threatens the piece on the second."""
    stops = set(board.stops())
    for cell, piece in standing.items():
        moves = board.moves_of(piece)
        reached: set[Cell] = set()
        for step in moves.leaps:
            # A leap passes over all cells on its way, so no stop matters.
            reached.update(_walk(board, cell, step, 1, set()))
        for step in moves.slides:
            # On a torus a slide may run through the board several times; it has no more cells than this.
            reached.update(_walk(board, cell, step, board.size[0] * board.size[1], stops))
        yield from ((cell, other) for other in sorted(reached) if other in standing and other != cell)


def _walk(board: Chess, cell: Cell, step: Cell, farthest: int, stops: set[Cell]) -> Iterator[Cell]:
    """Yield the cells that a piece reaches in one direction."""
    height, width = board.size
    r, c = cell
    # Other pieces do not stop it: any piece behind another counts as threatened, too.
    for _ in range(farthest):
        r, c = r + step[0], c + step[1]
        if board.wrap == "torus":
            r %= height
        if board.wrap != "none":
            c %= width
        if not (0 <= r < height and 0 <= c < width) or (r, c) in stops or (r, c) == cell:
            return
        yield r, c


def conflicts(board: Chess) -> list[Clique]:
    """Return sets of standing pieces of which at most one may be: one piece a cell, and no threats.

    Each pair of pieces of which one threatens the other is in some set.
    """
    cells = {cell: board.holds(cell) for cell in board.usable()}
    found: dict[frozenset[Standing], Clique] = {}
    one_a_cell = (_all(cell, pieces) for cell, pieces in cells.items())
    everything = (*one_a_cell, *_leaping(board, cells), *_sliding(board, cells))
    # The largest sets first, so that a set inside another is recognised as redundant.
    for clique in sorted(everything, key=len, reverse=True):
        found.setdefault(frozenset(clique), clique)
    widest: dict[Standing, list[frozenset[Standing]]] = {}
    kept = []
    for members, clique in found.items():
        # A larger set that contains this one also contains its first member, so no other sets are compared.
        if len(members) < 2 or any(members <= other for other in widest.get(clique[0], ())):
            continue
        kept.append(clique)
        for standing in clique:
            widest.setdefault(standing, []).append(members)
    return kept


def _all(cell: Cell, pieces: str) -> Clique:
    return tuple((cell, piece) for piece in pieces)


def _leaping(board: Chess, cells: dict[Cell, str]) -> Iterator[Clique]:
    """Yield leapers on one cell with all pieces on another that they threaten."""
    for cell, pieces in cells.items():
        targets: dict[Cell, str] = {}
        for piece in pieces:
            for step in board.moves_of(piece).leaps:
                to = take_step(cell, step, board.size, board.wrap)
                # On a small torus several leaps may end on one cell, or on the cell itself.
                if to is not None and to != cell and piece not in targets.get(to, ""):
                    targets[to] = targets.get(to, "") + piece
        for to, threatening in targets.items():
            if to in cells:
                yield _all(cell, threatening) + _all(to, cells[to])


def _sliding(board: Chess, cells: dict[Cell, str]) -> Iterator[Clique]:
    """Yield all pieces that slide along a line, with all pieces on one cell of it."""
    steps = sorted({step for piece in "".join(cells.values()) for step in board.moves_of(piece).slides})
    for step in steps:
        back = (-step[0], -step[1])
        if back in steps and back < step:
            # The same lines in the opposite direction.
            continue
        for whole in lines(step, board.size, board.wrap):
            for line in cut(whole, board.stops()):
                yield from _on_line(board, cells, line, step, back)


def _on_line(board: Chess, cells: dict[Cell, str], line: AttackLine, step: Step, back: Step) -> Iterator[Clique]:
    on_line = [cell for cell in line.cells if cell in cells]

    def sliders(cell: Cell, ways: Sequence[Step]) -> Clique:
        return tuple((cell, p) for p in cells[cell] if any(way in board.moves_of(p).slides for way in ways))

    # Along a closed line a slide comes back, so it threatens every other cell in either direction.
    both = [sliders(cell, (step, back)) for cell in on_line]
    # Pieces that slide both ways make one set with each cell; others threaten only the cells ahead of them, pair by
    # pair.
    if line.closed or both == [sliders(cell, (step,)) for cell in on_line] == [sliders(c, (back,)) for c in on_line]:
        for k, cell in enumerate(on_line):
            others = tuple(s for j, some in enumerate(both) if j != k for s in some)
            if others:
                yield others + _all(cell, cells[cell])
        return
    for k, j in permutations(range(len(on_line)), 2):
        if some := sliders(on_line[k], (step if j > k else back,)):
            yield some + _all(on_line[j], cells[on_line[j]])


def _read_moves(parts: Sections) -> dict[str, Moves]:
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
                raise line.fault(f"{show_token(word)} is not a move: write it as leap 1,2 or slide 0,1", k)
            # A sign means this direction alone; without one, a move has all its mirror images.
            signed = match is not None and bool(match[1] or match[3])
            steps[kind] += (step,) if signed else around(*step)
        if not steps["leap"] and not steps["slide"]:
            raise line.fault("a piece without a move: write one as leap 1,2 or slide 0,1", len(words) + 1)
        found[words[0]] = Moves(*(tuple(dict.fromkeys(steps[kind])) for kind in ("leap", "slide")))
    return found


def _grids(parts: Sections, known: Collection[str]) -> tuple[tuple[str, ...], Grid, Grid, Sequence[Line]]:
    """Return marks, types, regions (no rows where there are none), and the lines of the first grid."""
    if "" in parts.blocks:
        raise parts.blocks[""][0].fault("a grid without a name: write 'board', 'types' or 'regions' above it", 1)
    meant = f". or # or @ or one of the pieces {' '.join(known)}"
    grids: dict[str, Grid] = {}
    first: Sequence[Line] = ()
    for label, rows in parts.blocks.items():
        if label == "regions":
            grid = grid_of(rows, NO_REGION, "a letter for a region, or . for none", letters=True)
        else:
            written = {token.text for row in rows for token in row.cells()}
            several = {held for held in written if label == "types" and set(held) <= set(known)}
            grid = grid_of(rows, {*NO_REGION, *known, *several}, meant)
        grids[label] = grid
        first = first or rows
        check_equal(rows, grid, next(iter(grids.values())))
    for label in LABELS:
        parts.flag(label)
    missing = "no board: draw one below a line 'board', or write 'size 4'"
    height, width = (len(first), len(first[0].cells())) if first else parts.size(missing)
    parts.check_size(height, width)

    def mark(cell: Cell) -> str:
        """Return the board's mark, unless a grid above it says that the cell holds nothing."""
        # A cell that any grid closes is closed in all.
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
    header = parts.single("pieces")
    if header is None:
        in_types = {piece for row in types for held in row for piece in held if held != FREE}
        if not in_types:
            raise InputError("no pieces: write which are in play as 'pieces Q N'")
        return "".join(piece for piece in known if piece in in_types)
    words = header.words[1:]
    for k, word in enumerate(words, 2):
        if word not in known or word in words[: k - 2]:
            raise header.fault(f"{show_token(word)} is not a piece, or is repeated: write some of {' '.join(known)}", k)
    if not words:
        raise header.fault("no pieces: write which as 'pieces Q N'", 1)
    return "".join(words)


def _weights(parts: Sections, known: Collection[str]) -> list[tuple[str, int]]:
    header = parts.single("weights")
    weights: dict[str, int] = {}
    for token in header.tokens()[1:] if header else ():
        match = re.fullmatch(r"(.)=(\d{1,3})", token.text)
        if match is None or match[1] not in known or match[1] in weights:
            mend = f"write each piece once, as 'weights Q=3 N=2' with 0..{MAX_WEIGHT}"
            raise token.fault(f"{show_token(token.text)} is not a weight: {mend}")
        weights[match[1]] = int(match[2])
    return [(piece, weights[piece]) for piece in known if weights.get(piece, 1) != 1]

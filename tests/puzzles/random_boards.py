"""Random boards of every family, none faulty by itself; whether one has an answer is left open."""

from functools import cache, partial

from hypothesis import strategies as st
from kakuro_boards import cell_of, solved_boards

from gatesolve.errors import InputError
from gatesolve.puzzles import Chess, Galaxies, Kakuro, Queens, StarBattle, Sudoku, Takuzu, Tango, Tents
from gatesolve.puzzles.chess import PIECES, Moves, around
from gatesolve.puzzles.galaxies import core
from gatesolve.puzzles.grid import cells_by_name, name_by_letters
from gatesolve.puzzles.pieces import MANY, PieceGroup, PieceRange
from gatesolve.puzzles.queens_board import DIAGONALS, AttackSlope, QueensBoard
from gatesolve.puzzles.sudoku_board import Cage
from gatesolve.puzzles.takuzu_board import Rules, Sign, most_equal
from gatesolve.puzzles.tents import FREE, TENT, TREE


@st.composite
def takuzus(draw: st.DrawFn, most: int = 12) -> Takuzu:
    """A small board with any rules that is not faulty; it need not have an answer."""
    height = draw(st.integers(2, 5))
    width = draw(st.integers(2, min(5, most // height)))
    wrap = draw(st.sampled_from(["none", "none", "rows", "columns", "both"]))
    places = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))

    def counts(lines: int, length: int, ring: bool) -> tuple[int | None, ...]:
        if length % 2 == 0 and draw(st.booleans()):
            return ()
        most = most_equal(length, ring)
        return tuple(draw(st.none() | st.integers(length - most, most)) for _ in range(lines))

    row_ones = counts(height, width, wrap in ("rows", "both"))
    column_ones = counts(width, height, wrap in ("columns", "both"))
    cells: list[list[int | None]] = [[None] * width for _ in range(height)]
    for r, c in draw(st.sets(places, max_size=2)):
        cells[r][c] = draw(st.integers(0, 1))
    regions = []
    for group in draw(st.lists(st.lists(places, unique=True, min_size=1, max_size=4), max_size=2)):
        least, most = sorted(draw(st.integers(0, len(group))) for _ in range(2))
        regions.append(PieceGroup("", PieceRange(least, most), tuple(group)))
    pairs = draw(st.lists(st.tuples(places, st.booleans(), places), max_size=2))
    signs = tuple(Sign(a, equal, b) for a, equal, b in pairs if a != b)
    rules = Rules(draw(st.booleans()), row_ones, column_ones, draw(st.booleans()), wrap, tuple(regions), signs)
    frozen = tuple(map(tuple, cells))
    try:
        return Takuzu(frozen, rules)
    except InputError:
        return Takuzu(((None,) * width,) * height, Rules(rules.unique, row_ones, column_ones, rules.diagonals, wrap))


@st.composite
def sudokus(draw: st.DrawFn) -> Sudoku:
    """A board that has an answer: shifts of one order of the values."""
    height, width = draw(st.sampled_from([(1, 2), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 4)]))
    side = height * width
    order = draw(st.permutations(range(1, side + 1)))
    full = [[order[(c + width * (r % height) + r // height) % side] for c in range(side)] for r in range(side)]
    keep = draw(st.sets(st.tuples(st.integers(0, side - 1), st.integers(0, side - 1)), max_size=40))
    cells = tuple(tuple(v if (r, c) in keep else None for c, v in enumerate(row)) for r, row in enumerate(full))
    return Sudoku(cells, (height, width))


def draw_grid(draw: st.DrawFn, height: int, width: int, cell: st.SearchStrategy) -> list:
    return draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=height, max_size=height))


def grow_regions(random, columns):
    """A square of letters, each a region in one piece that was grown from one cell a row."""
    side, region = len(columns), dict(zip(enumerate(columns), "ABCDEFG", strict=False))
    while len(region) < side * side:
        r, c = random.choice(sorted(region))
        i, j = random.choice([(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)])
        if 0 <= i < side and 0 <= j < side:
            region.setdefault((i, j), region[r, c])
    return ["".join(region[r, c] for c in range(side)) for r in range(side)]


def list_walks(side, path=((0, 0),)):
    """Walks over all cells from a corner, each step to a neighbour: cut in pieces of equal length they make boxes."""
    if len(path) == side * side:
        yield path
    r, c = path[-1]
    for cell in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
        if set(cell) <= set(range(side)) and cell not in path:
            yield from list_walks(side, [*path, cell])


@cache
def walks(side):
    return [*list_walks(side)]


@st.composite
def area_sudokus(draw):
    """A 4x4 or 5x5 board with cages and whole boxes drawn at random, not always solvable."""
    side = draw(st.sampled_from([4, 5]))
    cells = [(r, c) for r in range(side) for c in range(side)]
    walk = draw(st.sampled_from(walks(side)))
    number = {cell: k // side for k, cell in enumerate(walk)}
    regions = tuple(tuple(number[r, c] for c in range(side)) for r in range(side))
    left = list(draw(st.permutations(cells)))
    cages = []
    for size in draw(st.lists(st.integers(1, 4), max_size=4)):
        cages.append(Cage(draw(st.integers(1, 14)), tuple(left.pop() for _ in range(size))))
    given_at = draw(st.dictionaries(st.sampled_from(cells), st.integers(1, side), max_size=6))
    values = tuple(tuple(given_at.get((r, c)) for c in range(side)) for r in range(side))
    return Sudoku(values, None, draw(st.booleans()), regions, tuple(cages))


@st.composite
def tangos(draw: st.DrawFn) -> Tango:
    """A board that has an answer: each row is one line of the pattern or its opposite, in turn."""
    half, high = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    start = [b for _ in range(half) for b in draw(st.permutations([0, 1]))]
    full = [[v ^ (r % 2) for v in start] for r in range(2 * high)]
    width, height = 2 * half, 2 * high
    places = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))
    keep = draw(st.sets(places, max_size=8))
    cells = tuple(tuple(v if (r, c) in keep else None for c, v in enumerate(row)) for r, row in enumerate(full))
    signs = []
    for (r, c), down in draw(st.lists(st.tuples(places, st.booleans()), max_size=6)):
        other = (r + 1, c) if down else (r, c + 1)
        if other[0] < height and other[1] < width:
            signs.append(Sign((r, c), full[r][c] == full[other[0]][other[1]], other))
    return Tango(cells, tuple(signs))


@st.composite
def star_battles(draw: st.DrawFn) -> StarBattle:
    """Any small board that is not faulty by itself: holes, cells in no region, given stars."""
    side = draw(st.integers(1, 4))
    cell = st.sampled_from("AAABBBCCD.#@")
    rows = map(tuple, draw_grid(draw, side, side, cell))
    stars = draw(st.integers(1, 2))
    placed = draw(st.sets(st.tuples(st.integers(0, side - 1), st.integers(0, side - 1)), max_size=1))
    try:
        return StarBattle(tuple(rows), stars, tuple(sorted(placed)))
    except InputError:
        return StarBattle((("A",),), 1)


OWN = {"Z": Moves(leaps=around(1, 3), slides=around(0, 2)), "Y": Moves(leaps=((1, 0),), slides=((0, 1), (-1, 2)))}


@st.composite
def chess_boards(draw: st.DrawFn) -> Chess:
    """Any small board that is not faulty by itself."""
    height, width = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    known = "".join(PIECES) + "ZY"
    pieces = "".join(draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True)))

    grid = partial(draw_grid, draw, height, width)
    marks = tuple("".join(row) for row in grid(st.sampled_from(".......#@" + draw(st.sampled_from(["", "KN"])))))
    several = st.sampled_from([".", "K", "N", "RP", "KQR", "BZ", "Y"])
    types = tuple(map(tuple, grid(several))) if draw(st.booleans()) else ()
    types = tuple(
        tuple(marks[r][c] if marks[r][c].isalpha() else t for c, t in enumerate(row)) for r, row in enumerate(types)
    )
    regions = name_by_letters(tuple(map(tuple, grid(st.sampled_from("AAB."))))) if draw(st.booleans()) else ()
    used = set(pieces) | {piece for row in (*types, *marks) for held in row for piece in held}
    try:
        return Chess(
            marks=marks,
            pieces=pieces,
            moves=tuple((piece, moves) for piece, moves in OWN.items() if piece in used),
            weights=tuple((p, w) for p, w in (("K", 3), ("R", 5)) if p in used and draw(st.booleans())),
            types=types,
            regions=regions,
            maximise=not regions or draw(st.booleans()),
            wrap=draw(st.sampled_from(["none", "none", "cylinder", "torus"])),
            opaque=draw(st.booleans()),
        )
    except InputError:
        return Chess(("K",), "K")


WRAPS = st.sampled_from(["none", "cylinder", "torus"])


@st.composite
def counts(draw: st.DrawFn) -> PieceRange:
    low, more = draw(st.integers(0, 1)), draw(st.sampled_from([0, 0, 1, MANY]))
    return PieceRange(low, min(low + more, MANY))


@st.composite
def slopes(draw: st.DrawFn) -> AttackSlope:
    """A line of attack, one way or in its mirror images, with a reach of its own or the board's."""
    one_way, least = draw(st.sampled_from([(False, 0), (True, -2)]))
    step = draw(st.tuples(st.integers(least, 2), st.integers(least, 2)).filter(any))
    return AttackSlope(*step, one_way, draw(st.sampled_from([None, 0, 1, 2, MANY])))


@st.composite
def queens_boards(draw: st.DrawFn) -> QueensBoard:
    """Any small board that is not faulty by itself."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))

    grid = partial(draw_grid, draw, height, width)
    marks = tuple("".join(row) for row in grid(st.sampled_from(".......#@Q" if draw(st.booleans()) else "....#")))
    colours = grid(st.sampled_from("AAABBC.")) if draw(st.booleans()) else []
    names = tuple(
        tuple("." if m in "#@" and draw(st.booleans()) else n for n, m in zip(row, marks[r], strict=True))
        for r, row in enumerate(colours)
    )
    cells = st.sets(st.tuples(st.integers(0, height - 1), st.integers(0, width - 1)), min_size=1, max_size=4)
    extra = draw(st.lists(st.tuples(counts(), cells), max_size=2))
    attacks = draw(
        st.lists(st.tuples(st.tuples(st.integers(0, height - 1), st.integers(0, width - 1)), cells), max_size=2)
    )
    reach = (
        grid(st.sampled_from([0, 1, 2, MANY])) if draw(st.booleans()) else [[draw(st.sampled_from([0, 1, 2, MANY]))]]
    )
    board = QueensBoard(
        marks=marks,
        rows=tuple(draw(counts()) for _ in range(height)),
        columns=tuple(draw(counts()) for _ in range(width)),
        colours=names,
        counts=tuple(draw(counts()) for _ in cells_by_name(names)),
        extra=tuple(PieceGroup(f"X{k}", n, tuple(sorted(cells))) for k, (n, cells) in enumerate(extra)),
        slopes=tuple(draw(st.lists(slopes(), max_size=2, unique=True))) if draw(st.booleans()) else DIAGONALS,
        reach=tuple(map(tuple, reach)),
        wrap=draw(WRAPS),
        attacks=tuple({a: tuple(sorted(others - {a})) for a, others in attacks if others - {a}}.items()),
    )
    if len(board.reach) * len(board.reach[0]) == 1:
        board = QueensBoard(**{**vars(board), "reach": (board.reach[0],)})
    return QueensBoard(("Q",), (PieceRange(1, 1),), (PieceRange(0, MANY),)) if board.first_fault() else board


@st.composite
def galaxies_boards(draw: st.DrawFn, most: int = 4) -> Galaxies:
    """Boards of up to 4x4 with dots that claim no cell twice, with or without an answer."""
    height, width = draw(st.integers(1, most)), draw(st.integers(1, most))
    holes = draw(st.sets(st.tuples(st.integers(0, height - 1), st.integers(0, width - 1)), max_size=1))
    places = [(y, x) for y in range(1, 2 * height) for x in range(1, 2 * width)]
    wanted = draw(st.lists(st.sampled_from(places), min_size=1, max_size=6, unique=True))
    dots = [dot for dot in wanted if not holes.intersection(core(dot))]
    if not dots:
        return Galaxies(1, 1, ((1, 1),))
    black = frozenset(draw(st.sets(st.sampled_from(dots))))
    return Galaxies(height, width, tuple(sorted(dots)), black, frozenset(holes))


@st.composite
def tents_boards(draw: st.DrawFn) -> Tents:
    """Boards of up to 5x5 with some counts missing, made from a layout of tents."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(2, 5))
    grid = [[FREE] * columns for _ in range(rows)]
    tents: set[tuple[int, int]] = set()
    for _ in range(draw(st.integers(1, 5))):
        r, c = draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))
        dr, dc = draw(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]))
        inside = 0 <= r + dr < rows and 0 <= c + dc < columns
        touches = any(max(abs(r - s), abs(c - d)) <= 1 for s, d in tents)
        if inside and not touches and grid[r][c] == grid[r + dr][c + dc] == FREE and (r + dr, c + dc) not in tents:
            tents.add((r, c))
            grid[r + dr][c + dc] = TREE
    if not tents:
        tents, grid[0][0] = {(0, 1)}, TREE
    given_ = draw(st.sets(st.sampled_from(sorted(tents)), max_size=1))
    for r, c in given_:
        grid[r][c] = TENT
    known = [draw(st.booleans()) for _ in range(rows + columns)]
    row_counts = [sum(r == k for r, _ in tents) if known[k] else None for k in range(rows)]
    column_counts = [sum(c == k for _, c in tents) if known[rows + k] else None for k in range(columns)]
    return Tents(tuple(map("".join, grid)), tuple(row_counts), tuple(column_counts))


@st.composite
def linkedin_boards(draw: st.DrawFn) -> QueensBoard:
    """A square with one queen in each line and region; regions called Q, or whose names spell headers."""
    side = draw(st.integers(1, 5))
    rows = draw_grid(draw, side, side, st.sampled_from(draw(st.sampled_from(["Q.", "Q#.", "QA", "QABC", "abc", "."]))))
    words = [word for word in ("board", "size", "rows") if len(word) == side]
    if words and draw(st.booleans()):
        rows = [[*draw(st.sampled_from(words))], *rows[1:]]
    rows[-1][-1] = "Q"  # so that a queen can stand on some cell
    marks = tuple("".join(t if t == "#" else "." for t in row) for row in rows)
    names = tuple(tuple("." if t == "#" else t for t in row) for row in rows)
    ones = (PieceRange(1, 1),) * side
    return QueensBoard(marks, ones, ones, names, (PieceRange(1, 1),) * len(cells_by_name(names)), reach=((1,),))


def _made(family, boards):
    return boards.map(lambda board: family(**vars(board)))


RANDOM = {
    "chess": chess_boards(),
    "galaxies": galaxies_boards(),
    "kakuro": solved_boards().map(lambda b: Kakuro(tuple(tuple(map(cell_of, row)) for row in b[0]), b[1], b[2])),
    "queens": _made(Queens, queens_boards() | linkedin_boards()),
    "starbattle": star_battles(),
    "sudoku": sudokus() | area_sudokus(),
    "takuzu": takuzus(),
    "tango": tangos(),
    "tents": tents_boards(),
}
"""A strategy for each family."""

import io
import itertools
import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.model import from_cpmpy
from gatesolve.model.reference import find_optimum, find_solutions
from gatesolve.puzzles import Puzzle, load, parse
from gatesolve.puzzles.chess.board import PIECES, ChessBoard, Moves, around
from gatesolve.puzzles.chess.puzzle import Chess
from gatesolve.puzzles.grid import name_by_letters

EXAMPLES = Path(__file__).parents[2] / "examples" / "chess"
FILES = sorted(EXAMPLES.glob("*.txt"))
MAXIMAL = [path for path in FILES if path.name.startswith("max-")]
OWN = {"Z": Moves(leaps=around(1, 3), slides=around(0, 2)), "Y": Moves(leaps=((1, 0),), slides=((0, 1), (-1, 2)))}


def best(puzzle: Chess) -> tuple[dict[str, int], int]:
    found = find_optimum(from_cpmpy(puzzle.to_cpmpy()))
    assert found is not None
    return found


def stated_optima() -> dict[str, str]:
    return dict(re.findall(r"\| `([\w.-]+)` \| [^|]* \| ([^|]*?) \|", (EXAMPLES / "README.md").read_text()))


def test_readme_lists_every_example():
    assert set(stated_optima()) == {path.name for path in FILES}
    assert len(MAXIMAL) >= 10


@pytest.mark.parametrize("path", MAXIMAL, ids=lambda path: path.stem)
def test_examples_have_the_stated_optimum(path):
    puzzle = load(path)
    assert isinstance(puzzle, Puzzle)
    board, value = best(puzzle)
    assert puzzle.check(board) == []
    assert puzzle.worth(board) == value == int(stated_optima()[path.name])
    assert parse(puzzle.text()) == puzzle
    finished = parse(puzzle.text(board))
    assert finished.board({}) == puzzle.board(board)
    assert best(finished)[1] == value


@pytest.mark.parametrize("name", ["max-2x2-kings", "max-3x3-types", "max-4x5-pawns-rook", "max-5x5-types"])
def test_optimum_of_small_boards_is_that_of_trying_everything(name):
    puzzle = load(EXAMPLES / f"{name}.txt")
    domains = from_cpmpy(puzzle.to_cpmpy()).domains
    assert best(puzzle)[1] == most(puzzle, domains)


def most(puzzle: Chess, domains: dict[str, tuple[int, ...]]) -> int:
    """The most that a board without broken rules is worth, by putting down piece after piece."""
    free = [name for name, values in domains.items() if len(values) > 1]
    start = {name: int(len(values) == 1) for name, values in domains.items()}

    def after(k: int, board: dict[str, int]) -> int:
        top = puzzle.worth(board)
        for j in range(k, len(free)):
            further = board | {free[j]: 1}
            if not puzzle.check(further):
                top = max(top, after(j + 1, further))
        return top

    return after(0, start)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("piece", "side", "count"),
    [("K", 8, 16), ("Q", 8, 8), ("R", 8, 8), ("B", 8, 14), ("N", 8, 32), ("P", 8, 32), ("Q", 3, 2), ("K", 5, 9)],
)
def test_known_numbers_of_independent_pieces(piece, side, count):
    assert best(parse(f"chess max\npieces {piece}\nsize {side}"))[1] == count


def test_coloured_example():
    puzzle = load(EXAMPLES / "coloured-5x5.txt")
    model = from_cpmpy(puzzle.to_cpmpy())
    assert model.objective is None
    boards = find_solutions(model, 50)
    assert len(boards) == int(re.search(r"(\d+) solutions", stated_optima()["coloured-5x5.txt"])[1])
    assert all(puzzle.check(board) == [] for board in boards)
    assert {sum(token.isalpha() for row in puzzle.board(board) for token in row) for board in boards} == {6}


@st.composite
def boards(draw: st.DrawFn) -> ChessBoard:
    """Any small board that is not faulty by itself."""
    height, width = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    known = "".join(PIECES) + "ZY"
    pieces = "".join(draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True)))

    def grid(cell: st.SearchStrategy) -> list:
        return draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=height, max_size=height))

    marks = tuple("".join(row) for row in grid(st.sampled_from(".......#@" + draw(st.sampled_from(["", "KN"])))))
    several = st.sampled_from([".", "K", "N", "RP", "KQR", "BZ", "Y"])
    types = tuple(map(tuple, grid(several))) if draw(st.booleans()) else ()
    types = tuple(
        tuple(marks[r][c] if marks[r][c].isalpha() else t for c, t in enumerate(row)) for r, row in enumerate(types)
    )
    regions = name_by_letters(tuple(map(tuple, grid(st.sampled_from("AAB."))))) if draw(st.booleans()) else ()
    used = set(pieces) | {piece for row in (*types, *marks) for held in row for piece in held}
    board = ChessBoard(
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
    return ChessBoard(("K",), "K") if board.first_fault() else board


@settings(deadline=None)
@given(boards())
def test_text_round_trip(board):
    puzzle = Chess(**vars(board))
    assert parse(puzzle.text()) == puzzle
    assert parse(json.dumps({"family": "chess", "text": puzzle.text()})) == puzzle


@pytest.mark.more_examples(150)
@settings(max_examples=50, deadline=None)
@given(boards(), st.data())
def test_model_and_checker_agree(board, data):
    """On every assignment with at most nine free variables, the others zero."""
    puzzle = Chess(**vars(board))
    model = from_cpmpy(puzzle.to_cpmpy())
    names = {f"r{r + 1}c{c + 1}{p}" for r, c in board.usable() for p in board.holds((r, c))}
    assert set(model.domains) == names
    fixed = {name for name, values in model.domains.items() if values == (1,)}
    free = data.draw(st.permutations(sorted(names - fixed)))[:8]
    rest = {name: int(name in fixed) for name in names}
    for values in itertools.product((0, 1), repeat=len(free)):
        attempt = rest | dict(zip(free, values, strict=True))
        assert model.check(attempt) == (puzzle.check(attempt) == [])
        if model.objective:
            assert model.objective.value(attempt) >= puzzle.worth(attempt)


def test_pieces_threaten_what_they_should():
    """Each piece in the middle of a board of kings: which cells its threat leaves to no king."""
    threatened = {
        "K": ".....\n.xxx.\n.x.x.\n.xxx.\n.....",
        "N": ".x.x.\nx...x\n.....\nx...x\n.x.x.",
        "B": "x...x\n.x.x.\n.....\n.x.x.\nx...x",
        "R": "..x..\n..x..\nxx.xx\n..x..\n..x..",
        "Q": "x.x.x\n.xxx.\nxx.xx\n.xxx.\nx.x.x",
        "P": ".....\n.x.x.\n.....\n.....\n.....",
    }
    for piece, picture in threatened.items():
        text = f"chess max\npieces P\nboard\n.....\n.....\n..{piece}..\n.....\n.....\n"
        puzzle = parse(text)
        for r, row in enumerate(picture.split("\n"), 1):
            for c, mark in enumerate(row, 1):
                # pawns on the cells below the middle threaten some cells themselves, so they are told apart
                broken = [
                    words
                    for words in puzzle.check({"r3c3" + piece: 1, f"r{r}c{c}P": 1})
                    if words.startswith(f"{piece} at r3c3 threatens")
                ]
                assert bool(broken) == (mark == "x"), (piece, r, c)


def test_blocked_cells_stop_slides_only_where_the_board_says_so():
    row = "chess max\npieces R\nboard\n..#..\n"
    assert best(parse(row))[1] == 1
    assert best(parse("opaque\n" + row))[1] == 2
    assert best(parse("opaque\ncylinder\n" + row))[1] == 1


def test_a_piece_that_moves_one_way():
    up = "chess max\npiece Z slide -1,+0\npieces {}\nsize 3 1"
    assert best(parse(up.format("Z")))[1] == 1
    # a pawn threatens nothing on its own column, and one above a Z is threatened by it
    assert best(parse(up.format("Z P")))[1] == 3


@pytest.mark.parametrize(
    ("text", "row", "column", "says"),
    [
        ("pieces K\nsize 3", 1, None, "write 'chess max' or 'chess coloured' as the first line"),
        ("chess min\npieces K\nsize 3", 1, 2, "write 'chess max' or 'chess coloured'"),
        ("chess coloured\npieces K\nsize 3", None, None, "'chess coloured' without regions"),
        ("chess max\nsize 3", None, None, "no pieces: write which are in play"),
        ("chess max\npieces\nsize 3", 2, 1, "no pieces: write which"),
        ("chess max\npieces K X\nsize 3", 2, 3, "X is no piece, or is said twice: write some of K Q R B N P"),
        ("chess max\npieces K K\nsize 3", 2, 3, "K is no piece, or is said twice"),
        ("chess max\npieces K\nweights K\nsize 3", 3, 2, "K is no weight"),
        ("chess max\npieces K\nweights K=1 K=2\nsize 3", 3, 3, "K=2 is no weight"),
        ("chess max\npieces K", None, None, "no board: draw one below a line 'board'"),
        ("chess max\npieces K\nsize 0", 3, 2, "a board of side 0: choose a side of 1..64"),
        ("chess max\npieces K\nsize 3 200", 3, 3, "a board of side 200"),
        ("chess max\npieces K\nboard\n" + "." * 200, 4, 65, "200 cells in a row"),
        ("chess max\npieces K\nboard\n...\n..", 5, 3, "2 cells here but 3 in the board's first row"),
        ("chess max\npieces K\nboard\n..x", 4, 3, "unknown x: write . or # or @ or one of the pieces K Q R B N P"),
        ("chess max\npieces K\n...", 3, 1, "a grid without a name: write 'board', 'types' or 'regions'"),
        ("chess max\npieces K\nboard\n...\nregions\nAB", 6, 1, "the grid 'regions' has another size"),
        ("chess max\npieces K\nboard\n###", 4, 1, "no cell of the board can hold a piece"),
        ("chess max\npiece K leap 1,2\nsize 3", 2, 2, "name a piece by a capital letter of its own"),
        ("chess max\npiece Z leap 1\npieces Z\nsize 3", 2, 4, "1 is no move: write it as leap 1,2 or slide 0,1"),
        ("chess max\npiece Z 1,2\npieces Z\nsize 3", 2, 3, "1,2 is no move"),
        ("chess max\npiece Z leap 0,0\npieces Z\nsize 3", 2, 4, "0,0 is no move"),
        ("chess max\npiece Z\npieces Z\nsize 3", 2, 2, "a piece without a move"),
        ("chess max\nchess max\npieces K\nsize 3", 2, 1, "a second line 'chess'"),
        ('{"family": "chess"}', None, None, "JSON has no field 'text'"),
        ('{"family": "kakuro", "text": ""}', None, None, "JSON of family 'kakuro', read as chess"),
    ],
)
def test_faults_are_named_with_their_place(text, row, column, says):
    begun = time.perf_counter()
    with pytest.raises(InputError) as caught:
        parse(text, "chess", "f.txt")
    assert time.perf_counter() - begun < 2
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    if row is not None:
        assert (caught.value.row, caught.value.column if column else None) == (row, column)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="KQN.#@ABZ12=, \nchesmaxpieoardtyplg+-\x00é\u2028", max_size=60))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    try:
        puzzle = parse("chess max\n" + text, "chess")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text()) == puzzle


@pytest.mark.slow
def test_pictures(tmp_path):
    console = Console(width=80, no_color=True, record=True, file=io.StringIO())
    for path in FILES:
        puzzle = load(path)
        model = from_cpmpy(puzzle.to_cpmpy())
        board = find_optimum(model)[0] if model.objective else find_solutions(model, 1)[0]
        console.print(puzzle.render(board))
        puzzle.draw(tmp_path / f"{path.stem}.svg", board)
    shown = console.export_text()
    for words in ("torus", "weights Q 3", "piece Z: leaps", "pieces a cell may hold:", "###"):
        assert words in shown
    load(FILES[0]).draw(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_titles():
    assert load(EXAMPLES / "coloured-5x5.txt").title == "Coloured Chess Pieces 5x5: pieces N Q B K R P, 6 regions"
    assert load(EXAMPLES / "max-8x8-queens.txt").title == "Max Chess Pieces 8x8: pieces Q, 3 given"

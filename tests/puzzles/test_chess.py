import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from gatesolve.formats import from_cpmpy
from gatesolve.model import find_optimum, find_solutions
from gatesolve.puzzles import Chess, Puzzle, load, parse
from gatesolve.puzzles.chess import conflicts

EXAMPLES = Path(__file__).parents[2] / "examples" / "chess"
FILES = sorted(EXAMPLES.glob("*.txt"))
MAXIMAL = [path for path in FILES if path.name.startswith("max-")]


def best(puzzle: Chess) -> tuple[dict[str, int], int]:
    found = find_optimum(from_cpmpy(puzzle.to_cpmpy()))
    assert found is not None
    return found


def stated_optima() -> dict[str, str]:
    return dict(re.findall(r"\| `([\w.-]+)` \| [^|]* \| ([^|]*?) \|", (EXAMPLES / "README.md").read_text()))


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


def test_coloured_example():
    puzzle = load(EXAMPLES / "coloured-5x5.txt")
    model = from_cpmpy(puzzle.to_cpmpy())
    assert model.objective is None
    boards = find_solutions(model, 50)
    assert len(boards) == int(re.search(r"(\d+) solutions", stated_optima()["coloured-5x5.txt"])[1])
    assert all(puzzle.check(board) == [] for board in boards)
    assert {sum(token.isalpha() for row in puzzle.board(board) for token in row) for board in boards} == {6}


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


def test_notes_below_a_board_name_its_rules():
    shown = io.StringIO()
    for path in FILES:
        Console(file=shown, width=80, no_color=True).print(load(path).render())
    for words in ("torus", "weights Q 3", "piece Z: leaps", "pieces a cell may hold:", "###"):
        assert words in shown.getvalue()


def test_no_set_of_pieces_that_threaten_each_other_is_inside_another():
    found = [frozenset(clique) for clique in conflicts(load(EXAMPLES / "max-3x3-types.txt"))]
    assert len(found) > 9
    assert not any(one < other for one in found for other in found)

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kakuro_boards import EXAMPLES, cell_of, solved_boards

from gatesolve.errors import InputError
from gatesolve.puzzles import families, load, parse
from gatesolve.puzzles.kakuro.grid import Black, White
from gatesolve.puzzles.kakuro.puzzle import Kakuro


def fault(text: str, family: str | None = "kakuro") -> tuple[int | None, int | None, str]:
    with pytest.raises(InputError) as caught:
        parse(text, family, "f.txt")
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    return caught.value.row, caught.value.column, str(caught.value)


@given(solved_boards(), st.sampled_from([" ", "   ", "\t", " \t "]), st.sampled_from(["\n", "\r\n", "\r", "\n\n"]))
def test_parses_what_was_written(board, gap, end):
    rows, low, high, _ = board
    text = end.join(["\ufeff; a comment", f"values {low}..{high}", *(gap + gap.join(row) for row in rows)])
    puzzle = parse(text)
    assert puzzle == Kakuro(tuple(tuple(cell_of(t) for t in row) for row in rows), low, high)


@given(solved_boards())
def test_json_is_the_same_board(board):
    rows, low, high, _ = board
    record = {"id": "x", "family": "kakuro", "grid": [" ".join(row) for row in rows], "values": [low, high]}
    text = "\n".join([f"values {low}..{high}", *record["grid"]])
    assert parse(json.dumps(record)) == parse(text)


def test_tokens_mean_what_they_say():
    puzzle = parse("values 0..4\n# # 4\\ 5\\\n# 3\\3 . _\n\\6 2 . 3\n# . # #\n", "kakuro")
    assert puzzle.grid == (
        (Black(), Black(), Black(down=4), Black(down=5)),
        (Black(), Black(down=3, across=3), White(), White()),
        (Black(across=6), White(2), White(), White(3)),
        (Black(), White(), Black(), Black()),
    )


def test_title_sums_the_board_up():
    assert load(EXAMPLES / "contest.txt").title == "Kakuro 4x4: 7 cells, 6 runs, values 0..3"


def test_a_board_of_30_by_30_parses():
    head, line = "# " + "45\\ " * 9, "\\45 " + ". " * 9
    block = [head * 3] + [line * 3] * 9
    assert len(parse("\n".join(block * 3)).runs) == 162


SMALL = "#  3\\ 4\\\n\\3 .  .\n\\4 .  .\n"


def test_a_board_made_in_python_is_judged_too():
    with pytest.raises(InputError, match="row 1, column 1: sum 9 across has no white cell") as caught:
        Kakuro(((Black(across=9), Black()), (Black(down=3), Black()), (White(), White()), (White(), White())))
    assert (caught.value.row, caught.value.column) == (1, 1)


def test_family_is_found_or_asked_for():
    assert "kakuro" in families()
    assert parse(SMALL) == parse(SMALL, "kakuro")
    with pytest.raises(InputError, match="unknown puzzle family 'crossword': choose one of kakuro"):
        parse(SMALL, "crossword")
    assert "not recognised as a puzzle: give family=NAME, one of" in fault("hello world", None)[2]
    assert (
        "unknown puzzle family 'crossword': choose one of kakuro"
        in fault('{"family": "crossword", "grid": "..."}', None)[2]
    )

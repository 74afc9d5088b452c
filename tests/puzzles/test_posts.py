"""Boards in emoji with words around them."""

import pytest

from gatesolve.errors import InputError
from gatesolve.puzzles import parse

QUEENS = "🟥🟥🟧🟧\n🟥🟥🟥🟧\n🟨🟨🟩🟩\n🟨🟩🟩🟩\n"
TAKUZU = "⚪⬜⬜⚫\n⬜⬜⬜⬜\n⬜⚫⬜⬜\n⬜⬜⬜⬜\n"


@pytest.mark.parametrize("board", [QUEENS, TAKUZU])
@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("Queens #123 | 0:32 👑\n", "lnkd.in/queens\n"),
        ("", "Solved in 0:42! 🎉\n"),
        ("Today's board\n\n", ""),
        ("", "\nwith 🟥🟥🟥 luck\n"),
    ],
)
def test_words_around_a_board_are_passed_over(board, above, below):
    assert parse(above + board + below) == parse(board)


def test_faults_are_told_by_the_lines_of_the_post():
    with pytest.raises(InputError) as caught:
        parse("Look at this\n" + QUEENS.replace("🟩🟩🟩", "🟩🟩🟩🟩") + "and solve it\n", None, "post.txt")
    assert (caught.value.source, caught.value.row) == ("post.txt", 5)


@pytest.mark.parametrize("line", ["reech 2", "queenz 2", "r1c1 = r1c2", "region A 1..2 3"])
def test_a_line_that_may_be_a_rule_is_not_passed_over(line):
    with pytest.raises(InputError):
        parse(QUEENS + line + "\n", "queens")


def test_two_boards_are_not_one():
    with pytest.raises(InputError):
        parse(f"one\n{QUEENS}two\n{QUEENS}")

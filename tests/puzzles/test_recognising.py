"""The family of a board is found from its text: by a line that only its boards have, or by its tokens."""

import pytest

from gatesolve.puzzles import parse

BINAIRO = """10 10
1 - 1 1 - - 1 1 - -
- - - - 2 - 1 - - 2
- - - - - - - 2 - -
- - - - - - - - - -
- - 2 - 1 - - - - -
- 1 - - - - 2 - 2 2
- 1 - - - 1 - - - -
2 - - - - - - - - -
- - - 2 - 2 2 - - -
- 1 - - - - - 1 - -
"""
WIDE_GALAXIES = "5 4\n" + "0 - - 0\n" * 2 + "- - - -\n" + "- 2 - -\n" + "- - - -\n"
RECTANGLE = "3 4\n0 - - 0\n- 2 - -\n- - - 0\n"


@pytest.mark.parametrize(
    ("text", "family"),
    [
        (BINAIRO, "takuzu"),
        (BINAIRO.replace("2", "0"), "takuzu"),
        ("10 10\n" + BINAIRO.split("\n", 1)[1].replace("2", "w").replace("1", "b"), "takuzu"),
        ("4 4\n1 - - -\n- - 2 -\n- 1 - -\n- - - -\n", "takuzu"),
        ("4 4\n0 - - -\n- - 2 -\n- 0 - -\n- - - 0\n", "galaxies"),
        (WIDE_GALAXIES, "galaxies"),
        (RECTANGLE, "galaxies"),
        ("boxes\nAABB\nAABC\nDDBC\nDDCC\n", "sudoku"),
        ("stars 1\nABDD\nABDD\nABCD\nACCD\n", "starbattle"),
    ],
)
def test_the_header_and_the_tokens_tell_the_family(text, family):
    assert parse(text).family == family


def test_a_takuzu_below_its_size_reads_both_values():
    puzzle = parse(BINAIRO)
    assert puzzle.board({})[0] == ["0", ".", "0", "0", ".", ".", "0", "0", ".", "."]
    assert puzzle.board({})[1][4] == "1"
    assert parse(puzzle.text()) == puzzle

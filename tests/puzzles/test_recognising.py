"""The family of a board is found from its text: by a line that only its boards have, or by its tokens."""

import pytest

from gatesolve.errors import InputError
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
TENTS = """6 6
1 1 0 1 2 1
1 0 1 1 2 1
- x - - - -
- - - x - -
- x - - x -
- - - - - -
- - - - x -
- x - - - -
"""
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
        ("3 5\n1 - 1 - -\n1 - 1 - -\n1 - 1 - -\n", "galaxies"),
        ("5 5\n0 - 1 - -\n- - - - -\n- 1 - - -\n- - - - -\n- - - - -\n", "galaxies"),
        ("6 6\n1..0..\n......\n......\n......\n......\n0.....\n", "takuzu"),
        (TENTS, "tents"),
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


def test_a_small_rectangle_of_ones_may_be_of_two_families():
    """Galaxies of rows and a Takuzu of two rows look alike."""
    with pytest.raises(InputError, match="could be takuzu and galaxies: give family=NAME"):
        parse("2 4\n1 - 1 -\n1 - 1 -\n")


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        (
            '{"family": "sudoku", "boxes": ["AAAB", "ACBB", "CCDB", "CDDD"], "grid": "1..............."}',
            "write 'regions'",
        ),
        ('{"family": "takuzu", "grid": ["1.", ".."], "unique": false}', "write 'unique_lines'"),
        (
            '{"family": "takuzu", "grid": ["1.", ".."], "wrap": "both"}',
            "write the line \"wrap both\" into the list 'lines'",
        ),
        ('{"family": "nqueens", "size": 5, "torus": true}', "write the board as text"),
    ],
)
def test_words_of_the_text_format_are_not_passed_over_in_json(text, mend):
    with pytest.raises(InputError, match=r"JSON has no field '[a-z]+': ") as caught:
        parse(text)
    assert mend in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("12..\n..34\n", "row 2, column 4: 2 rows of 4 cells: a sudoku is square; add or remove rows"),
        ("53..7....\n6..195...\n", "row 2, column 9: 2 rows of 9 cells: a sudoku is square; add or remove rows"),
        ("1 .\n. 2\n", "row 2: 2 rows: no boxes of several rows and columns"),
    ],
)
def test_of_two_rows_of_a_sudoku_it_is_said_what_is_wrong_with_them(text, said):
    with pytest.raises(InputError) as caught:
        parse(text)
    assert said in str(caught.value)

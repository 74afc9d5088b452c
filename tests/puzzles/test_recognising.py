"""The family of a board is found from its text: by a line that only its boards have, or by its tokens."""

import json

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
        (".2.1\n..1.\n.1..\n2..3\n", "sudoku"),
        ("02.1\n..1.\n.1..\n2...\n", "sudoku"),
        ("1. | .2\n.. | ..\n---+---\n.. | ..\n.. | ..\n", "sudoku"),
        ("1. | .2\n.. | ..\n.. | ..\n.. | ..\n", "sudoku"),
        ("12..............", "sudoku"),
        ("box 2x2\n.2.1\n..1.\n.1..\n2...\n", "sudoku"),
        ("takuzu\n.2.1\n..1.\n.1..\n22.1\n", "takuzu"),
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
    with pytest.raises(InputError, match="could be takuzu and galaxies: give family=takuzu or family=galaxies"):
        parse("2 4\n1 - 1 -\n1 - 1 -\n")


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ('{"family": "takuzu", "grid": ["1.", ".."], "unique": false}', "write 'unique_lines'"),
        ('{"family": "takuzu", "grid": ["1.", ".."], "wrap": "both"}', "into the list 'lines'"),
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


BOARD = [[0, 1, 0, 0], [0, 0, 4, 2], [3, 0, 0, 0], [0, 2, 0, 0]]
REGIONS = ["AABB", "AABC", "DDBC", "DDCC"]
CAGES = [{"sum": 5, "cells": [[0, 0], [0, 1]]}]


@pytest.mark.parametrize(
    ("data", "title"),
    [
        ({"board": BOARD}, "Sudoku 4x4: boxes of 2 rows x 2 columns, 5 clues"),
        ({"grid": BOARD, "difficulty": "easy"}, "Sudoku 4x4: boxes of 2 rows x 2 columns, 5 clues"),
        ({"board": [[v or None for v in row] for row in BOARD]}, "Sudoku 4x4: boxes of 2 rows x 2 columns, 5 clues"),
        ({"size": 4, "box": [2, 2], "cages": CAGES}, "Sudoku 4x4: boxes of 2 rows x 2 columns, 0 clues, 1 cage"),
        ({"regions": REGIONS, "grid": ["1...", "....", "....", "...2"]}, "Sudoku 4x4: boxes of any shape, 2 clues"),
        ({"board": [[0, 0, 1, 1], [0, 1, 1, 2], [3, 3, 1, 2], [3, 3, 2, 2]]}, "LinkedIn Queens 4x4"),
        ({"size": 8, "fixed": [[0, 0]]}, "Queens 8x8"),
        ({"regions": REGIONS, "stars": 2}, "Star Battle 4x4: 2 stars"),
        ({"grid": ["01..", "1...", "....", "...."], "unique_lines": True}, "Takuzu 4x4"),
        ({"grid": ["S...", ".M..", "...M", "...."], "signs": []}, "Tango 4x4"),
        ({"grid": ["T."], "row_counts": [1], "col_counts": [0, 1]}, "Tents & Trees 1x2"),
        ({"rows": 2, "cols": 1, "dots_half": [[1, 1], [3, 1]]}, "Galaxies 2x1"),
        ({"grid": ["# 3\\ 4\\", "\\3 . .", "\\4 . ."]}, "Kakuro 3x3"),
    ],
)
def test_json_without_a_family_is_read_by_its_fields_and_what_they_hold(data, title):
    assert parse(json.dumps(data)).title.startswith(title)


@pytest.mark.parametrize(
    ("data", "families"),
    [
        ({"board": [[0, 1, 0, 0], [0, 0, 0, 2], [3, 0, 0, 0], [0, 0, 0, 0]]}, ("sudoku", "queens")),
        ({"size": 4, "regions": REGIONS}, ("queens", "starbattle")),
        ({"grid": ["0...", ".1..", "...1", "...."], "signs": []}, ("takuzu", "tango")),
        ("1...\n....\n...1\n....\n", ("sudoku", "takuzu")),
        (".2.1\n..1.\n.1..\n22.1\n", ("sudoku", "takuzu")),
        ("1 . 1 . . 2\n" + ". . . . . .\n" * 5, ("sudoku", "takuzu")),
    ],
)
def test_what_two_families_could_claim_is_refused_with_both_named(data, families):
    text = data if isinstance(data, str) else json.dumps(data)
    one, other = families
    with pytest.raises(InputError, match=f"f: could be {one} and {other}: give family={one} or family={other}"):
        parse(text, None, "f")
    assert {parse(text, name).family for name in families} == set(families)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            {"board": BOARD, "level": 3},
            "JSON has no field 'level': write one of grid, board, size, box, regions, cages",
        ),
        ({"size": 4, "cages": CAGES}, "could be a killer sudoku, whose boxes hold each digit once, or a kenken"),
        ({"size": 4, "regions": [{"cells": [], "queens": 2}]}, "JSON has no field 'queens': write one of cells, color"),
        ({"family": "sudoku", "grid": BOARD, "board": BOARD}, "'grid' and 'board' mean the same: keep one"),
        ({"family": "tango", "grid": ["S.", ".M"], "lines": ["wrap both"]}, "JSON has no field 'lines': write one of"),
        ({"family": "tango", "grid": ["S.", ".M"], "unique_lines": True}, "a Tango may have equal lines"),
        ({"family": "takuzu", "grid": ["01", "1."], "rows": 6}, "'rows' is 6 but the board has 2 rows and 2 columns"),
        ({"family": "nqueens", "size": 4, "stars": 2}, "JSON of several stars a row is a Star Battle"),
        ({"title": {"family": "sudoku"}, "grid": ["AB", "AB"]}, "not recognised as a puzzle"),
    ],
)
def test_no_field_of_json_is_passed_over(data, said):
    with pytest.raises(InputError) as caught:
        parse(json.dumps(data), None, "f.json")
    assert str(caught.value).startswith("f.json: ")
    assert said in str(caught.value)


def test_a_field_that_stands_twice_is_refused():
    with pytest.raises(InputError, match="f: JSON has the field 'grid' twice: keep one of the two"):
        parse('{"family": "sudoku", "grid": "1...............", "grid": "2..............."}', None, "f")

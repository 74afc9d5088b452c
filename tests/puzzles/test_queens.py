import io
import itertools
import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import assert_refused
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.model import from_cpmpy
from gatesolve.model.presolve import presolve
from gatesolve.model.reference import find_solutions
from gatesolve.puzzles import Puzzle, load, parse
from gatesolve.puzzles.queens.puzzle import Queens

EXAMPLES = Path(__file__).parents[2] / "examples" / "queens"
FILES = sorted(path for path in EXAMPLES.iterdir() if path.suffix != ".md")
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "queens.jsonl").read_text().splitlines()]
TINY = "BAAA\nBBBC\nDDCC\nDDDD\n"


def found(puzzle: Queens, limit: int) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_stored_boards_have_the_stated_solutions(record):
    puzzle = parse(json.dumps(record))
    wanted = record["n_solutions"]
    boards = found(puzzle, wanted + 1)
    assert len(boards) == wanted
    assert all(puzzle.check(board) == [] for board in boards)
    if "solution" in record:
        drawn = ["".join("Q" if token == "Q" else "." for token in row) for row in puzzle.board(boards[0])]
        assert drawn == [row.replace("*", "Q") for row in record["solution"]]
    assert parse(puzzle.text()) == puzzle
    assert parse(json.dumps(record), record["family"]) == puzzle
    assert parse(json.dumps(record), "queens") == puzzle


def expected_counts() -> dict[str, int]:
    rows = re.findall(r"\| `([\w.-]+)` \| [^|]* \| (\d+) \|", (EXAMPLES / "README.md").read_text())
    return {name: int(count) for name, count in rows}


def test_readme_lists_every_example():
    assert set(expected_counts()) == {path.name for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples_have_the_stated_solutions(path):
    puzzle = load(path)
    assert isinstance(puzzle, Queens)
    assert isinstance(puzzle, Puzzle)
    boards = found(puzzle, 20)
    assert len(boards) == expected_counts()[path.name]
    assert all(puzzle.check(board) == [] for board in boards)
    assert parse(puzzle.text()) == puzzle
    finished = parse(puzzle.text(boards[0]))
    assert finished.board({}) == puzzle.board(boards[0])
    assert found(finished, 2) == boards[:1]


@pytest.mark.parametrize(("side", "count"), [(1, 1), (4, 2), (5, 10), (6, 4), (8, 92)])
def test_n_queens_has_the_known_number_of_solutions(side, count):
    assert len(found(parse(f"queens\nsize {side}"), 100)) == count


@pytest.mark.parametrize(("side", "wrap", "count"), [(5, "torus", 10), (6, "torus", 0), (7, "torus", 28), (4, "", 2)])
def test_toroidal_boards(side, wrap, count):
    """28 and 10 are the numbers of toroidal solutions on sides 7 and 5 (OEIS A007705)."""
    assert len(found(parse(f"queens\nsize {side}\n{wrap}"), 100)) == count


def test_largest_published_board_lowers_and_propagates_fast():
    puzzle = load(EXAMPLES / "linkedin-18x18.txt")
    begun = time.perf_counter()
    smaller, _ = presolve(from_cpmpy(puzzle.to_cpmpy()), "propagate")
    assert len(smaller.variables) < 200
    assert time.perf_counter() - begun < 10


def test_formats_of_linkedin_programs_are_the_same_board():
    puzzle = parse(TINY)
    grid = TINY.split()
    order = list(dict.fromkeys("".join(grid)))
    numbers = [[order.index(name) for name in row] for row in grid]
    cells = [[[r, c] for r, row in enumerate(grid) for c, name in enumerate(row) if name == n] for n in order]
    for text in (
        json.dumps({"family": "queens_linkedin", "size": 4, "stars": 1, "regions": grid}),
        json.dumps({"size": 4, "regions": [{"cells": one} for one in cells]}),
        json.dumps({"colorRegions": [list(row) for row in grid]}),
        "regions\n" + TINY,
        "queens\n\n; all its queens\nregions\n" + "\n".join(",".join(row) for row in grid),
        "queens 1\nreach 1\nregions 1\nsize 4\nrows 1 1 1 1\n" + TINY.replace("regions", ""),
    ):
        assert parse(text, "queens").size == (4, 4)
        assert found(parse(text, "queens"), 3) == found(puzzle, 3)
    by_number = parse(json.dumps({"board": numbers}))
    assert found(by_number, 3) == found(puzzle, 3)
    assert parse("\n".join(" ".join(map(str, row)) for row in numbers), "queens") == by_number


def test_csplib_files_are_the_boards_of_the_records():
    by_id = {record["id"]: record for record in RECORDS}
    assert load(EXAMPLES / "csplib079-diag-8-4-7.param") == parse(json.dumps(by_id["csplib:diag-8-4-7:first4"]))
    record = by_id["csplib:block-10-58-1"]
    blocks = ",".join(f"[{r + 1},{c + 1}]" for r, c in record["blocked"])
    text = f"language ESSENCE' 1.b.a\nletting n be {record['size']}\nletting blocks be [{blocks}]\n"
    assert parse(text) == parse(json.dumps(record))


def test_a_bare_grid_of_queens_is_a_completion():
    puzzle = parse("..Q.\n....\n....\n....\n")
    assert puzzle == parse("queens\nboard\n..Q.\n....\n....\n....\n")
    (solution,) = found(puzzle, 3)
    assert ["".join(row) for row in puzzle.board(solution)] == ["..Q.", "Q...", "...Q", ".Q.."]


def test_each_rule_is_named_when_broken():
    puzzle = parse("queens\nregions\n" + TINY + "board\n....\n....\nQ...\n..#.\n", "queens")
    blank = dict.fromkeys((f"r{r + 1}c{c + 1}" for r, c in puzzle.usable()), 0)
    assert puzzle.check(blank | {"r3c1": 1, "r4c2": 1, "r1c3": 1}) == [
        "queens at r3c1 and r4c2 attack each other",
        "row 2 has 0 queens, not 1",
        "column 4 has 0 queens, not 1",
        "region B has 0 queens, not 1",
        "region C has 0 queens, not 1",
        "region D has 2 queens, not 1",
    ]
    assert "r4c3 holds no queen: it is no cell for one" in puzzle.check(blank | {"r4c3": 1})
    assert "r3c1 has no queen where one is given" in puzzle.check(blank)
    assert "r1c1 is 3, not 0 or 1" in puzzle.check(blank | {"r1c1": 3})
    assert "r1c1 has no value" in puzzle.check({n: v for n, v in blank.items() if n != "r1c1"})


@pytest.mark.parametrize(
    ("text", "row", "column", "says"),
    [
        ("AABB\nABB\nCCDD\nCDDD", 2, 4, "3 cells here but 4 in the board's first row: add the missing"),
        ("AABB\nABBBB\nCCDD\nCDDD", 2, 5, "5 cells here but 4 in the board's first row: remove the extra"),
        ("AABB\nAB?B\nCCDD\nCDDD", 2, 3, "unknown ?: write a letter for a region"),
        ("queens\nsize 0", 2, 2, "a board of side 0: choose a side of 1..64"),
        ("queens\nsize 200", 2, 2, "a board of side 200"),
        ("queens\nsize 4 x", 2, 1, "write the side of the board as 'size 8'"),
        ("queens\n", None, None, "no board: write its grid, or its side"),
        ("A\n" * 200, 65, None, "200 rows: a board has at most 64"),
        ("regions\n" + TINY + "board\n....\nQ..\n....\n....", 8, 4, "3 cells here but 4"),
        ("regions\n" + TINY + "board\n...\n...\n...", 7, 1, "different sizes"),
        ("regions\n" + TINY + "regions\n" + TINY, 7, 1, "a second grid called 'regions'"),
        (TINY + "size 4\n" + TINY, 6, 1, "a second grid without a name"),
        (TINY + "regions\n" + TINY, 1, None, "a second grid of this kind"),
        ("queens\nsize 4\nrows 1 1 1", 3, 5, "3 numbers for 4 rows: write one for each, or one for all"),
        ("queens\nsize 4\nrows 2..1", 3, 2, "2..1 is empty: write the smaller number first, 1..2"),
        ("queens\nsize 4\nrows x", 3, 2, "x is no number of queens"),
        ("queens\nsize 4\nregion E 1", 3, 2, "region E is not in the grid of letters: add a colon and its cells"),
        ("queens\n" + TINY + "region A 1: r1c1", 6, 2, "region A is in the grid of letters: leave out the cells"),
        ("queens\nsize 4\nregion E 1: r1c1 r5c1", 3, 5, "r5c1 is no cell of the board: write r1c1 to r4c4"),
        ("queens\nsize 4\nregion E 1:", 3, None, "a region without cells"),
        ("queens\nsize 4\nregion E", 3, 1, "write a region as"),
        ("queens\nsize 4\nregion E 1: r1c1\nregion E 1: r1c2", 4, 2, "region E a second time"),
        ("queens\nsize 4\nslopes 1/0 0/0", 3, 3, "0/0 is no slope"),
        ("queens\nsize 4\nslopes", 3, 1, "no slope"),
        ("queens\nsize 4\nreach far", 3, 2, "write one number of steps"),
        ("queens\nsize 2\nreach\n1 1\n1 x", 5, 2, "x is no number of steps"),
        ("queens\nsize 4\nreach\n1 1\n1 1", 3, 1, "is not 4x4 as the board is"),
        ("queens\nsize 4\nsize 4", 3, 1, "a second line 'size'"),
        ("letting n=8\nletting diags=[[3,2]]", 2, None, "diagonal [3,2]: write a number of 0..14"),
        ("letting n=8\nletting diags=[[3,x]]", 2, None, "'diags' is no list of pairs"),
        ("letting n=4\nletting blocks=[[0,1]]", 2, None, "block [0,1] is outside the board"),
        ("letting blocks=[[1,1]]", None, None, "no line 'letting n = ...': add it"),
        ("letting n=200\nletting blocks=[[1,1]]", 1, None, "a board of side 200"),
        ('{"family": "nqueens"}', None, None, "'size' is not a number of 1..64"),
        ('{"family": "nqueens", "size": 0}', None, None, "'size' is not a number of 1..64"),
        ('{"family": "nqueens", "size": 4, "fixed": [[4, 0]]}', None, None, "cell [4, 0] outside the board of 4x4"),
        ('{"family": "nqueens", "size": 4, "fixed": 3}', None, None, "not a list of [row, column] pairs"),
        ('{"family": "nqueens", "size": 4, "diags": [[0]]}', None, None, "not a list of [number, type] pairs"),
        (
            '{"family": "queens", "size": 3, "regions": ["AB", "AB"]}',
            None,
            None,
            "'size' is 3 but the board has 2 rows",
        ),
        ('{"size": 2, "regions": [{"cells": [[0, 0]]}]}', 1, 2, "cell [0, 1] is in no region"),
        ('{"family": "queens", "regions": ["AB", "AB"], "stars": 2}', None, None, "starbattle"),
        ('{"family": "sudoku", "size": 4}', None, None, "JSON of family 'sudoku', read as queens"),
        ('{"family": "queens"', 1, 20, "not one JSON object"),
    ],
)
def test_faults_are_named_with_their_place(text, row, column, says):
    begun = time.perf_counter()
    with pytest.raises(InputError) as caught:
        parse(text, "queens", "f.txt")
    assert time.perf_counter() - begun < 2
    assert says in str(caught.value)
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    if row is not None:
        assert (caught.value.row, caught.value.column if column else None) == (row, column)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="AABBCD#@.Q123*: ,\nqueensrowsizeboardregions/{}0x\x00é\u2028", max_size=60))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    try:
        puzzle = parse(text, "queens")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text(), "queens") == puzzle


@pytest.mark.slow
def test_pictures(tmp_path):
    puzzle = load(EXAMPLES / "tiny-4x4.txt")
    (solution,) = found(puzzle, 2)
    console = Console(width=80, no_color=True, record=True, file=io.StringIO())
    console.print(puzzle.render(solution))
    lines = console.export_text().split("\n")
    assert lines[0] == "┏━━━┳━━━┯━━━┯━━━┓"
    assert sum(line.count("Q") for line in lines) == 4
    for path in FILES:
        board = load(path)
        board.draw(tmp_path / f"{path.stem}.svg")
        console.print(board.render())
    shown = console.export_text()
    for words in ("torus: opposite edges meet", "region E: 1..2 queens in r1c1", "every region: 0..1 queens", "###"):
        assert words in shown
    puzzle.draw(tmp_path / "a.png", solution)
    puzzle.draw(tmp_path / "a.svg", solution)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.svg").read_bytes() != (tmp_path / "tiny-4x4.svg").read_bytes()


def test_titles():
    assert load(EXAMPLES / "tiny-4x4.txt").title == "LinkedIn Queens 4x4: one a row, 4 regions"
    assert load(EXAMPLES / "nauck-8x8.txt").title == "Queens 8x8: one a row, 2 given"
    assert load(EXAMPLES / "torus-5x5.txt").title == "Queens 5x5: one a row, torus"


def test_finished_boards_are_read_and_contradict_themselves_if_two_queens_attack():
    for order in itertools.permutations(range(5)):
        marks = "\n".join("." * c + "Q" + "." * (4 - c) for c in order)
        if any(abs(order[i] - order[j]) == j - i for i, j in itertools.combinations(range(5), 2)):
            assert parse(marks).contradiction.endswith("attack each other")
        else:
            assert parse(marks).text() == f"queens\nboard\n{marks}\n"


CSPLIB_079 = (
    "n =  8\nnumdiags =  9\ndiags =  [[3, 0], [11, 0], [6, 0], [11, 1], [13, 0], [14, 0], [0, 0], [3, 1], [4, 0]]\n"
)


def test_csplib_079_as_its_generator_writes_it():
    puzzle = parse(CSPLIB_079)
    typed = CSPLIB_079.replace("n = ", "letting n =", 1).replace("diags =  [", "letting diags = [").split("\n")
    assert puzzle == parse("\n".join([typed[0], typed[2]]))
    assert puzzle.marks[0] == ".#.##..#"
    # a prefix of the list is an instance, too
    assert parse(CSPLIB_079.replace("numdiags =  9", "numdiags = 1")) == parse("n = 8\ndiags = [[3, 0]]\n")


def test_csplib_079_queens_that_stand_already_count_from_0():
    nauck = parse((EXAMPLES / "nauck-8x8.txt").read_text())
    assert parse("letting n =  8\nletting init =  [[4, 1],\n [3, 3]]\n") == nauck


@pytest.mark.parametrize(
    ("text", "row", "says"),
    [
        ("n = 8\nnumdiags = 9\ndiags = [[8, 1], [3, 0]]\n", 2, "numdiags is 9 but 'diags' has 2 pairs"),
        ("n = 8\ndiags = [[15, 1]]\n", 2, "diagonal [15,1]: write a number of 0..14"),
        ("n = 8\ndiags = [8, 1]\n", 2, "'diags' is no list of pairs"),
        ("n = 8\ninit = [[8, 1]]\n", 2, "queen [8,1] is outside the board: write rows and columns of 0..7"),
        (
            "letting n = 8\nletting blocks = [[0, 1]]\n",
            2,
            "block [0,1] is outside the board: write rows and columns of 1..8",
        ),
        ("diags = [[8, 1]]\n", None, "no line 'letting n = ...'"),
    ],
)
def test_faults_of_csplib_files_are_named(text, row, says):
    assert_refused(text, row, None, says)

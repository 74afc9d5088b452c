import io
import itertools
import json
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.model import from_cpmpy
from gatesolve.model.presolve import presolve
from gatesolve.model.reference import find_solutions
from gatesolve.puzzles import Puzzle, load, parse
from gatesolve.puzzles.starbattle.board import StarBattleBoard
from gatesolve.puzzles.starbattle.puzzle import StarBattle

EXAMPLES = Path(__file__).parents[2] / "examples" / "starbattle"
FILES = sorted(EXAMPLES.glob("*.txt"))
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "starbattle.jsonl").read_text().splitlines()]
TINY = "AABB\nABBB\nCCDD\nCDDD\n"
_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


def found(puzzle: StarBattle, limit: int) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


def drawn(puzzle: StarBattle, solution: dict[str, int]) -> list[str]:
    return ["".join(row) for row in puzzle.board(solution)]


@st.composite
def region_grids(draw: st.DrawFn) -> list[str]:
    """A square divided into as many regions as rows, each in one piece, grown from a cell of every row."""
    side = draw(st.integers(1, 7))
    rng = random.Random(draw(st.integers(0, 2**30)))
    names = {(r, rng.randrange(side)): chr(ord("A") + r) for r in range(side)}
    while len(names) < side * side:
        (r, c), name = rng.choice(sorted(names.items()))
        near = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
        i, j = rng.choice(near)
        if 0 <= i < side and 0 <= j < side:
            names.setdefault((i, j), name)
    return ["".join(names[r, c] for c in range(side)) for r in range(side)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_stored_boards_have_the_stated_solutions(record):
    puzzle = parse(json.dumps(record))
    wanted = record["n_solutions"]
    boards = found(puzzle, 3 if wanted == ">=3" else wanted + 1)
    assert len(boards) == (3 if wanted == ">=3" else wanted)
    assert all(puzzle.check(board) == [] for board in boards)
    if "solution" in record:
        assert drawn(puzzle, boards[0]) == record["solution"]
    assert parse(puzzle.text()) == puzzle


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples_have_one_solution(path):
    puzzle = load(path)
    assert isinstance(puzzle, StarBattle)
    assert isinstance(puzzle, Puzzle)
    (solution,) = found(puzzle, 2)
    assert puzzle.check(solution) == []
    assert parse(puzzle.text()) == puzzle
    finished = parse(puzzle.text(solution))
    assert finished.regions == puzzle.regions
    assert finished.board({}) == puzzle.board(solution)
    assert found(finished, 2) == [solution]
    smaller, recovery = presolve(from_cpmpy(puzzle.to_cpmpy()), "propagate")
    if not smaller.variables:
        assert recovery.recover({}) == solution


def test_readme_lists_every_example():
    assert set(re.findall(r"`([\w-]+\.txt)`", (EXAMPLES / "README.md").read_text())) == {path.name for path in FILES}


def sbn(rows: list[str], stars: int) -> str:
    """Star Battle Notation, written independently of the reader."""
    n = len(rows)
    bits = [rows[r][c] != rows[r][c + 1] for r in range(n) for c in range(n - 1)]
    bits += [rows[r][c] != rows[r + 1][c] for c in range(n) for r in range(n - 1)]
    number, length = int("".join("01"[b] for b in bits), 2), -(-len(bits) // 6)
    code = "".join(_BASE_64[number >> 6 * k & 63] for k in reversed(range(length)))
    return f"{_BASE_64[n] * 2}{stars}W{code}"


def puzz_link(rows: list[str], stars: int) -> str:
    n = len(rows)
    right = [rows[r][c] != rows[r][c + 1] for r in range(n) for c in range(n - 1)]
    below = [rows[r][c] != rows[r + 1][c] for r in range(n - 1) for c in range(n)]
    code = ""
    for bits in (right, below):
        padded = "".join("01"[b] for b in bits) + "0" * (-len(bits) % 5)
        code += "".join("0123456789abcdefghijklmnopqrstuv"[int(padded[k : k + 5], 2)] for k in range(0, len(padded), 5))
    return f"https://puzz.link/p?starbattle/{n}/{n}/{stars}/{code}"


@settings(deadline=None)
@given(region_grids())
def test_all_formats_are_the_same_board(rows):
    order = list(dict.fromkeys("".join(rows)))
    named = tuple(tuple(chr(ord("A") + order.index(c)) for c in row) for row in rows)
    numbers = [[str(order.index(c) + 1) for c in row] for row in rows]
    n = len(rows)
    puzzle = StarBattle(named, 1)
    letters = ["".join(row) for row in named]
    texts = [
        "stars 1\n" + "\n".join(letters),
        "; comment\n\n" + "\r\n".join(letters) + "\nstars 1\n",
        "stars: 1\nregions\n" + "\n".join(" ".join(row) for row in named),
        json.dumps({"family": "starbattle", "size": n, "stars": 1, "regions": letters}),
    ]
    if n > 1:
        texts += [
            "stars 1\n" + "\n".join(" ".join(row) for row in numbers),
            "stars 1\n" + ",".join(itertools.chain(*numbers)),
            f"{n} {n} 1\n" + "\n".join(" ".join(row) for row in numbers),
            puzz_link(rows, 1),
        ]
    if n > 3:
        texts.append(sbn(rows, 1))
    for text in texts:
        assert parse(text) == puzzle
    assert parse(puzzle.text()) == puzzle


@st.composite
def boards(draw: st.DrawFn) -> StarBattle:
    """Any small board that is not faulty by itself: holes, cells in no region, given stars."""
    side = draw(st.integers(1, 4))
    cell = st.sampled_from("AAABBBCCD.#@")
    rows = draw(st.lists(st.lists(cell, min_size=side, max_size=side).map(tuple), min_size=side, max_size=side))
    stars = draw(st.integers(1, 2))
    placed = draw(st.sets(st.tuples(st.integers(0, side - 1), st.integers(0, side - 1)), max_size=1))
    regions, given_stars = tuple(rows), tuple(sorted(placed))
    if StarBattleBoard(regions, stars, given_stars).first_fault():
        regions, stars, given_stars = (("A",),), 1, ()
    return StarBattle(regions, stars, given_stars)


@settings(deadline=None)
@given(boards())
def test_text_round_trip(puzzle):
    assert parse(puzzle.text()) == puzzle


@pytest.mark.more_examples(60)
@settings(max_examples=25, deadline=None)
@given(boards())
def test_model_and_checker_agree_on_every_assignment(puzzle):
    names = [f"r{r}c{c}" for r, row in enumerate(puzzle.regions, 1) for c, t in enumerate(row, 1) if t not in "#@"]
    model = from_cpmpy(puzzle.to_cpmpy())
    assert sorted(model.domains) == sorted(names)
    given_names = {f"r{r + 1}c{c + 1}" for r, c in puzzle.placed}
    free = [name for name in names if name not in given_names][:9]
    rest = {name: int(name in given_names) for name in names if name not in free}
    for values in itertools.product((0, 1), repeat=len(free)):
        attempt = {**rest, **dict(zip(free, values, strict=True))}
        assert model.check(attempt) == (puzzle.check(attempt) == [])


def test_each_rule_is_named_when_broken():
    puzzle = parse("stars 1\nAAAA\nBBBB\nCCC#\nDDDD\nboard\n.*..\n....\n....\n....\n")
    right = {f"r{r}c{c}": 0 for r in range(1, 5) for c in range(1, 5) if (r, c) != (3, 4)}
    right |= {"r1c2": 1, "r2c4": 1, "r3c1": 1, "r4c3": 1}
    assert puzzle.check(right) == []
    assert puzzle.check(right | {"r4c3": 0, "r4c2": 1}) == [
        "stars at r3c1 and r4c2 touch",
        "column 2 has 2 stars, not 1",
        "column 3 has 0 stars, not 1",
    ]
    assert "r1c2 has no star where one is given" in puzzle.check(right | {"r1c2": 0})
    assert "region A has 0 stars, not 1" in puzzle.check(right | {"r1c2": 0})
    assert "r3c4 holds no star: it is no cell for one" in puzzle.check(right | {"r3c4": 1})
    assert "r1c1 is 2, not 0 or 1" in puzzle.check(right | {"r1c1": 2})
    assert "r1c1 has no value" in puzzle.check({n: v for n, v in right.items() if n != "r1c1"})


@pytest.mark.parametrize(
    ("text", "row", "column", "says"),
    [
        ("stars 1\nAABB\nABB\nCCDD\nCDDD", 3, 4, "3 cells here but 4 in the board's first row: add the missing"),
        ("stars 1\nAABB\nABBBB\nCCDD\nCDDD", 3, 5, "5 cells here but 4 in the board's first row: remove the extra"),
        ("stars 1\nAABB\nAB?B\nCCDD\nCDDD", 3, 3, "unknown ?: write a letter for a region"),
        ("stars 1\nAABB\nAB\x07B\nCCDD\nCDDD", 3, 3, "unknown '\\x07'"),
        ("stars 1\nAABB\nABBB\nCCDD", 4, 4, "3 rows but 4 columns"),
        ("stars 0\n" + TINY, None, None, "no stars"),
        ("stars two\n" + TINY, 1, 1, "write the number of stars as 'stars 2'"),
        ("stars 1\nstars 1\n" + TINY, 2, 1, "a second line 'stars'"),
        ("stars 1\n", None, None, "no board: write its rows"),
        ("stars 1\n" + "A\n" * 200, 66, None, "200 rows: a board has at most 64"),
        ("stars 1\n" + "A" * 200, 2, 65, "200 cells in a row"),
        ("stars 1\n" + TINY + "board\n*...\n....\n", 7, 1, "another size than the regions"),
        ("stars 1\n" + TINY + "board\n*Q..\n....\n....\n....", 7, 2, "unknown Q: write * for a given star"),
        ("stars 1\n" + TINY + "regions\n" + TINY, 2, 1, "two grids of regions"),
        ("stars 1\n#ABB\nABBB\nCCDD\nCDDD\nboard\n*...\n....\n....\n....", 7, 1, "a star on a cell that holds none"),
        (
            "stars 1\nAABB\nAACC\nCDDC\nCCCA",
            5,
            4,
            "region A is in 2 pieces, and this one does not touch that of r1c1: redraw the borders",
        ),
        ("4 4 1\n1 1 2 2\n1 2 2 2\n3 3 4\n3 4 4 4", 4, 1, "4 rows of 4 cells but the board has others"),
        ("stars 1\n1,1,2,2,1", 2, 5, "a list of 5 cells is not the n*n cells"),
        (
            "https://puzz.link/p?starbattle/6/6/1/4ilbhg",
            None,
            None,
            "6 characters for the walls where the board has 12",
        ),
        ("starbattle/6/6/1/4ilbhgdnmhoZ", None, None, "unknown character 'Z'"),
        ("starbattle/200/200/1/4ilbhgdnmho", None, None, "a board of 200 rows and 200 columns"),
        ("AA2Wabc", None, None, "3 characters for the walls where the board has 30"),
        ('{"family": "starbattle"}', None, None, "'regions' is not a list of rows"),
        ('{"family": "starbattle", "stars": "x", "regions": ["A"]}', None, None, "'stars' is not a number"),
        ('{"family": "starbattle", "size": 3, "regions": ["A"]}', None, None, "'size' is 3 but the board has 1 rows"),
        ('{"family": "starbattle", "regions": ["A", 5]}', None, None, "'regions' is not a list of rows"),
        ('{"family": "starbattle", "regions": ["A"], "fixed": [[0, 1]]}', None, None, "outside the board of 1x1"),
        ('{"family": "starbattle", "regions": ["A"', 1, 41, "not one JSON object"),
        ('{"family": "tents", "regions": ["A"]}', None, None, "JSON of family 'tents', read as starbattle"),
    ],
)
def test_faults_are_named_with_their_place(text, row, column, says):
    begun = time.perf_counter()
    with pytest.raises(InputError) as caught:
        parse(text, "starbattle", "f.txt")
    assert time.perf_counter() - begun < 2
    assert says in str(caught.value)
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    assert (caught.value.row, caught.value.column if column else None) == (row, column)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="AABBCD#@.*12 ,\nstarsboardregions{}0x\x00é\u2028", max_size=60))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    try:
        puzzle = parse(text, "starbattle")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text(), "starbattle") == puzzle


def test_a_letter_grid_without_stars_is_no_star_battle():
    assert parse(TINY).family == "queens"
    assert parse("stars 1\n" + TINY).family == "starbattle"
    assert parse(TINY, "starbattle") == parse("stars 1\n" + TINY)


def test_pictures(tmp_path):
    puzzle = load(EXAMPLES / "irregular-6x6-1.txt")
    (solution,) = found(puzzle, 2)
    console = Console(width=80, no_color=True, record=True, file=io.StringIO())
    console.print(puzzle.render(solution))
    lines = console.export_text().split("\n")
    assert lines[:3] == ["┏━━━┳━━━┯━━━┯━━━┯━━━┳━━━┓", "┃@@@┃   │ ★ │   │   ┃@@@┃", "┣━━━╇━━━╅───┼───╆━━━╋━━━┫"]
    assert lines[5] == "┃   │ ★ ┃###│###┃   ┃   ┃"
    puzzle.draw(tmp_path / "a.png", solution)
    puzzle.draw(tmp_path / "a.svg", solution)
    puzzle.draw(tmp_path / "b.svg")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.svg").read_bytes() != (tmp_path / "b.svg").read_bytes()


def test_a_board_made_in_python_is_judged_too():
    with pytest.raises(InputError, match="row 2, column 1: 2 rows but 1 columns"):
        StarBattle((("A",), ("B",)), 1)

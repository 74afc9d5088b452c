import io
import itertools
import json
import random
from pathlib import Path
from xml.etree import ElementTree

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
from gatesolve.puzzles.sudoku.puzzle import Sudoku

EXAMPLES = Path(__file__).parents[2] / "examples" / "sudoku"
FILES = sorted(EXAMPLES.glob("*.txt"))
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "sudoku.jsonl").read_text().splitlines()]
FOUR = "2.43..2......23."
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def rows_of(line: str) -> list[str]:
    side = round(len(line) ** 0.5)
    return [line[k * side : (k + 1) * side] for k in range(side)]


def found(puzzle: Puzzle, limit: int) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


@st.composite
def boards(draw: st.DrawFn) -> tuple[Sudoku, dict[str, int]]:
    """A board and one right answer: shifts of one order of the values."""
    height, width = draw(st.sampled_from([(1, 2), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 4)]))
    side = height * width
    order = draw(st.permutations(range(1, side + 1)))
    full = [[order[(c + width * (r % height) + r // height) % side] for c in range(side)] for r in range(side)]
    keep = draw(st.sets(st.tuples(st.integers(0, side - 1), st.integers(0, side - 1)), max_size=40))
    cells = tuple(tuple(v if (r, c) in keep else None for c, v in enumerate(row)) for r, row in enumerate(full))
    answer = {f"r{r + 1}c{c + 1}": v for r, row in enumerate(full) for c, v in enumerate(row)}
    return Sudoku(cells, (height, width)), answer


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r["id"])
def test_stored_instances_have_the_stated_solutions(record):
    puzzle = parse(json.dumps(record))
    assert isinstance(puzzle, Sudoku)
    answers = found(puzzle, record["n_solutions"] + 1)
    assert len(answers) == record["n_solutions"]
    assert all(puzzle.check(answer) == [] for answer in answers)
    if record["n_solutions"] == 1 and record["size"] < 10:
        assert "".join("".join(row) for row in puzzle.board(answers[0])) == record["solution"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_examples_load_round_trip_and_survive_presolve(path):
    puzzle = load(path)
    assert isinstance(puzzle, Sudoku)
    assert isinstance(puzzle, Puzzle)
    assert parse(puzzle.text()) == puzzle
    answers = found(puzzle, 20)
    assert len(answers) == {"small": 2, "small-jigsaw-killer": 2, "tdoku-13-solutions": 13}.get(path.stem, 1)
    model, recovery = presolve(from_cpmpy(puzzle.to_cpmpy()), "propagate")
    assert [recovery.recover(a) for a in find_solutions(model, 20)] == answers


def test_small_example_has_a_small_space():
    model, _ = presolve(from_cpmpy(load(EXAMPLES / "small.txt").to_cpmpy()), "propagate")
    assert model.num_assignments == 16


def test_all_ways_to_write_one_board_are_the_same():
    plain = parse(HARD)
    rows = rows_of(HARD)
    boxed = [" | ".join(" ".join(row[k : k + 3]) for k in (0, 3, 6)) for row in rows]
    boxed[6:6] = ["------+-------+------"]
    boxed[3:3] = ["------+-------+------"]
    body = HARD
    for blanks in range(20, 0, -1):
        body = body.replace("." * blanks, chr(ord("g") + blanks - 1))
    forms = [
        *(HARD.replace(".", blank) for blank in "0_*"),
        HARD + ":1:" + "." * 81,
        " ".join(HARD),
        "\n".join(rows) + "\n",
        "\r\n".join(["; comment", "# comment", "", *rows]),
        "\n".join(" ".join(row) for row in rows).replace(".", "-"),
        "9 9\n" + "\n".join(" ".join(row) for row in rows).replace(".", "-"),
        "\n".join(rows).replace(".", "-"),
        "\n".join(boxed),
        "box 3x3\n" + HARD,
        "sudoku\n" + "\n".join(rows),
        json.dumps({"family": "sudoku", "grid": HARD, "size": 9, "box": [3, 3]}),
        json.dumps({"family": "sudoku", "grid": rows}),
        json.dumps({"family": "sudoku", "grid": [[0 if t == "." else int(t) for t in row] for row in rows]}),
        f"https://puzz.link/p?sudoku/9/9/{body}",
        f"sudoku/9/9/{body}",
    ]
    for form in forms:
        assert parse(form) == plain, form


def test_game_ids_of_sgt_solo():
    wide = parse("2x3:b3_1a5d4c2b6_6b5c2d5a1_6b")
    assert isinstance(wide, Sudoku)
    assert (wide.box, len(found(wide, 2))) == ((2, 3), 1)
    high = parse("3x2:2a3_1c3b1_4l4_1b5c6_4a1")
    assert isinstance(high, Sudoku)
    assert (high.box, len(found(high, 2))) == ((3, 2), 1)
    crossed = parse("3x3x:b2d9b9b3d1a6_8g1e5_6a5c4a2_4e7g3_8a1d2b4b5d9b")
    assert isinstance(crossed, Sudoku)
    assert crossed.diagonals
    (answer,) = found(crossed, 2)
    assert crossed.check(answer) == []
    straight = Sudoku(crossed.cells, (3, 3))
    assert any(crossed.check(a) for a in found(straight, 50))
    assert parse(crossed.text()) == crossed


def test_values_above_nine_are_letters_or_numbers():
    rows = [["."] * 16 for _ in range(16)]
    rows[0][:3], rows[5][7] = ["1", "G", "A"], "f"
    letters = parse("\n".join("".join(row) for row in rows), "sudoku")
    numbers = "\n".join(" ".join(str(int(t, 17)) if t != "." else "-" for t in row) for row in rows)
    assert parse(numbers) == letters == parse("".join("".join(row) for row in rows))
    assert letters.cells[0][:3] == (1, 16, 10)
    assert parse(letters.text()) == letters


@given(boards())
def test_text_round_trip(case):
    puzzle, answer = case
    assert parse(puzzle.text()) == puzzle
    finished = parse(puzzle.text(answer))
    assert finished.board({}) == puzzle.board(answer)


@given(boards())
def test_checker_accepts_a_right_answer_and_no_swap(case):
    puzzle, answer = case
    assert puzzle.check(answer) == []
    one, other = random.Random(0).sample(sorted(answer), 2)
    swapped = {**answer, one: answer[other], other: answer[one]}
    assert (puzzle.check(swapped) == []) == (answer[one] == answer[other])


@pytest.mark.parametrize(
    "text",
    [
        "box 2x2\n1234341.214.43..\n",
        "box 2x2\ndiagonals\n12343..24.2.21.3\n",
        pytest.param("box 2x2\ndiagonals\n12.4.4.24..1.1..\n", marks=pytest.mark.slow),
    ],
)
def test_checker_and_model_agree_on_every_filling(text):
    """Every filling of a 4x4 board with a few empty cells, without diagonals and with them."""
    puzzle = parse(text)
    model = from_cpmpy(puzzle.to_cpmpy())
    names = list(model.domains)
    good = {tuple(a[n] for n in names) for a in find_solutions(model)}
    assert good
    for values in itertools.product(*model.domains.values()):
        assert (puzzle.check(dict(zip(names, values, strict=True))) == []) == (values in good)


def test_number_of_all_4x4_boards():
    assert len(find_solutions(from_cpmpy(parse("box 2x2\n" + "." * 16).to_cpmpy()))) == 288


def test_each_rule_is_named_when_broken():
    puzzle = parse("box 2x2\n1...\n....\n....\n...1\n")
    right = {
        f"r{r + 1}c{c + 1}": int(v) for r, row in enumerate(["1234", "3412", "2143", "4321"]) for c, v in enumerate(row)
    }
    assert puzzle.check(right) == []
    assert puzzle.check({**right, "r1c2": 3, "r4c4": 2, "r9c9": 1}) == [
        "r9c9 is not a cell of the board",
        "r4c4 is 2 where 1 is given",
        "row 1: 3 stands 2 times",
        "box of rows 1..2, columns 1..2: 3 stands 2 times",
        "column 2: 3 stands 2 times",
        "column 4: 2 stands 2 times",
        "box of rows 3..4, columns 3..4: 2 stands 2 times",
        "row 4: 2 stands 2 times",
    ]
    assert len(puzzle.check({})) == 16
    assert "r2c2 is 5, outside 1..4" in puzzle.check({**right, "r2c2": 5})


NINE = rows_of(HARD)
MALFORMED = [
    ("\n".join([*NINE[:4], NINE[4] + ".", *NINE[5:]]), 5, 10, "10 cells here but 9"),
    ("; x\n" + "\n".join([*NINE[:4], NINE[4][:-2], *NINE[5:]]), 6, 8, "7 cells here but 9"),
    ("\n".join(NINE[:8]), 8, 9, "8 rows of 9 cells"),
    ("box 3x3\n" + "\n".join([*NINE[:2], NINE[2].replace("7", "q"), *NINE[3:]]), 4, 2, "unknown cell 'q'"),
    ("box 3x3\n" + HARD[:80], 2, 80, "80 cells in one line"),
    ("box 2x4\n" + HARD, 2, 1, "does not hold the values 1..9"),
    ("box 0x9\n" + HARD, 2, 1, "rows times columns must be 9"),
    ("box 3by3\n" + HARD, 1, 1, "write 'box ROWSxCOLUMNS'"),
    ("box 3x3", None, None, "no board"),
    ("box 2x3\n7" + "." * 34 + "1", 2, 1, "value 7 is outside 1..6"),
    ("box 2x3\n" + "\n".join(["." * 200] * 200), 38, None, "200 rows"),
    ("box 1x5\n" + "." * 25 + "\n" + "." * 25, 3, 1, "boards of one line each"),
    (HARD + "\n" + HARD, 2, 1, "2 boards of one line each"),
    ("5 . 2 . .\n" * 5, 5, None, "no boxes of several rows"),
    ("3x3:a3d1_9", 1, None, "the game id has"),
    ("3x3:a3d1!9", 1, 9, "unknown '!'"),
    ("9x9:a3d1_9", 1, 1, "81 rows"),
    ("sudoku/9/9/g1", 1, None, "the address has 2 cells"),
    ("sudoku/9/8/g1", 1, 1, "a sudoku is square"),
    ("sudoku/200/200/g1", 1, 1, "200 rows"),
    ('{"family": "sudoku"}', None, None, "no field 'grid'"),
    ('{"family": "sudoku", "grid": "1...", "box": 2}', None, None, "not a pair of integers"),
    ('{"family": "sudoku", "grid": "1...', 1, 30, "not one JSON object"),
]


@pytest.mark.parametrize(("text", "row", "column", "message"), MALFORMED)
def test_malformed_boards_get_one_clear_line(text, row, column, message):
    assert_refused(text, row, column, message)


def test_wrong_family_and_faulty_objects():
    with pytest.raises(InputError, match="JSON of family 'takuzu', read as sudoku"):
        parse('{"family": "takuzu", "grid": ["01"]}', "sudoku")
    with pytest.raises(InputError, match=r"row 1, column 1: 0 is|value 9 is outside 1..4"):
        Sudoku(((9, None, None, None),) + ((None,) * 4,) * 3, (2, 2))
    with pytest.raises(InputError, match="0 rows"):
        Sudoku((), (2, 2))


@settings(max_examples=300)
@given(st.text(alphabet="123456789.0-|+ \nABbox:/{}_\x00é", max_size=90))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    try:
        puzzle = parse(text, "sudoku")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text(), "sudoku") == puzzle


def test_terminal_picture():
    file = io.StringIO()
    puzzle = parse("box 2x2\n" + FOUR)
    Console(file=file, width=80).print(puzzle.render(found(puzzle, 1)[0]))
    lines = file.getvalue().splitlines()
    assert lines[0] == "┏━━━┯━━━┳━━━┯━━━┓"
    assert lines[4] == "┣━━━┿━━━╋━━━┿━━━┫"
    assert lines[1] == "┃ 2 │ 1 ┃ 4 │ 3 ┃"


@pytest.mark.slow
def test_drawings(tmp_path):
    puzzle = parse("3x4:" + "12a" + "z" * 5 + "l", "sudoku")
    puzzle.draw(tmp_path / "a.png", {"r1c2": 11})
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    for name in ("a.svg", "b.svg"):
        puzzle.draw(tmp_path / name, {"r1c2": 11})
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    with pytest.raises(InputError, match=r"name a .png or .svg file"):
        puzzle.draw(tmp_path / "board.gif")

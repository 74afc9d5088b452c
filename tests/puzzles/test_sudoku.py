import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.model import find_solutions, from_cpmpy
from gatesolve.model.presolve import presolve
from gatesolve.puzzles import Puzzle, load, parse
from gatesolve.puzzles.sudoku.puzzle import Sudoku

EXAMPLES = Path(__file__).parents[2] / "examples" / "sudoku"
FOUR = "2.43..2......23."
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def rows_of(line: str) -> list[str]:
    side = round(len(line) ** 0.5)
    return [line[k * side : (k + 1) * side] for k in range(side)]


def found(puzzle: Puzzle, limit: int) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


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


def test_wrong_family_and_faulty_objects():
    with pytest.raises(InputError, match="JSON of family 'takuzu', read as sudoku"):
        parse('{"family": "takuzu", "grid": ["01"]}', "sudoku")
    with pytest.raises(InputError, match=r"row 1, column 1: 0 is|value 9 is outside 1..4"):
        Sudoku(((9, None, None, None),) + ((None,) * 4,) * 3, (2, 2))
    with pytest.raises(InputError, match="0 rows"):
        Sudoku((), (2, 2))


def test_terminal_picture():
    file = io.StringIO()
    puzzle = parse("box 2x2\n" + FOUR)
    Console(file=file, width=80).print(puzzle.render(found(puzzle, 1)[0]))
    lines = file.getvalue().splitlines()
    assert lines[0] == "┏━━━┯━━━┳━━━┯━━━┓"
    assert lines[4] == "┣━━━┿━━━╋━━━┿━━━┫"
    assert lines[1] == "┃ 2 │ 1 ┃ 4 │ 3 ┃"

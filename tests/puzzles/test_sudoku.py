import io
import json
from pathlib import Path

import pytest
from refusals import assert_refused
from rich.console import Console

import gatesolve
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.model.presolve import presolve
from gatesolve.puzzles import Puzzle, load, parse
from gatesolve.puzzles.sudoku.grid import Cage
from gatesolve.puzzles.sudoku.puzzle import Sudoku
from gatesolve.qubo import published_qubo

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


# --- Sudokus with boxes of any shape (jigsaw) and with cages (killer) ---


SMALL = Path(__file__).parents[2] / "examples" / "sudoku" / "small-jigsaw-killer.txt"
REGIONS = ((0, 0, 1, 1), (0, 0, 1, 2), (3, 3, 1, 2), (3, 3, 2, 2))
EMPTY = ((None,) * 4,) * 4
BOXES = "boxes\nAABB\nAABC\nDDBC\nDDCC\n"
CAGES = "cages\nppp.\n....\n.q..\n.q..\nsums p=9 q=6\n"


def found_of_sudoku_areas(puzzle, limit=3):
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


def sgt(text):
    puzzle = parse(text)
    (answer,) = found_of_sudoku_areas(puzzle)
    assert puzzle.check(answer) == []
    assert parse(puzzle.text()) == puzzle
    return puzzle


def test_game_ids_of_sgt_solo_of_sudoku_areas():
    jigsaw = sgt("4j:b4c1b1c2b,e_ea_______a_")
    assert jigsaw.regions == ((0, 0, 0, 0), (1, 1, 1, 2), (1, 2, 2, 2), (3, 3, 3, 3))
    killer = sgt("2x2k:p,aaa__baa__a__a__,3a8a4_6c9_6c4a")
    assert (killer.box, sum(cage.total for cage in killer.cages)) == ((2, 2), 40)
    both = sgt("4jk:p,ab_a_abbc_b,__a_a___cc__aa_,6_6_5c9a4a10e")
    assert (both.regions, len(both.cages)) == (REGIONS, 6)
    crossed = parse("2x2xk:p,aaa__baa__a__a__,3a8a4_6c9_6c4a")
    assert (crossed.diagonals, len(crossed.cages)) == (True, 7)
    # a run of more than 25 borders without a line: one box over most of the board
    with pytest.raises(InputError, match="this box has 81 cells"):
        parse("9j:zzzc,zzzzzs")


def test_two_grids_of_puzzlekit():
    rows = "- - 4 3\n- - - 1\n- 2 - -\n- - - -\n"
    jigsaw = parse("4 4\n" + rows + "1 1 1 3\n1 3 3 3\n2 2 4 4\n2 2 4 4\n")
    typed = "boxes\nAAAB\nABBB\nCCDD\nCCDD\nboard\n" + rows.replace("-", ".").replace(" ", "")
    assert jigsaw == parse(typed)
    killer = parse("4 4\n9 - 8 3\n- 7 - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5\n")
    assert killer.cages[0] == Cage(9, ((0, 0), (0, 1), (1, 0)))
    (answer,) = found_of_sudoku_areas(killer)
    assert killer.board(answer)[0] == ["2", "3", "4", "1"]
    assert_refused(
        "4 4\n9 - 8 3\n- - - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5\n", 5, 2, "cage 3 has 0"
    )


def test_json_fields():
    data = {"family": "sudoku", "size": 4, "regions": ["AABB", "AABC", "DDBC", "DDCC"]}
    data["cages"] = [{"sum": 9, "cells": [[0, 1], [0, 0], [0, 2]]}, {"sum": 6, "cells": [[2, 1], [3, 1]]}]
    assert parse(json.dumps(data)) == parse(BOXES + CAGES)
    data["grid"] = "." * 16
    assert parse(json.dumps(data)) == parse(BOXES + CAGES)


def test_boxes_and_cages_listed_in_another_order_are_the_same_board():
    cages = (Cage(9, ((0, 0), (0, 1))), Cage(3, ((2, 1), (2, 0))))
    turned = tuple(tuple(9 - number for number in row) for row in REGIONS)
    one, other = Sudoku(EMPTY, None, False, REGIONS, cages), Sudoku(EMPTY, None, False, turned, cages[::-1])
    assert one == other


def test_more_cages_than_letters():
    cages = tuple(Cage(1 + (r + c) % 8, ((r, c),)) for r in range(8) for c in range(8))
    puzzle = Sudoku(((None,) * 8,) * 8, (2, 4), False, (), cages)
    assert parse(puzzle.text()) == puzzle


def test_each_rule_is_named_when_broken_of_sudoku_areas():
    puzzle = load(SMALL)
    right = found_of_sudoku_areas(puzzle)[0]
    assert puzzle.check(right) == []
    turned = {**right, "r1c1": right["r1c2"], "r1c2": right["r1c1"]}
    assert any(rule.startswith("cage of r1c2: ") and rule.endswith(", not 9") for rule in puzzle.check(turned))
    wrong = {**right, "r3c1": right["r3c2"]}
    assert any(rule.startswith("box of r3c1: ") for rule in puzzle.check(wrong))
    doubled = parse("box 2x2\ncages\na...\n.a..\n....\n....\nsums a=4\n")
    assert "cage of r1c1: 2 stands 2 times" in doubled.check({"r1c1": 2, "r2c2": 2})
    assert all(puzzle.check({**right, name: value % 4 + 1}) for name, value in right.items())


def test_faults_of_boards_made_in_python():
    for regions, cages, message in (
        (REGIONS[:3], (), "row 4 of the boxes has 0 cells"),
        (
            ((0, 0, 1, 1), (0, 0, 1, 1), (2, 2, 3, 3), (2, 3, 2, 3)),
            (),
            "row 4, column 3: this box is in 2 pieces, and this one does not touch that of r3c1: redraw the borders",
        ),
        (REGIONS, (Cage(3, ()),), "without cells"),
        (REGIONS, (Cage(3, ((4, 0),)),), "outside the board"),
    ):
        with pytest.raises(InputError, match=message):
            Sudoku(EMPTY, None, False, regions, cages)


def test_terminal_picture_shows_boxes_cages_and_sums():
    file = io.StringIO()
    Console(file=file, width=80).print(load(SMALL).render())
    assert file.getvalue().splitlines() == [
        "┏━━━┯━9━┳━━━┯━━━┓",
        "┃   │   ┇   │   ┃",
        "┠───┼───┨   ┢━━━┫",
        "┃   │   ┃   ┃   ┃",
        "┣━━━┿━6━╉───╂───┨",
        "┃   │   ┃   ┃ 4 ┃",
        "┠───┤   ┣━━━╃───┨",
        "┃ 3 │   ┃   │   ┃",
        "┗━━━┷━━━┻━━━┷━━━┛",
    ]


def test_drawings_show_cages(tmp_path):
    puzzle = load(SMALL)
    puzzle.draw(tmp_path / "a.svg")
    Sudoku(puzzle.cells, None, False, puzzle.regions).draw(tmp_path / "b.svg")
    with_cages, without = ((tmp_path / name).read_text() for name in ("a.svg", "b.svg"))
    assert with_cages.count("stroke-dasharray") == 8 + 6
    assert "stroke-dasharray" not in without


@pytest.mark.parametrize("pipeline", ["grover", "gas"])
def test_every_pipeline_solves_the_small_board(pipeline):
    result = gatesolve.solve(SMALL, pipeline=pipeline, presolve="propagate")
    assert result.status == "solved"
    assert result.problem.puzzle.check(result.solution) == []


def test_the_published_formula_takes_any_boxes_but_no_cages():
    jigsaw = published_qubo(parse(BOXES))
    assert jigsaw.qubo.num_variables == 64
    with pytest.raises(UnsupportedError, match="no sums of cages"):
        published_qubo(load(SMALL))

import itertools

import cpmpy
import pytest
from cpmpy.transformations.get_variables import get_variables_model
from kakuro_boards import EXAMPLES

from gatesolve.puzzles import Puzzle, cell_name, load, parse
from gatesolve.puzzles.kakuro.grid import White

K7 = {"r2c2": 2, "r2c3": 1, "r3c2": 3, "r3c3": 2, "r3c4": 0, "r4c3": 0, "r4c4": 1}


def all_solutions(puzzle: Puzzle, limit: int) -> list[dict[str, int]]:
    model = puzzle.to_cpmpy()
    variables = get_variables_model(model)
    found: list[dict[str, int]] = []
    model.solveAll(
        solver="ortools",
        solution_limit=limit,
        display=lambda: found.append({v.name: int(v.value()) for v in variables}),
    )
    return found


def test_contest_board():
    puzzle = load(EXAMPLES / "contest.txt")
    assert all_solutions(puzzle, limit=5) == [K7]
    assert puzzle.board(K7) == [list("####"), list("#21#"), list("#320"), list("##01")]
    runs = {tuple(cell_name(cell) for cell in run.cells): run.total for run in puzzle.runs}
    assert runs == {
        ("r2c2", "r2c3"): 3,
        ("r3c2", "r3c3", "r3c4"): 5,
        ("r4c3", "r4c4"): 1,
        ("r2c2", "r3c2"): 5,
        ("r2c3", "r3c3", "r4c3"): 3,
        ("r3c4", "r4c4"): 1,
    }


@pytest.mark.parametrize(("name", "solutions"), [("contest", 1), ("small", 2)])
def test_checker_accepts_no_other_assignment(name, solutions):
    puzzle = load(EXAMPLES / f"{name}.txt")
    cells = [v.name for v in get_variables_model(puzzle.to_cpmpy())]
    tries = (dict(zip(cells, values, strict=True)) for values in itertools.product(range(4), repeat=len(cells)))
    assert sum(not puzzle.check(attempt) for attempt in tries) == solutions


def test_each_rule_is_named_when_broken():
    puzzle = parse("values 0..3\n# 3\\ 6\\\n\\5 . .\n\\4 1 .\n# # .\n")
    right = {"r2c2": 2, "r2c3": 3, "r3c2": 1, "r3c3": 3, "r4c3": 0}
    assert puzzle.check(right) == ["column 3: 3 is repeated in 3 + 3 + 0 (down)"]
    assert puzzle.check({**right, "r2c2": 3, "r3c2": 0}) == [
        "r3c2 is 0 where 1 is given",
        "row 2: 3 + 3 = 6, not 5 (across)",
        "row 2: 3 is repeated in 3 + 3 (across)",
        "row 3: 0 + 3 = 3, not 4 (across)",
        "column 3: 3 is repeated in 3 + 3 + 0 (down)",
    ]
    assert "r2c3 is 4, outside 0..3" in puzzle.check({**right, "r2c3": 4})
    assert "r1c1 is not a white cell" in puzzle.check({**right, "r1c1": 1})
    assert "nonsense is not a white cell" in puzzle.check({**right, "nonsense": 1})
    assert len(puzzle.check({})) == 5


def test_repeats_that_keep_every_sum_are_rejected():
    puzzle = parse("# 4\\ 4\\\n\\4 . .\n\\4 . .\n")
    assert puzzle.check({"r2c2": 1, "r2c3": 3, "r3c2": 3, "r3c3": 1}) == []
    assert len(puzzle.check({"r2c2": 2, "r2c3": 2, "r3c2": 2, "r3c3": 2})) == 4


def test_a_given_value_is_a_domain_of_one():
    puzzle = parse("values 0..3\n# 3\\ 4\\\n\\3 2 .\n\\4 . .\n")
    domains = {v.name: (v.lb, v.ub) for v in get_variables_model(puzzle.to_cpmpy())}
    assert domains == {"r2c2": (2, 2), "r2c3": (0, 3), "r3c2": (0, 3), "r3c3": (0, 3)}
    assert puzzle.grid[1][1] == White(2)
    assert len(all_solutions(puzzle, limit=5)) == 1


def test_a_kakuro_is_a_puzzle_and_its_model_is_made_anew_each_time():
    puzzle = load(EXAMPLES / "small.txt")
    assert isinstance(puzzle, Puzzle)
    first = puzzle.to_cpmpy()
    first += cpmpy.BoolVal(False)
    assert puzzle.to_cpmpy().solve()


def test_a_board_with_a_sum_on_one_cell_is_solved_and_judged():
    puzzle = parse("#  6\\ 2\\\n\\3  .  .\n\\5  .  #\n")
    model = puzzle.to_cpmpy()
    assert model.solve()
    found = {
        str(v): int(v.value()) for c in model.constraints for v in cpmpy.transformations.get_variables.get_variables(c)
    }
    assert found == {"r2c2": 1, "r2c3": 2, "r3c2": 5}
    assert puzzle.check(found) == []
    assert parse(puzzle.text()) == puzzle


def test_a_sum_on_one_cell_out_of_range_is_a_contradiction():
    said = parse("#  6\\ 12\\\n\\3  .  .\n\\5  .  #\n").contradiction
    assert said == "the sum 12 down of the one cell r2c3 is outside 1..9"

import itertools
import json
from pathlib import Path

import pytest

from gatesolve.model import find_solutions, from_cpmpy
from gatesolve.puzzles import load, parse
from gatesolve.puzzles.queens.puzzle import Queens

EXAMPLES = Path(__file__).parents[2] / "examples" / "queens"
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "queens.jsonl").read_text().splitlines()]
TINY = "BAAA\nBBBC\nDDCC\nDDDD\n"


def found(puzzle: Queens, limit: int) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


@pytest.mark.parametrize(("side", "count"), [(1, 1), (4, 2), (5, 10), (6, 4), (8, 92)])
def test_n_queens_has_the_known_number_of_solutions(side, count):
    assert len(found(parse(f"queens\nsize {side}"), 100)) == count


@pytest.mark.parametrize(("side", "wrap", "count"), [(5, "torus", 10), (6, "torus", 0), (7, "torus", 28), (4, "", 2)])
def test_toroidal_boards(side, wrap, count):
    """28 and 10 are the numbers of toroidal solutions on sides 7 and 5 (OEIS A007705)."""
    assert len(found(parse(f"queens\nsize {side}\n{wrap}"), 100)) == count


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

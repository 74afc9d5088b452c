import io
import itertools
import json
from pathlib import Path

import pytest
from rich.console import Console

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.model.presolve import presolve
from gatesolve.puzzles import Puzzle, load, parse
from gatesolve.puzzles.takuzu.board import Rules, Sign, TakuzuRegion, most_equal
from gatesolve.puzzles.takuzu.puzzle import Takuzu, legal_patterns

EXAMPLES = Path(__file__).parents[2] / "examples" / "takuzu"
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "takuzu.jsonl").read_text().splitlines()]
BOARD = "unique yes\n.1.0\n..0.\n.0..\n11.0\n"


def found(puzzle: Puzzle, limit: int | None = None) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


def number_of(text: str) -> int:
    return len(found(parse(text, "takuzu")))


def test_a_board_infeasible_under_the_stricter_rule_only():
    strict = next(r for r in RECORDS if r["n_solutions"] == 0)
    loose = parse(json.dumps({**strict, "unique_lines": False}))
    (answer,) = found(loose, 2)
    assert any(" equals " in words for words in parse(json.dumps(strict)).check(answer))
    with pytest.raises(InfeasibleError):
        presolve(from_cpmpy(parse(json.dumps(strict)).to_cpmpy()), "propagate")


@pytest.mark.parametrize(("side", "unique", "number"), [(2, "yes", 2), (4, "yes", 72), (4, "no", 90)])
def test_number_of_all_boards(side, unique, number):
    """72 is in OEIS A253316; 90 are the 4x4 zero-one matrices with line sums 2 (none has three in line)."""
    assert number_of(f"unique {unique}\n" + ("." * side + "\n") * side) == number


def test_all_ways_to_write_one_board_are_the_same():
    plain = parse(BOARD)
    forms = [
        "; note\n.1.0\n\n..0.\n.0..\n11.0",
        "takuzu\n.1.0\n..0.\n.0..\n11.0",
        "_1_0\r\n__0_\r\n_0__\r\n11_0",
        "- 1 - 0\n- - 0 -\n- 0 - -\n1 1 - 0\n",
        json.dumps({"family": "takuzu", "grid": [".1.0", "..0.", ".0..", "11.0"]}),
        json.dumps({"family": "takuzu", "grid": [".1.0", "..0.", ".0..", "11.0"], "signs": []}),
    ]
    for form in forms:
        assert parse(form) == plain, form
    sized = "4 4\n- b - w\n- - w -\n- w - -\nb b - w"
    assert (
        parse(sized) == parse(BOARD.replace("yes", "no")) == parse("4 4\n- 2 - 1\n- - 1 -\n- 1 - -\n2 2 - 1", "takuzu")
    )


def test_signs_and_regions_in_json():
    record = {
        "family": "takuzu",
        "grid": ["....", "...."],
        "signs": [[[0, 0], [1, 2], "x"]],
        "lines": ["region 1 r1c1 r1c2"],
    }
    puzzle = parse(json.dumps(record))
    assert isinstance(puzzle, Takuzu)
    assert puzzle.rules == Rules(regions=(TakuzuRegion(1, 1, ((0, 0), (0, 1))),), signs=(Sign((0, 0), False, (1, 2)),))


def test_chains_of_signs():
    puzzle = parse("unique yes\n....\n....\n....\n....\nr1c1 = r2c3 x (3,3)\nr1c2x r1c3\n")
    assert isinstance(puzzle, Takuzu)
    assert puzzle.rules.signs == (
        Sign((0, 0), True, (1, 2)),
        Sign((1, 2), False, (3, 3)),
        Sign((0, 1), False, (0, 2)),
    )


@pytest.mark.parametrize(
    ("text", "unique", "size"),
    [
        ("8x8u:EdCATHdCbJDa", True, (8, 8)),
        ("6x6:CAddDCHAbg", False, (6, 6)),
        ("6x10:caBacalDFcBBACgIa", False, (10, 6)),
    ],
)
def test_game_ids_of_sgt_unruly(text, unique, size):
    puzzle = parse(text)
    assert isinstance(puzzle, Takuzu)
    assert (puzzle.rules.unique, (len(puzzle.cells), len(puzzle.cells[0]))) == (unique, size)
    (answer,) = found(puzzle, 2)
    assert puzzle.check(answer) == []


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("length", range(2, 9))
def test_patterns_are_all_lines_without_three_in_a_row(length, ring):
    def legal(line: str) -> bool:
        read = line + line[:2] if ring and length > 2 else line
        return "000" not in read and "111" not in read

    lines = ["".join(bits) for bits in itertools.product("01", repeat=length)]
    assert ["".join(map(str, row)) for row in legal_patterns(length, None, ring)] == [s for s in lines if legal(s)]
    for ones in range(length + 1):
        fitting = [s for s in lines if legal(s) and s.count("1") == ones]
        assert ["".join(map(str, row)) for row in legal_patterns(length, ones, ring)] == fitting
        assert bool(fitting) == (length - most_equal(length, ring) <= ones <= most_equal(length, ring))


def test_lines_too_long_for_a_table():
    """Two rows of 18 are each other's complement, so the boards are the legal rows; counted by another way."""
    text = "unique no\n" + ("." * 18 + "\n") * 2 + "r1c1 = r1c3 = r1c5 = r1c7 = r1c9\n"
    lines = {""}
    for k in range(18):
        lines = {s + b for s in lines for b in "01" if not (s + b).endswith(b * 3)}
        if k == 8:
            lines = {s for s in lines if len(set(s[::2])) == 1}
    assert number_of(text) == sum(s.count("1") == 9 for s in lines)
    ring = text.replace("unique no\n", "unique no\nwrap rows\n")
    ended = [s for s in lines if s.count("1") == 9 and "000" not in s + s[:2] and "111" not in s + s[:2]]
    assert number_of(ring) == len(ended) < sum(s.count("1") == 9 for s in lines)


def test_regions_with_a_range_of_ones():
    board = "unique no\nregion {} r1c1 r2c2 r3c3\n" + G4
    by_number = [number_of(board.format(n)) for n in range(4)]
    assert sum(by_number) == 90
    assert all(by_number)
    for low, high in ((0, 1), (1, 2), (0, 2), (1, 3), (0, 3)):
        assert number_of(board.format(f"{low}..{high}")) == sum(by_number[low : high + 1])
    assert parse(board.format("1..*")) == parse(board.format("1..3"))


def test_each_rule_is_named_when_broken():
    puzzle = parse("unique yes\n.1.0\n..0.\n.0..\n11.0\nr1c1 = r4c4\nregion 1 r1c1 r2c1\n")
    right = {
        f"r{r + 1}c{c + 1}": int(v) for r, row in enumerate(["0110", "1001", "0011", "1100"]) for c, v in enumerate(row)
    }
    assert puzzle.check(right) == []
    assert puzzle.check({**right, "r1c1": 1, "r9c9": 0}) == [
        "r9c9 is not a cell of the board",
        "row 1: 1110 has three 1 in line",
        "row 1: 1110 has 3 times 1, not 2",
        "column 1: 1101 has 3 times 1, not 2",
        "region of r1c1: 2 times 1, not 1",
        "r1c1 = r4c4: they are 1 and 0",
    ]
    assert puzzle.check({**right, "r1c2": 0, "r3c3": 2})[:2] == [
        "r3c3 is 2, neither 0 nor 1",
        "r1c2 is 0 where 1 is given",
    ]
    assert len(puzzle.check({})) == 16
    crossed = Takuzu(((None,) * 4,) * 4, Rules(unique=False, diagonals=True))
    words = crossed.check({**right, "r1c1": 0, "r2c2": 0, "r3c3": 0})
    assert "three 0 in line diagonally, down to the right, r2c2 in the middle" in words


G4 = "....\n....\n....\n....\n"


def test_wrong_family_and_faulty_objects():
    with pytest.raises(InputError, match="JSON of family 'tango', read as takuzu"):
        parse('{"family": "tango", "grid": ["01"]}', "takuzu")
    with pytest.raises(InputError, match="row 1, column 1: value 2"):
        Takuzu(((2, None), (None, None)))
    with pytest.raises(InputError, match="0 rows"):
        Takuzu(())
    with pytest.raises(InputError, match="row 2, column 1: 1 cells"):
        Takuzu(((None, None), (None,)))


def test_terminal_picture():
    file = io.StringIO()
    puzzle = load(EXAMPLES / "torus-regions-6x6.txt")
    Console(file=file, width=80).print(puzzle.render(found(puzzle, 1)[0]))
    lines = file.getvalue().splitlines()
    assert lines[0] == "┏┅┅┅┯┅┅┅┳┅┅┅┯┅┅┅┯┅┅┅┯┅┅┅┓"
    assert lines[1] == "┇ 0 │ 1 ┃ 0 │ 0 │ 1 │ 1 ┇"
    assert lines[8] == "┠─=─┼───┼───┼───┼───┼───┨"
    assert "r1c1 ... (4 cells): 2 ones" in lines
    assert "r3c1 = r6c4" in lines
    assert lines[-1] == "rows and columns are rings"

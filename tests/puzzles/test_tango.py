import io
import json

from rich.cells import cell_len
from rich.console import Console

from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.puzzles import Puzzle, parse
from gatesolve.puzzles.takuzu.board import Sign
from gatesolve.puzzles.tango.puzzle import Tango

SMALL = "tango\nS...\n.M..\n...M\n....\nr1c1 = r1c2\nr2c3 x r3c3\n"


def found(puzzle: Puzzle, limit: int | None = None) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


def test_equal_lines_are_allowed():
    puzzle = parse("tango 2x2\nSM\nMS\n")
    tall = parse("tango\nS.\nS.\n..\n..\n")
    assert len(found(puzzle)) == 1
    (answer,) = found(tall)
    assert [r[0] for r in tall.board(answer)] == ["S", "S", "M", "M"]
    assert tall.check(answer) == []


def test_all_ways_to_write_one_board_are_the_same():
    plain = parse(SMALL)
    walls = [[[0, 0], [0, 1], "="], [[1, 2], [2, 2], "x"]]
    forms = [
        "S . . .\n. M . .\n. . . M\n. . . .\n(0,0)=(0,1)\n(1,2)x(2,2)\n",
        "☀...\n.🌑..\n...☾\n....\nr1c1=r1c2\nr2c3×r3c3\n",
        "☀️_ _ _\n_🌙_ _\n_ _ _M\n----\nr1c1=r1c2\nr2c3 x r3c3\n",
        "tango\n0...\n.1..\n...1\n....\nr1c1 = r1c2\nr2c3 x r3c3\n",
        json.dumps({"family": "tango", "grid": ["0...", ".1..", "...1", "...."], "signs": walls}),
        json.dumps({"size": 4, "symbols": [[0, 0, "S"], [1, 1, "M"], [2, 3, "M"]], "walls": walls}),
        json.dumps(
            {
                "size": 4,
                "prefilled": {"0,0": "☀️", "1,1": "🌑", "2,3": "🌑"},
                "constraints": [["0,0", "0,1", "="], ["1,2", "2,2", "x"]],
            }
        ),
    ]
    for form in forms:
        assert parse(form) == plain, form


def test_signs_alone_are_a_board_of_six():
    puzzle = parse("(0,1)x(1,1)\n(1,0)x(1,1)\n")
    assert isinstance(puzzle, Tango)
    assert puzzle == Tango(((None,) * 6,) * 6, (Sign((0, 1), False, (1, 1)), Sign((1, 0), False, (1, 1))))
    assert parse("tango 2x4\nr1c1 x r1c2\n") == Tango(((None,) * 4,) * 2, (Sign((0, 0), False, (0, 1)),))


def test_each_rule_is_named_when_broken():
    puzzle = parse(SMALL)
    right = found(puzzle, 1)[0]
    assert puzzle.check({**right, "r1c1": 1})[0] == "r1c1 is M where S is given"
    assert "r1c1 = r1c2: they are S and M" in puzzle.check({**right, "r1c2": 1})
    assert any("three M in line" in w for w in puzzle.check(dict.fromkeys(right, 1)))


def test_terminal_picture_shows_signs_on_the_borders():
    file = io.StringIO()
    Console(file=file, width=80).print(parse(SMALL).render({"r1c2": 0}))
    lines = file.getvalue().splitlines()
    assert lines[1] == "┃ ☀ = ☀ │   │   ┃"
    assert lines[4] == "┠───┼───┼─x─┼───┨"
    assert cell_len(lines[1]) == len(lines[0])

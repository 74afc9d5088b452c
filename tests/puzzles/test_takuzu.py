import itertools
import json
from pathlib import Path

import pytest
from checks import answers

from gatesolve.errors import InfeasibleError
from gatesolve.formats import from_cpmpy
from gatesolve.model import presolve
from gatesolve.puzzles import parse
from gatesolve.puzzles.takuzu import legal_patterns
from gatesolve.puzzles.takuzu_board import most_equal

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "takuzu.jsonl").read_text().splitlines()]


def test_a_board_infeasible_under_the_stricter_rule_only():
    strict = next(r for r in RECORDS if r["n_solutions"] == 0)
    loose = parse(json.dumps({**strict, "unique_lines": False}))
    (answer,) = answers(loose, 2)
    assert any(" equals " in words for words in parse(json.dumps(strict)).check(answer))
    with pytest.raises(InfeasibleError):
        presolve(from_cpmpy(parse(json.dumps(strict)).to_cpmpy()), "propagate")


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
    assert len(answers(parse(text, "takuzu"))) == sum(s.count("1") == 9 for s in lines)
    ring = text.replace("unique no\n", "unique no\nwrap rows\n")
    ended = [s for s in lines if s.count("1") == 9 and "000" not in s + s[:2] and "111" not in s + s[:2]]
    assert len(answers(parse(ring, "takuzu"))) == len(ended) < sum(s.count("1") == 9 for s in lines)


def test_regions_with_a_range_of_ones():
    board = "unique no\nregion {} r1c1 r2c2 r3c3\n" + "....\n" * 4
    by_number = [len(answers(parse(board.format(n)))) for n in range(4)]
    assert sum(by_number) == 90
    assert all(by_number)
    for low, high in ((0, 1), (1, 2), (0, 2), (1, 3), (0, 3)):
        assert len(answers(parse(board.format(f"{low}..{high}")))) == sum(by_number[low : high + 1])
    assert len(answers(parse(board.format("1..*")))) == sum(by_number[1:])


def test_equal_lines_are_allowed():
    puzzle = parse("tango 2x2\nSM\nMS\n")
    tall = parse("tango\nS.\nS.\n..\n..\n")
    assert len(answers(puzzle)) == 1
    (answer,) = answers(tall)
    assert [r[0] for r in tall.board(answer)] == ["S", "S", "M", "M"]
    assert tall.check(answer) == []

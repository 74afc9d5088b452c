import itertools

import pytest
from checks import answers

from gatesolve.puzzles import parse
from gatesolve.puzzles.takuzu import legal_patterns
from gatesolve.puzzles.takuzu_board import most_equal


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

from checks import answers

from gatesolve.puzzles import parse


def test_equal_lines_are_allowed():
    puzzle = parse("tango 2x2\nSM\nMS\n")
    tall = parse("tango\nS.\nS.\n..\n..\n")
    assert len(answers(puzzle)) == 1
    (answer,) = answers(tall)
    assert [r[0] for r in tall.board(answer)] == ["S", "S", "M", "M"]
    assert tall.check(answer) == []

"""Constraints and boards at their bars: what is no dearer than a circuit made by hand stays so."""

import pytest

OVER = {
    ("x != y, 8 values", "domain-wall"),
    ("x != y, 16 values", "domain-wall"),
    ("x + y = z, 4 values", "binary"),
    *((f"clause of {n} literals, 9 values", "binary") for n in (3, 4, 6)),
}
"""Rows of one constraint that are above their bar today."""


@pytest.fixture
def constraints(benchmark_module):
    return benchmark_module("constraints")


@pytest.mark.slow
def test_single_constraints_are_at_their_bar(constraints, capsys):
    constraints.print_rows(list(constraints.list_singles()))
    lines = capsys.readouterr().out.splitlines()
    missed = {(line[:36].strip(), line[37:49].strip()): line.split(" ")[-1] for line in lines[1:-1] if _missed(line)}
    assert missed == dict.fromkeys(OVER, "over")


def _missed(line):
    return not line.split(" ")[-1].isdigit()


def test_a_row_says_what_it_took_and_that_it_is_over(constraints, capsys):
    cases = [case for case in constraints.list_singles() if case.name == "x != y, 8 values"]
    assert constraints.print_rows(cases) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[5:] == ["binary", "16", "23.5", "154", "16", "16", "8", "2", "9", "19"]
    assert lines[3].endswith("over")
    assert lines[-1] == "2 of 3 rows at their bars"


def test_too_many_t_and_more_depth_at_equal_cx_are_named(constraints):
    (case,) = (c for c in constraints.list_singles() if (c.name, c.encoding) == ("x != y, 8 values", "binary"))
    depths = {(case.name, "binary", 16): 19}
    assert constraints.broken(case, constraints.Counts(16, 19, 8, 2), depths) == []
    assert constraints.broken(case, constraints.Counts(16, 20, 9, 2), depths) == ["T", "deeper"]
    assert constraints.broken(case, constraints.Counts(15, 40, 8, 2), depths) == []
    assert constraints.broken(case, constraints.Counts(17, 19, 8, 2), depths) == ["over"]


def test_every_row_has_its_depth_recorded(constraints):
    cases = [*constraints.list_singles(), *constraints.list_boards()]
    recorded = {(row.name, row.encoding) for row in constraints.read_rows(constraints.Recorded, constraints.DEPTHS)}
    assert recorded == {(case.name, case.encoding) for case in cases}

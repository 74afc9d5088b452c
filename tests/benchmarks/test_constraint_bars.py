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
    over = {(line[:36].strip(), line[37:49].strip()) for line in lines if line.endswith("over")}
    assert over == OVER


def test_a_row_says_what_it_took_and_that_it_is_over(constraints, capsys):
    cases = [case for case in constraints.list_singles() if case.name == "x != y, 8 values"]
    assert constraints.print_rows(cases) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["x", "!=", "y,", "8", "values", "binary", "16", "23.5", "154", "16", "16"]
    assert lines[3].endswith("over")
    assert lines[-1] == "2 of 3 rows at their bar"

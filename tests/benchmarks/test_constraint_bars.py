"""Constraints and boards at their bars: what is no dearer than a circuit made by hand stays so."""

import random

import pytest

from benchmarks.suites import constraints


def print_rows(capsys, cases):
    missed = constraints.print_rows(cases)
    return missed, capsys.readouterr().out.splitlines()


@pytest.mark.sampled(0.3)
def test_single_constraints_are_at_their_bar(capsys, sample_seed):
    cases = [row for row in constraints.list_rows() if row.name in constraints.SINGLES]
    missed, lines = print_rows(capsys, random.Random(sample_seed).sample(cases, 10))
    assert missed == 0, lines


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["queens as columns", "8 colours", "Petersen", "magic", "SEND", "K7"])
def test_boards_are_at_their_bar(capsys, name):
    missed, lines = print_rows(capsys, constraints.list_rows([name]))
    assert missed == 0, lines


def test_too_many_t_and_more_depth_at_equal_cx_are_named():
    row = constraints.TABLE.row("x != y, 8 values", "binary", 16, 19, 154, 16, 2)
    assert constraints.broken(row, constraints.Counts(16, 19, 8, 2)) == []
    assert constraints.broken(row, constraints.Counts(16, 20, 9, 2)) == ["T", "deeper"]
    assert constraints.broken(row, constraints.Counts(15, 40, 8, 2)) == []
    assert constraints.broken(row, constraints.Counts(17, 19, 8, 2)) == ["over"]

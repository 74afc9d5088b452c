"""Constraints and boards at their bars: what is no dearer than a circuit made by hand stays so."""

import random

import cpmpy as cp
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


def test_a_row_says_what_it_took_and_that_it_is_over(capsys):
    (row,) = (row for row in constraints.list_rows(["x != y, 8"]) if row.encoding == "binary")
    missed, lines = print_rows(capsys, [row, row.replace(before=3)])
    shown = "x != y, 8 values binary 12 23.5 154 16 16 4 0 9 10"
    assert lines[1].split() == shown.split()
    assert lines[2].endswith("over")
    assert lines[-1] == "1 of 2 rows at their bars"
    assert missed == 1


def test_a_row_that_cannot_be_lowered_is_refused(capsys, monkeypatch):
    monkeypatch.setitem(constraints.WRITTEN, "never", lambda: cp.BoolVal(False))
    missed, lines = print_rows(capsys, [constraints.TABLE.row("never", "binary")])
    assert missed == 1
    assert "refused: the model contains the constant false" in lines[1]


def test_too_many_t_and_more_depth_at_equal_cx_are_named():
    row = constraints.TABLE.row("x != y, 8 values", "binary", 16, 19, 154, 16, 2)
    assert constraints.broken(row, constraints.Counts(16, 19, 8, 2)) == []
    assert constraints.broken(row, constraints.Counts(16, 20, 9, 2)) == ["T", "deeper"]
    assert constraints.broken(row, constraints.Counts(15, 40, 8, 2)) == []
    assert constraints.broken(row, constraints.Counts(17, 19, 8, 2)) == ["over"]

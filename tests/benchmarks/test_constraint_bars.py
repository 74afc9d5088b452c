"""Constraints and boards at their bars: what is no dearer than a circuit made by hand stays so."""

import random
from dataclasses import replace

import cpmpy as cp
import pytest

from benchmarks.suites import constraints


def print_rows(capsys, cases):
    missed = constraints.print_rows(list(cases))
    return missed, capsys.readouterr().out.splitlines()


@pytest.mark.slow
def test_single_constraints_are_at_their_bar(capsys, sample_seed):
    cases = [case for case in constraints.list_cases() if not case.is_board]
    missed, lines = print_rows(capsys, random.Random(sample_seed).sample(cases, 20))
    assert missed == 0, lines


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["queens as columns", "8 colours", "Petersen", "magic", "SEND"])
def test_boards_are_at_their_bar(capsys, name):
    missed, lines = print_rows(capsys, constraints.list_cases([name]))
    assert missed == 0, lines


def test_the_contest_is_at_its_bar(capsys):
    cases = list(constraints.list_cases(["K7"]))
    assert [case.bar for case in cases] == [260, 310]
    # with parities reduced across constraints it would be 259 and 305, and the level no longer literal
    _, lines = print_rows(capsys, cases)
    assert [int(line[49:56]) for line in lines[1:-1]] == [252, 293]


def test_a_row_says_what_it_took_and_that_it_is_over(capsys):
    (case,) = (c for c in constraints.list_cases(["x != y, 8"]) if c.encoding == "binary")
    cheap = constraints.Case("for less", case.model, "binary", before=3)
    missed, lines = print_rows(capsys, [case, cheap])
    shown = "x != y, 8 values binary 12 23.5 154 16 16 4 0 9 10"
    assert lines[1].split() == shown.split()
    assert lines[2].endswith("over")
    assert lines[-1] == "1 of 2 rows at their bars"
    assert missed == 1


def test_a_row_that_cannot_be_lowered_is_refused(capsys):
    never = constraints.Case("never", cp.BoolVal(False), "binary", 1)
    missed, lines = print_rows(capsys, [never])
    assert missed == 1
    assert "refused: the model holds the constant false" in lines[1]


def test_too_many_t_and_more_depth_at_equal_cx_are_named():
    (case,) = (c for c in constraints.list_cases(["x != y, 8"]) if c.encoding == "binary")
    case = replace(case, depth=(16, 19))
    assert constraints.broken(case, constraints.Counts(16, 19, 8, 2)) == []
    assert constraints.broken(case, constraints.Counts(16, 20, 9, 2)) == ["T", "deeper"]
    assert constraints.broken(case, constraints.Counts(15, 40, 8, 2)) == []
    assert constraints.broken(case, constraints.Counts(17, 19, 8, 2)) == ["over"]


def test_every_row_is_recorded():
    cases = list(constraints.list_cases())
    assert {case.name for case in cases if not case.is_board} == set(constraints.SINGLES)
    assert set(constraints.WRITTEN) <= {case.name for case in cases if case.is_board}
    assert len(cases) == 91

"""Checks that tests of all families share: answers by search, and refusals in one clear line that names the place."""

import time

import pytest

from gatesolve.errors import InputError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.puzzles import parse


def assert_refused(text, row, column, message="", family=None):
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        parse(text, family, "f.txt")
    assert time.process_time() - start < 2
    assert message in str(caught.value)
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    assert (caught.value.row, caught.value.column if column else None) == (row, column)


def answers(puzzle, limit=None):
    """Answers to a board, all or so many, each accepted by its rules."""
    found = find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)
    assert all(puzzle.check(answer) == [] for answer in found)
    return found

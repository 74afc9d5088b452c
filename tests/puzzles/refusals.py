"""What every family owes a malformed board: one clear line, soon, that names the place."""

import time

import pytest

from gatesolve.errors import InputError
from gatesolve.puzzles import parse


def assert_refused(text, row, column, message="", family=None):
    start = time.perf_counter()
    with pytest.raises(InputError) as caught:
        parse(text, family, "f.txt")
    assert time.perf_counter() - start < 2
    assert message in str(caught.value)
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)
    assert (caught.value.row, caught.value.column if column else None) == (row, column)

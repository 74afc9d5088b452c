"""Recoveries compute, compose and refuse."""

from __future__ import annotations

import pytest

from gatesolve.errors import InputError
from gatesolve.presolve.recovery import Fixed, Looked, Recovery, Weighted


def test_steps_are_undone_last_first() -> None:
    first = Recovery(("a", "b", "c", "d"), (Weighted("b", ((2, "c"), (-1, "d")), 3),))
    second = Recovery(("a", "c", "d"), (Looked("c", ("a", "d"), (((0, 5), 7), ((1, 5), 8))), Fixed("d", 5)))
    assert first.then(second).recover({"a": 1}) == {"a": 1, "b": 14, "c": 8, "d": 5}


def test_missing_and_impossible_values_are_named() -> None:
    recovery = Recovery(("a", "b"), (Looked("b", ("a",), (((0,), 1),)),))
    with pytest.raises(InputError, match="no value for a"):
        recovery.recover({"b": 1})
    with pytest.raises(InputError, match="a=3"):
        recovery.recover({"a": 3})


def test_other_entries_are_ignored() -> None:
    assert Recovery(("a",)).recover({"z": 1, "a": 2}) == {"a": 2}

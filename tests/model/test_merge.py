"""Listing tuples and merging constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from contest_kakuro import K7
from hypothesis import given, settings
from numpy.typing import NDArray
from strategies import models, solve_by_trying

from gatesolve.model import Clause, Columns, Constraint, Linear, Model, merge, merge_constraints, settle, tuples_of


def solution_set(model: Model) -> set[tuple[int, ...]]:
    return {tuple(row.values()) for row in solve_by_trying(model)}


@settings(deadline=None, derandomize=True, max_examples=100)
@given(models())
def test_tuples_are_the_solutions_in_order(model: Model) -> None:
    found = tuples_of(tuple(model.domains), model.domains, model.constraints, 10_000)
    assert found == tuple(sorted(solution_set(model)))


def test_limit_and_work_are_bounds() -> None:
    names = tuple(f"b{k}" for k in range(60))
    domains = dict.fromkeys(names, (0, 1))
    assert tuples_of(names, domains, [], 100) is None
    assert tuples_of(names[:3], domains, [], 8) is not None
    assert tuples_of(names[:3], domains, [], 7) is None
    odd = [Linear((*((2, n) for n in names[:-1]), (4, names[-1])), "==", 59)]
    assert tuples_of(names, domains, odd, 100, work=1000) == ()
    hidden = [Clause(tuple((n, frozenset({1})) for n in names)), Linear(((1, names[-1]), (1, names[-2])), "!=", 1)]
    assert tuples_of(names, domains, hidden, 1 << 62, work=1000) is None


def test_propagation_lists_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    model = K7
    listed, real = list[Constraint](), merge._make_prune

    def make(constraint: Constraint, names: Sequence[str], domains: Mapping[str, Sequence[int]]) -> merge.Prune:
        listed.append(constraint)
        return real(constraint, names, domains)

    monkeypatch.setattr(merge, "_make_prune", make)
    monkeypatch.setattr(merge, "_kept", {}, raising=False)
    first = settle(model, model.domains)
    assert listed
    listed.clear()
    assert settle(model, model.domains) == first
    assert not listed


def test_a_kind_of_the_users_own_is_listed_each_time() -> None:
    class Least(Constraint):
        """Equal to every other of its kind, whatever it demands."""

        scope = ("a",)

        def __init__(self, least: int) -> None:
            self.least = least

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Least)

        def __hash__(self) -> int:
            return 0

        def holds(self, columns: Columns) -> NDArray[np.bool_]:
            return np.asarray(columns["a"] >= self.least)

    for least in (1, 2):
        assert tuples_of(("a",), {"a": (0, 1, 2)}, [Least(least)], 3) == tuple((k,) for k in range(least, 3))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(models(max_constraints=6))
def test_merging_keeps_the_solutions(model: Model) -> None:
    for limit in (3, 4096):
        assert solution_set(merge_constraints(model, limit)) == solution_set(model)

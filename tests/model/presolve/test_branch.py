"""Branching: the parts hold every solution once, and backtracking finds what the reference solver finds."""

from __future__ import annotations

import math
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.model import AllDifferent, Linear, Model, Table, Variable, find_solutions
from gatesolve.model.presolve.branch import backtrack, choose_branches, log_size, settle
from gatesolve.model.presolve.probe import narrow_model


@settings(max_examples=40)
@given(models(max_constraints=3), st.sampled_from([0, 4, 1000]))
def test_the_parts_hold_every_solution_once(model: Model, enough: int) -> None:
    domains = settle(model, model.domains)
    expected = sorted(tuple(one.values()) for one in find_solutions(model))
    if domains is None:
        assert expected == []
        return
    if all(len(values) == 1 for values in domains.values()):
        return
    parts, looks = choose_branches(model, domains, lambda part: part.num_assignments <= enough)
    assert looks >= len(parts) >= 1
    found = []
    for part in parts:
        assert all(part.given[name] == (value,) for name, value in part.values.items())
        inside = [tuple(one.values()) for one in find_solutions(narrow_model(model, part.given))]
        if part.domains is None:
            assert inside == []
        else:
            assert inside == [tuple(one.values()) for one in find_solutions(narrow_model(model, part.domains))]
        found += inside
    assert sorted(found) == expected


@settings(max_examples=40)
@given(models())
def test_backtracking_finds_a_solution_where_there_is_one(model: Model) -> None:
    plain = backtrack(model, 60)
    assert plain.finished
    every = (dict(zip(model.domains, values, strict=True)) for values in product(*model.domains.values()))
    assert plain.found == any(map(model.check, every))


def test_the_likeliest_part_comes_first() -> None:
    names = ("a", "b", "c")
    model = Model(
        tuple(Variable(name, (0, 1, 2)) for name in names),
        (Linear(tuple((1, name) for name in names), "<=", 2),),
    )
    parts, _ = choose_branches(model, dict(model.domains), lambda part: True)
    sizes = [log_size(part.domains) for part in parts]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 0


def test_a_choice_does_not_list_what_a_leaf_could_search() -> None:
    """Three of eight bits fixed leave a leaf of 16 assignments or fewer; a constraint's 32 tuples would leave none."""
    names = tuple(f"b{k}" for k in range(8))
    rows = tuple(row for row in product((0, 1), repeat=8) if sum(row) % 2)
    model = Model(tuple(Variable(name, (0, 1)) for name in names), (Table(names, rows, "odd"),))
    domains = dict.fromkeys(names[:6], (0, 1)) | {names[6]: (0,), names[7]: (1,)}
    parts, _ = choose_branches(model, domains, lambda part: part.num_assignments <= 8)
    assert all(len(part.values) == 1 for part in parts)


def test_backtracking_without_time_says_that_it_did_not_finish() -> None:
    model = Model(
        tuple(Variable(f"v{k}", tuple(range(8))) for k in range(9)), (AllDifferent(tuple(f"v{k}" for k in range(9))),)
    )
    assert not backtrack(Model(model.variables[:3], ()), 0).finished
    assert settle(model, model.domains) is None
    assert log_size(None) == -math.inf

"""Branching: the parts hold every solution once, and backtracking finds what the reference solver finds."""

from __future__ import annotations

import math
from itertools import product

from divided_boards import doomed
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.model import AllDifferent, Linear, Model, Table, Variable, find_solutions, settle
from gatesolve.model.presolve.branch import backtrack, choose_branches, log_size
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
    chosen = choose_branches(model, domains, lambda part: part.num_assignments <= enough)
    parts = chosen.branches
    assert chosen.looks >= len(parts) >= 1
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
    shorter = backtrack(model, most_nodes=plain.nodes - 1)
    assert (shorter.nodes, shorter.finished, shorter.found) == (plain.nodes - 1, False, None)
    assert backtrack(model, most_nodes=plain.nodes).finished
    every = (dict(zip(model.domains, values, strict=True)) for values in product(*model.domains.values()))
    assert plain.found == any(map(model.check, every))


def test_a_value_that_a_look_refutes_is_in_no_part() -> None:
    model = doomed(4)
    domains, left = settle(model, model.domains), {f"x{k}": (1,) for k in range(4)}
    assert domains == model.domains
    enough = choose_branches(model, domains, lambda part: part.num_assignments <= 256)
    assert (len(enough.branches), enough.branches[0].values, enough.dropped) == (1, {}, 4)
    assert enough.branches[0].given == domains | left
    assert choose_branches(model, domains, lambda part: part.num_assignments <= 2**10).dropped == 2
    divided = choose_branches(model, domains, lambda part: part.num_assignments <= 1)
    assert divided.dropped == 4
    assert all(part.given.items() >= left.items() for part in divided.branches)
    kept = choose_branches(model, domains, lambda part: part.num_assignments <= 256, drops=False)
    assert (len(kept.branches), kept.dropped) == (2, 0)


def test_the_likeliest_part_comes_first() -> None:
    names = ("a", "b", "c")
    model = Model(
        tuple(Variable(name, (0, 1, 2)) for name in names),
        (Linear(tuple((1, name) for name in names), "<=", 2),),
    )
    parts = choose_branches(model, dict(model.domains), lambda part: True).branches
    sizes = [log_size(part.domains) for part in parts]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 0


def test_a_choice_does_not_list_what_a_leaf_could_search() -> None:
    """Three of eight bits fixed leave a leaf of 16 assignments or fewer; a constraint's 32 tuples would leave none."""
    names = tuple(f"b{k}" for k in range(8))
    rows = tuple(row for row in product((0, 1), repeat=8) if sum(row) % 2)
    model = Model(tuple(Variable(name, (0, 1)) for name in names), (Table(names, rows, "odd"),))
    domains = dict.fromkeys(names[:6], (0, 1)) | {names[6]: (0,), names[7]: (1,)}
    parts = choose_branches(model, domains, lambda part: part.num_assignments <= 8).branches
    assert all(len(part.values) == 1 for part in parts)


def test_backtracking_without_time_says_that_it_did_not_finish() -> None:
    model = Model(
        tuple(Variable(f"v{k}", tuple(range(8))) for k in range(9)), (AllDifferent(tuple(f"v{k}" for k in range(9))),)
    )
    assert not backtrack(Model(model.variables[:3], ()), 0).finished
    assert settle(model, model.domains) is None
    assert log_size(None) == -math.inf

"""Propagation event by event: every first part of the deductions keeps every solution."""

from __future__ import annotations

import itertools
import math
from contextlib import suppress
from itertools import product

import pytest
from contest_kakuro import K4, K7
from divided_boards import doomed
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import constraints, models, solve_by_trying

from gatesolve.encodings import make_spaces
from gatesolve.errors import InfeasibleError, InputError
from gatesolve.formats import from_cpmpy
from gatesolve.model import (
    AllDifferent,
    Constraint,
    Event,
    Linear,
    Looked,
    Model,
    NotEqual,
    Objective,
    Recovery,
    Table,
    Variable,
    apply_events,
    backtrack,
    choose_branches,
    deduce,
    find_optimum,
    find_solutions,
    narrow_model,
    presolve,
    probe,
    propagate,
    settle,
    stop_after,
    try_to_refute,
)
from gatesolve.model.presolve import branch
from gatesolve.model.presolve.branch import log_size
from gatesolve.model.presolve.propagate import (
    SUM_RANGE,
    filter_domains,
    filter_exactly_one,
    filter_linear,
    reach_fixpoint,
    restrict,
)
from gatesolve.model.presolve.settings import join_tables
from gatesolve.puzzles import load


def deductions(model: Model) -> list[Event]:
    """All of them, or those before the one that refutes the model."""
    found: list[Event] = []
    with suppress(InfeasibleError):
        found.extend(deduce(model))
    return found


@settings(max_examples=60)
@given(models(), st.data())
def test_every_first_part_of_the_deductions_keeps_the_solutions(model: Model, data: st.DataObject) -> None:
    events = deductions(model)
    number = data.draw(st.integers(0, len(events)))
    try:
        smaller, recovery = stop_after(model, events[:number])
    except InfeasibleError:
        assert not find_solutions(model)
        return
    recovered = [recovery.recover(solution) for solution in find_solutions(smaller)]
    assert sorted(map(repr, recovered)) == sorted(repr(one) for one in find_solutions(model))


@settings(max_examples=40)
@given(models())
def test_all_deductions_are_those_of_propagate(model: Model) -> None:
    try:
        whole, _ = propagate(model)
    except InfeasibleError:
        return
    after, _ = stop_after(model, deduce(model))
    assert {v.name: v.domain for v in after.variables if len(v.domain) > 1} == {
        v.name: v.domain for v in whole.variables
    }


def test_a_fixed_variable_stays_while_an_all_different_needs_it() -> None:
    variables = (Variable("a", (1,)), Variable("b", (1, 2, 3)), Variable("c", (1, 2, 3)))
    model = Model(variables, (AllDifferent(("a", "b", "c")),))
    first, recovery = stop_after(model, [])
    assert [v.name for v in first.variables] == ["a", "b", "c"]
    assert {space.size for space in make_spaces(first, "one-hot")} == {9}
    assert len(find_solutions(first)) == 2
    assert recovery.steps == ()
    second, recovery = stop_after(model, deduce(model))
    assert [v.name for v in second.variables] == ["b", "c"]
    assert [step.name for step in recovery.steps] == ["a"]


# --- Joint filtering of exactly-one sums: nothing lost, and as much found as matchings allow ---


def ones(names):
    return Linear(tuple((1, name) for name in names), "==", 1)


def board(regions):
    n = len(regions)
    cells = [[f"x{r}{c}" for c in range(n)] for r in range(n)]
    letters = sorted(set("".join(regions)))
    parts = [[cells[r][c] for r in range(n) for c in range(n) if regions[r][c] == a] for a in letters]
    columns = [[cells[r][c] for r in range(n)] for c in range(n)]
    variables = tuple(Variable(name, (0, 1)) for row in cells for name in row)
    return Model(variables, tuple(ones(group) for group in (*cells, *columns, *parts)))


def as_set(found):
    return {tuple(sorted(f.items())) for f in found}


def test_two_regions_that_fill_two_rows():
    # A and B lie in rows 0 and 1 alone, so C, which reaches into row 1, has no star there.
    model = board(["AAAB", "CABB", "CCDD", "CCDD"])
    filtered = filter_exactly_one(model.domains, model.constraints)
    assert filtered["x10"] == (0,)
    assert all(filtered[name] == (0, 1) for name in ("x00", "x03", "x11", "x20", "x33"))


def test_three_regions_in_two_rows_are_infeasible():
    model = board(["ABCC", "ABCC", "DDDD", "DDDD"])
    with pytest.raises(InfeasibleError, match="too few places"):
        filter_exactly_one(model.domains, model.constraints)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 4), st.data())
def test_no_solution_is_lost(n, data):
    letters = st.text(alphabet="ABCD"[:n], min_size=n, max_size=n)
    model = board(data.draw(st.lists(letters, min_size=n, max_size=n)))
    expected = as_set(find_solutions(model))
    try:
        filtered = filter_exactly_one(model.domains, model.constraints)
    except InfeasibleError:
        assert not expected
        return
    assert all(dict(s)[name] in filtered[name] for s in expected for name in filtered)


# --- Each filter keeps exactly the values that some satisfying tuple uses ---


def supported(constraint: Constraint, domains: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    model = Model(tuple(Variable(n, domains[n]) for n in dict.fromkeys(constraint.scope)), (constraint,))
    found = solve_by_trying(model)
    return {name: tuple(sorted({s[name] for s in found})) for name in model.domains}


@pytest.mark.more_examples(250)
@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.data())
def test_filters_are_exact(data: st.DataObject) -> None:
    model = data.draw(models(max_constraints=0))
    constraint = data.draw(constraints(model.variables))
    expected = supported(constraint, model.domains)
    kept = filter_domains(constraint, model.domains)
    if any(not values for values in expected.values()):
        assert any(not values for values in kept.values())
    else:
        assert {name: kept.get(name, model.domains[name]) for name in expected} == expected


def test_wide_sums_are_filtered_on_bounds() -> None:
    step = SUM_RANGE
    domains = {"a": (0, step, 5 * step), "b": (0, 2 * step, 9 * step)}
    kept = filter_linear(Linear(((1, "a"), (1, "b")), "==", 3 * step), domains)
    assert kept == {"a": (0, step), "b": (0, 2 * step)}
    assert filter_linear(Linear(((1, "a"), (1, "b")), "==", -step), domains) == {"a": (), "b": ()}


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.data())
def test_restriction_keeps_the_solutions_inside_the_domains(data: st.DataObject) -> None:
    model = data.draw(models(max_constraints=0))
    constraint = data.draw(constraints(model.variables))
    try:
        domains = reach_fixpoint(model.domains, [constraint])
    except InfeasibleError:
        assume(False)
    try:
        smaller = restrict(constraint, domains)
    except InfeasibleError:
        assert not constraint.scope, "what reads a variable left it no value"
        return
    narrowed = Model(tuple(Variable(n, values) for n, values in domains.items()), (constraint,))
    for row in itertools.product(*domains.values()):
        assignment = dict(zip(domains, row, strict=True))
        after = smaller is None or Model(narrowed.variables, (smaller,)).check(assignment)
        assert after == narrowed.check(assignment)
    if smaller is not None:
        assert all(len(domains[name]) > 1 for name in smaller.scope)


# --- Probing keeps every solution, and deduces at least what propagation does ---


@pytest.mark.more_examples(100)
@settings(max_examples=40)
@given(models(max_variables=5, max_constraints=5))
def test_probing_keeps_the_solutions(model: Model) -> None:
    expected = sorted(tuple(one.values()) for one in find_solutions(model))
    try:
        events = list(probe(model))
        smaller, recovery = stop_after(model, events)
    except InfeasibleError:
        assert expected == []
        return
    assert sorted(tuple(recovery.recover(one).values()) for one in find_solutions(smaller)) == expected
    left = apply_events(model.domains, events)
    propagated = {v.name: set(v.domain) for v in presolve(model, "propagate")[0].variables}
    assert all(set(left[name]) <= values for name, values in propagated.items())


def test_what_propagation_does_not_see_a_probe_refutes() -> None:
    # x + y, y + z and x + z are each 1 for 0/1 variables: every value of x is refuted, none of them at once.
    names = ("x", "y", "z")
    sums = tuple(Linear(((1, a), (1, b)), "==", 1) for a, b in (("x", "y"), ("y", "z"), ("x", "z")))
    model = Model(tuple(Variable(name, (0, 1)) for name in names), sums)
    assert len(presolve(model, "propagate")[0].variables) == 3
    with pytest.raises(InfeasibleError):
        list(probe(model))
    assert try_to_refute(model) == (True, 1)
    assert try_to_refute(Model(model.variables, sums[:2])) == (False, 6)


def test_probing_ends_after_so_many_values(monkeypatch) -> None:
    monkeypatch.setattr(branch, "MOST_PROBES", 0)
    variables = (Variable("a", (0, 1)), Variable("b", (0, 1)))
    assert list(probe(Model(variables, (Linear(((1, "a"), (1, "b")), "==", 1),)))) == []


# --- Recoveries compute, compose and refuse ---


def test_missing_and_impossible_values_are_named() -> None:
    recovery = Recovery(("a", "b"), (Looked("b", ("a",), (((0,), 1),)),))
    with pytest.raises(InputError, match="no value for a"):
        recovery.recover({"b": 1})
    with pytest.raises(InputError, match="a=3"):
        recovery.recover({"a": 3})


@pytest.mark.sampled(0.5)
def test_a_target_that_an_earlier_elimination_leaves_open_is_kept(pytestconfig):
    """Rewriting a constraint over other variables can take from a relation what determined its target."""
    board = load(pytestconfig.rootpath / "examples" / "sudoku" / "tdoku-13-solutions.txt")
    model = from_cpmpy(board.to_cpmpy())
    smaller, recovery = presolve(model, "affine")
    whole, left = find_solutions(model), find_solutions(smaller)
    assert len(whole) == len(left) == 13
    recovered = {tuple(recovery.recover(solution).items()) for solution in left}
    assert recovered == {tuple((name, solution[name]) for name in model.domains) for solution in whole}


# --- The join agrees with its definition ---


ROWS = st.sets(st.tuples(*(st.integers(-1, 2) for _ in range(3))), max_size=12)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(ROWS, ROWS, st.sampled_from(("abc", "bcd", "cde", "def")))
def test_join_is_the_rows_both_tables_agree_on(left, right, columns: str) -> None:
    one, two = Table(tuple("abc"), tuple(sorted(left))), Table(tuple(columns), tuple(sorted(right)))
    names = tuple(dict.fromkeys("abc" + columns))
    whole = set()
    for a in left:
        for b in right:
            first, second = dict(zip("abc", a, strict=True)), dict(zip(columns, b, strict=True))
            if all(first[n] == second[n] for n in first.keys() & second.keys()):
                whole.add(tuple((first | second)[n] for n in names))
    assert join_tables(one, two, names, 1000) == tuple(sorted(whole))
    cut = tuple(reversed(names[1:]))
    assert join_tables(one, two, cut, 1000) == tuple(sorted({tuple(reversed(row[1:])) for row in whole}))
    if whole:
        assert join_tables(one, two, names, len(whole)) is not None
        assert join_tables(one, two, names, len(whole) - 1) is None


# --- Every presolve setting keeps the solutions, one to one ---


def rows(found: list[dict[str, int]]) -> list[tuple[int, ...]]:
    return sorted(tuple(s.values()) for s in found)


@pytest.mark.more_examples(100)
@pytest.mark.parametrize("setting", ["none", "propagate", "affine"])
@settings(deadline=None, derandomize=True, max_examples=40)
@given(model=models(max_variables=5, max_constraints=5))
def test_solutions_correspond_one_to_one(setting, model: Model) -> None:
    expected = rows(find_solutions(model))
    try:
        smaller, recovery = presolve(model, setting)
    except InfeasibleError:
        assert expected == []
        return
    recovered = [recovery.recover(s) for s in find_solutions(smaller)]
    # a list, not a set: two small solutions must not recover to the same one
    assert rows(recovered) == expected
    assert all(list(s) == list(model.domains) for s in recovered)
    assert smaller.num_assignments <= model.num_assignments


@settings(deadline=None, derandomize=True, max_examples=60)
@given(model=models(with_objective=True), setting=st.sampled_from(("propagate", "affine")))
def test_the_objective_keeps_its_values(model: Model, setting) -> None:
    best = find_optimum(model)
    try:
        smaller, recovery = presolve(model, setting)
    except InfeasibleError:
        assert best is None
        return
    assert model.objective is not None
    assert smaller.objective is not None
    for solution in find_solutions(smaller):
        assert smaller.objective.value(solution) == model.objective.value(recovery.recover(solution))
    after = find_optimum(smaller)
    assert (None if best is None else best[1]) == (None if after is None else after[1])


@settings(deadline=None, derandomize=True, max_examples=60)
@given(model=models(max_constraints=5), setting=st.sampled_from(("propagate", "affine")))
def test_presolving_again_changes_nothing(model: Model, setting) -> None:
    try:
        smaller, _ = presolve(model, setting)
    except InfeasibleError:
        return
    again, recovery = presolve(smaller, setting)
    assert again.domains == smaller.domains
    assert recovery.steps == ()


@pytest.mark.parametrize(
    ("model", "setting", "left"), [(K7, "propagate", 0), (K7, "affine", 0), (K4, "propagate", 4), (K4, "affine", 1)]
)
def test_the_contests_kakuro_are_narrowed(model, setting, left: int) -> None:
    smaller, recovery = presolve(model, setting)
    assert len(smaller.variables) == left
    solutions = [(2, 1, 3, 2, 0, 0, 1)] if model is K7 else [(0, 3, 3, 1), (2, 1, 1, 3)]
    assert rows([recovery.recover(s) for s in find_solutions(smaller)]) == solutions


def test_equal_and_opposite_signs_are_eliminated() -> None:
    bits = tuple(Variable(f"b{k}", (0, 1)) for k in range(6))
    signs = (
        Linear(((1, "b0"), (-1, "b1")), "==", 0),
        NotEqual("b1", "b2"),
        Linear(((1, "b3"), (1, "b4")), "==", 1),
        Linear(tuple((1, v.name) for v in bits), "==", 3),
    )
    smaller, recovery = presolve(Model(bits, signs), "affine")
    assert len(smaller.variables) <= 2
    assert rows([recovery.recover(s) for s in find_solutions(smaller)]) == rows(find_solutions(Model(bits, signs)))


def test_an_objective_that_would_stop_being_linear_keeps_its_variable() -> None:
    square = Table(("x", "y"), tuple((v, v * v) for v in (-2, -1, 0, 1)), "y == x**2")
    variables = (Variable("x", (-2, -1, 0, 1)), Variable("y", (0, 1, 2, 3, 4)))
    assert list(presolve(Model(variables, (square,)), "affine")[0].domains) == ["x"]
    kept, _ = presolve(Model(variables, (square,), Objective(((1, "y"),), 0, "max")), "affine")
    assert list(kept.domains) == ["x", "y"]


def test_infeasible_names_the_constraint_and_the_setting() -> None:
    bits = tuple(Variable(n, (0, 1)) for n in "ab")
    for setting in ("propagate", "affine"):
        with pytest.raises(InfeasibleError, match="a \\+ b == 3") as caught:
            presolve(Model(bits, (Linear(((1, "a"), (1, "b")), "==", 3),)), setting)
        assert caught.value.presolve == setting


def test_unknown_setting() -> None:
    with pytest.raises(InputError, match="propagate"):
        presolve(K4, "strong")  # type: ignore[arg-type]


# --- Branching: the parts hold every solution once, and backtracking finds what the reference solver finds ---


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
    assert plain.found == bool(solve_by_trying(model))


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
        tuple(Variable(name, (0, 1, 2)) for name in names), (Linear(tuple((1, name) for name in names), "<=", 2),)
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

"""Eliminating one variable: what is left means the same, constraint by constraint, and says so in its own kind."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import models, solve_by_trying

from gatesolve.errors import InfeasibleError
from gatesolve.model import (
    AllDifferent,
    Clause,
    Linear,
    Looked,
    Model,
    NotEqual,
    Objective,
    Table,
    Variable,
    Weighted,
    presolve,
)
from gatesolve.model.presolve.settings import TABLE_LIMIT, DeterminedVariable, eliminate, find_determined

BITS, TRITS = (0, 1), (0, 1, 2)
SQUARES = Table(("s", "t"), ((0, 0), (1, 1), (2, 4)), "t == s**2")


def model(domains, *constraints, objective=None):
    return Model(tuple(Variable(name, values) for name, values in domains.items()), constraints, objective)


def eliminated(made, target, *, relation=None):
    """The smaller model, once it was checked to have the same solutions, one to one."""
    found = [d for d in find_determined(made) if d.target == target]
    chosen = next(d for d in found if relation in (None, d.relation.variables))
    smaller, recovery = eliminate(made, chosen)
    assert target not in smaller.domains
    assert_same(made, smaller, recovery)
    return smaller, recovery


def assert_same(made, smaller, recovery):
    recovered = [recovery.recover(values) for values in solve_by_trying(smaller)]
    assert sorted(map(list_of, recovered)) == sorted(map(list_of, solve_by_trying(made)))
    if made.objective is not None:
        pairs = zip(solve_by_trying(smaller), recovered, strict=True)
        assert all(smaller.objective.value(few) == made.objective.value(whole) for few, whole in pairs)


def list_of(solution):
    return sorted(solution.items())


@settings(max_examples=40, deadline=None, derandomize=True)
@given(models(max_variables=4, max_constraints=4, with_objective=True))
def test_every_variable_that_is_determined(made):
    for one in find_determined(made):
        found = eliminate(made, one)
        if found is not None:
            assert_same(made, *found)


@pytest.mark.parametrize("values", [{0}, {1, 4}, {0, 1, 4}, {4, 7}, set()])
def test_a_clause_reads_the_only_input_instead(values):
    clause = Clause((("t", frozenset(values)), ("u", frozenset({1}))))
    smaller, recovery = eliminated(model({"s": TRITS, "t": (0, 1, 4), "u": BITS}, SQUARES, clause), "t")
    roots = frozenset({0: 0, 1: 1, 4: 2}[value] for value in values & {0, 1, 4})
    assert smaller.constraints == (Clause((("s", roots), ("u", frozenset({1})))),)
    assert recovery.steps == (Looked("t", ("s",), (((0,), 0), ((1,), 1), ((2,), 4))),)


def test_a_wide_all_different_becomes_one_over_the_rest_and_pairs():
    """Eight different values of eight, two of which add up to 7: 5760 tuples, too many for a table."""
    rest = [*"abcdef", "s"]
    total = Linear(((1, "s"), (1, "t")), "==", 7)
    made = model(dict.fromkeys((*rest, "t"), tuple(range(8))), AllDifferent((*rest, "t")), total)
    (one,) = (d for d in find_determined(made, 1) if d.target == "t")
    smaller, recovery = eliminate(made, one)
    assert recovery.steps == (Weighted("t", ((-1, "s"),), 7),)
    sums = [Linear(((1, "s"), (1, name)), "!=", 7) for name in "abcdef"]
    assert set(smaller.constraints) <= {AllDifferent(tuple(rest)), *sums}  # 2 s != 7 always holds
    orders = np.array([order for order in permutations(range(8)) if order[6] + order[7] == 7])
    assert len(orders) == 5760 > TABLE_LIMIT
    assert smaller.holds({name: orders[:, k] for k, name in enumerate(rest)}).all()
    near = np.concatenate([orders[::7]] * 7)  # each with one of its values changed
    places = np.arange(len(near)) * 7 // len(near)
    near[np.arange(len(near)), places] = (near[np.arange(len(near)), places] + 1 + np.arange(len(near)) % 7) % 8
    columns = {name: near[:, k] for k, name in enumerate(rest)}
    expected = made.holds({**columns, "t": 7 - columns["s"]})
    assert np.array_equal(smaller.holds(columns), expected)


def sum_to_two(*constraints, objective=None):
    return model(dict.fromkeys("stu", TRITS), Linear(((1, "s"), (1, "t")), "==", 2), *constraints, objective=objective)


@pytest.mark.parametrize(
    ("constraint", "left"),
    [
        (NotEqual("t", "u", 1), (Linear(((1, "s"), (1, "u")), "!=", 1),)),
        (NotEqual("u", "t", 1), (Linear(((1, "u"), (1, "s")), "!=", 3),)),
        (Linear(((2, "t"), (1, "u")), "<=", 4), (Linear(((-2, "s"), (1, "u")), "<=", 0),)),
        (Linear(((1, "t"), (1, "s"), (1, "u")), "<=", 4), ()),  # always
        (Linear(((1, "t"), (1, "s"), (2, "u")), "==", 3), (Table(("s",), (), "t + s + 2*u == 3"),)),  # never
    ],
)
def test_sums_stay_sums(constraint, left):
    smaller, _ = eliminated(sum_to_two(constraint), "t", relation=("s", "t"))
    assert smaller.constraints == left


@pytest.mark.parametrize(("size", "kept"), [(16, True), (17, False)])
def test_a_table_grows_only_while_its_tuples_are_few(size, kept):
    values = tuple(range(size))
    squares = Table(("a", "t"), tuple((v, v * v) for v in values))
    every = Table(("b", "c", "t"), tuple((b, c, v * v) for b in values for c in values for v in values))
    made = model({**dict.fromkeys("abc", values), "t": tuple(v * v for v in values)}, squares, every)
    found = eliminate(made, DeterminedVariable("t", squares))
    assert (found is not None) == kept == (size**3 <= TABLE_LIMIT)
    if found is not None:
        assert found[0].constraints == (Table(("a", "b", "c"), tuple(product(values, repeat=3)), str(every)),)


def test_constraints_that_contradict_one_another_leave_nothing():
    """Each alone leaves every value; what the first elimination joins has no tuple."""
    sums = [
        (((1, "c"), (1, "d"), (1, "a")), 3),
        (((1, "c"), (1, "b"), (1, "d")), 2),
        (((-1, "d"), (2, "b"), (1, "a")), 2),
    ]
    made = model(dict.fromkeys("abcd", TRITS), *(Linear(terms, "==", bound) for terms, bound in sums))
    assert solve_by_trying(made) == []
    with pytest.raises(InfeasibleError):
        presolve(made, "affine")


def test_an_objective_is_rewritten_or_stops_it():
    goal = Objective(((1, "t"), (1, "s"), (3, "u")), 5, "max")
    smaller, _ = eliminated(sum_to_two(objective=goal), "t", relation=("s", "t"))
    assert smaller.objective == Objective(((3, "u"),), 7, "max")
    square = model({"s": TRITS, "t": (0, 1, 4)}, SQUARES, objective=Objective(((1, "t"),), 0, "min"))
    assert eliminate(square, DeterminedVariable("t", SQUARES)) is None
    other = Objective(((1, "s"),), 0, "min")
    smaller, _ = eliminated(model({"s": TRITS, "t": (0, 1, 4)}, SQUARES, objective=other), "t")
    assert smaller.objective == other

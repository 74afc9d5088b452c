"""The ways in which CPMpy models are written: all are read, and judge and lowering agree on every assignment."""

import copy
import itertools
import pickle

import cpmpy as cp
import numpy as np
import pytest

import gatesolve
from gatesolve.errors import InputError
from gatesolve.formats import broken_constraints, from_cpmpy


def accepted(model):
    """Assignments that the lowered model accepts; the judge has to say the same of each."""
    lowered = from_cpmpy(model)
    found = set()
    for row in itertools.product(*lowered.domains.values()):
        assignment = dict(zip(lowered.domains, row, strict=True))
        good = lowered.check(assignment)
        assert (broken_constraints(model, assignment) == []) == good
        if good:
            found.add(row)
    return found


def added(*parts):
    model = cp.Model()
    for part in parts:
        model += part
    return model


X, Y = cp.intvar(1, 3, shape=2, name="x"), cp.intvar(1, 3, shape=2, name="y")
A, B = X[0] < Y[0], X[1] < Y[1]
SORTED = {row for row in itertools.product((1, 2, 3), repeat=4) if row[0] < row[2] and row[1] < row[3]}
WAYS = {
    "an array": cp.Model(X < Y),
    "an array in a list": cp.Model([X < Y]),
    "an array in a tuple in a list": cp.Model([(X < Y,)]),
    "a list": cp.Model([A, B]),
    "nested lists": cp.Model([[A], [[B]]]),
    "one by one": cp.Model(A, B),
    "added as an array": added(X < Y),
    "added as a list": added([X < Y]),
    "added from a list": added([x < y for x, y in zip(X, Y, strict=True)]),
    "a view of the array": cp.Model((X < Y)[::-1]),
    "an array of Python objects": cp.Model([np.array([A, B], dtype=object)]),
    "all of them": cp.Model(cp.all(X < Y)),
    "all in a list": cp.Model([cp.all([A, B])]),
    "conjunctions": cp.Model(A & B),
    "with true": cp.Model([A, True, B]),
    "with numpy's true": cp.Model([X < Y, np.bool_(True), np.array([True, True])]),
    "with CPMpy's true": cp.Model([X < Y, cp.BoolVal(True)]),
    "with nothing": cp.Model([X < Y, []]),
    "copied": copy.deepcopy(cp.Model([X < Y])),
    "pickled": pickle.loads(pickle.dumps(cp.Model([X < Y]))),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_write_a_constraint_is_read(way):
    model = WAYS[way]
    names = list(from_cpmpy(model).domains)
    order = [names.index(name) for name in ("x[0]", "x[1]", "y[0]", "y[1]")]
    assert {tuple(row[k] for k in order) for row in accepted(model)} == SORTED


@pytest.mark.parametrize("false", [False, np.bool_(False), cp.BoolVal(False), np.array([True, False]), [[False]]])
def test_false_is_a_constraint_that_nothing_keeps(false):
    assert accepted(added([X < Y], false)) == set()


@pytest.mark.parametrize("odd", [(x < 2 for x in X), {A}, 1, "x < y", None])
def test_what_is_no_constraint_is_refused(odd):
    with pytest.raises(InputError, match="is not a constraint: use an expression, or a list of them"):
        from_cpmpy(added(A, odd))


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (cp.intvar(0, 3, name="s"), cp.boolvar(name="s"), "an integer of 0..3 and a Boolean"),
        (cp.boolvar(name="s"), cp.intvar(0, 1, name="s"), "a Boolean and an integer of 0..1"),
        (cp.intvar(0, 3, name="s"), cp.intvar(0, 4, name="s"), "an integer of 0..3 and an integer of 0..4"),
        (cp.intvar(0, 3, name="s"), cp.intvar(0, 3, name="s"), "an integer of 0..3 and an integer of 0..3"),
        (cp.boolvar(name="s"), cp.boolvar(name="s"), "a Boolean and a Boolean"),
    ],
)
def test_two_variables_of_one_name_are_refused(first, second, both):
    for model in (cp.Model(first == 1, second == 0), cp.Model(first == 1, maximize=second)):
        with pytest.raises(InputError, match=f"^two variables are named s, {both}: give each its own name$"):
            gatesolve.solve(model)


def test_one_variable_in_many_places_and_negated_is_one():
    s, t = cp.boolvar(name="s"), cp.boolvar(name="t")
    assert list(from_cpmpy(cp.Model(~s, [s | t, (~t).implies(s)], maximize=t + ~s)).domains) == ["s", "t"]

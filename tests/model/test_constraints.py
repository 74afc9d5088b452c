"""What every constraint kind owes: one meaning in ``holds``, in CPMpy, and with some variables fixed."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial

import cpmpy as cp
import numpy as np
import pytest
from cpmpy.expressions.utils import argval
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import constraints, models

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.model import (
    AllOf,
    Clause,
    Compare,
    Constraint,
    Linear,
    Model,
    NotEqual,
    Objective,
    Sum,
    Table,
    Value,
    Variable,
    compare,
    stop_after,
)

A = Variable("a", (0, 1))
LISTED = 1 << 16


@dataclass(frozen=True)
class Double(Constraint):
    """``large == 2 * small``, as another package might write it: nothing but what it must have."""

    small: str
    large: str

    @property
    def scope(self):
        return (self.small, self.large)

    def holds(self, columns):
        return np.asarray(columns[self.large] == 2 * columns[self.small])

    def __str__(self):
        return f"{self.large} is twice {self.small}"


@settings(max_examples=80, deadline=None, derandomize=True)
@given(data=st.data())
def test_cpmpy_means_the_same(data):
    model = data.draw(models(max_variables=3, max_constraints=0))
    constraint = data.draw(constraints(model.variables))
    domains = model.domains
    theirs = {name: cp.intvar(min(v), max(v), name=f"v{k}") for k, (name, v) in enumerate(domains.items())}
    expression = constraint.to_cpmpy(theirs)
    for row in itertools.product(*domains.values()):
        values = dict(zip(domains, row, strict=True))
        for name, value in values.items():
            theirs[name]._value = value
        columns = {name: np.array([value]) for name, value in values.items()}
        assert bool(argval(expression)) == bool(np.all(constraint.holds(columns)))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_fixing_variables_leaves_the_rest_as_it_was(data):
    model = data.draw(models(max_variables=3, max_constraints=0))
    constraint = data.draw(constraints(model.variables))
    names = data.draw(st.sets(st.sampled_from(constraint.scope))) if constraint.scope else set()
    fixed = {name: data.draw(st.sampled_from(model.domains[name])) for name in sorted(names)}
    smaller = constraint.substitute(tuple(fixed.items()))
    assert set(smaller.scope) == set(constraint.scope) - set(fixed)
    free = {name: model.domains[name] for name in smaller.scope}
    for row in itertools.product(*free.values()):
        columns = {name: np.array([value]) for name, value in zip(free, row, strict=True)}
        whole = {**columns, **{name: np.array([value]) for name, value in fixed.items()}}
        assert bool(np.all(smaller.holds(columns))) == bool(np.all(constraint.holds(whole)))


FAULTY_DOMAINS = [
    *(("not sorted, or has a value twice: ", domain) for domain in ((1, 0), (0, 0), (0, 2, 1))),
    *((".*: give a tuple of whole numbers$", domain) for domain in (3, None, np.array([0, 1]), "01", (0.5,), (0, "a"))),
]
NO_NAME = r"^a variable is named .*: give it a text without nulls and surrogates$"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Linear(((1, "a"),), "<", 3), "unknown relation '<': choose one of ==, !=, <="),
        (lambda: Table(("a", "b"), ((0, 1), (1,))), r"a row of 'table\(a, b; 2 tuples\)' has 1 values"),
        (lambda: Objective(((1, "a"),), 0, "least"), "unknown sense 'least' of an objective: choose one of min, max"),
        (lambda: Model((A,), (), Objective(((1, "b"),), 0, "min")), "the objective reads unknown variable b"),
        (lambda: Model((A,), (NotEqual("a", "c"),)), "constraint 'a != c' reads unknown variable c"),
        (lambda: Model((A,), (Linear(((1, "a"), (1, "a")), "==", 2),)), "reads a variable twice"),
        (lambda: Model((A,), (), 3), "objective is 3: give an Objective"),
        (lambda: Model(A), r"^variables is Variable\(.*: give a tuple of Variables$"),
        (lambda: Model(("a",)), r"^variables is \('a',\): give a tuple of Variables$"),
        (lambda: Model((A,), NotEqual("a", "b")), r"^constraints is NotEqual\(.*: give a tuple of constraints$"),
        (lambda: Model((A,), ("a != b",)), r"^constraints is \('a != b',\): give a tuple of constraints$"),
        (lambda: Variable("a", ()), "variable a has no value left"),
        *((partial(Variable, "a", domain), f"^the domain of a is {words}") for words, domain in FAULTY_DOMAINS),
        *((partial(Variable, name, (0, 1)), NO_NAME) for name in ("\ud800", "a\0", 3)),
    ],
)
def test_what_means_nothing_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_reach_bounds_what_is_computed():
    most = {"a": 5, "b": 7}
    assert Linear(((2, "a"), (-3, "b")), "<=", -4).reach(most) == 2 * 5 + 3 * 7 + 4
    assert NotEqual("a", "b", -2).reach(most) == 2
    fixed = Linear(((2, "a"), (-3, "b")), "<=", -4).substitute((("b", -1),))
    assert fixed.reach({"a": 5}) == 2 * 5 + 3 * 1 + 4


KNOWN = {"small": (1, 2, 3), "large": (3, 4, 5, 6)}


def test_a_kind_with_nothing_of_its_own_is_filtered_and_restricted():
    twice = Double("small", "large")
    assert twice.filter(KNOWN) == {"small": (2, 3), "large": (4, 6)}
    assert twice.restrict(KNOWN) is twice
    assert twice.restrict({"small": (2,), "large": (4,)}) is None
    fixed = twice.restrict({"small": (2,), "large": (4, 5)})
    assert (fixed.scope, str(fixed)) == (("large",), "large is twice small with small = 2")
    with pytest.raises(InfeasibleError, match="constraint 'large is twice small' cannot hold"):
        twice.restrict({"small": (2, 3), "large": (5, 7)})
    assert fixed.filter({"large": (3, 4, 5)}) == {"large": (4,)}
    assert fixed.filter({"large": (3, 5)}) == {"large": ()}
    assert fixed.substitute((("large", 4),)).restrict({}) is None
    with pytest.raises(InfeasibleError, match="cannot hold"):
        fixed.substitute((("large", 3),)).restrict({})


def test_nothing_is_tried_where_there_is_too_much_to_try():
    twice = Double("small", "large")
    edge = {"small": tuple(range(LISTED // 2)), "large": (1, 2)}
    assert twice.filter(edge) == {"small": (1,), "large": (2,)}
    beyond = {**edge, "small": tuple(range(LISTED // 2 + 1))}
    assert twice.filter(beyond) == {}
    assert twice.restrict(beyond) is twice


@pytest.mark.parametrize(
    "constraint",
    [
        Linear(((1, "a"), (1, "b")), "==", 9),
        NotEqual("a", "b"),
        Clause((("a", frozenset({0})), ("b", frozenset({7})))),
        Table(("a", "b"), ((2, 3),)),
    ],
    ids=str,
)
def test_fixed_values_that_break_a_constraint_are_told(constraint):
    with pytest.raises(InfeasibleError, match="cannot hold"):
        stop_after(Model((Variable("a", (1,)), Variable("b", (1,))), (constraint,)), [])


@pytest.mark.parametrize("relation", ["<", "<=", "==", "!=", ">=", ">"])
def test_every_relation_compares_with_zero(relation):
    domains = {"x": (-1, 0, 1, 2), "y": (0, 1)}
    term = Sum(((1, Value("x")), (-1, Value("y"))))
    columns = {"x": np.array([-1, -1, 0, 0, 1, 1, 2, 2]), "y": np.array([0, 1] * 4)}
    found = compare(term, relation, domains).holds(columns)
    assert found.tolist() == [eval(f"{x - y} {relation} 0") for x, y in zip(*columns.values(), strict=True)]


def test_a_value_put_into_all_of_some_constraints_keeps_all_of_them():
    both = AllOf((NotEqual("x", "y"), NotEqual("y", "z"))).substitute((("x", 1),))
    columns = {"y": np.array([0, 1, 2, 2]), "z": np.array([1, 0, 2, 1])}
    assert both.holds(columns).tolist() == [True, False, False, True]


def test_a_constraint_over_many_names_with_one_value_is_listed():
    names = [f"x{k}" for k in range(80)]
    rule = Compare(Sum(tuple((1, Value(name)) for name in names)), "<=")
    domains = {**dict.fromkeys(names, (0,)), "x3": (0, 1)}
    assert rule.filter(domains) == dict.fromkeys(names, (0,))

"""Constraints too large to tabulate, forced on small ones (checked on every codeword) and once really large."""

from importlib import import_module
from itertools import permutations, product

import numpy as np
import pytest
from conformance.spaces import SINGLE, marks, reference_marks, space_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.encodings import Space, make_one_hot, make_table
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Clause, Linear, Model, NotEqual, Variable
from gatesolve.oracle import choose_projections
from gatesolve.oracle.assemble import assemble
from gatesolve.oracle.diagram import linear_diagram
from gatesolve.oracle.synthesise import synthesise

module = import_module("gatesolve.oracle.synthesise")

FREE = ("one-hot", "domain-wall")
"""Encodings in which every set of values is a parity."""


def make(domains):
    return tuple(Variable("abcd"[k], tuple(d)) for k, d in enumerate(domains))


def assert_holds_where_the_model_does(condition, model, space):
    assert condition is not None
    assert marks(assemble([condition], space.num_qubits), space) == reference_marks(model, space)


@pytest.fixture
def small_windows(monkeypatch):
    """Pairs of variables of up to four values fit a window, nothing larger does."""
    monkeypatch.setattr(module, "WINDOW_ROWS", 16)


DIFFERENT = {
    "permutation": [(1, 2, 3)] * 3,
    "permutation of four": [(0, 1, 2, 3)] * 4,
    "permutation with gaps in domains": [(1, 2), (2, 3, 4), (1, 4), (2, 3)],
    "a value only one takes": [(0, 1), (1, 2), (0, 1, 2)],
    "more values than variables": [(0, 1, 2, 3)] * 3,
    "fewer values than variables": [(0, 1, 2)] * 4,
    "some pairs never meet": [(0, 1), (2, 3), (1, 2), (5,)],
}


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize("encoding", SINGLE)
@pytest.mark.parametrize("domains", DIFFERENT.values(), ids=DIFFERENT)
def test_all_different(domains, encoding):
    variables = make(domains)
    model = Model(variables, (AllDifferent(tuple(v.name for v in variables)),))
    space = space_of(model, encoding)
    condition = module._all_different(model.constraints[0], choose_projections(model.constraints[0], space), space)
    assert_holds_where_the_model_does(condition, model, space)
    through = synthesise(model.constraints[0], space)
    assert_holds_where_the_model_does(through, model, space)


ROWS = {"literals are parities": [(1, 2), (3, 4), (2, 2)], "literals are not": [(2, 3), (2, 4), (1, 1), (3, 3)]}


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_all_different_over_variables_of_one_block(rows):
    variables = make([(1, 2, 3, 4)] * 4)
    model = Model(variables, (AllDifferent(tuple("abcd")),))
    space = Space((make_one_hot(variables[0]), make_table(("b", "c"), rows), make_one_hot(variables[3])))
    assert space.size > module.WINDOW_ROWS
    assert_holds_where_the_model_does(synthesise(model.constraints[0], space), model, space)


@pytest.mark.usefixtures("small_windows")
def test_all_different_whose_pairs_are_too_large():
    variables = make([(1, 2, 3, 4)] * 4)
    space = Space(
        (
            make_one_hot(variables[0]),
            make_table(("b", "c"), list(permutations((1, 2, 3, 4), 2))),
            make_one_hot(variables[3]),
        )
    )
    with pytest.raises(DoesNotFitError, match="more than 16"):
        synthesise(AllDifferent(tuple("abcd")), space)


@pytest.mark.parametrize("encoding", FREE)
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_linear(encoding, data):
    domains = st.sets(st.integers(-3, 4), min_size=1, max_size=4).map(sorted)
    variables = make(data.draw(st.lists(domains, min_size=1, max_size=4)))
    terms = tuple((data.draw(st.sampled_from((-3, -1, 1, 2))), v.name) for v in variables)
    relation, bound = data.draw(st.sampled_from(("==", "!=", "<="))), data.draw(st.integers(-6, 8))
    model = Model(variables, (Linear(terms, relation, bound),))
    space = space_of(model, encoding)
    assert_holds_where_the_model_does(
        linear_diagram(model.constraints[0], choose_projections(model.constraints[0], space)), model, space
    )


@pytest.mark.usefixtures("small_windows")
def test_what_is_too_large_says_so():
    space = space_of(Model(make([(0, 1, 2, 3)] * 4)), "binary")
    total = Linear(tuple((1, n) for n in "abcd"), "==", 4)
    assert synthesise(total, space).method == "sum", "arithmetic takes any size"
    several = Clause((("a", frozenset({2})), ("b", frozenset({0, 3})), ("c", frozenset({1, 2}))))
    assert synthesise(several, space).method == "clause"
    assert synthesise(NotEqual("a", "b"), space_of(Model(make([range(5)] * 2)), "binary")).method == "sum"
    gaps = space_of(Model(make([(0, 1, 2, 4, 9)] * 2)), "binary")
    with pytest.raises(DoesNotFitError, match="'a != b' has 25 combinations of codewords, more than 16"):
        synthesise(NotEqual("a", "b"), gaps)


NINE = tuple(Variable(f"v{k}", tuple(range(1, 10))) for k in range(9))


def assert_sampled(constraint, rows):
    space = Space(tuple(make_one_hot(v) for v in NINE))
    assert space.size > module.WINDOW_ROWS
    oracle = assemble([synthesise(constraint, space)], space.num_qubits)
    # Codeword numbers as plain digits: 9^9 fits a machine word.
    numbers = [sum((v - 1) * 9**k for k, v in enumerate(row)) for row in rows]
    columns = {v.name: np.array([row[k] for row in rows]) for k, v in enumerate(NINE)}
    wanted = constraint.holds(columns).tolist()
    assert set(wanted) == {True, False}
    assert marks(oracle, space, numbers) == wanted
    return oracle


@pytest.mark.parametrize("values", list(product((0, 1), repeat=3)))
def test_a_long_clause(values):
    """Nine literals; the first three decide which rows fail."""
    literals = tuple((v.name, frozenset({1, 2, 3, 4, 5, 6, 7, 8})) for v in NINE[3:])
    head = tuple((v.name, frozenset({1 + bit})) for v, bit in zip(NINE, values, strict=False))
    rows = [[*first, *[9] * 6] for first in product((1, 2, 3), repeat=3)]
    assert_sampled(Clause((*head, *literals)), rows)

"""Auxiliary variables leave the least energies as they are."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import models
from test_build import best_of, check_everywhere, lowest, total, zero_one

from gatesolve.encodings import make_spaces
from gatesolve.model import Clause, Linear, Model, Objective, Table, Variable
from gatesolve.qubo import formulate_model
from gatesolve.qubo.auxiliary import cover_by_boxes, list_demands, penalise_by_selectors, quadratize
from gatesolve.qubo.literals import Literals
from gatesolve.qubo.polynomial import degree
from gatesolve.qubo.tuple_penalties import make_grid


def value(terms, bits):
    return sum(c for m, c in terms.items() if all(bits[i] for i in m))


@settings(deadline=None)
@given(
    st.dictionaries(
        st.sets(st.integers(0, 4), max_size=5).map(lambda s: tuple(sorted(s))), st.integers(-5, 5), max_size=6
    )
)
def test_least_over_auxiliaries_is_the_value(terms):
    quadratic, made = quadratize(terms, 5)
    assert degree(quadratic) <= 2
    assume(len(made) <= 7)
    assert list(made) == list(range(5, 5 + len(made)))
    for bits in product((0, 1), repeat=5):
        rest = [value(quadratic, (*bits, *more)) for more in product((0, 1), repeat=len(made))]
        assert min(rest) == value(terms, bits)


@settings(max_examples=60, deadline=None)
@given(
    model=st.booleans().flatmap(lambda b: models(3, 3, with_objective=b)),
    kind=st.sampled_from(("one-hot", "binary", "domain-wall", "table")),
)
def test_quadratic_models(model, kind):
    space = make_spaces(model, kind)[0]
    made = formulate_model(model, space, quadratic=True)
    assert made.qubo.is_quadratic
    assume(made.qubo.num_variables <= 14)
    check_everywhere(model, space, quadratic=True)


def test_a_bounded_sum_takes_slack_bits():
    names = "abcdefgh"
    goal = Objective(tuple((k + 1, n) for k, n in enumerate(names)), 0, "max")
    model = Model(zero_one(*names), (total(names, "<=", 4),), goal)
    made = formulate_model(model, quadratic=True)
    assert made.auxiliary == ("aux0", "aux1", "aux2")
    assert made.qubo.meanings[8:] == tuple(f"{w} of the slack of {model.constraints[0]}" for w in (1, 2, 1))
    assert lowest(made)[0] == best_of(model)
    assert formulate_model(model).qubo.degree == 8


@pytest.mark.parametrize("name", ["aux0", "aux1"])
def test_names_of_auxiliaries_are_new(name):
    model = Model(zero_one(name, "b", "c"), (Clause(tuple((n, frozenset({1})) for n in (name, "b", "c"))),))
    assert formulate_model(model, quadratic=True).auxiliary == ("aux1" if name == "aux0" else "aux0",)


def test_lines_that_differ_take_two_selectors_a_place():
    names = [f"x{k}" for k in range(4)], [f"y{k}" for k in range(4)]
    terms = [term for k in range(4) for term in ((1 << k, names[0][k]), (-(1 << k), names[1][k]))]
    model = Model(zero_one(*names[0], *names[1]), (Linear(tuple(terms), "!=", 0),))
    made = formulate_model(model, quadratic=True)
    assert len(made.auxiliary) == 8
    assert made.parts[0].penalty.form == "selectors"
    assert lowest(made)[0] == best_of(model)
    wide = [term for k in range(14) for term in ((1 << k, f"x{k}"), (-(1 << k), f"y{k}"))]
    huge = Model(zero_one(*(name for _, name in wide)), (Linear(tuple(wide), "!=", 0),))
    assert len(formulate_model(huge, quadratic=True).auxiliary) == 28


@given(st.integers(1, 3).flatmap(lambda n: st.lists(st.booleans(), min_size=3**n, max_size=3**n)))
def test_boxes_cover_what_is_allowed(flags):
    broken = np.array(flags).reshape([3] * {3: 1, 9: 2, 27: 3}[len(flags)])
    held = np.zeros(broken.shape, dtype=bool)
    for box in cover_by_boxes(broken):
        held[np.ix_(*box)] = True
    assert np.array_equal(held, ~broken)


@pytest.mark.more_examples(60)
@settings(max_examples=20, deadline=None)
@given(st.lists(st.booleans(), min_size=27, max_size=27), st.sampled_from(("one-hot", "domain-wall")))
def test_selectors_of_any_table(flags, kind):
    rows = [row for row, flag in zip(product((0, 1, 2), repeat=3), flags, strict=True) if flag]
    model = Model(tuple(Variable(n, (0, 1, 2)) for n in "abc"), (Table(("a", "b", "c"), tuple(rows)),))
    literals = Literals(make_spaces(model, kind)[0])
    seen = make_grid(model.constraints, literals)
    found = penalise_by_selectors(list_demands(seen, cover_by_boxes(seen.broken)), literals.space.num_qubits)
    count = len(cover_by_boxes(seen.broken))
    assume(count and count <= 6)
    for number in range(27):
        state, broken = literals.space.state(number), not model.check(literals.space.assignment(number))
        bits = [state >> q & 1 for q in range(literals.space.num_qubits)]
        energies = [value(found.terms, (*bits, *more)) for more in product((0, 1), repeat=count)]
        assert min(energies) >= 1 if broken else min(energies) == 0

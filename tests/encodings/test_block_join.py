"""Joining table blocks keeps the solutions and shrinks the space."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.encodings import Space, make_binary, make_spaces
from gatesolve.encodings.join import join_until
from gatesolve.model import Model, NotEqual, Variable, find_solutions


def chain(length, size):
    """A path of variables, neighbours different."""
    names = [f"v{k}" for k in range(length)]
    variables = tuple(Variable(name, tuple(range(size))) for name in names)
    return Model(variables, tuple(NotEqual(a, b) for a, b in pairwise(names)))


def solution_set(model, space):
    held = (space.assignment(n) for n in range(space.size))
    return {tuple(sorted(a.items())) for a in held if model.check(a)}


@settings(deadline=None, max_examples=40)
@given(models(max_variables=4), st.integers(1, 30))
def test_joining_keeps_the_solutions(model, fits):
    before = Space(tuple(make_binary(v) for v in model.variables))
    after = Space(tuple(join_until(before.blocks, model.constraints, fits)))
    assert after.size <= before.size
    assert solution_set(model, after) == {tuple(sorted(s.items())) for s in find_solutions(model)}


def test_joining_stops_at_the_size_wanted():
    model = chain(6, 3)
    blocks = [make_binary(v) for v in model.variables]
    few = Space(tuple(join_until(blocks, model.constraints, 400)))
    many = Space(tuple(join_until(blocks, model.constraints, 1)))
    assert few.size <= 400 < 3**6
    # In the end one table holds the whole path, which is then listed, not searched.
    assert (many.size, len(many.blocks)) == (3 * 2**5, 1)


def test_make_spaces_joins_what_does_not_fit():
    model = chain(8, 3)
    plain, joined = make_spaces(model, "table")[0], make_spaces(model, "table", 600)[0]
    assert joined.size <= 600 < plain.size
    assert set(joined.variables) == set(plain.variables)

"""Views: parities of a block's qubits and the values they tell apart."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.encodings import Space, make_binary, make_domain_wall, make_one_hot, make_table, make_unary
from gatesolve.model import Variable
from gatesolve.oracle.view import project_all, project_block

TUPLES = list(permutations((1, 2, 3)))


def value_of(parity, word):
    return parity.constant ^ (sum(word >> wire & 1 for wire in parity.wires) % 2 == 1)


def view_of(block):
    return project_all(Space((block,)), 0)


@pytest.mark.parametrize("make", [make_one_hot, make_domain_wall])
@pytest.mark.parametrize("domain", [(4,), (-1, 3), (2, 5, 6), (0, 1, 2, 3, 4)])
def test_every_literal_of_a_free_block_is_a_parity(make, domain):
    block = make(Variable("x", domain))
    view = view_of(block)
    assert view.free
    for value in domain:
        parity = view.where("x", {value})
        assert [value_of(parity, word) for word in block.codewords] == [v == value for v in domain]


def test_a_full_binary_block_is_not_free():
    view = view_of(make_binary(Variable("x", (0, 1, 2, 3))))
    assert not view.free
    assert view.where("x", {0}) is None
    assert view.where("x", {0, 1}) is not None


@settings(deadline=None, max_examples=40)
@given(st.sets(st.sampled_from(TUPLES), min_size=1).map(sorted), st.sampled_from(["a", "b", "c"]))
def test_a_projected_view_tells_the_values_apart(tuples, name):
    block = make_unary(make_table(("a", "b", "c"), tuples))
    view = project_block(view_of(block), [name])
    place = "abc".index(name)
    assert {row[0] for row in view.values} == {t[place] for t in tuples}
    for word, values in zip(block.codewords, tuples, strict=True):
        bits = tuple(value_of(wire, word) for wire in view.wires)
        assert view.values[view.words.index(bits)] == (values[place],)


def test_a_projection_that_is_no_parity_is_none():
    assert project_block(view_of(make_table(("a", "b", "c"), TUPLES[:4])), ["b"]) is None

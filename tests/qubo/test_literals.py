"""Literals are exact on codewords, of the lowest degree, in every kind of block."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatesolve.encodings import Space, make_coded
from gatesolve.encodings import block as blocks
from gatesolve.encodings.digits import digit_block
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Variable
from gatesolve.qubo.literals import Literals, interpolate
from gatesolve.qubo.polynomial import degree

DOMAINS = ((5,), (0, 1), (7, 9), (-1, 0, 1), (0, 1, 2, 3), (2, 3, 4, 5, 6), (-3, 0, 4))
KINDS = {"one-hot": blocks.make_one_hot, "binary": blocks.make_binary, "domain-wall": blocks.make_domain_wall}


def value(terms, word):
    return sum(c for m, c in terms.items() if all(word >> q & 1 for q in m))


def lowest_degree(codewords, num_qubits, values):
    """By rank of all monomials up to each degree."""
    for d in range(num_qubits + 1):
        monomials = [m for size in range(d + 1) for m in combinations(range(num_qubits), size)]
        matrix = np.array([[all(w >> q & 1 for q in m) for m in monomials] for w in codewords], dtype=float)
        joined = np.column_stack([matrix, np.array(values, dtype=float)])
        if np.linalg.matrix_rank(joined) == np.linalg.matrix_rank(matrix):
            return d
    raise AssertionError


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_literal_of_a_variable(kind, domain):
    block = KINDS[kind](Variable("x", domain))
    literals = Literals(Space((block,)))
    for count in range(len(domain) + 1):
        for values in combinations(domain, count):
            terms = literals.where("x", values)
            found = [value(terms, w) for w in block.codewords]
            assert found == [v in values for v in domain]
            assert degree(terms) <= lowest_degree(block.codewords, block.num_qubits, found)
            if kind != "binary":
                assert degree(terms) <= 1
    assert [value(literals.value("x"), w) for w in block.codewords] == list(domain)


@given(
    st.integers(2, 4).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, 2**n - 1), min_size=1))), st.data()
)
def test_any_codewords(shape, data):
    width, words = shape[0], data.draw(st.permutations(sorted(shape[1])))
    values = data.draw(st.lists(st.integers(-3, 3), min_size=len(words), max_size=len(words)))
    terms = interpolate(words, width, values)
    assert [value(terms, w) for w in words] == values
    assert degree(terms) == lowest_degree(words, width, values)


def test_too_many_irregular_codewords():
    with pytest.raises(DoesNotFitError, match="no regular pattern"):
        interpolate(range(1, 100), 7, [0] * 98 + [1])


def several():
    """A table, a unary table, own digits, other codewords, and a fixed variable, side by side."""
    tuples = ((1, 2), (1, 3), (2, 1), (3, 3), (4, 1))
    return Space(
        (
            blocks.make_table(("a", "b"), tuples),
            blocks.make_one_hot(Variable("fixed", (4,))),
            blocks.make_unary(blocks.make_table(("c", "d"), tuples)),
            digit_block(("e", "f"), ((0, 1), (1, 0)), ((0, 1), (0, 1))),
            make_coded(("g",), ((5,), (6,), (7,)), (3, 1, 2), kind="binary"),
            blocks.make_domain_wall(Variable("h", (0, 2, 3))),
        )
    )


def test_sums_over_blocks_of_several_variables():
    space = several()
    literals = Literals(space)
    terms = [(2, "a"), (-1, "b"), (1, "fixed"), (3, "d"), (1, "e"), (1, "f"), (1, "g"), (-2, "h")]
    total = literals.total(terms, 7)
    for number in range(space.size):
        row = space.assignment(number)
        assert value(total, space.state(number)) == 7 + sum(c * row[name] for c, name in terms)
    assert literals.blocks_of(["a", "b", "fixed", "h"]) == (0, 5)


def test_reduced_is_equal_on_codewords():
    space = several()
    literals = Literals(space)
    everything = {m: sum(m) + 1 for size in range(4) for m in combinations(range(space.num_qubits), size)}
    reduced = literals.reduce_terms(everything)
    for number in range(space.size):
        state = space.state(number)
        assert value(reduced, state) == value(everything, state)
    one_hot = Literals(
        Space((blocks.make_one_hot(Variable("x", (0, 1, 2))), blocks.make_domain_wall(Variable("y", (0, 1, 2)))))
    )
    assert one_hot.reduce_terms({(0, 1): 1, (0, 3): 1, (3, 4): 5, (1, 3, 4): 1}) == {(0, 3): 1, (4,): 5, (1, 4): 1}

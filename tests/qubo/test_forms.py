"""Every form has the values its docstring promises, on every state."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from gatesolve.qubo import forms
from gatesolve.qubo.polynomial import add, constant, degree, scale, variable


def value(terms, bits):
    return sum(c for m, c in terms.items() if all(bits[i] for i in m))


def table(terms, width):
    return {bits: value(terms, bits) for bits in product((0, 1), repeat=width)}


X, Y = variable(0), variable(1)


def test_square_and_counts():
    for width in (1, 3, 5):
        literals = [variable(i) for i in range(width)]
        for count in range(width + 1):
            assert all(e == (sum(b) - count) ** 2 for b, e in table(forms.exactly(literals, count), width).items())
        assert all(e == (sum(b) - 1) ** 2 for b, e in table(forms.one_hot(literals), width).items())
        assert all(e == sum(b) * (sum(b) - 1) // 2 for b, e in table(forms.at_most_one(literals), width).items())
    weighted = add([scale(X, 3), scale(Y, -2), constant(1)])
    assert all(e == (3 * x - 2 * y + 1 - 4) ** 2 for (x, y), e in table(forms.square(weighted, 4), 2).items())


def test_a_centre_between_two_numbers_keeps_its_quarter():
    literals = [variable(i) for i in range(3)]
    form = forms.either(add(literals), 1)
    assert form[()] == Fraction(9, 4)
    assert all(isinstance(c, int) for m, c in form.items() if m)
    for bits, energy in table(form, 3).items():
        assert energy == (Fraction(1, 4) if sum(bits) in (1, 2) else Fraction(9, 4))


@pytest.mark.parametrize(
    ("form", "truth"),
    [
        (forms.negate(X), lambda x, y: 1 - x),
        (forms.equal(X, Y), lambda x, y: x != y),
        (forms.differ(X, Y), lambda x, y: x == y),
        (forms.none_hold([X, Y]), lambda x, y: not x and not y),
        (forms.implies(X, Y), lambda x, y: x and not y),
        (forms.conflicts([(X, Y)]), lambda x, y: x and y),
        (forms.equal(forms.negate(X), Y), lambda x, y: x == y),
    ],
)
def test_two_literals(form, truth):
    assert degree(form) <= 2
    assert table(form, 2) == {(x, y): int(truth(x, y)) for x, y in product((0, 1), repeat=2)}


def test_conflicts_count_pairs():
    pairs = list(combinations(range(4), 2))[:4]
    form = forms.conflicts((variable(a), variable(b)) for a, b in pairs)
    assert all(e == sum(bits[a] * bits[b] for a, b in pairs) for bits, e in table(form, 4).items())

"""Weights below a threshold, against the weights themselves on every codeword."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.encodings import make_spaces
from gatesolve.model import AllDifferent, Clause, Linear, Model, NotEqual, Table, Variable
from gatesolve.oracle import ValueChoice, counter_oracle
from gatesolve.simulate import CertificateError, PhaseCheck, certify

RULES = (
    Linear(((1, "a"), (1, "b")), "==", 1),
    NotEqual("b", "c"),
    AllDifferent(("a", "b", "c")),
    Table(("a", "c"), ((-1, 4), (0, 4))),
    Clause((("c", frozenset({4})), ("d", frozenset({7})))),
    Linear(((2, "a"), (-1, "d")), "<=", 0),
)
MODEL = Model(
    (Variable("a", (-1, 0, 2)), Variable("b", (0, 1, 2, 3, 4)), Variable("c", (0, 4)), Variable("d", (7,))), ()
)


def paid(terms, space, numbers):
    columns = space.values(numbers)
    return sum(w * ~np.broadcast_to(c.holds(columns), numbers.shape) for w, c in terms)


def checked(terms, model, space, threshold, wanted=None, **choices):
    """The oracle, certified on every codeword against the weights and the wanted threshold, else its own."""
    oracle = counter_oracle(terms, model, space, threshold, ValueChoice(**choices))
    limit = threshold if wanted is None else wanted
    shape = oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits
    return oracle, certify(PhaseCheck(*shape, lambda n: paid(terms, space, n) < limit), 1 << 20, 0)[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["one-hot", "binary", "domain-wall", "table"])
@pytest.mark.parametrize("window", [6, None])
@given(weights=st.lists(st.integers(1, 9), min_size=1, max_size=6), draw=st.data())
@settings(max_examples=15, deadline=None)
def test_marked_codewords_pay_less_than_the_threshold(kind, window, weights, draw):
    terms = list(zip(weights, RULES, strict=False))
    threshold = draw.draw(st.integers(-1, sum(weights) + 1))
    for space in make_spaces(MODEL, kind):
        oracle, certificate = checked(terms, MODEL, space, threshold, window=window)
        assert oracle.style == "counter"
        assert certificate.marked == int((paid(terms, space, np.arange(space.size)) < threshold).sum())


@given(st.lists(st.integers(1, 40), min_size=1, max_size=7), st.integers(0, 300))
@settings(max_examples=60, deadline=None)
def test_weighted_bits_are_added_up_right_whatever_the_weights(weights, threshold):
    names = [f"x{k}" for k in range(len(weights))]
    model = Model(tuple(Variable(name, (0, 1)) for name in names), ())
    terms = [(w, Clause(((name, frozenset({0})),))) for w, name in zip(weights, names, strict=True)]
    (space,) = make_spaces(model, "binary")
    checked(terms, model, space, threshold)


def test_a_budget_of_ancillas_is_kept():
    (space,) = make_spaces(MODEL, "one-hot")
    terms = [(1, rule) for rule in RULES]
    free, _ = checked(terms, MODEL, space, 2)
    oracle, certificate = checked(terms, MODEL, space, 1, ancillas=free.num_ancillas)
    assert oracle.num_ancillas <= free.num_ancillas
    assert certificate.ancillas_clean


def test_a_wrong_threshold_is_caught():
    (space,) = make_spaces(MODEL, "binary")
    with pytest.raises(CertificateError, match="disagrees"):
        checked([(1, rule) for rule in RULES], MODEL, space, 2, wanted=3)


@pytest.mark.more_examples(5)
@pytest.mark.parametrize("kind", ["one-hot", "binary", "domain-wall", "table"])
@given(
    shares=st.lists(st.integers(-12, 12).filter(bool), min_size=2, max_size=3),
    domain=st.sampled_from([(0, 1, 2, 3), (-2, -1, 0, 1, 2), (5, 6, 7), (0, 3, 4, 9)]),
    draw=st.data(),
)
@settings(max_examples=2, deadline=None)
def test_what_a_block_alone_decides_is_gathered(kind, shares, domain, draw):
    """A linear objective as the digits of each variable's share, beside a constraint of all variables."""
    names = [f"x{k}" for k in range(len(shares))]
    model = Model(tuple(Variable(name, domain) for name in names), ())
    terms = [(7, Linear(tuple((1, name) for name in names), "<=", sum(domain)))]
    for share, name in zip(shares, names, strict=True):
        paid = {v: share * v - min(share * w for w in domain) for v in domain}
        for place in range(max(paid.values()).bit_length()):
            free = frozenset(v for v in domain if not paid[v] >> place & 1)
            if free != set(domain):
                terms.append((1 << place, Clause(((name, free),))))
    threshold = draw.draw(st.integers(1, sum(weight for weight, _ in terms)))
    for space in make_spaces(model, kind):
        checked(terms, model, space, threshold)


def test_a_share_in_binary_is_the_qubits_themselves():
    """Ten times a value of three bits: three weighted bits, no flag for a digit of the product."""
    model = Model((Variable("x", tuple(range(8))), Variable("y", tuple(range(8)))), ())
    terms = []
    for name in "xy":
        for place in range(7):
            free = frozenset(v for v in range(8) if not 10 * v >> place & 1)
            terms.append((1 << place, Clause(((name, free),))))
    (space,) = make_spaces(model, "binary")
    oracle, _ = checked(terms, model, space, 75)
    assert oracle.conditions[-1].num_ands <= 6

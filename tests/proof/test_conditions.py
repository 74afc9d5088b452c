"""Conditions against constraints: by listing, by diagrams and by carries the same is found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.encodings import Space, make_binary, make_domain_wall, make_one_hot
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Compare, Linear, NotEqual, Variable
from gatesolve.oracle import Condition, synthesise
from gatesolve.proof import conditions
from gatesolve.proof.conditions import check_carries, compare_condition

MAKERS = {"one-hot": make_one_hot, "binary": make_binary, "domain-wall": make_domain_wall}


def make_space(domains, encoding):
    return Space(tuple(MAKERS[encoding](Variable(f"x{k}", domain)) for k, domain in enumerate(domains)))


@pytest.mark.parametrize("encoding", MAKERS)
@pytest.mark.parametrize(("size", "relation", "bound"), [(30, "==", 1), (50, "<=", 3), (40, "!=", 7), (88, "==", 1)])
def test_wide_sums_are_proved_by_their_carries(encoding, size, relation, bound):
    space = make_space([(0, 1)] * size, encoding)
    weights = [1 + (k % 5 == 1) for k in range(size)]
    names = [f"x{k}" for k in range(size)]
    constraint = Linear(tuple(zip(weights, names, strict=True)), relation, bound)
    condition = synthesise(constraint, space)
    assert compare_condition(condition, [constraint], space) == ("carries", 2**size)
    for other in (bound + 1, bound - 1):
        wrong = Linear(constraint.terms, relation, other)
        assert not check_carries(condition, wrong, space, list(range(size)))


@pytest.mark.quick(1)
@pytest.mark.parametrize("encoding", ["one-hot", "binary"])
def test_constraints_of_nine_digits_are_proved_by_diagrams(encoding):
    space = make_space([tuple(range(1, 10))] * 9, encoding)
    names = tuple(f"x{k}" for k in range(9))
    for right, wrong in (
        (Linear(tuple((1, name) for name in names), "==", 41), Linear(tuple((1, name) for name in names), "==", 40)),
        (AllDifferent(names), AllDifferent(names[1:])),
    ):
        condition = synthesise(right, space)
        assert compare_condition(condition, [right], space) == ("diagram", 9**9)
        assert compare_condition(condition, [wrong], space) is None


domains = st.lists(st.lists(st.integers(-3, 8), min_size=1, max_size=5, unique=True).map(sorted).map(tuple), min_size=2)


@settings(max_examples=60)
@given(domains.map(lambda found: found[:4]), st.sampled_from(sorted(MAKERS)), st.integers(-4, 12), st.integers(0, 3))
def test_diagrams_say_what_listing_says(found, encoding, bound, kind):
    space = make_space(found, encoding)
    names = tuple(f"x{k}" for k in range(len(found)))
    terms = tuple((1 + k % 2, name) for k, name in enumerate(names))
    made = [
        Linear(terms, "==", bound),
        Linear(terms, "<=", bound),
        AllDifferent(names, tuple(range(len(names)))),
        NotEqual(names[0], names[1], bound),
    ]
    condition = synthesise(made[kind], space)
    for constraint in made:
        listed = compare_condition(condition, [constraint], space) is not None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conditions, "LISTED", 0)
            assert (compare_condition(condition, [constraint], space) is not None) == listed
    assert compare_condition(condition, [made[kind]], space) is not None


def test_what_is_too_wide_says_so(monkeypatch):
    from gatesolve.model import Apply, Value

    space = make_space([(0, 1, 2)] * 3, "binary")
    tree = Compare(Apply("max", (Value("x0"), Value("x1"), Value("x2"))), "<=")
    monkeypatch.setattr(conditions, "LISTED", 8)
    with pytest.raises(DoesNotFitError, match="27 combinations of codewords, up to 8 are listed"):
        compare_condition(Condition((), ()), [tree], space)

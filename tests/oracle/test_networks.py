"""Sums, comparisons and permutations as arithmetic: right on every codeword, and no more ANDs than promised."""

import pytest
from conformance.spaces import marks, reference_marks, space_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gatesolve.circuit import Parity
from gatesolve.model import AllDifferent, Clause, Linear, Model, NotEqual, Variable
from gatesolve.oracle import choose_projections
from gatesolve.oracle.assemble import assemble
from gatesolve.oracle.network import Network
from gatesolve.oracle.sums import compile_clause, compile_sum, compile_unequal
from gatesolve.oracle.synthesise import synthesise

ENCODINGS = ("binary", "one-hot", "domain-wall")
DOMAINS = ((5,), (0, 1), (-1, 0, 1), (2, 3, 4, 5, 6), (-3, -2, -1, 0, 1, 2, 3), (0, 1, 2, 3, 4, 5, 6, 7, 8), (0, 2, 3))


def homes_of(constraint, space):
    return {name: view for view in choose_projections(constraint, space) for name in view.names}


def assert_right(condition, model, space):
    oracle = assemble([condition], space.num_qubits)
    assert marks(oracle, space) == reference_marks(model, space)


def variables_of(data, most):
    drawn = data.draw(st.lists(st.sampled_from(DOMAINS), min_size=1, max_size=most))
    return tuple(Variable(f"v{k}", domain) for k, domain in enumerate(drawn))


@pytest.mark.more_examples(300)
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_any_sum(encoding, data):
    variables = variables_of(data, 4)
    terms = tuple((data.draw(st.sampled_from((-5, -3, -2, -1, 1, 1, 2, 3, 7))), v.name) for v in variables)
    reached = sum(c * data.draw(st.sampled_from(v.domain)) for (c, _), v in zip(terms, variables, strict=True))
    bound = reached + data.draw(st.sampled_from((0, 0, 1, -1, 40, -40)))
    linear = Linear(terms, data.draw(st.sampled_from(("==", "<=", "!="))), bound)
    model = Model(variables, (linear,))
    space = space_of(model, encoding)
    assume(space.size <= 2000)
    condition = compile_sum(linear, homes_of(linear, space))
    if condition is None:
        assert encoding == "binary", "every set of values is a parity elsewhere"
        assert any(v.domain == (0, 2, 3) for v in variables)
    else:
        assert_right(condition, model, space)


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_any_two_that_differ(encoding, data):
    variables = (Variable("a", data.draw(st.sampled_from(DOMAINS))), Variable("b", data.draw(st.sampled_from(DOMAINS))))
    differ = NotEqual("a", "b", data.draw(st.integers(-4, 4)))
    model = Model(variables, (differ,))
    space = space_of(model, encoding)
    condition = compile_unequal(differ, homes_of(differ, space))
    if condition is None:
        assert encoding == "binary"
    else:
        assert_right(condition, model, space)


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_any_clause(encoding, data):
    variables = variables_of(data, 4)
    literals = tuple((v.name, data.draw(st.frozensets(st.sampled_from((*v.domain, 99))))) for v in variables)
    clause = Clause(literals)
    model = Model(variables, (clause,))
    space = space_of(model, encoding)
    assume(space.size <= 2000)
    condition = compile_clause(clause, homes_of(clause, space))
    if condition is None:
        assert encoding == "binary"
        assert any(len(v.domain) == 9 for v in variables), "more than four words on either side"
    else:
        assert_right(condition, model, space)


@pytest.mark.more_examples(300)
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=12)
@given(data=st.data())
def test_variables_that_differ_with_offsets(encoding, data):
    variables = variables_of(data, 4)
    offsets = tuple(data.draw(st.sampled_from((0, 1, 2, 3, -4))) for _ in variables)
    every = AllDifferent(tuple(v.name for v in variables), offsets)
    model = Model(variables, (every,))
    space = space_of(model, encoding)
    assume(space.size <= 2000)
    assert_right(synthesise(every, space), model, space)


def ands(constraint, domains, encoding="binary"):
    variables = tuple(Variable(f"v{k}", tuple(domain)) for k, domain in enumerate(domains))
    found = synthesise(constraint, space_of(Model(variables, (constraint,)), encoding))
    return sum(len(flag.products) for flag in found.flags)


def test_as_many_ands_as_promised():
    two = ("v0", "v1")
    assert [ands(NotEqual(*two), [range(k)] * 2) for k in (8, 9, 16)] == [2, 3, 3]
    below = Linear(((1, "v0"), (-1, "v1")), "<=", -1)
    assert [ands(below, [range(k)] * 2) for k in (8, 9, 16)] == [3, 4, 4]
    nine = tuple(f"v{k}" for k in range(9))
    assert ands(AllDifferent(nine), [range(1, 10)] * 9) == 9 * (9 - 1 - 4)
    eight = nine[:8]
    assert ands(AllDifferent(eight), [range(8)] * 8) == 8 * (8 - 1 - 3)
    bits = Linear(tuple((1, name) for name in nine), "==", 4)
    assert ands(bits, [range(2)] * 9) <= 6, "full adders alone"


@pytest.mark.slow
def test_sums_of_any_size_are_compiled_by_their_digits():
    """Nothing is listed between totals that lie far apart."""
    terms = tuple((10**9 * 3**k + 1, f"v{k}") for k in range(16))
    variables = tuple(Variable(f"v{k}", (0, 1)) for k in range(16))
    linear = Linear(terms, "==", terms[0][0] + terms[15][0])
    model = Model(variables, (linear,))
    space = space_of(model, "binary")
    assert_right(compile_sum(linear, homes_of(linear, space)), model, space)


def test_an_and_is_made_once():
    network = Network()
    a, b = Parity((0,)), Parity((1, 2))
    assert network.conjoin(a, b) == network.conjoin(b, a) == Parity((-1,))
    assert network.conjoin(a, a) == a
    assert network.conjoin(a, a.negated()) == Parity(())
    assert network.conjoin(a, Parity((), True)) == a
    assert network.conjoin(Parity(()), b) == Parity(())
    assert len(network.flags) == 1

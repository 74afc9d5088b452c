"""Parity networks, fits on codewords and phase layers, each against a direct computation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator

from gatesolve.circuit.lowering import lower
from gatesolve.encodings import Space
from gatesolve.encodings import block as blocks
from gatesolve.errors import AncillaBudgetError
from gatesolve.model import AllDifferent, Linear, NotEqual, Variable
from gatesolve.pipelines.parity_network import Flip, num_flips, phase_network
from gatesolve.pipelines.qaoa.fit import Local, fit_polynomials
from gatesolve.pipelines.qaoa.phase import phase_plan
from gatesolve.qubo import Cost, Qubo, SoftConstraint, qubo_cost, tabulate_costs


def assert_complete(steps, masks):
    """Every parity has its turn on a wire that holds it, and all wires are back in the end."""
    held = {}
    turns = []
    for step in steps:
        if isinstance(step, Flip):
            held[step.target] = held.get(step.target, 1 << step.target) ^ held.get(step.control, 1 << step.control)
        else:
            assert held.get(step.wire, 1 << step.wire) == step.mask
            turns.append(step.mask)
    assert sorted(turns) == sorted({*masks})
    assert all(mask == 1 << wire for wire, mask in held.items())


masks_of_six = st.lists(st.integers(1, 63), max_size=20)


@pytest.mark.more_examples(25)
@settings(max_examples=10, deadline=None)
@given(masks_of_six)
def test_a_network_makes_every_parity_and_comes_back(masks):
    steps = phase_network(masks)
    assert_complete(steps, masks)
    assert num_flips(steps) <= sum(2 * (mask.bit_count() - 1) for mask in {*masks})


def variable(name, size):
    return Variable(name, tuple(range(size)))


def spaces(first=4):
    domains = (("a", first), ("b", 3), ("c", 1), ("d", 2))
    for encode in (blocks.make_one_hot, blocks.make_binary, blocks.make_domain_wall):
        yield Space(tuple(encode(variable(*domain)) for domain in domains))


def signed(polynomial, space):
    """The value of a sum of signs on every codeword."""
    words = [space.state(n) for n in range(space.size)]
    return np.array([sum(c * (-1) ** (w & mask).bit_count() for mask, c in polynomial.items()) for w in words])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2), st.lists(st.integers(-4, 4), min_size=24, max_size=24))
def test_every_form_of_a_function_is_right_on_the_codewords(number, values):
    space = list(spaces())[number]
    local = Local((0, 1, 3), np.array(values, dtype=float))
    found = list(fit_polynomials(local, space))
    assert found
    for polynomial in found:
        assert np.ptp(signed(polynomial, space) - local.values) < 1e-7


def assert_phases(plan, space, costs, gamma=0.7):
    """The layer's diagonal on the codewords, ancillas zero before and after."""
    circuit = lower(plan.ops(gamma), space.num_qubits + plan.num_ancillas)
    matrix = Operator(circuit).data
    words = [space.state(n) for n in range(space.size)]
    found, expected = matrix[words, words], np.exp(-1j * gamma * costs)
    assert np.allclose(found * (expected[0] / found[0]), expected, atol=1e-9)


RULES = (
    NotEqual("a", "b"),
    NotEqual("d", "b", 1),
    Linear(((1, "a"), (2, "b"), (1, "d")), "==", 4),
    AllDifferent(("a", "b", "d")),
    Linear(((3, "a"), (1, "c")), "<=", 4),
)


@pytest.mark.parametrize(
    "space", [s if k == 0 else pytest.param(s, marks=pytest.mark.slow) for k, s in enumerate([*spaces(3), *spaces()])]
)
def test_phases_are_those_of_the_costs(space):
    cost = Cost(tuple(SoftConstraint(weight, rule) for weight, rule in zip((1, 3, 2, 1, 5), RULES, strict=True)))
    costs = tabulate_costs(cost, space)
    for ancillas in (0, 2):
        plan = phase_plan(cost, space, ancillas)
        assert plan.num_ancillas <= ancillas
        assert_phases(plan, space, costs)


def test_a_qubo_of_many_terms_takes_two_cx_a_coupling_at_most():
    draw = np.random.default_rng(3)
    terms = {(i, j): int(draw.integers(1, 9)) for i in range(7) for j in range(i + 1, 7)}
    qubo = Qubo.of([f"x{k}" for k in range(7)], terms | {(k,): -5 for k in range(7)})
    cost = qubo_cost(qubo)
    space = Space(tuple(blocks.make_binary(variable(f"x{k}", 2)) for k in range(7)))
    plan = phase_plan(cost, space)
    assert plan.cx <= 42
    assert_phases(plan, space, tabulate_costs(cost, space))


def test_what_two_blocks_share_costs_what_its_couplings_cost():
    space = Space(tuple(blocks.make_one_hot(variable(name, 4)) for name in "ab"))
    sum_of_three = Cost((SoftConstraint(1, Linear(((1, "a"), (1, "b")), "==", 3)),))
    assert phase_plan(sum_of_three, space).cx <= 8
    assert phase_plan(Cost((SoftConstraint(7, NotEqual("a", "b")),)), space).cx <= 8
    alone = Cost((SoftConstraint(1, Linear(((1, "a"),), "<=", 2)),))
    assert phase_plan(alone, space).cx == 0


def test_wide_constraints_go_by_flags_or_say_what_they_need():
    space = Space(tuple(blocks.make_binary(variable(f"x{k}", 4)) for k in range(6)))
    total = Linear(tuple((1, f"x{k}") for k in range(6)), "==", 7)
    cost = Cost((SoftConstraint(1, total),))
    plan = phase_plan(cost, space)
    assert plan.flags
    with pytest.raises(AncillaBudgetError):
        phase_plan(cost, space, 0)

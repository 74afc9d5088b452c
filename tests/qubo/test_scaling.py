"""A Qubo as soft constraints: the cost gives the energy on every state, exactly or within the stated error."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_qubos import qubos

from gatesolve.api import QuboReport
from gatesolve.encodings import Space, make_binary, make_domain_wall, make_one_hot, make_spaces, make_table
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Linear, Model, NotEqual, Table, Variable
from gatesolve.oracle import synthesise
from gatesolve.qubo import (
    Cost,
    ExactEnergies,
    Qubo,
    SoftConstraint,
    as_written,
    binary_space,
    qubo_cost,
    tabulate_costs,
)
from gatesolve.qubo import cost as module
from gatesolve.qubo.scaling import find_lower_bound, orient_products


def exact_energy(qubo: Qubo, bits: tuple[int, ...]) -> Fraction:
    return as_written(qubo.offset) + sum(as_written(c) for m, c in qubo.terms.items() if all(bits[i] for i in m))


def worst(qubo: Qubo, space: Space, bits: int) -> tuple[Fraction, Fraction]:
    """The largest difference on any codeword, and what is stated."""
    cost = qubo_cost(qubo, space, bits, exact_bits=bits)
    numbers = np.arange(space.size)
    costs = cost.evaluate(space.values(numbers)) if cost.terms else np.zeros(space.size, dtype=int)
    assert cost.unit > 0
    assert all(term.weight >= 1 for term in cost.terms)
    assert cost.most < 2 ** (bits + 2)
    if qubo.space is None:
        states = [tuple(space.assignment(n)[name] for name in qubo.names) for n in range(space.size)]
    else:
        states = [tuple(int(b) for b in row) for row in space.bits(numbers).T]
    differences = [abs(cost.energy(int(found)) - exact_energy(qubo, s)) for found, s in zip(costs, states, strict=True)]
    return max(differences), cost.error


COEFFICIENTS = st.one_of(
    st.integers(-30, 30),
    st.floats(-3, 3).map(lambda x: round(x, 2)),
    st.floats(-1e3, 1e3, allow_subnormal=False),
    st.sampled_from([1e-12, -1e-12, 1e12, -1e12, 0.1, 0.5, Fraction(1, 3)]),
)


@st.composite
def forms(draw: st.DrawFn, num: int, most: int = 3) -> dict[tuple[int, ...], float]:
    count = draw(st.integers(0, 8))
    terms = {}
    for _ in range(count):
        monomial = tuple(sorted(draw(st.sets(st.integers(0, num - 1), min_size=1, max_size=most))))
        terms[monomial] = draw(COEFFICIENTS)
    terms[()] = draw(COEFFICIENTS)
    return terms


@pytest.mark.more_examples(150)
@settings(max_examples=50, deadline=None)
@given(forms(5), st.sampled_from([4, 8, 24, 40]))
def test_the_cost_gives_the_energy(terms: dict, bits: int) -> None:
    qubo = Qubo.of([f"v{k}" for k in range(5)], terms)
    off, stated = worst(qubo, binary_space(qubo.names), bits)
    assert off <= stated


def block_space() -> Space:
    return Space(
        (
            make_one_hot(Variable("a", (0, 1, 2))),
            make_binary(Variable("b", (0, 2, 5))),
            make_domain_wall(Variable("c", (1, 2, 4))),
            make_table(("d", "e"), ((0, 1), (1, 1), (2, 0))),
            make_one_hot(Variable("f", (3,))),
        )
    )


@settings(max_examples=60, deadline=None)
@given(forms(9), st.sampled_from([5, 24]))
def test_every_encoding(terms: dict, bits: int) -> None:
    space = block_space()
    assert space.num_qubits == 9
    qubo = Qubo.of([f"q{k}" for k in range(9)], terms, space=space)
    off, stated = worst(qubo, space, bits)
    assert off <= stated


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whole_numbers_are_exact(data: st.DataObject) -> None:
    terms = data.draw(
        st.dictionaries(st.sampled_from([(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)]), st.integers(-9, 9))
    )
    terms = {m: Fraction(c, 7) for m, c in terms.items()}
    qubo = Qubo.of(["u", "v", "w"], terms)
    off, stated = worst(qubo, binary_space(qubo.names), 24)
    assert off == stated == 0


def test_another_encoding_of_the_same_values() -> None:
    before = Space((make_one_hot(Variable("a", (0, 1, 2))), make_one_hot(Variable("b", (0, 1, 2)))))
    after = Space((make_binary(Variable("a", (0, 1, 2))), make_table(("b",), ((0,), (1,), (2,)))))
    qubo = Qubo.of([f"q{k}" for k in range(6)], {(0, 3): 2, (1, 4): 2, (2, 5): 2, (1,): -1}, space=before)
    cost = qubo_cost(qubo, after)
    for number in range(after.size):
        assignment = after.assignment(number)
        found = int(cost.evaluate({n: np.array(v) for n, v in assignment.items()}))
        bits = before.bits(np.array([before.number(assignment)]))[:, 0]
        assert cost.energy(found) == exact_energy(qubo, tuple(int(b) for b in bits))


def test_mixed_scales_are_rounded_with_a_bound() -> None:
    qubo = Qubo.of(["u", "v"], {(0,): 1e12, (1,): 1e-12})
    cost = qubo_cost(qubo)
    assert cost.error > 0
    off, stated = worst(qubo, binary_space(qubo.names), 24)
    assert 0 < off <= stated < Fraction(1e12) / 2**23


def test_costs_are_exact_where_a_register_of_48_bits_tells_them_apart() -> None:
    assert qubo_cost(Qubo.of(["u", "v"], {(0,): -3, (0, 1): 10**10})).error == 0
    assert qubo_cost(Qubo.of(["u", "v"], {(0,): 1, (1,): 1 << 48})).error > 0


def test_a_cut_needs_no_product() -> None:
    """Max-cut: -a - b + 2 a b on each edge is minus the sum modulo two."""
    edges = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    terms: dict = dict.fromkeys(edges, 2)
    for a, b in edges:
        terms[(a,)] = terms.get((a,), 0) - 1
        terms[(b,)] = terms.get((b,), 0) - 1
    space = binary_space("abcd")
    cost = qubo_cost(Qubo.of("abcd", terms), space)
    assert len(cost.terms) == len(edges)
    assert cost.most == len(edges)
    assert all(not synthesise(term.constraint, space).flags for term in cost.terms)


def test_one_constraint_for_a_product() -> None:
    cost = qubo_cost(Qubo.of("abcde", {(0, 1, 2): 13, (3,): 5, (4,): 1}))
    assert sorted(term.weight for term in cost.terms) == [1, 5, 13]


def test_a_term_too_wide() -> None:
    rows = tuple(product(range(6), repeat=3))
    space = Space(tuple(make_table((f"a{k}", f"b{k}", f"c{k}"), rows) for k in range(2)))
    qubo = Qubo.of([f"q{k}" for k in range(16)], {(0, 8): 1}, space=space)
    with pytest.raises(DoesNotFitError, match="46656 combinations"):
        qubo_cost(qubo)


@pytest.mark.parametrize("scale", [1 / 3, 1e-9, 0.1 + 0.2, 3.141592653589793, 7e12 / 9])
def test_noise_of_floating_point_is_no_precision(scale):
    """Products of a real and whole numbers are multiples of it again, and the error is the noise."""
    wholes = {(0,): -2, (1,): 3, (2,): -9, (0, 1): -5, (1, 2): 4, (0, 2): 7}
    qubo = Qubo.of("abc", {m: c * scale for m, c in wholes.items()})
    cost = qubo_cost(qubo)
    assert cost.most < 64
    assert 0 <= cost.error < abs(scale) * 1e-12
    space = binary_space(qubo.names)
    for number in range(space.size):
        found = int(cost.evaluate(space.values(np.array([number])))[0])
        assert abs(cost.energy(found) - exact_energy(qubo, tuple(number >> k & 1 for k in range(3)))) <= cost.error


# --- Costs of all codewords at once, against the cost on each ---


MODEL = Model(
    (Variable("a", (-1, 0, 2)), Variable("one", (4,)), Variable("b", (0, 1, 2, 3, 4)), Variable("c", (0, 4))),
    (Table(("a", "b"), ((-1, 0), (-1, 3), (0, 1), (2, 2), (2, 4))),),
)
COST = Cost(
    (
        SoftConstraint(3, NotEqual("b", "c")),
        SoftConstraint(1, AllDifferent(("a", "b", "c", "one"))),
        SoftConstraint(7, Linear(((2, "a"), (-1, "one")), "<=", 0)),
    )
)


@pytest.mark.parametrize("kind", ["one-hot", "binary", "domain-wall", "table"])
@pytest.mark.parametrize("rows", [1 << 20, 1])
def test_costs_are_tabulated_in_codeword_order(monkeypatch, kind, rows):
    monkeypatch.setattr(module, "LOCAL_ROWS", rows)
    for space in make_spaces(MODEL, kind):
        numbers = np.arange(space.size)
        expected = np.broadcast_to(COST.evaluate(space.values(numbers)), numbers.shape)
        assert np.array_equal(tabulate_costs(COST, space), expected)


def test_a_space_of_one_codeword_and_a_cost_of_nothing():
    (space,) = make_spaces(Model((Variable("x", (3,)),)), "one-hot")
    assert tabulate_costs(Cost(()), space).tolist() == [0]
    assert tabulate_costs(Cost((SoftConstraint(2, Linear(((1, "x"),), "==", 4)),)), space).tolist() == [2]


# --- Energies in units: the order, the least and the bounds of exact arithmetic, whatever the coefficients ---


WIDE = st.builds(lambda m, e: float(f"{m}e{e}"), st.integers(-9, 9), st.integers(-300, 300))
WEIGHTS = st.one_of(WIDE, st.integers(-3, 3), st.sampled_from([10**15, -(10**15) - 1, 0.1, Fraction(1, 3)]))


def brute(qubo):
    """The energies of all states, added up as fractions."""
    return [exact_energy(qubo, bits) for bits in product((0, 1), repeat=qubo.num_variables)]


@pytest.mark.more_examples(100)
@settings(max_examples=35, deadline=None, derandomize=True)
@given(qubos(4, 3, WEIGHTS), st.data())
def test_whole_numbers_of_a_unit_are_the_energies(qubo, data):
    states = np.array(list(product((False, True), repeat=qubo.num_variables))).T
    wanted = brute(qubo)
    exact = ExactEnergies.of(qubo)
    energies = exact.in_units(states)
    assert [energy * exact.unit for energy in energies.tolist()] == wanted
    assert np.argsort(energies, kind="stable").tolist() == sorted(range(len(wanted)), key=wanted.__getitem__)
    assert (energies == energies.min()).tolist() == [energy == min(wanted) for energy in wanted]
    bound = data.draw(st.sampled_from(wanted)) + data.draw(st.sampled_from([0, Fraction(-1, 7**400), 10**400]))
    assert (energies <= math.floor(bound / exact.unit)).tolist() == [energy <= bound for energy in wanted]


@pytest.mark.parametrize("small", [1, 1e-13, 5e-324])
def test_the_lowest_energy_and_its_states_are_counted_exactly(small):
    qubo = Qubo.of("abc", {(0,): -small, (0, 1): 1e15, (1,): 0})
    lowest, states = QuboReport("", qubo).lowest()
    assert (lowest, states) == (-small, 2)


# --- Forms of products, and the bound that they prove ---


PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
BONDS = st.dictionaries(st.sampled_from(PAIRS), st.integers(-9, 9).filter(bool), max_size=6)
LINEAR = st.fixed_dictionaries({k: st.integers(-12, 12) for k in range(4)})


@settings(max_examples=80, deadline=None)
@given(BONDS, LINEAR)
def test_bound_and_forms(bonds: dict, linear: dict) -> None:
    written = [(a, b, q) for (a, b), q in bonds.items()]
    chosen, left = orient_products(written, linear)
    bound = find_lower_bound(written, linear)
    for bits in product((0, 1), repeat=4):
        energy = sum(q * bits[a] * bits[b] for a, b, q in written) + sum(v * bits[k] for k, v in linear.items())
        paid = sum(form.paid[bits[a]][bits[b]] + form.base for (a, b, _), form in zip(written, chosen, strict=True))
        assert paid + sum(v * bits[k] for k, v in left.items()) == 2 * energy
        assert bound <= energy


def test_a_bound_that_is_met() -> None:
    """A cut of a square: minus four, which plain coefficients bound by minus eight."""
    square = [(0, 1, 2), (1, 2, 2), (2, 3, 2), (0, 3, 2)]
    assert find_lower_bound(square, dict.fromkeys(range(4), -2)) == -4

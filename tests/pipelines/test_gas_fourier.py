"""The Fourier value oracle marks exactly the costs below the threshold, lowered and on every codeword."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import count_cx, lower
from gatesolve.encodings import Space, make_binary, make_domain_wall, make_one_hot, make_table, make_unary
from gatesolve.gate_sets import GateSet
from gatesolve.model import Clause, Linear, NotEqual, Variable
from gatesolve.oracle import Oracle
from gatesolve.oracle.fourier_oracle import fourier_oracle
from gatesolve.qubo import Cost, Qubo, SoftConstraint, binary_space, qubo_cost
from gatesolve.simulate import check_branches

DOMAINS = ((0, 1, 2, 3), (-2, 0, 5), (1, 4), (0, 1, 2), (7,))
ENCODINGS = (make_one_hot, make_binary, make_domain_wall)


def check(cost: Cost, space: Space, threshold: int, gates: GateSet = "cx+u") -> Oracle:
    """Build, lower, and compare with the costs on every codeword."""
    oracle = fourier_oracle(cost, space, threshold)
    numbers = np.arange(space.size)
    bits = space.inputs(numbers, oracle.num_qubits)
    marked = cost.evaluate(space.values(numbers)) < threshold if cost.terms else np.full(space.size, threshold > 0)
    circuit = lower(oracle.ops, oracle.num_qubits, gates)
    check_branches(circuit, bits, marked, 0, error=1e-6)
    return oracle


def random_cost(names: list[str], domains: dict[str, tuple[int, ...]], draw: random.Random, weights: int) -> Cost:
    terms = []
    for _ in range(draw.randint(1, 5)):
        a, b = draw.sample(names, 2)
        constraint = draw.choice(
            [
                NotEqual(a, b, draw.randint(-1, 1)),
                Linear(((1, a), (draw.choice((-1, 2)), b)), draw.choice(("==", "<=", "!=")), draw.randint(0, 4)),
                Clause(((a, frozenset(draw.sample(domains[a], 1))),)),
                Clause(((a, frozenset(domains[a][:1])), (b, frozenset(domains[b][:1])))),
            ]
        )
        terms.append(SoftConstraint(draw.randint(1, weights), constraint))
    return Cost(tuple(terms))


@pytest.mark.quick(6)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", range(6))
def test_random_costs(encoding: type, seed: int) -> None:
    draw = random.Random(seed)
    variables = [Variable(f"v{k}", domain) for k, domain in enumerate(DOMAINS)]
    space = Space(tuple(encoding(v) for v in variables))
    cost = random_cost([v.name for v in variables], {v.name: v.domain for v in variables}, draw, (1, 3, 12)[seed % 3])
    for threshold in {1, draw.randint(0, cost.most + 1), cost.most, cost.most + 1}:
        check(cost, space, threshold)


@pytest.mark.quick("True")
@pytest.mark.parametrize("unary", [False, True])
def test_table_blocks(unary: bool) -> None:
    numbered = make_table(("a", "b", "c"), ((0, 1, 2), (1, 0, 2), (2, 2, 0), (0, 2, 1), (1, 1, 1)))
    space = Space((make_unary(numbered) if unary else numbered, make_domain_wall(Variable("d", (0, 1, 2)))))
    terms = (
        SoftConstraint(3, NotEqual("a", "d")),
        SoftConstraint(2, Linear(((1, "a"), (1, "b")), "<=", 2)),
        SoftConstraint(5, NotEqual("c", "d")),
        SoftConstraint(1, NotEqual("b", "d")),
    )
    for threshold in (1, 4, 8, 11):
        check(Cost(terms), space, threshold)


@pytest.mark.more_examples(40)
@settings(max_examples=6, deadline=None)
@given(st.data())
def test_random_forms(data: st.DataObject) -> None:
    num = data.draw(st.integers(2, 6))
    variables = st.integers(0, num - 1)
    monomials = st.sets(variables, min_size=1, max_size=3).map(lambda m: tuple(sorted(m)))
    terms = data.draw(st.dictionaries(monomials, st.integers(-20, 20), max_size=10))
    qubo = Qubo.of([f"v{k}" for k in range(num)], terms)
    space, cost = binary_space(qubo.names), qubo_cost(qubo)
    check(cost, space, data.draw(st.integers(0, cost.most + 1)))


@pytest.mark.sampled(1)
@pytest.mark.quick("0")
@pytest.mark.parametrize("seed", range(3))
def test_wide_registers(seed: int) -> None:
    """From nine bits on the transform's wires hold sums of neighbouring bits."""
    draw = random.Random(seed)
    names = [f"v{k}" for k in range(6)]
    monomials = [(k,) for k in range(6)] + [(0, 1), (1, 4), (2, 3), (0, 2, 5)]
    qubo = Qubo.of(names, {m: draw.uniform(-1, 1) for m in monomials})
    space, cost = binary_space(names), qubo_cost(qubo, bits=(9, 12, 20)[seed])
    costs = np.sort(cost.evaluate(space.values(np.arange(space.size))))
    for threshold in (int(costs[1]), int(costs[40]) + 1):
        assert check(cost, space, threshold).num_ancillas >= 8


@pytest.mark.slow
def test_clifford_t() -> None:
    qubo = Qubo.of("abc", {(0, 1): 3, (1, 2): -2, (0,): 1})
    check(qubo_cost(qubo), binary_space(qubo.names), 3, "clifford+t")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("num", [8, 10])
def test_a_quarter_of_controlled_phases(num: int) -> None:
    """Gilliam, Woerner and Gonciulea's circuit, its register sized by the same kind of bound, is four times dearer."""
    draw = random.Random(num)
    pairs = {(i, j): draw.randint(-9, 9) or 1 for i in range(num) for j in range(i + 1, num)}
    qubo = Qubo.of([f"v{k}" for k in range(num)], pairs | {(i,): draw.randint(-9, 9) or 1 for i in range(num)})
    space, cost = binary_space(qubo.names), qubo_cost(qubo)
    costs = np.sort(cost.evaluate(space.values(np.arange(space.size))))
    oracle = check(cost, space, int(costs[3]))
    threshold, high = cost.energy(int(costs[3])), qubo.bounds[1]
    register = int(high - threshold).bit_length() + 1
    controlled = register * (6 * len(pairs) + 2 * num) + register * (register - 1)
    assert 4 * count_cx(oracle.ops) <= 2 * controlled


def test_nothing_to_mark() -> None:
    space = binary_space("ab")
    cost = Cost((SoftConstraint(2, NotEqual("a", "b")),))
    assert fourier_oracle(cost, space, 0).ops == ()
    assert fourier_oracle(cost, space, 5).ops == ()
    assert check(cost, space, 2).num_ancillas == 0

"""Trees as flags: right on every codeword of every encoding, alone and as a part of a board."""

from functools import partial
from itertools import product

import pytest
from conformance.spaces import marks, reference_marks, space_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tree_strategies import terms, trees

from gatesolve.model import (
    AllDifferent,
    Apply,
    Clause,
    Compare,
    Distinct,
    Lookup,
    Model,
    Not,
    Sum,
    Table,
    Value,
    Variable,
    Within,
    add_terms,
    apply_function,
)
from gatesolve.oracle import choose_projections, compile_tree
from gatesolve.oracle.assemble import assemble
from gatesolve.oracle.synthesise import synthesise

ENCODINGS = ("binary", "one-hot", "domain-wall", "mixed")
DOMAINS = ((5,), (0, 1), (-1, 0, 1), (2, 3, 4, 5, 6), (-3, -2, -1, 0, 1, 2, 3), (0, 2, 3), tuple(range(-4, 5)))


def compile_alone(constraint, space):
    """The network of a tree, whatever a table would cost."""
    homes = {name: view for view in choose_projections(constraint, space) for name in view.names}
    return compile_tree(constraint, homes, partial(synthesise, space=space))


def assert_marks(constraint, model, encoding):
    space = space_of(model, encoding)
    oracle = assemble([compile_alone(constraint, space)], space.num_qubits)
    assert marks(oracle, space) == reference_marks(model, space)


@pytest.mark.more_examples(150)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_networks_of_trees_are_right_on_every_codeword(data):
    drawn = data.draw(st.lists(st.sampled_from(DOMAINS), min_size=1, max_size=3))
    variables = tuple(Variable(f"v{k}", domain) for k, domain in enumerate(drawn))
    tree = data.draw(trees(variables, 3))
    model = Model(variables, (tree,))
    assume(model.num_assignments <= 400)
    assert_marks(tree, model, data.draw(st.sampled_from(ENCODINGS)))


WIDE = Variable("v0", (-(10**9), -2, 2, 2**40))


@pytest.mark.parametrize(
    "tree",
    [
        Within(Lookup((Value("v0"),), (((-(10**9),), 1), ((2,), 2))), frozenset({2, 5})),
        Compare(Lookup((Sum(((3, Value("v0")), (1, Value("v1"))), 1), Value("v1")), (((7, 0), 4), ((-5, 0), 0))), "=="),
        Compare(Apply("element", (Value("v0"), Value("v1"), Value("v1"), Value("v0"))), "!="),
        Compare(Apply("mod", (Value("v0"), Value("v1"))), "!="),
        Within(Sum(((1, Value("v0")), (1, Value("v1")))), frozenset({2, 2**40 + 1})),
        Distinct(()),
        Distinct((Value("v0"),)),
        AllDifferent(()),
        Not(Distinct(())),
    ],
    ids=str,
)
@pytest.mark.parametrize("encoding", ["binary", "one-hot"])
def test_of_wide_gaps_and_of_nothing(tree, encoding):
    assert_marks(tree, Model((WIDE, Variable("v1", (0, 1, 10**6))), (tree,)), encoding)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_terms_equal_each_of_their_values(data):
    drawn = data.draw(st.lists(st.sampled_from(DOMAINS), min_size=1, max_size=2))
    variables = tuple(Variable(f"v{k}", domain) for k, domain in enumerate(drawn))
    term = data.draw(terms(variables, 3))
    low, high = term.bounds({v.name: v.domain for v in variables})
    value = data.draw(st.integers(max(low, -40), max(low, -40, min(high, 40))))
    tree = Compare(add_terms([(1, term)], -value), data.draw(st.sampled_from(("==", "!=", "<="))))
    assert_marks(tree, Model(variables, (tree,)), data.draw(st.sampled_from(ENCODINGS)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encoding", "function"), [("binary", "div"), ("binary", "mod"), ("binary", "mul"), ("domain-wall", "mod")]
)
def test_wide_products_quotients_and_remainders(function, encoding, monkeypatch):
    """Long division, that of small numbers too, which are looked up else."""
    monkeypatch.setattr("gatesolve.oracle.tree.MOST_ROWS", 0)
    for left, right in product(((0, 40), (-9, 5), (-20, -3)), ((1, 6), (-3, 3), (-4, -1))):
        variables = (
            Variable("a", tuple(range(left[0], left[1] + 1))),
            Variable("b", tuple(range(right[0], right[1] + 1))),
        )
        term = apply_function(function, [Value("a"), Value("b")])
        for value in (-2, 0, 5):
            tree = Compare(add_terms([(1, term)], -value), "==")
            assert_marks(tree, Model(variables, (tree,)), encoding)


@pytest.mark.parametrize("encoding", ["binary", "one-hot"])
def test_wide_tables_and_clauses_are_computed_row_by_row(encoding):
    """A table and a clause of too many combinations to list."""
    variables = tuple(Variable(f"v{k}", tuple(range(12))) for k in range(5))
    rows = tuple(sorted({tuple((a * k + b) % 12 for k in range(5)) for a in (1, 2, 5) for b in (0, 3, 7)}))
    model = Model(variables, (Table(tuple(v.name for v in variables), rows),))
    space = space_of(model, encoding)
    oracle = assemble([synthesise(model.constraints[0], space)], space.num_qubits)
    near = [{f"v{k}": value for k, value in enumerate(row)} for row in rows]
    near += [{**one, f"v{k}": (one[f"v{k}"] + 1) % 12} for one in near for k in range(5)]
    numbers = [space.number(one) for one in near]
    assert marks(oracle, space, numbers) == [k < len(rows) for k in range(len(near))]
    clause = Clause(tuple((v.name, frozenset(range(0, 12, 2))) for v in variables))
    odd = synthesise(clause, space)
    numbers = [space.number(dict.fromkeys((v.name for v in variables), 1)), *numbers]
    found = marks(assemble([odd], space.num_qubits), space, numbers)
    assert found == [any(v % 2 == 0 for v in space.assignment(n).values()) for n in numbers]

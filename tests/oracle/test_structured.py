"""Constraints too large to tabulate, forced on small ones (checked on every codeword) and once really large."""

from functools import partial
from importlib import import_module
from itertools import permutations, product

import cpmpy as cp
import numpy as np
import pytest
from conformance.spaces import SINGLE, marks, reference_marks, space_of
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tree_strategies import terms, trees

from benchmarks.core.boards import send_more
from gatesolve.circuit import And, Parity
from gatesolve.circuit.counting import count
from gatesolve.circuit.lowering import lower
from gatesolve.encodings import Space, make_domain_wall, make_one_hot, make_spaces, make_table, make_unary
from gatesolve.errors import DoesNotFitError
from gatesolve.formats import from_cpmpy
from gatesolve.model import (
    AllDifferent,
    Apply,
    Clause,
    Compare,
    Distinct,
    Linear,
    Lookup,
    Model,
    Not,
    NotEqual,
    Sum,
    Table,
    Value,
    Variable,
    Within,
    add_terms,
    apply_function,
)
from gatesolve.oracle import assemble, choose_projections, compile_tree, literal_conditions, synthesise
from gatesolve.oracle.network import Network
from gatesolve.oracle.radix import Addend, equate_by_radix
from gatesolve.oracle.sums import compile_clause, compile_sum, compile_unequal
from gatesolve.oracle.synthesise import MOST_VALUES, compile_by_values
from gatesolve.oracle.view import project_all, project_block

module = import_module("gatesolve.oracle.synthesise")


def make(domains):
    return tuple(Variable("abcd"[k], tuple(d)) for k, d in enumerate(domains))


def assert_right(condition, model, space):
    assert condition is not None
    assert marks(assemble([condition], space.num_qubits), space) == reference_marks(model, space)


@pytest.fixture
def small_windows(monkeypatch):
    """Pairs of variables of up to four values fit a window, nothing larger does."""
    monkeypatch.setattr(module, "WINDOW_ROWS", 16)


DIFFERENT = {
    "permutation": [(1, 2, 3)] * 3,
    "permutation of four": [(0, 1, 2, 3)] * 4,
    "permutation with gaps in domains": [(1, 2), (2, 3, 4), (1, 4), (2, 3)],
    "a value only one takes": [(0, 1), (1, 2), (0, 1, 2)],
    "more values than variables": [(0, 1, 2, 3)] * 3,
    "fewer values than variables": [(0, 1, 2)] * 4,
    "some pairs never meet": [(0, 1), (2, 3), (1, 2), (5,)],
}


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize("encoding", SINGLE)
@pytest.mark.parametrize("domains", DIFFERENT.values(), ids=DIFFERENT)
def test_all_different(domains, encoding):
    variables = make(domains)
    model = Model(variables, (AllDifferent(tuple(v.name for v in variables)),))
    space = space_of(model, encoding)
    condition = module._all_different(model.constraints[0], choose_projections(model.constraints[0], space), space)
    assert_right(condition, model, space)
    through = synthesise(model.constraints[0], space)
    assert_right(through, model, space)


ROWS = {"literals are parities": [(1, 2), (3, 4), (2, 2)], "literals are not": [(2, 3), (2, 4), (1, 1), (3, 3)]}


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_all_different_over_variables_of_one_block(rows):
    variables = make([(1, 2, 3, 4)] * 4)
    model = Model(variables, (AllDifferent(tuple("abcd")),))
    space = Space((make_one_hot(variables[0]), make_table(("b", "c"), rows), make_one_hot(variables[3])))
    assert space.size > module.WINDOW_ROWS
    assert_right(synthesise(model.constraints[0], space), model, space)


@pytest.mark.usefixtures("small_windows")
def test_all_different_whose_pairs_are_too_large():
    variables = make([(1, 2, 3, 4)] * 4)
    space = Space(
        (
            make_one_hot(variables[0]),
            make_table(("b", "c"), list(permutations((1, 2, 3, 4), 2))),
            make_one_hot(variables[3]),
        )
    )
    with pytest.raises(DoesNotFitError, match="more than 16"):
        synthesise(AllDifferent(tuple("abcd")), space)


@pytest.mark.usefixtures("small_windows")
def test_what_is_too_large_says_so():
    space = space_of(Model(make([(0, 1, 2, 3)] * 4)), "binary")
    total = Linear(tuple((1, n) for n in "abcd"), "==", 4)
    assert synthesise(total, space).method == "sum", "arithmetic takes any size"
    several = Clause((("a", frozenset({2})), ("b", frozenset({0, 3})), ("c", frozenset({1, 2}))))
    assert synthesise(several, space).method == "clause"
    assert synthesise(NotEqual("a", "b"), space_of(Model(make([range(5)] * 2)), "binary")).method == "sum"
    gaps = space_of(Model(make([(0, 1, 2, 4, 9)] * 2)), "binary")
    with pytest.raises(DoesNotFitError, match="'a != b' has 25 combinations of codewords, more than 16"):
        synthesise(NotEqual("a", "b"), gaps)


NINE = tuple(Variable(f"v{k}", tuple(range(1, 10))) for k in range(9))


@pytest.mark.parametrize("values", list(product((0, 1), repeat=3)))
def test_a_long_clause(values):
    """Nine literals; the first three decide which rows fail."""
    literals = tuple((v.name, frozenset({1, 2, 3, 4, 5, 6, 7, 8})) for v in NINE[3:])
    head = tuple((v.name, frozenset({1 + bit})) for v, bit in zip(NINE, values, strict=False))
    rows = np.array([[*first, *[9] * 6] for first in product((1, 2, 3), repeat=3)])
    constraint, space = Clause((*head, *literals)), Space(tuple(make_one_hot(v) for v in NINE))
    assert space.size > module.WINDOW_ROWS
    oracle = assemble([synthesise(constraint, space)], space.num_qubits)
    wanted = constraint.holds({v.name: column for v, column in zip(NINE, rows.T, strict=True)}).tolist()
    assert set(wanted) == {True, False}
    assert marks(oracle, space, (rows - 1) @ 9 ** np.arange(9)) == wanted


# --- Sums, comparisons and permutations as arithmetic: right on every codeword, and no more ANDs than promised ---


ENCODINGS = ("binary", "one-hot", "domain-wall")
DOMAINS = ((5,), (0, 1), (-1, 0, 1), (2, 3, 4, 5, 6), (-3, -2, -1, 0, 1, 2, 3), (0, 1, 2, 3, 4, 5, 6, 7, 8), (0, 2, 3))


def homes_of(constraint, space):
    return {name: view for view in choose_projections(constraint, space) for name in view.names}


def variables_of(data, most, least=1):
    drawn = data.draw(st.lists(st.sampled_from(DOMAINS), min_size=least, max_size=most))
    return tuple(Variable(f"v{k}", domain) for k, domain in enumerate(drawn))


def assert_compiled(compile_one, constraint, variables, encoding, is_hard):
    """Right on every codeword, and compiled except in binary where a variable is hard."""
    model = Model(variables, (constraint,))
    space = space_of(model, encoding)
    assume(space.size <= 2000)
    condition = compile_one(constraint, homes_of(constraint, space))
    if condition is None:
        assert encoding == "binary", "every set of values is a parity elsewhere"
        assert any(is_hard(variable.domain) for variable in variables)
    else:
        assert_right(condition, model, space)


@pytest.mark.more_examples(120)
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_any_sum(encoding, data):
    variables = variables_of(data, 4)
    terms = tuple((data.draw(st.sampled_from((-5, -3, -2, -1, 1, 1, 2, 3, 7))), v.name) for v in variables)
    reached = sum(c * data.draw(st.sampled_from(v.domain)) for (c, _), v in zip(terms, variables, strict=True))
    bound = reached + data.draw(st.sampled_from((0, 0, 1, -1, 40, -40)))
    linear = Linear(terms, data.draw(st.sampled_from(("==", "<=", "!="))), bound)
    assert_compiled(compile_sum, linear, variables, encoding, lambda domain: domain == (0, 2, 3))


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_any_two_that_differ(encoding, data):
    differ = NotEqual("v0", "v1", data.draw(st.integers(-4, 4)))
    assert_compiled(compile_unequal, differ, variables_of(data, 2, 2), encoding, lambda domain: True)


@pytest.mark.quick(1)
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_any_clause(encoding, data):
    variables = variables_of(data, 4)
    literals = tuple((v.name, data.draw(st.frozensets(st.sampled_from((*v.domain, 99))))) for v in variables)
    # of nine values there may be more than four words on either side
    assert_compiled(compile_clause, Clause(literals), variables, encoding, lambda domain: len(domain) == 9)


@pytest.mark.more_examples(70)
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


@pytest.mark.sampled(0.3)
def test_sums_of_any_size_are_compiled_by_their_digits():
    """Nothing is listed between totals that lie far apart."""
    terms = tuple((10**9 * 3**k + 1, f"v{k}") for k in range(16))
    variables = tuple(Variable(f"v{k}", (0, 1)) for k in range(16))
    linear = Linear(terms, "==", terms[0][0] + terms[15][0])
    model = Model(variables, (linear,))
    space = space_of(model, "binary")
    assert_right(compile_sum(linear, homes_of(linear, space)), model, space)


# --- Trees as flags: right on every codeword of every encoding, alone and as a part of a board ---


def compile_alone(constraint, space):
    """The network of a tree, whatever a table would cost."""
    return compile_tree(constraint, homes_of(constraint, space), partial(synthesise, space=space))


def assert_marks(constraint, model, encoding):
    space = space_of(model, encoding)
    assert_right(compile_alone(constraint, space), model, space)


@pytest.mark.more_examples(150)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_networks_of_trees_are_right_on_every_codeword(data):
    variables = variables_of(data, 3)
    tree = data.draw(trees(variables, 3))
    model = Model(variables, (tree,))
    assume(model.num_assignments <= 400)
    assert_marks(tree, model, data.draw(st.sampled_from((*ENCODINGS, "mixed"))))


WIDE = Variable("v0", (-(10**9), -2, 2, 2**40))


@pytest.mark.quick(6)
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
    variables = variables_of(data, 2)
    term = data.draw(terms(variables, 3))
    low, high = term.bounds({v.name: v.domain for v in variables})
    value = data.draw(st.integers(max(low, -40), max(low, -40, min(high, 40))))
    tree = Compare(add_terms([(1, term)], -value), data.draw(st.sampled_from(("==", "!=", "<="))))
    assert_marks(tree, Model(variables, (tree,)), data.draw(st.sampled_from((*ENCODINGS, "mixed"))))


@pytest.mark.sampled(1)
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


@pytest.mark.quick(1)
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


# --- Constraints by the values of their variables: right on every codeword of denser codes ---


@pytest.mark.more_examples(40)
@settings(deadline=None, max_examples=12)
@given(data=st.data())
def test_any_clause_or_all_different(data):
    variables = variables_of(data, 3, 2)
    chosen = [(v.name, frozenset(data.draw(st.sets(st.sampled_from(v.domain), min_size=1)))) for v in variables]
    kinds = (Clause(tuple(chosen)), AllDifferent(tuple(v.name for v in variables)))
    model = Model(variables, (data.draw(st.sampled_from(kinds)),))
    space = space_of(model, "binary")
    assume(space.size <= 200)
    views = choose_projections(model.constraints[0], space)
    found = compile_by_values(model.constraints[0], views)
    if found is None:
        assert all(view.free for view in views)
    else:
        assert_right(found, model, space)


def test_more_values_are_left_to_other_ways():
    variables = tuple(Variable(name, tuple(range(MOST_VALUES + 1))) for name in "ab")
    model = Model(variables, (AllDifferent(("a", "b")),))
    space = space_of(model, "binary")
    assert compile_by_values(model.constraints[0], choose_projections(model.constraints[0], space)) is None


def visits_all(successors):
    """Whether one walks from node 0 through all nodes, for each column of successors."""
    here, seen = np.zeros(successors.shape[1], dtype=int), np.zeros(successors.shape, dtype=bool)
    for _ in successors:
        here = successors[here, np.arange(successors.shape[1])]
        seen[here, np.arange(successors.shape[1])] = True
    return seen.all(axis=0)


@pytest.mark.sampled(1)
@pytest.mark.quick("[2345]-*")
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("size", "most_ands"), [(2, 1), (3, 8), (4, 12), (5, 32), (6, 75)])
def test_a_circuit_of_up_to_six_nodes(size, most_ands, encoding):
    model = from_cpmpy(cp.Model(cp.Circuit(cp.intvar(0, size - 1, shape=size, name="x"))))
    space = space_of(model, encoding)
    oracle = assemble(literal_conditions(model, space), space.num_qubits, alone=True)
    values = space.values(np.arange(space.size))
    assert marks(oracle, space) == visits_all(np.array([values[f"x[{k}]"] for k in range(size)])).tolist()
    assert sum(isinstance(op, And) for op in oracle.ops) // 2 <= most_ands


# --- Views: parities of a block's qubits and the values they tell apart ---


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


# --- Equations by columns of any radix: each network that is tried is right ---


COEFFICIENTS = (1, -1, 2, 3, -5, 6, 9, -9, 10, 11, -25, 60, 90, 91, -100, 1000)


@st.composite
def sums(draw):
    """Terms over bits of their own, the values of each bit at every combination, and a total."""
    terms, columns, wires = [], [], 0
    for coefficient in draw(st.lists(st.sampled_from(COEFFICIENTS), min_size=2, max_size=5)):
        top = draw(st.sampled_from((1, 2, 3, 4, 6)))
        bits = tuple(Parity((wires + k,), draw(st.booleans())) for k in range(top.bit_length()))
        terms.append(Addend(coefficient, bits, tuple(range(top + 1))))
        columns.append(range(top + 1))
        wires += len(bits)
    rows = [*product(*columns)]
    reached = draw(st.sampled_from(rows))
    total = sum(term.coefficient * value for term, value in zip(terms, reached, strict=True))
    return terms, rows, total + draw(st.sampled_from((0, 0, 0, 1, -10, 100)))


@st.composite
def cases(draw):
    return *draw(sums()), draw(st.booleans())


def held_bits(terms, row):
    """The value of each wire where the terms have the values of a row."""
    return [
        bool(value >> place & 1) ^ bit.constant
        for term, value in zip(terms, row, strict=True)
        for place, bit in enumerate(term.bits)
    ]


NUMBERS = ((-5, 1), (-5, 1), (90, 1), (-100, 4))
BITS = (Parity((0,)),), (Parity((1,)),), (Parity((2,)),), (Parity((3,)), Parity((4,)), Parity((5,)))
FREE_AT_THE_END = [Addend(c, bits, tuple(range(top + 1))) for (c, top), bits in zip(NUMBERS, BITS, strict=True)]
"""A column whose highest digit tells its carries apart."""


@pytest.mark.more_examples(100)
@settings(deadline=None, max_examples=30)
@given(cases())
@example((FREE_AT_THE_END, [*product((0, 1), (0, 1), (0, 1), range(5))], 0, False))
def test_every_network_is_1_on_the_total_alone(case):
    terms, rows, total, copies = case
    for network, factors in equate_by_radix(Network(copies), terms, total):
        condition = network.finish(factors, "sum")
        for row in rows:
            meets = sum(term.coefficient * value for term, value in zip(terms, row, strict=True)) == total
            assert condition.holds(held_bits(terms, row).__getitem__, True) == meets


@pytest.mark.sampled(0.5)
def test_send_more_keeps_its_bars():
    (space,) = make_spaces(send_more(), "binary")
    conditions = literal_conditions(send_more(), space)
    oracle = assemble(conditions, space.num_qubits, None, alone=True)
    cost = count(lower(oracle.ops, oracle.num_qubits, "clifford+t"), "clifford+t")
    assert cost.cx <= 1_200
    assert cost.t <= 850

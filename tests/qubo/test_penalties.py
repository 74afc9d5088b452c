"""Every penalty keeps its promise on every codeword: satisfied, gap, floor; and the form is the one expected."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.encodings import Space, make_coded, make_one_hot, make_spaces, make_table
from gatesolve.encodings import block as blocks
from gatesolve.encodings.choose import digit_block
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Clause, Linear, Model, NotEqual, Objective, Table, Variable
from gatesolve.qubo import Cost, qubo_space
from gatesolve.qubo.literals import Literals, interpolate
from gatesolve.qubo.penalties import Penalties, Requirement, list_requirements, penalise_other_states
from gatesolve.qubo.penalty import least_value
from gatesolve.qubo.polynomial import degree
from gatesolve.qubo.scaling import group_axes, make_soft_terms, split_objective
from gatesolve.qubo.tuple_penalties import make_grid, make_indicators


def value(terms, state):
    return sum(c for m, c in terms.items() if all(state >> q & 1 for q in m))


def check(model, space, requirement, inside):
    """The penalty's values on all codewords and all states; returns it."""
    made = Penalties(Literals(space), inside).of(requirement)
    numbers = np.arange(space.size)
    columns = space.values(numbers)
    holds = np.ones(space.size, dtype=bool)
    for constraint in requirement.constraints:
        holds &= np.broadcast_to(constraint.holds(columns), holds.shape)
    if made is None:
        assert holds.all()
        return None
    found = [value(made.terms, space.state(int(k))) for k in numbers]
    assert all(e == made.satisfied for e, h in zip(found, holds, strict=True) if h)
    broken = [e for e, h in zip(found, holds, strict=True) if not h]
    assert broken
    assert min(broken) >= made.satisfied + made.gap
    if made.form not in ("unsatisfiable", "conflicts", "each value once"):
        assert min(broken) == made.satisfied + made.gap, "the gap is exact"
    if not inside and space.num_qubits <= 12:
        assert made.floor <= min(value(made.terms, s) for s in range(1 << space.num_qubits))
    return made


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("kind", ["one-hot", "binary", "domain-wall", "table"])
@settings(max_examples=40, deadline=None)
@given(model=models(3, 2))
def test_any_constraint_in_any_space(kind, inside, model):
    for space in make_spaces(model, kind):
        assume(space.size <= 200)
        for requirement in list_requirements(model):
            if requirement.scope:
                check(model, space, Requirement(requirement.constraints), inside)


def test_auxiliary_variables_come_after_the_space_and_are_never_shared():
    variables = bits("a", "b", "c", "d", "e", "f", "g", "h")
    parts = (linear("abcdef", "<=", 3), linear("cdefgh", "<=", 3))
    space = qubo_space(Model(variables, parts))
    penalties = Penalties(Literals(space), codewords_only=False, quadratic=True)
    seen = [{q for m in penalties.of(Requirement((part,))).terms for q in m if q >= space.num_qubits} for part in parts]
    assert sorted(q - space.num_qubits for own in seen for q in own) == list(range(len(penalties.auxiliaries)))
    assert all(seen)


@pytest.mark.parametrize("kind", ["one-hot", "binary", "domain-wall"])
def test_of_one_block_the_lightest_form_that_is_safe_is_taken(kind):
    """Inside the codewords every form is safe; elsewhere one that some state undercuts is the last resort."""
    variable = Variable("a", (0, 1, 2, 3, 4, 5))
    for chosen in product((False, True), repeat=6):
        kept = tuple((v,) for v, keep in zip(variable.domain, chosen, strict=True) if keep)
        constraint = Table(("a",), kept)
        space = make_spaces(Model((variable,), (constraint,)), kind)[0]
        if len(kept) in (0, 6) or space.size != 6:
            continue
        forms = make_indicators(make_grid([constraint], Literals(space)))
        safe = [p for p in forms if p.is_safe]
        made = Penalties(Literals(space), codewords_only=False).of(Requirement((constraint,)))
        assert made.weight_key == min(p.weight_key for p in safe or forms)
        assert made.is_safe == bool(safe)


def form(constraints, variables, inside=False):
    model = Model(variables, tuple(constraints))
    (requirement,) = list_requirements(model)
    made = check(model, qubo_space(model), requirement, inside)
    return made and (made.form, made.satisfied, made.gap)


def bits(*names):
    return tuple(Variable(n, (0, 1)) for n in names)


def linear(names, relation, bound, factor=1):
    return Linear(tuple((factor, n) for n in names), relation, bound)


@pytest.mark.parametrize(
    ("constraints", "expected"),
    [
        ([linear("abcd", "==", 2)], ("square", 0, 1)),
        ([linear("abcd", "==", 0)], ("count", 0, 1)),
        ([linear("abcd", "==", 4)], ("count", 0, 1)),
        ([linear("abcd", "<=", 0)], ("count", 0, 1)),
        ([linear("abcd", "<=", 1)], ("pairs", 0, 1)),
        ([linear("abcd", "<=", -3, -1)], ("pairs", 0, 1)),
        ([linear("abc", "<=", 2), linear("abc", "<=", -1, -1)], ("half-integer centre", Fraction(1, 4), 2)),
        ([linear("abcd", "<=", 2), linear("abcd", "<=", -1, -1)], ("half-integer centre", Fraction(1, 4), 2)),
        ([linear("abc", "<=", 2)], ("violation", 0, 1)),
        ([linear("ab", "!=", 1)], ("two distances", 0, 1)),
        ([linear("abc", "!=", 0)], ("violation", 0, 1)),
        ([linear("abcd", "<=", 9)], None),
        ([linear("abcd", "==", 9)], ("unsatisfiable", 0, 1)),
        ([Clause((("a", frozenset({1})), ("b", frozenset({0}))))], ("clause", 0, 1)),
        ([NotEqual("a", "b")], ("conflicts", 0, 1)),
        ([Table(("a", "b", "c", "d"), ((0, 0, 0, 0), (1, 1, 1, 1)))], ("two distances", 0, 3)),
        ([Table(("a", "b", "c"), ((0, 0, 0), (0, 1, 1), (1, 0, 1)))], ("fitted", 0, 1)),
        ([Linear(((2, "a"), (4, "b"), (6, "c")), "==", 6)], ("square", 0, 1)),
        ([Linear(((3, "a"), (5, "b"), (7, "c")), "==", 8)], ("square", 0, 1)),
        ([Linear(((3, "a"), (8, "b"), (20, "c")), "==", 8)], ("square", 0, 9)),
        # of two variables the exact violation may be lighter still: here it is b alone
        ([Linear(((2, "a"), (3, "b")), "<=", 2)], ("violation", 0, 1)),
    ],
)
def test_forms_over_bits(constraints, expected):
    assert form(constraints, bits("a", "b", "c", "d")) == expected


def test_at_most_two_by_other_constraints():
    model = Model(bits(*"abcd"), (linear("abc", "<=", -1, -1), linear("abcd", "==", 2)))
    assert [r.most for r in list_requirements(model)] == [2, 2]
    made = Penalties(Literals(qubo_space(model)), False).of(list_requirements(model)[0])
    assert (made.form, made.gap) == ("half-integer centre", 2)


DOMAINS = ((5,), (0, 1), (7, 9), (-1, 0, 1), (0, 1, 2, 3), tuple(range(5)), tuple(range(6)), tuple(range(7)))


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("make", [blocks.make_one_hot, blocks.make_binary, blocks.make_domain_wall])
def test_other_states_of_a_block(make, domain):
    check_block(make(Variable("x", domain)))


def check_block(block):
    made = penalise_other_states(block, 2)
    outside = [s for s in range(1 << block.num_qubits) if s not in block.index]
    if made is None:
        assert not outside
        return None
    found = {s: value(made.terms, s << 2) for s in range(1 << block.num_qubits)}
    assert all(found[w] == 0 for w in block.codewords)
    assert min(found[s] for s in outside) == made.gap
    assert (made.satisfied, made.floor) == (0, 0)
    return made


def test_other_states_of_irregular_blocks():
    even = ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))
    assert check_block(digit_block(("x", "y", "z"), even, ((0, 1),) * 3)).form == "unused words"
    assert check_block(digit_block(("x", "y"), ((0, 0), (1, 1)), ((0, 1),) * 2)).form == "fitted"
    assert check_block(blocks.make_unary(blocks.make_table(("x", "y"), ((1, 2), (2, 3), (3, 1))))).form == "one-hot"
    sizes = {n: check_block(blocks.make_binary(Variable("x", tuple(range(n))))) for n in (3, 5, 6, 7)}
    assert {n: max(map(len, p.terms)) for n, p in sizes.items()} == {3: 2, 5: 2, 6: 2, 7: 3}


@given(st.dictionaries(st.sets(st.integers(0, 5), max_size=3).map(lambda s: tuple(sorted(s))), st.integers(-4, 4)))
def test_least_is_exact_on_few_variables(terms):
    quarter = {m: Fraction(c, 4) for m, c in terms.items()}
    lowest = min(value(terms, s) for s in range(64))
    assert least_value(terms) == lowest
    assert least_value(quarter) == Fraction(lowest, 4)


def test_a_floor_beyond_a_machine_word_does_not_wrap_around() -> None:
    assert least_value({(0,): -(2**62), (1,): -(2**62), (2,): -(2**62), (0, 1): 2**62}) <= -(2**63)


# --- Literals are exact on codewords, of the lowest degree, in every kind of block ---


LITERALS_DOMAINS = ((5,), (0, 1), (7, 9), (-1, 0, 1), (0, 1, 2, 3), (2, 3, 4, 5, 6), (-3, 0, 4))
KINDS = {"one-hot": blocks.make_one_hot, "binary": blocks.make_binary, "domain-wall": blocks.make_domain_wall}


def lowest_degree(codewords, num_qubits, values):
    """By rank of all monomials up to each degree."""
    for d in range(num_qubits + 1):
        monomials = [m for size in range(d + 1) for m in combinations(range(num_qubits), size)]
        matrix = np.array([[all(w >> q & 1 for q in m) for m in monomials] for w in codewords], dtype=float)
        joined = np.column_stack([matrix, np.array(values, dtype=float)])
        if np.linalg.matrix_rank(joined) == np.linalg.matrix_rank(matrix):
            return d
    raise AssertionError


@pytest.mark.parametrize("domain", LITERALS_DOMAINS)
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
    assert [value(literals.total([(1, "x")]), w) for w in block.codewords] == list(domain)


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


# --- Whole-number functions as weighted constraints ---


SPACE = Space(
    (
        make_one_hot(Variable("a", (0, 1, 3))),
        make_table(("b", "c"), ((0, 0), (1, 0), (1, 2))),
        make_one_hot(Variable("d", (2, 5))),
    )
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=18, max_size=18), st.integers(1, 3))
def test_weights_sum_to_the_values(numbers: list[int], count: int) -> None:
    axes = group_axes(("a", "b", "c", "d"), SPACE)[:count]
    shape = tuple(len(axis.tuples) for axis in axes)
    values = np.array(numbers[: int(np.prod(shape))]).reshape(shape)
    cost = Cost(make_soft_terms(axes, values))
    for place in np.ndindex(*shape):
        parts = [(axis.names, axis.tuples[p]) for axis, p in zip(axes, place, strict=True)]
        row = {name: np.array(v) for names, values_ in parts for name, v in zip(names, values_, strict=True)}
        assert (int(cost.evaluate(row)) if cost.terms else 0) == values[place]


def test_boxes_are_clauses() -> None:
    axes = group_axes(("a", "d"), SPACE)
    (corner,) = make_soft_terms(axes, np.array([[0, 0], [0, 0], [0, 7]]))
    assert corner.weight == 7
    assert corner.constraint == Clause((("a", frozenset({0, 1})), ("d", frozenset({2}))))
    (line,) = make_soft_terms(axes, np.array([[4, 4], [0, 0], [0, 0]]))
    assert line.constraint == Clause((("a", frozenset({1, 3})),))
    (diagonal,) = make_soft_terms(axes, np.array([[2, 0], [0, 2], [0, 2]]))
    assert isinstance(diagonal.constraint, Table)


def test_objective_both_ways() -> None:
    variables = (Variable("x", (0, 1, 4)), Variable("y", (-2, 3)))
    for sense, sign in (("min", 1), ("max", -1)):
        objective = Objective(((3, "x"), (-5, "y"), (1, "x")), 7, sense)  # type: ignore[arg-type]
        terms, base = split_objective(Model(variables, (), objective))
        for x in (0, 1, 4):
            for y in (-2, 3):
                cost = int(Cost(terms).evaluate({"x": np.array(x), "y": np.array(y)}))
                assert base + cost == sign * objective.value({"x": x, "y": y})
    assert split_objective(Model(variables)) == ((), 0)

"""Lowering from CPMpy keeps the solutions and gives the kinds it promises."""

from __future__ import annotations

import itertools

import cpmpy as cp
import numpy as np
import pytest
from cpmpy.tools.xcsp3.globals import NotInDomain
from cpmpy_truth import Truth, find_difference
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.formats import from_cpmpy
from gatesolve.model import AllDifferent, Clause, Linear, Model, NotEqual, Objective, Table

BOUNDS = ((0, 2), (4, 4), (-2, 2), (3, 5), (0, 1))


def brute_force(model: Model) -> set[tuple[int, ...]]:
    rows = itertools.product(*model.domains.values())
    return {row for row in rows if model.check(dict(zip(model.domains, row, strict=True)))}


def xyz(low: int = 0, high: int = 3) -> tuple:
    return tuple(cp.intvar(low, high, name=name) for name in "xyz")


def only(*constraints: object, **options: int) -> object:
    (found,) = from_cpmpy(cp.Model(*constraints), **options).constraints
    return found


def test_linear_relations_are_normalised() -> None:
    x, y, z = xyz()
    assert only(x + 2 * y == 4) == Linear(((1, "x"), (2, "y")), "==", 4)
    assert only(x + y < z) == Linear(((1, "x"), (1, "y"), (-1, "z")), "<=", -1)
    assert only(x + y > 2) == Linear(((-1, "x"), (-1, "y")), "<=", -3)
    assert only(2 * x + 4 * y <= 7) == Linear(((1, "x"), (2, "y")), "<=", 3)
    assert only(-(x - 3) - y + x * 3 == 5 - y) == Linear(((1, "x"),), "==", 1)
    assert only(3 * (x - y) != 6) == NotEqual("x", "y", 2)
    assert only(x != 3) == Linear(((1, "x"),), "!=", 3)
    assert only(cp.Count([x, y, z], 2) == cp.Count([x, y, z], 1), table_limit=64) == Table(
        ("x", "y", "z"),
        only(cp.Count([x, y, z], 2) == cp.Count([x, y, z], 1)).tuples,
        str(cp.Count([x, y, z], 2) == cp.Count([x, y, z], 1)),
    )


def test_booleans_are_zero_one_terms() -> None:
    a, b = cp.boolvar(name="a"), cp.boolvar(name="b")
    x = cp.intvar(1, 2, name="x")
    assert only(a + ~b == 1) == Linear(((1, "a"), (-1, "b")), "==", 0)
    assert from_cpmpy(cp.Model(a + b >= 1)).domains == {"a": (0, 1), "b": (0, 1)}
    # on two values an indicator is affine
    assert only((x == 2) + a == 1) == Linear(((1, "x"), (1, "a")), "==", 2)
    assert only(cp.Count([x, a], 1) == 1) == Linear(((1, "x"), (-1, "a")), "==", 1)


def test_what_always_holds_is_dropped_but_its_variables_stay() -> None:
    x, y, _ = xyz()
    model = from_cpmpy(cp.Model(x >= 0, y - y == 0, x + y <= 6, 2 * x + 2 * y != 3, True, [np.True_]))
    assert model.constraints == ()
    assert list(model.domains) == ["x", "y"]


def test_what_never_holds_is_a_table_without_tuples() -> None:
    x, y, _ = xyz()
    for expression in (2 * x + 2 * y == 3, x - x == 1, cp.AllDifferent(x, x), (x == 7) | (x == 8)):
        found = only(expression)
        assert isinstance(found, Table)
        assert found.tuples == ()
    assert from_cpmpy(cp.Model(x + y == 2, False)).constraints[1] == Table(("x",), (), "False")
    with pytest.raises(InfeasibleError):
        from_cpmpy(cp.Model(cp.BoolVal(False)))
    assert from_cpmpy(cp.Model()).variables == ()


def test_all_different() -> None:
    x, y, z = xyz()
    assert only(cp.AllDifferent(x, y, z)) == AllDifferent(("x", "y", "z"))
    assert only(cp.AllDifferent(x, y)) == NotEqual("x", "y")
    assert only(cp.AllDifferent([x, y + 1, z + 2])) == AllDifferent(("x", "y", "z"), (0, 1, 2))
    assert only(cp.AllDifferent([x, y - 1, 1 * z])) == AllDifferent(("x", "y", "z"), (1, 0, 1))
    assert only(cp.AllDifferent([2 - x, 3 - y, -z])) == AllDifferent(("x", "y", "z"), (1, 0, 3))
    assert only(cp.AllDifferent([x + 1, y + 1, z + 1])) == AllDifferent(("x", "y", "z"))
    assert only(cp.AllDifferent(x + 1, y + 2)) == NotEqual("x", "y", 1)
    assert str(only(cp.AllDifferent([x, -y, x + 1])).rule) == "alldifferent(x, -1*y, x + 1)"
    assert str(only(cp.AllDifferent(x, 2, y)).rule) == "alldifferent(x, 2, y)"
    wide = cp.intvar(0, 19, shape=4, name="w")
    assert str(only(cp.AllDifferent([wide[0] - wide[1], wide[2], wide[3]]))).startswith("alldifferent(w[0] + -1*w[1]")
    assert all(isinstance(c, Table) for c in from_cpmpy(cp.Model(cp.AllDifferent(x * y, z, x))).constraints[:1])


def test_clauses() -> None:
    x, y, z = xyz()
    a = cp.boolvar(name="a")
    assert only((x == 1) | (y != 2) | ~a) == Clause(
        (("x", frozenset({1})), ("y", frozenset({0, 1, 3})), ("a", frozenset({0})))
    )
    assert only(((x == 1) & (y >= 2)).implies(abs(z - 1) == 1)) == Clause(
        (("x", frozenset({0, 2, 3})), ("y", frozenset({0, 1})), ("z", frozenset({0, 2})))
    )
    assert only(a) == Clause((("a", frozenset({1})),))
    assert only(~((x == 1) & a)) == Clause((("x", frozenset({0, 2, 3})), ("a", frozenset({0}))))
    wide = cp.boolvar(shape=40, name="w")
    assert len(only(cp.any(wide)).literals) == 40
    assert from_cpmpy(cp.Model((x == 1) | (x != 1))).constraints == ()


def test_large_negations_and_implications_are_split() -> None:
    wide = cp.boolvar(shape=20, name="w")
    a = cp.boolvar(name="a")
    assert len(from_cpmpy(cp.Model(~cp.any(wide))).constraints) == 20
    assert len(from_cpmpy(cp.Model(a.implies(cp.all(wide)))).constraints) == 20
    assert only(~(cp.sum(wide) <= 5)) == Linear(tuple((-1, v.name) for v in wide), "<=", -6)


def test_fractional_weights_are_evaluated_where_the_scope_is_small() -> None:
    x, y, _ = xyz()
    half = cp.expressions.core.Operator("wsum", [[0.5, 1], [x, y]])
    assert brute_force(from_cpmpy(cp.Model(half <= 2))) == {
        (i, j) for i in range(4) for j in range(4) if i + 2 * j <= 4
    }
    with pytest.raises(UnsupportedError, match=r"weight 0\.5 is not a whole number"):
        from_cpmpy(cp.Model(x != y, minimize=half))


def test_evaluation_restores_the_values_of_a_users_solution() -> None:
    x, y, z = xyz()
    problem = cp.Model(x // y == z, abs(x - y) == 2)
    assert problem.solve(solver="ortools")
    before = [v.value() for v in (x, y, z)]
    from_cpmpy(problem)
    assert [v.value() for v in (x, y, z)] == before


def test_large_globals_are_decomposed_when_that_adds_no_variable() -> None:
    wide = cp.intvar(0, 9, shape=8, name="w")
    found = from_cpmpy(cp.Model(cp.IncreasingStrict(wide))).constraints
    assert found == tuple(Linear(((1, f"w[{k}]"), (-1, f"w[{k + 1}]")), "<=", -1) for k in range(7))
    bits = cp.boolvar(shape=16, name="b")
    assert only(cp.Count(bits, 1) == 4) == Linear(tuple((1, b.name) for b in bits), "==", 4)


def test_nothing_is_refused_for_width() -> None:
    wide = cp.intvar(0, 9, shape=8, name="w")
    for constraint in (cp.max(wide) == 3, cp.Circuit(wide), wide[0] * wide[1] * wide[2] == 6 * wide[3] + wide[4]):
        assert from_cpmpy(cp.Model(constraint)).constraints
    assert isinstance(only(wide[0] * wide[1] == 6), Table)
    product = from_cpmpy(cp.Model(wide[0] * wide[1] == 6), table_limit=10)
    assert [str(c) for c in product.constraints] == ["(w[0]) * (w[1]) + -6 == 0"]


def test_refusals_name_the_constraint_its_size_and_the_limit() -> None:
    wide = cp.intvar(0, 9, shape=8, name="w")
    with pytest.raises(UnsupportedError, match=r"'AddSquare\(.*10000 assignments, more than the limit of 4096"):
        from_cpmpy(cp.Model(cp.DirectConstraint("AddSquare", tuple(wide[:4]))))
    with pytest.raises(UnsupportedError, match="tighten its bounds"):
        from_cpmpy(cp.Model(cp.intvar(0, 10**9, name="huge") >= 3))


def test_what_cpmpy_cannot_evaluate_is_not_called_too_large() -> None:
    x, y = cp.intvar(0, 3, shape=2, name="x")
    with pytest.raises(UnsupportedError, match=r"'AddSquare\(.*' has no value that CPMpy can compute: write it"):
        from_cpmpy(cp.Model(cp.DirectConstraint("AddSquare", (x, y))))


def test_bad_input() -> None:
    x = cp.intvar(0, 3, name="x")
    with pytest.raises(InputError, match=r"cpmpy\.Model"):
        from_cpmpy([x == 1])  # type: ignore[arg-type]


def test_objective() -> None:
    x, y, _ = xyz()
    assert from_cpmpy(cp.Model(x != y, minimize=3 * x - y + 4)).objective == Objective(((3, "x"), (-1, "y")), 4, "min")
    alone = from_cpmpy(cp.Model(maximize=x))
    assert alone.objective == Objective(((1, "x"),), 0, "max")
    assert list(alone.domains) == ["x"]
    nonlinear = from_cpmpy(cp.Model(x != y, minimize=2 * x * y + cp.max([x, y]) - x + 5)).objective
    assert (nonlinear.terms, nonlinear.constant) == (((-1, "x"),), 5)
    assert [(weight, str(part)) for weight, part in nonlinear.parts] == [(2, "(x) * (y)"), (1, "max(x, y)")]
    assert nonlinear.value({"x": 2, "y": 3}) == 12 + 3 - 2 + 5


def test_a_condition_without_value_chooses_what_else() -> None:
    x = cp.intvar(-1, 1, shape=5, name="x")
    choice = cp.IfThenElse(x[0] // x[1] >= 1, x[2] == x[3], x[2] != x[4])
    for limit in (1, 4096):
        found = from_cpmpy(cp.Model(choice), table_limit=limit)
        undefined = {"x[0]": 1, "x[1]": 0, "x[2]": 0, "x[3]": 1}
        assert found.check({**undefined, "x[4]": 1})
        assert not found.check({**undefined, "x[4]": 0})


def test_a_divisor_that_is_always_zero_is_no_crash() -> None:
    y, zero = cp.intvar(0, 2, name="y"), cp.intvar(0, 0, name="zero")
    late = cp.Cumulative([y // zero, y], [1, 2], None, [1, 1], 1) | (y == 2)
    assert brute_force(from_cpmpy(cp.Model(late, zero == 0))) in ({(0, 2)}, {(2, 0)})


@pytest.mark.parametrize(
    ("constraint", "found"),
    [
        (lambda x: cp.InDomain(1, [3]) | (x == 1), {1}),
        (lambda x: cp.InDomain(3, [3]), {0, 1, 2}),
        (lambda x: NotInDomain(x + cp.intvar(0, 2, name="y"), range(5)), set()),
    ],
)
def test_constants_that_cpmpy_cannot_evaluate(constraint, found) -> None:
    x = cp.intvar(0, 2, name="x")
    model = from_cpmpy(cp.Model(constraint(x)), declared=[x])
    assert brute_force(model) == {(value,) for value in found}


def test_a_variable_of_numbers_that_are_too_large_is_named() -> None:
    x = cp.intvar(10**20, 10**20, name="x")
    with pytest.raises(InputError, match=r"variable x takes values of 21 digits: at most 2\^62 is computed with"):
        from_cpmpy(cp.Model(x // 4 == 2))


@st.composite
def expressions(draw: st.DrawFn, with_division: bool = True) -> cp.Model:
    bounds = [draw(st.sampled_from(BOUNDS)) for _ in range(3)]
    numbers = [cp.intvar(low, high, name=f"n{k}") for k, (low, high) in enumerate(bounds)]
    numbers.append(cp.boolvar(name="b"))
    integer = st.recursive(
        st.sampled_from(numbers),
        lambda inner: st.one_of(
            st.builds(lambda a, b: a + b, inner, inner),
            st.builds(lambda a, b: a - b, inner, inner),
            st.builds(lambda a, c: c * a, inner, st.integers(-2, 3)),
            st.builds(lambda a, b: cp.max([a, b]), inner, inner),
            st.builds(lambda a, b: a // b if with_division else abs(a * b), inner, inner),
        ),
        max_leaves=4,
    )
    compared = st.builds(
        lambda a, op, b: cp.expressions.core.Comparison(op, a, b),
        integer,
        st.sampled_from(("==", "!=", "<", "<=", ">", ">=")),
        st.one_of(integer, st.integers(-2, 5)),
    )
    boolean = st.recursive(
        compared,
        lambda inner: st.one_of(
            st.builds(lambda a, b: a | b, inner, inner),
            st.builds(lambda a, b: a & b, inner, inner),
            st.builds(lambda a, b: a.implies(b), inner, inner),
            st.builds(lambda a: ~a, inner),
        ),
        max_leaves=3,
    )
    return cp.Model(draw(st.lists(boolean, min_size=1, max_size=3)))


@pytest.mark.more_examples(120)
@settings(deadline=None, derandomize=True, max_examples=20)
@given(expressions())
def test_random_expressions_keep_their_meaning(problem: cp.Model) -> None:
    assert find_difference(cp.all(problem.constraints), Truth()) == ""


def test_a_domain_is_limited_in_its_number_of_values_wherever_it_lies() -> None:
    far = cp.intvar(70_000, 70_002, name="far")
    assert from_cpmpy(cp.Model(far >= 70_001)).domains == {"far": (70_000, 70_001, 70_002)}
    widest = cp.intvar(1 - 2**16 // 2, 2**16 // 2, name="widest")
    assert len(from_cpmpy(cp.Model(widest >= 0)).domains["widest"]) == 2**16 == 65_536
    wider = cp.intvar(-(2**16) // 2, 2**16 // 2, name="wider")
    with pytest.raises(UnsupportedError, match=f"variable wider has {2**16 + 1} values: tighten its bounds"):
        from_cpmpy(cp.Model(wider >= 0))


def test_an_automaton_with_two_ways_on_is_refused():
    x = cp.intvar(0, 1, shape=2, name="x")
    ways = [("q0", 0, "a"), ("q0", 0, "b"), ("a", 0, "f"), ("b", 1, "f")]
    with pytest.raises(InputError, match="make the automaton deterministic"):
        from_cpmpy(cp.Model(cp.Regular(x, ways, "q0", ["f"]), x[1] == 0))

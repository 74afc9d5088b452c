"""The lowest states of a Qubo are the model's solutions: over all states, and inside every encoding's codewords."""

from dataclasses import replace

import numpy as np
import pytest
from every_state import every_state
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import models, solve_by_trying

from gatesolve import load
from gatesolve.encodings import make_spaces
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.formats import from_cpmpy
from gatesolve.model import Clause, Linear, Model, Objective, Table, Variable
from gatesolve.qubo import formulate_model, qubo_space

KINDS = ("one-hot", "binary", "domain-wall", "table", None)
WIDEST = 12


def key(assignment):
    return tuple(sorted(assignment.items()))


def best_of(model):
    """All solutions, or all best ones, by trying every assignment."""
    found = solve_by_trying(model)
    if model.objective is None or not found:
        return {key(row) for row in found}
    pick = min if model.objective.sense == "min" else max
    goal = pick(model.objective.value(row) for row in found)
    return {key(row) for row in found if model.objective.value(row) == goal}


def lowest(made):
    """What the states of least energy decode to without auxiliary variables, None for no codeword; and that energy."""
    energies = made.qubo.energies(every_state(made.qubo.num_variables))
    rows = [made.qubo.space.decode(int(state)) for state in np.flatnonzero(energies <= energies.min() + 1e-9)]
    left_out = {*made.auxiliary}
    found = {None if row is None else key({n: v for n, v in row.items() if n not in left_out}) for row in rows}
    return found, energies.min()


def spaces_of(model, kind):
    return [qubo_space(model)] if kind is None else make_spaces(model, kind)


def check_everywhere(model, space, **options):
    """Over all states: the lowest decode to exactly the best solutions."""
    made = formulate_model(model, space, **options)
    (found, energy), best = lowest(made), best_of(model)
    if best:
        assert found == best
        offset = 0 if model.objective is None else made.sign * model.objective.value(dict(next(iter(best))))
        assert energy == made.ground + offset
    elif model.objective is None:
        assert energy > made.ground
    return made


def check_inside(model, space, **options):
    """On codewords: solutions are at ground plus objective, all others above the best."""
    made = formulate_model(model, space, codewords_only=True, **options)
    numbers = np.arange(space.size)
    energies = made.qubo.energies(space.bits(numbers))
    columns = space.values(numbers)
    holds = np.broadcast_to(model.holds(columns), energies.shape) if columns else np.array([model.check({})])
    value = np.zeros(space.size)
    if model.objective is not None:
        value = value + model.objective.term.values(columns)[0]
    assert np.array_equal(energies[holds], (float(made.ground) + made.sign * value)[holds])
    if holds.any() and not holds.all():
        assert energies[~holds].min() > energies[holds].min()
    if not holds.any() and model.objective is None:
        assert energies.min() > made.ground
    return made


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(model=st.booleans().flatmap(lambda b: models(3, 3, with_objective=b)))
def test_lowest_of_all_states_are_the_best_solutions(kind, model):
    for space in spaces_of(model, kind):
        if space.num_qubits <= WIDEST:
            check_everywhere(model, space)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(model=st.booleans().flatmap(lambda b: models(4, 4, with_objective=b)))
def test_inside_every_space(kind, model):
    for space in spaces_of(model, kind):
        assume(space.size <= 1 << 12)
        check_inside(model, space)


def zero_one(*names):
    return tuple(Variable(name, (0, 1)) for name in names)


def total(names, relation, bound):
    return Linear(tuple((1, n) for n in names), relation, bound)


def test_weights_of_the_user():
    goal = Objective(((3, "a"), (2, "b"), (2, "c")), 0, "max")
    model = Model(zero_one("a", "b", "c"), (total("ab", "<=", 1), total("bc", "==", 1)), goal)
    weights = {part.label: part.weight for part in formulate_model(model, penalties={"a + b": 7}).parts}
    assert weights == {"a + b <= 1": 7, "b + c == 1": 8}
    given = formulate_model(model, penalties={"b + c": 2.5})
    assert {part.label: part.weight for part in given.parts} == {"a + b <= 1": 8, "b + c == 1": 2.5}
    assert not given.proved
    assert formulate_model(model).proved
    assert formulate_model(model, penalties=9).proved
    with pytest.raises(InputError, match="given for 'a \\* b'"):
        formulate_model(model, penalties={"a * b": 3})
    for bad in (0, -1, float("nan"), float("inf"), {"a": -2}):
        with pytest.raises(InputError, match="give a positive number"):
            formulate_model(model, penalties=bad)


def test_names_and_meanings():
    model = Model((Variable("x", (1, 2, 3)), Variable("y", (7, 9)), Variable("z", (5,)), Variable("x_2", (0, 1))))
    qubo = formulate_model(model).qubo
    assert qubo.names == ("x_1", "x_2", "x_3", "y", "x_2#2")
    assert qubo.meanings == ("x = 1", "x = 2", "x = 3", "y = 9", "x_2 = 1")
    assert formulate_model(model, make_spaces(model, "domain-wall")[0]).qubo.meanings[:2] == ("x >= 2", "x = 3")
    assert formulate_model(model, make_spaces(model, "binary")[0]).qubo.meanings[:2] == ("x = 2", "x = 3")
    wide = Model((Variable("w", tuple(range(8))),))
    qubo = formulate_model(wide, make_spaces(wide, "binary")[0]).qubo
    assert qubo.names == ("w.0", "w.1", "w_ge_4")
    assert qubo.meanings == ("w in {1, 3, 5, 7}", "w in {2, 3, 6, 7}", "w >= 4")


def test_what_blocks_enforce_is_not_penalised():
    model = from_cpmpy(load("examples/kakuro/contest.txt").to_cpmpy())
    one_hot, table = make_spaces(model, "one-hot")[0], make_spaces(model, "table")[0]
    assert len(formulate_model(model, one_hot).parts) == 19
    assert len(formulate_model(model, one_hot, codewords_only=True).parts) == 12
    assert len(formulate_model(model, table, codewords_only=True).parts) < 12
    check_inside(model, table)
    check_inside(model, one_hot)


def test_a_clause_leans_on_what_others_allow():
    names = ("a", "b", "c", "d")
    clause = Clause(tuple((n, frozenset({1})) for n in names))
    model = Model(zero_one(*names), (clause, total("ab", "<=", 1), total("cd", "<=", 1)))
    made = check_everywhere(model, qubo_space(model))
    assert [part.penalty.form for part in made.parts] == ["half-integer centre", "pairs", "pairs"]
    assert made.qubo.is_quadratic
    alone = check_everywhere(replace(model, constraints=(clause,)), qubo_space(model))
    assert alone.qubo.degree == 4


def test_a_constraint_with_no_closed_form():
    names = [f"x{k}" for k in range(18)]
    model = Model(zero_one(*names), (Linear(tuple((1 << k, n) for k, n in enumerate(names)), "!=", 77),))
    with pytest.raises(DoesNotFitError, match=r"constraint 'x0 \+ 2\*x1 .*too many cases"):
        formulate_model(model)


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize(
    "constraint", [total("", "==", 1), Table(("a",), ()), total("ab", "==", 9), Clause((("a", frozenset({4})),))]
)
def test_what_can_never_hold_is_above_ground(constraint, inside):
    made = formulate_model(Model(zero_one("a", "b"), (constraint,)), codewords_only=inside)
    assert made.qubo.energies(every_state(2)).min() > made.ground


def test_a_space_of_another_model():
    with pytest.raises(InputError, match="the space has no variable b"):
        formulate_model(Model(zero_one("a", "b")), qubo_space(Model(zero_one("a"))))

"""Random models in every encoding: the oracle marks exactly the codewords where the model holds."""

from itertools import product

import pytest
from conformance.spaces import ENCODINGS, marks, reference_marks, space_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.circuit import And, Parity, PhaseFlip
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.model import AllDifferent, Clause, Linear, Model, NotEqual, Table, Variable
from gatesolve.oracle import Condition, Flag, assemble, choose_projections, synthesise
from gatesolve.oracle.algebraic import find_conjunction
from gatesolve.oracle.assemble import _finish
from gatesolve.oracle.parts import gather_parts
from gatesolve.oracle.schedules import CHEAP, FactorUnits, keep_flags, reduce_groups, reduce_units
from gatesolve.oracle.synthesise import join_conditions, table_diagram
from gatesolve.oracle.window import tabulate_views

MOST_CODEWORDS = 700


def conditions_of(model, space):
    return [synthesise(c, space) for c in model.constraints]


def assert_marks(conditions, space, wanted, ancillas=None):
    oracle = assemble(conditions, space.num_qubits, ancillas)
    assert ancillas is None or oracle.num_ancillas <= ancillas
    assert marks(oracle, space) == wanted
    return oracle


def assert_every_budget(conditions, space, wanted):
    """From as many ancillas as it likes down to none; what does not fit names a least budget that does."""
    widest = assert_marks(conditions, space, wanted)
    ancillas = widest.num_ancillas
    while ancillas > 0:
        ancillas -= 1
        try:
            assert_marks(conditions, space, wanted, ancillas)
        except AncillaBudgetError as error:
            least = error.least
            assert least > ancillas
            assert assert_marks(conditions, space, wanted, least).num_ancillas == least
            return


@pytest.mark.more_examples(40)
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_any_model_at_every_budget(encoding, data):
    model = data.draw(models())
    space = space_of(model, encoding)
    assume(space.size <= MOST_CODEWORDS and space.num_qubits <= 24)
    assert_every_budget(conditions_of(model, space), space, reference_marks(model, space))


@pytest.mark.quick("one-hot")
@pytest.mark.parametrize("encoding", ["one-hot", "binary"])
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_every_schedule(encoding, data):
    """Also those that no budget happens to choose."""
    model = data.draw(models(max_variables=3, max_constraints=6))
    space = space_of(model, encoding)
    assume(space.size <= MOST_CODEWORDS)
    conditions = [c for c in conditions_of(model, space) if c.flags or c.factors]
    wanted = reference_marks(model, space)
    parts = gather_parts(conditions, space.num_qubits)
    budget, size = data.draw(st.integers(0, 12)), data.draw(st.integers(1, 4))
    factors = [factor for group in parts.factors for factor in group]
    chunks = tuple(tuple(factors[k : k + size]) for k in range(0, len(factors), size))
    for built in [
        keep_flags(parts, budget, False),
        *(
            reduce_units(FactorUnits(parts, units, alone), number, cheap=cheap)
            for units in (parts.factors, chunks)
            for number in range(len(units) + 1)
            for cheap, alone in product(CHEAP, (False, True))
        ),
        *(reduce_groups(parts, size) for size in range(2, len(conditions))),
    ]:
        assert marks(_finish(built, conditions, budget), space) == wanted


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_each_method_on_its_own(encoding, data):
    model = data.draw(models(max_variables=3, max_constraints=1))
    space = space_of(model, encoding)
    assume(model.constraints and space.size <= MOST_CODEWORDS)
    constraint, wanted = model.constraints[0], reference_marks(model, space)
    views = choose_projections(constraint, space)
    table = tabulate_views(constraint, views)
    assert_marks([table_diagram(table, views)], space, wanted)
    algebraic = find_conjunction(table)
    if algebraic is None:
        # Nothing good, or no form of up to two products: never for a constraint that always holds.
        assert table.bad
    else:
        assert_marks([algebraic.over([wire for view in views for wire in view.wires])], space, wanted)


X = Variable("x", (0, 1, 2))
Y = Variable("y", (-1, 1, 2))
ONE = Variable("one", (1,))
NEVER = [
    Linear(((1, "x"), (1, "y")), "==", 9),
    Linear(((2, "one"),), "!=", 2),
    Linear((), "==", 1),
    NotEqual("one", "also one"),
    AllDifferent(("one", "x", "also one")),
    Table(("x", "y"), ()),
    Table(("x", "y"), ((0, 5), (7, 1))),
    Clause((("x", frozenset({8})),)),
    Clause(()),
]
ALWAYS = [
    Linear(((1, "x"), (1, "y")), "<=", 4),
    Linear(((2, "one"),), "==", 2),
    Linear((), "<=", 0),
    NotEqual("x", "y", 7),
    AllDifferent(("one",)),
    AllDifferent(("x",)),
    Table(("one",), ((1,), (4,))),
    Clause((("x", frozenset({0})), ("y", frozenset({0})), ("x", frozenset({1, 2})))),
]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("constraint", NEVER, ids=str)
def test_an_infeasible_constraint_marks_nothing(constraint, encoding):
    model = Model((X, ONE, Y, Variable("also one", (1,))), (constraint,))
    space = space_of(model, encoding)
    assert reference_marks(model, space) == [False] * space.size
    assert_every_budget(conditions_of(model, space), space, [False] * space.size)
    # Beside one that can hold, too.
    both = [*conditions_of(model, space), synthesise(Linear(((1, "x"),), "<=", 1), space)]
    assert_every_budget(both, space, [False] * space.size)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("constraint", ALWAYS, ids=str)
def test_a_constraint_that_always_holds_costs_nothing(constraint, encoding):
    model = Model((X, ONE, Y), (constraint,))
    space = space_of(model, encoding)
    assert all(reference_marks(model, space))
    condition = synthesise(constraint, space)
    assert (condition.flags, condition.factors, condition.cost) == ((), (), 0)
    assert assert_marks([condition], space, [True] * space.size, 0).ops == (PhaseFlip(()),)


def test_no_condition_at_all_is_a_global_phase():
    space = space_of(Model((X, Y)), "one-hot")
    oracle = assert_marks([], space, [True] * space.size, 0)
    assert oracle.ops == (PhaseFlip(()),)
    assert oracle.num_ancillas == 0


def test_a_constraint_its_block_enforces_costs_nothing():
    rows = Table(("x", "y"), ((0, -1), (1, 2), (2, 2)))
    model = Model((X, Y), (rows,))
    space = space_of(model, "table")
    assert space.blocks[0].kind == "table"
    assert synthesise(rows, space).cost == 0


FLAGGED = Condition((Flag(((Parity((0,)), Parity((1,))),)), Flag(((Parity((-1,)), Parity((2,))),))), (Parity((-2,)),))


def test_joined_conditions_keep_their_flags_apart():
    whole = join_conditions([FLAGGED, FLAGGED.over([Parity((w,)) for w in (3, 4, 5)])])
    assert whole.flags[2:] == (Flag(((Parity((3,)), Parity((4,))),)), Flag(((Parity.of((-3,)), Parity((5,))),)))
    assert whole.factors == (Parity((-2,)), Parity((-4,)))
    assert whole.num_ands == 2 * FLAGGED.num_ands + 1
    space = space_of(Model(tuple(Variable(n, (0, 1)) for n in "abcdef")), "binary")
    assert_every_budget([whole], space, [n == 63 for n in range(64)])


def test_what_does_not_fit_says_what_would():
    variables = tuple(Variable(n, (0, 1, 2)) for n in "abcd")
    model = Model(variables, tuple(NotEqual(p, q) for p, q in ("ab", "bc", "cd", "ac")))
    space = space_of(model, "binary")
    with pytest.raises(DoesNotFitError, match=r"needs at least \d+ ancillas?, 0 are allowed: use ancillas=\d+"):
        assemble(conditions_of(model, space), space.num_qubits, 0)


def test_a_parity_that_follows_from_others_is_needed_once():
    a, b, both = Parity((0,)), Parity((1, 2)), Parity((0, 1, 2), True)
    parts = Condition((), (both, b)), Condition((), (a, Parity((1, 2, 3))))

    def joined(conditions, **how):
        (phase,) = (op for op in assemble(conditions, 4, **how).ops if isinstance(op, PhaseFlip))
        return set(phase.factors)

    least = {a, b, Parity((3,), True)}
    assert joined(parts) == least, "and each has as few wires as another takes off it"
    whole = Condition((), (*parts[0].factors, *parts[1].factors))
    assert joined([whole], alone=True) == least, "within one constraint"


def test_constraints_that_are_alone_are_not_reduced_by_each_other():
    """Three equations that two of them imply: to leave one out is to solve a part of the system."""
    first, second, sum_of_both = Parity((0, 1)), Parity((1, 2)), Parity((0, 2), True)
    parts = [Condition((), (factor,)) for factor in (first, second, sum_of_both)]
    oracle = assemble(parts, 3, alone=True)
    (phase,) = (op for op in oracle.ops if isinstance(op, PhaseFlip))
    joined = [op for op in oracle.ops if isinstance(op, And)]
    assert len(phase.factors) + len(joined) // 2 == 3

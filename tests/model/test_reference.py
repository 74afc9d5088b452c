"""The reference solver agrees with enumeration."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models, solve_by_trying
from tree_strategies import trees

from gatesolve.model import (
    AllDifferent,
    AllOf,
    Apply,
    Clause,
    Compare,
    Distinct,
    Linear,
    Lookup,
    Model,
    NoDigit,
    OddOf,
    Sum,
    Table,
    Truth,
    Value,
    Variable,
    Within,
    find_optimum,
    find_solutions,
    to_cpmpy,
)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(models())
def test_solutions_are_those_of_enumeration_in_order(model: Model) -> None:
    assert find_solutions(model) == solve_by_trying(model)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(models(with_objective=True))
def test_optimum_is_the_best_solution(model: Model) -> None:
    assert model.objective is not None
    values = [model.objective.value(s) for s in solve_by_trying(model)]
    best = find_optimum(model)
    if not values:
        assert best is None
    else:
        assert best is not None
        assert model.check(best[0])
        assert best[1] == model.objective.value(best[0]) == (min if model.objective.sense == "min" else max)(values)


ALWAYS = Clause((("a", frozenset({0, 1})),))
FIXED = {
    "none differ": AllDifferent(()),
    "one differs": AllDifferent(("a",)),
    "no terms": Distinct(()),
    "one term": Distinct((Value("a"),)),
    "no literal": Clause(()),
    "no part": AllOf(()),
    "odd of fixed ones": OddOf((AllOf(()), Within(Value("a"), frozenset()))),
    "not fixed by its form": ALWAYS,
    "not fixed": Linear(((1, "a"),), "==", 1),
}
READERS = {
    "lookup": lambda truth: Compare(Lookup((truth,), (((0,), 1), ((1,), 0))), "=="),
    "lookup without a row": lambda truth: Compare(Lookup((truth, Value("b")), (((1, 0), 1),)), "=="),
    "sum": lambda truth: Compare(Sum(((3, truth), (-1, Value("b"))), -3), "!="),
    "sum of nothing else": lambda truth: Compare(Sum(((3, truth),), -3), "<="),
    "comparison": lambda truth: Compare(truth, "=="),
    "digit": lambda truth: NoDigit(truth, 0, 0),
    "values": lambda truth: Within(truth, frozenset({1, 7})),
    "product": lambda truth: Compare(Apply("mul", (truth, Value("b"))), "=="),
    "different": lambda truth: Distinct((truth, Value("b"))),
    "odd": lambda truth: OddOf((truth.constraint, Clause((("b", frozenset({1})),)))),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("fixed", FIXED)
def test_the_solver_takes_fixed_truth_values(fixed, reader) -> None:
    one = READERS[reader](Truth(FIXED[fixed]))
    model = Model((Variable("a", (0, 1)), Variable("b", (0, 1, 2))), (one,))
    assert find_solutions(model) == solve_by_trying(model)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.data())
def test_the_solver_takes_every_tree(data) -> None:
    variables = Variable("a", (0, 1, 2)), Variable("b", (-1, 0, 1))
    model = Model(variables, (data.draw(trees(variables, 3)),))
    assert find_solutions(model) == solve_by_trying(model)


def test_free_variables_and_no_variables() -> None:
    free = Model((Variable("a", (0, 1)), Variable("BV0", (-2, 5))))
    assert len(find_solutions(free)) == 4
    assert find_solutions(Model(())) == [{}]
    assert find_solutions(Model((Variable("a", (3,)),), (Table(("a",), ()),))) == []


@pytest.mark.parametrize("seed", range(12))
def test_no_solution_of_a_chosen_value_beside_a_table_is_lost(seed: int) -> None:
    # OR-Tools' presolve loses some where the choice is written as an OR of equations.
    draw = random.Random(seed)
    variables = tuple(Variable(name, tuple(range(draw.randint(3, 9)))) for name in "xyz")
    rows = tuple(row for row in itertools.product(*(v.domain for v in variables)) if draw.random() < 0.7)
    chosen = frozenset(v for v in variables[0].domain[1:] if draw.random() < 0.6) | {0}
    model = Model(variables, (Clause((("x", chosen),)), Table(("x", "y", "z"), rows)))
    assert find_solutions(model) == solve_by_trying(model)
    assert to_cpmpy(model)[0].solveAll(solver="ortools") == len(solve_by_trying(model))


def test_limit() -> None:
    free = Model((Variable("a", (0, 1, 2)), Variable("b", (0, 1, 2))))
    assert len(find_solutions(free, limit=4)) == 4
    assert find_solutions(free, limit=0) == []


def test_importing_the_model_does_not_import_cpmpy() -> None:
    code = "import sys, gatesolve.model, gatesolve.model.presolve; sys.exit('cpmpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


CTRL_C = """
import os, signal, threading
from gatesolve.model import Linear, Model, Variable, find_solutions
variables = tuple(Variable(f"v{k}", tuple(range(5))) for k in range(9))
model = Model(variables, (Linear(tuple((-1, v.name) for v in variables), "<=", -3),))
for _ in range(2):
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        print(len(find_solutions(model)))
    except KeyboardInterrupt:
        print("ended")
"""


@pytest.mark.sampled(0.5)
def test_ctrl_c_ends_a_long_listing_and_is_caught_again_after_it():
    """OR-Tools would return as if it had finished, and leave the next Ctrl-C to end Python."""
    run = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "ended\nended\n", "")

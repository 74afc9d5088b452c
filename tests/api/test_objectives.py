"""The objective as the user put it, whatever the pipeline, and annealing that listed every state."""

import json
from fractions import Fraction

import cpmpy as cp
import pytest

import gatesolve
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Model, NotEqual, Objective, Variable

PIPELINES = ["grover", "gas", "qaoa", "anneal"]
CHEAP = {"qaoa": {"layers": 1, "evaluations": 10}}
LP = """{sense}
 obj: {objective}
Subject To
 c1: x + y <= 3
 c2: x + y >= 2
Bounds
 0 <= x <= 2
 0 <= y <= 3
General
 x y
End
"""


def solved(tmp_path, pipeline, sense, objective):
    path = tmp_path / "it.lp"
    path.write_text(LP.format(sense=sense, objective=objective))
    return gatesolve.solve(path, pipeline=pipeline, **CHEAP.get(pipeline, {}))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize(
    ("sense", "objective", "best"),
    [
        ("Maximize", "1.25 x + 0.5 y", 3),
        ("Minimize", "1.25 x + 0.5 y + 0.25", "1.25"),
        ("Minimize", "5", 5),
        ("Maximize", "2.5", "2.5"),
        ("Minimize", "x - x - 0.125", "-0.125"),
    ],
)
def test_an_lp_objective_is_told_as_it_was_written(tmp_path, pipeline, sense, objective, best):
    result = solved(tmp_path, pipeline, sense, objective)
    assert result.energy == Fraction(best)
    assert result.message.startswith(f"objective {best}: nothing better exists")
    assert json.loads(json.dumps(result.as_dict()))["energy"] == float(best)


@pytest.mark.quick(1)
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_a_cpmpy_objective_of_very_different_sizes(pipeline):
    x = cp.boolvar(shape=2, name="x")
    model = cp.Model(cp.sum(x) >= 1, minimize=10**9 * cp.sum(x) + x[0])
    choices = {**CHEAP.get(pipeline, {}), "presolve": "none"}
    result = gatesolve.solve(model, pipeline=pipeline, **choices)
    assert result.energy == 10**9
    assert result.message.startswith("objective 1000000000: nothing better exists")


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_a_constant_cpmpy_objective(pipeline, sense):
    x = cp.intvar(0, 2, name="x")
    result = gatesolve.solve(cp.Model(x >= 1, **{sense: x - x + 7}), pipeline=pipeline, **CHEAP.get(pipeline, {}))
    assert (result.status, result.energy) == ("solved", 7)


PIGEONS = tuple(NotEqual(f"x{i}", f"x{j}") for i in range(3) for j in range(i))
BITS = tuple(Variable(f"x{k}", (0, 1)) for k in range(3))


@pytest.mark.parametrize("objective", [None, Objective(((3, "x0"),), 0, "min"), Objective((), 4, "max")])
def test_annealing_that_listed_every_state_knows_that_there_is_no_solution(objective):
    found = gatesolve.solve(Model(BITS, PIGEONS, objective), pipeline="anneal", presolve="none")
    assert found.status == "infeasible"
    assert found.message.endswith("every one of 8 was listed")


def test_states_that_were_not_shown_prove_nothing():
    # A weight of the user's own says nothing of the energy of solutions, so every state is shown.
    choices = {"pipeline": "anneal", "presolve": "none", "penalty": 0.5}
    assert gatesolve.solve(Model(BITS, PIGEONS), **choices).status == "infeasible"
    cut = gatesolve.solve(Model(BITS, PIGEONS), reads=3, **choices)
    assert (cut.status, cut.details.exhausted) == ("unsolved", False)
    assert cut.message.endswith("raise reads")


@pytest.mark.parametrize("pipeline", ["grover", "gas", "qaoa"])
def test_an_objective_beyond_machine_words_is_refused_with_what_works(pipeline):
    model = Model(BITS, (), Objective(((10**40, "x0"), (-1, "x1"), (3, "x2")), 0, "min"))
    with pytest.raises(DoesNotFitError, match="use pipeline='anneal'"):
        gatesolve.solve(model, pipeline=pipeline)
    assert gatesolve.solve(model, pipeline="anneal").energy == -1


def test_a_compiled_circuit_says_that_the_objective_is_left_out():
    model = "a, b in 0..3; a + b <= 5; maximize 3*a + 2*b"
    made = gatesolve.compile(model, presolve="none")
    said = "the objective is left out, so every solution is marked: solve() finds the best one; pipeline='gas' "
    assert [note for note in made.notes if note.startswith(said)]
    assert ", objective left out, " in repr(made)
    assert said.split(":")[0] in made._repr_html_()
    for other in (gatesolve.compile(model, pipeline="gas"), gatesolve.compile("a, b in 0..3; a + b <= 5")):
        assert "left out" not in f"{other!r} {other.notes}"

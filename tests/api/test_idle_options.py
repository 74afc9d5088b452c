"""An option of the pipeline chosen that would have no effect is refused, and taken wherever it has one."""

from pathlib import Path

import pytest

import gatesolve
from gatesolve import InputError, Model, Qubo, Variable, formulate
from gatesolve.model import Linear, NotEqual, Objective

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = EXAMPLES / "kakuro" / "small.txt"
BITS = (Variable("a", (0, 1)), Variable("b", (0, 1)))
BARE = Model(BITS, (NotEqual("a", "b"),))
FREE = Model(BITS, (), Objective(((1, "a"),), 0, "max"))
BEST = Model(BITS, (Linear(((1, "a"), (1, "b")), "<=", 1),), Objective(((5, "a"), (3, "b")), 0, "max"))
QUBO = Qubo(("x", "y"), {(0,): 1, (0, 1): -2})
ITSELF = "solve chooses the iterations of pipeline='gas' itself"
PRINTED = "a published formula is as it is printed"
LISTS = "sampler='exact' lists every state"
COUNTED = "constraints are only counted, unless energy_from='penalties' weighs them"
TAKEN = "a Qubo is taken as it is"
NONE = "there is no constraint to weigh"
DRAWN = "schedule='unknown' chooses iterations and measures each run once"
PRINT = {"pipeline": "anneal", "formulation": "published"}
LIST = {"pipeline": "anneal", "sampler": "exact"}

IDLE = [
    (BARE, {"pipeline": "gas"}, {"iterations": 0}, ITSELF),
    (QUBO, {}, {"iterations": 7}, ITSELF),
    (BARE, {"schedule": "unknown"}, {"iterations": 3}, DRAWN),
    (BARE, {"schedule": "unknown"}, {"shots": 3}, DRAWN),
    (SMALL, PRINT, {"encoding": "binary"}, PRINTED),
    (SMALL, PRINT, {"penalty": 3.0}, PRINTED),
    (BARE, LIST, {"sweeps": 3}, LISTS),
    (BEST, LIST, {"reads": 3}, LISTS),
    (QUBO, {"pipeline": "anneal"}, {"encoding": "binary"}, TAKEN),
    (QUBO, {"pipeline": "anneal"}, {"penalty": 3.0}, TAKEN),
    *((BARE, {"pipeline": name}, {"penalty": 3.0}, COUNTED) for name in ("gas", "qaoa")),
    *((FREE, {"pipeline": name, "energy_from": "penalties"}, {"penalty": 3.0}, NONE) for name in ("gas", "qaoa")),
    *((QUBO, {"pipeline": name}, {"penalty": 3.0}, NONE) for name in ("gas", "qaoa")),
    *((QUBO, {"pipeline": name}, {"energy_from": "penalties"}, TAKEN) for name in ("gas", "qaoa")),
]


@pytest.mark.parametrize(("problem", "chosen", "idle", "why"), IDLE, ids=str)
def test_what_would_have_no_effect_is_refused(problem, chosen, idle, why):
    with pytest.raises(InputError) as caught:
        gatesolve.solve(problem, **chosen, **idle)
    assert str(caught.value) == f"{why}: leave out {next(iter(idle))}"
    assert gatesolve.solve(problem, **chosen).status == "solved"


def test_a_published_formula_is_refused_in_the_words_of_formulate():
    for call, chosen in ((formulate, {}), (gatesolve.solve, {"pipeline": "anneal"})):
        with pytest.raises(InputError, match=f"^{PRINTED}: leave out encoding$"):
            call(SMALL, formulation="published", encoding="binary", **chosen)


def test_iterations_are_those_of_the_circuit_that_gas_compiles():
    for number in (2, 3):
        assert gatesolve.compile(BARE, pipeline="gas", presolve="none", iterations=number).program.iterations == number


@pytest.mark.parametrize("pipeline", ["gas", "qaoa"])
@pytest.mark.parametrize(("problem", "cost"), [(BEST, "violations"), (BEST, "penalties"), (BARE, "penalties")])
def test_a_penalty_weighs_constraints_beside_an_objective_or_in_a_qubo(problem, cost, pipeline):
    chosen = {"pipeline": pipeline, "energy_from": cost, "presolve": "none", "encoding": "binary"}
    chosen |= {"layers": 1, "angles": "ramp"} if pipeline == "qaoa" else {}
    made = [gatesolve.compile(problem, penalty=penalty, **chosen).details for penalty in (6, 60)]
    costs = [(found if pipeline == "gas" else found.ranked).cost for found in made]
    assert costs[0] != costs[1]


@pytest.mark.parametrize(("name", "value"), [("backend", "aer"), ("shots", 3), ("schedule", "known")])
def test_a_sweep_refuses_what_only_a_run_depends_on(name, value):
    with pytest.raises(InputError, match=f"^a sweep compiles circuits and runs none: leave out {name}$"):
        gatesolve.pareto(BARE, **{name: value})


def test_reads_say_how_many_listed_states_are_shown_to_the_rules():
    pigeons = Model((*BITS, Variable("c", (0, 1))), (NotEqual("a", "b"), NotEqual("b", "c"), NotEqual("a", "c")))
    chosen = {**LIST, "presolve": "none", "penalty": 0.5}
    assert gatesolve.solve(pigeons, **chosen).details.refused == 8
    assert gatesolve.solve(pigeons, reads=3, **chosen).details.refused == 3

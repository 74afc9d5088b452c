"""Grover Adaptive Search of whole problems: counts, exactness on Aer, answers, confidence, resumption."""

import json
from fractions import Fraction

import numpy as np
import pytest
from aer_state import amplitudes_on_aer, equal_up_to_a_phase
from contest_kakuro import K4, K7

import gatesolve
from gatesolve.api import Options, as_problem, plan_problem, settle_options
from gatesolve.errors import AncillaBudgetError, InputError
from gatesolve.model import Linear, Model, NotEqual, Objective, Variable
from gatesolve.pipelines.gas.pipeline import prepare_search
from gatesolve.planning import Clock
from gatesolve.qubo import Qubo
from gatesolve.simulate import list_marked, run_grover

AS_DECLARED = {"pipeline": "gas", "encoding": "one-hot", "presolve": "none"}


def adaptive(problem, **choices):
    problem = as_problem(problem)
    options = settle_options(Options(pipeline="gas", **choices), problem)
    return prepare_search(problem, plan_problem(problem, options, Clock()), options, Clock())


@pytest.mark.sampled(0.3)
def test_the_four_cell_kakuro_costs_what_was_promised():
    compiled = gatesolve.compile(K4, iterations=8, **AS_DECLARED)
    program = compiled.program
    assert program.resources("iteration").cx <= 140
    assert program.resources().cx <= 1_200
    assert compiled.certificate.checked == compiled.certificate.of == 256
    chance = run_grover(list_marked(compiled.marks), 8).success_probability
    assert chance >= 0.99
    found = amplitudes_on_aer(program)
    assert abs(np.vdot(found, found) - 1) < 1e-9
    assert equal_up_to_a_phase(found, run_grover(list_marked(compiled.marks), 8).amplitudes())


@pytest.mark.sampled(2)
@pytest.mark.quick("counter-3", "fourier-2", "fourier-5")
@pytest.mark.parametrize("threshold", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("value", ["counter", "fourier"])
def test_every_threshold_is_right_and_cheap_and_equal_to_aer(threshold, value):
    search = adaptive(K4, encoding="one-hot", presolve="none", value_oracle=value)
    compiled = search.compile(threshold, iterations=1)
    assert compiled.certificate.checked == 256
    assert compiled.certificate.lowered > 0
    assert compiled.certificate.ancillas_clean
    assert compiled.program.resources("iteration").cx <= 600
    if compiled.program.num_qubits <= 22:
        found = amplitudes_on_aer(compiled.program)
        assert abs(np.vdot(found, found) - 1) < 1e-9
        assert equal_up_to_a_phase(found, run_grover(list_marked(search.ranked.costs < threshold), 1).amplitudes())


@pytest.mark.slow
def test_the_seven_cell_kakuro_costs_what_was_promised():
    result = gatesolve.solve(K7, **AS_DECLARED)
    assert result.status == "solved"
    assert result.space_size == 4**7
    assert result.details.iteration.cx <= 330


@pytest.mark.sampled(0.5)
def test_the_report_counts_the_circuit_that_found_the_answer():
    problem = Qubo.of("abc", {(0,): 2.0, (1,): 1.0, (2,): -1.0, (0, 2): -4.0, (1, 2): 0.5})
    seen = set()
    for seed in range(6):
        result = gatesolve.solve(problem, pipeline="gas", seed=seed)
        program, counted = result.compiled.program, result.report().resources
        seen.add(bool(program.iterations))
        if program.iterations:
            assert list(counted) == ["oracle", "iteration"]
            assert counted["oracle"] == program.resources("oracle")
            assert counted["iteration"] == program.resources("iteration")
        else:
            assert counted == {"whole": program.resources()}
            assert counted["whole"].cx == 0
    assert seen == {True, False}
    assert f"one iteration of the last circuit takes {result.details.iteration.cx} CX" in result.report().lines[2]


def test_an_answer_says_how_it_was_found():
    result = gatesolve.solve(K4, seed=2, **AS_DECLARED)
    data = result.as_dict()
    assert data["status"] == "solved"
    assert data["pipeline"] == "gas"
    assert data["oracle"] == "counter"
    descent = data["descent"]
    energies = [step["energy"] for step in descent["improvements"]]
    assert energies == sorted(energies, reverse=True)
    assert energies[-1] == 0
    assert data["energy"] is None, "nothing was to be made small"
    assert descent["miss_probability"] == 0
    assert descent["cx"] > 0
    json.dumps(data)


def test_a_model_without_a_solution_is_told_from_one_that_was_not_found():
    x = [Variable(f"x{k}", (0, 1, 2)) for k in range(4)]
    rules = tuple(NotEqual(f"x{i}", f"x{j}") for i in range(4) for j in range(i))
    result = gatesolve.solve(Model(tuple(x), rules), pipeline="gas", presolve="none", encoding="one-hot")
    assert result.status == "infeasible"
    assert "breaks 1 constraint, and none" in result.message
    assert "(all were checked)" in result.message


def test_a_qubo_needs_no_pipeline_named():
    qubo = Qubo.of(("a", "b", "c"), {(): 2, (0,): -1, (1,): -1, (0, 1): 3, (0, 1, 2): -4, (2,): 1})
    result = gatesolve.solve(qubo)
    least = min(qubo.energy([n >> k & 1 for k in range(3)]) for n in range(8))
    assert result.options.pipeline == "gas"
    assert result.energy == least == qubo.energy(result.solution)


def test_a_search_is_kept_after_every_run_and_goes_on_from_there(tmp_path):
    file = tmp_path / "search.json"
    whole = gatesolve.solve(K4, seed=5, **AS_DECLARED)
    again = gatesolve.solve(K4, seed=5, resume=file, **AS_DECLARED)
    assert whole.details.runs == again.details.runs
    kept = json.loads(file.read_text())
    assert kept["runs"] == whole.details.runs
    continued = gatesolve.solve(K4, seed=5, resume=str(file), **AS_DECLARED)
    assert continued.solution == whole.solution
    assert continued.details.cx is None
    with pytest.raises(InputError, match="seed"):
        gatesolve.solve(K4, seed=6, resume=file, **AS_DECLARED)
    with pytest.raises(InputError, match="another problem"):
        gatesolve.solve(K4, seed=5, resume=file, pipeline="gas", encoding="binary", presolve="none")
    for data in (b"not json", b"\xff"):
        file.write_bytes(data)
        with pytest.raises(InputError, match="no kept search"):
            gatesolve.solve(K4, seed=5, resume=file, **AS_DECLARED)


def test_a_penalty_that_is_too_small_is_judged_by_the_rules():
    variables = tuple(Variable(f"x{k}", (0, 1)) for k in range(3))
    model = Model(variables, (Linear(((1, "x0"), (1, "x1")), "<=", 1),), Objective(((5, "x0"), (3, "x1")), 0, "max"))
    assert gatesolve.solve(model, pipeline="gas").energy == 5
    low = gatesolve.solve(model, pipeline="gas", penalty=1, presolve="none", encoding="binary")
    assert low.status != "solved"


@pytest.mark.parametrize(("wanted", "cost"), [(-1.0, 0), (0.0, 0), (0.25, 1), (1.75, 7)])
def test_a_threshold_leaves_out_no_lower_energy(wanted, cost):
    search = adaptive(Qubo.of(("a", "b"), {(0,): 0.25, (0, 1): -1.5, (1,): 3}), threshold=wanted)
    assert search.last_threshold == cost
    ranked = search.ranked
    below = [ranked.energy(number) < Fraction(wanted) for number in range(ranked.space.size)]
    assert list(ranked.costs < cost) == below


def test_a_budget_of_ancillas_is_kept_or_refused_with_the_least():
    search = adaptive(K4, encoding="one-hot", presolve="none", ancillas=4)
    assert search.compile(1).program.num_ancillas <= 4
    with pytest.raises(AncillaBudgetError):
        adaptive(K4, encoding="one-hot", presolve="none", ancillas=1).compile(3)


@pytest.mark.quick("choice0-*", "choice2-*", "choice1-counter")
@pytest.mark.parametrize("value", ["counter", "fourier"])
@pytest.mark.parametrize("choice", [{"measured": True}, {"gates": "clifford+t"}, {"level": "literal"}])
def test_other_choices_of_lowering_are_checked_too(value, choice):
    qubo = Qubo.of(("a", "b", "c"), {(0,): -1, (1,): -1, (0, 1): 3, (1, 2): -2, (2,): 1})
    result = gatesolve.solve(qubo, value_oracle=value, **choice)
    assert result.energy == -2
    assert result.certificate.checked == 8
    assert result.certificate.lowered > 0

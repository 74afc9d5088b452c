"""`gatesolve.solve` on CPMpy models, on our own models and on puzzles."""

import cpmpy as cp
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import models

import gatesolve
from gatesolve import Model, Variable
from gatesolve.model import AllDifferent, Clause, Linear, Objective, Table, find_optimum, find_solutions

ENCODINGS = ("auto", "one-hot", "binary", "domain-wall", "table")
PRESOLVES = ("auto", "none", "propagate", "affine")
STYLES = ("constraints", "classical")


def small(model, most=4000):
    return model.num_assignments <= most


@pytest.mark.more_examples(120)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    models(),
    st.sampled_from(ENCODINGS),
    st.sampled_from(STYLES),
    st.sampled_from(PRESOLVES),
    st.sampled_from(["known", "unknown"]),
    st.integers(0, 1000),
)
def test_any_model(model, encoding, oracle, presolve, schedule, seed):
    assume(small(model))
    expected = find_solutions(model)
    options = {"encoding": encoding, "oracle": oracle, "presolve": presolve, "schedule": schedule}
    result = gatesolve.solve(model, seed=seed, **options)
    if not expected:
        assert result.status == "infeasible"
        assert result.solution is None
        return
    assert result.status == "solved"
    assert result.solution in expected
    assert result.marked == len(expected)
    assert result.certificate.method == "every codeword"
    assert 0 < result.success_probability <= 1 + 1e-9


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(models(with_objective=True), st.sampled_from(ENCODINGS), st.sampled_from(STYLES), st.sampled_from(PRESOLVES))
def test_any_objective(model, encoding, oracle, presolve):
    assume(small(model, 1000))
    best = find_optimum(model)
    result = gatesolve.solve(model, encoding=encoding, oracle=oracle, presolve=presolve)
    if best is None:
        assert result.status == "infeasible"
        return
    assert result.status == "solved"
    assert model.check(result.solution)
    assert model.objective.value(result.solution) == best[1]
    assert f"objective {best[1]}: nothing better exists" in result.message


def x(count=3, low=-3, high=4):
    return cp.intvar(low, high, shape=count, name="x")


@pytest.mark.slow
def test_an_optimum_whose_proof_does_not_fit_is_kept():
    """Unbounded the model needs no ancilla at all; asking for something better does."""
    model = Model(
        tuple(Variable(f"v{k}", tuple(range(5))) for k in range(4)),
        (),
        Objective(((3, "v0"), (2, "v1"), (1, "v2"), (-2, "v3")), 0, "max"),
    )
    result = gatesolve.solve(model, ancillas=0, encoding="binary", presolve="none")
    assert result.status == "solved"
    assert "whether there is a better one is not known (the oracle needs at least" in result.message


CONSTANTS = {
    "false": cp.Model(cp.BoolVal(False)),
    "impossible value": cp.Model(cp.intvar(7, 7, name="q") == 8),
    "empty sum": Model(
        (Variable("v", (1, 2)), Variable("w", (1, 2))), (Clause((("v", frozenset({1})),)), Linear((), "<=", -1))
    ),
    "empty table": Model((Variable("v", (1, 2)),), (Table(("v",), ()),)),
    "table of nothing": Model((Variable("v", (1, 2)),), (Table((), ()),)),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("model", CONSTANTS.values(), ids=CONSTANTS)
def test_a_false_constant(model, encoding):
    for presolve in PRESOLVES:
        assert gatesolve.solve(model, encoding=encoding, presolve=presolve).status == "infeasible"


@pytest.mark.parametrize("backend", ["space", "aer"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_models_with_nothing_to_search(encoding, backend):
    options = {"encoding": encoding, "backend": backend, "presolve": "none"}
    fixed = Model((Variable("a", (7,)), Variable("b", (-1,))), (Linear(((1, "a"), (1, "b")), "==", 6),))
    assert gatesolve.solve(fixed, **options).solution == {"a": 7, "b": -1}
    assert gatesolve.solve(Model((Variable("a", (5,)),)), **options).solution == {"a": 5}
    nothing = gatesolve.solve(Model(()), **options)
    assert (nothing.status, nothing.solution, nothing.space_size) == ("solved", {}, 1)
    assert "nothing was left to search" in nothing.message
    true = Model((Variable("a", (5,)),), (Table((), ((),)),))
    assert gatesolve.solve(true, oracle="classical", **options).status == "solved"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_constraint_marks_every_state(encoding):
    free = Model((Variable("a", (1, 2, 3)), Variable("b", (0, 1))))
    result = gatesolve.solve(free, encoding=encoding)
    assert (result.space_size, result.marked, result.iterations, result.success_probability) == (6, 6, 0, 1)


def test_too_many_solutions_to_mark_one_by_one():
    a, b = x(2, 0, 99)
    with pytest.raises(gatesolve.DoesNotFitError, match=r"more than 4096 solutions .* use oracle='constraints'"):
        gatesolve.solve(cp.Model(a + b <= 150), oracle="classical")


def test_a_few_shots_may_miss():
    coin = Model((Variable("a", (0, 1)), Variable("b", (0, 1))), (Linear(((1, "a"), (1, "b")), "==", 1),))
    options = {"encoding": "binary", "presolve": "none", "shots": 1}
    results = {seed: gatesolve.solve(coin, seed=seed, **options) for seed in range(12)}
    assert {r.status for r in results.values()} == {"solved", "unsolved"}
    missed = next(r for r in results.values() if r.status == "unsolved")
    assert missed.message == "none of 1 measurements is a solution: use more shots"
    assert missed.solution is None
    assert missed.marked == 2
    assert all(gatesolve.solve(coin, seed=seed, **options).solution == r.solution for seed, r in results.items())


def test_the_unknown_schedule_ends_with_a_stated_confidence(monkeypatch):
    monkeypatch.setattr("gatesolve.pipelines.grover.pipeline._measure", lambda *_: ([(None, 1)], {}))
    model = Model((Variable("a", tuple(range(9))),), (Linear(((1, "a"),), "==", 4),))
    result = gatesolve.solve(model, encoding="binary", presolve="none", schedule="unknown")
    assert result.status == "unsolved"
    assert result.oracle_calls >= 270
    assert f"nothing found in {result.oracle_calls} oracle calls" in result.message
    assert "with probability 0.9990" in result.message


def test_runs_of_the_unknown_schedule_are_independent():
    """Runs of equal length once repeated the same measurement, so an unlucky seed never ended."""
    model = Model((Variable("a", (0, 1)), Variable("b", (0, 1))), (Linear(((1, "a"), (1, "b")), "==", 1),))
    for seed in range(40):
        result = gatesolve.solve(model, encoding="binary", presolve="none", schedule="unknown", seed=seed)
        assert result.status == "solved"


def test_wrong_measurements_are_rejected_where_presolve_took_variables_out():
    """A state that breaks the presolved model has no values for the variables that presolve eliminated."""
    model = Model(
        (Variable("v", (0, 1)), Variable("w", (0, 1)), Variable("b", (0, 1, 2, 3))),
        (Table(("v", "w", "b"), ((0, 0, 0), (0, 1, 0), (1, 0, 2))),),
    )
    for seed in range(5):
        result = gatesolve.solve(model, presolve="affine", seed=seed, shots=50, encoding="binary")
        assert model.check(result.solution)


@pytest.mark.parametrize("wrong", [5, None, ["a"], cp, object()])
def test_wrong_types(wrong):
    with pytest.raises(gatesolve.InputError, match=r"give a puzzle or Qubo file, a Puzzle, a cpmpy\.Model, "):
        gatesolve.solve(wrong)
    with pytest.raises(gatesolve.InputError):
        gatesolve.compile(wrong)


def test_what_cannot_be_lowered_is_named():
    a, b, _ = x()
    half = cp.expressions.core.Operator("wsum", [[0.5, 1], [a, b]])
    with pytest.raises(gatesolve.UnsupportedError, match=r"objective .* weight 0\.5 is not a whole number"):
        gatesolve.solve(cp.Model([a + b == 3], maximize=half))
    with pytest.raises(gatesolve.UnsupportedError, match="variable w has 10000001 values"):
        gatesolve.solve(cp.Model(cp.intvar(0, 10**7, name="w") == 3))


BAD_OPTIONS = [
    ({"pipeline": "annealing"}, "unknown pipeline 'annealing': choose one of auto, grover, gas, qaoa, anneal"),
    ({"oracle": None}, "unknown oracle None: choose"),
    ({"encoding": ["binary"]}, "unknown encoding"),
    ({"shots": 0}, "shots is 0: give a number from 1 to"),
    ({"shots": "5"}, "shots is '5': give a whole number"),
    ({"seed": -1}, "seed is -1"),
    ({"ancillas": 1.5}, "ancillas is 1.5: give a whole number"),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS, ids=str)
def test_bad_options(options, message):
    for call in (gatesolve.solve, gatesolve.compile):
        with pytest.raises(gatesolve.InputError, match=message):
            call(Model(()), **options)


def test_progress_names_the_stages():
    stages = []
    model = Model(tuple(Variable(name, (0, 1, 2)) for name in "abc"), (AllDifferent(("a", "b", "c")),))
    result = gatesolve.solve(model, progress=lambda name, done, total: stages.append((name, done, total)))
    assert list(dict.fromkeys(name for name, *_ in stages)) == list(result.seconds)
    assert list(result.seconds) == ["read", "presolve", "oracle", "certificate", "lowering", "run", "judge"]
    assert all(0 <= done <= total for _, done, total in stages)
    assert all(seconds >= 0 for seconds in result.seconds.values())

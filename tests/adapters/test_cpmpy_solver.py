"""gatesolve behind CPMpy: what ``solve`` and ``solveAll`` return, the status, and what is refused."""

import signal
import threading
import time

import cpmpy as cp
import pytest
from cpmpy.exceptions import NotSupportedError
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.solvers.utils import SolverLookup

import gatesolve
from gatesolve.adapters import cpmpy_solver

X, Y, Z = (cp.intvar(0, 3, name=name) for name in "xyz")
BITS = cp.boolvar(shape=3, name="bit")


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """And forgotten afterwards."""
    monkeypatch.setattr(SolverLookup, "base_solvers", SolverLookup.base_solvers)
    gatesolve.register_cpmpy()


@pytest.fixture
def searched(monkeypatch):
    """The results of all searches, as they come."""
    found = []

    def watched(*given, **options):
        found.append(gatesolve.solve(*given, **options))
        return found[-1]

    monkeypatch.setattr(cpmpy_solver, "solve", watched)
    return found


def list_solutions(model, *variables, **options):
    """The count that ``solveAll`` returns, and what it shows."""
    shown = []
    count = model.solveAll(
        solver=options.pop("solver", "gatesolve"),
        display=lambda: shown.append(tuple(v.value() for v in variables)),
        **options,
    )
    return count, shown


def test_it_is_registered_once():
    gatesolve.register_cpmpy()
    names = [name for name, _ in SolverLookup.base_solvers()]
    assert names.count("gatesolve") == 1
    assert names[0] == "ortools"  # still CPMpy's default
    assert "gatesolve" in SolverLookup.supported()
    assert SolverLookup.lookup("gatesolve").version() == gatesolve.__version__


def test_an_answer_is_measured_on_a_circuit(searched):
    model = cp.Model(X + Y == Z, X > Y, Y > 0)
    assert model.solve(solver="gatesolve", presolve="none", encoding="binary") is True
    assert (X.value(), Y.value(), Z.value()) == (2, 1, 3)
    assert model.status().exitstatus == ExitStatus.FEASIBLE
    assert 0 < model.status().solve_time <= model.status().runtime
    (result,) = searched
    assert result.iterations > 0
    assert result.compiled.certificate.marked == 1


def test_without_a_solution_variables_have_no_values():
    X._value = 1
    model = cp.Model(X > Y, Y > X)
    assert model.solve(solver="gatesolve") is False
    assert model.status().exitstatus == ExitStatus.UNSATISFIABLE
    assert (X.value(), Y.value()) == (None, None)


@pytest.mark.parametrize("presolve", ["none", "propagate"])
def test_no_solution_is_proven_by_the_oracle_or_by_deduction(presolve):
    solver = SolverLookup.get("gatesolve", cp.Model(cp.AllDifferent([*BITS]), BITS[0] + BITS[1] == 1))
    assert not solver.solve(presolve=presolve)
    assert solver.result.status == "infeasible"
    assert solver.status().exitstatus == ExitStatus.UNSATISFIABLE


@pytest.mark.quick(1)
@pytest.mark.parametrize("pipeline", ["gatesolve", "gatesolve:gas", "gatesolve:anneal"])
@pytest.mark.parametrize(("sense", "value"), [("minimize", 2), ("maximize", 12)])
def test_the_best_is_optimal_where_that_is_proven(pipeline, sense, value):
    model = cp.Model(X + Y >= 2, **{sense: X + 2 * Y + Z})
    assert model.solve(solver=pipeline)
    assert (model.status().exitstatus, model.objective_value()) == (ExitStatus.OPTIMAL, value)


@pytest.mark.sampled(0.3)
def test_the_best_found_is_feasible_where_nothing_is_proven():
    """A layer of QAOA that measures once gives a solution, hardly ever the best of 64."""
    model = cp.Model(X >= 0, maximize=X * Y + Z)
    solver = SolverLookup.get("gatesolve:qaoa", model)
    statuses = set()
    for seed in range(3):
        assert solver.solve(layers=1, shots=1, angles="ramp", presolve="none", encoding="binary", seed=seed)
        statuses.add(solver.status().exitstatus)
        assert (solver.status().exitstatus == ExitStatus.OPTIMAL) == (solver.objective_value() == 12)
    assert ExitStatus.FEASIBLE in statuses


def test_all_solutions_are_listed_by_measuring_one_circuit(searched):
    model = cp.Model(X + Y == Z)
    count, shown = list_solutions(model, X, Y, Z)
    assert model.status().exitstatus == ExitStatus.OPTIMAL
    assert (count, sorted(shown)) == (10, sorted({(x, y, x + y) for x in range(4) for y in range(4 - x)}))
    assert len(searched) == 1
    assert len(model.constraints) == 1


@pytest.mark.parametrize("options", [{"solver": "gatesolve:gas"}, {"schedule": "unknown"}, {"max_space": 3}])
def test_without_a_count_each_solution_is_excluded_from_the_next_search(options, searched):
    """A descent measures one solution, as does a search whose number of solutions is not known, or one in parts."""
    model = cp.Model(cp.AllDifferent(X, Y), X + Y == 3)
    count, shown = list_solutions(model, X, Y, **options)
    assert (count, sorted(shown)) == (4, [(0, 3), (1, 2), (2, 1), (3, 0)])
    assert model.status().exitstatus == ExitStatus.OPTIMAL
    assert len(searched) > 1


def test_variables_that_nothing_reads_are_listed_with_all_their_values():
    """They are in no codeword, so that one codeword is many solutions."""
    a, b, c = cp.intvar(0, 1, shape=3)
    model = cp.Model(a != b, c >= 0)
    count, shown = list_solutions(model, a, b, c, max_space=4)
    assert (count, len(set(shown)), model.status().exitstatus) == (4, 4, ExitStatus.OPTIMAL)
    model = cp.Model(cp.sum(cp.intvar(0, 3, shape=8)) >= 0)
    assert model.solveAll(solver="gatesolve", solution_limit=2) == 2
    assert model.status().exitstatus == ExitStatus.FEASIBLE


def test_a_solution_limit_ends_the_list(capsys):
    model = cp.Model(cp.any(BITS))
    assert model.solveAll(solver="gatesolve", display=BITS, solution_limit=3) == 3
    assert len(set(capsys.readouterr().out.splitlines())) == 3
    assert model.status().exitstatus == ExitStatus.FEASIBLE
    assert model.solveAll(solver="gatesolve") == 7
    assert model.status().exitstatus == ExitStatus.OPTIMAL


@pytest.mark.parametrize(("model", "count"), [(cp.Model(), 1), (cp.Model(cp.BoolVal(False)), 0)])
def test_models_without_variables_have_one_solution_or_none(model, count):
    assert model.solveAll(solver="gatesolve") == count


def test_a_solver_object_takes_constraints_and_objectives_one_after_the_other():
    solver = SolverLookup.get("gatesolve")
    assert solver.status().exitstatus == ExitStatus.NOT_RUN
    solver += X + Y <= 4
    solver.maximize(X - Z)
    assert solver.solve()
    assert solver.objective_value() == 3
    solver.maximize(Y)
    solver += X == 2
    assert solver.solve()
    assert (solver.objective_value(), X.value()) == (2, 2)
    assert Z.value() in range(4)  # of a former objective alone


def test_native_model_and_variables_are_ours():
    solver = SolverLookup.get("gatesolve", cp.Model(X + BITS[0] == 2))
    assert set(solver.native_model.domains) == {"x", "bit[0]"}
    assert solver.solver_var(X) is solver.solver_var(X)
    assert solver.solver_vars([X, [BITS[0], 5]]) == [
        gatesolve.Variable("x", (0, 1, 2, 3)),
        [gatesolve.Variable("bit[0]", (0, 1)), 5],
    ]
    with pytest.raises(NotSupportedError, match="the one that it negates"):
        solver.solver_var(~BITS[0])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda model: model.solve(solver="gatesolve", assumptions=[BITS[0]]), "no assumptions: add them to the model"),
        (lambda model: model.solveAll(solver="gatesolve", assumptions=[BITS[0]]), "no assumptions"),
        (lambda _: cp.Model(X > 0, minimize=X).solveAll(solver="gatesolve"), "all optimal solutions"),
        (lambda _: SolverLookup.get("gatesolve").minimize(cp.FloatSum([0.5], [X])), "whole numbers"),
        (lambda _: cp.Model(cp.intvar(0, 10**6, name="big") > 3).solve(solver="gatesolve"), "tighten its bounds"),
        (lambda model: SolverLookup.get("gatesolve", model).solution_hint([X], [1]), "hint"),
        (lambda model: SolverLookup.get("gatesolve", model).get_core(), "core"),
    ],
)
def test_what_is_not_offered_is_refused_in_cpmpys_words(call, said):
    with pytest.raises(NotSupportedError, match=said):
        call(cp.Model(X > 0, BITS[0]))


def test_what_does_not_fit_is_unknown_with_the_reason():
    model = cp.Model(X + Y == Z)
    with pytest.warns(UserWarning, match="gave up: does not fit") as told:
        assert not model.solve(solver="gatesolve", presolve="none", max_space=2)
    assert model.status().exitstatus == ExitStatus.UNKNOWN
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="does not fit"):
        assert model.solveAll(solver="gatesolve", presolve="none", max_space=2) == 0
    assert model.status().exitstatus == ExitStatus.UNKNOWN


def search_for(seconds):
    """A stand-in for a search that takes so long, after something was accepted."""

    def search(model, progress, on_event, **_):
        on_event(cpmpy_solver.Accepted({"x": 2, "y": 1}))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            progress("run", 0, 0)
        raise AssertionError("not stopped")

    return search


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_time_limit_keeps_the_best_so_far(in_thread, monkeypatch):
    monkeypatch.setattr(cpmpy_solver, "solve", search_for(5))
    model, found = cp.Model(X > Y, maximize=X), []

    def search():
        start = time.monotonic()
        found.append((model.solve(solver="gatesolve", time_limit=0.2), time.monotonic() - start < 3))
        model.objective_ = None
        found.append((model.solveAll(solver="gatesolve", time_limit=0.2), model.status().exitstatus))

    if in_thread:
        (thread := threading.Thread(target=search)).start()
        thread.join()
    else:
        search()
    assert found == [(True, True), (1, ExitStatus.FEASIBLE)]
    assert (X.value(), Y.value()) == (2, 1)


def test_a_time_limit_interrupts_a_long_stage(monkeypatch):
    monkeypatch.setattr(cpmpy_solver, "solve", lambda *_, **__: time.sleep(5))
    before = signal.getsignal(signal.SIGALRM)
    model = cp.Model(X > Y)
    assert not model.solve(solver="gatesolve", time_limit=0.1)
    assert model.status().exitstatus == ExitStatus.UNKNOWN
    assert model.status().solve_time < 3
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == (before, (0, 0))


def test_an_alarm_during_the_way_out_reaches_nobody(monkeypatch):
    def search(model, progress, **_):
        try:
            while True:
                progress("run", 0, 0)
        finally:
            time.sleep(0.05)

    monkeypatch.setattr(cpmpy_solver, "solve", search)
    assert not cp.Model(X > Y).solve(solver="gatesolve", time_limit=0.1)


@pytest.mark.parametrize("call", ["solve", "solveAll"])
def test_a_time_limit_must_be_positive(call):
    with pytest.raises(ValueError, match="time_limit is -1: give a positive number"):
        getattr(SolverLookup.get("gatesolve", cp.Model(X > 0)), call)(time_limit=-1)


@pytest.fixture
def rung():
    """Times at which an alarm of the user's own came."""
    times = list[float]()
    before = signal.signal(signal.SIGALRM, lambda *_: times.append(time.monotonic()))
    yield times
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_user_s_alarm_is_not_put_off(rung, monkeypatch):
    monkeypatch.setattr(cpmpy_solver, "solve", lambda *_, **__: time.sleep(5))
    signal.setitimer(signal.ITIMER_REAL, 100, 7)
    assert not cp.Model(X > Y).solve(solver="gatesolve", time_limit=0.3)
    left, again = signal.getitimer(signal.ITIMER_REAL)
    assert (98 < left < 99.8, round(again), rung) == (True, 7, [])

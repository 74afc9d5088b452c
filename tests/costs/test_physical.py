"""Microsoft's resource estimator on logical counts: what is handed over, what comes back, what is refused."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from gatesolve.costs import MODELS, LogicalCounts, cheapest_machine, check_budget, check_models, physical
from gatesolve.errors import DoesNotFitError, InputError

COUNTS = LogicalCounts(40, t=3_000, ccz=20, ccix=500, measurements=540, rotations=90, rotation_depth=30)
LONG = LogicalCounts(400).then(
    LogicalCounts(400, t=900, ccix=50, measurements=70, rotations=8, rotation_depth=4), 1 << 28
)


def estimate_machine(counts, model, budget=physical.BUDGET):
    return cheapest_machine({"counted": counts}, model, budget)


@pytest.fixture
def machines():
    """The module that imports the estimator."""
    pytest.importorskip("qdk.qre")
    return physical.load_estimator()


def test_counts_follow_each_other():
    both = LogicalCounts(3, t=1, measurements=2).then(LogicalCounts(5, t=2, ccix=1, rotations=4, rotation_depth=2), 10)
    assert both == LogicalCounts(5, t=21, ccix=10, measurements=2, rotations=40, rotation_depth=20)
    assert (both.cycles, both.t_states) == (21 + 30 + 2, 21 + 40)


def reported(counts, architecture, code, budget, folder):
    """The estimator asked without any of our choices: every distance, factory and number of T states a rotation."""
    from qdk import qre
    from qdk.estimator import LogicalCounts as Theirs
    from qdk.qre.application import QSharpApplication
    from qdk.qre.models import RoundBasedFactory

    given = {
        "numQubits": counts.qubits, "tCount": counts.t, "cczCount": counts.ccz, "ccixCount": counts.ccix,
        "measurementCount": counts.measurements, "rotationCount": counts.rotations,
        "rotationDepth": counts.rotation_depth,
    }  # fmt: skip
    codes = code.q(distance=list(range(3, 22, 2)))
    laid_out = qre.PSSPC.q(num_ts_per_rotation=list(range(5, 31))) * qre.LatticeSurgery.q()
    query = codes * RoundBasedFactory.q(code_query=codes, physical_qubit_calculation=max, cache_dir=folder)
    table = qre.estimate(QSharpApplication(Theirs(given)), architecture, query, laid_out, max_error=budget)
    return min(table, key=lambda entry: entry.qubits * entry.runtime)


@pytest.mark.parametrize("model", ["qubit_gate_ns_e3", "qubit_gate_ns_e4", "qubit_maj_ns_e4", "qubit_maj_ns_e6"])
def test_what_is_reported_is_the_estimators_own_result(model, machines, tmp_path):
    from qdk.qre.instruction_ids import T
    from qdk.qre.models import GateBased, Majorana, SurfaceCode, ThreeAux

    rate, gates = float(f"1e-{model[-1]}"), "gate" in model
    own = (
        GateBased(error_rate=rate, gate_time=50, measurement_time=100) if gates else Majorana(error_rate=rate, time=100)
    )
    theirs = reported(COUNTS, own, SurfaceCode if gates else ThreeAux, 0.01, tmp_path)
    ours = estimate_machine(COUNTS, model, 0.01)
    assert (ours.physical_qubits, ours.seconds) == (theirs.qubits, theirs.runtime / 1e9)
    assert (ours.factories, ours.t_states) == (theirs.factories[T].copies, theirs.factories[T].states)


def test_every_model_has_its_machine_and_code(machines):
    assert set(machines.MACHINES) == set(MODELS)
    assert set(machines.CODES) == set(MODELS.values())


def test_the_estimator_charges_what_the_counts_say(machines):
    counts = LogicalCounts(40, t=3_000, ccz=2_000, ccix=5_000, measurements=540)
    found = estimate_machine(counts, "qubit_gate_ns_e3")
    assert (found.cycles, found.t_states) == (counts.cycles, counts.t_states)
    turns = LogicalCounts(40, rotations=90, rotation_depth=30)
    each = (estimate_machine(turns, "qubit_gate_ns_e3").t_states) // 90
    assert estimate_machine(turns, "qubit_gate_ns_e3").cycles == 90 + 30 * each


@pytest.mark.parametrize("model", ["qubit_gate_ns_e3", "qubit_maj_ns_e6"])
def test_a_long_run_in_parts_is_the_same_machine_for_as_long(model, monkeypatch, machines):
    in_parts = estimate_machine(LONG, model)
    monkeypatch.setattr(physical, "MOST_CYCLES", 1 << 60)
    whole = estimate_machine(LONG, model)
    assert (in_parts.distance, in_parts.factories, in_parts.physical_qubits) == (
        whole.distance, whole.factories, whole.physical_qubits,
    )  # fmt: skip
    assert in_parts.seconds == pytest.approx(whole.seconds, rel=1e-6)
    assert in_parts.t_states == pytest.approx(whole.t_states, rel=1e-6)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("counts", [LogicalCounts(5, t=30), COUNTS, LONG], ids=["tiny", "short", "long"])
def test_what_is_not_looked_at_would_not_be_better(counts, model, monkeypatch, machines):
    """Larger distances, finer rotations, longer waits."""
    found = estimate_machine(counts, model)
    monkeypatch.setattr(machines, "NEGLIGIBLE", 1e-6)
    monkeypatch.setattr(machines, "FEW_CYCLES", 1 << 40)
    assert estimate_machine(counts, model) == found


@pytest.mark.sampled(0.5)
def test_longer_runs_smaller_budgets_and_worse_qubits_never_cost_less(machines):
    runs = [estimate_machine(LogicalCounts(40).then(COUNTS, 16**k), "qubit_gate_ns_e3") for k in range(0, 16, 4)]
    assert all(a.qubit_seconds < b.qubit_seconds and a.distance <= b.distance for a, b in pairwise(runs))
    budgets = [estimate_machine(COUNTS, "qubit_gate_ns_e3", budget) for budget in (0.5, 0.01, 1e-6, 1e-12)]
    assert [e.qubit_seconds for e in budgets] == sorted(e.qubit_seconds for e in budgets)
    worse, better = estimate_machine(COUNTS, "qubit_gate_ns_e3"), estimate_machine(COUNTS, "qubit_gate_ns_e4")
    assert worse.qubit_seconds > better.qubit_seconds
    assert worse.distance > better.distance


def test_a_run_past_the_estimators_clock_is_told_right(monkeypatch, machines):
    """Of 2^64 nanoseconds the estimator keeps the rest: 584 years and an hour are an hour."""
    counts = LogicalCounts(400, t=1 << 55)
    years = estimate_machine(counts, "qubit_gate_ns_e3").seconds / 86400 / 365.25
    monkeypatch.setattr(physical, "MOST_CYCLES", 1 << 60)
    assert estimate_machine(counts, "qubit_gate_ns_e3").seconds / 86400 / 365.25 < 585 < 9_000 < years


def test_the_cheapest_way_is_taken_and_named(machines):
    ways = {"dear": LogicalCounts(40, t=9_000), "cheap": LogicalCounts(40, t=3_000)}
    assert cheapest_machine(ways, "qubit_gate_ns_e3").counted == "cheap"
    alone = cheapest_machine({"cheap": ways["cheap"]}, "qubit_gate_ns_e3")
    assert cheapest_machine(ways, "qubit_gate_ns_e3") == alone


def test_of_ways_that_cost_the_same_the_first_is_named(machines):
    turned = LogicalCounts(8, measurements=17, rotations=7, rotation_depth=7)
    ways = {"T": replace(turned, t=116), "AND": replace(turned, t=98, ccix=6)}
    assert cheapest_machine(ways, "qubit_maj_ns_e6").counted == "T"
    assert cheapest_machine(dict(reversed(ways.items())), "qubit_maj_ns_e6").counted == "AND"


def test_clifford_circuits_need_no_factory(machines):
    found = estimate_machine(LogicalCounts(9, measurements=9), "qubit_gate_ns_e3")
    assert (found.factories, found.t_states, found.factory_qubits) == (0, 0, 0)


@pytest.mark.parametrize("budget", [0, 1, -0.5, 2, float("nan"), True, "0.1", None])
def test_a_budget_is_a_probability(budget):
    with pytest.raises(InputError, match=r"budget is .*: give a number between 0 and 1"):
        check_budget(budget)


def test_an_unknown_model_lists_those_there_are():
    with pytest.raises(InputError, match=r"unknown machine 'transmon': choose of qubit_gate_ns_e3, .*qubit_maj_ns_e6"):
        check_models(["qubit_gate_ns_e3", "transmon"])
    assert check_models([]) == tuple(MODELS)
    assert check_models(["qubit_maj_ns_e4", "qubit_maj_ns_e4"]) == ("qubit_maj_ns_e4",)


def test_where_no_machine_is_found_it_is_said_in_one_line(monkeypatch, machines, capfd):
    with pytest.raises(DoesNotFitError, match="finds no machine of qubit_gate_us_e3 up to code distance 201: raise"):
        estimate_machine(LogicalCounts(200, t=1 << 2000), "qubit_gate_us_e3")
    monkeypatch.setattr(machines, "MOST_T_STATES", 3)
    with pytest.raises(DoesNotFitError, match="finds no machine of qubit_gate_ns_e3 up to") as caught:
        estimate_machine(COUNTS, "qubit_gate_ns_e3")
    assert "\n" not in str(caught.value)
    monkeypatch.setattr(machines, "FEW_CYCLES", 0)  # then the only T state would come too late
    with pytest.raises(DoesNotFitError, match="finds no machine of qubit_gate_ns_e3 up to"):
        estimate_machine(LogicalCounts(3, t=1), "qubit_gate_ns_e3")
    assert capfd.readouterr() == ("", "")


def test_estimating_reports_to_nobody_and_writes_nothing(tmp_path):
    """The estimator's package would send its use to its maker, and keep its factories in the home directory."""
    pytest.importorskip("qdk.qre")
    code = "from gatesolve.costs import *\ncheapest_machine({'': LogicalCounts(3, t=9)}, 'qubit_gate_ns_e3')\n"
    code += "import os, qdk.telemetry as t\nprint(t.TELEMETRY_ENABLED, 'QDK_PYTHON_TELEMETRY' in os.environ)"
    clean = {k: v for k, v in os.environ.items() if "TELEMETRY" not in k}
    there = {**clean, "HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=there, capture_output=True, text=True, check=True
    )
    assert (run.stdout.split(), run.stderr) == (["False", "False"], "")
    assert not list(tmp_path.iterdir())

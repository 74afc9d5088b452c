"""Microsoft's resource estimator on logical counts: what is handed over, what comes back, what is refused."""

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from gatesolve.costs import physical
from gatesolve.costs.physical import (
    MODELS,
    LogicalCounts,
    cheapest_machine,
    check_budget,
    check_models,
    estimate_machine,
)
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError

COUNTS = LogicalCounts(40, t=3_000, ccz=20, ccix=500, measurements=540, rotations=90, rotation_depth=30)


@pytest.fixture(scope="module")
def estimator():
    return pytest.importorskip("qdk.estimator")


def test_counts_follow_each_other():
    both = LogicalCounts(3, t=1, measurements=2).then(LogicalCounts(5, t=2, ccix=1, rotations=4, rotation_depth=2), 10)
    assert both == LogicalCounts(5, t=21, ccix=10, measurements=2, rotations=40, rotation_depth=20)
    assert (both.cycles, both.t_states) == (21 + 30 + 2, 21 + 40)


def test_parts_are_rounded_up():
    assert LogicalCounts(7, t=9, measurements=8).handed_over(4) == {
        "numQubits": 7, "tCount": 3, "rotationCount": 0, "rotationDepth": 0, "cczCount": 0, "ccixCount": 0,
        "measurementCount": 2,
    }  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_what_is_reported_is_the_estimators_own_result(model, estimator):
    parameters = {"qubitParams": {"name": model}, "qecScheme": {"name": MODELS[model]}, "errorBudget": 0.01}
    theirs = estimator.LogicalCounts(COUNTS.handed_over()).estimate(parameters)
    ours = estimate_machine(COUNTS, model, 0.01)
    assert ours.physical_qubits == theirs["physicalCounts"]["physicalQubits"]
    assert ours.seconds * 1e9 == pytest.approx(theirs["physicalCounts"]["runtime"], rel=1e-12)
    assert ours.distance == theirs["logicalQubit"]["codeDistance"]
    assert ours.factories == theirs["physicalCounts"]["breakdown"]["numTfactories"]
    assert ours.t_states == theirs["physicalCounts"]["breakdown"]["numTstates"]


def test_the_estimator_charges_what_the_counts_say(estimator):
    counts = LogicalCounts(40, t=3_000, ccz=2_000, ccix=5_000, measurements=540)
    theirs = estimator.LogicalCounts(counts.handed_over()).estimate({})["physicalCounts"]["breakdown"]
    assert (theirs["algorithmicLogicalDepth"], theirs["numTstates"]) == (counts.cycles, counts.t_states)


@pytest.mark.parametrize("model", ["qubit_gate_ns_e3", "qubit_maj_ns_e6"])
def test_a_long_run_in_parts_is_the_same_machine_for_as_long(model, monkeypatch, estimator):
    counts = LogicalCounts(400).then(
        LogicalCounts(400, t=900, ccix=50, measurements=70, rotations=8, rotation_depth=4), 1 << 28
    )
    in_parts = estimate_machine(counts, model)
    monkeypatch.setattr(physical, "MOST_CYCLES", 1 << 60)
    whole = estimate_machine(counts, model)
    assert (in_parts.distance, in_parts.factories, in_parts.physical_qubits) == (
        whole.distance, whole.factories, whole.physical_qubits,
    )  # fmt: skip
    assert in_parts.seconds == pytest.approx(whole.seconds, rel=1e-6)


def test_longer_runs_smaller_budgets_and_worse_qubits_never_cost_less(estimator):
    runs = [estimate_machine(LogicalCounts(40).then(COUNTS, 16**k), "qubit_gate_ns_e3") for k in range(0, 32, 4)]
    assert all(a.qubit_seconds < b.qubit_seconds and a.distance <= b.distance for a, b in pairwise(runs))
    budgets = [estimate_machine(COUNTS, "qubit_gate_ns_e3", budget) for budget in (0.5, 0.01, 1e-6, 1e-12)]
    assert [e.distance for e in budgets] == sorted(e.distance for e in budgets)
    worse, better = estimate_machine(COUNTS, "qubit_gate_ns_e3"), estimate_machine(COUNTS, "qubit_gate_ns_e4")
    assert worse.qubit_seconds > better.qubit_seconds
    assert worse.distance > better.distance


def test_a_run_past_the_estimators_clock_is_told_right(estimator):
    """Of 2^64 nanoseconds the estimator keeps the rest: 584 years and an hour are an hour."""
    counts = LogicalCounts(400, t=1 << 55)
    theirs = estimator.LogicalCounts(counts.handed_over()).estimate({})["physicalCounts"]["runtime"]
    ours = estimate_machine(counts, "qubit_gate_ns_e3")
    assert theirs / 1e9 / 86400 / 365.25 < 585 < 9_000 < ours.seconds / 86400 / 365.25


def test_the_cheapest_way_is_taken_and_named(estimator):
    ways = {"dear": LogicalCounts(40, t=9_000), "cheap": LogicalCounts(40, t=3_000)}
    assert cheapest_machine(ways, "qubit_gate_ns_e3").counted == "cheap"


def test_clifford_circuits_need_no_factory(estimator):
    found = estimate_machine(LogicalCounts(9, measurements=9), "qubit_gate_ns_e3")
    assert (found.factories, found.t_states, found.factory_qubits) == (0, 0, 0)


@pytest.mark.parametrize("counts", [LogicalCounts(0), LogicalCounts(5)])
def test_nothing_to_estimate(counts):
    with pytest.raises(DoesNotFitError, match="nothing to estimate"):
        estimate_machine(counts, "qubit_gate_ns_e3")


@pytest.mark.parametrize("budget", [0, 1, -0.5, 2, float("nan"), True, "0.1", None])
def test_a_budget_is_a_probability(budget):
    with pytest.raises(InputError, match=r"budget is .*: give a number between 0 and 1"):
        check_budget(budget)


def test_an_unknown_model_lists_those_there_are():
    with pytest.raises(InputError, match=r"unknown machine 'transmon': choose of qubit_gate_ns_e3, .*qubit_maj_ns_e6"):
        check_models(["qubit_gate_ns_e3", "transmon"])
    assert check_models([]) == tuple(MODELS)
    assert check_models(["qubit_maj_ns_e4", "qubit_maj_ns_e4"]) == ("qubit_maj_ns_e4",)


def test_without_the_estimator_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "qdk.estimator", None)
    with pytest.raises(UnsupportedError, match=r"""run pip install "\.\[estimate\]" in gatesolve's checkout"""):
        estimate_machine(COUNTS, "qubit_gate_ns_e3")


def test_what_the_estimator_refuses_is_one_line(monkeypatch, estimator):
    monkeypatch.setattr(physical, "MOST_DISTANCE", 3)
    with pytest.raises(DoesNotFitError, match="finds no machine of qubit_gate_ns_e3: ") as caught:
        estimate_machine(COUNTS, "qubit_gate_ns_e3")
    assert "\n" not in str(caught.value)


def test_estimating_reports_to_nobody():
    """The estimator's package would send its use to its maker; it is imported with that turned off."""
    code = "from gatesolve.costs.physical import *\nestimate_machine(LogicalCounts(3, t=9), 'qubit_gate_ns_e3')\n"
    code += "import os, qdk.telemetry as t\nprint(t.TELEMETRY_ENABLED, 'QDK_PYTHON_TELEMETRY' in os.environ)"
    clean = {k: v for k, v in os.environ.items() if "TELEMETRY" not in k}
    run = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def test_a_logical_and_is_ccix_up_to_clifford():
    """What `AND measured` rests on: Margolus' gate is i X with two controls after a CZ."""
    qubits = np.arange(8)
    left, right, target = (qubits >> k & 1 for k in range(3))
    flipped = qubits ^ (left & right) << 2
    phase = np.where(left & right, np.where(target, -1j, 1j), np.where(left & target, -1, 1))
    margolus, cz, ccix = (np.zeros((8, 8), dtype=complex) for _ in range(3))
    margolus[flipped, qubits] = phase
    cz[qubits, qubits] = (-1.0) ** (left & target)
    ccix[flipped, qubits] = 1j ** (left & right)
    assert np.allclose(ccix @ cz, margolus)

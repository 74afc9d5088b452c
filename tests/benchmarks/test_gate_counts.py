"""Gate counts beside other libraries: the bars, rows measured again, and what stands beside what."""

import argparse

import pytest

from benchmarks.core import problems
from benchmarks.core.rows import list_differences
from benchmarks.suites import gate_counts
from benchmarks.suites.gate_counts import LIBRARIES, TABLE


@pytest.fixture(scope="module")
def recorded():
    return TABLE.read()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["K4", "S4"])
def test_rows_are_the_recorded_ones(recorded, name):
    asked = argparse.Namespace(missing=["PennyLane", "Qrisp"])
    fresh = gate_counts.measure(name, asked)
    assert {row.library for row in fresh} == {"gatesolve", "Qiskit"}
    assert list_differences(fresh, recorded) == []


def test_every_case_has_our_rows_and_every_peers(recorded):
    ours = {r.puzzle for r in recorded if r.library == "gatesolve"}
    assert ours == {r.puzzle for r in recorded if r.library == "Qiskit"} == set(problems.NAMES)
    assert {r.library for r in recorded if r.puzzle == "K4"} == set(LIBRARIES)
    assert all(r.checked >= min(64, r.states) for r in recorded)


def test_a_missing_peer_gives_a_notice(capsys):
    chosen = ["--only", "S4", "--library", "PennyLane", "--library", "Qrisp", "--check"]
    assert gate_counts.SUITE.run("", [*chosen, "--peer-python", "/nowhere/python"]) == 0
    said = capsys.readouterr().out
    assert "PennyLane skipped, its recorded rows are kept: " in said
    assert "/nowhere/python" in said
    assert "Qrisp skipped, its recorded rows are kept: " in said

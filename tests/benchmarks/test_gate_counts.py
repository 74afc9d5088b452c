"""Gate counts beside other libraries: the bars, rows measured again, and what stands beside what."""

import argparse

import numpy as np
import pytest

from benchmarks.core import follow, problems
from benchmarks.core.rows import list_differences
from benchmarks.peers.checks import checks
from benchmarks.suites import gate_counts
from benchmarks.suites.gate_counts import LIBRARIES, TABLE


@pytest.fixture(scope="module")
def recorded():
    return TABLE.read()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["K4", "S4"])
def test_rows_are_the_recorded_ones(recorded, name):
    asked = argparse.Namespace(missing=["PennyLane", "Qrisp"])
    fresh = gate_counts.measure(name, asked)
    assert {row.library for row in fresh} == {"gatesolve", "Qiskit"}
    assert list_differences(fresh, recorded) == []


def test_the_bars_are_met(recorded):
    def of(puzzle, variant):
        (found,) = (r for r in recorded if (r.puzzle, r.library, r.variant) == (puzzle, "gatesolve", variant))
        return found

    k7, s4 = of("K7", "minimised"), of("S4", "minimised")
    assert k7.presolve == s4.presolve == "none"
    assert k7.cx <= 160
    assert k7.t <= 170
    assert of("K7", "minimised, measured erasure").t <= 90
    assert s4.cx <= 150
    assert s4.depth <= 144


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


def row(**changed):
    plain = TABLE.row(
        "K4", "none", 256, "gatesolve", "0.1", "", "minimised", "binary", 12, 36, 39, 42, 36, 35, 256, 0.3
    )
    return plain.replace(**changed)


def test_ratios_are_to_our_row_that_does_the_same_work():
    rows = [
        row(variant="each constraint alone", level="literal", cx=54, qubits=30),
        row(variant="each constraint alone, at Qiskit's width", level="literal", cx=81, qubits=14),
        row(variant="minimised"),
        row(variant="solutions known", level="classical", cx=12),
        row(library="Qiskit", level="literal", cx=108, qubits=14),
        row(library="Qiskit", level="classical", cx=24),
        row(library="Qrisp", level="literal", cx=None, t=None, depth=None, cx_u=108),
    ]
    assert [line[10] for line in gate_counts.lines(rows)] == ["1.00", "1.50", "3.00", "1.00", "2.00", "2.00", "3.00"]
    (line,) = gate_counts.summary(rows)
    assert line[3:5] == [30, 54]
    assert line[7:11] == [14, 81, 14, "2.00"]
    assert line[13] is None
    assert line[18:20] == ["3.00", None]


def test_what_knew_more_never_stands_in_a_table_with_what_checks_each_constraint(recorded):
    *_, literal, known = gate_counts.section(recorded).split("**")[2::2]
    assert "| literal |" in literal
    assert "| minimised |" not in literal
    assert "| classical |" not in literal
    assert "| literal |" not in known


def test_peers_check_each_pair_of_different_cells_once():
    s4 = problems.case("S4")
    written = checks((s4.model, s4.merged), s4.space)
    assert (written.data, len(written.flags)) == (8, 15)
    flags = np.zeros((23, 256), dtype=bool)
    flags[:8] = s4.space.bits(np.arange(256))
    for controls, values, target in written.gates:
        flags[target] ^= (flags[list(controls)] == np.array(values, dtype=bool)[:, None]).all(axis=0)
    assert np.array_equal(flags[8:].all(axis=0), follow.wanted(s4.model, s4.space, np.arange(256)))
    assert np.array_equal(flags[:8], s4.space.bits(np.arange(256)))


def test_every_case_is_known_by_its_name():
    for name in problems.NAMES:
        assert problems.case(name).space.num_qubits > 0
    assert {name.split("/")[0] for name in problems.NAMES if "/" in name} == {
        "kakuro", "sudoku", "takuzu", "tango", "queens", "starbattle", "tents", "galaxies", "chess"
    }  # fmt: skip

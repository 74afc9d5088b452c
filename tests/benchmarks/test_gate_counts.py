import sys
from dataclasses import replace

import numpy as np
import pytest


@pytest.fixture(scope="module")
def gate_counts(benchmark_module):
    return benchmark_module("suites.gate_counts")


@pytest.fixture(scope="module")
def records(benchmark_module):
    return benchmark_module("suites.records")


@pytest.fixture(scope="module")
def recorded(records):
    return records.read()


def silent(line):
    pass


def row(records, **changed):
    plain = records.Row(
        "K4", "none", 256, "gatesolve", "0.1", "", "minimised", "binary", 12, 36, 39, 42, 36, 35, 256, 0.3
    )
    return replace(plain, **changed)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["K4", "S4"])
def test_our_rows_are_the_recorded_ones(benchmark_module, records, recorded, name):
    fresh = benchmark_module("suites.ours").rows(benchmark_module("suites.cases").case(name), silent)
    assert records.differences(fresh, recorded) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["K4", "S4"])
def test_qiskits_rows_are_the_recorded_ones(benchmark_module, records, recorded, name):
    fresh = benchmark_module("suites.gate_peers").qiskit_rows(benchmark_module("suites.cases").case(name), silent)
    assert records.differences(fresh, recorded) == []


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


def test_every_case_has_our_rows_and_every_peers(benchmark_module, records, recorded):
    cases = benchmark_module("suites.cases")
    ours = {r.puzzle for r in recorded if r.library == records.OURS}
    assert ours == set(cases.NAMES)
    assert {r.puzzle for r in recorded if r.library == "Qiskit"} == ours
    assert {r.library for r in recorded if r.puzzle == "K4"} == set(records.LIBRARIES)
    assert all(r.checked >= min(64, r.states) for r in recorded)


def test_the_readme_shows_the_recorded_rows(benchmark_module, recorded):
    text = benchmark_module("core.report").README.read_text(encoding="utf-8")
    section = text.split("<!-- gate_counts: begin -->\n")[1].split("\n<!-- gate_counts: end -->")[0]
    assert section == benchmark_module("suites.tables").section(recorded)


def test_rows_survive_the_file(records, tmp_path):
    rows = [row(records), row(records, library="Qrisp", cx=None, t=None, depth=None)]
    records.write(rows, tmp_path / "rows.csv")
    assert records.read(tmp_path / "rows.csv") == rows
    assert records.read(tmp_path / "none.csv") == []


def test_a_changed_count_is_named(records):
    before = [row(records)]
    assert records.differences([row(records)], before) == []
    assert records.differences([row(records, seconds=9.0, version="0.2")], before) == []
    assert records.differences([row(records, cx=35)], before) == ["K4, gatesolve: cx 36 -> 35"]
    assert records.differences([row(records, variant="new")], before) == [
        "K4, gatesolve new: not recorded",
        "K4, gatesolve: not made any more",
    ]


def test_a_peer_of_another_version_is_passed_over(records):
    before = [row(records, library="Qiskit", version="2.5")]
    assert records.differences([row(records, library="Qiskit", version="2.6", cx=1)], before) == []
    assert len(records.differences([row(records, library="Qiskit", version="2.5", cx=1)], before)) == 1


def test_rows_of_a_missing_peer_are_kept(records):
    peer = row(records, library="Qrisp")
    other = row(records, puzzle="K7")
    fresh = row(records, cx=30)
    assert records.merged([fresh], [row(records), peer, other], ["K4", "K7"], ["Qrisp"]) == [fresh, peer, other]
    assert records.merged([fresh], [row(records), peer, other], ["K4", "K7"], []) == [fresh, other]


def test_a_missing_peer_gives_a_notice(gate_counts, capsys):
    chosen = ["--puzzle", "S4", "--library", "PennyLane", "--library", "Qrisp", "--check"]
    assert gate_counts.main([*chosen, "--peer-python", "/nowhere/python"]) == 0
    said = capsys.readouterr().out
    assert "PennyLane skipped, its recorded rows are kept: " in said
    assert "/nowhere/python" in said
    assert "Qrisp skipped, its recorded rows are kept: " in said


@pytest.mark.slow
def test_a_changed_row_fails_the_check(gate_counts, records, monkeypatch, capsys):
    monkeypatch.setattr(records, "read", lambda: [row(records, puzzle="S4", variant="minimised", cx=1)])
    assert gate_counts.main(["--puzzle", "S4", "--library", "gatesolve", "--check"]) == 1
    assert "cx 1 -> " in capsys.readouterr().out


def test_ratios_are_to_our_row_that_does_the_same_work(benchmark_module, records):
    tables = benchmark_module("suites.tables")
    rows = [
        row(records, variant="each constraint alone", level="literal", cx=54, qubits=30),
        row(records, variant="each constraint alone, at Qiskit's width", level="literal", cx=81, qubits=14),
        row(records, variant="minimised"),
        row(records, variant="solutions known", level="classical", cx=12),
        row(records, library="Qiskit", level="literal", cx=108, qubits=14),
        row(records, library="Qiskit", level="classical", cx=24),
        row(records, library="Qrisp", level="literal", cx=None, t=None, depth=None, cx_u=108),
    ]
    assert [line[10] for line in tables.lines(rows)] == ["1.00", "1.50", "3.00", "1.00", "2.00", "2.00", "3.00"]
    (line,) = tables.summary(rows)
    assert line[3:5] == [30, 54]
    assert line[7:11] == [14, 81, 14, "2.00"]
    assert line[13] is None
    assert line[18:20] == ["3.00", None]


def test_what_knew_more_never_stands_in_a_table_with_what_checks_each_constraint(benchmark_module, recorded):
    *_, literal, known = benchmark_module("suites.tables").section(recorded).split("**")[2::2]
    assert "| literal |" in literal
    assert "| minimised |" not in literal
    assert "| classical |" not in literal
    assert "| literal |" not in known


def test_peers_check_each_pair_of_different_cells_once(benchmark_module):
    cases, literal = benchmark_module("suites.cases"), benchmark_module("peers.checks")
    s4 = cases.case("S4")
    checks = literal.checks((s4.model, s4.merged), s4.space)
    assert (checks.data, len(checks.flags)) == (8, 15)
    flags = np.zeros((23, 256), dtype=bool)
    flags[:8] = s4.space.bits(np.arange(256))
    for controls, values, target in checks.gates:
        flags[target] ^= (flags[list(controls)] == np.array(values, dtype=bool)[:, None]).all(axis=0)
    assert np.array_equal(flags[8:].all(axis=0), cases.wanted(s4.model, s4.space, np.arange(256)))
    assert np.array_equal(flags[:8], s4.space.bits(np.arange(256)))


def test_every_case_is_known_by_its_name(benchmark_module):
    cases = benchmark_module("suites.cases")
    assert len(set(cases.NAMES)) == len(cases.NAMES) >= 16
    for name in cases.NAMES:
        assert cases.case(name).space.num_qubits > 0
    assert {name.split("/")[0] for name in cases.NAMES if "/" in name} == {
        "kakuro", "sudoku", "takuzu", "tango", "queens", "starbattle", "tents", "galaxies", "chess"
    }  # fmt: skip


def test_peers_run_in_this_interpreter_unless_told(gate_counts):
    assert gate_counts.parsed([]).peer_python == sys.executable

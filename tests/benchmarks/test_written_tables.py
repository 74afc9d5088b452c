"""Pages show what scripts of benchmarks/ recorded; rows are measured again."""

import pytest


@pytest.mark.parametrize("name", ["suites.divide", "suites.proofs", "suites.referee"])
def test_the_pages_show_the_recorded_rows(benchmark_module, monkeypatch, name):
    script = benchmark_module(name)
    benchmark_module("suites.physical")  # imported late by divide.py
    written = {}
    monkeypatch.setattr(script, "write_rows", lambda *_: None)
    monkeypatch.setattr("pathlib.Path.write_text", lambda path, text, **_: written.update({path: text}))
    script.main(["--tables"])
    assert written
    assert all(path.read_text(encoding="utf-8") == text for path, text in written.items())


@pytest.mark.slow
def test_a_board_is_divided_as_recorded(benchmark_module):
    script = benchmark_module("suites.divide")
    found = script.solve_board("Queens 18x18", 12)
    (row,) = (r for r in script.read_rows(script.Row, script.FILE) if (r.board, r.max_space) == ("Queens 18x18", 12))
    assert script.lines([found])[0][:-2] == script.lines([row])[0][:-2]


@pytest.mark.parametrize(
    "case", [4, *(pytest.param(k, marks=pytest.mark.slow) for k in (0, 1, 2, 3))], ids=["Tents", "K7", "S4", "T4", "Q4"]
)
def test_early_checks_are_as_the_page_shows(benchmark_module, monkeypatch, case):
    script = benchmark_module("suites.early_check")
    monkeypatch.setattr(script, "CASES", script.CASES[case : case + 1])
    found = script.report.markdown_table(script.HEADER, [*script.rows()]).splitlines()[2:]
    shown = [line for line in script.PAGE.read_text(encoding="utf-8").splitlines() if line in found]
    assert len(found) == 2
    assert shown == found


@pytest.mark.slow
def test_thresholds_of_gas_are_as_the_page_shows(benchmark_module):
    script = benchmark_module("suites.gas")
    _, header, found = script.other_table(script.parsed(["--thresholds"]))
    assert script.report.markdown_table(header, found) in script.PAGE.read_text(encoding="utf-8")

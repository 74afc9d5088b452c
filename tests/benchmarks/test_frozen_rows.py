"""Rows that pages quote, measured again, and bars that they must keep."""

import importlib

import pytest

from benchmarks.core import report
from benchmarks.core.rows import list_differences
from benchmarks.suites import anneal, early_check, mcx_plugin, proofs

slow = pytest.mark.slow


@pytest.mark.sampled(2)
@pytest.mark.quick("physical-Kakuro K4")
@pytest.mark.parametrize(
    ("name", "case"),
    [
        *(("physical", case) for case in ("Kakuro K4", "Kakuro K7", "Sudoku 4x4")),
        *(("phase_oracles", case) for case in ("3-cnf", "kakuro-like", "logo-2026")),
        ("fractional", "K4"),
        *(("pennylane_rules", case) for case in ("3", "5")),
        *(("estimators", case) for case in ("kakuro/contest.txt", "sudoku/sgt-3x3de5.txt")),
        pytest.param("gas", "dense-8", marks=slow),
    ],
)
def test_rows_are_the_recorded_ones(name, case):
    if name in {"physical", "estimators"}:
        pytest.importorskip("qdk")
    suite = importlib.import_module(f"benchmarks.suites.{name}").SUITE
    asked = suite.parse("", ["--only", case])
    asked.missing = []
    is_remade = lambda row: suite.case_of(row) == case and not suite.stays(row, asked)  # noqa: E731
    assert list_differences(list(suite.measure(case, asked)), suite.table.read(), is_remade) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", [0, *(pytest.param(k, marks=slow) for k in (3, -1))])
def test_reads_of_annealing(number):
    name, sampler, reads, seed = anneal.WRITTEN[number]
    puzzle = anneal.load(anneal.EXAMPLES / name)
    formula = anneal.make_formula(puzzle, False)
    row = anneal.measure_board(name, puzzle, formula, sampler, 1000, reads if number else 0, seed)
    (kept,) = (one for one in anneal.TABLE.read() if one.key == row.key)
    assert {name: figure for name, figure in row.figures.items() if figure is not None} == {
        name: kept.figures[name] for name, figure in row.figures.items() if figure is not None
    }


@pytest.mark.sampled(1)
@slow
@pytest.mark.parametrize("name", ["choices", "without"])
def test_tables_of_the_plugin(name):
    text = report.fill(mcx_plugin.PAGE, {name: getattr(mcx_plugin, f"{name}_table")()})
    assert text == {mcx_plugin.PAGE: mcx_plugin.PAGE.read_text(encoding="utf-8")}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("board", ["Tents", "K7", "Sudoku 4x4", "Takuzu", "Queens"])
def test_early_checks_are_as_the_page_shows(board):
    found = report.markdown_table(early_check.HEADER, [*early_check.rows([board])]).splitlines()[2:]
    shown = [line for line in early_check.PAGE.read_text(encoding="utf-8").splitlines() if line in found]
    assert len(found) == 2
    assert shown == found


@slow
def test_a_proof_is_made_again():
    made = proofs.measure_board("queens/linkedin-8x8.txt", "binary", "literal")
    (kept,) = (row for row in proofs.TABLE.read() if row.key == made.key)
    for name in ("status", "states", "iterations", "qubits", "cx", "depth", "open"):
        assert getattr(made, name) == getattr(kept, name)

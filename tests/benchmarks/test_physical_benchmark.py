"""The suite `physical`: rows estimated again, the page, the searches it must hold."""

from pathlib import Path

import pytest

pytest.importorskip("qdk.qre")
PAGE = Path(__file__).parents[2] / "docs/physical.md"


@pytest.fixture(scope="module")
def physical(benchmark_module):
    return benchmark_module("suites.physical")


@pytest.mark.quick("Kakuro*")
@pytest.mark.parametrize("case", ["Kakuro K4", "Kakuro K7", "Sudoku 4x4"])
def test_rows_estimated_again(physical, case):
    assert physical.measured(case) == [row for row in physical.read() if row.case == case]


def test_the_page_shows_the_recorded_rows(physical):
    text = PAGE.read_text(encoding="utf-8")
    for header, body in ((physical.HEADER, physical.lines), (physical.OTHER, physical.others)):
        assert physical.report.markdown_table(header, body(physical.read())) in text


def test_every_case_has_a_row_for_every_machine(physical):
    recorded = {(row.case, row.presolve, row.model) for row in physical.read()}
    assert len(recorded) == len(physical.read()) == len(physical.cases()) * 6
    hardest = [row for row in physical.read() if "Inkala" in row.case and row.presolve == "propagate"]
    assert len(hardest) == 18
    assert all(row.states > 46 and row.checked > 4096 and row.marked is None for row in hardest)

"""docs/mcx.md shows what the code makes."""

from pathlib import Path

import pytest
from scripts import load_script

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/mcx.md").read_text(encoding="utf-8")

BENCHMARK = load_script(ROOT / "benchmarks/mcx_rules.py")


def test_table_of_rules_is_up_to_date():
    assert BENCHMARK.with_section(PAGE, "rules", BENCHMARK.rules_table()) == PAGE


@pytest.mark.parametrize("budget", BENCHMARK.BUDGETS, ids=lambda b: b.name)
def test_rows_beside_others_are_up_to_date(budget):
    """Without the peers that are not installed here, which are no better anywhere."""
    made = BENCHMARK.row(5, budget)
    assert not BENCHMARK.worse(made)
    (shown,) = (line for line in PAGE.splitlines() if line.startswith(f"| 5 | {budget.name} |"))
    assert shown.strip("| ").split(" | ")[2::2] == made[2::2]


def test_no_peer_is_better_anywhere():
    rows = [line.strip("| ").split(" | ") for line in PAGE.split("<!-- peers: begin -->")[1].splitlines()[3:-1]]
    assert len(rows) == 36
    assert not [row for row in rows if BENCHMARK.worse(row)]

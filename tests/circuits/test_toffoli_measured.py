"""The table of circuits of few Toffoli gates: its README, and its calls; test_open_table.py has the circuits judged."""

import csv
from pathlib import Path

import pytest
from benchmark_calls import MODELS, score_call

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "circuits" / "toffoli-measured"


with (FOLDER / "results.csv").open() as table:
    ROWS = {row["name"]: row for row in csv.DictReader(table)}


def test_the_readme_shows_the_rows():
    text = (FOLDER / "README.md").read_text()
    shown = [
        [cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")
    ]
    words = {row["name"]: compare(int(row["toffoli"]), int(row["published"])) for row in ROWS.values()}
    keys = ("name", "class", "toffoli", "published", "qubits", "made", "by_call")
    # Published numbers are of another class than clean rows.
    rows = [row | ({"published": ""} if row["class"] == "clean" else {}) for row in ROWS.values()]
    assert [[*cells[:4], *cells[5:]] for cells in shown[2:]] == [[row[key] for key in keys] for row in rows]
    assert [cells[4] for cells in shown[2:]] == ["" if "-" in name else word for name, word in words.items()]
    counts = [
        sum(word == one and "-" not in name for name, word in words.items()) for one in ("ahead", "equal", "behind")
    ]
    assert counts == [7, 20, 0]


@pytest.mark.parametrize("name", MODELS)
def test_calls_are_judged_again(name):
    assert score_call(name) == int(ROWS[name]["by_call"]) == int(ROWS[name]["toffoli"])


def compare(ours, published):
    return "ahead" if ours < published else "equal" if ours == published else "behind"

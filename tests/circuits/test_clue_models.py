"""Sudokus of published circuits, modelled by their clues: the README shows the rows, and solutions keep the rules."""

import csv
from itertools import chain
from pathlib import Path

import pytest
from clue_models import list_candidates, read_clues, state_model

import gatesolve

FOLDER = Path(__file__).parents[2] / "circuits" / "backtracking-2024"
MICROSOFT = FOLDER.with_name("microsoft-695")


def test_the_readme_shows_the_rows():
    lines = (FOLDER / "README.md").read_text().splitlines()
    shown = [[cell.strip() for cell in line.split("|")[2:-1]] for line in lines if line.startswith(("| cand", "| all"))]
    with (FOLDER / "results.csv").open() as file:
        rows = [[row[key] for key in row if key not in {"name", "checked"}] for row in csv.DictReader(file)]
    assert [[cell.replace(",", "") for cell in row] for row in shown] == rows


@pytest.mark.parametrize("kept", ["candidates", "all-digits"])
def test_both_models_have_a_solution_of_the_board(kept):
    clues = read_clues(FOLDER / "board.txt")
    domains = list_candidates(clues, 2)
    if kept == "all-digits":
        domains = dict.fromkeys(domains, (1, 2, 3, 4))
    found = gatesolve.solve(state_model(clues, 2, domains), seed=1).solution
    grid = [[clues[r, c] or found[f"r{r + 1}c{c + 1}"] for c in range(4)] for r in range(4)]
    boxes = [[*above[k : k + 2], *below[k : k + 2]] for above, below in (grid[:2], grid[2:]) for k in (0, 2)]
    lines = [*grid, *zip(*grid, strict=True), *boxes]
    assert list(clues.values()).count(0) == len(found) == 9
    assert all(sorted(line) == [1, 2, 3, 4] for line in lines)


@pytest.mark.sampled(0.3)
def test_the_model_is_the_board_of_microsoft():
    clues = read_clues(MICROSOFT / "board.txt")
    found = gatesolve.solve(state_model(clues, 3), presolve="none", encoding="binary", level="literal", seed=1)
    board = gatesolve.solve(MICROSOFT / "board.txt")
    assert found.status == board.status == "solved"
    grid = [[clues[r, c] or found.solution[f"r{r + 1}c{c + 1}"] for c in range(9)] for r in range(9)]
    lines = [*grid, *zip(*grid, strict=True)]
    boxes = [chain(*(row[3 * j : 3 * j + 3] for row in grid[3 * i : 3 * i + 3])) for i in range(3) for j in range(3)]
    assert all(sorted(unit) == list(range(1, 10)) for unit in [*lines, *boxes])
    assert board.solution.items() >= found.solution.items()
    assert [clues[cell] for cell in sorted(clues)].count(0) == len(found.solution) == 21

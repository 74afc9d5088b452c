"""Microsoft's Sudoku: made again the circuits are the same files, and what they mark is the board's solution."""

from itertools import chain
from pathlib import Path

from clue_models import read_clues, state_model

import gatesolve

FOLDER = Path(__file__).parents[2] / "circuits" / "microsoft-695"


def test_the_model_is_the_board():
    clues = read_clues(FOLDER / "board.txt")
    found = gatesolve.solve(state_model(clues, 3), presolve="none", encoding="binary", level="literal", seed=1)
    board = gatesolve.solve(FOLDER / "board.txt")
    assert found.status == board.status == "solved"
    grid = [[clues[r, c] or found.solution[f"r{r + 1}c{c + 1}"] for c in range(9)] for r in range(9)]
    lines = [*grid, *zip(*grid, strict=True)]
    boxes = [chain(*(row[3 * j : 3 * j + 3] for row in grid[3 * i : 3 * i + 3])) for i in range(3) for j in range(3)]
    assert all(sorted(unit) == list(range(1, 10)) for unit in [*lines, *boxes])
    assert board.solution.items() >= found.solution.items()
    assert [clues[cell] for cell in sorted(clues)].count(0) == len(found.solution) == 21

"""Remake the circuits for the 9x9 Sudoku of microsoft/Quantum #695: ``python circuits/microsoft-695/make.py [FOLDER]``.

The search begins with the digits that the clues leave for each empty cell, or with Microsoft's own, which are more;
nothing else is worked out classically, and each constraint is checked alone.
"""

from __future__ import annotations

import csv
import sys
from itertools import product
from pathlib import Path

import gatesolve

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from clue_models import list_candidates, read_clues, state_model  # noqa: E402

ENCODINGS = ("one-hot", "binary")
BOX = 3


def list_as_microsoft(clues: dict[tuple[int, int], int]) -> dict[str, tuple[int, ...]]:
    """For each empty cell the digits that Microsoft's sample begins with.

    It looks for clues in the row, in the column, and in the cells of the box that lie both above and to the left
    (``FindEdgesAndInitialNumberConstraints`` of its ``SudokuQuantum.cs``).
    """
    kept = {}
    for (row, column), clue in clues.items():
        seen = {clues[row, k] for k in range(9)} | {clues[k, column] for k in range(9)}
        seen |= {clues[r, c] for r in range(row - row % 3, row) for c in range(column - column % 3, column)}
        if not clue:
            kept[f"r{row + 1}c{column + 1}"] = tuple(digit for digit in range(1, 10) if digit not in seen)
    return kept


def remake(folder: Path) -> list[list[object]]:
    """Write each circuit (OpenQASM 3, all iterations) with its certificate, and ``results.csv``, into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    clues = read_clues(HERE / "board.txt")
    domains = {"": list_candidates(clues, BOX), "-as-microsoft": list_as_microsoft(clues)}
    rows = list[list[object]]()
    for (kind, kept), encoding in product(domains.items(), ENCODINGS):
        compiled = gatesolve.compile(state_model(clues, BOX, kept), presolve="none", encoding=encoding, level="literal")
        name = encoding + kind
        if not kind:
            gatesolve.export(compiled, folder / f"{name}.qasm3", "whole")
        made, certificate = compiled.program, compiled.certificate
        counts = made.resources()
        row = [name, compiled.level, made.space.size, certificate.checked, certificate.marked, made.iterations]
        rows.append([*row, counts.qubits, counts.cx, counts.depth])
    header = ["name", "level", "states", "checked", "marked", "iterations", "qubits", "cx", "depth"]
    with (folder / "results.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return rows


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for name, _, states, _, _, iterations, qubits, cx, depth in remake(target):
        print(f"{name}: {states} states, {iterations} iterations, {qubits} qubits, {cx} CX, depth {depth}")

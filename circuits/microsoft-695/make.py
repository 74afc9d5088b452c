"""Remake the circuits for the 9x9 Sudoku of microsoft/Quantum #695: ``python circuits/microsoft-695/make.py [FOLDER]``.

The search begins, as Microsoft's does, with the digits that the clues leave for each empty cell; nothing else is worked
out classically, and each constraint is checked alone.
"""

from __future__ import annotations

import csv
import sys
from itertools import product
from pathlib import Path

import gatesolve
from gatesolve.model import AllDifferent, Model, Variable

HERE = Path(__file__).resolve().parent
ENCODINGS = ("one-hot", "binary")
SIZE, BOX = 9, 3
Cell = tuple[int, int]


def read_clues(path: Path) -> dict[Cell, int]:
    """The digit of each cell, 0 where it is empty."""
    lines = [line.replace(" ", "") for line in path.read_text().splitlines()[2:]]
    return {(r, c): 0 if word == "." else int(word) for r, line in enumerate(lines) for c, word in enumerate(line)}


def list_units() -> list[list[Cell]]:
    """Rows, columns and boxes."""
    cells = list(product(range(SIZE), range(SIZE)))
    parts = (lambda r, c: r, lambda r, c: c, lambda r, c: (r // BOX, c // BOX))
    return [[k for k in cells if part(*k) == one] for part in parts for one in dict.fromkeys(part(*k) for k in cells)]


def state_model(clues: dict[Cell, int]) -> Model:
    """Empty cells over the digits that no clue in their row, column or box has; in each of these they differ."""
    units, empty = list_units(), {cell: f"r{cell[0] + 1}c{cell[1] + 1}" for cell, digit in clues.items() if not digit}
    seen = {cell: {clues[other] for unit in units if cell in unit for other in unit} for cell in empty}
    variables = [Variable(name, tuple(sorted({*range(1, SIZE + 1)} - seen[cell]))) for cell, name in empty.items()]
    groups = [[empty[cell] for cell in unit if cell in empty] for unit in units]
    return Model(tuple(variables), tuple(AllDifferent(tuple(group)) for group in groups if len(group) > 1))


def remake(folder: Path) -> list[list[object]]:
    """Write each circuit (OpenQASM 3, all iterations) with its certificate, and ``results.csv``, into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    model = state_model(read_clues(HERE / "board.txt"))
    rows = list[list[object]]()
    for encoding in ENCODINGS:
        compiled = gatesolve.compile(model, presolve="none", encoding=encoding, level="literal")
        gatesolve.export(compiled, folder / f"{encoding}.qasm3", "whole")
        made, certificate = compiled.program, compiled.certificate
        counts = made.resources()
        row = [encoding, compiled.level, made.space.size, certificate.checked, certificate.marked, made.iterations]
        rows.append([*row, counts.qubits, counts.cx, counts.depth])
    header = ["name", "level", "states", "checked", "marked", "iterations", "qubits", "cx", "depth"]
    with (folder / "results.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return rows


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for name, _, states, _, _, iterations, qubits, cx, depth in remake(target):
        print(f"{name}: {states} states, {iterations} iterations, {qubits} qubits, {cx} CX, depth {depth}")

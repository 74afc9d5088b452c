"""Remake the circuits for the 9x9 Sudoku of microsoft/Quantum #695: ``python circuits/microsoft-695/make.py [FOLDER]``.

The search begins, as Microsoft's does, with the digits that the clues leave for each empty cell; nothing else is worked
out classically, and each constraint is checked alone.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import gatesolve

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from clue_models import read_clues, state_model  # noqa: E402

ENCODINGS = ("one-hot", "binary")
BOX = 3


def remake(folder: Path) -> list[list[object]]:
    """Write each circuit (OpenQASM 3, all iterations) with its certificate, and ``results.csv``, into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    model = state_model(read_clues(HERE / "board.txt"), BOX)
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

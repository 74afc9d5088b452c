"""Remake our searches of a 4x4 Sudoku with nine blanks: ``python circuits/backtracking-2024/make.py [FOLDER]``.

The board is searched twice: over the digits that the clues leave for each cell, and over all four digits of each cell,
the clues being constraints of the oracle. Nothing else is worked out classically.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import gatesolve
from gatesolve.programs.amplification import success_probability

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from clue_models import list_candidates, read_clues, state_model  # noqa: E402

BOX = 2
PUBLISHED_DEPTH = 3968
LEVELS = ("literal", "minimised")


def remake(folder: Path) -> list[list[object]]:
    """Write the circuits over candidates (OpenQASM 3, all iterations), certificates and ``results.csv``."""
    folder.mkdir(parents=True, exist_ok=True)
    clues = read_clues(HERE / "board.txt")
    rows = list[list[object]]()
    candidates = list_candidates(clues, BOX)
    every = dict.fromkeys(candidates, tuple(range(1, BOX**2 + 1)))
    for domains, kept in (("all-digits", every), ("candidates", candidates)):  # the strictest first
        model = state_model(clues, BOX, kept)
        for level in LEVELS:
            compiled = gatesolve.compile(model, presolve="none", encoding="binary", level=level, optimize="depth")
            name = f"{domains}-{level}"
            if domains == "candidates":
                gatesolve.export(compiled, folder / f"{name}.qasm3", "whole")
            rows += [[name, compiled.level, *row] for row in list_rows(compiled)]
    header = ["name", "level", "states", "checked", "iterations", "success", "qubits", "cx", "depth"]
    with (folder / "results.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return rows


def list_rows(compiled: gatesolve.Compiled) -> list[list[object]]:
    """The whole search and, where that is deeper than the published circuit, as many iterations as fit its depth."""
    most = compiled.program.iterations
    rows = [one_row(compiled, most)]
    if rows[0][-1] > PUBLISHED_DEPTH:
        guess = PUBLISHED_DEPTH * most // rows[0][-1] + 3  # too many: what the circuit's ends add is less than three
        rows.append(next(row for k in range(guess, -1, -1) if (row := one_row(compiled, k))[-1] <= PUBLISHED_DEPTH))
    return [list(row) for row in rows]


def one_row(compiled: gatesolve.Compiled, iterations: int) -> tuple[int, int, int, str, int, int, int]:
    """States, states the oracle was run on, iterations, success without noise, qubits, CX and depth."""
    program, checked = compiled.program.with_iterations(iterations), compiled.certificate.checked
    success = success_probability(program.space.size, compiled.certificate.marked, iterations)
    made = program.resources()
    return program.space.size, checked, iterations, f"{success:.4f}", made.qubits, made.cx, made.depth


if __name__ == "__main__":
    for row in remake(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE):
        print(*row)

"""The rows of the comparison with other libraries at the level `literal`, from benchmarks/results/."""

from __future__ import annotations

import csv
from pathlib import Path

FILE = Path(__file__).parents[1] / "benchmarks" / "results" / "constraint_peers.csv"
Row = dict[str, str]
SHORT = ["board", "binary, `cx`", "binary, `depth`", "one-hot, `cx`", "one-hot, `depth`", "best peer", "its size",
         "its CX / ours"]  # fmt: skip
FRONT = ["board", "gatesolve, few CX", "gatesolve, low depth", "best peer", "its size", "its CX / ours"]
LARGEST = ("16 colours, 7 edges", "Petersen graph, 16 colours", "magic square 3x3", "Golomb ruler, 4 marks",
           "SEND + MORE = MONEY", "8 queens as columns", "job shop 3x3", "bin packing 6 in 3", "knapsack of 8",
           "Sudoku 9x9, no givens")  # fmt: skip
"""The boards of `front`: of each kind the largest."""
LONG = ["board", "oracle", "encoding", "qubits", "CX", "T", "T measured", "depth", "CX ratio", "T ratio",
        "depth ratio", "checked"]  # fmt: skip


def by_board() -> dict[str, list[Row]]:
    """The recorded rows of every board."""
    with FILE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {board: [row for row in rows if row["board"] == board] for board in dict.fromkeys(r["board"] for r in rows)}


def best_peer(rows: list[Row]) -> Row:
    """The peers' row of fewest CX; of equal ones that of fewest T, then the narrowest."""
    theirs = [row for row in rows if row["library"] != "gatesolve"]
    return min(theirs, key=lambda row: (int(row["cx"]), int(row["t"]), int(row["qubits"])))


def own(rows: list[Row], encoding: str = "binary", variant: str = "") -> Row:
    """Ours with as many ancillas as it likes, for few CX or ``for depth``."""
    return next(r for r in rows if (r["library"], r["encoding"], r["variant"]) == ("gatesolve", encoding, variant))


def short() -> list[list[object]]:
    """A line a board under `SHORT`: ours in both encodings, the best peer, which is in binary, and its CX by ours."""
    lines = []
    for board, rows in by_board().items():
        peer = best_peer(rows)
        ours = [own(rows, encoding, variant) for encoding in ("binary", "one-hot") for variant in ("", "for depth")]
        lines.append([board, *map(_size, ours), peer["library"], _size(peer), _ratio(peer, ours[0], "cx")])
    return lines


def front() -> list[list[object]]:
    """The lines of README's table under `FRONT`: `short` without one-hot, of each kind the largest board."""
    lines = {line[0]: line for line in short()}
    return [[board, *lines[board][1:3], *lines[board][5:8]] for board in LARGEST]


def _size(row: Row) -> str:
    """Qubits, CX and depth in one cell."""
    return " / ".join(f"{int(row[name]):,}" for name in ("qubits", "cx", "depth"))


def long() -> list[list[object]]:
    """A line a row of the file under `LONG`; ratios are to our binary row without a limit."""
    lines = []
    for board, rows in by_board().items():
        for row in rows:
            ratios = [_ratio(row, own(rows), name) for name in ("cx", "t", "depth")]
            measured = int(row["t_measured"]) if row["t_measured"] else None
            counts = [int(row[name]) for name in ("qubits", "cx", "t")]
            name = ", ".join(part for part in (row["library"], row["variant"]) if part)
            lines.append([board, name, row["encoding"], *counts, measured, int(row["depth"]), *ratios, row["checked"]])
    return lines


def _ratio(row: Row, ours: Row, name: str) -> str:
    return f"{int(row[name]) / int(ours[name]):.2f}"

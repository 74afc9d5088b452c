"""Remake the entry for the Classiq Quantum Circuit Challenge 2026: ``python circuits/logo-2026/make.py [FOLDER]``.

A phase oracle for a bitmap of 64 x 64 pixels, on 12 data qubits (x, then y, each little-endian) and at most six
clean ancillas, in u3 and cx gates. The score is the depth, then the CX.
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import numpy as np
from folded import classes, folded_ops
from folded_code import recipe_of
from qiskit import QuantumCircuit

from gatesolve.circuit.lowering import lower

HERE = Path(__file__).resolve().parent
SIDE = 64
X_BITS = Y_BITS = 6
WIDTH, TRIES, SEED = 18, 150, 1
# Found by anneal.cpp, whose head says how to run it on what ``make.py --classes x`` (or y) prints.
X_RECIPE = (
    "6 7 8 5: 6 2 ~5, 7 3, 8 4, 3 5 1, 8 6 ~4, 7 2, 2 ~3 7, 0 ~4 ~6, 2 8, 3 ~8 5, 1 3, 7 6, 6 0 ~1 2, 4 5 "
    "~8, 5 ~7 ~0 3, 4 ~6 ~7 ~1, 2 5 8, 3 8 5, 7 3 ~6, 8 ~2 ~4, 6 3"
)
Y_RECIPE = (
    "6 7 8 3: 0 1, 7 5, 6 4 7, 4 3 2, 8 4 ~7, 0 ~4 ~6, 7 6, 3 5, 5 3 ~2, 1 ~5 ~7, 2 6, 3 ~2 ~4, 2 1 0, 6 "
    "4 ~2 ~8, 2 3, 6 7 ~5, 4 ~2 0, 2 4 1, 8 ~2 7, 5 ~6 ~2, 6 5, 8 6 ~3, 6 8 ~2 ~0, 3 8 5, 8 3"
)


def marked(x: int, y: int) -> bool:
    """The logo as its official formula has it: a square, a bar and two discs."""
    square = 2 <= x <= 26 and 29 <= y <= 53
    bar = 26 <= x <= 49 and 39 <= y <= 43
    small = (x - 55) ** 2 + (y - 41) ** 2 <= 42
    large = (x - 40) ** 2 + (y - 19) ** 2 <= 72
    return square or bar or small or large


def bitmap() -> np.ndarray:
    """The whole bitmap, row by row."""
    return np.array([[marked(x, y) for x in range(SIDE)] for y in range(SIDE)])


def oracle() -> QuantumCircuit:
    """The shallowest of several circuits on these recipes."""
    x, y = recipe_of(X_RECIPE, X_BITS), recipe_of(Y_RECIPE, Y_BITS)
    found = (lower(ops, WIDTH, "cx+u", "depth") for ops in folded_ops(bitmap(), x, y, TRIES, SEED))
    return min(found, key=lambda c: (c.depth(), c.count_ops()["cx"]))


def u3_text(circuit: QuantumCircuit) -> str:
    """OpenQASM 2 with one register and only u3 and cx statements."""
    lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{circuit.num_qubits}];"]
    for instruction in circuit.data:
        places = ",".join(f"q[{circuit.find_bit(qubit).index}]" for qubit in instruction.qubits)
        if instruction.operation.name == "cx":
            lines.append(f"cx {places};")
        else:
            angles = ",".join(repr(float(angle)) for angle in instruction.operation.params)
            lines.append(f"u3({angles}) {places};")
    return "\n".join(lines) + "\n"


def class_numbers(side: str) -> str:
    """What anneal.cpp reads: the class of each column (``x``) or row (``y``)."""
    return " ".join(map(str, classes(bitmap().T if side == "x" else bitmap())))


def remake(folder: Path) -> None:
    """Write the entry and its measured row into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    circuit = oracle()
    (folder / "entry.qasm").write_text(u3_text(circuit), encoding="utf-8")
    counts = circuit.count_ops()
    row = {
        "name": "entry",
        "method": "folded",
        "objective": "depth",
        "tries": TRIES,
        "seed": SEED,
        "marked": int(bitmap().sum()),
        "qubits": circuit.num_qubits,
        "depth": circuit.depth(),
        "cx": counts["cx"],
        "u": counts["u"],
    }
    out = io.StringIO()
    writer = csv.DictWriter(out, list(row), lineterminator="\n")
    writer.writeheader()
    writer.writerow(row)
    (folder / "results.csv").write_text(out.getvalue(), encoding="utf-8")
    print(f"depth {row['depth']}, {row['cx']} CX, {row['qubits']} qubits")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--classes"]:
        print(class_numbers(sys.argv[2]))
    else:
        remake(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)

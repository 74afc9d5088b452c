"""Remake the entry for the Classiq Quantum Circuit Challenge 2026: ``python circuits/logo-2026/make.py [FOLDER]``.

A phase oracle for a bitmap of 64 x 64 pixels, on 12 data qubits (x, then y, each little-endian) and at most six
clean ancillas, in u3 and cx gates. The score is the depth, then the CX.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import recipe
from class_codes import Code, classes, code_of
from phase_networks import label_network, phase_network
from qiskit import QuantumCircuit

from gatesolve.circuit import Gate, Ops, inverse
from gatesolve.circuit.lowering import lower

HERE = Path(__file__).resolve().parent
SIDE = 64
WIDTH = 18
X_WIRES = (0, 1, 2, 3, 4, 5, 12, 13, 14)
Y_WIRES = (6, 7, 8, 9, 10, 11, 15, 16, 17)
"""Qubits of each side: its six bits, then its three ancillas."""


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


def codes() -> tuple[Code, Code]:
    """The codes of x and of y."""
    x = code_of(classes(bitmap().T), recipe.X_PARITY, recipe.X_PLACES, recipe.X_LABELS)
    return x, code_of(classes(bitmap()), recipe.Y_PARITY, recipe.Y_PLACES, recipe.Y_LABELS)


def oracle_ops() -> Ops:
    """Load the codes of x and y at the same time, give the two codes their phase, and take the loading back."""
    x, y = codes()
    x_gates, x_code = label_network(x, recipe.X_SCHEDULE, recipe.X_LIFTS)
    y_gates, y_code = label_network(y, recipe.Y_SCHEDULE, recipe.Y_LIFTS)
    load = (*_on(x_gates, X_WIRES), *_on(y_gates, Y_WIRES))
    pairs = x.words()[None, :] | y.words()[:, None] << 4
    in_use = np.unique(pairs)
    share = np.array([bitmap()[pairs == pair].mean() for pair in in_use])
    middle = phase_network(np.pi * share, in_use, 8, recipe.MIDDLE_SCHEDULE)
    code = [*(X_WIRES[wire] for wire in x_code), *(Y_WIRES[wire] for wire in y_code)]
    return (*load, *_on(middle, code), *inverse(load))


def _on(gates: Sequence[Gate], wires: Sequence[int]) -> list[Gate]:
    return [Gate(gate.name, tuple(wires[qubit] for qubit in gate.qubits), gate.params) for gate in gates]


def oracle() -> QuantumCircuit:
    """The circuit in u3 and cx."""
    return lower(oracle_ops(), WIDTH, "cx+u", "depth")


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
    """What the searches read: the class of each column (``x``) or row (``y``)."""
    return " ".join(map(str, classes(bitmap().T if side == "x" else bitmap())))


def remake(folder: Path) -> None:
    """Write the entry and its measured row into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    circuit = oracle()
    (folder / "entry.qasm").write_text(u3_text(circuit), encoding="utf-8")
    counts = circuit.count_ops()
    row = {
        "name": "entry",
        "method": "class codes",
        "metric": "depth",
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

"""Remake the entry for the MCX problem of Classiq's 2022 competition: ``python circuits/mcx14-2022/make.py [FOLDER]``.

X on a target under 14 controls, on at most 20 qubits, in CX and one-qubit gates: the shallowest circuit wins.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from qiskit import QuantumCircuit

from gatesolve.circuit.mcx import mcx
from gatesolve.circuit.qasm import strict_qasm2

HERE = Path(__file__).resolve().parent
CONTROLS, ANCILLAS = 14, 5
WIDTH = 200
"""Partial schedules kept by the search; 2000 finds nothing shallower in a minute."""


def circuit() -> QuantumCircuit:
    """14 controls, the target, 5 clean ancillas."""
    return mcx(CONTROLS, clean=ANCILLAS, optimize="depth", width=WIDTH)


def remake(folder: Path) -> QuantumCircuit:
    """Write ``entry.qasm`` and ``results.csv`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    made = circuit()
    (folder / "entry.qasm").write_text(strict_qasm2(made))
    counts = made.count_ops()
    with (folder / "results.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["name", "qubits", "depth", "cx", "u", "width"])
        rows.writerow(["mcx14", made.num_qubits, made.depth(), counts["cx"], counts["u"], WIDTH])
    return made


if __name__ == "__main__":
    entry = remake(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
    print(f"{entry.num_qubits} qubits, depth {entry.depth()}, {entry.count_ops()['cx']} CX")

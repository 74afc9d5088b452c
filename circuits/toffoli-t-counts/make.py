"""Remake the multi-controlled X circuits of the T-count tables: ``python circuits/toffoli-t-counts/make.py [FOLDER]``.

tof_n: n controls, n - 2 clean ancillas; barenco_tof_n: n controls, n - 2 ancillas in any state. Clifford+T without
measurement; qubits in the tables' order: controls, ancillas, target.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from qiskit import QuantumCircuit, qasm2

from gatesolve.circuit import Gate, Mcx
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.lowering.rules.mcz import CLEAN_RULES

HERE = Path(__file__).resolve().parent
SIZES = (3, 4, 5, 10)
PUBLISHED = {"tof": (15, 23, 31, 71), "barenco_tof": (16, 28, 40, 100)}
"""T left by PyZX's phase folding, without ancillas or measurement."""


def circuit(family: str, controls: int) -> QuantumCircuit:
    """``tof`` or ``barenco_tof`` with so many controls, fewest T.

    Clean ancillas have several rules of the fewest T; the V chain is the one that the tables start from.
    """
    ancillas, target = tuple(range(controls, 2 * controls - 2)), 2 * controls - 2
    qubits = (*range(controls), target)
    if family == "barenco_tof":
        return lower([Mcx(tuple((q, True) for q in qubits[:-1]), target)], target + 1, "clifford+t", "t")
    (chain,) = (rule for rule in CLEAN_RULES if rule.name == "v_chain")
    turn = Gate("h", (target,))
    return lower([turn, *(chain.build(qubits, ancillas, ()) or ()), turn], target + 1, "clifford+t", "t")


def remake(folder: Path) -> dict[str, QuantumCircuit]:
    """Write every circuit and ``results.csv`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {f"{family}_{n}": circuit(family, n) for family in PUBLISHED for n in SIZES}
    published = [count for counts in PUBLISHED.values() for count in counts]
    with (folder / "results.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["name", "qubits", "t", "cx", "depth", "published_t"])
        for (name, one), best in zip(made.items(), published, strict=True):
            (folder / f"{name}.qasm").write_text(qasm2.dumps(one) + "\n")
            counts = one.count_ops()
            rows.writerow([name, one.num_qubits, counts["t"] + counts["tdg"], counts["cx"], one.depth(), best])
    return made


if __name__ == "__main__":
    target_folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    remake(target_folder)
    print((target_folder / "results.csv").read_text(), end="")

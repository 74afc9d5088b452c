"""Remake the circuits: ``python circuits/icpc-2021/make.py [FOLDER]``.

``entry-TASK.qasm`` and ``entry-3-fM.qasm`` are OpenQASM 3; ``results.csv`` has what was counted on them.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import ands
from counters import popcount
from qiskit import QuantumCircuit, qasm3
from reflections import MARKED, reflection

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Entry:
    """One circuit of problems 1 and 2.

    Attributes:
        name: of the task.
        inputs: how many bits are counted.
        digits: of their popcount that are wanted, lowest first.
        published: the least score published.
        make: the circuit: inputs, wanted digits, scratch wires.
    """

    name: str
    inputs: int
    digits: tuple[int, ...]
    published: int
    make: Callable[[], QuantumCircuit]


ENTRIES = (
    Entry("1a", 4, (0,), 8, ands.lowest),
    Entry("1b", 4, (1,), 16, ands.middle),
    Entry("1c", 4, (2,), 23, ands.conjunction),
    Entry("2a", 15, (0, 1, 2, 3), 128, partial(popcount, 15, 4, root=7)),
    Entry("2b", 16, (0, 1, 2, 3, 4), 164, partial(popcount, 16, 5, root=6)),
)
PUBLISHED_3 = 294


def count(circuit: QuantumCircuit) -> tuple[int, int]:
    """CX, and depth counted in CX."""
    return circuit.count_ops().get("cx", 0), circuit.depth(lambda gate: gate.operation.name == "cx")


def score(entry: Entry, circuit: QuantumCircuit) -> tuple[int, int, int, float]:
    """CX, depth in CX, scratch wires, and the contest's cost of a circuit of problems 1 and 2."""
    cx, depth = count(circuit)
    scratch = circuit.num_qubits - entry.inputs - len(entry.digits)
    return cx, depth, scratch, cx + depth + entry.inputs * scratch / 2


def score_reflection(circuit: QuantumCircuit) -> tuple[int, int, int]:
    """CX, depth with one-qubit gates, and the contest's cost of a circuit of problem 3."""
    cx, depth = circuit.count_ops().get("cx", 0), circuit.depth()
    return cx, depth, 10 * cx + depth * circuit.num_qubits


def remake(folder: Path) -> dict[str, QuantumCircuit]:
    """Write every circuit and ``results.csv`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    made, rows = {}, []
    for entry in ENTRIES:
        made[entry.name] = circuit = entry.make()
        cx, depth, scratch, cost = score(entry, circuit)
        rows.append([entry.name, f"{cost:g}", entry.published, cx, depth, scratch])
    for index in range(len(MARKED)):
        made[f"3-f{index}"] = reflection(index)
    counts = [score_reflection(made[f"3-f{index}"]) for index in range(len(MARKED))]
    cx, depth, cost = (sum(numbers) for numbers in zip(*counts, strict=True))
    rows.append(["3", cost, PUBLISHED_3, cx, depth, 0])
    rows += [[f"3-f{index}", numbers[2], "", *numbers[:2], 0] for index, numbers in enumerate(counts)]
    for name, circuit in made.items():
        (folder / f"entry-{name}.qasm").write_text(qasm3.dumps(circuit))
    with (folder / "results.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["name", "cost", "published", "cx", "depth", "scratch"])
        table.writerows(rows)
    return made


if __name__ == "__main__":
    target_folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    remake(target_folder)
    print((target_folder / "results.csv").read_text(), end="")

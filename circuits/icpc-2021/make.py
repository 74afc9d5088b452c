"""Remake the circuits: ``python circuits/icpc-2021/make.py [FOLDER]``.

Each is one public call with a plain statement: a popcount as a Python function of a number, for `gatesolve.xor_oracle`,
which may leave each input a phase; a reflection as a truth table, for `gatesolve.phase_oracle` with its angle left
open. ``entry-TASK.qasm`` and ``entry-3-fM.qasm`` are OpenQASM 3; ``results.csv`` has what was counted on them.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from qiskit import QuantumCircuit, qasm3
from qiskit.circuit import Parameter

import gatesolve

HERE = Path(__file__).resolve().parent
WIRES = 3
MARKED = ((), (7,), (0, 7), (1, 2, 4), (1, 2, 4, 7))
"""The marked states of each reflection, the first wire's bit the lowest."""
PUBLISHED_3 = 294
COLUMNS = ("name", "cost", "published", "cx", "depth", "scratch")


@dataclass(frozen=True)
class Entry:
    """One circuit of problems 1 and 2.

    Attributes:
        name: of the task.
        inputs: how many bits are counted.
        digits: of their popcount that are wanted, lowest first.
        published: the least score published.
    """

    name: str
    inputs: int
    digits: tuple[int, ...]
    published: int


ENTRIES = (
    Entry("1a", 4, (0,), 8),
    Entry("1b", 4, (1,), 16),
    Entry("1c", 4, (2,), 23),
    Entry("2a", 15, (0, 1, 2, 3), 128),
    Entry("2b", 16, (0, 1, 2, 3, 4), 164),
)


def popcount(entry: Entry) -> QuantumCircuit:
    """Inputs, digits, scratch wires."""

    def digits(number: int) -> tuple[int, ...]:
        return tuple(number.bit_count() >> digit & 1 for digit in entry.digits)

    return gatesolve.xor_oracle(digits, num_qubits=entry.inputs, relative_phase=True).circuit


def reflection(index: int) -> QuantumCircuit:
    """The phase beta on one set of marked states."""
    table = [state in MARKED[index] for state in range(1 << WIRES)]
    return gatesolve.phase_oracle(table, angle=Parameter("beta")).circuit


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


def circuits() -> dict[str, QuantumCircuit]:
    """Every circuit by its name, such as ``2a`` and ``3-f1``."""
    made = {entry.name: popcount(entry) for entry in ENTRIES}
    return made | {f"3-f{index}": reflection(index) for index in range(len(MARKED))}


def rows(made: Mapping[str, QuantumCircuit]) -> list[dict[str, object]]:
    """The rows of ``results.csv``."""
    found = list[list[object]]()
    for entry in ENTRIES:
        cx, depth, scratch, cost = score(entry, made[entry.name])
        found.append([entry.name, f"{cost:g}", entry.published, cx, depth, scratch])
    counts = [score_reflection(made[f"3-f{index}"]) for index in range(len(MARKED))]
    cx, depth, cost = (sum(numbers) for numbers in zip(*counts, strict=True))
    found.append(["3", cost, PUBLISHED_3, cx, depth, 0])
    found += [[f"3-f{index}", numbers[2], "", *numbers[:2], 0] for index, numbers in enumerate(counts)]
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def remake(folder: Path) -> None:
    """Write every circuit and ``results.csv`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    made = circuits()
    for name, circuit in made.items():
        (folder / f"entry-{name}.qasm").write_text(qasm3.dumps(circuit))
    with (folder / "results.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows(made))


if __name__ == "__main__":
    target_folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    remake(target_folder)
    print((target_folder / "results.csv").read_text(), end="")

"""Remake the circuits: ``python circuits/icpc-2021/make.py [FOLDER]``.

``entry-TASK.qasm`` and ``entry-3-fM.qasm`` are OpenQASM 3; ``results.csv`` has what was counted on them, and what
circuits by public calls cost (`by_call.py`), as the judge of this repository proves and counts them.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import ands
from by_call import popcounts, reflections
from counters import popcount
from qiskit import QuantumCircuit, qasm3
from reflections import MARKED, reflection

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from judges import CONTESTS  # noqa: E402


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
COLUMNS = ("name", "cost", "published", "by_call", "cx", "depth", "scratch")


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
    made = {entry.name: entry.make() for entry in ENTRIES}
    return made | {f"3-f{index}": reflection(index) for index in range(len(MARKED))}


def costs_by_call() -> dict[str, float]:
    """For each task the least cost of what public calls give, as the judge proves it right and counts it."""
    made = {entry.name: [[one] for one in popcounts(entry.inputs, entry.digits)] for entry in ENTRIES}
    made["3"] = [reflections()]
    return {task: min(judged(task, one) for one in found) for task, found in made.items()}


def judged(task: str, made: Sequence[QuantumCircuit]) -> float:
    """What the judge says that the circuits of a task cost.

    Raises:
        RefusedError: one of them is wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.qasm" for number in range(len(made))]
        for path, circuit in zip(paths, made, strict=True):
            path.write_text(qasm3.dumps(circuit))
        return CONTESTS["icpc-2021"].judge(task, "exact", paths).score[0]


def rows(made: Mapping[str, QuantumCircuit], by_call: Mapping[str, float]) -> list[dict[str, object]]:
    """The rows of ``results.csv``."""
    found = []
    for entry in ENTRIES:
        cx, depth, scratch, cost = score(entry, made[entry.name])
        found.append([entry.name, f"{cost:g}", entry.published, f"{by_call[entry.name]:g}", cx, depth, scratch])
    counts = [score_reflection(made[f"3-f{index}"]) for index in range(len(MARKED))]
    cx, depth, cost = (sum(numbers) for numbers in zip(*counts, strict=True))
    found.append(["3", cost, PUBLISHED_3, f"{by_call['3']:g}", cx, depth, 0])
    found += [[f"3-f{index}", numbers[2], "", "", *numbers[:2], 0] for index, numbers in enumerate(counts)]
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
        table.writerows(rows(made, costs_by_call()))


if __name__ == "__main__":
    target_folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    remake(target_folder)
    print((target_folder / "results.csv").read_text(), end="")

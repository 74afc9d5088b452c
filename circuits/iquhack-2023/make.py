"""Remake the nine oracles of iQuHACK 2023's Microsoft challenge: ``python circuits/iquhack-2023/make.py [FOLDER]``.

``entry-TASK.qasm`` is without measurement; in ``entry-TASK-measured.qasm`` ANDs are erased by measurement where that
scores less. ``results.csv`` has what the contest counts on them. ``make.py --task TASK`` writes what search.cpp reads.
"""

from __future__ import annotations

import csv
import math
import sys
import tempfile
from pathlib import Path

from calls import xor_circuits
from oracles import ORACLES
from plans import read_plan, write_qasm
from qiskit import qasm3

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from judges import CONTESTS  # noqa: E402

UNITARY_BARS = (45, 330, 375, 900, 575, 500, 1300, 525, 1250)
MEASURED_BARS = (45, 300, 250, 900, 500, 363, 1100, 495, 1150)
"""What we asked of each task before we began, guessed from numbers of ANDs."""


def entries() -> dict[str, str]:
    """The text of each circuit by task and class, such as ``3`` and ``3-measured``."""
    made = {}
    for task, oracle in ORACLES.items():
        made[f"{task}"] = write_qasm(read_plan(oracle.plan, oracle.inputs), measured=False)
        made[f"{task}-measured"] = write_qasm(read_plan(oracle.erased or oracle.plan, oracle.inputs), measured=True)
    return made


def width(wires: int) -> int:
    """The resource estimator's logical qubits for some wires: 2 Q + ceil(sqrt(8 Q)) + 1."""
    return 2 * wires + math.isqrt(8 * wires - 1) + 2


def count(text: str) -> dict[str, int]:
    """Wires, Toffoli gates and measurements, and the contest's score of them.

    The resource estimator's depth is 3 for a Toffoli gate and 1 for a measurement; the score is width times depth.
    """
    (wires,) = (
        int(line.split("[")[1].split("]")[0]) for line in text.splitlines() if line.startswith(("qreg", "qubit"))
    )
    toffolis, measurements = text.count("ccx "), text.count("measure")
    depth = 3 * toffolis + measurements
    found = {"qubits": wires, "toffoli": toffolis, "measurements": measurements, "width": width(wires), "depth": depth}
    return found | {"score": width(wires) * depth}


def score_call(task: int, measured: bool) -> int:
    """The least score of what public calls give, as the judge proves it right and counts it.

    Raises:
        RefusedError: the circuit is wrong.
    """
    best = min(map(qasm3.dumps, xor_circuits(task, measured)), key=lambda text: count(text)["score"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "call.qasm"
        path.write_text(best)
        (score,) = CONTESTS["iquhack-2023"].judge(str(task), "measured" if measured else "unitary", [path]).score
    return int(score)


def remake(folder: Path) -> None:
    """Write every circuit and ``results.csv`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "results.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        kinds = ("qubits", "toffoli", "measurements", "width", "depth", "score", "bar", "by_call", "start")
        rows.writerow(["name", "class", *kinds])
        for name, text in entries().items():
            (folder / f"entry-{name}.qasm").write_text(text)
            task, measured = int(name[0]), "-" in name
            bar = (MEASURED_BARS if measured else UNITARY_BARS)[task - 1]
            numbers = [*count(text).values(), bar, score_call(task, measured), ORACLES[task].start]
            rows.writerow([name, "measured" if measured else "unitary", *numbers])


def list_marked(task: int) -> str:
    """The number of inputs, then the marked numbers: what search.cpp reads."""
    oracle = ORACLES[task]
    return " ".join(map(str, [oracle.inputs, *filter(oracle.marked, range(1 << oracle.inputs))]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--task"]:
        print(list_marked(int(sys.argv[2])))
    else:
        target_folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
        remake(target_folder)
        print((target_folder / "results.csv").read_text(), end="")

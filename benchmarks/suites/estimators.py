"""Both resource estimators of Microsoft's qdk on the same counts: ``qdk.qre``, and the deprecated ``qdk.estimator``.

    python -m benchmarks estimators [--write]   the rows, into estimators.csv, which docs/physical.md shows

For each board and machine: physical qubits and run time by ``qdk.estimator``, and those of `gatesolve.estimate`, which
asks ``qdk.qre``; of the ways of counting, each takes the one that is cheapest by its own figures. For the machines of
Majorana qubits the two know different codes: Floquet codes the old one, ThreeAux the new one.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Iterable, Sequence

from benchmarks.core.places import EXAMPLES, RESULTS

os.environ.setdefault("QDK_PYTHON_TELEMETRY", "none")

from qdk.estimator import LogicalCounts

import gatesolve
from benchmarks.core.csv_rows import write_lines
from gatesolve.costs import estimate

BOARDS = (
    ("kakuro/contest.txt", "none"),
    ("sudoku/small.txt", "none"),
    ("sudoku/sgt-3x3de5.txt", "propagate"),
    ("sudoku/inkala-2010.txt", "propagate"),
    ("sudoku/inkala-2006.txt", "propagate"),
)
CODES = {"surface_code": "surface_code", "three_aux": "floquet_code"}
"""The old estimator's code for the machines of each of ours."""
MOST_DISTANCE = 201
"""By itself the old estimator looks up to 50."""
FILE = RESULTS / "estimators.csv"
HEADER = ("board", "machine", "qubits, old", "qubits", "seconds, old", "seconds")


def estimate_old(ways: Iterable[estimate.LogicalCounts], model: str, code: str, budget: float) -> tuple[int, float]:
    """Physical qubits and seconds of the cheapest way by the old estimator; for runs of less than 584 years."""
    parameters = {
        "qubitParams": {"name": model},
        "qecScheme": {"name": code, "maxCodeDistance": MOST_DISTANCE},
        "errorBudget": budget,
    }
    found = []
    for counts in ways:
        given = {
            "numQubits": counts.qubits,
            "tCount": counts.t,
            "rotationCount": counts.rotations,
            "rotationDepth": counts.rotation_depth,
            "cczCount": counts.ccz,
            "ccixCount": counts.ccix,
            "measurementCount": counts.measurements,
        }
        physical = LogicalCounts(given).estimate(parameters)["physicalCounts"]
        found.append((int(physical["physicalQubits"]), int(physical["runtime"]) / 1e9))
    return min(found, key=lambda one: one[0] * one[1])


def main(arguments: Sequence[str]) -> None:
    """Print a line a board and machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="replace estimators.csv")
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    rows = []
    print(*HEADER, sep=" | ")
    for name, presolve in BOARDS:
        found = gatesolve.estimate(EXAMPLES / name, presolve=presolve)
        for new in found.estimates:
            qubits, seconds = estimate_old(found.counts.values(), new.model, CODES[new.code], found.budget)
            rows.append((name, new.model, qubits, new.physical_qubits, f"{seconds:.6g}", f"{new.seconds:.6g}"))
            print(*rows[-1], sep=" | ", flush=True)
    if chosen.write:
        write_lines(HEADER, rows, FILE)

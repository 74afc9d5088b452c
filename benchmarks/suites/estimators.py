"""Both resource estimators of Microsoft's qdk on the same counts: ``qdk.qre``, and the deprecated ``qdk.estimator``.

    python -m benchmarks estimators [--only kakuro ...] [--write | --check]   docs/physical.md shows the rows

For each board and machine: physical qubits and run time by ``qdk.estimator``, and those of `gatesolve.estimate`, which
asks ``qdk.qre``; of the ways of counting, each takes the one that is cheapest by its own figures. For the machines of
Majorana qubits the two know different codes: Floquet codes the old one, ThreeAux the new one.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator

os.environ.setdefault("QDK_PYTHON_TELEMETRY", "none")

from qdk.estimator import LogicalCounts

import gatesolve
from benchmarks.core.places import EXAMPLES
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite
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
TABLE = Table(
    "estimators",
    """
    board        key  file of examples/
    machine      key  model of the physical qubits
    old_qubits   int [qubits, old]   by qdk.estimator
    qubits       int                 by qdk.qre
    old_seconds  str [seconds, old]  by qdk.estimator
    seconds      str                 by qdk.qre
    """,
)


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


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make the rows of a board."""
    warnings.simplefilter("ignore")
    found = gatesolve.estimate(EXAMPLES / name, presolve=dict(BOARDS)[name])
    for new in found.estimates:
        qubits, seconds = estimate_old(found.counts.values(), new.model, CODES[new.code], found.budget)
        yield TABLE.row(name, new.model, qubits, new.physical_qubits, f"{seconds:.6g}", f"{new.seconds:.6g}")


SUITE = Suite(TABLE, list_cases=lambda: [board for board, _ in BOARDS], measure=measure)

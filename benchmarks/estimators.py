"""Both resource estimators of Microsoft's qdk on the same logical counts: the one gatesolve calls, and ``qdk.qre``.

    python benchmarks/estimators.py

For each board and both machines of superconducting qubits: physical qubits and run time by ``qdk.estimator``, and those
of the machine of fewest qubit-seconds that ``qdk.qre`` finds with a surface code and round-based T factories.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("QDK_PYTHON_TELEMETRY", "none")

from qdk import qre
from qdk.estimator import LogicalCounts
from qdk.qre.application import QSharpApplication
from qdk.qre.models import GateBased, RoundBasedFactory, SurfaceCode

import gatesolve

DISTANCES = range(3, 52, 2)
ROTATIONS = range(5, 41)
"""T states that a rotation may take; by itself ``qdk.qre`` tries up to 20, too few for the long runs."""
EXAMPLES = Path(__file__).parents[1] / "examples"
BOARDS = (
    ("kakuro/contest.txt", "none"),
    ("sudoku/small.txt", "none"),
    ("sudoku/sgt-3x3de5.txt", "propagate"),
    ("sudoku/inkala-2010.txt", "propagate"),
    ("sudoku/inkala-2006.txt", "propagate"),
)
MACHINES = {
    "qubit_gate_ns_e3": GateBased(error_rate=1e-3, gate_time=50, measurement_time=100),
    "qubit_gate_ns_e4": GateBased(error_rate=1e-4, gate_time=50, measurement_time=100),
}


def estimate_new(counts: dict[str, int], machine: GateBased, budget: float, cache: Path) -> tuple[int, float] | None:
    """Physical qubits and seconds of the machine of fewest qubit-seconds; None where there is none."""
    application = QSharpApplication(LogicalCounts(counts))
    codes = SurfaceCode.q(distance=list(DISTANCES))
    query = codes * RoundBasedFactory.q(code_query=codes, cache_dir=cache)
    trace = qre.PSSPC.q(num_ts_per_rotation=list(ROTATIONS)) * qre.LatticeSurgery.q()
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():  # a page where nothing is found
        warnings.simplefilter("ignore")
        table = qre.estimate(application, machine, query, trace, max_error=budget)
    found = [(entry.qubits, entry.runtime / 1e9) for entry in table]
    return min(found, key=lambda one: one[0] * one[1], default=None)


def main() -> None:
    """Print a line a board and machine."""
    warnings.simplefilter("ignore")
    print("board                     machine           qubits: old        new  seconds: old        new")
    with tempfile.TemporaryDirectory() as folder:
        for name, presolve in BOARDS:
            found = gatesolve.estimate(EXAMPLES / name, presolve=presolve, machines=tuple(MACHINES))
            for old in found.estimates:
                counts = found.counts[old.counted].handed_over()
                new = estimate_new(counts, MACHINES[old.model], found.budget, Path(folder))
                after = f"{new[0]:10,} {old.seconds:13.4g} {new[1]:10.4g}" if new else "no machine found"
                print(f"{name:25} {old.model:17} {old.physical_qubits:11,} {after}")


if __name__ == "__main__":
    main()

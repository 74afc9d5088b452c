"""One divided search in one process, in two, by Dask with and without a lost worker, and killed and gone on with.

python -m benchmarks divide-machines [--max-space 2^16] [--kills 20] [--seed 0]

Prints seconds of each run. Ends with status 1 unless all runs give one answer and one account, and the file of the run
that was killed holds every leaf once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import gatesolve
from benchmarks.core.places import EXAMPLES
from gatesolve import Result
from gatesolve.api.division.account import Division

BOARD = EXAMPLES / "sudoku/inkala-2006.txt"
"""Divided into 20 leaves at 2^16, where those that propagation refutes are kept."""


def main(arguments: Sequence[str]) -> int:
    """Run, print, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--max-space", default="2^16")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    base, _, power = chosen.max_space.partition("^")
    size = int(base) ** int(power or 1)

    def search(**options: object) -> Result:
        return gatesolve.solve(BOARD, max_space=size, keep_refutable=True, **options)  # type: ignore[arg-type]

    search()  # what is worked out once a process is worked out now
    alone, seconds = timed("one process", search)
    wanted = outcome(alone)
    assert alone.division is not None
    print(
        f"{alone.status}: {len(alone.division.leaves)} leaves, {alone.division.totals['oracle_calls']:,} oracle calls"
    )
    faults = [
        *([] if outcome(timed("two processes", lambda: search(jobs=2), seconds)[0]) == wanted else ["two processes"]),
        *compare_dask(search, wanted, seconds),
        *compare_killed(size, wanted, len(alone.division.leaves), seconds, chosen.kills, random.Random(chosen.seed)),
    ]
    print("all the same" if not faults else f"WRONG: {', '.join(faults)}")
    return int(bool(faults))


def timed(name: str, run: Callable[[], Result], alone: float | None = None) -> tuple[Result, float]:
    """Run, and print how long it took and how that compares with one process."""
    start = time.perf_counter()
    found = run()
    seconds = time.perf_counter() - start
    print(f"{name}: {seconds:.1f} s" + ("" if alone is None else f", {alone / seconds:.2f} times as fast"), flush=True)
    return found, seconds


def outcome(found: Result) -> tuple[object, ...]:
    """Answer and account, but for what a clock says."""
    division = found.division
    assert isinstance(division, Division)
    leaves = tuple(replace(leaf, seconds=0.0) for leaf in division.leaves)
    plain = replace(division.backtracking, seconds=0.0)
    return found.status, found.solution, replace(division, leaves=leaves, backtracking=plain)


def compare_dask(search: Callable[..., Result], wanted: tuple[object, ...], seconds: float) -> list[str]:
    """By two workers of a Dask cluster, and by three of which one is killed at its work; what differed."""
    from distributed import Client, LocalCluster

    lost: list[int] = []
    faults = []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        address = cluster.scheduler_address

        def kill_one(stage: str, done: int, total: int) -> None:
            if not lost and stage.startswith("leaves searched: 3"):
                lost.extend(client.run(os.getpid).values())
                os.kill(lost[0], signal.SIGKILL)

        if outcome(timed("Dask, two workers", lambda: search(dask=address), seconds)[0]) != wanted:
            faults.append("Dask")
        killed = timed("Dask, one of two workers killed", lambda: search(dask=address, progress=kill_one), seconds)[0]
        if outcome(killed) != wanted or not lost:
            faults.append("Dask with a lost worker")
    return faults


def compare_killed(
    size: int, wanted: tuple[object, ...], leaves: int, seconds: float, kills: int, draw: random.Random
) -> list[str]:
    """Killed at random moments and gone on with from its file; what differed."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "leaves.jsonl"
        script = (
            "import gatesolve; "
            f"gatesolve.solve({str(BOARD)!r}, max_space={size}, keep_refutable=True, resume={str(kept)!r})"
        )
        seen = []
        for _ in range(kills):
            process = subprocess.Popen([sys.executable, "-c", script])
            # Each run has to begin first, and all of them together take the leaves of one, or a few more.
            time.sleep(draw.uniform(0.5, 8 + 4 * seconds / kills))
            process.kill()
            process.wait()
            seen.append(len(read_keys(kept)))
        print(f"leaves in the file at each of {kills} kills: {', '.join(map(str, seen))}")
        found = timed("gone on with", lambda: gatesolve.solve(BOARD, max_space=size, keep_refutable=True, resume=kept))[
            0
        ]
        keys = read_keys(kept)
    faults = [] if outcome(found) == wanted else ["killed"]
    return faults if len(keys) == len(set(keys)) == leaves else [*faults, "leaves lost or kept twice"]


def read_keys(path: Path) -> list[str]:
    """Of the leaves that were written whole."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line)["key"] for line in lines if line.endswith("}")]

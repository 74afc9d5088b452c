"""Solve many puzzles, one JSON object a line, with default options, and say of each how much a circuit searched.

    python -m benchmarks solve-instances INSTANCES.jsonl [--max-space 2^20] [--family NAME] [--jobs 2] [--out FILE.csv]

An answer counts only if the puzzle's own checker accepts it; where the file states the number of solutions, a board
without one must be infeasible and every other one solved, else it is WRONG. A search is real where its space has more
than one state and its level is not classical, and where it is not the whole board's also one deduction fewer was too
large. Of a divided board states are summed over its leaves. Exit status 1 if one is wrong.
"""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import gatesolve
from benchmarks.core.processes import call_alone
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import make_parser
from gatesolve.model import backtrack
from gatesolve.puzzles import parse

SECONDS = 120
TABLE = Table(
    "solve_instances",
    """
    family             str    of the board
    id                 key    of the board
    status             str    of the answer; WRONG where it contradicts the file
    rung               str    presolve setting, or divided
    encoding           str    of the space
    level              str    of the oracle
    states             int    searched, in all leaves
    before             int    states one deduction before
    leaves             int    searched
    cut                int    parts refuted by propagation
    oracle_calls       int    in all
    oracle_cx          int    of one call
    qubits             int    of the oracle
    seconds            float  of solving
    classical_nodes    int    of plain backtracking
    classical_seconds  float  of that
    real               str    True for a real search
    note               str    the solver's, or an error
    """,
)


def main(arguments: Sequence[str]) -> int:
    """Solve, print a line each and a summary, write the CSV; 1 if anything was wrong."""
    parser = make_parser(__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--family")
    parser.add_argument("--max-space", type=read_power, default=1 << 20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    lines = [
        line for line in chosen.file.read_text().splitlines() if chosen.family in (None, json.loads(line)["family"])
    ]
    rows = []
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for row in pool.map(partial(run_line, max_space=chosen.max_space), lines):
            rows.append(row)
            print(*row.cells, sep=" | ", flush=True)
    if chosen.out:
        TABLE.write(rows, chosen.out)
    print(summary(rows))
    return int(any(row.status == "WRONG" for row in rows))


def read_power(text: str) -> int:
    """A whole number, also written ``2^20``."""
    base, _, power = text.partition("^")
    return int(base) ** int(power or 1)


def run_line(line: str, max_space: int) -> Row:
    """One puzzle's row, by a process of its own within the time limit."""
    data = json.loads(line)
    try:
        found = call_alone(solve_line, line, max_space, seconds=SECONDS)
    except subprocess.TimeoutExpired:
        found = {"status": "unfinished", "seconds": SECONDS, "note": f"over {SECONDS} s"}
    except ImportError as error:
        found = {"status": "failed", "note": str(error)[-200:]}
    return TABLE.row(family=data["family"], id=data["id"], **({"real": "False"} | found))


def solve_line(line: str, max_space: int) -> dict[str, object]:
    """The cells of one puzzle's row."""
    start = time.perf_counter()
    try:
        result = gatesolve.solve(parse(line), max_space=max_space)
    except gatesolve.DoesNotFitError as error:
        return {"status": "refused", "note": str(error), "seconds": round(time.perf_counter() - start, 1)}
    seconds = round(time.perf_counter() - start, 1)
    status = verdict(result, json.loads(line).get("n_solutions"))
    plain = backtrack(result.problem.model, 20)
    row = {"status": status, "seconds": seconds, "rung": result.presolve} | search_of(result)
    return row | {"classical_nodes": plain.nodes, "classical_seconds": round(plain.seconds, 3)}


def search_of(result: gatesolve.Result) -> dict[str, object]:
    """What the circuits searched."""
    compiled, oracle = result.compiled, result.oracle_resources
    if compiled is None or oracle is None:
        return {"real": "False"}
    row: dict[str, object] = {
        "encoding": result.encoding, "level": result.level, "states": result.space_size, "leaves": 0,
        "oracle_calls": result.oracle_calls or 0, "oracle_cx": oracle.cx, "qubits": oracle.qubits,
        "note": "; ".join(result.notes)
    }  # fmt: skip
    made = compiled.provenance.deductions
    row["before"] = None if made is None else made.before
    row["real"] = str((result.space_size or 0) > 1 and result.level != "classical")
    division = result.as_dict()["division"]
    if division is not None:
        row |= {"states": division["totals"]["states"], "leaves": len(division["leaves"]), "cut": division["cut"]}
        row["rung"] = "divided"
    return row


def verdict(result: gatesolve.Result, stated: object) -> str:
    """The status, or WRONG where it contradicts the stated number of solutions."""
    if stated is None or result.status == "unsolved":
        return result.status
    least = int(str(stated).removeprefix(">="))
    if (result.status == "infeasible") != (least == 0):
        return "WRONG"
    if result.marked is not None and result.division is None and result.marked < least:
        return "WRONG"
    return result.status


def summary(rows: list[Row]) -> str:
    """By family: how boards ended, how many searches were real, their states, leaves and seconds, classical nodes."""
    families = defaultdict(list)
    for row in rows:
        families[row.family].append(row)
    families["all"] = rows
    head = ("family", "boards", "solved", "infeasible", "other", "real searches", "whole board", "part of deductions")
    head += ("divided", "median states", "most leaves", "median s", "most s", "median classical nodes", "most")
    lines = ["", _line(head), _line(["---"] * len(head))]
    for family, members in families.items():
        lines.append(_line((family, *_sums(members))))
    return "\n".join(lines)


def _sums(members: list[Row]) -> Iterable[object]:
    ended = [sum(row.status == status for row in members) for status in ("solved", "infeasible")]
    real = [row for row in members if row.real == "True"]
    rungs = [sum(row.rung == rung for row in real) for rung in ("none", "partial", "divided")]
    states = statistics.median([row.states for row in real] or [1])
    times, nodes = [row.seconds or 0 for row in members], [row.classical_nodes or 0 for row in members]
    yield from (len(members), *ended, len(members) - sum(ended), len(real), *rungs, f"2^{math.log2(states):.1f}")
    yield max(row.leaves or 0 for row in members)
    yield from (f"{statistics.median(times):.1f}", f"{max(times):.1f}", f"{statistics.median(nodes):.0f}", max(nodes))


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"

"""Solve many puzzles, one JSON object a line, and say of each what its circuit took.

    python benchmarks/solve_instances.py INSTANCES.jsonl [--family NAME] [--out results.csv]

Every puzzle is presolved by propagation and solved through the Grover pipeline, simulated exactly in the space.
An answer counts only if the puzzle's own checker accepts it; where the file states the number of solutions, the
number of marked states must be at least that (tents may pair trees and tents in several ways) and be zero together.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import gatesolve
from gatesolve.puzzles import parse

FIELDS = (
    "family",
    "id",
    "status",
    "space",
    "qubits",
    "oracle_cx",
    "iterations",
    "success",
    "marked",
    "seconds",
    "note",
)


def main() -> int:
    """Solve, print a line each and a summary, write the CSV; 1 if anything was wrong."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--family")
    arguments.add_argument("--out", type=Path)
    chosen = arguments.parse_args()
    rows = []
    for line in chosen.file.read_text().splitlines():
        if chosen.family in (None, json.loads(line)["family"]):
            rows.append(solve_line(line))
            print(*(rows[-1][field] for field in FIELDS), sep=" | ", flush=True)
    if chosen.out:
        with chosen.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    print(summary(rows))
    return int(any(row["status"] == "WRONG" for row in rows))


def solve_line(line: str) -> dict[str, object]:
    """One puzzle's row."""
    data = json.loads(line)
    row: dict[str, object] = dict.fromkeys(FIELDS, "")
    row |= {"family": data["family"], "id": data["id"]}
    start = time.perf_counter()
    try:
        result = gatesolve.solve(parse(line), presolve="propagate")
    except gatesolve.DoesNotFitError as error:
        return row | {"status": "does not fit", "note": str(error), "seconds": f"{time.perf_counter() - start:.1f}"}
    oracle = result.oracle_resources
    return row | {
        "status": verdict(result, data.get("n_solutions")),
        "space": result.space_size if result.space_size is not None else "",
        "qubits": oracle.qubits if oracle else "",
        "oracle_cx": oracle.cx if oracle else "",
        "iterations": result.iterations,
        "success": f"{result.success_probability:.6f}" if result.success_probability is not None else "",
        "marked": result.marked if result.marked is not None else "",
        "seconds": f"{time.perf_counter() - start:.1f}",
        "note": "; ".join(result.compiled.notes) if result.compiled else "",
    }


def verdict(result: gatesolve.Result, stated: object) -> str:
    """The status, or WRONG where it contradicts the stated number of solutions."""
    if stated is None:
        return result.status
    least = int(str(stated).removeprefix(">="))
    if (result.status == "infeasible") != (least == 0):
        return "WRONG"
    if result.marked is not None and result.marked < least:
        return "WRONG"
    return result.status


def summary(rows: list[dict[str, object]]) -> str:
    """By family: how many were solved and how, the largest space, and the median time."""
    families = defaultdict(list)
    for row in rows:
        families[row["family"]].append(row)
    head = ("family", "puzzles", "by presolve alone", "through a circuit", "infeasible", "does not fit")
    head += ("joint tables", "largest space", "median s", "most s")
    lines = ["", _line(head), _line(["---"] * len(head))]
    for family, members in families.items():
        solved = [r for r in members if r["status"] == "solved"]
        spaces = [int(str(r["space"])) for r in solved]
        count = {s: sum(r["status"] == s for r in members) for s in ("infeasible", "does not fit")}
        times = [float(str(r["seconds"])) for r in members]
        parts = (
            family, len(members), sum(s == 1 for s in spaces), sum(s > 1 for s in spaces), count["infeasible"],
            count["does not fit"], sum(bool(r["note"]) and r["status"] != "does not fit" for r in members),
            f"{max(spaces, default=0):,}", f"{statistics.median(times):.1f}", f"{max(times):.1f}",
        )  # fmt: skip
        lines.append(_line(parts))
    return "\n".join(lines)


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    sys.exit(main())

"""Load many puzzles and count their boards with the reference solver, OR-Tools through CPMpy.

    python benchmarks/reference_instances.py INSTANCES.jsonl

Each line is one puzzle as a JSON object with ``n_solutions`` (a number, or ``>=3``). It must load, come back the same
from its own written format, and have exactly the stated number of boards, each accepted by the family's checker.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.model.reference import find_solutions
from gatesolve.puzzles import parse


def main() -> int:
    """Print every fault and a count a family; 1 if there was a fault."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", type=Path)
    right: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    faults = 0
    for line in arguments.parse_args().file.read_text().splitlines():
        data = json.loads(line)
        start = time.perf_counter()
        found = fault(line, str(data["n_solutions"]))
        seconds[data["family"]] += time.perf_counter() - start
        if found:
            faults += 1
            print(f"{data['family']} {data['id']}: {found}")
        else:
            right[data["family"]] += 1
    for family, number in right.items():
        print(f"{family}: {number} right, {seconds[family]:.1f} s")
    return int(faults > 0)


def fault(line: str, stated: str) -> str | None:
    """What is wrong with one puzzle, or None."""
    puzzle = parse(line)
    if parse(puzzle.text(), puzzle.family) != puzzle:
        return "does not come back from its own text"
    open_ended = stated.startswith(">=")
    model = from_cpmpy(puzzle.to_cpmpy())
    # Tents pair trees and tents, sometimes in several ways for one board: boards are counted, not assignments.
    found = find_solutions(model, limit=int(stated[2:]) if open_ended else None)
    boards = {json.dumps(puzzle.board(solution)) for solution in found}
    complaints = [complaint for solution in found for complaint in puzzle.check(solution)]
    if complaints:
        return f"the checker refuses a solution: {complaints[0]}"
    if len(boards) != int(stated.removeprefix(">=")):
        return f"{len(boards)} boards, {stated} are stated"
    return None


if __name__ == "__main__":
    sys.exit(main())

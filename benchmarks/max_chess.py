"""The Max Chess Pieces boards of examples/chess: our proven optimum beside OR-Tools'.

python benchmarks/max_chess.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import gatesolve
from gatesolve.api.problem import as_problem
from gatesolve.model.reference import find_optimum

BOARDS = Path(__file__).resolve().parents[1] / "examples" / "chess"


def main() -> int:
    """Print a line a board; 1 if an optimum differs or is not proven."""
    wrong = 0
    for path in sorted(BOARDS.glob("max-*.txt")):
        problem = as_problem(path)
        start = time.perf_counter()
        result = gatesolve.solve(path)
        reference = find_optimum(problem.model)
        assert reference is not None
        expected = f"objective {reference[1]}: nothing better exists"
        proven = result.message.startswith(expected) and not problem.complaints(result.solution or {})
        wrong += not proven
        print(
            f"{path.stem}: OR-Tools {reference[1]}, ours {'the same, proven' if proven else result.message}, ", end=""
        )
        print(f"last space {result.space_size}, {time.perf_counter() - start:.1f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

"""From a Kakuro file to the solved board.

python examples/solve_kakuro.py [FILE]
"""

import sys
from pathlib import Path

import gatesolve

DEFAULT = Path(__file__).parent / "kakuro" / "contest.txt"


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else DEFAULT
    puzzle = gatesolve.load(path)
    print(puzzle.title)

    result = gatesolve.solve(puzzle, presolve="none", seed=0)
    if result.status != "solved":
        raise SystemExit(f"{result.status}: {result.message}")
    for row in result.board:
        print(" ".join(row))

    # The puzzle's own rules, asked once more; they know nothing of the model or the circuit.
    assert puzzle.check(result.solution) == []

    print(f"{result.marked} of {result.space_size} states marked, {result.iterations} iterations")
    print(f"success probability {result.success_probability:.6f}")
    print(f"whole circuit: {result.resources.qubits} qubits, {result.resources.cx} CX")
    print(f"oracle checked on {result.certificate.checked} of {result.certificate.of} codewords")


if __name__ == "__main__":
    main()

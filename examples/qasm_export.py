"""A circuit out of gatesolve and into plain Qiskit, by OpenQASM 2, and its answer back onto the board."""

import tempfile
from pathlib import Path

from qiskit import qasm2, transpile
from qiskit_aer import AerSimulator

import gatesolve

CONTEST = Path(__file__).parent / "kakuro" / "contest.txt"


def main() -> None:
    puzzle = gatesolve.load(CONTEST)
    compiled = gatesolve.compile(puzzle, presolve="none")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "contest.qasm"
        path.write_text(compiled.program.qasm2())
        print("".join(path.read_text().splitlines(keepends=True)[:5]))
        circuit = qasm2.load(path)

    simulator = AerSimulator(seed_simulator=0, max_parallel_threads=1)
    counts = simulator.run(transpile(circuit, simulator), shots=1024).result().get_counts()
    best = max(counts, key=counts.get)
    print(f"{circuit.num_qubits} qubits; '{best}' came {counts[best]} of 1024 times")

    assignment, _ = compiled.decode(counts)[0]
    print("\n".join(" ".join(row) for row in puzzle.board(assignment)))
    print("broken rules:", puzzle.check(assignment))


if __name__ == "__main__":
    main()

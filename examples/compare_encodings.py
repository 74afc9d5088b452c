"""A small Kakuro in every encoding, without presolve: what the search space and its circuit cost."""

from pathlib import Path

import gatesolve

BOARD = Path(__file__).parent / "kakuro" / "small.txt"
COLUMNS = "{:12} {:>8} {:>11} {:>7} {:>10} {:>13} {:>9}"


def main() -> None:
    print(COLUMNS.format("encoding", "states", "iterations", "qubits", "oracle CX", "oracle depth", "whole CX"))
    for encoding in ("one-hot", "binary", "domain-wall", "table"):
        compiled = gatesolve.compile(BOARD, presolve="none", encoding=encoding)
        program, oracle = compiled.program, compiled.program.resources("oracle")
        whole = program.resources()
        row = [encoding, program.space.size, program.iterations, whole.qubits, oracle.cx, oracle.depth, whole.cx]
        print(COLUMNS.format(*row))
        assert compiled.certificate.checked == program.space.size


if __name__ == "__main__":
    main()

"""Rows of qaoa.py: probability and CX of one circuit, kept in qaoa.csv."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.core.csv_rows import read_rows, write_rows
from benchmarks.core.places import RESULTS

FILE = RESULTS / "qaoa.csv"
X, XY, BLOCKS, GROVER, GAS = "X + penalties", "XY", "block-Grover", "Grover", "GAS"
QAOA = (X, XY, BLOCKS)
SHARED, OWN = "shared", "own"


@dataclass(frozen=True)
class Row:
    """One circuit for one problem.

    Attributes:
        problem: name of the case.
        presolve: the setting used.
        way: X + penalties, XY, block-Grover, Grover or GAS.
        encoding: of the space.
        depth: QAOA's layers, or Grover's iterations; for GAS those of the likeliest circuit at its last threshold.
        states: of the space.
        best: how many of them are solutions, or optimal.
        qubits: of the circuit.
        probability: of measuring one of those; for GAS that of its circuit at the last threshold.
        cx: of the whole lowered circuit; for GAS the mean of a whole search.
        betas: of QAOA: ``shared`` by the mixers of a layer, or every mixer its ``own``.
        evaluations: simulations to choose the angles.
        start: the start that led to them.
        ratio: (worst - mean) / (worst - best) of the energy of a measurement; None where there is no objective.
        objective: mean objective of a measurement over the best one, counting what breaks a rule as nothing.
        checked: codewords on which the phase layer, or the oracle, was compared.
        followed: whether the whole lowered circuit was followed and gives the probabilities of the simulation.
    """

    problem: str
    presolve: str
    way: str
    encoding: str
    depth: int
    states: int
    best: int
    qubits: int
    probability: float
    cx: int
    betas: str = ""
    evaluations: int | None = None
    start: str = ""
    ratio: float | None = None
    objective: float | None = None
    checked: int | None = None
    followed: int = 0

    @property
    def price(self) -> float:
        """CX for a solution: CX over probability; a search of GAS ends with one."""
        return float(self.cx) if self.way == GAS else self.cx / max(self.probability, 1e-300)

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What names a row."""
        return self.problem, self.way, self.encoding, self.betas, self.depth


def read(path: Path = FILE) -> list[Row]:
    """The recorded rows; none without a file."""
    return read_rows(Row, path)


def write(rows: Iterable[Row], path: Path = FILE) -> None:
    """Replace the file."""
    write_rows(rows, Row, path)


def merged(fresh: Sequence[Row], recorded: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """The fresh rows in the place of those recorded for the same problem and way, in the order of ``names``."""
    measured = {(row.problem, row.way) for row in fresh}
    kept = [row for row in recorded if (row.problem, row.way) not in measured and row.problem in names]
    ways = (*QAOA, GROVER, GAS)
    return sorted([*fresh, *kept], key=lambda row: (names.index(row.problem), ways.index(row.way), row.encoding,
                                                    row.betas != SHARED, row.depth))  # fmt: skip


def best(rows: Iterable[Row], problem: str, way: str, encoding: str | None = None, betas: str = "") -> Row | None:
    """The circuit of the fewest CX for a solution; a way that knows one kind of betas only has those."""
    found = [row for row in rows if row.problem == problem and row.way == way and encoding in (None, row.encoding)]
    kept = [row for row in found if betas in ("", row.betas)]
    return min(kept, key=lambda row: row.price, default=None)

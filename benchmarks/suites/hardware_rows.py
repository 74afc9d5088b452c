"""Rows of hardware.py: one circuit on one fake device, kept in hardware.csv."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.core.csv_rows import read_rows, write_rows
from benchmarks.core.places import RESULTS

FILE = RESULTS / "hardware.csv"
OURS, QISKIT, LOWERED = "gatesolve", "Qiskit", "Qiskit, lowered by gatesolve"
WAYS = (OURS, QISKIT, LOWERED)
GROVER, QAOA = "Grover", "QAOA"


@dataclass(frozen=True)
class Row:
    """One circuit on one device.

    Attributes:
        device: the fake device.
        problem: K4 or K7.
        pipeline: Grover or QAOA.
        depth: iterations or layers.
        way: how the program was compiled for the device.
        qubits: that the circuit uses; None where it does not fit, and then everything else is None too.
        readouts: qubits measured.
        seeds: compilations; the circuit is the one of the highest estimated success.
        two_qubit: its gates on two qubits.
        two_qubit_depth: layers of those.
        median: median two-qubit gates of the compilations, of plain Qiskit; None for ours.
        fewest: fewest of them.
        estimated: chance that nothing fails, from the device's error rates.
        ideal: share of accepted shots without noise.
        chance: share of accepted shots among random bits.
        expected: share of accepted shots by the estimate.
        shots: of the run.
        accepted: share of shots that are a solution by the rules.
        right: whether the most frequent outcome among the codewords is a solution; None without an iteration, when
            all are alike.
    """

    device: str
    problem: str
    pipeline: str
    depth: int
    way: str
    qubits: int | None = None
    readouts: int | None = None
    seeds: int | None = None
    two_qubit: int | None = None
    two_qubit_depth: int | None = None
    median: float | None = None
    fewest: int | None = None
    estimated: float | None = None
    ideal: float | None = None
    chance: float | None = None
    expected: float | None = None
    shots: int | None = None
    accepted: float | None = None
    right: int | None = None

    @property
    def key(self) -> tuple[str, str, str, int, str]:
        """What names a row."""
        return self.device, self.problem, self.pipeline, self.depth, self.way


def read(path: Path = FILE) -> list[Row]:
    """The recorded rows; none without a file."""
    return read_rows(Row, path)


def write(rows: Iterable[Row], path: Path = FILE) -> None:
    """Replace the file."""
    write_rows(rows, Row, path)


def merged(fresh: Sequence[Row], recorded: Sequence[Row]) -> list[Row]:
    """The fresh rows in the place of those recorded for the same circuits."""
    keys = {row.key for row in fresh}
    places = {way: k for k, way in enumerate(WAYS)}
    rows = [*fresh, *(row for row in recorded if row.key not in keys)]
    return sorted(rows, key=lambda row: (row.problem, row.pipeline, row.depth, row.device, places[row.way]))


HEADER = (
    "problem", "circuit", "device", "compiled by", "qubits", "readouts", "two-qubit", "median", "depth", "estimated",
    "ideal", "chance", "expected", "accepted", "top is right",
)  # fmt: skip


def lines(rows: Iterable[Row]) -> list[list[object]]:
    """The table's cells; a circuit that does not fit is said to."""
    return [
        [
            row.problem, f"{row.pipeline} {row.depth}", row.device, row.way,
            "does not fit" if row.qubits is None else row.qubits, row.readouts, row.two_qubit, _short(row.median),
            row.two_qubit_depth, _short(row.estimated), _short(row.ideal), _short(row.chance), _short(row.expected),
            _short(row.accepted), None if row.right is None else "yes" if row.right else "no",
        ]
        for row in rows
    ]  # fmt: skip


def _short(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}".rstrip("0").rstrip(".")

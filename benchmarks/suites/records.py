"""Rows of gate_counts.py: one checked oracle a row, kept in gate_counts.csv and compared with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.core.csv_rows import read_rows, write_rows
from benchmarks.core.places import RESULTS

FILE = RESULTS / "gate_counts.csv"
OURS = "gatesolve"
LIBRARIES = (OURS, "Qiskit", "PennyLane", "Qrisp")
COUNTS = ("qubits", "cx", "t", "depth", "cx_u", "depth_u", "checked")


@dataclass(frozen=True)
class Row:
    """One oracle call.

    Attributes:
        puzzle: name of the case.
        presolve: its setting, the same for all.
        states: codewords of the row's own space.
        library: gatesolve, Qiskit, PennyLane or Qrisp.
        version: of the library.
        variant: how the oracle was made, within the library.
        level: ``literal`` (each constraint compiled alone), ``minimised`` or ``classical`` (solutions known).
        encoding: of the variables.
        qubits: width, ancillas included.
        cx: in Clifford+T, as ``t`` and ``depth``; None where there is no exact such circuit.
        t: T and T-dagger.
        depth: all gates.
        cx_u: in CX and general one-qubit gates, as ``depth_u``.
        depth_u: all gates.
        checked: codewords on which the lowered circuits were followed and found right.
        seconds: to compile, for information.
    """

    puzzle: str
    presolve: str
    states: int
    library: str
    version: str
    variant: str
    level: str
    encoding: str
    qubits: int
    cx: int | None = None
    t: int | None = None
    depth: int | None = None
    cx_u: int | None = None
    depth_u: int | None = None
    checked: int = 0
    seconds: float = 0.0

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names a row."""
        return self.puzzle, self.library, self.variant, self.level

    @property
    def counts(self) -> dict[str, int | None]:
        """What must stay the same."""
        return {name: getattr(self, name) for name in COUNTS}


def read(path: Path = FILE) -> list[Row]:
    """The recorded rows; none without a file."""
    return read_rows(Row, path)


def write(rows: Iterable[Row], path: Path = FILE) -> None:
    """Replace the file."""
    write_rows(rows, Row, path)


def merged(fresh: Sequence[Row], recorded: Sequence[Row], names: Sequence[str], missing: Iterable[str]) -> list[Row]:
    """The fresh rows, with recorded ones kept for puzzles that were not measured and libraries that are missing.

    Args:
        fresh: rows just measured.
        recorded: rows of the file.
        names: all puzzles, in the order of the file.
        missing: libraries that did not run.
    """
    gone, measured = set(missing), {row.puzzle for row in fresh}
    kept = [row for row in recorded if row.puzzle not in measured or row.library in gone]
    return sorted([*fresh, *kept], key=lambda row: (names.index(row.puzzle), LIBRARIES.index(row.library)))


def differences(fresh: Sequence[Row], recorded: Sequence[Row]) -> list[str]:
    """One line for every count that is not the recorded one; peers of another version are passed over.

    Rows that only one side has are named too, for the puzzles and libraries that occur in ``fresh``.
    """
    before = {row.key: row for row in recorded}
    lines = []
    for row in fresh:
        old = before.get(row.key)
        if old is None:
            lines.append(f"{_named(row)}: not recorded")
        elif row.library == OURS or row.version == old.version:
            changed = [f"{k} {old.counts[k]} -> {v}" for k, v in row.counts.items() if v != old.counts[k]]
            lines += [f"{_named(row)}: {', '.join(changed)}"] if changed else []
    here, measured = {row.key for row in fresh}, {(row.puzzle, row.library) for row in fresh}
    gone = (row for row in recorded if (row.puzzle, row.library) in measured and row.key not in here)
    return lines + [f"{_named(row)}: not made any more" for row in gone]


def _named(row: Row) -> str:
    return f"{row.puzzle}, {row.library} {row.variant}".rstrip()

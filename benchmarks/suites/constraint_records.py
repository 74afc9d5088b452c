"""Rows of constraint_peers.py, kept in constraint_peers.csv and compared with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.core.csv_rows import read_rows, write_rows
from benchmarks.core.places import RESULTS

FILE = RESULTS / "constraint_peers.csv"
OURS = "gatesolve"
PEERS = ("Qiskit", "PennyLane", "Qrisp")
COUNTS = ("qubits", "cx", "t", "t_measured", "depth", "cx_u", "depth_u", "checked")


@dataclass(frozen=True)
class Row:
    """One oracle call at the level ``literal``.

    Attributes:
        board: of `constraint_boards`.
        library: gatesolve, Qiskit, PennyLane or Qrisp.
        version: of the library.
        variant: how the oracle was made, within the library.
        encoding: of the variables.
        qubits: width, ancillas included.
        cx: in Clifford+T, as ``t`` and ``depth``.
        t: T and T-dagger without measurement.
        t_measured: the same where ANDs are erased by measurement; None where the library has no such gate.
        depth: all gates.
        cx_u: in CX and general one-qubit gates, as ``depth_u``.
        depth_u: all gates.
        checked: codewords on which it was followed and found right.
        seconds: to compile, for information.
    """

    board: str
    library: str
    version: str
    variant: str
    encoding: str
    qubits: int
    cx: int
    t: int
    t_measured: int | None
    depth: int
    cx_u: int
    depth_u: int
    checked: int = 0
    seconds: float = 0.0

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names a row."""
        return self.board, self.library, self.variant, self.encoding

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


def merge(fresh: Sequence[Row], recorded: Sequence[Row], names: Sequence[str], missing: Iterable[str]) -> list[Row]:
    """The fresh rows, with recorded ones kept of boards that were not measured and of libraries that are missing."""
    gone, measured = set(missing), {row.board for row in fresh}
    kept = [row for row in recorded if row.board in names and (row.board not in measured or row.library in gone)]
    order = (OURS, *PEERS)
    return sorted([*fresh, *kept], key=lambda row: (names.index(row.board), order.index(row.library)))


def differences(fresh: Sequence[Row], recorded: Sequence[Row]) -> list[str]:
    """One line for every count that is not the recorded one; peers of another version are passed over."""
    before = {row.key: row for row in recorded}
    lines = []
    for row in fresh:
        named, old = ", ".join(row.key), before.get(row.key)
        if old is None:
            lines.append(f"{named}: not recorded")
        elif row.library == OURS or row.version == old.version:
            changed = [f"{k} {old.counts[k]} -> {v}" for k, v in row.counts.items() if v != old.counts[k]]
            lines += [f"{named}: {', '.join(changed)}"] if changed else []
    return lines


def best_peer(rows: Sequence[Row]) -> Row:
    """The peer's row of fewest CX of one board, in {cx,u}; of equal ones the narrowest."""
    return min((row for row in rows if row.library != OURS), key=lambda row: (row.cx_u, row.t, row.qubits))


def ratio(theirs: int | None, own: int | None) -> str:
    """How many of ours theirs are."""
    return "-" if not own or theirs is None else f"{theirs / own:.2f}"

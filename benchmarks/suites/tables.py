"""The tables of gate_counts.py, made from its rows alone, so that they can be remade without measuring."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.core import report
from benchmarks.suites.records import LIBRARIES, OURS, Row

HEADER = ["puzzle", "oracle", "level", "encoding", "qubits", "CX", "T", "depth", "CX in {cx,u}", "depth in {cx,u}",
          "CX / ours", "T / ours", "depth / ours", "checked", "seconds"]  # fmt: skip
PEERS = tuple(library for library in LIBRARIES if library != OURS)
RATIO_HEADER = ["puzzle", "presolve", "states", "qubits", "CX", "T", "depth", "narrow: qubits", "narrow: CX",
                *(f"{peer}: {what}" for peer in PEERS for what in ("qubits", "CX", "T", "depth"))]  # fmt: skip


def reference(row: Row, rows: Sequence[Row]) -> Row | None:
    """Our row that does the work of ``row`` in binary: each constraint alone, or (beyond that) the solutions known."""
    level = "literal" if row.level == "literal" else "classical"
    ours = (r for r in rows if (r.puzzle, r.library, r.level, r.encoding) == (row.puzzle, OURS, level, "binary"))
    return next((r for r in ours if level == "literal" or r.variant == "solutions known"), None)


def ratios(row: Row, own: Row) -> dict[str, float | None]:
    """What ``row`` takes of each, over ours; in {cx,u} where it has no exact Clifford+T circuit."""
    pairs = {"CX": (row.cx, own.cx), "T": (row.t, own.t), "depth": (row.depth, own.depth)}
    if row.cx is None:
        pairs = {"CX": (row.cx_u, own.cx_u), "T": (None, None), "depth": (row.depth_u, own.depth_u)}
    return {what: a / b if a is not None and b else None for what, (a, b) in pairs.items()}


def lines(rows: Sequence[Row]) -> list[list[object]]:
    """One line a row under `HEADER`."""
    found = []
    for row in rows:
        name = f"{row.library}, {row.variant}" if row.variant else row.library
        counts = [row.qubits, row.cx, row.t, row.depth, row.cx_u, row.depth_u]
        own = reference(row, rows)
        compared = [None] * 3 if own is None else [_two(ratio) for ratio in ratios(row, own).values()]
        found.append([row.puzzle, name, row.level, row.encoding, *counts, *compared, row.checked, f"{row.seconds:.1f}"])
    return found


def summary(rows: Sequence[Row]) -> list[list[object]]:
    """One line a puzzle under `RATIO_HEADER`: our counts, each peer's width, and how many times as much it takes.

    Everyone compiles each constraint alone. Of each peer the row of fewest CX is taken.
    """
    found = []
    for puzzle in dict.fromkeys(row.puzzle for row in rows):
        here = [row for row in rows if row.puzzle == puzzle and row.level == "literal"]
        own = next(row for row in here if row.library == OURS)
        line: list[object] = [puzzle, own.presolve, own.states, own.qubits, own.cx, own.t, own.depth]
        narrow = next((row for row in here if row.variant.endswith(("at Qiskit's width", "as narrow as it gets"))), own)
        line += [narrow.qubits, narrow.cx]
        for peer in PEERS:
            theirs = [row for row in here if row.library == peer]
            best = min(theirs, key=lambda row: ratios(row, own)["CX"] or 0, default=None)
            line += [None] * 4 if best is None else [best.qubits, *map(_two, ratios(best, own).values())]
        found.append(line)
    return found


def section(rows: Sequence[Row]) -> str:
    """The tables in Markdown: each constraint alone, ours beside the peers'; then what knew more, apart from them."""
    versions = {row.library: row.version for row in rows}
    heading = "Measured with " + ", ".join(f"{name} {version}" for name, version in versions.items()) + "."
    shown = lines(rows)
    literal = [line for line, row in zip(shown, rows, strict=True) if row.level == "literal"]
    known = [line for line, row in zip(shown, rows, strict=True) if row.level != "literal"]
    return "\n\n".join(
        [
            heading,
            report.markdown_table(RATIO_HEADER, summary(rows)),
            "**Each constraint alone**",
            report.markdown_table(HEADER, literal),
            "**More was worked out classically**: the last ratios are to ours with the solutions known",
            report.markdown_table(HEADER, known),
        ]
    )


def _two(ratio: float | None) -> str | None:
    return None if ratio is None else f"{ratio:.2f}"

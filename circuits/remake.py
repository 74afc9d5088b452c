"""Remake every published circuit and its result row: ``python circuits/remake.py [FOLDER]``.

Without FOLDER the files beside this script are written.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from result_rows import ResultRow, make_row, to_csv

import gatesolve
from gatesolve.programs.program import CircuitPart

HERE = Path(__file__).resolve().parent
CONTEST = HERE.parent / "examples" / "kakuro" / "contest.txt"


@dataclass(frozen=True)
class Entry:
    """One published circuit of the contest Kakuro, compiled at presolve none."""

    level: str
    encoding: str
    part: CircuitPart
    gates: str = "cx+u"
    ancillas: int | None = None
    measured: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """What to compile with."""
        style = {"oracle": "classical"} if self.level == "classical" else {"level": self.level}
        chosen = {"encoding": self.encoding, "presolve": "none", "gates": self.gates, "ancillas": self.ancillas}
        return {**style, **chosen, "measured": self.measured}

    @property
    def name(self) -> str:
        """Its file name without the suffix."""
        measured = "-measured" if self.measured else ""
        budget = "" if self.ancillas is None else f"-{self.ancillas}-ancillas"
        gates = "" if self.gates == "cx+u" else "-clifford-t"
        return f"k7-{self.level}-{self.encoding}-{self.part}{budget}{gates}{measured}"


ENTRIES = (
    Entry("literal", "table", "whole"),
    Entry("literal", "binary", "oracle"),
    Entry("literal", "one-hot", "oracle"),
    Entry("merged", "table", "whole"),
    Entry("merged", "table", "oracle"),
    Entry("merged", "binary", "oracle"),
    Entry("minimised", "binary", "oracle"),
    Entry("minimised", "binary", "oracle", gates="clifford+t"),
    Entry("minimised", "binary", "oracle", gates="clifford+t", measured=True),
    Entry("minimised", "binary", "oracle", ancillas=1),
    Entry("minimised", "one-hot", "oracle"),
    Entry("classical", "table", "whole"),
    Entry("classical", "binary", "oracle", ancillas=2),
    Entry("classical", "one-hot", "oracle"),
)


def remake(folder: Path) -> list[ResultRow]:
    """Write all circuits (OpenQASM 3) with their certificates, and ``results.csv``, into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for entry in ENTRIES:
        compiled = gatesolve.compile(CONTEST, **entry.options)
        gatesolve.export(compiled, folder / f"{entry.name}.qasm3", entry.part)
        rows.append(make_row(entry.name, compiled, gatesolve.Options(**entry.options), entry.part))
    (folder / "results.csv").write_text(to_csv(rows))
    return rows


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "kakuro"
    for made in remake(target):
        counts = made.resources
        print(f"{made.name}: {counts.qubits} qubits, {counts.cx} CX, T {counts.t}, depth {counts.depth}")

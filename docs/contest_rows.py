"""The rows of the table of contests in numbers.md: our measured scores from circuits/ beside the published ones."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

CIRCUITS = Path(__file__).parents[1] / "circuits"
Row = dict[str, str]


@dataclass(frozen=True)
class Contest:
    """One line of the table.

    Attributes:
        folder: in circuits/.
        counted: what the contest counts.
        circuit: the row's name in results.csv.
        score: from that row, as it is shown.
        published: the best published score.
        level: of the oracle, where a problem was compiled.
    """

    folder: str
    counted: str
    circuit: str
    score: Callable[[Row], str]
    published: str
    level: str | None = None


def _thousands(field: str) -> Callable[[Row], str]:
    return lambda row: f"{int(row[field]):,}"


def _measured() -> Iterator[Contest]:
    """The circuits of toffoli-measured with the scores that its results.csv names as published."""
    with (CIRCUITS / "toffoli-measured" / "results.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            published = row["published"] + (" for any state" if row["class"] == "clean" else "")
            counted = f"Toffolis, measured, {row['class']}"
            yield Contest("toffoli-measured", counted, row["name"], _thousands("toffoli"), published)


KAKURO, PREPARED = "142 right on all inputs", "86 on its prepared states"
CONTESTS = (
    Contest("kakuro-2022", "CX of the oracle", "entry_literal", _thousands("cx"), KAKURO),
    Contest("kakuro-2022", "CX of the oracle", "entry_prepared", _thousands("cx"), PREPARED),
    Contest("mcx14-2022", "depth", "mcx14", lambda row: f"{row['depth']} ({row['cx']} CX)", "57 (90 CX)"),
    Contest("colouring-2019", "1q + 10 CX", "blocks", _thousands("score"), "16,613"),
    Contest("colouring-2019", "1q + 10 CX", "districts", _thousands("score"), "16,613"),
    Contest("asteroids-2020", "1q + 10 CX", "entry", _thousands("score"), "4,004"),
    Contest("asteroids-2020", "1q + 10 CX", "cells", _thousands("score"), "4,004"),
    Contest("logo-2026", "depth, then CX", "entry", lambda row: f"{row['depth']} / {row['cx']} CX", "111 / 557 CX"),
    *(
        Contest("icpc-2021", counted, name, _thousands("cost"), published)
        for counted, names in (
            ("CX + depth in CX + scratch", (("1a", "8"), ("1b", "16"), ("1c", "23"), ("2a", "128"), ("2b", "164"))),
            ("10 CX + 3 depth", (("3", "294"),)),
        )
        for name, published in names
    ),
    *_measured(),
    *(
        Contest("microsoft-695", "Grover iterations", name, _thousands("iterations"), "150")
        for name in ("one-hot", "binary")
    ),
    *(
        Contest("toffoli-t-counts", "T, no measurement", f"{name}_{n}", _thousands("t"), str(best))
        for name, counts in (("tof", (15, 23, 31, 71)), ("barenco_tof", (16, 28, 40, 100)))
        for n, best in zip((3, 4, 5, 10), counts, strict=True)
    ),
)


def rows() -> list[list[object]]:
    """The lines of the table.

    Raises:
        KeyError: a folder's results.csv has no such circuit.
    """
    return [_row(contest) for contest in CONTESTS]


def _row(contest: Contest) -> list[object]:
    with (CIRCUITS / contest.folder / "results.csv").open(newline="") as file:
        found = {row["name"]: row for row in csv.DictReader(file)}
    row = found[contest.circuit]
    link = f"[{contest.folder}](../circuits/{contest.folder}/README.md)"
    score = f"**{contest.score(row)}**"
    return [link, contest.counted, f"`{contest.circuit}`", row.get("level") or None, score, contest.published]

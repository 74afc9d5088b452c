"""The rows of the table of contests in numbers.md: what the judges of circuits/ said, beside published scores."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

CIRCUITS = Path(__file__).parents[1] / "circuits"
HEADER = ("contest", "what counts", "task", "class", "level", "gatesolve", "published best")
OURS = "gatesolve"
MICROSOFT = ("one-hot-as-microsoft", "binary-as-microsoft", "one-hot", "binary")
"""From the sample's own states first."""


def rows() -> list[list[object]]:
    """The lines of the table: judged entries, the strictest of each contest and task first, then Microsoft's sample.

    Raises:
        KeyError: a row lacks a column.
    """
    with (CIRCUITS / "records.csv").open(newline="", encoding="utf-8") as file:
        judged = list(csv.DictReader(file))
    published = _published([row for row in judged if row["author"] != OURS])
    found = [
        [*_start(r["contest"], r["counts"]), r["task"], r["class"], r["level"], *_scores(r, published)]
        for r in judged
        if r["author"] == OURS
    ]
    with (CIRCUITS / "microsoft-695" / "results.csv").open(newline="", encoding="utf-8") as file:
        sample = {row["name"]: row for row in csv.DictReader(file)}
    start = _start("microsoft-695", "Grover iterations")
    return found + [
        [*start, name, None, sample[name]["level"], f"**{int(sample[name]['iterations']):,}**", _by_states(name)]
        for name in MICROSOFT
    ]


def _by_states(name: str) -> str:
    return "150" if name.endswith("as-microsoft") else "150 from 12 times the states"


def _start(contest: str, counted: str) -> list[str]:
    return [f"[{contest}](../circuits/{contest}/README.md)", counted]


def _published(others: Sequence[dict[str, str]]) -> dict[tuple[str, str], dict[str, str]]:
    """The best score of others of each contest and task by class; the first line of a class is its best."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in others:
        found.setdefault((row["contest"], row["task"]), {}).setdefault(row["class"], row["score"])
    for line in (CIRCUITS / "published.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        found.setdefault((one["contest"], one["task"]), {}).setdefault(one["class"], one["shown"])
    return found


def _scores(row: dict[str, str], published: dict[tuple[str, str], dict[str, str]]) -> list[str | None]:
    classes = published.get((row["contest"], row["task"]), {})
    best = classes.get(row["class"])
    if best is None and classes:
        class_, shown = next(iter(classes.items()))
        best = f"{shown} ({class_})"
    return [f"**{row['score']}**", best]

"""The rows of the table of contests in comparison.md: what the judges of circuits/ said, beside published scores."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path

CIRCUITS = Path(__file__).parents[1] / "circuits"
HEADER = ("contest", "what counts", "task", "class", "level", "gatesolve", "published best")
OURS = "gatesolve"
LEVELS = ("literal", "merged", "minimised", "classical")
"""From the least to the most classical work."""
SHOWN_CONTROLS = ("33", "40", "48", "56", "64")
BACKTRACKING = "3,968; 91; not known; another board"


def rows() -> list[list[object]]:
    """The lines of the table: judged entries, then two Sudokus and MCX; of each contest and task the strictest first.

    The judged ones stand in records.csv by class, as the judge names them, the one that asks most first, then by level,
    and only then by score. The Sudokus come by level, then by how many states are left to search.

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
        sample = sorted(csv.DictReader(file), key=_strictness)
    start = _start("microsoft-695", "Grover iterations")
    found += [
        [*start, row["name"], None, row["level"], f"{int(row['iterations']):,}", _by_states(row["name"])]
        for row in sample
    ]
    return found + _backtracking() + _controls()


def _backtracking() -> list[list[object]]:
    """Searches of a whole board beside the one circuit of the paper, whose success is not known."""
    start = _start("backtracking-2024", "depth; qubits; success")
    with (CIRCUITS / "backtracking-2024" / "results.csv").open(newline="", encoding="utf-8") as file:
        return [
            [
                *start,
                f"{row['name'].rpartition('-')[0]}, {row['iterations']} iterations",
                None,
                row["level"],
                f"{int(row['depth']):,}; {row['qubits']}; {row['success']}",
                BACKTRACKING,
            ]
            for row in sorted(csv.DictReader(file), key=_strictness)
        ]


def _controls() -> list[list[object]]:
    """X under many controls beside two of Qiskit's circuits; some of the sizes measured."""
    start = _start("mcx-without-ancillas", "CX")
    with (CIRCUITS / "mcx-without-ancillas" / "results.csv").open(newline="", encoding="utf-8") as file:
        return [
            [
                *start,
                f"{row['controls']} controls",
                None,
                "function",
                f"{int(row['cx']):,}",
                f"{int(row['hp24_cx']):,} (hp24); {int(row['default_cx']):,} (Qiskit's default)",
            ]
            for row in csv.DictReader(file)
            if row["controls"] in SHOWN_CONTROLS
        ]


def _strictness(row: dict[str, str]) -> tuple[int, int]:
    """Smaller where less was worked out before."""
    return LEVELS.index(row["level"]), -int(row["states"])


def _by_states(name: str) -> str:
    return "150" if name.endswith("as-microsoft") else "150, with 12 times as many states"


def _start(contest: str, counted: str) -> list[str]:
    return [f"[{contest}](../circuits/{contest}/README.md)", counted]


def _published(others: Sequence[dict[str, str]]) -> dict[tuple[str, str], dict[str, str]]:
    """The best score of others of each contest and task by class, judged here or published."""
    lines = (CIRCUITS / "published.jsonl").read_text(encoding="utf-8").splitlines()
    scores = [(row, row["score"]) for row in others] + [(one, one["shown"]) for one in map(json.loads, lines)]
    found: dict[tuple[str, str], dict[str, str]] = {}
    for one, shown in sorted(scores, key=lambda score: _numbers(score[1])):
        found.setdefault((one["contest"], one["task"]), {}).setdefault(one["class"], shown)
    return found


def _numbers(shown: str) -> list[float]:
    """A score's numbers, which compare as the score does."""
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", shown.replace(",", ""))]


def _scores(row: dict[str, str], published: dict[tuple[str, str], dict[str, str]]) -> list[str | None]:
    """Our score and the best of the same class; the organisers' starting code is no competitor's."""
    best = published.get((row["contest"], row["task"]), {}).get(row["class"])
    return [row["score"], None if best is None or "given code" in best else best]


MUTANTS_HEADER = ("contest", "entries", "gates left out", "refused", "of these not followed", "accepted")


def mutants() -> list[list[object]]:
    """What the judges say of our entries without one gate, each gate in turn, by contest."""
    found: dict[str, list[int]] = {}
    with (CIRCUITS / "mutants.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            counts = (1, *(int(row[name]) for name in ("gates", "refused", "unfollowed", "accepted")))
            found[row["contest"]] = [sum(pair) for pair in zip(found.get(row["contest"], [0] * 5), counts, strict=True)]
    return [[contest, *counts] for contest, counts in found.items()]

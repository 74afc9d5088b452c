"""The table of records: the best entry of each task, class and level, beside what was published elsewhere."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from entries import LEVELS, OURS, Entry, need_text
from judges import CONTESTS, RefusedError, Verdict

Standing = Sequence[tuple[Entry, Verdict]]
PUBLISHED = "published.jsonl"
HEAD = """# Records

`python circuits/judge.py` makes this page from the files `*/entries.jsonl` and `published.jsonl`. Do not edit it.
[README.md](README.md) explains how to enter a circuit.

Lower is better. Scores in bold were judged here, on all inputs. For each task, class and level, this page has our best
entry and the best entry of others, the strictest class first. Below them are scores that were published elsewhere.
Some of these have another class.

The *class* is what the judge checks. The *level* is the author's word for
[the work that was done classically](../docs/oracles.md#levels). `function` marks a task without constraints.
"""


@dataclass(frozen=True)
class Published:
    """A score from elsewhere, whose circuit does not stand here.

    Attributes:
        contest: its folder.
        task: of the contest.
        class_: what is known of it.
        shown: the score.
        author: whose it is.
        source: where it was read.
        date: as far as known.
        note: whether it was measured again.
    """

    contest: str
    task: str
    class_: str
    shown: str
    author: str
    source: str
    date: str
    note: str


def read_published(root: Path) -> list[Published]:
    """The published scores.

    Raises:
        RefusedError: a line is not as it should be.
    """
    found, path = [], root / PUBLISHED
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RefusedError(f"{path}: cannot be read: {error}") from None
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
            one = Published(class_=data.pop("class"), **data)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RefusedError(f"{path}:{number}: {error}") from None
        for key, value in vars(one).items():
            need_text(f"{path}:{number}", key.rstrip("_"), value)
        contest = CONTESTS.get(one.contest)
        if contest is None or one.task not in contest.tasks or one.class_ not in contest.classes:
            raise RefusedError(f"{path}:{number}: no such contest, task or class")
        found.append(one)
    return found


def best_entries(standing: Standing) -> list[tuple[Entry, Verdict]]:
    """The best of each contest, task, class and level, ours and others', the earlier among equals; strictest first."""
    best: dict[tuple[str, ...], tuple[Entry, Verdict]] = {}
    for entry, verdict in sorted(standing, key=lambda one: (one[1].score, one[0].date)):
        kind = entry.contest, entry.task, entry.class_, entry.level, str(entry.author == OURS)
        best.setdefault(kind, (entry, verdict))
    return sorted(best.values(), key=lambda one: (_order(one[0]), one[1].score))


def _order(entry: Entry) -> tuple[int, ...]:
    """Strictest first within a contest and task: the class that the judge names first, then the level; no score."""
    contest = CONTESTS[entry.contest]
    places = list(CONTESTS).index(entry.contest), contest.tasks.index(entry.task)
    return *places, list(contest.classes).index(entry.class_), LEVELS.index(entry.level)


def records_page(standing: Standing, published: Sequence[Published], root: Path) -> str:
    """RECORDS.md."""
    parts = [HEAD]
    best = best_entries(standing)
    for name, contest in CONTESTS.items():
        rows = [_rows(best, published, name, task, root) for task in contest.tasks]
        if not any(rows):
            continue
        parts.append(f"\n## {name}: {contest.counted}\n")
        parts += [f"* `{class_}`: {meaning}" for class_, meaning in contest.classes.items()]
        parts.append("\n| task | class | level | score | qubits | by | date | source | judged |")
        parts.append("| --- | --- | --- | --: | --: | --- | --- | --- | --- |")
        parts += [f"| {' | '.join(row)} |" for some in rows for row in some]
    return "\n".join(parts) + "\n"


def _rows(best: Standing, published: Iterable[Published], contest: str, task: str, root: Path) -> list[tuple[str, ...]]:
    rows = [
        (task, e.class_, e.level, f"**{v.text}**", str(v.qubits), e.author, e.date, _link(e, root), "here")
        for e, v in best
        if (e.contest, e.task) == (contest, task)
    ]
    rows += [
        (task, p.class_, "", p.shown, "", p.author, p.date, p.source, p.note)
        for p in published
        if (p.contest, p.task) == (contest, task)
    ]
    return rows


def _link(entry: Entry, root: Path) -> str:
    path = entry.files[0].relative_to(root).as_posix()
    return f"[{entry.files[0].name}]({path}), {entry.source}"


def records_csv(standing: Standing, root: Path) -> str:
    """Every entry that stands, for other tables."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(
        ["contest", "counts", "task", "class", "level", "score", "qubits", "author", "date", "source", "circuit"]
    )
    for entry, verdict in sorted(standing, key=lambda one: (_order(one[0]), one[1].score, one[0].date)):
        names = [entry.contest, CONTESTS[entry.contest].counted, entry.task, entry.class_, entry.level]
        path = entry.files[0].relative_to(root).as_posix()
        rows.writerow([*names, verdict.text, verdict.qubits, entry.author, entry.date, entry.source, path])
    return out.getvalue()

"""What an entry says of itself: a line of JSON in an `entries.jsonl`, beside its circuits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from judges import CONTESTS, RefusedError

LEVELS = ("literal", "merged", "minimised", "classical", "function")
"""Strictest first; ``function`` where there are no constraints to check, only a function to compute."""
NAME = "entries.jsonl"


@dataclass(frozen=True)
class Entry:
    """One line.

    Attributes:
        contest: its folder in circuits/.
        task: of the contest.
        class_: what is claimed of the circuit, which the judge checks.
        level: what was worked out classically, on the author's word.
        author: who made it.
        source: an address, or the command that makes it.
        date: YYYY-MM-DD.
        files: the circuits.
    """

    contest: str
    task: str
    class_: str
    level: str
    author: str
    source: str
    date: str
    files: tuple[Path, ...]


def read_entries(folder: Path) -> Iterator[tuple[str, Entry | RefusedError]]:
    """Every line below a folder: its place, and what it says or why that cannot be."""
    for path in sorted(folder.rglob(NAME)):
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            yield str(path), RefusedError(f"{path}: cannot be read: {error}")
            continue
        for number, line in enumerate(lines, 1):
            if line.strip():
                place = f"{path}:{number}"
                try:
                    yield place, read_line(line, path.parent, place)
                except RefusedError as error:
                    yield place, error


def read_line(line: str, folder: Path, place: str) -> Entry:
    """An entry from its line.

    Raises:
        RefusedError: a key is missing or unknown, or a value is none of those there are.
    """
    try:
        data = json.loads(line)
    except ValueError as error:
        raise RefusedError(f"{place}: no JSON: {error}") from None
    keys = [field.name.rstrip("_") for field in fields(Entry)]
    if not isinstance(data, dict) or sorted(data) != sorted(keys):
        raise RefusedError(f"{place}: the keys must be exactly {', '.join(keys)}")
    files = data.pop("files")
    for key, value in data.items():
        if not isinstance(value, str) or not re.fullmatch(r"[^\x00-\x1f|<>`\[\]]{1,200}", value):
            raise RefusedError(f"{place}: {key} must be a text of 1 to 200 characters without any of | < > ` [ ]")
    _choose(place, "contest", data["contest"], CONTESTS)
    contest = CONTESTS[data["contest"]]
    _choose(place, "task", data["task"], contest.tasks)
    _choose(place, "class", data["class"], contest.classes)
    _choose(place, "level", data["level"], LEVELS)
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", data["date"]):
        raise RefusedError(f"{place}: date must be YYYY-MM-DD")
    names = contest.files.get(data["task"], contest.files.get(data["class"], "the circuit"))
    if not isinstance(files, list) or len(files) != len(names.split(", ")):
        raise RefusedError(f"{place}: files must be a list of: {names}")
    paths = []
    for name in files:
        if not isinstance(name, str) or Path(name).name != name:
            raise RefusedError(f"{place}: files must be names of files beside this one")
        if not (folder / name).is_file() or (folder / name).is_symlink():
            raise RefusedError(f"{place}: no file {name} beside it")
        paths.append(folder / name)
    return Entry(class_=data.pop("class"), files=tuple(paths), **data)


def _choose(place: str, key: str, value: str, known) -> None:  # type: ignore[no-untyped-def]
    if value not in known:
        raise RefusedError(f"{place}: no {key} {value!r}; there are {', '.join(known)}")

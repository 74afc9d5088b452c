"""What an entry says of itself: a line of JSON in an `entries.jsonl`, beside its circuits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path

from judges import CONTESTS, RefusedError

LEVELS = ("literal", "merged", "minimised", "classical", "function")
"""Strictest first; ``function`` where there are no constraints to check, only a function to compute."""
NAME = "entries.jsonl"
OURS = "gatesolve"
PLAIN = re.compile(r"[A-Za-z0-9][\w.+-]{0,99}", re.ASCII)
"""What a file or folder of an entry may be called: names go into tables and into a workflow's log."""


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
        folders = path.relative_to(folder).parts[:-1]
        if path.is_symlink() or not all(map(PLAIN.fullmatch, folders)):
            told = "a link" if path.is_symlink() else "a folder's name has other characters than a-z, 0-9 and _ . + -"
            yield ascii(str(path)), RefusedError(f"{str(path)!a}: {told}")
            continue
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
    except (ValueError, RecursionError) as error:
        raise RefusedError(f"{place}: no JSON: {error}") from None
    keys = [field.name.rstrip("_") for field in fields(Entry)]
    if not isinstance(data, dict) or sorted(data) != sorted(keys):
        raise RefusedError(f"{place}: the keys must be exactly {', '.join(keys)}")
    files = data.pop("files")
    for key, value in data.items():
        need_text(place, key, value)
    _choose(place, "contest", data["contest"], CONTESTS)
    contest = CONTESTS[data["contest"]]
    _choose(place, "task", data["task"], contest.tasks)
    _choose(place, "class", data["class"], contest.classes)
    _choose(place, "level", data["level"], LEVELS)
    if not _is_day(data["date"]):
        raise RefusedError(f"{place}: date must be a day, YYYY-MM-DD")
    if data["author"] == OURS and folder.name != data["contest"]:
        raise RefusedError(f"{place}: author {OURS} is for what stands in {data['contest']}/ itself")
    names = contest.files.get(data["task"], contest.files.get(data["class"], "the circuit"))
    if not isinstance(files, list) or len(files) != len(names.split(", ")):
        raise RefusedError(f"{place}: files must be a list of: {names}")
    paths = []
    for name in files:
        if not isinstance(name, str) or not PLAIN.fullmatch(name):
            raise RefusedError(f"{place}: files must be names of files beside this one, of a-z, 0-9 and _ . + - only")
        if not name.endswith((".qasm", ".qasm3")):  # the workflow looks at these
            raise RefusedError(f"{place}: {name} must end in .qasm or .qasm3")
        if not (folder / name).is_file() or (folder / name).is_symlink():
            raise RefusedError(f"{place}: no file {name} beside it")
        paths.append(folder / name)
    return Entry(class_=data.pop("class"), files=tuple(paths), **data)


def need_text(place: str, key: str, value: object) -> None:
    """Raise `RefusedError` unless a value can stand in a table."""
    if not isinstance(value, str) or not re.fullmatch(r"[^|<>`\[\]]{1,200}", value) or not value.isprintable():
        raise RefusedError(f"{place}: {key} must be a text of 1 to 200 characters without any of | < > ` [ ]")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _choose(place: str, key: str, value: str, known) -> None:  # type: ignore[no-untyped-def]
    if value not in known:
        raise RefusedError(f"{place}: no {key} {value!r}; there are {', '.join(known)}")

"""Frozen rows in a CSV file, read and written by their fields' types."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

Kept = TypeVar("Kept")


def read_rows(kind: type[Kept], path: Path) -> list[Kept]:
    """The recorded rows; none without a file. An empty cell of a number is None."""
    if not path.exists():
        return []
    hints = get_type_hints(kind)
    types = {name: float if "float" in str(hint) else str if hint is str else int for name, hint in hints.items()}
    with path.open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    return [kind(**{name: _value(types[name], text) for name, text in line.items()}) for line in lines]


def _value(kind: Any, text: str) -> Any:
    return text if kind is str else kind(text) if text else None


def write_rows(rows: Iterable[Any], kind: type[Any], path: Path) -> None:
    """Replace the file, once all rows are written."""
    write_lines([field.name for field in fields(kind)], [[*asdict(row).values()] for row in rows], path)


def write_lines(header: Sequence[str], lines: Iterable[Sequence[object]], path: Path) -> None:
    """Replace the file, once all lines are written."""
    fresh = path.with_suffix(".new")
    with fresh.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(lines)
    fresh.replace(path)

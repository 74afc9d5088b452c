"""Rows of results: one frozen row for all that is measured, kept in the CSV files of results/."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks.core.places import RESULTS

Cell = str | int | float | None
OURS = "gatesolve"
_KINDS: dict[str, type] = {"key": str, "key-int": int, "str": str, "int": int, "float": float, "seconds": float}
_KINDS |= {"version": str, "note": str}
_UNCOMPARED = {"version", "seconds", "note"}


@dataclass(frozen=True)
class Table:
    """A file of results.

    Attributes:
        name: of the file, without its ending.
        declared: a line for each column: its name, its kind, its heading in brackets unless that is the name, and
            its contents. ``key`` and ``key-int`` are the columns that identify a row. ``version`` (of the library that
            was measured), ``seconds`` and ``note`` are for information and never compared.
        folder: that the file is in.
    """

    name: str
    declared: str
    folder: Path = RESULTS

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kind of each column."""
        return dict(line.split()[:2] for line in self.declared.splitlines() if line.strip())

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{self.name}.csv"

    @property
    def header(self) -> list[str]:
        """The headings of the columns."""
        lines = [line for line in self.declared.splitlines() if line.strip()]
        headings = [re.match(r"\s*\S+ +\S+ +\[(.*?)\]", line) for line in lines]
        return [found[1] if found else name for found, name in zip(headings, self.kinds, strict=True)]

    def row(self, *cells: Cell, **named: Cell) -> Row:
        """Make a row; a column that is not given is empty.

        Raises:
            TypeError: a column is given twice or unknown, or one that identifies the row is missing.
        """
        given = dict(zip(self.kinds, cells, strict=False))
        if len(cells) > len(self.kinds) or given.keys() & named or named.keys() - self.kinds:
            raise TypeError(f"rows of {self.name} have the columns {', '.join(self.kinds)}")
        given |= named
        if missing := [name for name, kind in self.kinds.items() if kind.startswith("key") and name not in given]:
            raise TypeError(f"a row of {self.name} is identified by {', '.join(missing)} too")
        empty = {name: "" if _KINDS[kind] is str else None for name, kind in self.kinds.items()}
        return Row(self, tuple((empty | given).values()))

    def read(self, path: Path | None = None) -> list[Row]:
        """Return the recorded rows; none without a file.

        Raises:
            ValueError: the file has other columns.
        """
        if not (path or self.path).exists():
            return []
        with (path or self.path).open(newline="", encoding="utf-8") as file:
            header, *lines = csv.reader(file)
        if header != self.header:
            raise ValueError(f"{path or self.path}: the columns are {header}, not {self.header}")
        kinds = [_KINDS[kind] for kind in self.kinds.values()]
        return [
            Row(self, tuple(text if kind is str else kind(text) if text else None for kind, text in pairs))
            for pairs in (zip(kinds, line, strict=True) for line in lines)
        ]

    def write(self, rows: Iterable[Row], path: Path | None = None) -> None:
        """Replace the file, once all rows are written."""
        fresh = (path or self.path).with_suffix(".new")
        with fresh.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.header)
            writer.writerows(row.cells for row in rows)
        fresh.replace(path or self.path)


@dataclass(frozen=True)
class Row:
    """One result; each column is an attribute.

    Attributes:
        table: declares its columns.
        cells: the values, in the columns' order.
    """

    table: Table
    cells: tuple[Cell, ...]

    def __getattr__(self, name: str) -> Any:
        """Return the value of a column."""
        if name.startswith("__") or name in {"table", "cells"} or name not in self.table.kinds:
            raise AttributeError(name)
        return self.cells[[*self.table.kinds].index(name)]

    @property
    def key(self) -> tuple[Cell, ...]:
        """The cells that identify the row in its table."""
        return tuple(getattr(self, name) for name, kind in self.table.kinds.items() if kind.startswith("key"))

    @property
    def figures(self) -> dict[str, Cell]:
        """The cells that stay the same when the row is measured again."""
        return {n: getattr(self, n) for n, k in self.table.kinds.items() if k[:3] != "key" and k not in _UNCOMPARED}

    def replace(self, **changed: Cell) -> Row:
        """Return the row with some cells changed."""
        return self.table.row(**(dict(zip(self.table.kinds, self.cells, strict=True)) | changed))

    def __str__(self) -> str:
        return ", ".join(str(cell) for cell in self.key if cell != "")


def list_differences(
    fresh: Sequence[Row], recorded: Iterable[Row], is_remade: Callable[[Row], bool] = lambda row: False
) -> list[str]:
    """Return a line for each figure that is not the recorded one, and for each row that only one side has.

    Rows of another library are compared where they are of the recorded version.

    Args:
        fresh: rows just measured.
        recorded: rows of the file.
        is_remade: tells of a recorded row whether it was to be measured again.
    """
    before = {row.key: row for row in recorded}
    lines = []
    for row in fresh:
        old = before.get(row.key)
        if old is None:
            lines.append(f"{row}: not recorded")
        elif OURS in row.key or "version" not in row.table.kinds or row.version == old.version:
            changed = [f"{k} {old.figures[k]} -> {v}" for k, v in row.figures.items() if _differ(v, old.figures[k])]
            lines += [f"{row}: {', '.join(changed)}"] if changed else []
    made = {row.key for row in fresh}
    return lines + [f"{row}: not made any more" for key, row in before.items() if key not in made and is_remade(row)]


def _differ(one: Cell, other: Cell) -> bool:
    """Tell whether two figures differ, numbers that are not whole by more than rounding."""
    if isinstance(one, float) and isinstance(other, float):
        return not math.isclose(one, other, rel_tol=1e-6)
    return one != other

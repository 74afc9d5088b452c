"""Puzzles written as one JSON object, as in the lines of public instance collections."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gatesolve.errors import InputError
from gatesolve.files import json_object
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.reading import Line


def is_json(text: str) -> bool:
    """Whether a text is meant to be a JSON object."""
    return text.lstrip().startswith("{")


def read_object(text: str, source: str, families: Collection[str]) -> dict[str, Any]:
    """The one JSON object that a text holds, of one of these families (the first, if it names none)."""
    data = json_object(text, source)
    first = next(iter(families))
    found = data.get("family", first)
    if found not in families:
        raise InputError(f"JSON of family {str(found)[:20]!r}, read as {first}: name its family", source=source)
    return data


def refuse_fields(data: Mapping[str, Any], mends: Mapping[str, str], source: str) -> None:
    """Refuse fields that look like a rule but are none; ``mends`` says for each what to write instead."""
    for name, mend in mends.items():
        if name in data:
            raise InputError(f"JSON has no field '{name}': {mend}", source=source)


def json_rows(data: Mapping[str, Any], field: str, source: str) -> list[Line]:
    """The rows of a grid, one string each."""
    rows = data.get(field)
    if not isinstance(rows, list) or not all(isinstance(row, str) and row.strip() for row in rows):
        raise InputError(f"JSON has no field '{field}' with a list of strings: write one string a row", source=source)
    return [Line(number, row, source) for number, row in enumerate(rows, 1)]


def rows_of_list(rows: Any, field: str, source: str) -> list[Line]:
    """Rows of a grid in a JSON object: strings, or lists of letters or integers."""
    lines = []
    for number, row in enumerate(rows if isinstance(rows, list) else [None], 1):
        if isinstance(row, list) and row and all(isinstance(v, str) or type(v) is int for v in row):
            row = " ".join(map(str, row))
        elif not (isinstance(row, str) and row.strip()):
            raise InputError(f"JSON field '{field}' is not a list of rows: write one string a row", source=source)
        lines.append(Line(number, row, source))
    return lines


def json_bool(data: Mapping[str, Any], field: str, default: bool, source: str) -> bool:
    """A field that is true or false."""
    found = data.get(field, default)
    if not isinstance(found, bool):
        raise InputError(f"JSON field '{field}' is neither true nor false: write one of them", source=source)
    return found


def json_cells(data: Mapping[str, Any], field: str, size: tuple[int, int], source: str) -> list[Cell]:
    """A field with 0-based ``[row, column]`` pairs; empty when it is missing."""
    found = data.get(field, [])
    pairs: list[Any] = found if isinstance(found, list) else [None]
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(v) is int for v in pair)):
            raise InputError(f"JSON field '{field}' is not a list of [row, column] pairs", source=source)
        if not (0 <= pair[0] < size[0] and 0 <= pair[1] < size[1]):
            fault = f"JSON field '{field}' has cell {pair} outside the board of {size[0]}x{size[1]}"
            raise InputError(f"{fault}: rows and columns count from 0", source=source)
    return [(r, c) for r, c in pairs]


def json_side(data: Mapping[str, Any], field: str, most: int, source: str) -> int:
    """A field with the side of a board."""
    side = data.get(field)
    if type(side) is not int or not 1 <= side <= most:
        fault = f"JSON field '{field}' is not a number of 1..{most}: write the side of the board"
        raise InputError(fault, source=source)
    return side

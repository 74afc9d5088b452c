"""Puzzles written as one JSON object, as in the lines of public instance collections."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gatesolve.errors import InputError, one_line
from gatesolve.files import json_object, show_json
from gatesolve.puzzles.grid import Cell
from gatesolve.puzzles.reading import Line

ABOUT = (
    "id", "name", "title", "family", "author", "source", "url", "license", "date", "difficulty", "comment",
    "solution", "n_solutions",
)  # fmt: skip
"""Fields that any object may have: they are about the puzzle, and no rule or clue of it."""


def is_json(text: str) -> bool:
    """Whether a text is meant to be a JSON object."""
    return text.lstrip().startswith("{")


def read_object(text: str, source: str, families: Collection[str]) -> dict[str, Any]:
    """The one JSON object that a text holds, of one of these families (the first, if it names none)."""
    data = json_object(text, source)
    first = next(iter(families))
    found = data.get("family", first)
    if found not in families:
        raise InputError(f"JSON of family {show_json(found)}, read as {first}: name its family", source=source)
    return data


def refuse_fields(
    data: Mapping[str, Any], known: Collection[str], source: str, mends: Mapping[str, str] | None = None
) -> None:
    """Refuse fields that are not ``known`` and not in `ABOUT`; ``mends`` has what to write instead of some of them."""
    for name in data:
        if name not in known and name not in ABOUT:
            mend = (mends or {}).get(name, f"write one of {', '.join(known)}, or remove it")
            raise InputError(f"JSON has no field '{one_line(name)[:20]}': {mend}", source=source)


def check_sides(data: Mapping[str, Any], size: tuple[int, int], source: str) -> None:
    """Refuse fields ``size``, ``rows`` and ``cols`` that do not agree with the board's rows and columns."""
    for field, sides in (("size", {*size}), ("rows", {size[0]}), ("cols", {size[1]})):
        if field in data and (type(data[field]) is not int or sides != {data[field]}):
            fault = f"JSON field '{field}' is {show_json(data[field])} but the board has {size[0]} rows"
            raise InputError(f"{fault} and {size[1]} columns: make them agree", source=source)


def json_cells_of(rows: object) -> list[list[str]]:
    """The cells of a field with a board, each as it is written, ``.`` for null; no rows where it holds no board."""
    found = list[list[str]]()
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, str) and row.strip():
            found.append([token.text for token in Line(None, row).cells()])
        elif isinstance(row, list) and row and all(v is None or isinstance(v, str) or type(v) is int for v in row):
            found.append(["." if v in (None, "") else str(v) for v in row])
        else:
            return []
    return found


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
            fault = f"JSON field '{field}' has cell {show_json(pair)} outside the board of {size[0]}x{size[1]}"
            raise InputError(f"{fault}: rows and columns count from 0", source=source)
    return [(r, c) for r, c in pairs]


def json_side(data: Mapping[str, Any], field: str, most: int, source: str) -> int:
    """A field with the side of a board."""
    side = data.get(field)
    if type(side) is not int or not 1 <= side <= most:
        fault = f"JSON field '{field}' is not a number of 1..{most}: write the side of the board"
        raise InputError(fault, source=source)
    return side

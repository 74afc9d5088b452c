"""Tents & Trees boards as other programs write them; docs/formats.md lists the formats."""

from __future__ import annotations

import re
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.json_text import json_rows
from gatesolve.puzzles.lettergrid import grid_of
from gatesolve.puzzles.reading import Link, bare_text, check_size, link_of
from gatesolve.puzzles.tents.board import FREE, MAX_SIDE, TENT, TREE, Board, Counts

_GAME_ID = re.compile(r"([0-9]{1,4})x([0-9]{1,4})(?:d[a-z])?:([a-z_]*)((?:,[0-9]{1,4})+)")
_NUMBERS = r"=\s*\[([-0-9,|\s]*)\]"

_HEX = "0123456789abcdef"


def is_foreign(text: str) -> bool:
    """Whether the text is a board in one of these formats."""
    bare = bare_text(text)
    known = _GAME_ID.fullmatch(bare) or link_of(bare, "tents")
    return known is not None or (re.search(r"\brow_sums\s*=", bare) is not None and "col_sums" in bare)


def foreign_board(text: str, source: str) -> Board:
    """The board of a text for which `is_foreign` holds."""
    bare = bare_text(text)
    if match := _GAME_ID.fullmatch(bare):
        return _from_game_id(match, source)
    if link := link_of(bare, "tents"):
        return _from_link(link, source)
    return _from_minizinc(bare, source)


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object: ``grid``, ``row_counts`` and ``col_counts``."""
    known = "T for a tree, . for a free cell"
    grid = grid_of(json_rows(data, "grid", source), source, (TREE, TENT, FREE), known, most=MAX_SIDE)
    row_counts = _json_counts(data, "row_counts", len(grid), source)
    column_counts = _json_counts(data, "col_counts", len(grid[0]), source)
    return Draft((Board(tuple(map("".join, grid)), row_counts, column_counts),))


def _json_counts(data: dict[str, Any], field: str, length: int, source: str) -> Counts:
    counts = data.get(field)
    if not isinstance(counts, list) or not all(n is None or (type(n) is int and 0 <= n < 1000) for n in counts):
        fault = f"JSON has no field '{field}' with a list of counts: write numbers, null where one is missing"
        raise InputError(fault, source=source)
    if len(counts) != length:
        raise InputError(f"JSON field '{field}' has {len(counts)} counts: write {length}", source=source)
    return tuple(counts)


def _from_game_id(match: re.Match[str], source: str) -> Board:
    columns, rows = int(match[1]), int(match[2])
    check_size(rows, columns, MAX_SIDE, source)
    trees: list[int] = []
    at = 0
    for letter in match[3]:
        if letter == "z":
            at += 25
            continue
        at += 0 if letter == "_" else ord(letter) - ord("a") + 1
        trees.append(at)
        at += 1
    # The last tree is not one: it stands just behind the last cell and closes the board.
    if at - 1 != rows * columns or not trees or trees.pop() != rows * columns:
        fault = f"the game id's trees end at cell {at - 1} of {rows * columns}: copy the whole id"
        raise InputError(fault, source=source)
    counts = [int(part) for part in match[4].split(",")[1:]]
    if len(counts) != rows + columns:
        fault = f"the game id has {len(counts)} counts, but {columns} columns and {rows} rows: copy the whole id"
        raise InputError(fault, source=source)
    return _board(rows, columns, trees, tuple(counts[columns:]), tuple(counts[:columns]))


def _from_link(link: Link, source: str) -> Board:
    rows, columns, body = link
    check_size(rows, columns, MAX_SIDE, source)
    counts: list[int | None] = []
    k = 0
    while len(counts) < rows + columns:
        letter = body[k : k + 1]
        if "g" <= letter <= "z":
            counts += [None] * (ord(letter) - ord("f"))
            k += 1
            continue
        digits = body[k + 1 : k + 3] if letter == "-" else letter
        if not digits or set(digits) - set(_HEX):
            raise InputError(f"the link's counts break off at {body[k : k + 3]!r}: copy the whole link", source=source)
        counts.append(int(digits, 16))
        k += 3 if letter == "-" else 1
    if len(counts) > rows + columns:
        raise InputError(f"the link has more counts than {columns} columns and {rows} rows", source=source)
    trees = []
    at = 0
    for letter in body[k:]:
        if not ("0" <= letter <= "9" or "a" <= letter <= "z"):
            raise InputError(f"the link has an unknown letter {letter!a}: copy it again", source=source)
        value = int(letter, 36)
        if value < 18:
            trees.append(at)
        at += value + 1 if value < 18 else value - 17
    if trees and trees[-1] >= rows * columns:
        raise InputError(f"the link has a tree behind the last of {rows}x{columns} cells: copy it again", source=source)
    return _board(rows, columns, trees, tuple(counts[columns:]), tuple(counts[:columns]))


def _from_minizinc(text: str, source: str) -> Board:
    def numbers(field: str) -> list[int]:
        match = re.search(rf"\b{field}\s*{_NUMBERS}", text)
        if match is None:
            raise InputError(f"MiniZinc data without '{field} = [...]': add it", source=source)
        return [int(part) for part in re.findall(r"-?[0-9]{1,4}", match[1])]

    cells, rows, columns = numbers("a"), numbers("row_sums"), numbers("col_sums")
    check_size(len(rows), len(columns), MAX_SIDE, source)
    if len(cells) != len(rows) * len(columns) or set(cells) - {0, 1}:
        fault = f"MiniZinc 'a' is not {len(rows)}x{len(columns)} cells of 0 and 1 as the sums say: correct it"
        raise InputError(fault, source=source)
    # Data sets write -1 where a sum is not given.
    known = [tuple(None if n < 0 else n for n in counts) for counts in (rows, columns)]
    return _board(len(rows), len(columns), [k for k, cell in enumerate(cells) if cell], *known)


def _board(rows: int, columns: int, trees: list[int], row_counts: Counts, column_counts: Counts) -> Board:
    """The board with trees at these cells, counted row by row from 0."""
    held = set(trees)
    grid = tuple("".join(TREE if r * columns + c in held else FREE for c in range(columns)) for r in range(rows))
    return Board(grid, row_counts, column_counts)

"""Reading and writing Star Battles as text, and reading their codes; docs/formats.md has the formats."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from gatesolve.errors import InputError
from gatesolve.puzzles.base import Draft
from gatesolve.puzzles.foreign import Link, link_of
from gatesolve.puzzles.grid import FREE, NO_REGION, Cell, Grid, cells_by_name, draw_rooms, grid_text, name_by_letters
from gatesolve.puzzles.json_text import check_sides, json_cells, json_cells_of, rows_of_list
from gatesolve.puzzles.lettergrid import MAX_SIDE, grid_of, places_in, sections
from gatesolve.puzzles.reading import Line, Token, check_size, lines_of

STAR = "*"
_KEYWORDS = ("stars", "unsolvable", "regions", "board")
_SBN = re.compile(r"([4-9A-P])\1\s*([1-9])\s*[A-Za-z]\s*([0-9A-Za-z_-]+)(?:~.*)?")
_BODY = re.compile(r"(\d{1,4})/(\S*)")
_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_BASE_32 = "0123456789abcdefghijklmnopqrstuv"


def recognises(text: str) -> bool:
    """Whether the text looks like a Star Battle: a code, a line ``stars``, or a puzzlekit header."""
    lines = lines_of(text, "")
    if any(line.keyword == "stars" for line in lines) or (len(lines) == 1 and _code_reader(lines[0].text)):
        return True
    triple = _triple(lines)
    # three numbers above as many rows as the first says, each of as many tokens as the second
    return triple is not None and [len(line.words) for line in lines[1:]] == [triple[1]] * triple[0]


def read(text: str, source: str) -> Draft:
    """The regions, the stars a row, and the cells of the stars that are given."""
    lines = lines_of(text, source)
    if len(lines) == 1 and (reader := _code_reader(lines[0].text)):
        return Draft((*reader(source), ()))
    if triple := _triple(lines):
        height, width, stars = triple
        wrong = [line for line in lines[1:] if len(line.cells()) != width]
        if wrong or len(lines) - 1 != height:
            fault = f"the first line says {height} rows of {width} cells but the board has others: make them agree"
            raise [*wrong, lines[-1]][0].fault(fault, 1)
        return _draft(lines[1:], stars, (), source)
    parts = sections(text, _KEYWORDS, ("regions", "board"), source)
    if "" in parts.blocks and "regions" in parts.blocks:
        raise parts.blocks[""][0].fault("two grids of regions: keep one of them", 1)
    rows = _cut_rows(parts.blocks.get("regions") or parts.blocks.get("", ()))
    header = parts.single("stars")
    match = re.fullmatch(r"\s*stars\s*[:=]?\s*(\d{1,2})\s*", header.text) if header else None
    if header and match is None:
        raise header.fault("write the number of stars as 'stars 2'", 1)
    return _draft(rows, int(match[1]) if match else 1, parts.blocks.get("board", ()), source)


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object has rows of regions."""
    return bool(json_cells_of(data.get("regions")))


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object."""
    rows = rows_of_list(data.get("regions"), "regions", source)
    stars = data.get("stars", 1)
    if type(stars) is not int:
        raise InputError("JSON field 'stars' is not a number: write how many stars a row holds", source=source)
    size = (len(rows), len(rows[0].cells()) if rows else 0)
    check_sides(data, size, source)
    draft = _draft(rows, stars, (), source)
    placed = tuple(sorted(set(json_cells(data, "fixed", size, source))))
    return Draft((*draft.clues[:2], placed), {**draft.places, **{("board", c): t for c, t in draft.places.items()}})


def _draft(rows: Sequence[Line], stars: int, marks: Sequence[Line], source: str) -> Draft:
    """The board of its grid of regions and its grid of given stars."""
    meant = "a letter for a region, # for a cell without a star, @ for one outside the board"
    regions = grid_of(rows, source, NO_REGION, meant, letters=True)
    places: dict[Any, Token] = {**places_in(rows)}
    placed: list[Cell] = []
    if marks:
        grid = grid_of(marks, source, (STAR, *NO_REGION), "* for a given star, . for none")
        if (len(grid), len(grid[0])) != (len(regions), len(regions[0])):
            fault = "the grid below 'board' has another size than the regions: give it a row and a column for each"
            raise marks[0].fault(fault, 1)
        placed = cells_by_name(grid).get(STAR, [])
        places |= {("board", cell): token for cell, token in places_in(marks).items()}
    return Draft((name_by_letters(regions), stars, tuple(placed)), places)


def format_text(regions: Grid, stars: int, placed: Collection[Cell]) -> str:
    """The board as a person would type it."""
    lines = [f"stars {stars}", *grid_text(regions)]
    if placed:
        marks = [[STAR if (r, c) in placed else FREE for c in range(len(row))] for r, row in enumerate(regions)]
        lines += ["board", *grid_text(marks)]
    return "\n".join(lines) + "\n"


def _triple(lines: Sequence[Line]) -> list[int] | None:
    """The rows, columns and stars of a first line of three numbers above a board."""
    words = lines[0].words if len(lines) > 1 else []
    return list(map(int, words)) if len(words) == 3 and all(w.isdecimal() and len(w) < 5 for w in words) else None


def _cut_rows(rows: Sequence[Line]) -> Sequence[Line]:
    """The rows; one list of n*n numbers is cut into n of them."""
    if len(rows) != 1 or "," not in rows[0].text:
        return rows
    words = [token.text for token in rows[0].cells()]
    side = math.isqrt(len(words))
    if side * side != len(words):
        fault = f"a list of {len(words)} cells is not the n*n cells of a board: copy it again in full"
        raise rows[0].fault(fault, len(words))
    return [Line(rows[0].number, ",".join(words[k * side : (k + 1) * side]) + ",", rows[0].source) for k in range(side)]


def _code_reader(text: str) -> Callable[[str], tuple[Grid, int]] | None:
    """Return a reader of a code's regions and stars, given its source; None for any other text."""
    link = link_of(text, "starbattle")
    if link and (body := _BODY.fullmatch(link.body)):
        return lambda source: (_parse_link(link._replace(body=body[2]), source), int(body[1]))
    if sbn := _SBN.fullmatch(text.strip()):
        side = int(sbn[1]) if sbn[1].isdigit() else ord(sbn[1]) - ord("A") + 10
        return lambda source: (_parse_sbn(side, sbn[3], source), int(sbn[2]))
    return None


def _parse_sbn(side: int, walls: str, source: str) -> Grid:
    """Side walls row by row, then floors column by column, padded with zero bits in front."""
    each = side * (side - 1)
    length = -(-2 * each // 6)
    bits = _bits(walls[:length], _BASE_64, 6, length, source)[-2 * each :]
    floors = bits[each:]
    return draw_rooms((side, side), lambda r, c: bits[r * (side - 1) + c], lambda r, c: floors[c * (side - 1) + r])


def _parse_link(link: Link, source: str) -> Grid:
    """Side walls row by row, then floors row by row, each part padded with zero bits behind."""
    rows, columns, walls = link
    check_size(rows, columns, MAX_SIDE, source)
    first, second = -(-(columns - 1) * rows // 5), -(-columns * (rows - 1) // 5)
    bits = _bits(walls, _BASE_32, 5, first + second, source)
    floors = bits[5 * first :]
    return draw_rooms((rows, columns), lambda r, c: bits[r * (columns - 1) + c], lambda r, c: floors[r * columns + c])


def _bits(text: str, alphabet: str, width: int, length: int, source: str) -> list[bool]:
    """The bits of a code, most significant first."""
    if len(text) != length:
        fault = f"code of {len(text)} characters for the walls where the board has {length}: copy it again in full"
        raise InputError(fault, source=source)
    wrong = [c for c in text if c not in alphabet]
    if wrong:
        raise InputError(f"unknown character {wrong[0]!r} in the code: copy it again", source=source)
    return [bool(alphabet.index(c) >> (width - 1 - k) & 1) for c in text for k in range(width)]

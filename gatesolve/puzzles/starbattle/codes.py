"""Star Battle boards written as walls in a short code: Star Battle Notation (SBN) and puzz.link addresses.

SBN is two characters for the side (``55`` to ``99``, ``AA`` = 10 to ``PP`` = 25), one for the stars, a
flag, then the walls in base 64. What follows the walls (marks and history of a player) is not read.
A puzz.link address ends in ``starbattle/COLUMNS/ROWS/STARS/WALLS``, the walls in base 32.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gatesolve.errors import InputError
from gatesolve.puzzles.lettergrid import LETTERS, MAX_SIDE, Cell, Grid

_SBN = re.compile(r"([4-9A-P])\1\s*([1-9])\s*[A-Za-z]\s*([0-9A-Za-z_-]+)(?:~.*)?")
_LINK = re.compile(r"(?:https?://\S*?[?/])?starbattle/(?P<columns>\d+)/(?P<rows>\d+)/(?P<stars>\d+)/(?P<walls>\S*)")
_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_BASE_32 = "0123456789abcdefghijklmnopqrstuv"


def is_code(text: str) -> bool:
    """Whether a text is one of the codes."""
    text = text.strip()
    return _LINK.fullmatch(text) is not None or _SBN.fullmatch(text) is not None


def parse_code(text: str, source: str) -> tuple[Grid, int]:
    """The regions and the stars of a code.

    Raises:
        InputError: the code is too short, or has a character of another alphabet.
    """
    text = text.strip()
    link = _LINK.fullmatch(text)
    if link:
        columns, rows, stars = (int(link[name]) for name in ("columns", "rows", "stars"))
        return _parse_link(columns, rows, link["walls"], source), stars
    sbn = _SBN.fullmatch(text)
    if sbn is None:
        raise InputError("not a code of a Star Battle board: give SBN or a puzz.link address", source=source)
    side = int(sbn[1]) if sbn[1].isdigit() else ord(sbn[1]) - ord("A") + 10
    return _parse_sbn(side, sbn[3], source), int(sbn[2])


def _parse_sbn(side: int, walls: str, source: str) -> Grid:
    """Side walls row by row, then floors column by column, padded with zero bits in front."""
    each = side * (side - 1)
    length = -(-2 * each // 6)
    bits = _bits(walls[:length], _BASE_64, 6, length, source)[-2 * each :]
    return _rooms(
        (side, side),
        lambda r, c: bits[r * (side - 1) + c],
        lambda r, c: bits[each + c * (side - 1) + r],
    )


def _parse_link(columns: int, rows: int, walls: str, source: str) -> Grid:
    """Side walls row by row, then floors row by row, each part padded with zero bits behind."""
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
        raise InputError(f"a board of {rows}x{columns}: its sides must be 1..{MAX_SIDE}", source=source)
    first, second = -(-(columns - 1) * rows // 5), -(-columns * (rows - 1) // 5)
    bits = _bits(walls.rstrip("/"), _BASE_32, 5, first + second, source)
    return _rooms(
        (rows, columns),
        lambda r, c: bits[r * (columns - 1) + c],
        lambda r, c: bits[5 * first + r * columns + c],
    )


def _bits(text: str, alphabet: str, width: int, length: int, source: str) -> list[bool]:
    """The bits of a code, most significant first."""
    if len(text) != length:
        fault = f"code of {len(text)} characters for the walls where the board has {length}: copy it again in full"
        raise InputError(fault, source=source)
    wrong = [c for c in text if c not in alphabet]
    if wrong:
        raise InputError(f"unknown character {wrong[0]!r} in the code: copy it again", source=source)
    return [bool(alphabet.index(c) >> (width - 1 - k) & 1) for c in text for k in range(width)]


def _rooms(size: tuple[int, int], right: Callable[[int, int], bool], below: Callable[[int, int], bool]) -> Grid:
    """Regions from the walls right of and below the cells, called by letters in order of appearance."""
    names: dict[Cell, str] = {}
    rooms = 0
    for start in ((r, c) for r in range(size[0]) for c in range(size[1])):
        if start in names:
            continue
        name = LETTERS[rooms] if rooms < len(LETTERS) else f"R{rooms + 1}"
        rooms += 1
        names[start] = name
        waiting = [start]
        while waiting:
            r, c = waiting.pop()
            doors = (
                ((r, c + 1), c + 1 < size[1] and not right(r, c)),
                ((r, c - 1), c > 0 and not right(r, c - 1)),
                ((r + 1, c), r + 1 < size[0] and not below(r, c)),
                ((r - 1, c), r > 0 and not below(r - 1, c)),
            )
            for cell, open_ in doors:
                if open_ and cell not in names:
                    names[cell] = name
                    waiting.append(cell)
    return tuple(tuple(names[r, c] for c in range(size[1])) for r in range(size[0]))

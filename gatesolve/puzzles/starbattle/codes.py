"""Star Battle boards written as walls in a short code: Star Battle Notation (SBN) and puzz.link addresses.

SBN is two characters for the side (``55`` to ``99``, ``AA`` = 10 to ``PP`` = 25), one for the stars, a
flag, then the walls in base 64. What follows the walls (marks and history of a player) is not read.
A puzz.link address ends in ``starbattle/COLUMNS/ROWS/STARS/WALLS``, the walls in base 32.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gatesolve.errors import InputError
from gatesolve.puzzles.grid import LETTERS, Cell, Grid, areas, cells_of
from gatesolve.puzzles.lettergrid import MAX_SIDE
from gatesolve.puzzles.reading import Link, check_size, link_of

_SBN = re.compile(r"([4-9A-P])\1\s*([1-9])\s*[A-Za-z]\s*([0-9A-Za-z_-]+)(?:~.*)?")
_BODY = re.compile(r"(\d{1,4})/(\S*)")
_BASE_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_BASE_32 = "0123456789abcdefghijklmnopqrstuv"


def is_code(text: str) -> bool:
    """Whether a text is one of the codes."""
    link = link_of(text, "starbattle")
    return _SBN.fullmatch(text.strip()) is not None or (link is not None and _BODY.fullmatch(link.body) is not None)


def parse_code(text: str, source: str) -> tuple[Grid, int]:
    """The regions and the stars of a text for which `is_code` holds."""
    if link := link_of(text, "starbattle"):
        body = _BODY.fullmatch(link.body)
        assert body is not None  # `is_code` said so
        return _parse_link(link._replace(body=body[2]), source), int(body[1])
    sbn = _SBN.fullmatch(text.strip())
    assert sbn is not None
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


def _parse_link(link: Link, source: str) -> Grid:
    """Side walls row by row, then floors row by row, each part padded with zero bits behind."""
    rows, columns, walls = link
    check_size(rows, columns, MAX_SIDE, source)
    first, second = -(-(columns - 1) * rows // 5), -(-columns * (rows - 1) // 5)
    bits = _bits(walls, _BASE_32, 5, first + second, source)
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

    def joined(a: Cell, b: Cell) -> bool:
        wall = right if a[0] == b[0] else below
        return not wall(*min(a, b))

    rooms = areas(cells_of(size), joined)
    names = {cell: LETTERS[k] if k < len(LETTERS) else f"R{k + 1}" for k, room in enumerate(rooms) for cell in room}
    return tuple(tuple(names[r, c] for c in range(size[1])) for r in range(size[0]))

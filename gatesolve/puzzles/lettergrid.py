"""Reading boards written as grids of letters, with header lines and labelled blocks around them.

Shared by the families that place pieces on a board: Star Battle, Queens and chess pieces. Lines
that start with ``;`` or ``//`` are comments and blank lines are skipped. A line whose first word
is one of a family's keywords is a header; any other line is a row of a grid, either one character
a cell or, when it holds white space or commas, one token a cell. An emoji is one character, however it is stored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from gatesolve.errors import InputError
from gatesolve.puzzles.attack_lines import Wrap
from gatesolve.puzzles.base import cell_places
from gatesolve.puzzles.emoji import is_emoji
from gatesolve.puzzles.grid import Cell, Grid
from gatesolve.puzzles.reading import Line, Token, check_rows, lines_of, show_token

MAX_SIDE = 64
"""Most rows or columns of a board; far above what any backend could hold."""


@dataclass(frozen=True)
class Sections:
    """A text taken apart: header lines by their first word, and grids by their label."""

    headers: Mapping[str, tuple[Line, ...]]
    blocks: Mapping[str, tuple[Line, ...]]
    source: str

    def single(self, keyword: str) -> Line | None:
        """The one header line of a keyword, or None."""
        lines = self.headers.get(keyword, ())
        if len(lines) > 1:
            raise lines[1].fault(f"a second line '{keyword}': keep one of the two", 1)
        return lines[0] if lines else None

    @property
    def wrap(self) -> Wrap:
        """Which edges meet, by the lines ``cylinder`` and ``torus``."""
        return "torus" if "torus" in self.headers else "cylinder" if "cylinder" in self.headers else "none"

    def size(self, missing: str) -> tuple[int, int]:
        """The rows and columns that a line ``size`` tells."""
        header = self.single("size")
        if header is None:
            raise InputError(missing, source=self.source)
        sides = header.words[1:]
        if not 1 <= len(sides) <= 2 or not all(re.fullmatch(r"\d{1,4}", side) for side in sides):
            raise header.fault("write the side of the board as 'size 8'", 1)
        for k, side in enumerate(sides, 2):
            if not 1 <= int(side) <= MAX_SIDE:
                raise header.fault(f"a board of side {int(side)}: choose a side of 1..{MAX_SIDE}", k)
        return int(sides[0]), int(sides[-1])


def sections(text: str, keywords: Collection[str], labels: Collection[str], source: str) -> Sections:
    """Take a text apart.

    A line whose first word is one of the keywords is a header. A grid may follow those that are ``labels``, too; one
    below no label is called ``""``.
    """
    headers: dict[str, tuple[Line, ...]] = {}
    blocks: dict[str, tuple[Line, ...]] = {}
    label, begun = "", False
    for line in lines_of(text, source):
        word = line.keyword
        if word in keywords:
            headers[word] = (*headers.get(word, ()), line)
            label, begun = (word if word in labels else ""), False
            continue
        if not begun and label in blocks:
            known = " or ".join(f"'{name}'" for name in labels)
            named = f"called {label!r}" if label else "without a name"
            raise line.fault(f"a second grid {named}: write {known} above it", 1)
        blocks[label] = (*blocks.get(label, ()), line)
        begun = True
    return Sections(headers, blocks, source)


def grid_of(
    rows: Sequence[Line],
    source: str,
    allowed: Collection[str] | None = None,
    meant: str = "",
    letters: bool = False,
    most: int = MAX_SIDE,
) -> Grid:
    """The tokens of a grid's rows; raises unless all are ``allowed`` (None for any) or, with ``letters``, region names.

    ``meant`` says in words what may be written; a name is made of letters and digits, or is an emoji.
    """
    table = [row.cells() for row in rows]
    check_rows(table, most, source)
    for token in (token for row in table for token in row):
        named = letters and (is_emoji(token.text) or re.fullmatch("[A-Za-z0-9_]{1,12}", token.text))
        if allowed is not None and token.text not in allowed and not named:
            raise token.fault(f"unknown {show_token(token.text)}: write {meant}")
    return tuple(tuple(token.text for token in row) for row in table)


def places_in(rows: Sequence[Line]) -> dict[Cell, Token]:
    """Where in the file each cell of a grid is."""
    return cell_places([row.cells() for row in rows])

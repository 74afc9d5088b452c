"""Boards in one line as other programs write them: addresses of puzz.link, game ids of sgt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


def bare_text(text: str) -> str:
    """The text without lines of comment, and without blanks around it."""
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith((";", "//", "%"))).strip()


class Link(NamedTuple):
    """The size of a puzz.link board, and the rest of its address."""

    rows: int
    columns: int
    body: str


def link_of(text: str, name: str) -> Link | None:
    """A puzz.link address ``name/COLUMNS/ROWS/BODY``, whatever stands before it; None for any other text."""
    match = re.fullmatch(rf"(?:\S*[?/])?{name}/([0-9]{{1,4}})/([0-9]{{1,4}})/(\S*)", text.strip())
    return Link(int(match[2]), int(match[1]), match[3].rstrip("/")) if match else None


def game_id_steps(letters: str, first: str = "a", skips: str = "z") -> Iterator[tuple[int, str]]:
    """The letters of a game id of sgt, each with the number of places up to and with the one that it marks.

    The letter ``first`` marks the next place (``_`` too), the letters behind it one further on each. A letter of
    ``skips`` passes 25 places and marks none.
    """
    at = 0
    for letter in letters:
        at += 25 if letter in skips else 1 if letter == "_" else ord(letter.lower()) - ord(first) + 1
        yield at, letter

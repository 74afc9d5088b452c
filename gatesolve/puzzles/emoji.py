"""Cells written as emoji: where one ends and the next begins, what the usual ones stand for, and boards of posts.

An emoji on the screen may be several characters: ``❤`` and a sign that asks for its coloured form, a digit and the
frame of a keycap, a person and a colour of skin. Everything but its first character only says how it looks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import groupby

BLANKS = "⬜⬛◻◼◽◾▫▪□■🔲🔳➖❓❔"
"""Squares and the like that stand for an empty cell, where they are not the colours of regions."""

CROWN = "👑"
"""A queen, whichever of her signs is written."""

SUNS, MOONS = "☀🌞🌣", "☾☽🌙🌑🌚🌛🌜"
"""What a Tango has."""

_AS = {**dict.fromkeys("👸🤴🫅♛♕", CROWN), **dict.fromkeys("⭐🌟★", "*")}

_JOINER = "\u200d"
_LOOKS = {_JOINER, "\u200b", "\u2060", "\u20e3", "\ufe0e", "\ufe0f", *map(chr, range(0x1F3FB, 0x1F400))}


def symbols(text: str) -> Iterator[tuple[int, str]]:
    """The symbols of a text with their places, counted from 0 as a reader sees them.

    Blanks are symbols too; of an emoji of several characters the first is left. Signs of one thing are made one.
    """
    place, joined = 0, False
    for character in text:
        if character not in _LOOKS and not joined:
            yield place, _AS.get(character, character)
            place += 1
        joined = character == _JOINER


def symbol(token: str) -> str:
    """A token of a row as `symbols` has it."""
    return token if token.isascii() else "".join(one for _, one in symbols(token))


def is_emoji(token: str) -> bool:
    """Whether a token is one pictorial sign, such as a coloured square."""
    return len(token) == 1 and token >= "\u2300" and unicodedata.category(token) in ("So", "Sm")


LEAST_ROWS = 4
"""Fewer rows of emoji are taken for ornament."""

_HEADERS = (
    "attack binairo board box boxes cages chess columns cylinder diagonals opaque piece pieces queens reach region "
    "regions rows size slopes stars sums takuzu tango torus types unique weights wrap"
)
"""Words that begin a line of some family's boards."""


def board_of_post(text: str) -> str | None:
    """The text with all lines blank but the one group of emoji rows in it; None where there is no such group.

    A line that may be a header of a board, even a mistyped one, or a sign between cells is no post's: it says a rule.
    """
    lines = text.split("\n")
    runs = [[k for k, _ in run] for drawn, run in groupby(enumerate(map(_is_drawn, lines)), lambda k: k[1]) if drawn]
    boards = [run for run in runs if len(run) >= LEAST_ROWS]
    others = [line for k, line in enumerate(lines) if line.strip() and not any(k in run for run in boards)]
    if len(boards) != 1 or not others or any(map(_says_a_rule, others)):
        return None
    return "\n".join(line if k in boards[0] else "" for k, line in enumerate(lines))


def _is_drawn(line: str) -> bool:
    """Whether a line is a row of a board: several emoji and nothing else."""
    signs = [sign for _, sign in symbols(line.strip()) if not sign.isspace()]
    return len(signs) >= LEAST_ROWS and all(map(is_emoji, signs))


def _says_a_rule(line: str) -> bool:
    word = re.match(r"\s*([a-z]+)(?=[\s:=]|$)", line)
    return (
        bool(word and get_close_matches(word[1], _HEADERS.split(), 1, 0.75))
        or re.search(r"r\d+c\d+|^\s*[({]", line) is not None
    )

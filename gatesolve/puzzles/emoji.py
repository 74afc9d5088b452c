"""Cells written as emoji: where one ends and the next begins, and what the usual ones stand for.

An emoji on the screen may be several characters: ``❤`` and a sign that asks for its coloured form, a digit and the
frame of a keycap, a person and a colour of skin. Everything but its first character only says how it looks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

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

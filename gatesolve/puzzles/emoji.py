"""Cells written as emoji: the boundaries between them, and the meaning of the usual ones.

An emoji on the screen may be several characters: ``❤`` and a sign that asks for its coloured form, a digit and the
frame of a keycap, a person and a colour of skin. All but its first character only affect its appearance.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

BLANKS = "⬜⬛◻◼◽◾▫▪□■🔲🔳➖❓❔"
"""Squares and similar signs for an empty cell, where they are not the colours of regions."""

CROWN = "👑"
"""The sign that replaces all signs of a queen."""

SUNS, MOONS = "☀🌞🌣", "☾☽🌙🌑🌚🌛🌜"
"""The signs of a Tango."""

_AS = {**dict.fromkeys("👸🤴🫅♛♕", CROWN), **dict.fromkeys("⭐🌟★", "*")}

_JOINER = "\u200d"
_LOOKS = {_JOINER, "\u200b", "\u2060", "\u20e3", "\ufe0e", "\ufe0f", *map(chr, range(0x1F3FB, 0x1F400))}


def symbols(text: str) -> Iterator[tuple[int, str]]:
    """Yield the symbols of a text with their places, counted from 0 as a reader sees them.

    Blanks are symbols too. Of an emoji of several characters only the first is kept. Synonymous signs are unified.
    """
    place, joined, last = 0, False, ""
    for character in text:
        if character not in _LOOKS and not joined:
            yield place, _AS.get(character, character)
            place += 1
        # Behind a letter or a digit the joiner joins nothing.
        joined, last = character == _JOINER and not last.isascii(), character


def symbol(token: str) -> str:
    """Return a token of a row as `symbols` has it."""
    return token if token.isascii() else "".join(one for _, one in symbols(token))


def is_emoji(token: str) -> bool:
    """Return whether a token is one pictorial sign, such as a coloured square."""
    return len(token) == 1 and token >= "\u2300" and unicodedata.category(token) in ("So", "Sm")

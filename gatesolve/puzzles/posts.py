"""Boards in emoji with words around them, as people post them."""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import groupby

from gatesolve.puzzles.emoji import is_emoji, symbols

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

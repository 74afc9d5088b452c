"""The words of an LP file by section, each with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from gatesolve.errors import UnsupportedError
from gatesolve.qubo.numerals import Place, shown

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>[A-Za-z_!"#$%&(),;?@'`{}~][A-Za-z0-9_!"#$%&(),.;?@'`{}~]*)
    |(?P<sign><=|>=|=<|=>|[-+*^/:\[\]<>=]))""",
    re.VERBOSE,
)
_SECTIONS = {
    "min": r"min(?:imi[sz]e|imum)?",
    "max": r"max(?:imi[sz]e|imum)?",
    "rows": r"subject\s+to|such\s+that|s\.?t\.?",
    "bounds": r"bounds?",
    "binary": r"bin(?:ary|aries)?",
    "general": r"gen(?:erals?)?|int(?:egers?)?",
    "end": r"end",
    "refused": r"semi-continuous|semis?|sos[12]?|lazy\s+constraints|user\s+cuts|pwlobj|sec|sin",
}
_HEAD = re.compile(
    r"\s*(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _SECTIONS.items()) + r")(?=\s|$)", re.IGNORECASE
)
_STARTS = re.compile(r"\s*(?:min(?:imi[sz]e|imum)?|max(?:imi[sz]e|imum)?)(?=\s|$)", re.IGNORECASE)


class Token(NamedTuple):
    """A word; ``kind`` is ``number``, ``name`` or ``sign``."""

    kind: str
    text: str
    place: Place


def looks_like_lp(text: str) -> bool:
    """Whether the first line that is no comment starts an objective."""
    first = next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("\\")), "")
    return bool(_STARTS.match(first))


def sections(text: str, source: str) -> list[tuple[str, list[Token], Place]]:
    r"""The sections of an LP file in order: name, words, and where it starts.

    Args:
        text: lines ending in ``\n``; comments start with a backslash.
        source: what to call it in messages.

    Raises:
        InputError: a word of no known kind, or words before the first section or after the end.
        UnsupportedError: a section that is not read.
    """
    found: list[tuple[str, list[Token], Place]] = []
    for row, line in enumerate(text.split("\n"), start=1):
        line = line.split("\\", 1)[0]
        head = _HEAD.match(line)
        at = 0
        if head and head.lastgroup and not line[head.end() :].lstrip().startswith(":"):
            place, at = Place(source, row), head.end()
            if found and found[-1][0] == "end":
                raise place.fault("a second problem after 'End': give a file with one problem in it")
            if head.lastgroup == "refused":
                raise UnsupportedError(f"section {shown(head[0].strip())} is not read", source=source, row=row)
            found.append((head.lastgroup, [], place))
        words = _words(line, at, source, row)
        if words and not found:
            raise words[0].place.fault(
                f"{shown(words[0].text)} before the objective: start with 'Minimize' or 'Maximize'"
            )
        if words and found[-1][0] == "end":
            raise words[0].place.fault(f"{shown(words[0].text)} after 'End': take it out")
        if words:
            found[-1][1].extend(words)
    return found


def _words(line: str, at: int, source: str, row: int) -> list[Token]:
    found = []
    while line[at:].strip():
        match = _TOKEN.match(line, at)
        if not match:
            column = at + len(line[at:]) - len(line[at:].lstrip()) + 1
            raise Place(source, row, column).fault(
                f"{shown(line[column - 1 :].split()[0])} has no meaning in an LP file"
            )
        kind = match.lastgroup or ""
        found.append(Token(kind, match[kind], Place(source, row, match.start(kind) + 1)))
        at = match.end()
    return found

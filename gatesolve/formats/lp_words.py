"""The words and the sections of an LP file."""

from __future__ import annotations

import re
from typing import NamedTuple

from gatesolve.errors import UnsupportedError
from gatesolve.qubo.numerals import Place, quote

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>[A-Za-z_!"#$%&(),;?@'`{}~][A-Za-z0-9_!"#$%&(),.;?@'`{}~]*)
    |(?P<sign>->|::|<=|>=|=<|=>|[-+*^/:\[\]<>=]))""",
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
    "sets": r"sos",
    "refused": r"semi-continuous|semis?|sos[12]|lazy\s+constraints|user\s+cuts|pwlobj|sec|sin",
}
_HEAD = re.compile(
    r"\s*(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _SECTIONS.items()) + r")(?=\s|$)", re.IGNORECASE
)


class LpToken(NamedTuple):
    """A word; ``kind`` is ``number``, ``name`` or ``sign``, and empty at the end of a section."""

    kind: str
    text: str
    place: Place


def looks_like_lp(text: str) -> bool:
    """Whether the first line that is no comment starts an objective."""
    first = next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("\\")), "")
    head = _HEAD.match(first)
    return head is not None and head.lastgroup in {"min", "max"}


def split_sections(text: str, source: str) -> list[tuple[str, list[LpToken], Place]]:
    """The sections in order: name, words, and where each starts. Comments start with a backslash."""
    found: list[tuple[str, list[LpToken], Place]] = []
    for row, line in enumerate(text.split("\n"), start=1):
        line = line.split("\\", 1)[0]
        head = _HEAD.match(line)
        at = 0
        if head and head.lastgroup and not line[head.end() :].lstrip().startswith(":"):
            place, at = Place(source, row), head.end()
            if found and found[-1][0] == "end":
                raise place.fault("a second problem after 'End': give a file with one problem in it")
            if head.lastgroup == "refused":
                raise UnsupportedError(f"section {quote(head[0].strip())} is not read", source=source, row=row)
            found.append((head.lastgroup, [], place))
        words = _split_words(line, at, source, row)
        if not words:
            continue
        if not found:
            fault = f"{quote(words[0].text)} before the objective: start with 'Minimize' or 'Maximize'"
            raise words[0].place.fault(fault)
        if found[-1][0] == "end":
            raise words[0].place.fault(f"{quote(words[0].text)} after 'End': take it out")
        found[-1][1].extend(words)
    return found


def _split_words(line: str, at: int, source: str, row: int) -> list[LpToken]:
    found = []
    while line[at:].strip():
        match = _TOKEN.match(line, at)
        if not match:
            column = at + len(line[at:]) - len(line[at:].lstrip()) + 1
            word = quote(line[column - 1 :].split()[0])
            raise Place(source, row, column).fault(f"{word} has no meaning in an LP file")
        kind = match.lastgroup or ""
        found.append(LpToken(kind, match[kind], Place(source, row, match.start(kind) + 1)))
        at = match.end()
    return found

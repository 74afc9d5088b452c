"""Reading the lines of a Takuzu or Tango file, one by one; see `gatesolve.puzzles.takuzu.text`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from gatesolve.errors import InputError
from gatesolve.puzzles.emoji import symbols as places
from gatesolve.puzzles.takuzu.board import MAX_SIDE, WRAPS, Cells, Position, Region, Rules, Sign, cell_name
from gatesolve.puzzles.takuzu.faults import Fault, first_fault

_POSITION = re.compile(r"r([0-9]{1,3})c([0-9]{1,3})|\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)", re.IGNORECASE)
_CHAIN = re.compile(rf"(?:{_POSITION.pattern})(?:\s*[=xX×≠]\s*(?:{_POSITION.pattern}))+")
_RANGE = re.compile(r"([0-9]{1,4})(?:\.\.([0-9]{1,4}|\*))?")
T = TypeVar("T")

KEYWORDS = ("unique", "rows", "columns", "diagonals", "wrap", "region")


@dataclass(frozen=True)
class Entry:
    """A line of the file: its 1-based number (None if there is none to tell), its text and its first column."""

    number: int | None
    text: str
    column: int = 1

    @property
    def keyword(self) -> str:
        """Its first word in small letters."""
        return self.text.split(maxsplit=1)[0].lower()

    def fault(self, message: str, source: str, offset: int = 0) -> InputError:
        """The error for a fault ``offset`` characters into the line."""
        return InputError(message, source=source, row=self.number, column=self.column + offset)


def entries(text: str) -> list[Entry]:
    """The lines that say something: neither blank nor a comment."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith((";", "//", "#")):
            found.append(Entry(number, line.strip(), len(line) - len(line.lstrip()) + 1))
    return found


def is_sign(entry: Entry) -> bool:
    """Whether the line holds signs, such as ``r1c1 = r1c2``."""
    return _CHAIN.fullmatch(entry.text) is not None


def position_at(match: re.Match[str]) -> Position:
    """The 0-based position of ``r1c2`` (counted from 1) or ``(0,1)`` (counted from 0)."""
    if match[1] is not None:
        return int(match[1]) - 1, int(match[2]) - 1
    return int(match[3]), int(match[4])


def read_signs(entry: Entry) -> list[Sign]:
    """The signs of a chain, each between neighbours in it."""
    places = list(_POSITION.finditer(entry.text))
    signs = []
    for one, other in pairwise(places):
        equal = entry.text[one.end() : other.start()].strip() == "="
        signs.append(Sign(position_at(one), equal, position_at(other)))
    return signs


def sign_text(sign: Sign) -> str:
    """The sign as a line of the file."""
    return f"{cell_name(sign.first)} {'=' if sign.equal else 'x'} {cell_name(sign.second)}"


@dataclass(frozen=True)
class Draft:
    """A board as read, and where in the file its parts are.

    Attributes:
        rows: for each row of the board its line.
        items: the line of each rule, by its kind and number, as a `Fault` names it.
    """

    cells: Cells
    rules: Rules
    rows: tuple[Entry, ...]
    offsets: tuple[tuple[int, ...], ...]
    items: Mapping[tuple[str, int], Entry]

    def checked(self, source: str) -> tuple[Cells, Rules]:
        """The board, unless it has a fault.

        Raises:
            InputError: with the line and the column where it is.
        """
        fault = first_fault(self.cells, self.rules)
        if fault:
            raise self.error(fault, source)
        return self.cells, self.rules

    def error(self, fault: Fault, source: str) -> InputError:
        """The error for a fault, told by its place in the file."""
        if fault.cell is not None:
            r, c = fault.cell
            return self.rows[r].fault(fault.message, source, self.offsets[r][c])
        entry = self.items.get(fault.item) if fault.item else None
        if entry is None:
            last = self.rows[-1].number if self.rows else None
            return InputError(fault.message, source=source, row=last)
        return entry.fault(fault.message, source)


def read_draft(lines: Sequence[Entry], symbols: Mapping[str, int | None], unique: bool, source: str) -> Draft:
    """The board that lines of all kinds make together.

    Args:
        lines: neither blank nor comments.
        symbols: what each character of a cell stands for.
        unique: whether lines must differ, unless a line ``unique`` says so.
        source: what to call the text in messages.

    Raises:
        InputError: a line cannot be read, or the rows differ in length.
    """
    settings = {entry.keyword: entry for entry in lines if entry.keyword in KEYWORDS[:-1]}
    regions = [entry for entry in lines if entry.keyword == "region"]
    chains = [entry for entry in lines if is_sign(entry)]
    rows = [e for e in lines if e.keyword not in KEYWORDS and not is_sign(e)]
    read = [(sign, entry) for entry in chains for sign in read_signs(entry)]
    items = {("sign", k): entry for k, (_, entry) in enumerate(read)}
    items |= {("region", k): entry for k, entry in enumerate(regions)}
    items |= {(name, 0): entry for name, entry in settings.items()}
    cells, offsets = _read_cells(rows, symbols, source)
    wrap = _choice(settings.get("wrap"), {w: w for w in WRAPS}, "none", source)
    yes = {"yes": True, "no": False}
    rules = Rules(
        _choice(settings.get("unique"), yes, unique, source),
        _counts(settings.get("rows"), source),
        _counts(settings.get("columns"), source),
        _choice(settings.get("diagonals"), yes, False, source),
        wrap,
        tuple(_region(entry, source) for entry in regions),
        tuple(sign for sign, _ in read),
    )
    return Draft(cells, rules, tuple(rows), offsets, items)


def _choice(entry: Entry | None, choices: Mapping[str, T], default: T, source: str) -> T:
    """What the second word of a line chooses."""
    if entry is None:
        return default
    words = entry.text.lower().split()
    if len(words) != 2 or words[1] not in choices:
        raise entry.fault(f"write '{words[0]}' with one of {', '.join(choices)}", source)
    return choices[words[1]]


def _counts(entry: Entry | None, source: str) -> tuple[int | None, ...]:
    """Numbers of ones, ``-`` for any."""
    words = entry.text.split()[1:] if entry else []
    if entry and (not words or any(re.fullmatch("-|[0-9]{1,3}", word) is None for word in words)):
        raise entry.fault(f"write '{entry.keyword}' with a number of ones, or -, for each", source)
    return tuple(None if word == "-" else int(word) for word in words)


def _region(entry: Entry, source: str) -> Region:
    words = entry.text.split(maxsplit=2)
    places = list(_POSITION.finditer(words[2])) if len(words) == 3 else []
    rest = _POSITION.sub("", words[2]).replace(",", " ").strip() if places else "none"
    ones = _RANGE.fullmatch(words[1]) if not rest else None
    if ones is None:
        known = "'region 2 r1c1 r1c2' or 'region 1..2 r1c1 r1c2'"
        raise entry.fault(f"write a region as its number of ones and its cells, such as {known}", source)
    least = int(ones[1])
    most = least if ones[2] is None else max(least, len(places)) if ones[2] == "*" else int(ones[2])
    if least > most:
        raise entry.fault(f"no number of ones is in {words[1]}: write the smaller one first, as in 1..2", source)
    return Region(least, most, tuple(position_at(match) for match in places))


def _read_cells(
    rows: Sequence[Entry], symbols: Mapping[str, int | None], source: str
) -> tuple[Cells, tuple[tuple[int, ...], ...]]:
    """The cells, and for each how far into its line it stands."""
    if not rows:
        raise InputError("no board: write its rows, a character a cell, . for an empty one", source=source)
    if len(rows) > MAX_SIDE:
        raise rows[MAX_SIDE].fault(f"{len(rows)} rows: a board has at most {MAX_SIDE}; give a smaller one", source)
    placed = [list(_cells_of(entry, symbols, source)) for entry in rows]
    width = len(placed[0])
    for row, entry in zip(placed, rows, strict=True):
        if len(row) != width:
            mend = "add the missing cells" if len(row) < width else "remove the extra cells"
            offset = row[width][1] if len(row) > width else len(entry.text)
            raise entry.fault(f"{len(row)} cells here but {width} in the board's first row: {mend}", source, offset)
    return tuple(tuple(v for v, _ in row) for row in placed), tuple(tuple(k for _, k in row) for row in placed)


def _cells_of(entry: Entry, symbols: Mapping[str, int | None], source: str) -> Iterator[tuple[int | None, int]]:
    for offset, character in places(entry.text):
        if character in " \t|":
            continue
        if character not in symbols:
            known = [s for s in symbols if s.isascii() and symbols[s] is not None][:2]
            mend = f"write {known[0]}, {known[1]} or . for an empty cell, or a line such as 'r1c1 = r1c2'"
            raise entry.fault(f"unknown cell {character!a}: {mend}", source, offset)
        yield symbols[character], offset

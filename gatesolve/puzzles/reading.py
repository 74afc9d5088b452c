"""Texts taken apart into lines and tokens that know where they stand, so that a fault is told by row and column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gatesolve.errors import InputError
from gatesolve.puzzles.emoji import symbol, symbols


@dataclass(frozen=True)
class Line:
    """A line that says something: its number in the file from 1 (None where it stands in none), and its text."""

    number: int | None
    text: str
    source: str = "<text>"

    @property
    def words(self) -> list[str]:
        """Its words."""
        return self.text.split()

    @property
    def word(self) -> str:
        """Its first word in small letters."""
        return self.words[0].lower()

    @property
    def keyword(self) -> str:
        """Its first word if that is in small letters, without a colon or an equals sign behind it."""
        match = re.match(r"\s*([a-z]+)(?=[\s:=]|$)", self.text)
        return match[1] if match else ""

    @property
    def start(self) -> Token:
        """All its text as one token, at its first character that is no blank."""
        return Token(self.text.strip(), len(self.text) - len(self.text.lstrip()) + 1, self)

    def fault(self, message: str, column: int | None = None) -> InputError:
        """The error for a fault in this line, at a character or word of it counted from 1."""
        return InputError(message, source=self.source, row=self.number, column=column)

    def tokens(self) -> tuple[Token, ...]:
        """Its words, counted from 1."""
        return tuple(Token(word, k, self) for k, word in enumerate(self.text.split(), 1))

    def letters(self, skip: str = " \t") -> tuple[Token, ...]:
        """Its characters as a reader counts them, from 1, without those that only part cells."""
        return tuple(Token(one, place + 1, self) for place, one in symbols(self.text) if one not in skip)

    def cells(self) -> tuple[Token, ...]:
        """The cells of a row of a grid: one token each where blanks or commas part them, else one character each."""
        stripped = self.text.strip()
        if not re.search(r"[\s,]", stripped):
            return self.letters()
        words = map(symbol, re.split(r"\s*,\s*|\s+", stripped.strip(",")))
        return tuple(Token(word, k, self) for k, word in enumerate(words, 1))


class Token(NamedTuple):
    """One cell as it is written, its column (the character, or the number of the word) and its line."""

    text: str
    column: int
    line: Line

    def fault(self, message: str) -> InputError:
        """The error for a fault at this token."""
        return self.line.fault(message, self.column)


Row = Sequence[Token]


def lines_of(text: str, source: str, comments: tuple[str, ...] = (";", "//")) -> list[Line]:
    """The lines that are neither blank nor a comment."""
    lines = (Line(number, line, source) for number, line in enumerate(text.split("\n"), 1))
    said = (line for line in lines if line.text.strip() and (line.text.isascii() or line.letters()))
    return [line for line in said if not line.text.lstrip().startswith(comments)]


def size_of(line: Line) -> tuple[int, int] | None:
    """The rows and columns that a line such as ``9 9`` tells; None for any other line."""
    match = re.fullmatch(r"\s*([0-9]{1,3})\s+([0-9]{1,3})\s*", line.text)
    return (int(match[1]), int(match[2])) if match else None


def check_rows(rows: Sequence[Row], most: int, source: str, such_as: str = "one letter a cell") -> None:
    """Raise unless the rows form a rectangle of at most so many rows and columns."""
    if not rows:
        raise InputError(f"no board: write its rows, {such_as}", source=source)
    if len(rows) > most:
        raise rows[most][0].line.fault(f"{len(rows)} rows: a board has at most {most}; give a smaller one")
    width = len(rows[0])
    if width > most:
        raise rows[0][most].fault(f"{width} cells in a row: a board has at most {most} columns; give a smaller one")
    for row in rows:
        if len(row) != width:
            mend = "add the missing cells" if len(row) < width else "remove the extra cells"
            fault = f"{count(len(row), 'cell')} here but {width} in the board's first row: {mend}"
            raise row[-1].line.fault(fault, row[-1].column + 1 if len(row) < width else row[width].column)


def check_size(rows: int, columns: int, most: int, source: str, least: int = 1, line: Line | None = None) -> None:
    """Raise unless both sides of a board are ``least`` to ``most``."""
    if not (least <= rows <= most and least <= columns <= most):
        fault = f"a board of {rows} rows and {columns} columns: sizes are {least} to {most}; give another one"
        raise InputError(fault, source=source) if line is None else line.fault(fault, 1)


def count(number: int, noun: str) -> str:
    """Such as ``1 cell`` or ``2 cells``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def show_token(token: str) -> str:
    """A token in a message: short, and a control character or a look-alike of a letter visible for what it is."""
    short = token if len(token) <= 20 else token[:20] + "..."
    return short if short.isascii() and short.isprintable() else ascii(short)

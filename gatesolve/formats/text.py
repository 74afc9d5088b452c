"""Tokens with their places, whole numbers, and the variables that a file declares: shared by the readers of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from gatesolve.errors import InputError
from gatesolve.extensions import cpmpy
from gatesolve.qubo.numerals import Place, quote

MOST_DECLARED = 1 << 14
"""Most variables of a file: each is listed in its solution."""
MOST_DIGITS = 400
"""The most digits of a whole number."""
WORD = re.compile(r"(?P<space>\s+)|(?P<word>\S+)")
"""The tokens of a text of words."""
_AHEAD = 4
"""Number of tokens that may be read beyond the next one."""


class TextToken(NamedTuple):
    """A part of a text; ``kind`` is the name of its group in the pattern, and empty at the end."""

    kind: str
    text: str
    place: Place


def split_line(
    line: str, place: Place, pattern: re.Pattern[str], language: str = "it", at: int = 0
) -> Iterator[TextToken]:
    """Yield the tokens of a line, from a column on, without those of the group ``space``."""
    while at < len(line):
        found = pattern.match(line, at)
        if found is None:
            fault = f"{quote(line[at:].split()[0])} has no meaning in {language}: remove it, or rename it"
            raise place._replace(column=at + 1).fault(fault)
        at, kind = found.end(), str(found.lastgroup)
        if kind != "space":
            yield TextToken(kind, found[kind], place._replace(column=found.start(kind) + 1))


class Tokens:
    """A sequence of tokens that is consumed from the left; ``end`` is the place after them."""

    def __init__(self, tokens: Iterable[TextToken], end: Place) -> None:
        # Empty tokens at the end make looking ahead safe.
        self._tokens = [*tokens, *[TextToken("", "", end)] * (_AHEAD + 1)]
        self._at = 0

    @property
    def next(self) -> TextToken:
        """The next token."""
        return self._tokens[self._at]

    @property
    def last(self) -> TextToken:
        """The token that was taken last."""
        return self._tokens[self._at - 1]

    def ahead(self, steps: int) -> TextToken:
        """Return the token ``steps`` beyond the next one, at most four."""
        return self._tokens[min(self._at + steps, len(self._tokens) - 1)]

    def take(self) -> TextToken:
        """Take the next token."""
        self._at += 1
        return self.last

    def take_if(self, text: str) -> bool:
        """Take the next token if it is this text."""
        self._at += (is_next := self.next.text == text)
        return is_next

    def expect(self, text: str, wanted: str | None = None) -> None:
        """Take this text, which must come next."""
        if not self.take_if(text):
            raise self.fault(f"'{text}'" if wanted is None else wanted)

    def expect_kind(self, kind: str, wanted: str) -> TextToken:
        """Take a token of a kind, which must come next."""
        if self.next.kind != kind:
            raise self.fault(wanted)
        return self.take()

    def fault(self, wanted: str) -> InputError:
        """Return the error for another token than the wanted one."""
        if not self.next.kind:
            return self.next.place.fault(f"{wanted} is missing before this: add it")
        return self.next.place.fault(f"{quote(self.next.text)} where {wanted} should be: write that")


def split_statements(tokens: Iterable[TextToken]) -> Iterator[Tokens]:
    """Yield the tokens before each semicolon."""
    found: list[TextToken] = []
    for token in tokens:
        if token.text == ";":
            yield Tokens(found, token.place)
            found = []
        else:
            found.append(token)
    if found:
        raise found[0].place.fault("a statement without its ';': the file is cut short, or add it")


def split_words(text: str, source: str, comments: str) -> Iterator[tuple[Place, list[str]]]:
    """Yield the place and the words of each line that is neither empty nor a comment."""
    for row, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if words and words[0][0] not in comments:
            yield Place(source, row), words


def read_whole(word: str, place: Place, what: str, low: int | None = 0, high: int | None = None) -> int:
    """Read a whole number within bounds, whose name is ``what``."""
    if len(word) <= MOST_DIGITS and re.fullmatch("[+-]?[0-9]+" if low is None else "-?[0-9]+", word):
        number = int(word)
        if (low is None or number >= low) and (high is None or number <= high):
            return number
    bounds = "" if low is None else f" from {low}" + ("" if high is None else f" to {high}")
    raise place.fault(f"{quote(word)} is not {what}: give a whole number{bounds}")


@contextmanager
def naming(place: Place) -> Iterator[None]:
    """Add a place to input errors that name no file."""
    try:
        yield
    except InputError as error:
        if error.source is not None:
            raise
        raise type(error)(str(error), source=place.source, row=place.row) from error


class Declared(NamedTuple):
    """The content of another solver's file, as a CPMpy model, and the user's variables in the file's order.

    Variables without a constraint are among them. Other variables of the model were introduced by the reader.
    """

    model: cpmpy.Model
    variables: list[Any]


def check_declared(count: int, place: Place) -> None:
    """Refuse a file of too many variables, before any of them is created."""
    if count > MOST_DECLARED:
        fault = f"{count} variables declared, and at most {MOST_DECLARED} are supported"
        raise place.fault(f"{fault}: give a smaller problem")


def check_name(name: str, place: Place) -> None:
    """Refuse names that CPMpy reserves for its own variables."""
    if name.startswith(("IV", "BV")):
        raise place.fault(f"{name}: CPMpy reserves names that start with IV and BV: rename it")

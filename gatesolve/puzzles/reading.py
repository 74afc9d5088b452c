"""Texts split into lines, tokens, grids and fields that keep their places, so that a fault can name its place.

A board is typed in lines, written by another program in one line (`Code`), or a JSON object (`JsonBoard`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from gatesolve.errors import InputError, one_line
from gatesolve.files import show_json
from gatesolve.puzzles.emoji import is_emoji, symbol, symbols
from gatesolve.puzzles.grid import Cell, Grid, Wrap, by_cell

BASE_32 = "0123456789abcdefghijklmnopqrstuv"
"""The letters of five bits of a puzz.link body."""
MAX_SIDE = 64
"""Most rows or columns of a board; far above what any backend can hold."""
ABOUT = (
    "id", "name", "title", "family", "author", "source", "url", "license", "date", "difficulty", "comment",
    "solution", "n_solutions",
)  # fmt: skip
"""Fields that any object may have: they describe the puzzle, and are no rule or clue."""


@dataclass(frozen=True)
class Line:
    """A line with content: its number in the file from 1 (None outside of a file), and its text."""

    number: int | None
    text: str

    @property
    def words(self) -> list[str]:
        """Return its words; a colon or an equals sign right after the first one, in lower case, is left out."""
        return re.sub(r"^(\s*[a-z]+)\s*[:=]", r"\1 ", self.text).split()

    @property
    def word(self) -> str:
        """Return its first word in lower case."""
        return self.words[0].lower()

    @property
    def keyword(self) -> str:
        """Return its first word if that is in lower case, without a colon or an equals sign after it."""
        # Capitals are cells of a board: a row "QUEENS" must not become a header.
        match = re.match(r"\s*([a-z]+)(?=[\s:=]|$)", self.text)
        return match[1] if match else ""

    @property
    def start(self) -> Token:
        """Return all its text as one token, at its first character that is not a blank."""
        return Token(self.text.strip(), len(self.text) - len(self.text.lstrip()) + 1, self)

    @property
    def size(self) -> tuple[int, int] | None:
        """Return the rows and columns of a line such as ``9 9``; None for any other line."""
        match = re.fullmatch(r"\s*([0-9]{1,3})\s+([0-9]{1,3})\s*", self.text)
        return (int(match[1]), int(match[2])) if match else None

    def fault(self, message: str, column: int | None = None) -> InputError:
        """Return the error for a fault in this line, at a character or word of it counted from 1."""
        return InputError(message, row=self.number, column=column)

    def tokens(self) -> tuple[Token, ...]:
        """Its words, counted from 1."""
        return tuple(Token(word, k, self) for k, word in enumerate(self.words, 1))

    def halves(self) -> tuple[tuple[Token, ...], tuple[Token, ...] | None]:
        """Return its words before a colon and those behind it, None without a colon; all are counted from 1."""
        head, colon, tail = (part.split() for part in self.text.partition(":"))
        tokens = tuple(Token(word, k, self) for k, word in enumerate((*head, *tail), 1))
        return tokens[: len(head)], tokens[len(head) :] if colon else None

    def letters(self, skip: str = " \t") -> tuple[Token, ...]:
        """Return its characters as a reader counts them, from 1, without separators."""
        return tuple(Token(one, place + 1, self) for place, one in symbols(self.text) if one not in skip)

    def cells(self) -> tuple[Token, ...]:
        """Return the cells of a row of a grid: one token each between blanks or commas, else one character each."""
        stripped = self.text.strip()
        if not re.search(r"[\s,]", stripped):
            return self.letters()
        words = map(symbol, re.split(r"\s*,\s*|\s+", stripped.strip(",")))
        return tuple(Token(word, k, self) for k, word in enumerate(words, 1))


class Token(NamedTuple):
    """One written cell, its column (the character, or the number of the word) and its line."""

    text: str
    column: int
    line: Line

    def fault(self, message: str) -> InputError:
        """Return the error for a fault at this token."""
        return self.line.fault(message, self.column)

    @property
    def shown(self) -> str:
        """Return its text for a message, as `show_token`."""
        return show_token(self.text)


Row = Sequence[Token]


def lines_of(text: str, comments: tuple[str, ...] = (";", "//")) -> list[Line]:
    """Return the lines that are neither blank nor a comment."""
    lines = (Line(number, line) for number, line in enumerate(text.split("\n"), 1))
    said = (line for line in lines if line.text.strip() and (line.text.isascii() or line.letters()))
    return [line for line in said if not line.text.lstrip().startswith(comments)]


def check_rows(rows: Sequence[Row], most: int, such_as: str = "one letter a cell") -> None:
    """Raise unless the rows form a rectangle within the given numbers of rows and columns."""
    if not rows:
        raise InputError(f"no board: write its rows, {such_as}")
    if len(rows) > most:
        raise rows[most][0].line.fault(f"{len(rows)} rows: a board has at most {most}; give a smaller one")
    width = len(rows[0])
    if width > most:
        raise rows[0][most].fault(f"{width} cells in a row: a board has at most {most} columns; give a smaller one")
    for row in rows:
        if len(row) != width:
            mend = "add the missing cells" if len(row) < width else "remove the extra cells"
            fault = f"{count(len(row), 'cell')} here but {width} in the board's first row: {mend}"
            # The place is where the first cell is missing, or the first extra cell.
            raise row[-1].line.fault(fault, row[-1].column + 1 if len(row) < width else row[width].column)


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``1 cell`` or ``2 cells``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def digits(number: int | None) -> str:
    """Return a number as text, empty for None."""
    return "" if number is None else str(number)


def show_token(token: str) -> str:
    """Return a token for a message: short, with control characters and look-alikes of letters made visible."""
    short = token if len(token) <= 20 else token[:20] + "..."
    return short if short.isascii() and short.isprintable() else ascii(short)


class Code(NamedTuple):
    """A board in one line, as another program writes it; ``start`` is the column at which its ``body`` begins.

    The flags are letters after the size of a game id.
    """

    rows: int
    columns: int
    flags: str
    body: str
    line: Line
    start: int

    @classmethod
    def of(cls, text: str, pattern: str) -> Self | None:
        """Return the board in a text that matches a pattern with the names of the fields; None for any other text.

        Lines of comment and blanks around the rest are left out.
        """
        every = enumerate(text.split("\n"), 1)
        lines = [(k, line) for k, line in every if not line.lstrip().startswith((";", "//", "%"))]
        first = next((k for k, line in lines if line.strip()), None)
        bare = Line(first, "\n".join(line for _, line in lines).strip())
        match = re.fullmatch(pattern, bare.text, re.DOTALL)
        if match is None:
            return None
        found = match.groupdict(default="")
        rows, columns = (int(found.get(name) or 1) for name in ("rows", "columns"))
        return cls(rows, columns, found.get("flags", ""), found["body"], bare, match.start("body") + 1)

    def fault(self, message: str, at: int | None = None) -> InputError:
        """Return the error for a fault, at a letter of the body counted from 0."""
        return self.line.fault(message, None if at is None else self.start + at)

    def check_size(self, most: int = MAX_SIDE, least: int = 1) -> tuple[int, int]:
        """Return the rows and columns; raise unless both are ``least`` to ``most``."""
        if not (least <= self.rows <= most and least <= self.columns <= most):
            fault = f"a board of {self.rows} rows and {self.columns} columns: sizes are {least} to {most}"
            raise self.line.fault(f"{fault}; give another one", 1)
        return self.rows, self.columns

    def numbers(self, number: int) -> tuple[list[int | None], str]:
        """Return the first numbers of a puzz.link body, and the rest of it.

        One hex digit a number, ``-hh`` or ``+hhh`` for more; ``.`` is an unknown one, ``g``..``z`` leave out 1..20.
        """
        found: list[int | None] = []
        at = 0
        while len(found) < number:
            match = re.compile(r"-([0-9a-f]{2})|\+([0-9a-f]{3})|([0-9a-f])|([g-z])|\.").match(self.body, at)
            if match is None:
                fault = f"the link breaks off at {self.body[at : at + 3]!a} after {len(found)} of {number} numbers"
                raise self.fault(f"{fault}: copy the whole link", at)
            written = match[1] or match[2] or match[3]
            # The letter g leaves out one number; a dot is one unknown number.
            found += [int(written, 16)] if written else [None] * (ord(match[4]) - ord("f") if match[4] else 1)
            at = match.end()
        if len(found) > number:
            raise self.fault(f"the link has more than {number} numbers: copy it again", at - 1)
        return found, self.body[at:]

    def bits(self, letters: str, alphabet: str = BASE_32) -> list[bool]:
        """Return the bits of some of its letters, each a number of a few bits, most significant first."""
        # The alphabet has a power of two letters.
        width = len(alphabet).bit_length() - 1
        if wrong := [letter for letter in letters if letter not in alphabet]:
            raise self.fault(f"unknown character {wrong[0]!a}: copy it again")
        return [bool(alphabet.index(c) >> (width - 1 - k) & 1) for c in letters for k in range(width)]

    def steps(self, first: str = "a", skips: str = "z", letters: str | None = None) -> Iterator[tuple[int, str]]:
        """Yield the letters of a game id of sgt, each with the number of places up to the one that it marks, inclusive.

        The letter ``first`` marks the next place (``_`` too), the letters after it one further on each. A letter of
        ``skips`` skips 25 places and marks none. Only some ``letters`` of the body are read if they are given.
        """
        at = 0
        for letter in self.body if letters is None else letters:
            # Some games distinguish capitals from small letters; both move equally far.
            at += 25 if letter in skips else 1 if letter == "_" else ord(letter.lower()) - ord(first) + 1
            yield at, letter

    def array(self, field: str) -> list[list[int]]:
        """Return the rows of an array of MiniZinc data, ``[| 0, 1| 1, 0|]``; one row of ``[0, 1]``."""
        match = re.search(rf"\b{field}\s*=\s*\[([-0-9,|\s]*)\]", self.body)
        if match is None:
            raise InputError(f"MiniZinc data without '{field} = [...]': add it")
        rows = match[1].strip().strip("|").split("|")
        return [[int(number) for number in re.findall("-?[0-9]{1,6}", row)] for row in rows]


def link(name: str, before: str = "") -> str:
    """Return the pattern of a puzz.link address ``name/COLUMNS/ROWS/BODY``, with any prefix."""
    size = "(?P<columns>[0-9]{1,4})/(?P<rows>[0-9]{1,4})"
    return rf"(?:\S*[?/])?{name}/{size}/{before}(?P<body>\S*?)/*"


def game_id(body: str, flags: str = "") -> str:
    """Return the pattern of a game id of sgt ``COLUMNSxROWS:BODY``."""
    # A letter after d is the difficulty, which does not belong to the board.
    return rf"(?P<columns>[0-9]{{1,4}})x(?P<rows>[0-9]{{1,4}})(?P<flags>{flags})(?:d[a-z])?:(?P<body>{body})"


@dataclass(frozen=True)
class Sections:
    """A text split into header lines by their first word, and grids by their label."""

    headers: Mapping[str, tuple[Line, ...]]
    blocks: Mapping[str, tuple[Line, ...]]

    @classmethod
    def of(cls, lines: Iterable[Line], keywords: Collection[str], labels: Collection[str]) -> Self:
        """Split the lines of a text with grids, such as a board with pieces.

        A line whose first word is one of the keywords is a header. Any other is a row of a grid. A row has one token a
        cell if it contains white space or commas, else one character a cell; an emoji is one character, however it is
        stored. A grid may also follow the headers that are ``labels``; one without a label is called ``""``.
        """
        headers: dict[str, tuple[Line, ...]] = {}
        blocks: dict[str, tuple[Line, ...]] = {}
        label, begun = "", False
        for line in lines:
            word = line.keyword
            if word in keywords:
                headers[word] = (*headers.get(word, ()), line)
                # A header that is no label ends the grid above it: the rows below belong to the grid without a name.
                label, begun = (word if word in labels else ""), False
                continue
            if not begun and label in blocks:
                known = " or ".join(f"'{name}'" for name in labels)
                named = f"called {label!r}" if label else "without a name"
                raise line.fault(f"a second grid {named}: write {known} above it", 1)
            blocks[label] = (*blocks.get(label, ()), line)
            begun = True
        return cls(headers, blocks)

    def single(self, keyword: str) -> Line | None:
        """Return the one header line of a keyword, or None."""
        lines = self.headers.get(keyword, ())
        if len(lines) > 1:
            raise lines[1].fault(f"a second line '{keyword}': keep one of the two", 1)
        return lines[0] if lines else None

    def value(self, keyword: str) -> Token | None:
        """Return the one word after a keyword; None without one, or without the line."""
        header = self.single(keyword)
        values = header.tokens()[1:] if header else ()
        if len(values) > 1:
            raise values[1].fault(f"'{keyword}' takes one value: take the others out")
        return values[0] if values else None

    def flag(self, keyword: str) -> bool:
        """Return whether there is a line of a keyword, which has no value."""
        header = self.single(keyword)
        if header is not None and len(header.words) > 1:
            raise header.fault(f"'{keyword}' takes no value: write it alone, or leave out the line", 2)
        return header is not None

    @property
    def wrap(self) -> Wrap:
        """Return the edges that meet, by the lines ``cylinder`` and ``torus``."""
        torus, cylinder = self.flag("torus"), self.flag("cylinder")
        if torus and cylinder:
            raise self.headers["cylinder"][0].fault("'cylinder' beside 'torus': keep one of the two", 1)
        return "torus" if torus else "cylinder" if cylinder else "none"

    def check_size(self, height: int, width: int) -> None:
        """Raise unless a line ``size`` agrees with the board that is drawn."""
        if "size" in self.headers and (size := self.size("")) != (height, width):
            fault = f"the size says {size[0]}x{size[1]} cells but the grid has {height}x{width}: make them agree"
            raise self.headers["size"][0].fault(fault, 1)

    def size(self, missing: str) -> tuple[int, int]:
        """Return the rows and columns of a line ``size``."""
        header = self.single("size")
        if header is None:
            raise InputError(missing)
        sides = header.words[1:]
        if not 1 <= len(sides) <= 2 or not all(re.fullmatch(r"\d{1,4}", side) for side in sides):
            raise header.fault("write the side of the board as 'size 8'", 1)
        for k, side in enumerate(sides, 2):
            if not 1 <= int(side) <= MAX_SIDE:
                raise header.fault(f"a board of side {int(side)}: choose a side of 1..{MAX_SIDE}", k)
        return int(sides[0]), int(sides[-1])


def grid_of(
    rows: Sequence[Line],
    allowed: Collection[str] | None = None,
    meant: str = "",
    letters: bool = False,
    most: int = MAX_SIDE,
) -> Grid:
    """Return the tokens of a grid's rows; refuse those not ``allowed``, or not region names with ``letters``.

    ``allowed`` None allows any. ``meant`` describes the allowed tokens. A name has letters and digits, or is an emoji.
    """
    table = [row.cells() for row in rows]
    check_rows(table, most)
    for token in (token for row in table for token in row):
        named = letters and (is_emoji(token.text) or re.fullmatch("[A-Za-z0-9_]{1,12}", token.text))
        if allowed is not None and token.text not in allowed and not named:
            raise token.fault(f"unknown {show_token(token.text)}: write {meant}")
    return tuple(tuple(token.text for token in row) for row in table)


def check_equal(rows: Sequence[Line], grid: Grid, other: Grid) -> None:
    """Raise unless a grid, which is in these rows, is as large as another one."""
    size, wanted = ((len(one), len(one[0])) for one in (grid, other))
    if size != wanted:
        fault = f"a grid of {size[0]}x{size[1]} cells beside one of {wanted[0]}x{wanted[1]}: give both the same"
        raise rows[0].fault(f"{fault} rows and columns", 1)


def cell_places(rows: Sequence[Row]) -> dict[Cell, Token]:
    """Return the tokens of a grid by the cells they stand for."""
    return by_cell(rows)


def is_json(text: str) -> bool:
    """Return whether a text is meant to be a JSON object."""
    return text.lstrip().startswith("{")


class JsonBoard(dict[str, Any]):
    """The fields of a JSON object with a board; each method refuses a faulty field by its name."""

    def get_valid(self, field: str, is_valid: Callable[[Any], object], wanted: str, default: Any = None) -> Any:
        """Return a field, or ``default`` where it is missing; ``wanted`` describes the valid values."""
        if not is_valid(found := self.get(field, default)):
            fault = f"field '{field}' is {show_json(found)}, no" if field in self else f"has no field '{field}' with a"
            raise InputError(f"JSON {fault} {wanted}")
        return found

    def listed(self, field: str, is_valid: Callable[[Any], object], wanted: str, default: Any = None) -> list[Any]:
        """Return a field that is a list of valid values."""
        found = self.get_valid(
            field, lambda found: isinstance(found, list) and all(map(is_valid, found)), wanted, default
        )
        return list(found)

    def refuse_others(self, known: Collection[str], mends: Mapping[str, str] = MappingProxyType({})) -> None:
        """Refuse fields that are not ``known`` and not in `ABOUT`; ``mends`` has replacements for some."""
        for name in (name for name in self if name not in known and name not in ABOUT):
            mend = mends.get(name, f"write one of {', '.join(known)}, or remove it")
            raise InputError(f"JSON has no field '{one_line(name)[:20]}': {mend}")

    def refuse_both(self, *fields: str) -> None:
        """Refuse two of some fields that mean the same."""
        found = [field for field in fields if field in self]
        if len(found) > 1:
            raise InputError(f"JSON fields '{found[0]}' and '{found[1]}' mean the same: keep one of the two")

    def check_sides(self, size: tuple[int, int]) -> None:
        """Refuse fields ``size``, ``rows`` and ``cols`` that do not agree with the board's rows and columns."""
        for field, sides in (("size", {*size}), ("rows", {size[0]}), ("cols", {size[1]})):
            # ``type`` and not ``isinstance``, here and below: Python counts JSON's true as the integer 1.
            if field in self and (type(self[field]) is not int or sides != {self[field]}):
                fault = f"JSON field '{field}' is {show_json(self[field])} but the board has {size[0]} rows"
                raise InputError(f"{fault} and {size[1]} columns: make them agree")

    def rows(self, field: str) -> list[Line]:
        """Return the rows of a grid: strings, or lists of letters, integers and null."""

        def is_row(row: object) -> object:
            return row.strip() if isinstance(row, str) else isinstance(row, list) and row

        wanted = "list of rows: write one string a row"
        rows = self.get_valid(field, lambda rows: isinstance(rows, list) and rows and all(map(is_row, rows)), wanted)
        lines = []
        for number, row in enumerate(rows, 1):
            for k, value in enumerate(row if isinstance(row, list) else (), 1):
                if not (value is None or isinstance(value, str) or type(value) is int):
                    fault = f"{show_json(value)} is not a cell: write a letter, an integer or null"
                    raise InputError(fault, row=number, column=k)
            # Other programs write an empty cell as null or as a blank text.
            words = ["." if value is None else str(value).strip() or "." for value in row]
            lines.append(Line(number, row if isinstance(row, str) else " ".join(words)))
        return lines

    def tokens(self, field: str) -> list[list[str]]:
        """Return the cells of a grid; no rows where the field contains none."""
        try:
            return [[token.text for token in row.cells()] for row in self.rows(field)]
        except InputError:
            return []

    def flag(self, field: str, default: bool) -> bool:
        """Return a field that is true or false."""
        wanted = "truth value: write true or false"
        return bool(self.get_valid(field, lambda found: isinstance(found, bool), wanted, default))

    def pair(self, field: str, such_as: str, default: object = None) -> Any:
        """Return a field that is a pair of integers, or ``default`` where it is missing."""
        wanted = f"pair of integers: write it as {such_as}"
        return self.get_valid(field, lambda found: found is default or is_pair(found), wanted, default)

    def side(self, field: str, most: int) -> int:
        """Return a field with the side of a board."""
        wanted = f"number of 1..{most}: write the side of the board"
        return int(self.get_valid(field, lambda found: type(found) is int and 1 <= found <= most, wanted))

    def pairs(self, field: str) -> list[Cell]:
        """Return a field with pairs of integers."""
        found = self.listed(field, is_pair, "list of pairs: write it as [[0, 1], [2, 3]]")
        return [(a, b) for a, b in found]

    def cells(self, field: str, size: tuple[int, int]) -> list[Cell]:
        """Return a field with 0-based cells of a board; empty when it is missing."""
        found = self.pairs(field) if field in self else []
        for r, c in found:
            if not (0 <= r < size[0] and 0 <= c < size[1]):
                fault = f"JSON field '{field}' has cell [{r}, {c}] outside the board of {size[0]}x{size[1]}"
                raise InputError(f"{fault}: rows and columns count from 0")
        return found


def is_pair(found: object) -> bool:
    """Return whether a value of JSON is a pair of integers."""
    return isinstance(found, list) and len(found) == 2 and all(type(number) is int for number in found)

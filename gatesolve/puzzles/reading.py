"""Texts taken apart into lines, tokens, grids and fields that know where they stand, so that a fault has its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gatesolve.errors import InputError, one_line
from gatesolve.files import json_object, show_json
from gatesolve.puzzles.emoji import is_emoji, symbol, symbols
from gatesolve.puzzles.grid import Cell, Grid, Wrap, by_cell

MAX_SIDE = 64
"""Most rows or columns of a board; far above what any backend could hold."""
ABOUT = (
    "id", "name", "title", "family", "author", "source", "url", "license", "date", "difficulty", "comment",
    "solution", "n_solutions",
)  # fmt: skip
"""Fields that any object may have: they are about the puzzle, and no rule or clue of it."""


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


def bare_text(text: str) -> str:
    """The text without lines of comment, and without blanks around it."""
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith((";", "//", "%"))).strip()


class Link(NamedTuple):
    """The size of a puzz.link board, and the rest of its address."""

    rows: int
    columns: int
    body: str


def link_of(text: str, name: str) -> Link | None:
    """A puzz.link address ``name/COLUMNS/ROWS/BODY``, whatever stands before it; None for any other text."""
    match = re.fullmatch(rf"(?:\S*[?/])?{name}/([0-9]{{1,4}})/([0-9]{{1,4}})/(\S*)", text.strip())
    return Link(int(match[2]), int(match[1]), match[3].rstrip("/")) if match else None


def game_id_steps(letters: str, first: str = "a", skips: str = "z") -> Iterator[tuple[int, str]]:
    """The letters of a game id of sgt, each with the number of places up to and with the one that it marks.

    The letter ``first`` marks the next place (``_`` too), the letters behind it one further on each. A letter of
    ``skips`` passes 25 places and marks none.
    """
    at = 0
    for letter in letters:
        at += 25 if letter in skips else 1 if letter == "_" else ord(letter.lower()) - ord(first) + 1
        yield at, letter


@dataclass(frozen=True)
class Sections:
    """A text taken apart: header lines by their first word, and grids by their label."""

    headers: Mapping[str, tuple[Line, ...]]
    blocks: Mapping[str, tuple[Line, ...]]
    source: str

    def single(self, keyword: str) -> Line | None:
        """The one header line of a keyword, or None."""
        lines = self.headers.get(keyword, ())
        if len(lines) > 1:
            raise lines[1].fault(f"a second line '{keyword}': keep one of the two", 1)
        return lines[0] if lines else None

    @property
    def wrap(self) -> Wrap:
        """Which edges meet, by the lines ``cylinder`` and ``torus``."""
        return "torus" if "torus" in self.headers else "cylinder" if "cylinder" in self.headers else "none"

    def size(self, missing: str) -> tuple[int, int]:
        """The rows and columns that a line ``size`` tells."""
        header = self.single("size")
        if header is None:
            raise InputError(missing, source=self.source)
        sides = header.words[1:]
        if not 1 <= len(sides) <= 2 or not all(re.fullmatch(r"\d{1,4}", side) for side in sides):
            raise header.fault("write the side of the board as 'size 8'", 1)
        for k, side in enumerate(sides, 2):
            if not 1 <= int(side) <= MAX_SIDE:
                raise header.fault(f"a board of side {int(side)}: choose a side of 1..{MAX_SIDE}", k)
        return int(sides[0]), int(sides[-1])


def sections(text: str, keywords: Collection[str], labels: Collection[str], source: str) -> Sections:
    """Take a text apart.

    A line whose first word is one of the keywords is a header. A grid may follow those that are ``labels``, too; one
    below no label is called ``""``.
    """
    headers: dict[str, tuple[Line, ...]] = {}
    blocks: dict[str, tuple[Line, ...]] = {}
    label, begun = "", False
    for line in lines_of(text, source):
        word = line.keyword
        if word in keywords:
            headers[word] = (*headers.get(word, ()), line)
            label, begun = (word if word in labels else ""), False
            continue
        if not begun and label in blocks:
            known = " or ".join(f"'{name}'" for name in labels)
            named = f"called {label!r}" if label else "without a name"
            raise line.fault(f"a second grid {named}: write {known} above it", 1)
        blocks[label] = (*blocks.get(label, ()), line)
        begun = True
    return Sections(headers, blocks, source)


def grid_of(
    rows: Sequence[Line],
    source: str,
    allowed: Collection[str] | None = None,
    meant: str = "",
    letters: bool = False,
    most: int = MAX_SIDE,
) -> Grid:
    """The tokens of a grid's rows; raises unless all are ``allowed`` (None for any) or, with ``letters``, region names.

    ``meant`` says in words what may be written; a name is made of letters and digits, or is an emoji.
    """
    table = [row.cells() for row in rows]
    check_rows(table, most, source)
    for token in (token for row in table for token in row):
        named = letters and (is_emoji(token.text) or re.fullmatch("[A-Za-z0-9_]{1,12}", token.text))
        if allowed is not None and token.text not in allowed and not named:
            raise token.fault(f"unknown {show_token(token.text)}: write {meant}")
    return tuple(tuple(token.text for token in row) for row in table)


def cell_places(rows: Sequence[Row]) -> dict[Cell, Token]:
    """The tokens of a grid by the cells they stand for."""
    return by_cell(rows)


def places_in(rows: Sequence[Line]) -> dict[Cell, Token]:
    """Where in the file each cell of a grid is."""
    return cell_places([row.cells() for row in rows])


def is_json(text: str) -> bool:
    """Whether a text is meant to be a JSON object."""
    return text.lstrip().startswith("{")


def read_object(text: str, source: str, families: Collection[str]) -> dict[str, Any]:
    """The one JSON object that a text holds, of one of these families (the first, if it names none)."""
    data = json_object(text, source)
    first = next(iter(families))
    found = data.get("family", first)
    if found not in families:
        raise InputError(f"JSON of family {show_json(found)}, read as {first}: name its family", source=source)
    return data


def refuse_fields(
    data: Mapping[str, Any], known: Collection[str], source: str, mends: Mapping[str, str] | None = None
) -> None:
    """Refuse fields that are not ``known`` and not in `ABOUT`; ``mends`` has what to write instead of some of them."""
    for name in data:
        if name not in known and name not in ABOUT:
            mend = (mends or {}).get(name, f"write one of {', '.join(known)}, or remove it")
            raise InputError(f"JSON has no field '{one_line(name)[:20]}': {mend}", source=source)


def check_sides(data: Mapping[str, Any], size: tuple[int, int], source: str) -> None:
    """Refuse fields ``size``, ``rows`` and ``cols`` that do not agree with the board's rows and columns."""
    for field, sides in (("size", {*size}), ("rows", {size[0]}), ("cols", {size[1]})):
        if field in data and (type(data[field]) is not int or sides != {data[field]}):
            fault = f"JSON field '{field}' is {show_json(data[field])} but the board has {size[0]} rows"
            raise InputError(f"{fault} and {size[1]} columns: make them agree", source=source)


def json_cells_of(rows: object) -> list[list[str]]:
    """The cells of a field with a board, each as it is written, ``.`` for null; no rows where it holds no board."""
    found = list[list[str]]()
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, str) and row.strip():
            found.append([token.text for token in Line(None, row).cells()])
        elif isinstance(row, list) and row and all(v is None or isinstance(v, str) or type(v) is int for v in row):
            found.append(["." if v in (None, "") else str(v) for v in row])
        else:
            return []
    return found


def json_rows(data: Mapping[str, Any], field: str, source: str) -> list[Line]:
    """The rows of a grid, one string each."""
    rows = data.get(field)
    if not isinstance(rows, list) or not all(isinstance(row, str) and row.strip() for row in rows):
        raise InputError(f"JSON has no field '{field}' with a list of strings: write one string a row", source=source)
    return [Line(number, row, source) for number, row in enumerate(rows, 1)]


def rows_of_list(rows: Any, field: str, source: str) -> list[Line]:
    """Rows of a grid in a JSON object: strings, or lists of letters or integers."""
    lines = []
    for number, row in enumerate(rows if isinstance(rows, list) else [None], 1):
        if isinstance(row, list) and row and all(isinstance(v, str) or type(v) is int for v in row):
            row = " ".join(map(str, row))
        elif not (isinstance(row, str) and row.strip()):
            raise InputError(f"JSON field '{field}' is not a list of rows: write one string a row", source=source)
        lines.append(Line(number, row, source))
    return lines


def json_bool(data: Mapping[str, Any], field: str, default: bool, source: str) -> bool:
    """A field that is true or false."""
    found = data.get(field, default)
    if not isinstance(found, bool):
        raise InputError(f"JSON field '{field}' is neither true nor false: write one of them", source=source)
    return found


def json_cells(data: Mapping[str, Any], field: str, size: tuple[int, int], source: str) -> list[Cell]:
    """A field with 0-based ``[row, column]`` pairs; empty when it is missing."""
    found = data.get(field, [])
    pairs: list[Any] = found if isinstance(found, list) else [None]
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(v) is int for v in pair)):
            raise InputError(f"JSON field '{field}' is not a list of [row, column] pairs", source=source)
        if not (0 <= pair[0] < size[0] and 0 <= pair[1] < size[1]):
            fault = f"JSON field '{field}' has cell {show_json(pair)} outside the board of {size[0]}x{size[1]}"
            raise InputError(f"{fault}: rows and columns count from 0", source=source)
    return [(r, c) for r, c in pairs]


def json_side(data: Mapping[str, Any], field: str, most: int, source: str) -> int:
    """A field with the side of a board."""
    side = data.get(field)
    if type(side) is not int or not 1 <= side <= most:
        fault = f"JSON field '{field}' is not a number of 1..{most}: write the side of the board"
        raise InputError(fault, source=source)
    return side

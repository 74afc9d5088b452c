"""Reading and writing Takuzus as text, and reading the lines that Tangos have too; docs/formats.md has the formats."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from gatesolve.errors import InputError
from gatesolve.files import show_json
from gatesolve.puzzles.base import Draft, cell_places
from gatesolve.puzzles.emoji import BLANKS
from gatesolve.puzzles.foreign import game_id_steps
from gatesolve.puzzles.grid import Cell, cell_name
from gatesolve.puzzles.json_text import check_sides, json_bool, json_cells_of, json_rows
from gatesolve.puzzles.reading import Line, Token, check_rows, check_size, lines_of, size_of
from gatesolve.puzzles.takuzu.board import MAX_SIDE, WRAPS, Rules, Sign, TakuzuRegion

EMPTY: dict[str, int | None] = dict.fromkeys("._-*" + BLANKS)
_SYMBOLS: dict[str, int | None] = {"0": 0, "1": 1, "w": 0, "b": 1, "W": 0, "B": 1, **EMPTY}
_ONE_TWO: dict[str, int | None] = {"1": 0, "2": 1, **EMPTY}
_PAIRS = ("⚪⚫", "🔴🔵", "🟥🟦", "⬜⬛")
"""Emoji for 0 and 1: a board uses the first pair of which it has both."""
_NAMES = ("takuzu", "binairo")
_UNRULY = re.compile(r"([0-9]{1,3})x([0-9]{1,3})(u?)(d[a-z])?:([A-Za-z]*)(.*)", re.DOTALL)
_POSITION = re.compile(r"r([0-9]{1,3})c([0-9]{1,3})|\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)", re.IGNORECASE)
_CHAIN = re.compile(rf"\s*(?:{_POSITION.pattern})(?:\s*[=xX×≠]\s*(?:{_POSITION.pattern}))+\s*")
_RANGE = re.compile(r"([0-9]{1,4})(?:\.\.([0-9]{1,4}|\*))?")
T = TypeVar("T")

KEYWORDS = ("unique", "rows", "columns", "diagonals", "wrap", "region")
COMMENTS = (";", "//", "#")
_SKIPPED = " \t|"


def recognises(text: str) -> bool:
    """Whether the text looks like a Takuzu: a game id, a line that changes rules, or zeros and ones."""
    unruly = _UNRULY.fullmatch(text.strip())
    if unruly:
        steps = list(game_id_steps(unruly[5], skips="zZ"))
        whole = not unruly[6] and steps and steps[-1][0] == int(unruly[1]) * int(unruly[2]) + 1
        return bool(unruly[3] or whole)
    lines = lines_of(text, "", COMMENTS)
    words = {line.word for line in lines}
    if words & {*_NAMES, "unique", "wrap"}:  # the other lines might be those of other families
        return "tango" not in words
    rows = [line for line in lines if not is_sign(line)]
    sized = _is_sized(rows)
    used = tokens_in(rows[sized:])
    if (pair := _pair(used)) is not None:
        blank = used - set(pair)
        return len(blank) == 1 and blank <= set(EMPTY)
    known = used - set(EMPTY)
    # Below its size a board may hold any pair of values; without one, only zeros and ones are its own.
    pairs = [set("01"), set("12"), set("wb")] if sized else [set("01")]
    odd = sized and any(int(side) % 2 for side in rows[0].words)
    return len(rows) > 1 and not odd and bool(known and used - known) and any(known <= pair for pair in pairs)


def read(text: str, source: str) -> Draft:
    """The clues and the rules of a board."""
    unruly = _UNRULY.fullmatch(text.strip())
    if unruly:
        return _read_unruly(unruly, source)
    lines = [line for line in lines_of(text, source, COMMENTS) if line.word not in _NAMES]
    rows = rows_among(lines)
    sized = _is_sized(rows)
    used = tokens_in(rows[sized:])
    symbols = _ONE_TWO if "2" in used and "0" not in used else _SYMBOLS
    if (pair := _pair(used)) is not None:
        symbols = {**symbols, pair[0]: 0, pair[1]: 1}
    return draft_of([line for line in lines if not (sized and line is rows[0])], symbols, not sized, source)


def format_text(values: Sequence[Sequence[int | None]], rules: Rules) -> str:
    """The board in the text format, below the lines that say its rules."""
    lines = [f"unique {'yes' if rules.unique else 'no'}"]
    for name, ones in (("rows", rules.row_ones), ("columns", rules.column_ones)):
        if ones:
            lines.append(" ".join([name, *("-" if n is None else str(n) for n in ones)]))
    if rules.diagonals:
        lines.append("diagonals yes")
    if rules.wrap != "none":
        lines.append(f"wrap {rules.wrap}")
    lines += ["".join("." if v is None else str(v) for v in row) for row in values]
    lines += [" ".join(["region", r.ones, *map(cell_name, r.cells)]) for r in rules.regions]
    return "\n".join([*lines, *map(str, rules.signs)]) + "\n"


JSON_FIELDS = ("grid", "signs", "unique_lines", "rows", "cols")
MENDS = {
    "unique": "write 'unique_lines', true or false",
    **{
        name: f"write the line \"{name} {rest}\" into the list 'lines'"
        for name, rest in (("wrap", "both"), ("columns", "2 2 2 2"), ("region", "2 r1c1 r1c2"), ("diagonals", "yes"))
    },
}
"""What stands in typed boards, and what a JSON object calls it."""


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object has a board of zeros, ones and empty cells."""
    used = {token for row in json_cells_of(data.get("grid")) for token in row}
    return used <= {"0", "1", *EMPTY} and bool(used & {"0", "1"} and used & set(EMPTY))


def draft_of_json(data: dict[str, Any], source: str) -> Draft:
    """The board of a JSON object."""
    return draft_of(json_lines(data, source), _SYMBOLS, json_bool(data, "unique_lines", True, source), source)


def json_lines(data: dict[str, Any], source: str) -> list[Line]:
    """The fields ``grid``, ``lines`` and ``signs`` as lines of the text format."""
    found = json_rows(data, "grid", source)
    check_sides(data, (len(found), len(found[0].letters(_SKIPPED))), source)
    lines, signs = data.get("lines", []), data.get("signs", [])
    if not isinstance(lines, list) or not all(isinstance(line, str) and line.strip() for line in lines):
        raise InputError("JSON field 'lines' is not a list of strings: write one string a line", source=source)
    if not isinstance(signs, list):
        raise InputError("JSON field 'signs' is not a list: write [...]", source=source)
    found += [Line(None, line, source) for line in lines]
    return found + [sign_line(sign, "signs", source) for sign in signs]


def sign_line(sign: object, field: str, source: str) -> Line:
    """A sign written ``[[0, 0], [0, 1], "="]`` as a line of the text format."""
    match sign:
        case [[int(a), int(b)], [int(c), int(d)], "=" | "x" as mark] if bool not in map(type, (a, b, c, d)):
            return Line(None, f"({a},{b}) {mark} ({c},{d})", source)
    raise InputError(f"JSON field '{field}' holds {show_json(sign, 40)}: write [[0, 0], [0, 1], \"=\"]", source=source)


def _pair(used: set[str]) -> str | None:
    """The emoji that stand for 0 and 1, if the board is drawn in some; circles alone may be of one kind only."""
    both = (pair for pair in _PAIRS if set(pair) <= used)
    return next(both, _PAIRS[0] if set(_PAIRS[0]) & used else None)


def _is_sized(rows: Sequence[Line]) -> bool:
    """Whether the first line tells the size of the board, such as ``10 10``."""
    size = size_of(rows[0]) if rows else None
    return size is not None and size[0] == len(rows) - 1 > 1 and size[1] > 1


def _read_unruly(match: re.Match[str], source: str) -> Draft:
    """A game id: ``a``..``y`` skip 0..24 cells and give a 0, capitals a 1; ``z`` only skips 25 cells.

    The last letter gives the cell just past the end of the board.
    """
    width, height = int(match[1]), int(match[2])
    line = Line(1, match[0], source)
    check_size(height, width, MAX_SIDE, source, least=2, line=line)
    if match[6]:
        fault = f"unknown {match[6][0]!a} in a game id: after the colon it has letters only"
        raise line.fault(fault, match.start(6) + 1)
    values = ["."] * (width * height + 1)
    place = -1
    for offset, (at, letter) in enumerate(game_id_steps(match[5], skips="zZ"), match.start(5) + 1):
        place = at - 1
        if place > width * height:
            raise line.fault(f"the game id goes on past the {width * height} cells of its board: copy it again", offset)
        if letter not in "zZ":
            values[place] = str(int(letter.isupper()))
    if place != width * height:
        fault = f"the game id ends after {place + 1} of {width * height + 1} places: copy all of it"
        raise line.fault(fault, match.end(5) + 1)
    rows = [Line(1, "".join(values[r * width : (r + 1) * width]), source) for r in range(height)]
    return draft_of(rows, _SYMBOLS, bool(match[3]), source)


def is_sign(line: Line) -> bool:
    """Whether the line holds signs, such as ``r1c1 = r1c2``."""
    return _CHAIN.fullmatch(line.text) is not None


def rows_among(lines: Sequence[Line]) -> list[Line]:
    """The lines that are rows of the board."""
    return [line for line in lines if line.word not in KEYWORDS and not is_sign(line)]


def tokens_in(rows: Sequence[Line]) -> set[str]:
    """Return the contents of some rows' cells."""
    return {token.text for line in rows for token in line.letters(_SKIPPED)}


def draft_of(lines: Sequence[Line], symbols: Mapping[str, int | None], unique: bool, source: str) -> Draft:
    """The board that lines of all kinds make together: its cells and its `Rules`.

    ``symbols`` has what each character of a cell stands for; lines must differ if ``unique``, unless a line ``unique``
    says otherwise.
    """
    settings = {line.word: line for line in lines if line.word in KEYWORDS[:-1]}
    regions = [line for line in lines if line.word == "region"]
    signs = [(sign, line) for line in lines if is_sign(line) for sign in _signs(line)]
    rows = rows_among(lines)
    table = [line.letters(_SKIPPED) for line in rows]
    cells = tuple(tuple(_value(token, symbols) for token in row) for row in table)
    check_rows(table, MAX_SIDE, source, "a character a cell, . for an empty one")
    yes = {"yes": True, "no": False}
    rules = Rules(
        _choice(settings.get("unique"), yes, unique),
        _counts(settings.get("rows")),
        _counts(settings.get("columns")),
        _choice(settings.get("diagonals"), yes, False),
        _choice(settings.get("wrap"), {w: w for w in WRAPS}, "none"),
        tuple(map(_region, regions)),
        tuple(sign for sign, _ in signs),
    )
    places: dict[Any, Token | Line] = {**cell_places(table)}
    places |= {("sign", k): line.start for k, (_, line) in enumerate(signs)}
    places |= {("region", k): line.start for k, line in enumerate(regions)}
    places |= {(word, 0): line.start for word, line in settings.items()}
    return Draft((cells, rules), places, rows[-1])


def _cell_at(match: re.Match[str]) -> Cell:
    """The 0-based cell of ``r1c2`` (counted from 1) or ``(0,1)`` (counted from 0)."""
    if match[1] is not None:
        return int(match[1]) - 1, int(match[2]) - 1
    return int(match[3]), int(match[4])


def _signs(line: Line) -> list[Sign]:
    """The signs of a chain, each between neighbours in it."""
    pairs = pairwise(_POSITION.finditer(line.text))
    return [Sign(_cell_at(a), line.text[a.end() : b.start()].strip() == "=", _cell_at(b)) for a, b in pairs]


def _choice(line: Line | None, choices: Mapping[str, T], default: T) -> T:
    """Return the choice that the second word of a line names."""
    if line is None:
        return default
    words = line.text.lower().split()
    if len(words) != 2 or words[1] not in choices:
        raise line.start.fault(f"write '{words[0]}' with one of {', '.join(choices)}")
    return choices[words[1]]


def _counts(line: Line | None) -> tuple[int | None, ...]:
    """Numbers of ones, ``-`` for any."""
    words = line.words[1:] if line else []
    if line and (not words or any(re.fullmatch("-|[0-9]{1,3}", word) is None for word in words)):
        raise line.start.fault(f"write '{line.word}' with a number of ones, or -, for each")
    return tuple(None if word == "-" else int(word) for word in words)


def _region(line: Line) -> TakuzuRegion:
    words = line.text.split(maxsplit=2)
    places = list(_POSITION.finditer(words[2])) if len(words) == 3 else []
    rest = _POSITION.sub("", words[2]).replace(",", " ").strip() if places else "none"
    ones = _RANGE.fullmatch(words[1]) if not rest else None
    if ones is None:
        known = "'region 2 r1c1 r1c2' or 'region 1..2 r1c1 r1c2'"
        raise line.start.fault(f"write a region as its number of ones and its cells, such as {known}")
    least = int(ones[1])
    most = least if ones[2] is None else max(least, len(places)) if ones[2] == "*" else int(ones[2])
    if least > most:
        raise line.start.fault(f"no number of ones is in {words[1]}: write the smaller one first, as in 1..2")
    return TakuzuRegion(least, most, tuple(map(_cell_at, places)))


def _value(token: Token, symbols: Mapping[str, int | None]) -> int | None:
    if token.text not in symbols:
        known = [s for s in symbols if s.isascii() and symbols[s] is not None][:2]
        mend = f"write {known[0]}, {known[1]} or . for an empty cell, or a line such as 'r1c1 = r1c2'"
        raise token.fault(f"unknown cell {token.text!a}: {mend}")
    return symbols[token.text]

"""The grammar of FlatZinc: from a text to its statements. What the names in them stand for is `flatzinc`'s."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NoReturn, TypeVar

from gatesolve.errors import InputError, UnsupportedError

_TOKEN = re.compile(
    r"""
    (?P<line>\n) | (?P<space>[ \t\r]+|%[^\n]*) | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<decimal>-?\d+(?:\.\d+(?:[eE][-+]?\d{1,9})?|[eE][-+]?\d{1,9}))
    | (?P<number>-?(?:0x[\da-fA-F]+|0o[0-7]+|\d+))
    | (?P<name>[A-Za-z_]\w*) | (?P<mark>\.\.|::|[][(){},;:=])
    """,
    re.VERBOSE | re.ASCII,
)
T = TypeVar("T")
_OUTPUT = re.compile(r"output_array\(\[([-\d.,]*)\]\)")
_DEFINES = re.compile(r"::defines_var\((\w+)\)")
_LONGEST = 400
"""Digits of a number, as in the other formats."""
GREATEST = 1 << 53
"""Of the numbers read: sums and products of a few of them are computed in 64 bits."""


@dataclass(frozen=True)
class Name:
    """A name where a value may stand; with an index the entry of an array."""

    text: str
    index: int | None = None


Scalar = int | str | Name | range | frozenset[int]
"""A Boolean is Python's; text in quotes is a str."""
Value = Scalar | list[Scalar]


@dataclass(frozen=True)
class Declaration:
    """A declaration of a parameter, of a variable, or of an array of them.

    Attributes:
        row: where it starts.
        name: what it declares.
        kind: of it, or of the entries of an array: ``bool``, ``int``, ``float`` or ``set``.
        values: to which it is held, if any are named.
        is_var: whether it is of variables.
        size: of an array.
        value: what stands behind ``=``.
        ranges: the index sets by which an array is printed.
    """

    row: int
    name: str
    kind: str
    values: range | frozenset[int] | None
    is_var: bool
    size: int | None
    value: Value | None
    ranges: tuple[range, ...]


@dataclass(frozen=True)
class Call:
    """A constraint, or an objective that is a sum.

    Attributes:
        row: where it starts.
        name: of its kind.
        args: what stands in brackets.
        defines: the variable that it is said to give a value.
    """

    row: int
    name: str
    args: tuple[Value, ...]
    defines: str | None = None


@dataclass(frozen=True)
class Solve:
    """The goal of a file: any solution, or one with the smallest or largest objective."""

    row: int
    sense: Literal["satisfy", "minimize", "maximize"]
    goal: Value | Call | None


def parse(text: str, source: str) -> Iterator[Declaration | Call | Solve]:
    """The statements, without predicates; annotations are passed over.

    Raises:
        InputError: it is malformed or cut short, with the row.
        UnsupportedError: a number that is not whole, with the row.
    """
    tokens = _Tokens(text, source)
    while tokens.more():
        tokens.start = tokens.row
        if tokens.skip("predicate"):
            tokens.pass_over(";")
        elif tokens.skip("constraint"):
            yield _call(tokens)
        elif tokens.skip("solve"):
            yield _solve(tokens)
        else:
            yield _declaration(tokens)
        tokens.need(";")


class _Tokens:
    """A place in a text that moves on with what is taken."""

    def __init__(self, text: str, source: str) -> None:
        self.source, self.row, self.start = source, 1, 1
        self._rest = _split(text, source)
        self.kind, self.text = "", ""
        self._move()

    def _move(self) -> None:
        self.kind, self.text, self.row = next(self._rest, ("end", "", self.row))

    def more(self) -> bool:
        """Whether a token is left."""
        return self.kind != "end"

    def take(self) -> str:
        """The next token."""
        if self.kind == "end":
            fault = "a statement without its ';': the file is cut short, or add it"
            raise InputError(fault, source=self.source, row=self.start)
        text = self.text
        self._move()
        return text

    def skip(self, text: str) -> bool:
        """Take this if it is next."""
        found = self.text == text
        if found:
            self._move()
        return found

    def need(self, text: str) -> None:
        """Take this, which must be next."""
        if not self.skip(text):
            self.refuse(f"'{text}'")

    def need_kind(self, kind: str, words: str) -> str:
        """Take a token of this kind, which must be next."""
        return self.take() if self.kind == kind else self.refuse(words)

    def refuse(self, wanted: str) -> NoReturn:
        """Say what should stand here."""
        row, found = self.row, self.take()
        raise InputError(f"'{found[:20]}' where {wanted} should stand: mend it", source=self.source, row=row)

    def pass_over(self, *ends: str) -> str:
        """Return the text before one of these ends, outside brackets."""
        depth, passed = 0, list[str]()
        while depth > 0 or self.text not in ends:
            passed.append(self.take())
            depth += (passed[-1] in ("(", "[", "{")) - (passed[-1] in (")", "]", "}"))
        return "".join(passed)

    def annotations(self) -> str:
        """Return the annotations of a statement, from '::' on."""
        return self.pass_over(";", "=", "satisfy", "minimize", "maximize") if self.text == "::" else ""


def _split(text: str, source: str) -> Iterator[tuple[str, str, int]]:
    """Kind, text and row of each token."""
    row, at = 1, 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            fault = f"{text[at]!r} is no part of FlatZinc: take it out, or write '%' before a comment"
            raise InputError(fault, source=source, row=row)
        at = token.end()
        if token.lastgroup == "line":
            row += 1
        elif token.lastgroup != "space":
            yield str(token.lastgroup), token[0], row


def _declaration(tokens: _Tokens) -> Declaration:
    """``array [1..2] of var 0..3: x :: output_array([1..2]) = [y, z]``, and simpler ones."""
    row, size = tokens.row, None
    if tokens.skip("array"):
        tokens.need("[")
        indices = _scalar(tokens)
        if not isinstance(indices, range) or indices.start != 1:
            tokens.refuse("an index set as 1..9")
        size = indices.stop - 1
        tokens.need("]")
        tokens.need("of")
    is_var = tokens.skip("var")
    kind, values = _type(tokens)
    tokens.need(":")
    name = tokens.need_kind("name", "a name")
    said = _OUTPUT.search(tokens.annotations())
    ranges = re.findall(r"(-?\d{1,9})\.\.(-?\d{1,9})", said[1] if said else "")
    value = _value(tokens) if tokens.skip("=") else None
    spans = tuple(range(int(low), int(high) + 1) for low, high in ranges)
    return Declaration(row, name, kind, values, is_var, size, value, spans)


def _type(tokens: _Tokens) -> tuple[str, range | frozenset[int] | None]:
    """The kind, and the values if any are named."""
    if tokens.skip("set"):
        tokens.need("of")
        return "set", _type(tokens)[1]
    if tokens.text in ("bool", "int", "float"):
        return tokens.take(), None
    if tokens.kind == "decimal":
        tokens.take()
        tokens.need("..")
        tokens.need_kind("decimal", "the upper bound")
        return "float", None
    values = _scalar(tokens) if tokens.kind == "number" or tokens.text == "{" else None
    return ("int", values) if isinstance(values, range | frozenset) else tokens.refuse("a type, as bool or 0..9,")


def _call(tokens: _Tokens) -> Call:
    row, name = tokens.row, tokens.need_kind("name", "a name")
    args, said = _arguments(tokens), _DEFINES.search(tokens.annotations())
    return Call(row, name, args, said[1] if said else None)


def _arguments(tokens: _Tokens) -> tuple[Value, ...]:
    tokens.need("(")
    return tuple(_listed(tokens, ")", _value))


def _solve(tokens: _Tokens) -> Solve:
    row = tokens.start
    tokens.annotations()
    if tokens.skip("satisfy"):
        return Solve(row, "satisfy", None)
    if tokens.text != "minimize" and tokens.text != "maximize":
        tokens.refuse("satisfy, minimize or maximize")
    sense: Literal["minimize", "maximize"] = "minimize" if tokens.take() == "minimize" else "maximize"
    goal = _scalar(tokens)
    if isinstance(goal, Name) and tokens.text == "(":
        return Solve(row, sense, Call(row, goal.text, _arguments(tokens)))
    return Solve(row, sense, goal)


def _value(tokens: _Tokens) -> Value:
    return _listed(tokens, "]", _scalar) if tokens.skip("[") else _scalar(tokens)


def _listed(tokens: _Tokens, end: str, read: Callable[[_Tokens], T]) -> list[T]:
    """Read the items between commas, up to an end."""
    found: list[T] = []
    while not tokens.skip(end):
        found.append(read(tokens))
        if tokens.text != end:
            tokens.need(",")
    return found


def _scalar(tokens: _Tokens) -> Scalar:
    if tokens.kind == "decimal":
        return _whole(tokens)
    if tokens.kind == "number":
        low = _number(tokens)
        return range(low, _number(tokens) + 1) if tokens.skip("..") else low
    if tokens.skip("{"):
        return frozenset(_listed(tokens, "}", _number))
    if tokens.kind == "string":
        return tokens.take()
    name = tokens.need_kind("name", "a value")
    if name in ("true", "false"):
        return name == "true"
    if not tokens.skip("["):
        return Name(name)
    index = _number(tokens)
    tokens.need("]")
    return Name(name, index)


def _number(tokens: _Tokens) -> int:
    if len(tokens.text) > _LONGEST:
        tokens.refuse(f"a number of at most {_LONGEST} digits")
    row, text = tokens.row, tokens.need_kind("number", "a whole number")
    return _bounded(int(text, 0 if "x" in text or "o" in text else 10), text, tokens.source, row)


def _bounded(number: int, text: str, source: str, row: int) -> int:
    if abs(number) > GREATEST:
        fault = f"{text[:20]} is more than 2^53: write smaller numbers, or the problem as OPB"
        raise UnsupportedError(fault, source=source, row=row)
    return number


def _whole(tokens: _Tokens) -> int:
    """A decimal that is a whole number."""
    number = Decimal(tokens.text)
    if number.adjusted() > _LONGEST or number != number.to_integral_value():
        fault = f"{tokens.text[:20]} is no whole number: FlatZinc is read of whole numbers; multiply it out"
        raise UnsupportedError(fault, source=tokens.source, row=tokens.row)
    row, text = tokens.row, tokens.take()
    return _bounded(int(number), text, tokens.source, row)

"""Reading LP files: 0/1 and integer variables, linear constraints, a linear or quadratic objective.

The format is CPLEX's, as dimod, Gurobi, HiGHS and docplex write it. Numbers are read as exact decimals. (dimod has a
reader too, which takes most malformed files for empty ones and does not return from some.)
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.qubo.lp_tokens import Token, sections
from gatesolve.qubo.numerals import MAX_TERMS, Place, as_written, check_count, read_number, shown
from gatesolve.qubo.parts import Parts, Row, Sense

_RELATIONS = {"<=": "<=", "=<": "<=", "<": "<=", ">=": ">=", "=>": ">=", ">": ">=", "=": "=="}
_TURNED = {"<=": ">=", ">=": "<=", "==": "=="}
_INFINITE = re.compile(r"inf(?:inity)?", re.IGNORECASE)
_HUGE = 10**20
"""Bounds from here on mean none, as in the solvers' own files."""
Polynomial = dict[tuple[str, ...], Fraction]


@dataclass
class _Reader:
    """Words of one section, read from the left."""

    words: list[Token]
    end: Place
    at: int = 0

    def peek(self, ahead: int = 0) -> str:
        """The text of a word to come, or nothing."""
        return self.words[self.at + ahead].text if self.at + ahead < len(self.words) else ""

    def kind(self, ahead: int = 0) -> str:
        """The kind of a word to come, or nothing."""
        return self.words[self.at + ahead].kind if self.at + ahead < len(self.words) else ""

    def place(self) -> Place:
        """Where the next word stands."""
        return self.words[self.at].place if self.at < len(self.words) else self.end

    def take(self) -> Token:
        """The next word; there must be one."""
        self.at += 1
        return self.words[self.at - 1]

    def fault(self, wanted: str) -> InputError:
        """The next word is not what should come."""
        if not self.peek():
            return self.place().fault(f"{wanted} is missing before this: add it")
        return self.place().fault(f"{shown(self.peek())} where {wanted} should stand: write that")

    def label(self) -> str | None:
        """``NAME :`` if that comes next."""
        if self.kind() == "name" and self.peek(1) == ":":
            name = self.take().text
            self.take()
            return name
        return None

    def sign(self) -> int | None:
        """The product of the signs that come next; None without any."""
        sign = None
        while self.peek() in {"+", "-"} and self.kind() == "sign":
            sign = (sign or 1) * (1 if self.take().text == "+" else -1)
        return sign

    def number(self) -> Fraction:
        """An unsigned number."""
        if self.kind() != "number":
            raise self.fault("a number")
        word = self.take()
        return as_written(read_number(word.text, word.place, "number"))

    def name(self) -> str:
        """The name of a variable."""
        if self.kind() != "name":
            raise self.fault("a variable")
        word = self.take()
        if re.fullmatch(r"nan|inf|infinity", word.text, re.IGNORECASE):
            raise word.place.fault(f"the coefficient is {word.text}: give a finite number")
        return word.text

    def relation(self) -> str:
        """A relation."""
        if self.peek() not in _RELATIONS:
            raise self.fault("<=, >= or =")
        return _RELATIONS[self.take().text]


@dataclass
class _Found:
    """What the sections say."""

    objective: Polynomial = field(default_factory=dict)
    sense: Sense = "min"
    rows: list[Row] = field(default_factory=list)
    bounds: dict[str, list[Fraction | None]] = field(default_factory=dict)
    binary: list[str] = field(default_factory=list)
    general: list[str] = field(default_factory=list)


def read_lp(text: str, source: str) -> Parts:
    r"""Read an LP file.

    Variables are ordered as listed under ``Binary`` and then ``General``.

    Args:
        text: of the file, lines ending in ``\n``.
        source: what to call it in messages.

    Raises:
        InputError: whatever is malformed, with row and column; an integer variable without bounds.
        UnsupportedError: real variables, quadratic constraints, and sections of other kinds.
    """
    parts = sections(text, source)
    if not parts or parts[0][0] not in {"min", "max", "rows"}:  # dimod leaves out an objective of zero
        raise Place(source, 1).fault("no objective: start an LP file with 'Minimize' or 'Maximize'")
    if parts[-1][0] != "end":
        raise Place(source, text.rstrip().count("\n") + 1).fault("no 'End': the file is cut short, or add it")
    found, ends = _Found(sense="max" if parts[0][0] == "max" else "min"), [place for _, _, place in parts[1:]]
    for (name, words, start), end in zip(parts, [*ends, parts[-1][2]], strict=True):
        reader = _Reader(words, end)
        if name in {"min", "max"}:
            if start != parts[0][2]:
                raise start.fault("a second objective: give one")
            reader.label()
            found.objective = _expression(reader)
            if reader.peek():
                raise reader.fault("the objective's next term")
        elif name == "rows":
            _rows(reader, found)
        elif name == "bounds":
            _bounds(reader, found.bounds)
        elif name in {"binary", "general"}:
            _listed(reader, found.binary if name == "binary" else found.general)
    return Parts(_domains(found, source), found.objective, found.sense, tuple(found.rows))


def _expression(reader: _Reader) -> Polynomial:
    """A sum of terms and bracketed quadratic parts, up to what cannot belong to it."""
    total: Polynomial = {}
    first = True
    while reader.peek() and reader.peek() not in _RELATIONS and not (reader.kind() == "name" and reader.peek(1) == ":"):
        sign = reader.sign()
        if sign is None and not first:
            raise reader.place().fault(f"no + or - before {shown(reader.peek())}: write one between terms")
        first = False
        if reader.peek() == "[":
            part = _bracket(reader)
        else:
            part = _term(reader)
            if reader.peek() in {"*", "^"}:
                raise reader.place().fault("a product outside brackets: write quadratic terms as [ 2 x * y ]/2")
        for key, value in part.items():
            total[key] = total.get(key, Fraction(0)) + (sign or 1) * value
        if len(total) > MAX_TERMS:
            raise reader.place().fault(f"more than {MAX_TERMS} terms: give a smaller problem")
    return total


def _term(reader: _Reader) -> Polynomial:
    """A number, a variable, or both."""
    if reader.kind() == "number":
        value = reader.number()
        is_term = reader.kind() == "name" and reader.peek(1) != ":"
        return {(reader.name(),): value} if is_term else {(): value}
    return {(reader.name(),): Fraction(1)}


def _bracket(reader: _Reader) -> Polynomial:
    """``[ 2 x * y + x ^ 2 ]``, perhaps divided by 2."""
    opened = reader.take().place
    total: Polynomial = {}
    while reader.peek() != "]":
        if not reader.peek():
            raise opened.fault("a bracket that is not closed: add ]")
        sign = reader.sign()
        if sign is None and total:
            raise reader.place().fault(f"no + or - before {shown(reader.peek())}: write one between terms")
        value = (sign or 1) * (reader.number() if reader.kind() == "number" else Fraction(1))
        first = reader.name()
        if reader.peek() == "^":
            reader.take()
            if reader.peek() != "2":
                raise reader.fault("the exponent 2")
            reader.take()
            key = (first, first)
        elif reader.peek() == "*":
            reader.take()
            key = (first, reader.name())
        else:
            raise reader.place().fault("a linear term in brackets: write it outside, or as x * y or x ^ 2")
        total[key] = total.get(key, Fraction(0)) + value
    reader.take()
    if reader.peek() != "/":
        return total
    reader.take()
    if reader.peek() != "2":
        raise reader.fault("the divisor 2")
    reader.take()
    return {key: value / 2 for key, value in total.items()}


def _rows(reader: _Reader, found: _Found) -> None:
    while reader.peek():
        start = reader.place()
        label = reader.label() or f"c{len(found.rows) + 1}"
        left = _expression(reader)
        relation = reader.relation()
        if any(left):
            found.rows.append(_row(label, left, relation, _signed(reader), start))
            continue
        low = left.get((), Fraction(0))
        middle = _expression(reader)
        found.rows.append(_row(label, middle, _TURNED[relation], low, start))
        if reader.peek() in _RELATIONS:
            found.rows.append(_row(label, middle, reader.relation(), _signed(reader), start))


def _row(label: str, left: Polynomial, relation: str, bound: Fraction, place: Place) -> Row:
    if any(len(key) == 2 for key in left):
        raise UnsupportedError(
            f"constraint {label} is quadratic: only linear constraints are read", source=place.source, row=place.row
        )
    terms = {key[0]: value for key, value in left.items() if key}
    return Row(label, terms, relation, bound - left.get((), Fraction(0)))


def _signed(reader: _Reader) -> Fraction:
    """A number with signs: the right side of a constraint."""
    sign = reader.sign()
    value = (sign or 1) * reader.number()
    if (
        reader.kind() == "name"
        and reader.peek(1) != ":"
        and reader.words[reader.at - 1].place.row == reader.place().row
    ):
        raise reader.place().fault(f"variable {shown(reader.peek())} on the right: write all variables on the left")
    return value


def _bounds(reader: _Reader, bounds: dict[str, list[Fraction | None]]) -> None:
    """``l <= x <= u`` and its parts, ``x = v``, ``x free``."""
    while reader.peek():
        if reader.kind() == "name" and not _INFINITE.fullmatch(reader.peek()):
            name = reader.name()
            if reader.peek().lower() == "free":
                reader.take()
                bounds[name] = [None, None]
                continue
        else:
            low = _limit(reader)
            relation = _TURNED[reader.relation()]
            name = reader.name()
            _bound(bounds.setdefault(name, [Fraction(0), None]), relation, low)
            if reader.peek() not in _RELATIONS:
                continue
        _bound(bounds.setdefault(name, [Fraction(0), None]), reader.relation(), _limit(reader))


def _bound(pair: list[Fraction | None], relation: str, value: Fraction | None) -> None:
    if relation in {">=", "=="}:
        pair[0] = value
    if relation in {"<=", "=="}:
        pair[1] = value


def _limit(reader: _Reader) -> Fraction | None:
    """A number, or None for an infinite one."""
    sign = reader.sign() or 1
    if reader.kind() == "name" and _INFINITE.fullmatch(reader.peek()):
        reader.take()
        return None
    value = sign * reader.number()
    return None if abs(value) >= _HUGE else value


def _listed(reader: _Reader, names: list[str]) -> None:
    while reader.peek():
        place = reader.place()
        names.append(reader.name())
        check_count(len(names), place)


def _domains(found: _Found, source: str) -> dict[str, tuple[int, int]]:
    """Least and greatest value of each variable, all of which must be listed."""
    binary = set(found.binary)
    domains = {}
    for name in dict.fromkeys([*found.binary, *found.general]):
        low, high = found.bounds.get(name, [Fraction(0), None])
        if name in binary:
            low, high = max(low or Fraction(0), Fraction(0)), min(Fraction(1) if high is None else high, Fraction(1))
        if low is None or high is None:
            raise InputError(f"integer variable {name} has no bound: add 0 <= {name} <= 9 under Bounds", source=source)
        domains[name] = (math.ceil(low), math.floor(high))
    used = [n for key in found.objective for n in key] + [n for row in found.rows for n in row.terms] + [*found.bounds]
    real = next((name for name in used if name not in domains), None)
    if real is not None:
        raise UnsupportedError(f"variable {real} is real: list it under Binary, or General with bounds", source=source)
    return domains

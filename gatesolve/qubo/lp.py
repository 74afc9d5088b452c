"""LP files: 0/1 and integer variables, linear constraints, a linear or quadratic objective.

The format is CPLEX's, as dimod, Gurobi, HiGHS and docplex write it. Numbers are read and written as exact decimals.
(dimod has a reader too, which rounds to floats, takes most malformed files for empty ones and does not return from
some; it is the peer of the tests.)
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.qubo.integer_program import IntegerProgram, LinearRow, Sense
from gatesolve.qubo.numerals import MAX_TERMS, Place, as_written, check_count, decimal, quote, read_number

Expression = dict[tuple[str, ...], Fraction]
Bounds = dict[str, list[Fraction | None]]
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
_RELATIONS = {"<=": "<=", "=<": "<=", "<": "<=", ">=": ">=", "=>": ">=", ">": ">=", "=": "=="}
_TURNED = {"<=": ">=", ">=": "<=", "==": "=="}
_INFINITE = re.compile(r"inf(?:inity)?", re.IGNORECASE)
_HUGE = 10**20
"""Bounds from here on mean none, as in the solvers' own files."""
_WRITTEN_NAME = re.compile(r"(?![eE][0-9.]*$)[A-Za-z_][A-Za-z0-9_.]{0,59}")
_RESERVED = re.compile(
    r"min\w*|max\w*|subject|such|s\.?t\.?|bounds?|bin\w*|gen\w*|int\w*|end|free|inf\w*|nan|semi\w*|sos\w*|sec|sin|obj|lazy|user",
    re.IGNORECASE,
)


class _Token(NamedTuple):
    """A word; ``kind`` is ``number``, ``name`` or ``sign``, and empty at the end of a section."""

    kind: str
    text: str
    place: Place


def looks_like_lp(text: str) -> bool:
    """Whether the first line that is no comment starts an objective."""
    first = next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("\\")), "")
    head = _HEAD.match(first)
    return head is not None and head.lastgroup in {"min", "max"}


def read_lp(text: str, source: str) -> IntegerProgram:
    r"""Read an LP file.

    Lines end in ``\n``; messages call the file ``source``. Variables are ordered as listed under ``Binary`` and then
    ``General``.

    Raises:
        InputError: whatever is malformed, with row and column; an integer variable without bounds.
        UnsupportedError: real variables, quadratic constraints, and sections of other kinds.
    """
    sections = _split_sections(text, source)
    if not sections or sections[0][0] not in {"min", "max", "rows"}:  # dimod leaves out an objective of zero
        raise Place(source, 1).fault("no objective: start an LP file with 'Minimize' or 'Maximize'")
    if sections[-1][0] != "end":
        raise Place(source, text.rstrip().count("\n") + 1).fault("no 'End': the file is cut short, or add it")
    objective: Expression = {}
    rows: list[LinearRow] = []
    bounds: Bounds = {}
    listed: dict[str, list[str]] = {"binary": [], "general": []}
    ends = [start for _, _, start in sections[1:]]
    for (name, words, start), end in zip(sections[:-1], ends, strict=True):
        reader = _Reader(words, end)
        if name in {"min", "max"}:
            if start != sections[0][2]:
                raise start.fault("a second objective: give one")
            reader.take_label()
            objective = reader.take_expression()
            if reader.next.kind:
                raise reader.fault("the objective's next term")
        elif name == "rows":
            while reader.next.kind:
                rows += reader.take_rows(len(rows))
        elif name == "bounds":
            while reader.next.kind:
                reader.take_bound(bounds)
        else:
            while reader.next.kind:
                check_count(len(listed[name]) + 1, reader.next.place)
                listed[name].append(reader.take_name())
    binary = set(listed["binary"])
    names = dict.fromkeys([*listed["binary"], *listed["general"]])
    domains = {name: _domain(name, name in binary, bounds, source) for name in names}
    used = [n for key in objective for n in key] + [n for row in rows for n in row.terms] + [*bounds]
    if real := [name for name in used if name not in domains]:
        fault = f"variable {real[0]} is real: list it under Binary, or General with bounds"
        raise UnsupportedError(fault, source=source)
    sense: Sense = "max" if sections[0][0] == "max" else "min"
    return IntegerProgram(domains, objective, sense, tuple(rows))


def _domain(name: str, is_binary: bool, bounds: Bounds, source: str) -> tuple[int, int]:
    low, high = bounds.get(name, [Fraction(0), None])
    if is_binary:
        low, high = max(low or Fraction(0), Fraction(0)), min(Fraction(1) if high is None else high, Fraction(1))
    if low is None or high is None:
        raise InputError(f"integer variable {name} has no bound: add 0 <= {name} <= 9 under Bounds", source=source)
    return math.ceil(low), math.floor(high)


def _split_sections(text: str, source: str) -> list[tuple[str, list[_Token], Place]]:
    """The sections in order: name, words, and where each starts. Comments start with a backslash."""
    found: list[tuple[str, list[_Token], Place]] = []
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


def _split_words(line: str, at: int, source: str, row: int) -> list[_Token]:
    found = []
    while line[at:].strip():
        match = _TOKEN.match(line, at)
        if not match:
            column = at + len(line[at:]) - len(line[at:].lstrip()) + 1
            word = quote(line[column - 1 :].split()[0])
            raise Place(source, row, column).fault(f"{word} has no meaning in an LP file")
        kind = match.lastgroup or ""
        found.append(_Token(kind, match[kind], Place(source, row, match.start(kind) + 1)))
        at = match.end()
    return found


@dataclass
class _Reader:
    """The words of one section, taken from the left."""

    words: list[_Token]
    end: Place
    at: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.words = [*self.words, *[_Token("", "", self.end)] * 2]

    @property
    def next(self) -> _Token:
        return self.words[self.at]

    @property
    def _is_label(self) -> bool:
        return self.next.kind == "name" and self.words[self.at + 1].text == ":"

    def take(self) -> _Token:
        self.at += 1
        return self.words[self.at - 1]

    def take_if(self, text: str) -> bool:
        """Whether this word comes next; it is taken then."""
        self.at += (is_next := self.next.text == text)
        return is_next

    def expect(self, text: str, wanted: str) -> None:
        if not self.take_if(text):
            raise self.fault(wanted)

    def fault(self, wanted: str) -> InputError:
        """The error that something else comes next."""
        if not self.next.kind:
            return self.end.fault(f"{wanted} is missing before this: add it")
        return self.next.place.fault(f"{quote(self.next.text)} where {wanted} should stand: write that")

    def take_label(self) -> str | None:
        """``NAME :`` if that comes next."""
        self.at += 2 * (is_label := self._is_label)
        return self.words[self.at - 2].text if is_label else None

    def take_sign(self) -> int | None:
        """The product of the signs that come next; None without any."""
        sign = None
        while self.next.text in {"+", "-"}:
            sign = (sign or 1) * (1 if self.take().text == "+" else -1)
        return sign

    def take_number(self) -> Fraction:
        if self.next.kind != "number":
            raise self.fault("a number")
        word = self.take()
        return as_written(read_number(word.text, word.place, "number"))

    def take_name(self) -> str:
        if self.next.kind != "name":
            raise self.fault("a variable")
        word = self.take()
        if re.fullmatch(r"nan|inf|infinity", word.text, re.IGNORECASE):
            raise word.place.fault(f"the coefficient is {word.text}: give a finite number")
        return word.text

    def take_relation(self) -> str:
        if self.next.text not in _RELATIONS:
            raise self.fault("<=, >= or =")
        return _RELATIONS[self.take().text]

    def take_expression(self) -> Expression:
        """A sum of terms and bracketed quadratic parts, up to what cannot belong to it."""
        total: Expression = {}
        start = self.at
        while self.next.kind and self.next.text not in _RELATIONS and not self._is_label:
            sign = self._take_sign_between_terms(is_first=self.at == start)
            is_product = self.take_if("[")
            part = self._take_bracket() if is_product else self._take_term()
            if not is_product and self.next.text in {"*", "^"}:
                raise self.next.place.fault("a product outside brackets: write quadratic terms as [ 2 x * y ]/2")
            _add_to(total, part, sign)
            if len(total) > MAX_TERMS:
                raise self.next.place.fault(f"more than {MAX_TERMS} terms: give a smaller problem")
        return total

    def _take_sign_between_terms(self, is_first: bool) -> int:
        sign = self.take_sign()
        if sign is None and not is_first:
            raise self.next.place.fault(f"no + or - before {quote(self.next.text)}: write one between terms")
        return sign or 1

    def _take_term(self) -> Expression:
        """A number, a variable, or both."""
        if self.next.kind != "number":
            return {(self.take_name(),): Fraction(1)}
        value = self.take_number()
        return {(self.take_name(),): value} if self.next.kind == "name" and not self._is_label else {(): value}

    def _take_bracket(self) -> Expression:
        """``[ 2 x * y + x ^ 2 ]``, perhaps divided by 2, from behind the bracket."""
        opened = self.words[self.at - 1].place
        total: Expression = {}
        while not self.take_if("]"):
            if not self.next.kind:
                raise opened.fault("a bracket that is not closed: add ]")
            sign = self._take_sign_between_terms(is_first=not total)
            value = self.take_number() if self.next.kind == "number" else Fraction(1)
            first = self.take_name()
            if self.take_if("^"):
                self.expect("2", "the exponent 2")
                second = first
            elif self.take_if("*"):
                second = self.take_name()
            else:
                raise self.next.place.fault("a linear term in brackets: write it outside, or as x * y or x ^ 2")
            _add_to(total, {(first, second): value}, sign)
        if not self.take_if("/"):
            return total
        self.expect("2", "the divisor 2")
        return {key: value / 2 for key, value in total.items()}

    def take_rows(self, number: int) -> list[LinearRow]:
        """``sum <= bound``, or ``low <= sum <= high``, which is two rows."""
        start = self.next.place
        label = self.take_label() or f"c{number + 1}"
        left, relation = self.take_expression(), self.take_relation()
        if any(left):
            return [_row(label, left, relation, self._take_right_side(), start)]
        middle = self.take_expression()
        rows = [_row(label, middle, _TURNED[relation], left.get((), Fraction(0)), start)]
        if self.next.text in _RELATIONS:
            rows.append(_row(label, middle, self.take_relation(), self._take_right_side(), start))
        return rows

    def _take_right_side(self) -> Fraction:
        value = (self.take_sign() or 1) * self.take_number()
        row = self.words[self.at - 1].place.row
        if self.next.kind == "name" and not self._is_label and self.next.place.row == row:
            fault = f"variable {quote(self.next.text)} on the right: write all variables on the left"
            raise self.next.place.fault(fault)
        return value

    def take_bound(self, bounds: Bounds) -> None:
        """``l <= x <= u`` and its parts, ``x = v``, ``x free``."""
        if self.next.kind == "name" and not _INFINITE.fullmatch(self.next.text):
            name = self.take_name()
            if self.next.text.lower() == "free":
                self.take()
                bounds[name] = [None, None]
                return
            found = [(self.take_relation(), self._take_limit())]
        else:
            low = self._take_limit()
            found = [(_TURNED[self.take_relation()], low)]
            name = self.take_name()
            if self.next.text in _RELATIONS:
                found.append((self.take_relation(), self._take_limit()))
        pair = bounds.setdefault(name, [Fraction(0), None])
        for relation, limit in found:
            pair[0] = pair[0] if relation == "<=" else limit
            pair[1] = pair[1] if relation == ">=" else limit

    def _take_limit(self) -> Fraction | None:
        """A number, or None for an infinite one."""
        sign = self.take_sign() or 1
        if self.next.kind == "name" and _INFINITE.fullmatch(self.next.text):
            self.take()
            return None
        value = sign * self.take_number()
        return value if abs(value) < _HUGE else None


def _add_to(total: Expression, part: Expression, sign: int) -> None:
    for key, value in part.items():
        total[key] = total.get(key, Fraction(0)) + sign * value


def _row(label: str, left: Expression, relation: str, bound: Fraction, place: Place) -> LinearRow:
    if any(len(key) == 2 for key in left):
        fault = f"constraint {label} is quadratic: only linear constraints are read"
        raise UnsupportedError(fault, source=place.source, row=place.row)
    terms = {key[0]: value for key, value in left.items() if key}
    return LinearRow(label, terms, relation, bound - left.get((), Fraction(0)))


def lp_names(names: Sequence[str]) -> list[str]:
    """The names if an LP file can hold them all, else ``x0, x1, ...``."""
    if all(_WRITTEN_NAME.fullmatch(name) and not _RESERVED.fullmatch(name) for name in names):
        return list(names)
    return [f"x{k}" for k in range(len(names))]


def lp_text(program: IntegerProgram) -> str:
    """The text of an LP file that dimod, and whatever reads CPLEX's format, read back with the same energies.

    Variables have the names that `lp_names` makes of theirs.
    """
    called = dict(zip(program.domains, lp_names(list(program.domains)), strict=True))
    lines = ["Minimize" if program.sense == "min" else "Maximize"]
    lines += _wrap(" obj:", _objective_words(program.objective, called))
    lines.append("Subject To")
    for k, row in enumerate(program.rows):
        words = [_term_text(c, called[name]) for name, c in row.terms.items()]
        relation = "=" if row.relation == "==" else row.relation
        lines += _wrap(f" c{k}:", [*words, f"{relation} {decimal(row.bound)}"])
    binary = [called[name] for name, domain in program.domains.items() if domain == (0, 1)]
    others = {called[name]: domain for name, domain in program.domains.items() if domain != (0, 1)}
    if others:
        lines += ["Bounds", *(f" {low} <= {name} <= {high}" for name, (low, high) in others.items())]
    lines += ["Binary", *_wrap("", binary)] if binary else []
    lines += ["General", *_wrap("", others)] if others else []
    return "\n".join([*lines, "End", ""])


def _objective_words(objective: Mapping[tuple[str, ...], Fraction], called: Mapping[str, str]) -> Iterable[str]:
    products = [(key, c) for key, c in objective.items() if len(key) == 2]
    yield from (_term_text(c, called[key[0]]) for key, c in objective.items() if len(key) == 1)
    if products:
        yield "+ ["
        yield from (_term_text(2 * c, f"{called[u]} * {called[v]}") for (u, v), c in products)
        yield "]/2"
    if constant := objective.get(()):
        yield _term_text(constant, "").rstrip()


def _wrap(start: str, words: Iterable[str]) -> list[str]:
    wrapper = textwrap.TextWrapper(100, f"{start} ", "  ", break_on_hyphens=False, break_long_words=False)
    return wrapper.wrap(" ".join(words)) or [start]


def _term_text(coefficient: Fraction, what: str) -> str:
    return f"{'-' if coefficient < 0 else '+'} {decimal(abs(coefficient))} {what}"

"""LP files: 0/1 and integer variables, linear and quadratic constraints and objectives, indicators, ordered sets.

The format is CPLEX's, as dimod, Gurobi, HiGHS and docplex write it. Numbers are read and written as exact decimals
(constraints take back what floats rounded before: `rounding`).
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
from itertools import chain
from typing import NamedTuple

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats.integer_program import IntegerProgram, LinearRow, Sense
from gatesolve.formats.reformulate import (
    MOST_MEMBERS,
    polynomial_row,
    special_ordered_set,
    when_rows,
)
from gatesolve.model import Constraint
from gatesolve.qubo.numerals import MAX_TERMS, Place, as_written, check_count, decimal, quote, read_number

_WRITTEN_NAME = re.compile(r"(?![eE][0-9.]*$)[A-Za-z_][A-Za-z0-9_.]{0,59}")
_RESERVED = re.compile(
    r"min\w*|max\w*|subject|such|s\.?t\.?|bounds?|bin\w*|gen\w*|int\w*|end|free|inf\w*|nan|semi\w*|sos\w*|sec|sin|obj|lazy|user",
    re.IGNORECASE,
)
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
Expression = dict[tuple[str, ...], Fraction]
Bounds = dict[str, list[Fraction | None]]
_RELATIONS = {"<=": "<=", "=<": "<=", "<": "<=", ">=": ">=", "=>": ">=", ">": ">=", "=": "=="}
_TURNED = {"<=": ">=", ">=": "<=", "==": "=="}
_INFINITE = re.compile(r"inf(?:inity)?", re.IGNORECASE)
_HUGE = 10**20
"""Bounds from here on mean none, as in the solvers' own files."""


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


class _Row(NamedTuple):
    """A constraint as it is written; with ``when`` it holds where that variable has that value."""

    label: str
    terms: Expression
    relation: str
    bound: Fraction
    when: tuple[str, int] | None
    place: Place


class _Set(NamedTuple):
    """Members in order, of which at most so many, side by side, are not 0."""

    label: str
    most: int
    members: tuple[str, ...]


def read_lp(text: str, source: str) -> IntegerProgram:
    r"""Read an LP file.

    Lines end in ``\n``; messages call the file ``source``. Variables are ordered as listed under ``Binary`` and then
    ``General``.

    Raises:
        InputError: whatever is malformed, with row and column; an integer variable without bounds.
        UnsupportedError: real variables, and sections of other kinds.
        InfeasibleError: a quadratic constraint or a set that cannot hold.
    """
    sections = split_sections(text, source)
    if not sections or sections[0][0] not in {"min", "max", "rows"}:  # dimod leaves out an objective of zero
        raise Place(source, 1).fault("no objective: start an LP file with 'Minimize' or 'Maximize'")
    if sections[-1][0] != "end":
        raise Place(source, text.rstrip().count("\n") + 1).fault("no 'End': the file is cut short, or add it")
    objective: Expression = {}
    rows: list[_Row] = []
    sets: list[_Set] = []
    bounds: Bounds = {}
    listed: dict[str, list[str]] = {"binary": [], "general": []}
    ends = [start for _, _, start in sections[1:]]
    for (name, words, start), end in zip(sections[:-1], ends, strict=True):
        reader = _LpReader(words, end)
        if name in {"min", "max"}:
            if start != sections[0][2]:
                raise start.fault("a second objective: give one")
            reader.take_label()
            objective = reader.take_expression()
            if reader.next.kind:
                raise reader.fault("the objective's next term")
        while reader.next.kind:
            if name == "rows":
                rows += reader.take_rows(len(rows))
            elif name == "bounds":
                reader.take_bound(bounds)
            elif name == "sets":
                sets.append(reader.take_set(len(sets)))
            else:
                check_count(len(listed[name]) + 1, reader.next.place)
                listed[name].append(reader.take_name())
    binary = set(listed["binary"])
    names = dict.fromkeys([*listed["binary"], *listed["general"]])
    domains = {name: _domain(name, name in binary, bounds, source) for name in names}
    used = {*chain(*objective), *chain(*(chain(*row.terms) for row in rows)), *bounds}
    used |= {row.when[0] for row in rows if row.when} | {*chain(*(one.members for one in sets))}
    _refuse_real([word for _, words, _ in sections for word in words if word.text in used], domains)
    sense: Sense = "max" if sections[0][0] == "max" else "min"
    linear, others = _constraints(rows, sets, domains)
    return IntegerProgram(domains, objective, sense, tuple(linear), tuple(others))


def _refuse_real(words: Iterable[LpToken], domains: Mapping[str, tuple[int, int]]) -> None:
    if word := next((word for word in words if word.kind == "name" and word.text not in domains), None):
        fault = (
            f"variable {word.text} is real, and qubits hold whole numbers: list it under Binary, or General with bounds"
        )
        raise UnsupportedError(fault, source=word.place.source, row=word.place.row)


def _constraints(
    rows: Iterable[_Row], sets: Iterable[_Set], domains: Mapping[str, tuple[int, int]]
) -> tuple[list[LinearRow], list[Constraint]]:
    """Linear rows, and what is none."""
    linear, others = list[LinearRow](), list[Constraint]()
    for row in rows:
        is_linear = all(len(key) == 1 for key in row.terms)
        made = LinearRow(row.label, {key[0]: c for key, c in row.terms.items()}, row.relation, row.bound)
        if row.when is None and is_linear:
            linear.append(made)
        elif row.when is None:
            others += polynomial_row(row.label, row.terms, row.relation, row.bound, domains)
        elif not is_linear:
            raise row.place.fault(f"constraint {row.label} is quadratic behind '->': make it linear")
        elif domains[row.when[0]] != (0, 1):
            raise row.place.fault(f"{row.when[0]} before '->' is no 0/1 variable: list it under Binary")
        else:
            linear += when_rows(made, *row.when, domains)
    for one in sets:
        others += special_ordered_set(one.label, one.most, one.members, domains)
    return linear, others


def _domain(name: str, is_binary: bool, bounds: Bounds, source: str) -> tuple[int, int]:
    low, high = bounds.get(name, [Fraction(0), None])
    if is_binary:
        low, high = max(low or Fraction(0), Fraction(0)), min(Fraction(1) if high is None else high, Fraction(1))
    if low is None or high is None:
        raise InputError(f"integer variable {name} has no bound: add 0 <= {name} <= 9 under Bounds", source=source)
    return math.ceil(low), math.floor(high)


@dataclass
class _LpReader:
    """The words of one section, taken from the left."""

    words: list[LpToken]
    end: Place
    at: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.words = [*self.words, *[LpToken("", "", self.end)] * 4]

    @property
    def next(self) -> LpToken:
        return self.words[self.at]

    @property
    def _is_label(self) -> bool:
        return self.next.kind == "name" and self.words[self.at + 1].text == ":"

    def take(self) -> LpToken:
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

    def take_rows(self, number: int) -> list[_Row]:
        """``sum <= bound``, or ``low <= sum <= high``, which is two rows; perhaps behind ``b = 1 ->``."""
        start = self.next.place
        label = self.take_label() or f"c{number + 1}"
        when = self._take_condition()
        low = self._take_infinity(is_left=True)
        left = {} if low else self.take_expression()
        relation = self.take_relation()
        if any(left):
            middle, sides = left, [(relation, self._take_right_side())]
        else:
            middle = self.take_expression()
            sides = [(_TURNED[relation], low or left.get((), Fraction(0)))]
            if self.next.text in _RELATIONS:
                sides.append((self.take_relation(), self._take_right_side()))
        bounds = [(way, _bound(way, side, start)) for way, side in sides]
        if all(bound is None for _, bound in bounds):
            raise start.fault(f"row {quote(label)} bounds nothing: leave it out")
        return [_row(label, middle, way, bound, when, start) for way, bound in bounds if bound is not None]

    def _take_condition(self) -> tuple[str, int] | None:
        """``b = 1 ->`` if that comes next."""
        if self.words[min(self.at + 3, len(self.words) - 1)].text != "->":
            return None
        name = self.take_name()
        self.expect("=", "= 0 or = 1")
        if self.next.text not in {"0", "1"}:
            raise self.fault("0 or 1")
        value = int(self.take().text)
        self.expect("->", "->")
        return name, value

    def take_set(self, number: int) -> _Set:
        """``NAME: S1 :: x:1 y:2``; the weights give the order."""
        place = self.next.place
        label = self.take_label() or f"set {number + 1}"
        kind = self.take_name()
        if kind.upper() not in {"S1", "S2"}:
            raise place.fault(f"{quote(kind)} where S1 or S2 should stand: write '{label}: S1 :: x:1 y:2'")
        self.expect("::", "::")
        members: dict[str, Fraction] = {}
        while self._is_label and self.words[self.at + 2].kind in {"number", "sign"}:
            name = str(self.take_label())
            if name in members:
                raise place.fault(f"{name} twice in {label}: take one out")
            members[name] = (self.take_sign() or 1) * self.take_number()
        if len(set(members.values())) < max(len(members), 1) or len(members) > MOST_MEMBERS:
            raise place.fault(f"{label} needs 1 to {MOST_MEMBERS} members of different weights, as x:1 y:2")
        return _Set(label, int(kind[1]), tuple(sorted(members, key=members.__getitem__)))

    def _take_infinity(self, is_left: bool = False) -> float | None:
        """``inf`` with its sign if that comes next; on the left a relation follows it."""
        start, sign = self.at, self.take_sign() or 1
        if _INFINITE.fullmatch(self.next.text) and (not is_left or self.words[self.at + 1].text in _RELATIONS):
            self.take()
            return sign * math.inf
        self.at = start
        return None

    def _take_right_side(self) -> Fraction | float:
        value = self._take_infinity() or (self.take_sign() or 1) * self.take_number()
        row = self.words[self.at - 1].place.row
        if self.next.kind == "name" and not self._is_label and self.next.place.row == row:
            fault = f"variable {quote(self.next.text)} on the right: write all variables on the left"
            raise self.next.place.fault(fault)
        return value

    def take_bound(self, bounds: Bounds) -> None:
        """``l <= x <= u`` and its parts, ``x = v``, ``x free``."""
        place = self.next.place
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
        for relation, side in found:
            limit = _bound(relation, side, place)
            pair[0] = pair[0] if relation == "<=" else limit
            pair[1] = pair[1] if relation == ">=" else limit

    def _take_limit(self) -> Fraction | float:
        """A number, infinite from `_HUGE` on."""
        side = self._take_infinity() or (self.take_sign() or 1) * self.take_number()
        return side if -_HUGE < side < _HUGE else math.copysign(math.inf, side)


def _bound(relation: str, side: Fraction | float, place: Place) -> Fraction | None:
    """The number that a sum or a variable is compared with; None where that is infinite and always holds."""
    if isinstance(side, Fraction):
        return side
    if relation != ("<=" if side > 0 else ">="):
        raise place.fault(f"nothing is {relation.replace('==', '=')} {side}: give a finite number")
    return None


def _add_to(total: Expression, part: Expression, sign: int) -> None:
    for key, value in part.items():
        total[key] = total.get(key, Fraction(0)) + sign * value


def _row(
    label: str, left: Expression, relation: str, bound: Fraction, when: tuple[str, int] | None, place: Place
) -> _Row:
    """With all constants on the right."""
    terms = {key: value for key, value in left.items() if key}
    return _Row(label, terms, relation, bound - left.get((), Fraction(0)), when, place)

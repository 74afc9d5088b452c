"""LP files: 0/1 and integer variables, linear and quadratic constraints and objectives, indicators, ordered sets.

The format is CPLEX's, as dimod, Gurobi, HiGHS and docplex write it. Numbers are read and written as exact decimals
(constraints restore numbers that floats rounded: `integer_program.round_row`). dimod's reader is the peer of the tests.
It rounds to floats, reads most malformed files as empty and does not return from some.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, pairwise
from typing import NamedTuple

from gatesolve.errors import InputError
from gatesolve.formats.integer_program import Expression, IntegerProgram, Ranges, SumRow, special_ordered_set, when_rows
from gatesolve.formats.text import TextToken, Tokens, split_line
from gatesolve.qubo.numerals import MAX_TERMS, Place, as_written, check_count, decimal, quote, read_number

_WRITTEN_NAME = re.compile(r"(?![eE][0-9.]*$)[A-Za-z_][A-Za-z0-9_.]{0,59}")
_RESERVED = re.compile(
    r"min\w*|max\w*|subject|such|s\.?t\.?|bounds?|bin\w*|gen\w*|int\w*|end|free|inf\w*|nan|semi\w*|sos\w*|sec|sin|obj|lazy|user",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>[A-Za-z_!"#$%&(),;?@'`{}~][A-Za-z0-9_!"#$%&(),.;?@'`{}~]*)
    |(?P<sign>->|::|<=|>=|=<|=>|[-+*^/:\[\]<>=])""",
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
LP_START = re.compile(
    rf"(?:[ \t\r]*(?:\\.*)?\n)*[ \t]*(?:{_SECTIONS['min']}|{_SECTIONS['max']})(?=\s|$)", re.IGNORECASE
)
"""Pattern of a file's start: the first line that is not a comment begins an objective."""
Bounds = dict[str, list[Fraction | None]]
_Set = tuple[str, int, tuple[str, ...]]
"""A label, and members in order, of which at most so many, next to each other, are not 0."""
_RELATIONS = {"<=": "<=", "=<": "<=", "<": "<=", ">=": ">=", "=>": ">=", ">": ">=", "=": "=="}
_TURNED = {"<=": ">=", ">=": "<=", "==": "=="}
_INFINITE = re.compile(r"inf(?:inity)?", re.IGNORECASE)
MOST_MEMBERS = 1000
"""Most members of one special ordered set, whose pairs are listed."""
_HUGE = 10**20
"""Bounds from here on mean none, as in the solvers' own files."""


def lp_names(names: Sequence[str]) -> list[str]:
    """Return the names if an LP file can contain them all, else ``x0, x1, ...``."""
    # A name such as e5 could be read as an exponent; section words and inf have a meaning of their own.
    if all(_WRITTEN_NAME.fullmatch(name) and not _RESERVED.fullmatch(name) for name in names):
        return list(names)
    return [f"x{k}" for k in range(len(names))]


def lp_text(program: IntegerProgram) -> str:
    """Return the text of an LP file that dimod and other readers of CPLEX's format read with the same energies.

    Variables are named by `lp_names`.
    """
    called = dict(zip(program.domains, lp_names(list(program.domains)), strict=True))
    lines = ["Minimize" if program.sense == "min" else "Maximize"]
    goal = [_term_text(c, called[key[0]]) for key, c in program.objective.items() if len(key) == 1]
    if products := [(key, c) for key, c in program.objective.items() if len(key) == 2]:
        # The format divides quadratic objectives by 2, so coefficients are doubled.
        goal += ["+ [", *(_term_text(2 * c, f"{called[u]} * {called[v]}") for (u, v), c in products), "]/2"]
    if constant := program.objective.get(()):
        goal.append(_term_text(constant, "").rstrip())
    lines += _wrap(" obj:", goal)
    lines.append("Subject To")
    for k, row in enumerate(program.rows):
        words = [_term_text(c, called[name]) for (name,), c in row.terms.items()]
        relation = "=" if row.relation == "==" else row.relation
        lines += _wrap(f" c{k}:", [*words, f"{relation} {decimal(row.bound)}"])
    binary = [called[name] for name, domain in program.domains.items() if domain == (0, 1)]
    others = {called[name]: domain for name, domain in program.domains.items() if domain != (0, 1)}
    if others:
        lines += ["Bounds", *(f" {low} <= {name} <= {high}" for name, (low, high) in others.items())]
    lines += ["Binary", *_wrap("", binary)] if binary else []
    lines += ["General", *_wrap("", others)] if others else []
    return "\n".join([*lines, "End", ""])


def _wrap(start: str, words: Iterable[str]) -> list[str]:
    wrapper = textwrap.TextWrapper(100, f"{start} ", "  ", break_on_hyphens=False, break_long_words=False)
    return wrapper.wrap(" ".join(words)) or [start]


def _term_text(coefficient: Fraction, what: str) -> str:
    return f"{'-' if coefficient < 0 else '+'} {decimal(abs(coefficient))} {what}"


class _Section(NamedTuple):
    name: str
    start: Place
    tokens: list[TextToken]


def _split_sections(text: str, source: str) -> list[_Section]:
    """Return the sections in order; comments start with a backslash."""
    found: list[_Section] = []
    for row, line in enumerate(text.split("\n"), start=1):
        line, place, at = line.split("\\", 1)[0], Place(source, row), 0
        head = _HEAD.match(line)
        # A section word followed by a colon is the label of a row.
        if head and head.lastgroup and not line[head.end() :].lstrip().startswith(":"):
            at = head.end()
            if found and found[-1].name == "end":
                raise place.fault("a second problem after 'End': give a file with one problem in it")
            if head.lastgroup == "refused":
                raise place.unsupported(f"section {quote(head[0].strip())} is not supported: remove it")
            found.append(_Section(head.lastgroup, place, []))
        for token in split_line(line, place, _TOKEN, "an LP file", at):
            if not found:
                fault = f"{quote(token.text)} before the objective: start with 'Minimize' or 'Maximize'"
                raise token.place.fault(fault)
            if found[-1].name == "end":
                raise token.place.fault(f"{quote(token.text)} after 'End': remove it")
            found[-1].tokens.append(token)
    return found


class _WrittenRow(NamedTuple):
    """A row of the file; with ``when`` it holds only where that variable has that value."""

    row: SumRow
    when: tuple[str, int] | None
    place: Place

    def settle(self, domains: Ranges) -> list[SumRow]:
        """Return the unconditional rows."""
        if self.when is None:
            return [self.row]
        if not self.row.is_linear:
            raise self.place.fault(f"constraint {self.row.label} is quadratic behind '->': make it linear")
        if domains[self.when[0]] != (0, 1):
            raise self.place.fault(f"{self.when[0]} before '->' is not a 0/1 variable: list it under Binary")
        return when_rows(self.row, *self.when, domains)


def read_lp(text: str, source: str) -> IntegerProgram:
    """Read an LP file; variables are ordered as listed under ``Binary``, then ``General``."""
    sections = _split_sections(text, source)
    # dimod omits an objective of zero, so a file may start with its rows.
    if not sections or sections[0].name not in {"min", "max", "rows"}:
        raise Place(source, 1).fault("no objective: start an LP file with 'Minimize' or 'Maximize'")
    if sections[-1].name != "end":
        raise Place(source, text.rstrip().count("\n") + 1).fault("no 'End': the file is cut short, or add it")
    parts = _Parts()
    # Pairs leave out the last section, ``End``. The start of the next section is the place of what is missing in this
    # one.
    for section, following in pairwise(sections):
        if section.name in {"min", "max"} and section is not sections[0]:
            raise section.start.fault("a second objective: give one")
        _LpReader(section.tokens, following.start).take_section(section.name, parts)
    binary = set(parts.listed["binary"])
    names = dict.fromkeys([*parts.listed["binary"], *parts.listed["general"]])
    domains = {name: _domain(name, name in binary, parts.bounds, source) for name in names}
    used = {*chain(*parts.objective), *chain(*(chain(*one.row.terms) for one in parts.rows)), *parts.bounds}
    used |= {one.when[0] for one in parts.rows if one.when} | {*chain(*(members for *_, members in parts.sets))}
    words = (token for section in sections for token in section.tokens if token.kind == "name" and token.text in used)
    if word := next((word for word in words if word.text not in domains), None):
        mend = "list it under Binary, or General with bounds"
        raise word.place.unsupported(f"variable {word.text} is real, and qubits hold whole numbers: {mend}")
    rows = [row for written in parts.rows for row in written.settle(domains)]
    sets = [one for given in parts.sets for one in special_ordered_set(*given, domains)]
    is_max = sections[0].name == "max"
    return IntegerProgram(domains, parts.objective, "max" if is_max else "min", tuple(rows), tuple(sets))


def _domain(name: str, is_binary: bool, bounds: Bounds, source: str) -> tuple[int, int]:
    low, high = bounds.get(name, [Fraction(0), None])
    # Bounds of a variable under Binary only narrow 0..1: this is how files fix a bit.
    if is_binary:
        low, high = max(low or Fraction(0), Fraction(0)), min(Fraction(1) if high is None else high, Fraction(1))
    if low is None or high is None:
        raise InputError(f"integer variable {name} has no bound: add 0 <= {name} <= 9 under Bounds", source=source)
    return math.ceil(low), math.floor(high)


@dataclass
class _Parts:
    """The content of the sections that were read."""

    objective: Expression = field(default_factory=dict)
    rows: list[_WrittenRow] = field(default_factory=list)
    sets: list[_Set] = field(default_factory=list)
    bounds: Bounds = field(default_factory=dict)
    listed: dict[str, list[str]] = field(default_factory=lambda: {"binary": [], "general": []})


class _LpReader(Tokens):
    """The tokens of one section, taken from the left."""

    @property
    def _is_label(self) -> bool:
        return self.next.kind == "name" and self.ahead(1).text == ":"

    def take_section(self, name: str, parts: _Parts) -> None:
        """Read all of a section."""
        if name in {"min", "max"}:
            self.take_label()
            parts.objective = self.take_expression()
            if self.next.kind:
                raise self.fault("the objective's next term")
        while self.next.kind:
            if name == "rows":
                parts.rows += self.take_rows(len(parts.rows))
            elif name == "bounds":
                self.take_bound(parts.bounds)
            elif name == "sets":
                parts.sets.append(self.take_set(len(parts.sets)))
            else:
                check_count(len(parts.listed[name]) + 1, self.next.place)
                parts.listed[name].append(self.take_name())

    def take_label(self) -> str | None:
        """Return ``NAME :`` if that comes next."""
        if not self._is_label:
            return None
        label, _ = self.take(), self.take()
        return label.text

    def take_sign(self) -> int | None:
        """Return the product of the signs that come next; None without any."""
        sign = None
        while self.next.text in {"+", "-"}:
            sign = (sign or 1) * (1 if self.take().text == "+" else -1)
        return sign

    def take_number(self) -> Fraction:
        word = self.expect_kind("number", "a number")
        return as_written(read_number(word.text, word.place, "number"))

    def take_name(self) -> str:
        word = self.expect_kind("name", "a variable")
        if re.fullmatch(r"nan|inf|infinity", word.text, re.IGNORECASE):
            raise word.place.fault(f"the coefficient is {word.text}: give a finite number")
        return word.text

    def take_relation(self) -> str:
        if self.next.text not in _RELATIONS:
            raise self.fault("<=, >= or =")
        return _RELATIONS[self.take().text]

    def take_expression(self) -> Expression:
        """Return a sum of terms and bracketed quadratic parts, up to a token that cannot belong to it."""
        total: Expression = {}
        start = self.next
        while self.next.kind and self.next.text not in _RELATIONS and not self._is_label:
            sign = self._take_sign_between_terms(is_first=self.next is start)
            is_product = self.take_if("[")
            if is_product:
                part = self._take_bracket()
            else:
                factor = self.take_number() if self.next.kind == "number" else None
                is_named = factor is None or (self.next.kind == "name" and not self._is_label)
                part = {(self.take_name(),) if is_named else (): Fraction(1) if factor is None else factor}
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

    def _take_bracket(self) -> Expression:
        """Return ``[ 2 x * y + x ^ 2 ]``, optionally divided by 2, after the opening bracket."""
        opened = self.last.place
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
        # The division by 2 is optional: constraints have quadratic parts without it.
        if not self.take_if("/"):
            return total
        self.expect("2", "the divisor 2")
        return {key: value / 2 for key, value in total.items()}

    def take_rows(self, number: int) -> list[_WrittenRow]:
        """Return ``sum <= bound``, or the two rows of ``low <= sum <= high``, optionally after ``b = 1 ->``."""
        start = self.next.place
        label = self.take_label() or f"c{number + 1}"
        when = None
        # A condition has exactly three tokens before the arrow, as in ``b = 1 ->``.
        if self.ahead(3).text == "->":
            name = self.take_name()
            self.expect("=", "= 0 or = 1")
            if self.next.text not in {"0", "1"}:
                raise self.fault("0 or 1")
            when = name, int(self.take().text)
            self.expect("->", "->")
        low = self._take_infinity(is_left=True)
        left = {} if low else self.take_expression()
        relation = self.take_relation()
        # Variables on the left: a plain row. Only a number there: it is the lower end of a range, or a reversed row.
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
        terms = {key: value for key, value in middle.items() if key}
        # Constants of the sum move to the right side.
        rest = middle.get((), Fraction(0))
        rows = [SumRow(label, terms, way, bound - rest) for way, bound in bounds if bound is not None]
        return [_WrittenRow(row, when, start) for row in rows]

    def take_set(self, number: int) -> _Set:
        """Return ``NAME: S1 :: x:1 y:2``; the weights determine the order."""
        place = self.next.place
        label = self.take_label() or f"set {number + 1}"
        kind = self.take_name()
        if kind.upper() not in {"S1", "S2"}:
            raise place.fault(f"{quote(kind)} where S1 or S2 should stand: write '{label}: S1 :: x:1 y:2'")
        self.expect("::", "::")
        members: dict[str, Fraction] = {}
        while self._is_label and self.ahead(2).kind in {"number", "sign"}:
            name = str(self.take_label())
            if name in members:
                raise place.fault(f"{name} twice in {label}: remove one")
            members[name] = (self.take_sign() or 1) * self.take_number()
        if len(set(members.values())) < max(len(members), 1) or len(members) > MOST_MEMBERS:
            raise place.fault(f"{label} needs 1 to {MOST_MEMBERS} members of different weights, as x:1 y:2")
        return label, int(kind[1]), tuple(sorted(members, key=members.__getitem__))

    def _take_infinity(self, is_left: bool = False) -> float | None:
        """Return ``inf`` with its sign if that comes next; on the left a relation follows it."""
        is_signed = self.next.text in {"+", "-"}
        word, then = (self.ahead(1), self.ahead(2)) if is_signed else (self.next, self.ahead(1))
        # On the left, ``inf`` without a relation behind it is no end of a range; `take_name` refuses it as a name.
        if not _INFINITE.fullmatch(word.text) or (is_left and then.text not in _RELATIONS):
            return None
        sign = self.take_sign() or 1
        self.take()
        return sign * math.inf

    def _take_right_side(self) -> Fraction | float:
        # Infinity is tried first, as its sign must not be consumed where a number follows; it is never 0, so ``or`` is
        # safe.
        value = self._take_infinity() or (self.take_sign() or 1) * self.take_number()
        row = self.last.place.row
        # Rows need no separator: a name on the next line starts another row.
        if self.next.kind == "name" and not self._is_label and self.next.place.row == row:
            fault = f"variable {quote(self.next.text)} on the right: write all variables on the left"
            raise self.next.place.fault(fault)
        return value

    def take_bound(self, bounds: Bounds) -> None:
        """Read ``l <= x <= u`` and its parts, ``x = v``, ``x free``."""
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
        # CPLEX's default: from 0 to infinity. A later line for the same variable changes only the end that it names.
        pair = bounds.setdefault(name, [Fraction(0), None])
        for relation, side in found:
            limit = _bound(relation, side, place)
            pair[0] = pair[0] if relation == "<=" else limit
            pair[1] = pair[1] if relation == ">=" else limit

    def _take_limit(self) -> Fraction | float:
        """Return a number, infinite from `_HUGE` on."""
        side = self._take_infinity() or (self.take_sign() or 1) * self.take_number()
        return side if -_HUGE < side < _HUGE else math.copysign(math.inf, side)


def _bound(relation: str, side: Fraction | float, place: Place) -> Fraction | None:
    """Return the number that a sum or a variable is compared with; None where it is infinite and always holds."""
    if isinstance(side, Fraction):
        return side
    if relation != ("<=" if side > 0 else ">="):
        raise place.fault(f"nothing is {relation.replace('==', '=')} {side}: give a finite number")
    return None


def _add_to(total: Expression, part: Expression, sign: int) -> None:
    for key, value in part.items():
        total[key] = total.get(key, Fraction(0)) + sign * value

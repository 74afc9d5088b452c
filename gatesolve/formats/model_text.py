"""Constraints as text to CPMpy: ``x, y in 0..3; x + y == 4; x != y``.

Statements end with a semicolon or a line. Their expressions are parsed by Python's ``ast``, of which the few kinds of
nodes below are read; nothing is executed.
"""

from __future__ import annotations

import ast
import operator
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from keyword import iskeyword
from typing import Any, NamedTuple

import cpmpy as cp
import numpy as np
from cpmpy.expressions.core import BoolVal, Expression, Operator

from gatesolve.errors import InputError
from gatesolve.formats.flatzinc_builtins import within
from gatesolve.formats.from_cpmpy import DOMAIN_LIMIT
from gatesolve.formats.text import Declared, check_declared, check_name
from gatesolve.qubo.numerals import Place, quote

EXAMPLE = "x, y in 0..3; x + y == 4; x != y"
MOST_NESTED = 64
"""Operations in one another."""
GREATEST = 1 << 53
"""The greatest number that is read or computed; it has `MOST_DIGITS` digits."""
MOST_DIGITS = 16
MOST_EXPONENT = 64
_NAME = r"[^\W\d]\w*"
_DECLARES = re.compile(rf"({_NAME}(?:\s*,\s*{_NAME})*)\s+in\b\s*")
_RANGE = re.compile(r"([-+]?\d+)\s*\.\.\s*([-+]?\d+)\s*", re.ASCII)
_SET = re.compile(r"\{\s*([-+]?\d+(?:\s*,\s*[-+]?\d+)*)\s*\}\s*", re.ASCII)
_GOAL = re.compile(r"(minimi[sz]e|maximi[sz]e)\b\s*")
_MARK = re.compile(r"[;\n()\[\]{}]|\Z")
_MENDS: Mapping[str, str] = {
    "&&": "write 'and'",
    "||": "write 'or'",
    "<->": "write '==' between conditions in brackets",
    "<=>": "write '==' between conditions in brackets",
    "->": "write implies(a, b)",
    "=>": "write implies(a, b), or '>=' for at least",
    "=<": "write '<='",
    "<>": "write '!='",
    "!": "write 'not'",
    "..": "a range stands in a declaration alone, x in 0..3",
    "=": "write '=='",
}
_FOREIGN = re.compile(r"&&|\|\||<->|<=>|->|=>|=<|<>|\.\.|!(?!=)|(?<![=!<>])=(?!=)")
_RELATIONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_NUMBERS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_JOINTS: Mapping[type[ast.operator], Callable[[list[Any]], Any]] = {
    ast.BitAnd: cp.all,
    ast.BitOr: cp.any,
    ast.BitXor: lambda parts: cp.sum(parts) % 2 == 1,
}
_GROUPS = ((ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv, ast.Mod))
"""Operators that bind equally."""
_OF_NUMBERS: Mapping[str, Callable[[list[Any]], Any]] = {
    "alldifferent": cp.AllDifferent,
    "all_different": cp.AllDifferent,
    "allequal": cp.AllEqual,
    "sum": cp.sum,
    "min": cp.min,
    "max": cp.max,
    "abs": lambda values: cp.abs(values[0]),
}
_OF_CONDITIONS: Mapping[str, Callable[[list[Any]], Any]] = {
    "all": cp.all,
    "any": cp.any,
    "xor": _JOINTS[ast.BitXor],
    "implies": lambda parts: cp.any([_negate(parts[0]), parts[1]]),
}
_COUNTS = {"abs": 1, "implies": 2}
FUNCTIONS = (*_OF_NUMBERS, *_OF_CONDITIONS)


class Statement(NamedTuple):
    """A statement without comments, and its place in the whole text."""

    text: str
    start: int


def read_model_text(text: str, source: str) -> Declared:
    """Read declarations, constraints and at most one objective."""
    reader = _TextReader(text, source)
    model, constraints, has_goal = cp.Model(), list[Any](), False
    for statement in _split(text):
        start = reader.locate(statement.start)
        if found := _DECLARES.match(statement.text):
            reader.declare(statement, found)
            check_declared(len(reader.variables), start)
        elif found := _GOAL.match(statement.text):
            if has_goal:
                raise start.fault("a second objective: keep one of them")
            rest = statement.text[found.end() :]
            expression = _Expression(reader, rest, statement.start + found.end())
            goal, has_goal = expression.number(expression.parse()), True
            # CPMpy takes no plain number as an objective.
            goal = goal if isinstance(goal, Expression) else Operator("sum", [goal])
            model.objective(goal, minimize=found[1].startswith("min"))
        else:
            expression = _Expression(reader, *statement)
            constraints.append(expression.condition(expression.parse()))
    if not reader.variables:
        raise Place(source).fault(f"no variables: declare some, as in '{EXAMPLE}'")
    for one in (*reader.domains, *constraints):
        model += one
    return Declared(model, list(reader.variables.values()))


def _split(text: str) -> Iterator[Statement]:
    """Yield what stands between semicolons and line ends that are in no brackets."""
    # A comment becomes blanks, so that the places behind it stay right.
    text = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), text)
    start = depth = 0
    for mark in _MARK.finditer(text):
        depth += (mark[0] in {"(", "[", "{"}) - (mark[0] in {")", "]", "}"})
        if mark[0] in {";", ""} or (mark[0] == "\n" and depth <= 0):
            part = text[start : mark.start()]
            if part.strip():
                yield Statement(part.strip(), start + len(part) - len(part.lstrip()))
            start, depth = mark.end(), 0


@dataclass
class _TextReader:
    """Reads statements; ``domains`` are conditions on variables whose values have gaps."""

    text: str
    source: str
    variables: dict[str, Any] = field(default_factory=dict)
    domains: list[Any] = field(default_factory=list)

    def locate(self, at: int) -> Place:
        """Return the place of a character of the text."""
        return Place(self.source, self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at))

    def declare(self, statement: Statement, found: re.Match[str]) -> None:
        """Add the variables of a declaration."""
        text, at = statement.text, found.end()
        place = self.locate(statement.start + at)
        span, listed = _RANGE.fullmatch(text, at), _SET.fullmatch(text, at)
        if span is not None:
            low, high = (_whole(word, place) for word in span.groups())
            if low > high:
                raise place.fault(f"{low}..{high} is empty: write the lower bound first")
            values: range | list[int] = range(low, high + 1)
        elif listed is not None:
            values = sorted({_whole(word, place) for word in listed[1].split(",")})
        elif text[at:].strip() == "bool":
            values = range(2)
        else:
            shown = quote(text[at:]) if text[at:] else "nothing"
            raise place.fault(f"{shown} where the values should stand: write 0..3, {{1, 3, 5}} or bool")
        # `min` and `max` would go through a range number by number.
        least, most = values[0], values[-1]
        if most - least >= DOMAIN_LIMIT:
            raise place.fault(f"{most - least + 1} values: at most {DOMAIN_LIMIT}; give tighter bounds")
        for word in re.finditer(_NAME, found[1]):
            self._add(word[0], self.locate(statement.start + word.start()), least, most)
            if len(values) <= most - least:
                self.domains.append(within(self.variables[_name(word[0])], frozenset(values)))

    def _add(self, word: str, place: Place, least: int, most: int) -> None:
        name = _name(word)
        check_name(name, place)
        if name in FUNCTIONS or iskeyword(name):
            raise place.fault(f"'{name}' is a word of the language: rename the variable")
        if name in self.variables:
            raise place.fault(f"'{name}' is declared twice: take one out, or rename it")
        is_bit = (least, most) == (0, 1)
        self.variables[name] = cp.boolvar(name=name) if is_bit else cp.intvar(least, most, name=name)


@dataclass
class _Expression:
    """An expression and its place in the whole text."""

    reader: _TextReader
    text: str
    start: int

    def parse(self) -> ast.expr:
        text = self.text
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of letters right behind a number, which are refused below
                return ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            if found := _FOREIGN.search(text):
                raise self._at(found.start()).fault(f"'{found[0]}' is not read here: {_MENDS[found[0]]}") from error
            lines = text.split("\n")
            # A MemoryError or a RecursionError has no place; Python's SyntaxError counts rows and columns from 1.
            row, offset = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
            at = sum(len(line) + 1 for line in lines[: row - 1]) + min(offset, len(lines[row - 1]) + 1) - 1
            rest = text[at:].strip()
            said = f"{quote(rest)} is not read here" if rest else "the expression ends too early"
            raise self._at(at).fault(f"{said}: write a constraint, as 'x + y == 4'") from error

    def _at(self, offset: int) -> Place:
        return self.reader.locate(self.start + offset)

    def _fault(self, node: ast.expr, message: str) -> InputError:
        lines = self.text.split("\n")
        before = sum(len(line) + 1 for line in lines[: node.lineno - 1])
        # Python counts the columns of a node in bytes of UTF-8.
        return self._at(before + len(lines[node.lineno - 1].encode()[: node.col_offset].decode())).fault(message)

    def _text(self, node: ast.expr) -> str:
        return quote(ast.get_source_segment(self.text, node))

    def condition(self, node: ast.expr, depth: int = 0) -> Any:
        found = self._value(node, depth)
        if not isinstance(found, bool) and not (isinstance(found, Expression) and found.is_bool()):
            mend = "compare it, as 'x == 4'; beside & and | comparisons stand in brackets"
            raise self._fault(node, f"{self._text(node)} is no condition: {mend}")
        return found

    def number(self, node: ast.expr, depth: int = 0) -> Any:
        found = self._value(node, depth)
        return int(found) if isinstance(found, bool) else found

    def _value(self, node: ast.expr, depth: int) -> Any:
        """Read an expression of any kind, inside so many others."""
        if depth > MOST_NESTED:
            raise self._fault(node, f"over {MOST_NESTED} operations in one another: write several statements, or sum()")
        match node:
            # ``True`` is an int as well, and is not read: a condition is written as a comparison.
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                return self._bounded(node, number)
            case ast.Name(name) if name in self.reader.variables:
                return self.reader.variables[name]
            case ast.Name(name):
                near = get_close_matches(name, self.reader.variables, n=1)
                mend = f"did you mean '{near[0]}'?" if near else f"declare it before, as '{name[:20]} in 0..3'"
                raise self._fault(node, f"unknown name {quote(name)}: {mend}")
            case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=part):
                return _negate(self.condition(part, depth + 1))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=part):
                value = self.number(part, depth + 1)
                return -value if isinstance(sign, ast.USub) else value
            case ast.BoolOp(op=joint, values=parts):
                found = [self.condition(part, depth + 1) for part in parts]
                return _plain((cp.all if type(joint) is ast.And else cp.any)(found))
            case ast.BinOp():
                return self._operation(node, depth)
            case ast.Compare(left=left, ops=relations, comparators=others):
                return self._comparison([left, *others], relations, depth)
            case ast.Call(func=ast.Name(name), args=args, keywords=[]):
                return self._call(node, name, args, depth)
            case ast.Call(func=ast.Attribute(value=first, attr="implies"), args=[second], keywords=[]):
                return self._call(node, "implies", [first, second], depth)
        raise self._fault(node, f"{self._text(node)} is not read here: use {', '.join(FUNCTIONS)} and operators")

    def _bounded(self, node: ast.expr, number: int) -> int:
        if abs(number) > GREATEST:
            raise self._fault(node, "a number above 2^53: give smaller numbers")
        return number

    def _operation(self, node: ast.BinOp, depth: int) -> Any:
        # Chains are flattened to the left, so that their length does not count as depth.
        kind, signs, first = type(node.op), [node], node.left
        alike = next((group for group in _GROUPS if kind in group), (kind,))
        while isinstance(first, ast.BinOp) and type(first.op) in alike:  # a long sum is no deep one
            signs.append(first)
            first = first.left
        parts = [first, *(one.right for one in reversed(signs))]
        if kind in _JOINTS:
            return _plain(_JOINTS[kind]([self.condition(part, depth + 1) for part in parts]))
        found = self.number(first, depth + 1)
        for one in reversed(signs):
            found = self._compute(one, found, self.number(one.right, depth + 1))
        return found

    def _compute(self, node: ast.BinOp, left: Any, right: Any) -> Any:
        """Apply an operator; quotients are cut towards zero, as CPMpy's are."""
        kind = type(node.op)
        if kind not in _NUMBERS:
            mend = "write // for a whole quotient" if kind is ast.Div else "use + - * // % **"
            raise self._fault(node, f"{self._text(node)} has an operator that is not read: {mend}")
        if kind is ast.Pow and not (isinstance(right, int) and 0 <= right <= MOST_EXPONENT):
            raise self._fault(node, f"the exponent must be a number from 0 to {MOST_EXPONENT}: write one")
        if kind in (ast.FloorDiv, ast.Mod) and isinstance(right, int):
            if right == 0:
                raise self._fault(node, f"{self._text(node)} divides by 0: give another divisor")
            if isinstance(left, int):
                # Python's // rounds down; this one rounds towards zero.
                quotient = abs(left) // abs(right) * (1 if left * right >= 0 else -1)
                return quotient if kind is ast.FloorDiv else left - right * quotient
        found = _NUMBERS[kind](left, right)
        return self._bounded(node, found) if isinstance(found, int) else found

    def _comparison(self, parts: list[ast.expr], relations: list[ast.cmpop], depth: int) -> Any:
        values = [self._value(part, depth + 1) for part in parts]
        found = list[Any]()
        for k, relation in enumerate(relations):
            if type(relation) not in _RELATIONS:
                mend = "declare it on its own, as 'x in 0..3', or compare with ==, !=, <, <=, > or >="
                raise self._fault(parts[k + 1], f"'in' and 'is' are not read inside an expression: {mend}")
            found.append(_RELATIONS[type(relation)](values[k], values[k + 1]))
        return found[0] if len(found) == 1 else _plain(cp.all(found))

    def _call(self, node: ast.expr, name: str, args: list[ast.expr], depth: int) -> Any:
        # Both sum(x, y) and sum([x, y]) are accepted.
        if len(args) == 1 and isinstance(args[0], ast.List | ast.Tuple):
            args = args[0].elts
        key = name.lower()
        if key not in FUNCTIONS:
            near = get_close_matches(key, FUNCTIONS, n=1)
            mend = f"did you mean {near[0]}?" if near else f"use one of {', '.join(FUNCTIONS)}"
            raise self._fault(node, f"unknown function {quote(name)}: {mend}")
        if not args or len(args) != _COUNTS.get(key, len(args)):
            raise self._fault(node, f"{name} has {len(args)} arguments: give {_COUNTS.get(key, 'one or more')}")
        if key in _OF_CONDITIONS:
            return _plain(_OF_CONDITIONS[key]([self.condition(one, depth + 1) for one in args]))
        return _plain(_OF_NUMBERS[key]([self.number(one, depth + 1) for one in args]))


def _name(word: str) -> str:
    """Return a name as Python's parser does."""
    return unicodedata.normalize("NFKC", word)


def _whole(word: str, place: Place) -> int:
    if len(word) > MOST_DIGITS:
        raise place.fault(f"{quote(word)} has over {MOST_DIGITS} digits: give smaller numbers")
    return int(word)


def _plain(found: Any) -> Any:
    """Return Python's own number or truth value where CPMpy returns a constant."""
    if isinstance(found, BoolVal):
        return bool(found.value())
    if isinstance(found, Expression):
        return found
    return bool(found) if isinstance(found, bool | np.bool_) else int(found)


def _negate(found: Any) -> Any:
    return not found if isinstance(found, bool) else ~found

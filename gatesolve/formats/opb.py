"""OPB, pseudo-Boolean files, to CPMpy.

CPMpy's own reader is the peer of the tests. It names no row, skips unknown words, and needs a header and one constraint
a line. It accepts no constraint of one term and no ``max:``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import cpmpy

from gatesolve.formats.text import (
    Declared,
    TextToken,
    Tokens,
    check_declared,
    check_name,
    read_whole,
    split_line,
    split_statements,
)
from gatesolve.qubo.numerals import Place

_HEADER = re.compile(r"^\*.*#variable=\s*(\d{1,9})\s+#constraint=\s*(\d{1,9})", re.MULTILINE)
_TOKEN = re.compile(
    r'(?P<space>\s+)|(?P<number>\d+)|(?P<name>~?"?[A-Za-z_][\w\[\]{}^]*"?)|(?P<sign><=|>=|[-+=*:;])|(?P<word>\S)'
)
_RELATIONS: Mapping[str, Callable[[Any, int], Any]] = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}


def read_opb(text: str, source: str) -> Declared:
    """Return the constraints and the objective of a file, over its 0/1 variables.

    Raises:
        InputError: malformed content, with row and column.
    """
    header = _HEADER.search(text)
    top = Place(source, None if header is None else text.count("\n", 0, header.start()) + 1)
    if header is not None:
        check_declared(int(header[1]), top)
    model, bits = cpmpy.Model(), dict[str, Any]()
    for number, statement in enumerate(split_statements(_split(text, source))):
        start = statement.next.place
        if statement.ahead(1).text == ":":
            head, _ = statement.take(), statement.take()
            if head.text not in {"min", "max"} or number:
                fault = f"'{head.text[:20]}:' is not allowed here: give one objective, 'min: ... ;', then constraints"
                raise start.fault(fault)
            if statement.next.kind:
                model.objective(_sum(statement, bits), minimize=head.text == "min")
        else:
            left = _sum(statement, bits)
            if statement.next.text not in _RELATIONS:
                raise statement.fault("'>= NUMBER' or '= NUMBER'")
            model += _RELATIONS[statement.take().text](left, _number(statement, _sign(statement) or 1))
        if statement.next.kind:
            raise statement.fault("';'")
    if not model.constraints and not model.has_objective():
        raise top.fault("no constraints: write one, as '+1 x1 +2 ~x2 >= 1 ;'")
    if header is not None:
        _check_header(bits, len(model.constraints), (int(header[1]), int(header[2])), top)
    return Declared(model, list(bits.values()))


def _split(text: str, source: str) -> Iterator[TextToken]:
    for row, line in enumerate(text.split("\n"), start=1):
        if not line.startswith("*"):
            yield from split_line(line, Place(source, row), _TOKEN)


def _sum(tokens: Tokens, bits: dict[str, Any]) -> Any:
    """Read a sum of products, each with its sign and its weight; new variables join ``bits``."""
    found = list[Any]()
    while tokens.next.kind and tokens.next.text not in _RELATIONS:
        sign = _sign(tokens)
        weight = _number(tokens, sign or 1) if tokens.next.kind == "number" else sign or 1
        factors = list[Any]()
        while tokens.take_if("*") or tokens.next.kind == "name":
            factors += [_factor(tokens.take(), bits)] if tokens.next.kind == "name" else []
        if not factors:
            raise tokens.fault("a term, a whole number and variables as in +2 x1 ~x2,")
        # A product of 0/1 numbers is one flat conjunction.
        found.append(weight * (factors[0] if len(factors) == 1 else cpmpy.all(factors)))
    if not found:
        raise tokens.fault("a term as +2 x1")
    return cpmpy.sum(found)


def _sign(tokens: Tokens) -> int | None:
    return 1 if tokens.take_if("+") else -1 if tokens.take_if("-") else None


def _number(tokens: Tokens, sign: int) -> int:
    token = tokens.expect_kind("number", "a whole number")
    return sign * read_whole(token.text, token.place, "a number")


def _factor(token: TextToken, bits: dict[str, Any]) -> Any:
    """Return a variable or its negation."""
    name = token.text.strip('~"')
    check_name(name, token.place)
    if name not in bits:
        bits[name] = cpmpy.boolvar(name=name)
    return ~bits[name] if token.text.startswith("~") else bits[name]


def _check_header(bits: dict[str, Any], constraints: int, counts: tuple[int, int], top: Place) -> None:
    """Compare the counts of the header, and add the variables that are in no statement: ``x1``, ``x2``, ..."""
    declared, counted = counts
    if constraints != counted:
        fault = f"{constraints} constraints, the header declares {counted}: the file is cut short, or correct the count"
        raise top.fault(fault)
    if len(bits) > declared:
        raise top.fault(f"{len(bits)} variables, but the header declares {declared}: correct a name, or the count")
    if len(bits) < declared and not all(re.fullmatch(r"x[1-9]\d*", name) for name in bits):
        said = f"{len(bits)} variables, but the header declares {declared}, and the others have no names"
        raise top.fault(f"{said}: correct the count")
    free = (name for name in map("x{}".format, range(1, declared + 1)) if name not in bits)
    for name in islice(free, declared - len(bits)):
        bits[name] = cpmpy.boolvar(name=name)

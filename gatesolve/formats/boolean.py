"""Files of 0/1 variables to CPMpy: DIMACS CNF and WCNF, and OPB (pseudo-Boolean sums).

CPMpy's own readers are the peers of the tests. They name no row, and reject or misread some of these files.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, NamedTuple

import cpmpy
from cpmpy.expressions.core import Operator

from gatesolve.formats.text import (
    WORD,
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

_DIMACS_HEADER = re.compile(r"\s*p\s+(cnf|wcnf)\s+(\d{1,9})\s+(\d{1,9})(?:\s+(\d{1,400}))?\s*")
_OPB_HEADER = re.compile(r"^\*.*#variable=\s*(\d{1,9})\s+#constraint=\s*(\d{1,9})", re.MULTILINE)
_OPB_TOKEN = re.compile(
    r'(?P<space>\s+)|(?P<number>\d+)|(?P<name>~?"?[A-Za-z_][\w\[\]{}^]*"?)|(?P<sign><=|>=|[-+=*:;])|(?P<word>\S)'
)
_RELATIONS: Mapping[str, Callable[[Any, int], Any]] = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}


class DimacsHeader(NamedTuple):
    """The ``p`` line: its place and its counts, all zero if the file has no such line."""

    place: Place
    is_weighted: bool
    variables: int = 0
    clauses: int = 0
    top: int | None = None


class DimacsClause(NamedTuple):
    """A clause; one with a weight may be broken at that cost."""

    weight: int | None
    literals: list[int]


def read_dimacs(text: str, source: str, weighted: bool) -> Declared:
    """Return the clauses of a file as a model of variables ``x1``, ``x2``, ...; breaking a clause costs its weight.

    A header declares its variables, even those that no clause reads. Without one, clauses start with a weight if they
    are ``weighted``.
    """
    header, found = read_clauses(text, source, weighted)
    if header.place.row and len(found) != header.clauses:
        said = f"{len(found)} clauses, but the p line declares {header.clauses}"
        raise header.place.fault(f"{said}: the file is cut short, or correct the count")
    if not found and not header.place.row:
        raise header.place.fault("no clauses: write one, such as '1 -2 0'")
    used = {abs(literal) for clause in found for literal in clause.literals}
    # An empty range (no header, or one that declares 0 variables) leaves the variables that clauses read.
    bits = {n: cpmpy.boolvar(name=f"x{n}") for n in range(1, header.variables + 1) or sorted(used)}
    model, broken, most = cpmpy.Model(), list[Any](), 0
    for weight, literals in found:
        terms = [bits[n] if n > 0 else ~bits[-n] for n in literals]
        if weight is None:
            model += cpmpy.any(terms) if terms else cpmpy.BoolVal(False)
        elif terms:
            broken.append(weight * cpmpy.all([~term for term in terms]))
        else:
            # An empty soft clause is always broken: its weight is a constant cost.
            most += weight
    if any(weight is not None for weight, _ in found):
        # An explicit sum: cpmpy.sum of constants alone would be a plain number, which is no objective.
        model.minimize(Operator("sum", [*broken, most]))
    return Declared(model, list(bits.values()))


def read_clauses(text: str, source: str, weighted: bool = False) -> tuple[DimacsHeader, list[DimacsClause]]:
    """Read the header and the clauses of a file; arguments and errors as for `read_dimacs`."""
    lines = text.split("\n")
    header = _read_header(lines, source) or DimacsHeader(Place(source), weighted)
    check_declared(header.variables, header.place)
    return header, list(_list_clauses(_words(lines, header.place), header))


def _read_header(lines: list[str], source: str) -> DimacsHeader | None:
    for row, line in enumerate(lines, start=1):
        if line.lstrip().startswith("p"):
            found = _DIMACS_HEADER.fullmatch(line)
            if found is None or (found[1] == "cnf" and found[4]):
                fault = "not a problem line: write 'p cnf VARIABLES CLAUSES' or 'p wcnf VARIABLES CLAUSES TOP'"
                raise Place(source, row).fault(fault)
            top = int(found[4]) if found[4] else None
            return DimacsHeader(Place(source, row), found[1] == "wcnf", int(found[2]), int(found[3]), top)
        # Only comments may precede the p line. In a file without one, the first other line is a clause.
        if line.strip() and not line.lstrip().startswith("c"):
            break
    return None


def _words(lines: list[str], header: Place) -> Iterator[TextToken]:
    """Yield all words below the header, without comments, up to a line ``%``, which ends the files of SATLIB."""
    start = header.row or 0
    for row, line in enumerate(lines[start:], start=start + 1):
        if line.strip() == "%":
            return
        if not line.lstrip().startswith("c"):
            yield from split_line(line, Place(header.source, row), WORD)


def _list_clauses(words: Iterator[TextToken], header: DimacsHeader) -> Iterator[DimacsClause]:
    for first in words:
        weight = None
        # The form since 2022 marks hard clauses by h, the older one by a weight of at least TOP.
        if header.is_weighted and first.text != "h":
            read = read_whole(first.text, first.place, "a clause's weight, or h")
            weight = None if header.top is not None and read >= header.top else read
        literals = list[int]()
        # Clauses may span lines; without weights the first word is a literal already.
        for word in words if header.is_weighted else chain([first], words):
            literal = _read_literal(word, header.variables)
            # A clause ends at 0, not at the end of its line; the loop's ``else`` is reached only without that 0.
            if not literal:
                break
            literals.append(literal)
        else:
            fault = "no 0 ends this clause: add it, or check whether the file is cut short"
            raise first.place._replace(column=None).fault(fault)
        yield DimacsClause(weight, literals)


def _read_literal(word: TextToken, variables: int) -> int:
    literal = read_whole(word.text, word.place, "a literal, a variable's number, negative if negated", None)
    if variables and abs(literal) > variables:
        said = f"variable {word.text.lstrip('+-')[:20]}, but {variables} are declared"
        raise word.place.fault(f"{said}: correct it, or declare more")
    return literal


def read_opb(text: str, source: str) -> Declared:
    """Return the constraints and the objective of a file, over its 0/1 variables."""
    header = _OPB_HEADER.search(text)
    top = Place(source, None if header is None else text.count("\n", 0, header.start()) + 1)
    if header is not None:
        check_declared(int(header[1]), top)
    model, bits = cpmpy.Model(), dict[str, Any]()
    lines = ((Place(source, row), line) for row, line in enumerate(text.split("\n"), start=1) if line[:1] != "*")
    tokens = (token for place, line in lines for token in split_line(line, place, _OPB_TOKEN))
    for number, statement in enumerate(split_statements(tokens)):
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


def _sum(tokens: Tokens, bits: dict[str, Any]) -> Any:
    """Read a sum of products, each with its sign and its weight; new variables join ``bits``."""
    found = list[Any]()
    while tokens.next.kind and tokens.next.text not in _RELATIONS:
        sign = _sign(tokens)
        weight = _number(tokens, sign or 1) if tokens.next.kind == "number" else sign or 1
        factors = list[Any]()
        while tokens.take_if("*") or tokens.next.kind == "name":
            if tokens.next.kind != "name":
                continue
            token = tokens.take()
            name = token.text.strip('~"')
            check_name(name, token.place)
            if name not in bits:
                bits[name] = cpmpy.boolvar(name=name)
            factors.append(~bits[name] if token.text.startswith("~") else bits[name])
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

"""DIMACS CNF and WCNF to CPMpy.

CPMpy's own reader is the peer of the tests: it names no row, does not know the ``%`` with which SATLIB ends its files,
takes the hard clauses below a line ``p wcnf VARIABLES CLAUSES TOP`` for soft ones and an empty soft clause for a gain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import cpmpy
from cpmpy.expressions.core import Operator

from gatesolve.formats.text import WORD, Declared, TextToken, check_declared, read_whole, split_line
from gatesolve.qubo.numerals import Place

_HEADER = re.compile(r"\s*p\s+(cnf|wcnf)\s+(\d{1,9})\s+(\d{1,9})(?:\s+(\d{1,400}))?\s*")


class DimacsHeader(NamedTuple):
    """The ``p`` line: where it stands, and its counts; of a file without one zeros."""

    place: Place
    is_weighted: bool
    variables: int = 0
    clauses: int = 0
    top: int | None = None


class DimacsClause(NamedTuple):
    """A clause; one with a weight may be broken for it."""

    weight: int | None
    literals: list[int]


def read_dimacs(text: str, source: str, weighted: bool) -> Declared:
    """The clauses of a file as a model of variables ``x1``, ``x2``, ...; a clause with a weight may be broken for it.

    A header declares its variables, whether clauses read them or not.

    Args:
        text: of the file.
        source: what to call it in messages.
        weighted: whether clauses start with a weight where the file's own header does not tell.

    Raises:
        InputError: whatever is malformed, with row and column.
    """
    header, found = read_clauses(text, source, weighted)
    if header.place.row and len(found) != header.clauses:
        said = f"{len(found)} clauses, the p line says {header.clauses}"
        raise header.place.fault(f"{said}: the file is cut short, or mend the count")
    if not found and not header.place.row:
        raise header.place.fault("no clauses: write one, such as '1 -2 0'")
    used = {abs(literal) for clause in found for literal in clause.literals}
    bits = {n: cpmpy.boolvar(name=f"x{n}") for n in range(1, header.variables + 1) or sorted(used)}
    model, broken, most = cpmpy.Model(), list[Any](), 0
    for weight, literals in found:
        terms = [bits[n] if n > 0 else ~bits[-n] for n in literals]
        if weight is None:
            model += cpmpy.any(terms) if terms else cpmpy.BoolVal(False)
        elif terms:
            broken.append(weight * cpmpy.all([~term for term in terms]))
        else:
            most += weight
    if any(weight is not None for weight, _ in found):
        model.minimize(Operator("sum", [*broken, most]))  # a sum of constants too
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
            found = _HEADER.fullmatch(line)
            if found is None or (found[1] == "cnf" and found[4]):
                fault = "not a problem line: write 'p cnf VARIABLES CLAUSES' or 'p wcnf VARIABLES CLAUSES TOP'"
                raise Place(source, row).fault(fault)
            top = int(found[4]) if found[4] else None
            return DimacsHeader(Place(source, row), found[1] == "wcnf", int(found[2]), int(found[3]), top)
        if line.strip() and not line.lstrip().startswith("c"):
            break
    return None


def _words(lines: list[str], header: Place) -> Iterator[TextToken]:
    """Yield all words but comments below the header, up to a line ``%``."""
    start = header.row or 0
    for row, line in enumerate(lines[start:], start=start + 1):
        if line.strip() == "%":
            return
        if not line.lstrip().startswith("c"):
            yield from split_line(line, Place(header.source, row), WORD)


def _list_clauses(words: Iterator[TextToken], header: DimacsHeader) -> Iterator[DimacsClause]:
    for first in words:
        weight = _read_weight(first, header.top) if header.is_weighted else None
        literals = list[int]()
        for word in words if header.is_weighted else chain([first], words):
            literal = _read_literal(word, header.variables)
            if not literal:
                break
            literals.append(literal)
        else:
            raise first.place._replace(column=None).fault("a clause without its 0: the file is cut short, or add it")
        yield DimacsClause(weight, literals)


def _read_weight(word: TextToken, top: int | None) -> int | None:
    """None for a hard clause."""
    if word.text == "h":
        return None
    weight = read_whole(word.text, word.place, "a clause's weight, or h")
    return None if top is not None and weight >= top else weight


def _read_literal(word: TextToken, variables: int) -> int:
    literal = read_whole(word.text, word.place, "a literal, a variable's number and negative for not", None)
    if variables and abs(literal) > variables:
        said = f"variable {word.text.lstrip('+-')[:20]} of {variables} declared"
        raise word.place.fault(f"{said}: mend it, or declare more")
    return literal

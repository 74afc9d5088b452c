"""DIMACS CNF and WCNF to CPMpy.

CPMpy's own reader is the peer of the tests. It names no row, and it does not accept the ``%`` that ends the files of
SATLIB. Below a line ``p wcnf VARIABLES CLAUSES TOP`` it reads hard clauses as soft, and an empty soft clause as a gain.
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

    A header declares its variables, even those that no clause reads.

    Args:
        text: the content of the file.
        source: its name in messages.
        weighted: clauses start with a weight, if the file has no header.

    Raises:
        InputError: the file is malformed; names row and column.
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
            found = _HEADER.fullmatch(line)
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
        weight = _read_weight(first, header.top) if header.is_weighted else None
        literals = list[int]()
        # Clauses may span lines; without weights the first word is a literal already.
        for word in words if header.is_weighted else chain([first], words):
            literal = _read_literal(word, header.variables)
            # A clause ends at 0, not at the end of its line; the loop's ``else`` is reached only without that 0.
            if not literal:
                break
            literals.append(literal)
        else:
            raise first.place._replace(column=None).fault(
                "no 0 ends this clause: add it, or check whether the file is cut short"
            )
        yield DimacsClause(weight, literals)


def _read_weight(word: TextToken, top: int | None) -> int | None:
    """Return a clause's weight, None for a hard clause."""
    if word.text == "h":
        return None
    # The form since 2022 marks hard clauses by h, the older one by a weight of at least TOP.
    weight = read_whole(word.text, word.place, "a clause's weight, or h")
    return None if top is not None and weight >= top else weight


def _read_literal(word: TextToken, variables: int) -> int:
    literal = read_whole(word.text, word.place, "a literal, a variable's number, negative if negated", None)
    if variables and abs(literal) > variables:
        said = f"variable {word.text.lstrip('+-')[:20]}, but {variables} are declared"
        raise word.place.fault(f"{said}: correct it, or declare more")
    return literal

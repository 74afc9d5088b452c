"""DIMACS CNF and WCNF to CPMpy.

CPMpy's own reader is the peer of the tests: it names no row, does not know the ``%`` with which SATLIB ends its files,
takes the hard clauses below a line ``p wcnf VARIABLES CLAUSES TOP`` for soft ones and an empty soft clause for a gain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from gatesolve.errors import InputError
from gatesolve.formats.declared import Declared, check_declared

_HEADER = re.compile(r"\s*p\s+(cnf|wcnf)\s+(\d{1,9})\s+(\d{1,9})(?:\s+(\d{1,400}))?\s*")
_WHOLE = re.compile(r"[+-]?\d{1,400}")


class _Word(NamedTuple):
    text: str
    row: int
    column: int


class _Clause(NamedTuple):
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
    import cpmpy
    from cpmpy.expressions.core import Operator

    found, declared = _clauses(text, source, weighted)
    numbers = range(1, declared + 1) or sorted({abs(literal) for clause in found for literal in clause.literals})
    bits = {number: cpmpy.boolvar(name=f"x{number}") for number in numbers}
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


def _clauses(text: str, source: str, weighted: bool) -> tuple[list[_Clause], int]:
    """The clauses, and how many variables the header declares."""
    lines = text.split("\n")
    row, variables, clauses, top = _header(lines, source)
    check_declared(variables, source, row)
    if row:
        weighted = lines[row - 1].split()[1] == "wcnf"
    made, clause = list[_Clause](), _Clause(None, [])
    start = None
    for word in _words(lines[row:], row):
        if start is None:
            start = word
            if weighted:
                clause = _Clause(_weight(word, top, source), [])
                continue
        literal = _literal(word, variables, source)
        if literal:
            clause.literals.append(literal)
            continue
        made.append(clause)
        clause, start = _Clause(None, []), None
    if start is not None:
        raise InputError("a clause without its 0: the file is cut short, or add it", source=source, row=start.row)
    if row and len(made) != clauses:
        fault = f"{len(made)} clauses, the p line says {clauses}: the file is cut short, or mend the count"
        raise InputError(fault, source=source, row=row)
    if not made and not row:
        raise InputError("no clauses: write one, such as '1 -2 0'", source=source)
    return made, variables


def _header(lines: list[str], source: str) -> tuple[int, int, int, int | None]:
    """The row of the ``p`` line and its counts: variables, clauses, the weight of hard clauses; zeros without one."""
    for row, line in enumerate(lines, start=1):
        if line.lstrip().startswith("p"):
            found = _HEADER.fullmatch(line)
            if found is None or (found[1] == "cnf" and found[4]):
                fault = "not a problem line: write 'p cnf VARIABLES CLAUSES' or 'p wcnf VARIABLES CLAUSES TOP'"
                raise InputError(fault, source=source, row=row)
            return row, int(found[2]), int(found[3]), int(found[4]) if found[4] else None
        if line.strip() and not line.lstrip().startswith("c"):
            break
    return 0, 0, 0, None


def _words(lines: list[str], above: int) -> Iterator[_Word]:
    """All words but comments, up to a line ``%``."""
    for row, line in enumerate(lines, start=above + 1):
        if line.strip() == "%":
            return
        if not line.lstrip().startswith("c"):
            for found in re.finditer(r"\S+", line):
                yield _Word(found[0], row, found.start() + 1)


def _weight(word: _Word, top: int | None, source: str) -> int | None:
    """None for a hard clause."""
    if word.text == "h":
        return None
    if not _WHOLE.fullmatch(word.text) or int(word.text) < 0:
        fault = f"{word.text[:20]!r} where a clause's weight should stand: write h, or a whole number from 0"
        raise InputError(fault, source=source, row=word.row, column=word.column)
    return None if top is not None and int(word.text) >= top else int(word.text)


def _literal(word: _Word, variables: int, source: str) -> int:
    fault = None
    if not _WHOLE.fullmatch(word.text):
        fault = f"{word.text[:20]!r} is no literal: write a variable's number, negative for not"
    elif variables and abs(int(word.text)) > variables:
        fault = f"variable {word.text.lstrip('+-')[:20]} of {variables} declared: mend it, or declare more"
    if fault is not None:
        raise InputError(fault, source=source, row=word.row, column=word.column)
    return int(word.text)

"""OPB, pseudo-Boolean files, to CPMpy.

CPMpy's own reader is the peer of the tests: it names no row, passes over words that it does not know, wants one
constraint a line and a header, and takes no constraint of one term and no ``max:``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from gatesolve.errors import InputError
from gatesolve.formats.declared import Declared, check_declared

_HEADER = re.compile(r"^\*.*#variable=\s*(\d{1,9})\s+#constraint=\s*(\d{1,9})", re.MULTILINE)
_FACTOR = r'~?"?[A-Za-z_][\w\[\]{}^]*"?'
_TERM = re.compile(rf"\s*(?P<sign>[+-])?\s*(?P<weight>\d{{1,400}})?(?P<factors>(?:[\s*]*{_FACTOR})+)\s*")
_RELATIONS: Mapping[str, Callable[[Any, int], Any]] = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}
_RELATION = re.compile(r"(<=|>=|=)\s*([+-]?)\s*(\d{1,400})\s*$")


def read_opb(text: str, source: str) -> Declared:
    """The constraints and the objective of a file, over its 0/1 variables.

    Raises:
        InputError: whatever is malformed, with the row.
    """
    import cpmpy

    header = _HEADER.search(text)
    if header is not None:
        check_declared(int(header[1]), source, text.count("\n", 0, header.start()) + 1)
    model, bits = cpmpy.Model(), dict[str, Any]()
    for number, (row, statement) in enumerate(_statements(text, source)):
        head, colon, terms = statement.rpartition(":")
        if not colon:
            relation = _RELATION.search(statement)
            if relation is None:
                fault = "no '>= NUMBER' or '= NUMBER' at the end: write a constraint as '+1 x1 +2 ~x2 >= 1 ;'"
                raise InputError(fault, source=source, row=row)
            left = _sum(statement[: relation.start()], source, row, bits)
            model += _RELATIONS[relation[1]](left, int(f"{relation[2]}{relation[3]}"))
        elif head.strip() in {"min", "max"} and number == 0:
            if terms.strip():
                model.objective(_sum(terms, source, row, bits), minimize=head.strip() == "min")
        else:
            fault = f"'{head.strip()[:20]}:' is not read here: give one objective, 'min: ... ;', then constraints"
            raise InputError(fault, source=source, row=row)
    if not model.constraints and not model.has_objective():
        raise InputError("no constraints: write one, as '+1 x1 +2 ~x2 >= 1 ;'", source=source)
    if header is not None:
        row = text.count("\n", 0, header.start()) + 1
        _check_constraints(len(model.constraints), int(header[2]), source, row)
        for name in _unread_names(bits, int(header[1]), source, row):
            bits[name] = cpmpy.boolvar(name=name)
    return Declared(model, list(bits.values()))


def _statements(text: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield the text before each semicolon, and the row where it starts."""
    start, parts = 1, list[str]()
    for row, line in enumerate(text.split("\n"), start=1):
        *ended, open_ = [""] if line.startswith("*") else line.split(";")
        for piece in ended:
            yield (start if parts else row), " ".join([*parts, piece])
            parts = []
        if open_.strip():
            start = start if parts else row
            parts.append(open_)
    if parts:
        raise InputError("a statement without its ';': the file is cut short, or add it", source=source, row=start)


def _sum(text: str, source: str, row: int, bits: dict[str, Any]) -> Any:
    """A sum of products, each with its sign and its weight; new variables join ``bits``."""
    import cpmpy

    found, at = list[Any](), 0
    while at < len(text.rstrip()):
        term = _TERM.match(text, at)
        if term is None:
            word = text[at:].split()[0][:20]
            fault = f"{word!r} where a term should stand: write a whole number and variables, as +2 x1 ~x2"
            raise InputError(fault, source=source, row=row)
        factors = [_factor(word, source, row, bits) for word in re.findall(_FACTOR, term["factors"])]
        found.append(int(f"{term['sign'] or ''}{term['weight'] or 1}") * _product(factors))
        at = term.end()
    if not found:
        raise InputError("no terms: write some, as +2 x1 -1 x2", source=source, row=row)
    return cpmpy.sum(found)


def _product(factors: list[Any]) -> Any:
    """Return the product of 0/1 numbers as a conjunction, in which no part is inside another."""
    import cpmpy

    return factors[0] if len(factors) == 1 else cpmpy.all(factors)


def _factor(word: str, source: str, row: int, bits: dict[str, Any]) -> Any:
    """A variable, or what is 1 where it is 0."""
    import cpmpy

    name = word.strip('~"')
    check_name(name, source, row)
    if name not in bits:
        bits[name] = cpmpy.boolvar(name=name)
    return ~bits[name] if word.startswith("~") else bits[name]


def check_name(name: str, source: str, row: int | None = None) -> None:
    """Refuse what CPMpy keeps for variables of its own."""
    if name.startswith(("IV", "BV")):
        raise InputError(f"{name}: CPMpy keeps names that start with IV and BV: rename it", source=source, row=row)


def _check_constraints(found: int, counted: int, source: str, row: int) -> None:
    if found != counted:
        fault = f"{found} constraints, the header says {counted}: the file is cut short, or mend the count"
        raise InputError(fault, source=source, row=row)


def _unread_names(used: Collection[str], declared: int, source: str, row: int) -> list[str]:
    """The names of variables that the header counts and that are in no statement: ``x1``, ``x2``, ... by the format."""
    if len(used) > declared:
        fault = f"{len(used)} variables, the header says {declared}: mend a name, or the count"
        raise InputError(fault, source=source, row=row)
    if len(used) < declared and not all(re.fullmatch(r"x[1-9]\d*", name) for name in used):
        fault = f"{len(used)} variables, the header says {declared}, and the others have no names: mend the count"
        raise InputError(fault, source=source, row=row)
    free = (name for name in map("x{}".format, range(1, declared + 1)) if name not in used)
    return list(islice(free, declared - len(used)))

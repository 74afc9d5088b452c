"""OPB, pseudo-Boolean files, to CPMpy.

CPMpy's own reader is the peer of the tests: it names no row, passes over words that it does not know, wants one
constraint a line and a header, and takes no constraint of one term and no ``max:``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

from gatesolve.errors import InputError

if TYPE_CHECKING:
    import cpmpy

_HEADER = re.compile(r"^\*.*#variable=\s*(\d{1,9})\s+#constraint=\s*(\d{1,9})", re.MULTILINE)
_FACTOR = r'~?"?[A-Za-z_][\w\[\]{}^]*"?'
_TERM = re.compile(rf"\s*(?P<sign>[+-])?\s*(?P<weight>\d{{1,400}})?(?P<factors>(?:[\s*]*{_FACTOR})+)\s*")
_RELATIONS: Mapping[str, Callable[[Any, int], Any]] = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}
_RELATION = re.compile(r"(<=|>=|=)\s*([+-]?)\s*(\d{1,400})\s*$")


def read_opb(text: str, source: str) -> cpmpy.Model:
    """The constraints and the objective of a file, over its 0/1 variables.

    Raises:
        InputError: whatever is malformed, with the row.
    """
    import cpmpy

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
    _check_counts(text, len(bits), len(model.constraints), source)
    return model


def _statements(text: str, source: str) -> Iterator[tuple[int, str]]:
    """What stands before each semicolon, and the row where it starts."""
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
        found.append(int(f"{term['sign'] or ''}{term['weight'] or 1}") * reduce(operator.mul, factors))
        at = term.end()
    if not found:
        raise InputError("no terms: write some, as +2 x1 -1 x2", source=source, row=row)
    return cpmpy.sum(found)


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


def _check_counts(text: str, variables: int, constraints: int, source: str) -> None:
    """What the header counts is there; a variable may be declared and be in no statement."""
    header = _HEADER.search(text)
    if header is None:
        return
    row = text.count("\n", 0, header.start()) + 1
    if constraints != int(header[2]):
        fault = f"{constraints} constraints, the header says {header[2]}: the file is cut short, or mend the count"
        raise InputError(fault, source=source, row=row)
    if variables > int(header[1]):
        fault = f"{variables} variables, the header says {header[1]}: mend a name, or the count"
        raise InputError(fault, source=source, row=row)

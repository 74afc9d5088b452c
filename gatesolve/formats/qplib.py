"""QPLIB files: quadratic objectives and constraints over 0/1 and integer variables.

A file has the order of GALAHAD's package RPD, whose authors keep the library. It has a name, three letters of the kind,
a sense and counts, then a default and entries for each vector. A quadratic form is half of x'Hx; the file contains one
triangle of the symmetric matrix H.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from gatesolve.errors import UnsupportedError
from gatesolve.formats.integer_program import Form, IntegerProgram, Sense, SumRow
from gatesolve.formats.text import read_whole, split_words
from gatesolve.qubo.numerals import Place, as_written, check_count, quote, read_number

Key = tuple[int, ...]
_SKIPPED = r"[ \t]*(?:[!%#].*)?\n"
QPLIB_START = re.compile(
    rf"(?:{_SKIPPED})*\S.*\n(?:{_SKIPPED})*[ \t]*[LDCQ][CBMIG][NBLDCQ]\b.*\n(?:{_SKIPPED})*[ \t]*(?:min|max)imize\b",
    re.I,
)
"""Pattern of a file's start: a name, a kind and a sense."""


class _Lines:
    def __init__(self, text: str, source: str) -> None:
        self._lines = [*split_words(text, source, "!%#")][::-1]
        self._source = source

    def has_more(self) -> bool:
        return bool(self._lines)

    def take(self, count: int, what: str) -> tuple[Place, list[str]]:
        """Return the first words of the next line; the rest of it is a comment."""
        if not self._lines:
            raise Place(self._source).fault(f"the file ends before {what}: it is cut short")
        place, words = self._lines.pop()
        if len(words) < count:
            raise place.fault(f"{len(words)} words in a line of {what}: write {count}")
        return place, words[:count]

    def number(self, what: str) -> Fraction:
        place, (word,) = self.take(1, what)
        return as_written(read_number(word, place, what))

    def count(self, what: str) -> int:
        place, (word,) = self.take(1, what)
        return read_whole(word, place, what, 0, 1 << 31)

    def entries(self, what: str, most: Key, *, symmetric: bool = False) -> Iterator[tuple[Place, Key, str]]:
        """Yield a count of lines of indices from 1, each up to its bound, and a value."""
        seen = set[tuple[int, ...]]()
        for _ in range(self.count(f"the number of {what}")):
            place, (*words, value) = self.take(len(most) + 1, what)
            key = tuple(read_whole(word, place, "an index", 1, bound) for word, bound in zip(words, most, strict=True))
            # In a symmetric matrix the entries (i, j) and (j, i) are the same.
            same = (*key[:-2], *sorted(key[-2:])) if symmetric else key
            if same in seen:
                raise place.fault(f"a second entry for {' '.join(words)} among {what}: remove one, or add them")
            seen.add(same)
            yield place, key, value

    def vector(self, what: str, size: int) -> list[Fraction]:
        """Return a vector: a default and the entries that differ from it."""
        found = [self.number(f"the default of {what}")] * size
        for place, (index,), word in self.entries(what, (size,)):
            found[index - 1] = as_written(read_number(word, place, what))
        return found

    def names(self, what: str, letter: str, size: int) -> list[str]:
        found = [f"{letter}{k + 1}" for k in range(size)]
        if self.has_more():
            for _, (index,), word in self.entries(what, (size,)):
                found[index - 1] = word
        return found


def read_qplib(text: str, source: str) -> IntegerProgram:
    """Read a QPLIB file; raises an InputError that names the row, or an UnsupportedError for real variables."""
    lines = _Lines(text, source)
    place, kind, sense = _read_kind(lines)
    size = lines.count("the number of variables")
    check_count(size, place)
    # N: no constraints, B: bounds alone. Such files have no line for the number of constraints.
    has_rows = kind[2] not in "NB"
    num_rows = lines.count("the number of constraints") if has_rows else 0
    half = _read_forms(lines, "quadratic terms", size, 0) if kind[0] != "L" else {}
    linear = lines.vector("linear terms", size)
    constant = lines.number("the objective's constant")
    halves = _read_forms(lines, "quadratic terms of constraints", size, num_rows) if kind[2] in "DCQ" else {}
    rows: dict[int, dict[Key, Fraction]] = {row: dict(halves.get(row, {})) for row in range(1, num_rows + 1)}
    if has_rows:
        for spot, (row, index), word in lines.entries("linear terms of constraints", (num_rows, size)):
            rows[row][(index,)] = as_written(read_number(word, spot))
    infinity = lines.number("the number for infinity")
    sides = ("lower ends", "upper ends") if has_rows else ()
    ends = [lines.vector(f"{side} of constraints", num_rows) for side in sides]
    bounds, whole = _read_domains(lines, kind[1], size)
    # Starting points are skipped; a file may omit them and all that follows.
    for what, many in (("x", size), ("y", num_rows), ("z", size)):
        if lines.has_more() and (many or what != "y"):
            lines.vector(f"starting values of {what}", many)
    names = lines.names("names of variables", "x", size)
    labels = lines.names("names of constraints", "c", num_rows) if has_rows else []
    if len({*names}) < size:
        raise place.fault("two variables have one name: correct the names at the end")
    if real := [name for name, is_whole in zip(names, whole, strict=True) if not is_whole]:
        fault = f"variable {real[0]} is real, and qubits hold whole numbers: round or scale it"
        raise UnsupportedError(fault, source=source)
    domains = _name_domains(names, bounds, infinity, Place(source))
    objective = {(): constant} | {(k + 1,): c for k, c in enumerate(linear)} | half.get(0, {})
    made = list[SumRow]()
    for form, label, low, high in zip(rows.values(), labels, *ends, strict=True):
        limits = [("==", low)] if low == high else [(">=", low), ("<=", high)]
        named = _name_form(form, names)
        made += [SumRow(label, named, relation, bound) for relation, bound in limits if abs(bound) < infinity]
    return IntegerProgram(domains, _name_form(objective, names), sense, tuple(made))


def _read_kind(lines: _Lines) -> tuple[Place, str, Sense]:
    """Return the place of the three letters, the letters, and the sense."""
    lines.take(1, "a name")
    place, (kind,) = lines.take(1, "a kind")
    if not re.fullmatch("[LDCQ][CBMIG][NBLDCQ]", kind := kind.upper()):
        raise place.fault(f"kind {quote(kind)} is not three letters as in QBL: correct it")
    where, (sense,) = lines.take(1, "a sense")
    if sense.lower() not in ("minimize", "maximize"):
        raise where.fault(f"sense {quote(sense)} is neither minimize nor maximize: correct it")
    if kind[1] == "C":
        raise place.unsupported("all variables are real, and qubits hold whole numbers: give a file with whole ones")
    return place, kind, "max" if sense.lower() == "maximize" else "min"


def _read_forms(lines: _Lines, what: str, size: int, num_rows: int) -> dict[int, dict[Key, Fraction]]:
    """Return quadratic forms by constraint, 0 for the objective."""
    found: dict[int, dict[Key, Fraction]] = {}
    most = (*[num_rows] * bool(num_rows), size, size)
    for place, (*row, first, second), word in lines.entries(what, most, symmetric=True):
        value = as_written(read_number(word, place))
        # Half of x'Hx: an off-diagonal entry of H occurs twice and counts once, a diagonal one counts half.
        found.setdefault(row[0] if row else 0, {})[first, second] = value / 2 if first == second else value
    return found


def _read_domains(lines: _Lines, kind: str, size: int) -> tuple[tuple[list[Fraction], list[Fraction]], list[bool]]:
    """Return the bounds of each variable, and whether it is whole."""
    if kind == "B":
        return ([Fraction(0)] * size, [Fraction(1)] * size), [True] * size
    low, high = lines.vector("lower bounds", size), lines.vector("upper bounds", size)
    kinds = lines.vector("kinds of variables", size) if kind in "MG" else [Fraction(1)] * size
    for k, one in enumerate(kinds):
        # Kind 2 is binary, 1 is integer, 0 is real.
        if one == 2:
            low[k], high[k] = max(low[k], Fraction(0)), min(high[k], Fraction(1))
    return (low, high), [one in (1, 2) for one in kinds]


def _name_domains(
    names: list[str], bounds: tuple[list[Fraction], ...], infinity: Fraction, place: Place
) -> dict[str, tuple[int, int]]:
    domains = {}
    for name, low, high in zip(names, *bounds, strict=True):
        if max(abs(low), abs(high)) >= infinity:
            raise place.fault(f"integer variable {name} has no bound: give a lower and an upper one")
        # Ceiling and floor of exact fractions.
        domains[name] = (-(-low.numerator // low.denominator), high.numerator // high.denominator)
    return domains


def _name_form(form: Mapping[Key, Fraction], names: list[str]) -> Form:
    return {tuple(names[k - 1] for k in key): c for key, c in form.items() if c}

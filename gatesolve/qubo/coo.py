"""COO and ``.qubo`` text: one line ``i j weight`` a term.

The COO layout is dimod's, ``# vartype=BINARY`` on top. ``.qubo`` is qbsolv's: comments after ``c``, a line
``p qubo 0 variables diagonals couplers``, the diagonals and then the couplers. One reader takes both, and comments
``# offset = 2.5`` and ``# variables = 12``, in which either keeps what its layout has no place for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gatesolve.errors import UnsupportedError
from gatesolve.qubo.numerals import MAX_TERMS, Place, add_to, check_count, decimal, is_number, read_number, shown, some
from gatesolve.qubo.polynomial import Monomial, Number
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.to_dimod import from_variables

_COMMENT = re.compile(r"\s*(?:[#%]+|[cC](?=\s|$))(.*)")
_SETTING = re.compile(r"(?:.*\s)?(vartype|offset|variables)\s*[:=]\s*(\S+)\s*", re.IGNORECASE)
_INDEX = re.compile(r"-?[0-9]{1,18}")
_NAME = re.compile(r"[^\W\d]\S*")


@dataclass
class _Header:
    """What comments and the ``p`` line say."""

    spin: bool = False
    offset: Number | None = None
    variables: int | None = None
    diagonals: int | None = None
    couplers: int | None = None


@dataclass(frozen=True)
class Coo:
    """What a file holds.

    Attributes:
        qubo: with names ``x0, x1, ...`` where the file has numbers.
        offset: as the file states it; None if it does not.
        numbered: whether the file has numbers for variables.
    """

    qubo: Qubo
    offset: Number | None
    numbered: bool


def read_coo(text: str, source: str, declared: int | None = None) -> Coo:
    r"""Read COO or ``.qubo`` text.

    Lines of the same pair, either way round, add up. Numbers count from 0; a number that no line holds is an error
    unless the file declares how many variables there are (``# variables = 12`` or the ``p`` line), when it is a
    variable without terms. Names instead of numbers, throughout, are variables in order of appearance.

    Args:
        text: of the file, lines ending in ``\n``.
        source: what to call it in messages.
        declared: how many variables there are, where something beside the file says so.

    Raises:
        InputError: whatever is malformed, with row and column; too many variables, before anything is made for them.
    """
    header = _Header(variables=declared)
    terms: dict[Monomial, Number] = {}
    names: dict[str, int] = {}
    counted = [0, 0]
    named: bool | None = None
    for row, words in _data_lines(text, source, header):
        place = Place(source, row)
        if named is None:
            named = not _INDEX.fullmatch(words[0])
        numbers = [_variable(word, named, names, header, Place(source, row, k + 1)) for k, word in enumerate(words[:2])]
        weight = read_number(words[2], Place(source, row, 3), "weight")
        first, second = numbers
        # Of spins too, i i is the linear weight.
        key = (first,) if first == second else (min(numbers), max(numbers))
        counted[len(key) - 1] += 1
        if sum(counted) > MAX_TERMS:
            raise place.fault(f"more than {MAX_TERMS} lines of terms: give a smaller problem")
        add_to(terms, key, weight)
    _check_counts(header, counted, Place(source))
    if named is None and not header.variables:
        raise Place(source).fault("no terms: write one line 'i j weight' a term")
    every = list(names) if named else _numbered(terms, header, Place(source))
    qubo = from_variables(every, [((), header.offset or 0), *terms.items()], header.spin)
    return Coo(qubo, header.offset, not named)


def _data_lines(text: str, source: str, header: _Header) -> Iterator[tuple[int, list[str]]]:
    """Row and words of every line ``i j weight``; the others go into the header."""
    for row, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        comment = _COMMENT.fullmatch(line) if words and words[0][0] in "#%cC" else None
        if comment and not _is_term(words):
            _setting(comment[1], header, Place(source, row))
        elif words and words[0] == "p":
            _problem_line(words, header, Place(source, row))
        elif words:
            if len(words) != 3:
                raise Place(source, row).fault(
                    f"{len(words)} word{'s' if len(words) > 1 else ''}, {shown(line.strip())}: write 'i j weight', "
                    "and i i for a linear weight"
                )
            yield row, words


def _is_term(words: list[str]) -> bool:
    """A line ``c d 1.5`` between variables called c and d is no comment."""
    return len(words) == 3 and words[0] in {"c", "C"} and is_number(words[2])


def _setting(comment: str, header: _Header, place: Place) -> None:
    match = _SETTING.fullmatch(comment)
    if not match:
        return
    key, value = match[1].lower(), match[2]
    if key == "vartype":
        if value.upper() not in {"BINARY", "SPIN"}:
            raise place.fault(f"unknown vartype {shown(value)}: write BINARY or SPIN")
        header.spin = value.upper() == "SPIN"
    elif key == "offset":
        header.offset = read_number(value, place, "offset")
    else:
        header.variables = _count(value, place)


def _problem_line(words: list[str], header: _Header, place: Place) -> None:
    """``p qubo topology variables diagonals couplers``."""
    if len(words) != 6 or words[1].lower() != "qubo":
        raise place.fault("not a problem line: write 'p qubo 0 VARIABLES DIAGONALS COUPLERS'")
    if header.diagonals is not None:
        raise place.fault("a second problem line: give a file with one problem in it")
    header.variables = _count(words[3], Place(place.source, place.row, 4))
    header.diagonals = _count(words[4], Place(place.source, place.row, 5), limit=False)
    header.couplers = _count(words[5], Place(place.source, place.row, 6), limit=False)


def _count(word: str, place: Place, limit: bool = True) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", word):
        raise place.fault(f"{shown(word)} is no count: give a whole number")
    if limit:
        check_count(int(word), place)
    return int(word)


def _variable(word: str, named: bool, names: dict[str, int], header: _Header, place: Place) -> int:
    """The number of a variable."""
    if named:
        if not _NAME.fullmatch(word):
            raise place.fault(f"{shown(word)} is no variable: give all variables numbers, or all of them names")
        number = names.setdefault(word, len(names))
    else:
        if not _INDEX.fullmatch(word):
            raise place.fault(f"{shown(word)} is no variable number: number the variables from 0")
        number = int(word)
        if number < 0:
            raise place.fault(f"variable {number} is negative: number the variables from 0")
    check_count(number + 1, place)
    if header.variables is not None and number >= header.variables:
        raise place.fault(f"variable {number} of {header.variables} declared: number them from 0, or declare more")
    return number


def _check_counts(header: _Header, counted: list[int], place: Place) -> None:
    for what, said, found in zip(("diagonals", "couplers"), (header.diagonals, header.couplers), counted, strict=True):
        if said is not None and said != found:
            raise place.fault(f"{found} {what}, the p line says {said}: the file is cut short, or mend the count")


def _numbered(terms: Iterable[Monomial], header: _Header, place: Place) -> list[str]:
    """Names for numbers, none of which may be missing unless it was declared."""
    used = {number for monomial in terms for number in monomial}
    count = max(used, default=-1) + 1
    if header.variables is None:
        missing = [number for number in range(count) if number not in used]
        if missing:
            raise place.fault(
                f"no line holds variable {some(missing)}: number from 0 without gaps, or add '# variables = {count}'"
            )
    return [f"x{number}" for number in range(header.variables or count)]


def coo_text(qubo: Qubo) -> str:
    """COO text that dimod reads too (all but the offset, and variables without terms).

    Raises:
        UnsupportedError: a term of more than two variables.
    """
    lines = ["# vartype=BINARY", f"# variables = {qubo.num_variables}", f"# offset = {decimal(qubo.offset)}"]
    return "\n".join([*lines, *_terms(qubo, 1), *_terms(qubo, 2), ""])


def qubo_text(qubo: Qubo) -> str:
    """``.qubo`` text as qbsolv reads it, but for the offset.

    Raises:
        UnsupportedError: a term of more than two variables.
    """
    diagonals, couplers = _terms(qubo, 1), _terms(qubo, 2)
    top = [f"c offset = {decimal(qubo.offset)}"]
    top += [f"p qubo 0 {qubo.num_variables} {len(diagonals)} {len(couplers)}"]
    return "\n".join([*top, *diagonals, *couplers, ""])


def _terms(qubo: Qubo, size: int) -> list[str]:
    if not qubo.is_quadratic:
        raise UnsupportedError(f"a term has {qubo.degree} variables, this format takes 2: write .json instead")
    return [f"{m[0]} {m[-1]} {decimal(c)}" for m, c in sorted(qubo.terms.items()) if len(m) == size]

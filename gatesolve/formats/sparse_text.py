"""Sparse matrices and graphs as text: a line ``i j weight`` a term.

COO is dimod's layout, with ``# vartype=BINARY`` on top. ``.qubo`` is qbsolv's: comments after ``c``, a line ``p qubo 0
variables diagonals couplers``, the diagonals and then the couplers. One reader accepts both. Comments ``# offset =
2.5`` and ``# variables = 12`` keep what the layouts cannot contain. The reader of dimod (`dimod.serialization.coo`) is
only the peer of the tests: it skips unknown lines, such as those with an exponent, and has no offset and no names.

Other files have ``n m`` on top and m lines, numbered from 1. OR-Library's (Beasley) start with the number of problems.
They contain a symmetric matrix, each pair once; x'Qx, in which a pair counts twice, is maximised. MQLib's matrices are
the same without the first line. Its graphs, G-set and rudy's output ask for a largest cut. Biq Mac minimises.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from gatesolve.formats.convert import SPIN, from_variables
from gatesolve.formats.integer_program import Sense, problem_of_qubo
from gatesolve.formats.problem import Problem
from gatesolve.formats.text import read_whole, split_words
from gatesolve.qubo.numerals import (
    MAX_TERMS,
    Place,
    add_to,
    as_written,
    check_count,
    count_noun,
    decimal,
    is_number,
    quote,
    read_number,
)
from gatesolve.qubo.polynomial import Monomial, Number
from gatesolve.qubo.qubo import Qubo

_COMMENT = re.compile(r"\s*(?:[#%]+|[cC](?=\s|$))(.*)")
_SETTING = re.compile(r"(?:.*\s)?(vartype|offset|variables)\s*[:=]\s*(\S+)\s*", re.IGNORECASE)
_INDEX = re.compile(r"-?[0-9]{1,18}")
_NAME = re.compile(r"[^\W\d]\S*")
KINDS: dict[str, str] = {"maxcut": "the largest cut", "bqp": "the largest x'Qx", "bq": "the smallest x'Qx"}
"""The goal of each kind of file."""
SUFFIXES = dict.fromkeys((".mc", ".rud", ".rudy", ".gset"), "maxcut") | {".bqp": "bqp", ".bq": "bq", ".sparse": "bq"}
_GSET = re.compile(r"(?:.*[/\\])?G[0-9]{1,3}(?:\.txt)?")
_COUNTS = re.compile(r"\s*[0-9]{1,9}(?:\s+[0-9]{1,9})?\s*")
_ENTRY = re.compile(r"\s*[1-9][0-9]{0,9}\s+[1-9][0-9]{0,9}\s+[-+]?[0-9.][0-9.eE+-]*\s*")


def read_coo(text: str, source: str, declared: int | None = None) -> tuple[Qubo, Number | None]:
    """Read COO or ``.qubo`` text.

    Lines of the same pair, either way round, add up. Numbers count from 0 without gaps, unless the file declares the
    number of variables (``# variables = 12`` or the ``p`` line), or another file does (``declared``). Variables are all
    numbers or all names; names are ordered by appearance.

    Returns:
        The Qubo, with names ``x0, x1, ...`` where the file has numbers, and the offset, if the file states it.
    """
    reader = _CooReader(source, declared)
    for row, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        comment = _COMMENT.fullmatch(line) if words and words[0][0] in "#%cC" else None
        # A line "c d 1.5" between variables called c and d is not a comment.
        is_term = len(words) == 3 and words[0] in {"c", "C"} and is_number(words[2])
        if comment and not is_term:
            reader.read_setting(comment[1], Place(source, row))
        elif words and words[0] == "p":
            reader.read_problem_line(words, row)
        elif words:
            reader.read_term(words, line, row)
    return reader.finish(), reader.offset


class _CooReader:
    def __init__(self, source: str, declared: int | None) -> None:
        self.source, self.variables = source, declared
        self.spin = False
        self.offset: Number | None = None
        # Diagonals and couplers that the p line declares.
        self.said: list[int] = []
        self.found = [0, 0]
        self.named: bool | None = None
        self.names: dict[str, int] = {}
        self.terms: dict[Monomial, Number] = {}

    def read_setting(self, comment: str, place: Place) -> None:
        match = _SETTING.fullmatch(comment)
        if not match:
            return
        key, value = match[1].lower(), match[2]
        if key == "offset":
            self.offset = read_number(value, place, "offset")
        elif key == "variables":
            self.variables = read_whole(value, place, "a count")
            check_count(self.variables, place)
        elif value.upper() in {"BINARY", "SPIN"}:
            self.spin = value.upper() == "SPIN"
        else:
            raise place.fault(f"unknown vartype {quote(value)}: write BINARY or SPIN")

    def read_problem_line(self, words: list[str], row: int) -> None:
        if len(words) != 6 or words[1].lower() != "qubo":
            raise Place(self.source, row).fault("not a problem line: write 'p qubo 0 VARIABLES DIAGONALS COUPLERS'")
        if self.said:
            raise Place(self.source, row).fault("a second problem line: give a file with one problem in it")
        self.variables, *self.said = (
            read_whole(words[k], Place(self.source, row, k + 1), "a count") for k in (3, 4, 5)
        )
        check_count(self.variables, Place(self.source, row, 4))

    def read_term(self, words: list[str], line: str, row: int) -> None:
        place = Place(self.source, row)
        if len(words) != 3:
            mend = "write 'i j weight', and i i for a linear weight"
            raise place.fault(f"{count_noun(len(words), 'word')}, {quote(line.strip())}: {mend}")
        if self.named is None:
            self.named = not _INDEX.fullmatch(words[0])
        # A set: "i i" has one member, and its size tells diagonals from couplers.
        pair = {self._variable(word, Place(self.source, row, k + 1)) for k, word in enumerate(words[:2])}
        weight = read_number(words[2], Place(self.source, row, 3), "weight")
        self.found[len(pair) - 1] += 1
        if sum(self.found) > MAX_TERMS:
            raise place.fault(f"more than {MAX_TERMS} lines of terms: give a smaller problem")
        # For spins, too, "i i" is the linear weight.
        add_to(self.terms, tuple(sorted(pair)), weight)

    def _variable(self, word: str, place: Place) -> int:
        if self.named:
            if not _NAME.fullmatch(word):
                raise place.fault(f"{quote(word)} is not a variable: give all variables numbers, or all of them names")
            number = self.names.setdefault(word, len(self.names))
        else:
            number = read_whole(word, place, "a variable's number")
        check_count(number + 1, place)
        if self.variables is not None and number >= self.variables:
            fault = f"variable {number}, but {self.variables} are declared"
            raise place.fault(f"{fault}: number them from 0, or declare more")
        return number

    def finish(self) -> Qubo:
        place = Place(self.source)
        for what, said, found in zip(("diagonals", "couplers"), self.said, self.found, strict=False):
            if said != found:
                fault = f"{found} {what}, but the p line declares {said}"
                raise place.fault(f"{fault}: the file is cut short, or correct it")
        if self.named is None and not self.variables:
            raise place.fault("no terms: write one line 'i j weight' a term")
        names = list(self.names)
        if not self.named:
            used = {number for monomial in self.terms for number in monomial}
            count = max(used, default=-1) + 1
            # Gaps may be a file numbered from 1, or with a term missing: neither is guessed.
            if self.variables is None and len(used) < count:
                gaps = sorted(set(range(count)) - used)
                missing = ", ".join(map(str, gaps[:5])) + (f", ... ({len(gaps)} in all)" if len(gaps) > 5 else "")
                mend = f"number from 0 without gaps, or add '# variables = {count}'"
                raise place.fault(f"no line contains variable {missing}: {mend}")
            names = [f"x{number}" for number in range(self.variables or count)]
        return from_variables(names, [((), self.offset or 0), *self.terms.items()], SPIN if self.spin else None)


def coo_text(qubo: Qubo) -> str:
    """Return COO text of a quadratic Qubo; dimod reads all but the offset and variables without terms."""
    top = ["# vartype=BINARY", f"# variables = {qubo.num_variables}", f"# offset = {decimal(qubo.offset)}"]
    return "\n".join([*top, *_terms(qubo, 1), *_terms(qubo, 2), ""])


def qubo_text(qubo: Qubo) -> str:
    """Return ``.qubo`` text of a quadratic Qubo; qbsolv reads all but the offset."""
    diagonals, couplers = _terms(qubo, 1), _terms(qubo, 2)
    top = [f"c offset = {decimal(qubo.offset)}", f"p qubo 0 {qubo.num_variables} {len(diagonals)} {len(couplers)}"]
    return "\n".join([*top, *diagonals, *couplers, ""])


def _terms(qubo: Qubo, size: int) -> list[str]:
    return [f"{m[0]} {m[-1]} {decimal(c)}" for m, c in sorted(qubo.terms.items()) if len(m) == size]


def looks_sparse(text: str) -> bool:
    """Return whether a text, or its start, has counts on top and nothing but entries below."""
    # The last line of a truncated text may be incomplete.
    whole = text if len(text) < 1 << 12 else text[: text.rfind("\n")]
    lines = [line for line in whole.split("\n") if line.strip() and not line.startswith("#")]
    # At most two lines of counts: the number of problems in OR-Library's files, and 'n m'.
    top = next((k for k, line in enumerate(lines[:3]) if not _COUNTS.fullmatch(line)), 0)
    return 0 < top < 3 and len(lines[top - 1].split()) == 2 and all(map(_ENTRY.fullmatch, lines[top:]))


def read_sparse(text: str, source: str, title: str, kind: str | None = None) -> Problem:
    """Read a matrix or a graph; ``kind`` decides where the name and the text are ambiguous."""
    size, entries, several, loop = _read(text, source)
    told = kind or ("maxcut" if _GSET.fullmatch(source) else None)
    # Only matrices have diagonals or several problems in one file.
    if told is None and (several or loop):
        told = "bqp"
    if told is None:
        mend = "give family=maxcut for its largest cut, bqp for the largest x'Qx"
        raise Place(source).fault(f"a graph or a matrix: {mend}")
    names = [f"x{k + 1}" for k in range(size)]
    if told == "maxcut":
        if loop:
            raise Place(source, loop).fault("an edge from a node to itself: remove it, or give family=bqp for a matrix")
        return largest_cut(names, entries.items(), title)
    sense: Sense = "min" if told == "bq" else "max"
    sign = 1 if sense == "min" else -1
    # x'Qx contains each pair twice, as (i, j) and (j, i), and a diagonal entry once: the length of the key.
    terms = [(pair, sign * len(pair) * as_written(weight)) for pair, weight in entries.items()]
    qubo = from_variables(names, terms, None)
    what = f"{count_noun(size, 'variable')}, {count_noun(len(entries), 'term')}"
    return replace(problem_of_qubo(qubo, title, sense), name=f"{title}: {KINDS[told]}, {what}")


def largest_cut(names: Sequence[str], edges: Collection[tuple[Monomial, Number]], title: str) -> Problem:
    """Return the problem of a largest cut: nodes on sides 0 and 1; weights of parallel edges add up."""
    terms: list[tuple[Monomial, Number]] = []
    for pair, weight in edges:
        # An edge is cut where x + y - 2xy is 1. The Qubo is minimised, so it is negated.
        terms += [((node,), -as_written(weight)) for node in pair] + [(pair, 2 * as_written(weight))]
    qubo = from_variables(names, terms, None)
    what = f"{count_noun(len(names), 'node')}, {count_noun(len(edges), 'edge')}"
    return replace(problem_of_qubo(qubo, title, "max"), name=f"{title}: {KINDS['maxcut']}, {what}")


def _read(text: str, source: str) -> tuple[int, dict[Monomial, Number], bool, int | None]:
    """Return the size, the entries, whether a number of problems is on top, and the first row with a node twice."""
    lines = split_words(text, source, "#")
    place, words = next(lines, (Place(source, 1), []))
    # OR-Library's files begin with the number of problems.
    if several := len(words) == 1:
        if read_whole(words[0], place, "a count") != 1:
            raise place.fault(f"{words[0]} problems in one file: keep one, below a line 1")
        place, words = next(lines, (place, []))
    if len(words) != 2:
        raise place.fault("no counts: write 'n m' on top, the variables or nodes and the lines below")
    size, said = (read_whole(word, place, "a count") for word in words)
    check_count(size, place)
    entries: dict[Monomial, Number] = {}
    loop: int | None = None
    for place, words in lines:
        if len(words) != 3:
            raise place.fault(f"{count_noun(len(words), 'word')}: write 'i j weight'")
        i, j = (read_whole(word, place, "a number of 'i j weight'") for word in words[:2])
        if not (1 <= i <= size and 1 <= j <= size):
            raise place.fault(f"{quote(f'{i} {j}')}, of {size}: number from 1, or correct the counts on top")
        loop = loop or (place.row if i == j else None)
        pair = (i - 1,) if i == j else (min(i, j) - 1, max(i, j) - 1)
        if pair in entries:
            raise place.fault(f"the pair {i} {j} a second time: remove one")
        if len(entries) == MAX_TERMS:
            raise place.fault(f"more than {MAX_TERMS} lines: give a smaller problem")
        entries[pair] = read_number(words[2], place, "weight")
    if len(entries) != said:
        fault = f"{len(entries)} lines 'i j weight', of {said}"
        raise Place(source).fault(f"{fault}: the file is cut short, or correct the count")
    if not size:
        raise Place(source).fault("no variables: write 'n m' on top, and lines 'i j weight'")
    return size, entries, several, loop

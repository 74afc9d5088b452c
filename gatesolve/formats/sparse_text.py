"""Sparse matrices and graphs as text: ``n m``, then m lines ``i j weight``, numbered from 1.

OR-Library's files (Beasley) have the number of problems on top. They hold a symmetric matrix of which each pair stands
once; x'Qx, in which a pair counts twice, is made large. MQLib's matrices are the same without the first line. Its
graphs, G-set and whatever rudy writes ask for a largest cut. Biq Mac's matrices are made small.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gatesolve.formats.convert import from_variables
from gatesolve.formats.integer_program import QuboProblem, Sense, problem_of_qubo
from gatesolve.qubo.numerals import MAX_TERMS, Place, as_written, check_count, count_noun, quote, read_number
from gatesolve.qubo.polynomial import Monomial, Number

Kind = Literal["maxcut", "bqp", "bq"]
KINDS: dict[str, str] = {"maxcut": "the largest cut", "bqp": "the largest x'Qx", "bq": "the smallest x'Qx"}
"""What each kind of file asks for."""
SUFFIXES: dict[str, Kind] = {
    ".mc": "maxcut",
    ".rud": "maxcut",
    ".rudy": "maxcut",
    ".gset": "maxcut",
    ".bqp": "bqp",
    ".bq": "bq",
    ".sparse": "bq",
}
_GSET = re.compile(r"(?:.*[/\\])?G[0-9]{1,3}(?:\.txt)?")
_COUNTS = re.compile(r"\s*[0-9]{1,9}(?:\s+[0-9]{1,9})?\s*")
_ENTRY = re.compile(r"\s*[1-9][0-9]{0,9}\s+[1-9][0-9]{0,9}\s+[-+]?[0-9.][0-9.eE+-]*\s*")


def looks_sparse(text: str) -> bool:
    """Whether a text, of which the start is enough, has counts on top and nothing but entries below."""
    whole = text if len(text) < 1 << 12 else text[: text.rfind("\n")]
    lines = [line for line in whole.split("\n") if line.strip() and not line.startswith("#")]
    top = next((k for k, line in enumerate(lines[:3]) if not _COUNTS.fullmatch(line)), 0)
    return 0 < top < 3 and len(lines[top - 1].split()) == 2 and all(map(_ENTRY.fullmatch, lines[top:]))


@dataclass(frozen=True)
class _Matrix:
    size: int
    entries: dict[Monomial, Number]
    several: bool  # a number of problems on top
    loop: int | None = None  # the first row with a node twice


def read_sparse(text: str, source: str, title: str, kind: str | None = None) -> QuboProblem:
    """Read a matrix or a graph; what the name and the text do not tell, ``kind`` does.

    Raises:
        InputError: malformed: names the row; or it can be read in two ways.
    """
    matrix = _read(text, source)
    told = kind or ("maxcut" if _GSET.fullmatch(source) else None)
    if told is None and (matrix.several or matrix.loop):
        told = "bqp"
    if told is None:
        raise Place(source).fault(
            "a graph or a matrix: give family=maxcut for its largest cut, bqp for the largest x'Qx"
        )
    if told == "maxcut" and matrix.loop:
        raise Place(source, matrix.loop).fault(
            "an edge from a node to itself: take it out, or give family=bqp for a matrix"
        )
    names = [f"x{k + 1}" for k in range(matrix.size)]
    if told == "maxcut":
        return largest_cut(names, matrix.entries.items(), title)
    sense: Sense = "min" if told == "bq" else "max"
    sign = 1 if sense == "min" else -1
    terms = [(pair, sign * len(pair) * as_written(weight)) for pair, weight in matrix.entries.items()]
    qubo = from_variables(names, terms, None)
    what = f"{count_noun(matrix.size, 'variable')}, {count_noun(len(matrix.entries), 'term')}"
    return replace(problem_of_qubo(qubo, title), title=f"{title}: {KINDS[told]}, {what}", sense=sense)


def largest_cut(names: Sequence[str], edges: Collection[tuple[Monomial, Number]], title: str) -> QuboProblem:
    """Nodes on two sides, 0 and 1, so that the edges between the sides weigh most; weights of parallel edges add up."""
    terms: list[tuple[Monomial, Number]] = []
    for pair, weight in edges:
        terms += [((node,), -as_written(weight)) for node in pair] + [(pair, 2 * as_written(weight))]
    qubo = from_variables(names, terms, None)
    what = f"{count_noun(len(names), 'node')}, {count_noun(len(edges), 'edge')}"
    return replace(problem_of_qubo(qubo, title), title=f"{title}: {KINDS['maxcut']}, {what}", sense="max")


def _read(text: str, source: str) -> _Matrix:
    numbered = enumerate(text.split("\n"), start=1)
    lines = ((row, line.split()) for row, line in numbered if line.strip() and not line.startswith("#"))
    row, words = next(lines, (1, []))
    if several := len(words) == 1:
        if _number(words[0], Place(source, row)) != 1:
            raise Place(source, row).fault(f"{words[0]} problems in one file: keep one, below a line 1")
        row, words = next(lines, (row, []))
    place = Place(source, row)
    if len(words) != 2:
        raise place.fault("no counts: write 'n m' on top, the variables or nodes and the lines below")
    size, said = (_number(word, place) for word in words)
    check_count(size, place)
    entries: dict[Monomial, Number] = {}
    loop: int | None = None
    for row, words in lines:
        place = Place(source, row)
        if len(words) != 3:
            raise place.fault(f"{count_noun(len(words), 'word')}: write 'i j weight'")
        i, j = (_number(word, place) for word in words[:2])
        if not (1 <= i <= size and 1 <= j <= size):
            raise place.fault(f"{quote(f'{i} {j}')}, of {size}: number from 1, or mend the counts on top")
        loop = loop or (row if i == j else None)
        pair = (i - 1,) if i == j else (min(i, j) - 1, max(i, j) - 1)
        if pair in entries:
            raise place.fault(f"the pair {i} {j} a second time: take one of them out")
        if len(entries) == MAX_TERMS:
            raise place.fault(f"more than {MAX_TERMS} lines: give a smaller problem")
        entries[pair] = read_number(words[2], place, "weight")
    if len(entries) != said:
        raise Place(source).fault(
            f"{len(entries)} lines 'i j weight', of {said}: the file is cut short, or mend the count"
        )
    if not size:
        raise Place(source).fault("no variables: write 'n m' on top, and lines 'i j weight'")
    return _Matrix(size, entries, several, loop)


def _number(word: str, place: Place) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", word):
        raise place.fault(f"{quote(word)} is no whole number: write 'n m' on top and 'i j weight' below")
    return int(word)

"""JSON of a Qubo: complete in one file, or beside a COO or LP file what that cannot contain (its *sidecar*).

Both keep the names, the meaning of each variable, the offset, and the blocks of the space, so that samples decode.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gatesolve.encodings import block as blocks
from gatesolve.encodings.block import Block, make_coded
from gatesolve.encodings.choose import digit_block
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.formats.convert import from_variables
from gatesolve.model import Variable
from gatesolve.qubo.numerals import MAX_TERMS, Place, check_count, quote, read_number, shortest_number, to_number
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import Qubo

FORMAT = "gatesolve-qubo"
SIDECAR = "gatesolve-qubo-sidecar"
_FIELDS = ("format", "variables", "offset", "meanings", "blocks", "terms", "title", "comment")
_Rows = Sequence[tuple[int, ...]]


def qubo_data(qubo: Qubo) -> dict[str, Any]:
    """Return all of a Qubo as data that JSON holds, of any degree."""
    terms = [[[qubo.names[i] for i in m], _write_number(c)] for m, c in qubo.terms.items()]
    return {"format": FORMAT, **_describe(qubo), "terms": terms}


def qubo_json(qubo: Qubo) -> str:
    """Return all of a Qubo as JSON text; one line a term."""
    data = qubo_data(qubo)
    listed = ",\n".join(f"  {json.dumps(term)}" for term in data.pop("terms"))
    return _object_text(data, f' "terms": [\n{listed}\n ]')


def sidecar_json(qubo: Qubo, written: Sequence[str], file: str) -> str:
    """Return the JSON that goes beside ``file``, in which the variables are called ``written``."""
    return _object_text({"format": SIDECAR, "file": file, "written_as": list(written), **_describe(qubo)})


def _object_text(data: dict[str, Any], *more: str) -> str:
    """Return one line a field, so that a file of a thousand variables stays readable."""
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join([*lines, *more]) + "\n}\n"


def _describe(qubo: Qubo) -> dict[str, Any]:
    found: dict[str, Any] = {"variables": list(qubo.names), "offset": _write_number(qubo.offset)}
    if qubo.meanings:
        found["meanings"] = list(qubo.meanings)
    # All blocks or none: with some of them missing, the bits of a sample could not be assigned.
    blocks_of = () if qubo.space is None else qubo.space.blocks
    rows = [(block.kind, block.variables, block.tuples, block.codewords, block.num_qubits) for block in blocks_of]
    with suppress(InputError):
        if qubo.space is not None and all(_rebuild(*row) for row in rows):
            fields = ("kind", "variables", "values", "codewords", "bits")
            found["blocks"] = [dict(zip(fields, row, strict=True)) for row in rows]
    return found


def _write_number(value: Number) -> int | float | str:
    """Return a JSON number, or ``"1/3"`` for a fraction that no float equals."""
    value = to_number(value)
    if isinstance(value, Fraction):
        return str(value) if Fraction(float(value)) != value else float(value)
    return value


def read_json(data: dict[str, Any], source: str) -> Qubo:
    """Return a Qubo from the object that `qubo_data` returns.

    ``terms`` is needed: ``[[["a", "b"], 1.5], ...]``. Without ``variables`` these are those of the terms in order of
    appearance. Terms of the same variables add up.
    """
    place = Place(source)
    if unknown := [name for name in data if name not in _FIELDS]:
        raise place.fault(f"unknown field {quote(unknown[0])}: write some of {', '.join(_FIELDS)}, or remove it")
    listed = data.get("terms")
    if not isinstance(listed, list):
        raise place.fault('no list "terms": write {"terms": [[["a", "b"], 1.5], ...]}')
    if len(listed) > MAX_TERMS:
        raise place.fault(f"{len(listed)} terms, and at most {MAX_TERMS} are supported: give a smaller problem")
    rows = [_term(term, k, place) for k, term in enumerate(listed)]
    names = _names(data, "variables", place)
    if names is None:
        names = list(dict.fromkeys(name for row, _ in rows for name in row))
        check_count(len(names), place)
    numbers = {name: k for k, name in enumerate(names)}
    offset = _value(data.get("offset", 0), "offset", place)
    for k, (row, _) in enumerate(rows):
        if unknown := [name for name in row if name not in numbers]:
            raise place.fault(f"term {k + 1} reads {quote(unknown[0])}, which is not among the variables: add it there")
    if not names:
        raise place.fault("no variables: give at least one term")
    terms = [(tuple(numbers[name] for name in row), weight) for row, weight in rows]
    return _with_meanings_and_space(from_variables(names, [((), offset), *terms], None), data, place)


def apply_sidecar(qubo: Qubo, offset: Number | None, data: dict[str, Any], source: str, file: str) -> Qubo:
    """Return a Qubo from ``file`` with the names, offset, meanings and space of its sidecar, called ``source``.

    ``offset`` is the one that the file itself states, None if it states none.
    """
    place = Place(source)
    names = _names(data, "variables", place)
    written = _names(data, "written_as", place)
    if data.get("format") != SIDECAR or names is None or written is None or len(names) != len(written):
        raise place.fault(f"not a sidecar of {file}: write it again, or move it away")
    numbers = {name: k for k, name in enumerate(written)}
    if odd := set(qubo.names) ^ set(numbers):
        fault = f"{file} has other variables ({quote(min(odd))} is in one only): write it again, or move it away"
        raise place.fault(fault)
    said = shortest_number(_value(data.get("offset", 0), "offset", place))
    if offset is not None and offset != said:
        raise place.fault(f"offset {said}, but {offset} in {file}: correct one of them")
    terms = {tuple(sorted(numbers[qubo.names[i]] for i in m)): c for m, c in qubo.terms.items()}
    return _with_meanings_and_space(Qubo.of(names, {(): said if offset is None else offset, **terms}), data, place)


def _with_meanings_and_space(qubo: Qubo, data: dict[str, Any], place: Place) -> Qubo:
    meanings = _names(data, "meanings", place, unique=False)
    if meanings is not None and len(meanings) != len(qubo.names):
        raise place.fault(f"{len(meanings)} meanings for {len(qubo.names)} variables: give as many")
    listed, space = data.get("blocks"), None
    if listed is not None:
        if not isinstance(listed, list):
            raise place.fault('"blocks" is not a list: remove it')
        space = Space(tuple(_block(entry, k, place) for k, entry in enumerate(listed)))
        if space.num_qubits != len(qubo.names):
            raise place.fault(f"the blocks have {space.num_qubits} bits for {len(qubo.names)} variables: correct them")
    return replace(qubo, meanings=tuple(meanings or ()), space=space)


def _names(data: dict[str, Any], key: str, place: Place, unique: bool = True) -> list[str] | None:
    found = data.get(key)
    if found is None:
        return None
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise place.fault(f'"{key}" is not a list of texts: write ["a", "b", ...]')
    check_count(len(found), place)
    if unique and len(set(found)) != len(found):
        twice = next(name for name in found if found.count(name) > 1)
        raise place.fault(f'"{key}" names {quote(twice)} twice: give each its own name')
    return found


def _term(term: Any, number: int, place: Place) -> tuple[list[str], Number]:
    match term:
        case [list(names), weight] if isinstance(term, list) and all(isinstance(name, str) for name in names):
            return names, _value(weight, f"weight of term {number + 1}", place)
    raise place.fault(f'term {number + 1} is {quote(json.dumps(term))}: write [["a", "b"], 1.5]')


def _value(value: Any, what: str, place: Place) -> Number:
    """Return a finite number, or the fraction that a text stands for."""
    if isinstance(value, str) and value.count("/") == 1:
        above, below = (read_number(word.strip(), place, what) for word in value.split("/"))
        if isinstance(above, int) and isinstance(below, int) and below:
            return Fraction(above, below)
    # Python's bool is an int, but JSON's true is no number.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.fault(f"the {what} is {quote(json.dumps(value))}: give a number")
    return read_number(str(value), place, what)


def _block(entry: Any, number: int, place: Place) -> Block:
    malformed = place.fault(f"block {number + 1} is malformed: write it again, or remove the blocks")
    try:
        names = tuple(str(name) for name in entry["variables"])
        rows = tuple(tuple(int(value) for value in row) for row in entry["values"])
        words, bits, kind = tuple(int(word) for word in entry["codewords"]), int(entry["bits"]), entry["kind"]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise malformed from error
    # Bound the bits before shifting by them: a file may contain any number.
    fits = len(set(rows)) == len(words) == len(set(words)) and 0 <= bits <= 1 << 16 and rows
    if not isinstance(kind, str) or not fits or any(len(row) != len(names) for row in rows):
        raise malformed
    if not all(0 <= word < 1 << bits for word in words):
        raise place.fault(f"block {number + 1} has codewords of more than {bits} bits: correct them")
    try:
        return _rebuild(kind, names, rows, words, bits)
    except InputError as error:
        raise place.fault(f"block {number + 1}: {error}") from error


def _rebuild(kind: Any, names: Sequence[str], rows: _Rows, words: Sequence[int], bits: int) -> Block:
    """Return the block with these codewords, with a newly made preparation; an InputError where none is known."""
    # A file contains codewords but no circuit. Known encodings are tried for one with the same codewords.
    for made in _candidates(names, rows, words):
        if made is not None and (made.tuples, made.codewords, made.num_qubits) == (tuple(rows), tuple(words), bits):
            return replace(made, kind=kind)
    return make_coded(names, rows, words, bits, kind)


def _candidates(names: Sequence[str], rows: _Rows, words: Sequence[int]) -> list[Block | None]:
    found: list[Block | None] = []
    domain = tuple(row[0] for row in rows)
    # The three encodings of a single variable are defined on a domain in ascending order without repeats.
    if len(names) == 1 and list(domain) == sorted(set(domain)):
        variable = Variable(names[0], domain)
        found += [blocks.make_one_hot(variable), blocks.make_binary(variable), blocks.make_domain_wall(variable)]
    # A table numbers its rows from 0 without gaps, in any order.
    if sorted(words) == list(range(len(rows))):
        found.append(replace(blocks.make_table(names, rows), codewords=tuple(words)))
    found.append(blocks.make_unary(blocks.make_table(names, rows)))
    found.append(digit_block(names, rows, [tuple(sorted({row[k] for row in rows})) for k in range(len(names))]))
    return found

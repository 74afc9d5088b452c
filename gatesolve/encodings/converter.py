"""Between frozen dataclasses and plain data that JSON holds: one converter for all that is recorded.

A dataclass becomes a dictionary of its fields. Where a field takes one of several classes (constraints, what undoes
presolve, operations) the dictionary also has a ``kind``, the class's name in small letters. Fractions are strings,
and so are codewords, in hexadecimal: some readers of JSON keep no whole number above 2^53. Reading coerces nothing and
passes nothing over. To rename such a class or a field is to change the format of records: then `FORM` of
`gatesolve.devices.store` grows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from fractions import Fraction
from functools import partial
from operator import is_
from types import GenericAlias
from typing import Any, TypeVar, get_args, get_origin

from cattrs import Converter, transform_error
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from gatesolve.encodings.block import FEWEST, MOST, PERMUTATION, Block, make_permutation
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import AllDifferent, Clause, Linear, NotEqual, Objective, Table
from gatesolve.model.constraints import Constraint
from gatesolve.model.presolve.recovery import Looked, Weighted
from gatesolve.model.terms import Apply, Lookup, Sum, Term, Truth, Value
from gatesolve.model.trees import AllOf, Compare, Distinct, NoDigit, Not, OddOf, Within

TAG = "kind"
Read = TypeVar("Read")
KINDS = Linear | NotEqual | AllDifferent | Table | Clause | Compare | Within | AllOf | Not | OddOf | Distinct | NoDigit
"""The kinds of constraints that a record can hold."""
TERMS = Value | Truth | Sum | Apply | Lookup
"""The kinds of terms."""
DAMAGED = "the record of a job cannot be read ({}): it was damaged, or is of another version"
MOST_LISTED = 1 << 22
"""Codewords of permutation blocks that a record may stand for."""
Hook = Callable[[Any, Any], Any]


def unstructure(value: object) -> Any:
    """A dataclass as data that JSON holds."""
    return _CONVERTER.unstructure(value)


def structure(data: object, kind: type[Read], fault: str = DAMAGED) -> Read:
    """The dataclass that `unstructure` made into data.

    Raises:
        InputError: the data is of another format; its one line, ``fault``, names the first place that is wrong.
    """
    try:
        return _CONVERTER.structure(_require(dict)(data, dict), kind)
    except Exception as error:  # cattrs wraps whatever the classes say of their own values
        first = " ".join(transform_error(error, "$", _explain)[0].split())
        what, _, place = first.rpartition(" @ $")
        at = f"{place.removeprefix('.')[:80]}: " if place else ""
        raise InputError(fault.format(at + what[:160])) from error


def _explain(error: BaseException, kind: type | None) -> str:
    match error:
        case ForbiddenExtraKeysError():
            return f"unknown {', '.join(sorted(map(str, error.extra_fields)))}"
        case KeyError():
            return "missing"
        case _:
            return str(error)


def _tag_of(kind: type) -> str:
    """``NotEqual`` is ``not-equal``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


@dataclass(frozen=True)
class _Layout:
    """The part of a block that decodes; its preparation is left out, because records make no circuits.

    Of a permutation block one codeword is written: the values in their order, and the cells that hold them. The others
    are the same values in another order.
    """

    kind: str
    variables: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]
    codewords: tuple[str, ...]
    num_qubits: int

    def block(self) -> Block:
        """The block without preparation.

        Raises:
            ValueError: codewords that are no numbers, or do not fit the tuples and the width.
        """
        words = tuple(int(word, 16) for word in self.codewords)
        if not len(set(words)) == len(words) == len(self.tuples) or any(w < 0 or w >> self.num_qubits for w in words):
            raise ValueError("the codewords of a block do not fit its tuples")
        if any(len(row) != len(self.variables) for row in self.tuples):
            raise ValueError("the tuples of a block do not fit its variables")
        if self.kind != PERMUTATION:
            return Block(self.kind, self.variables, self.tuples, words, self.num_qubits, (), ())
        values = self.tuples[0]
        if len(self.tuples) > 1 or not FEWEST <= len(values) <= MOST or sorted(set(values)) != list(values):
            raise ValueError(f"a permutation block is of one row of {FEWEST} to {MOST} values in rising order")
        made = make_permutation(self.variables, values)
        if (made.num_qubits, _laid_out(made).codewords) != (self.num_qubits, self.codewords):
            raise ValueError("the cells of a permutation block do not hold its values in their order")
        return replace(made, preparation=(), roots=(), mirrors=())


def _laid_out(block: Block) -> _Layout:
    if block.parts:
        cells, row = block.parts[:-1], tuple(value for (value,) in block.parts[0].tuples)
        word = sum(place << place * cell.num_qubits for place, cell in enumerate(cells))
        return _Layout(block.kind, block.variables, (row,), (format(word, "x"),), block.num_qubits)
    words = tuple(format(word, "x") for word in block.codewords)
    return _Layout(block.kind, block.variables, block.tuples, words, block.num_qubits)


@dataclass(frozen=True)
class _Layouts:
    """The parts of a space."""

    blocks: tuple[_Layout, ...]


def _require(*wanted: type) -> Hook:
    """Takes a value of these types as it is."""

    def read(value: Any, kind: Any) -> Any:
        # By type, not isinstance: True is an int and would pass as 1.
        if type(value) not in wanted:
            raise TypeError(f"{str(value)[:40]!r} is no {wanted[0].__name__}")
        return value

    return read


def _read_real(value: Any, kind: Any) -> float:
    if type(value) not in {int, float} or not math.isfinite(value):
        raise TypeError(f"{str(value)[:40]!r} is no finite number")
    return float(value)


def _read_fraction(value: Any, kind: Any) -> Fraction:
    # Fraction itself accepts "1e999999999", and computing that number would not end.
    if not re.fullmatch(r"-?[0-9]+(/[0-9]+)?", _require(str)(value, str)):
        raise ValueError(f"{value[:40]!r} is not a fraction")
    return Fraction(value)


def _is_collection(kind: Any) -> bool:
    return get_origin(kind) in (tuple, frozenset)


def _read_collection(kind: Any, converter: Converter) -> Hook:
    """Tuples and frozen sets, from lists alone."""
    items, require = get_args(kind), _require(list)
    collect: Any = get_origin(kind)
    if collect is frozenset or items[-1] is Ellipsis:
        read_all = converter.get_structure_hook(GenericAlias(list, items[0]))
        return lambda value, _: collect(read_all(require(value, list), list))
    reads = [converter.get_structure_hook(item) for item in items]

    def read(value: Any, _: Any) -> Any:
        pairs = zip(reads, require(value, list), items, strict=True)
        return tuple(one(item, its) for one, item, its in pairs)

    return read


def _is_union(kind: Any) -> bool:
    members = get_args(kind)
    return get_origin(kind) is not tuple and len(members) > 1 and all(map(is_dataclass, members))


def _read_union(kind: Any, converter: Converter) -> Hook:
    members = {_tag_of(member): member for member in get_args(kind)}

    def read(value: Any, _: Any) -> Any:
        given = dict(_require(dict)(value, dict))
        # The tag is removed, because extra keys are forbidden.
        tag = given.pop(TAG, None)
        if not isinstance(tag, str) or tag not in members:
            raise ValueError(f"{TAG} is {str(tag)[:40]!r}, and must be one of {', '.join(members)}")
        return converter.structure(given, members[tag])

    return read


def _write_union(kind: Any, converter: Converter) -> Callable[[Any], Any]:
    def write(value: Any) -> dict[str, Any]:
        if type(value) not in get_args(kind):
            raise UnsupportedError(f"constraint '{value}' is of a kind that no record can hold: write it as a Table")
        return {TAG: _tag_of(type(value)), **converter.unstructure(value)}

    return write


def _converter() -> Converter:
    made = Converter(forbid_extra_keys=True, unstruct_collection_overrides={tuple: list, frozenset: sorted})
    for kind in (int, str, bool):
        made.register_structure_hook(kind, _require(kind))
    made.register_structure_hook(float, _read_real)
    made.register_structure_hook(Fraction, _read_fraction)
    made.register_unstructure_hook(Fraction, str)
    made.register_structure_hook_factory(_is_collection, _read_collection)
    made.register_structure_hook_factory(_is_union, _read_union)
    made.register_unstructure_hook_factory(_is_union, _write_union)
    for base, kinds in ((Constraint, KINDS), (Term, TERMS)):
        made.register_structure_hook_func(partial(is_, base), _read_union(kinds, made))
        made.register_unstructure_hook_func(partial(is_, base), _write_union(kinds, made))
    # Written as before these fields existed, so that the keys of earlier requests stay the same.
    later = override(omit_if_default=True)
    made.register_unstructure_hook(AllDifferent, make_dict_unstructure_fn(AllDifferent, made, offsets=later))
    for step in (Weighted, Looked):
        made.register_unstructure_hook(step, make_dict_unstructure_fn(step, made, joins=later))
    made.register_unstructure_hook(Table, make_dict_unstructure_fn(Table, made, rule=later))
    made.register_unstructure_hook(Objective, make_dict_unstructure_fn(Objective, made, parts=later))
    made.register_structure_hook(Block, lambda value, _: made.structure(value, _Layout).block())
    read_space = make_dict_structure_fn(Space, made)

    def read_bounded(value: Any, kind: Any) -> Space:
        # What is listed for permutation blocks is bounded; those of the same values share it.
        blocks = made.structure(value, _Layouts).blocks
        rows = {one.tuples[0] for one in blocks if one.kind == PERMUTATION and one.tuples}
        if sum(math.factorial(min(len(row), MOST)) for row in rows) > MOST_LISTED:
            raise ValueError(f"permutation blocks of different values have more than {MOST_LISTED} codewords")
        return read_space(value, kind)

    made.register_structure_hook(Space, read_bounded)
    made.register_unstructure_hook(Block, lambda block: made.unstructure(_laid_out(block)))
    return made


_CONVERTER = _converter()

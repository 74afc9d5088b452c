"""What is done on measured bits as JSON data, checked on reading."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gatesolve.circuit import And, Mcx, Op, Ops, Parity, Xor
from gatesolve.errors import InputError
from gatesolve.pipelines.finish_unread import Fill

MOST_OPS = 1 << 20
"""Most operations of one record."""


def ops_to_data(ops: Iterable[Op]) -> list[list[Any]]:
    """`Xor`, `And` and `Mcx` as lists: the name, then wires and constants, the target last.

    Raises:
        TypeError: another kind of operation.
    """
    data: list[list[Any]] = []
    for op in ops:
        match op:
            case Xor(source, target):
                data.append(["xor", list(source.wires), source.constant, target])
            case And(left, right, target):
                data.append(["and", list(left.wires), left.constant, list(right.wires), right.constant, target])
            case Mcx(controls, target):
                data.append(["mcx", [q for q, _ in controls], [value for _, value in controls], target])
            case _:
                raise TypeError(f"{op} is no operation on measured bits")
    return data


def ops_from_data(data: Any, num_qubits: int) -> Ops:
    """The operations behind `ops_to_data`, on qubits below ``num_qubits``.

    Raises:
        InputError: it is no such data.
    """
    if not isinstance(data, list) or len(data) > MOST_OPS:
        raise _damaged(f"no list of at most {MOST_OPS} operations")
    return tuple(_op(entry, num_qubits) for entry in data)


def fills_to_data(fills: Iterable[Fill]) -> list[list[Any]]:
    """Each as a list of the qubits read, those to be filled, and pairs of a word and the words that fit it."""
    return [[list(f.read), list(f.unread), [[word, list(fit)] for word, fit in f.words]] for f in fills]


def fills_from_data(data: Any, num_qubits: int, written: Iterable[int]) -> tuple[Fill, ...]:
    """The inverse of `fills_to_data`, on qubits below ``num_qubits``, none of ``written`` to be filled in.

    Raises:
        InputError: it is no such data.
    """
    if not isinstance(data, list) or len(data) > MOST_OPS:
        raise _damaged("no list of words to fill in")
    fills = tuple(_fill(entry, num_qubits) for entry in data)
    if len({q for f in fills for q in f.unread}) != sum(len(f.unread) for f in fills):
        raise _damaged("a qubit is filled in twice")
    if not {q for f in fills for q in f.unread}.isdisjoint(written):
        raise _damaged("a qubit that is known is filled in")
    return fills


def _fill(entry: Any, num_qubits: int) -> Fill:
    match entry:
        case [list(read), list(unread), list(words)] if len(words) <= MOST_OPS:
            both = _different([*read, *unread], num_qubits)
            pairs = tuple(_fitting(pair, len(read), len(unread)) for pair in words)
        case _:
            raise _damaged("words to fill in are of no known form")
    if len({word for word, _ in pairs}) != len(pairs):
        raise _damaged("a word is listed twice")
    return Fill(both[: len(read)], both[len(read) :], pairs)


def _fitting(pair: Any, read: int, unread: int) -> tuple[int, tuple[int, ...]]:
    match pair:
        case [word, [_, *_] as fitting]:
            checked = tuple(whole(fit, 1 << unread, "a word to fill in") for fit in fitting)
            if len(set(checked)) != len(checked):
                raise _damaged("a word to fill in is listed twice")
            return whole(word, 1 << read, "a word"), checked
        case _:
            raise _damaged("words to fill in are of no known form")


def whole(value: Any, limit: int, what: str) -> int:
    """A whole number of 0 ... ``limit`` - 1.

    Raises:
        InputError: it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < limit:
        raise _damaged(f"{what} is not in 0..{limit - 1}")
    return value


def _op(entry: Any, num_qubits: int) -> Op:
    op: Xor | And | Mcx
    match entry:
        case ["xor", list(wires), bool(constant), target]:
            op = Xor(_parity(wires, constant, num_qubits), whole(target, num_qubits, "a target"))
            read = op.source.wires
        case ["and", list(wires), bool(constant), list(more), bool(second), target]:
            left, right = _parity(wires, constant, num_qubits), _parity(more, second, num_qubits)
            op = And(left, right, whole(target, num_qubits, "a target"))
            read = (*left.wires, *right.wires)
        case ["mcx", list(qubits), list(values), target]:
            op = Mcx(_controls(qubits, values, num_qubits), whole(target, num_qubits, "a target"))
            read = tuple(q for q, _ in op.controls)
        case _:
            raise _damaged("an operation is of no known form")
    if op.target in read:
        raise _damaged("an operation reads its own target")
    return op


def _parity(wires: list[Any], constant: bool, num_qubits: int) -> Parity:
    return Parity(_different(wires, num_qubits), constant)


def _controls(qubits: list[Any], values: list[Any], num_qubits: int) -> tuple[tuple[int, bool], ...]:
    if len(qubits) != len(values) or not all(isinstance(value, bool) for value in values):
        raise _damaged("a gate's controls have no value each")
    return tuple(zip(_different(qubits, num_qubits), values, strict=True))


def _different(wires: list[Any], num_qubits: int) -> tuple[int, ...]:
    checked = tuple(whole(wire, num_qubits, "a qubit") for wire in wires)
    if len(set(checked)) != len(checked):
        raise _damaged("an operation names a qubit twice")
    return checked


def _damaged(what: str) -> InputError:
    return InputError(f"the record of the last operations is damaged: {what}")

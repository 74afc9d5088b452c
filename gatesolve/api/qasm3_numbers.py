"""Numbers in OpenQASM 3: literals, constants, and what is computed of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from openqasm3 import ast

MOST_WHOLE = (1 << 31) - 1
"""The largest whole number: every machine's ``int`` holds it."""
DIVISION = "a division of whole numbers that leaves a rest, or by an angle, has several readings: write the quotient"
CONSTANTS = dict(zip(("pi", "tau", "euler", "π", "τ", "ℇ"), 2 * (math.pi, math.tau, math.e), strict=True))
Number = int | float


class RefusedNode(Exception):
    """A part of the text that is not read, and why."""

    def __init__(self, node: ast.QASMNode, message: str) -> None:
        super().__init__(message)
        self.node = node


class Angle(float):
    """The value of a gate's parameter, or of what is computed from one."""


class Uint(int):
    """A whole number of a type without a sign."""


def tell(node: Any) -> str:
    """Return the words for a node in a message."""
    match node:
        case ast.Identifier(name=name):
            return str(name)
        case ast.IndexedIdentifier(name=name):
            return str(name.name)
        case ast.WhileLoop():
            return "while"
    words = "".join(f" {one.lower()}" if one.isupper() else one for one in type(node).__name__)
    return words.strip().replace(" statement", "")


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "**": lambda left, right: left**right,
}


def evaluate(node: Any, names: Mapping[str, Any]) -> Number:
    """The number that an expression stands for."""
    match node:
        case ast.IntegerLiteral(value=value) | ast.FloatLiteral(value=value):
            return _check(value, node)
        case ast.Identifier(name=name):
            value = names.get(name, CONSTANTS.get(name))
            if isinstance(value, int | float):
                return value
            raise RefusedNode(node, f"{name} has no value here")
        case ast.UnaryExpression(op=ast.UnaryOperator(name="-"), expression=inner):
            value = evaluate(inner, names)
            return _check(Uint(-value) if isinstance(value, Uint) else type(value)(-value), node)
        case ast.BinaryExpression(op=op, lhs=left, rhs=right) if op.name in _BINARY:
            return _combine(node, op.name, evaluate(left, names), evaluate(right, names))
        case ast.BitstringLiteral():
            raise RefusedNode(node, "bits as a number, of which readers differ: write a number")
    raise RefusedNode(node, f"{tell(node)} has no value here: write the number")


def _combine(node: ast.BinaryExpression, sign: str, left: Number, right: Number) -> Number:
    is_whole = isinstance(left, int) and isinstance(right, int)
    if sign == "/" and (isinstance(right, Angle) or right == 0 or (is_whole and left % right)):
        raise RefusedNode(node.rhs, DIVISION)
    if sign == "**" and is_whole and (right < 0 or right > 64):
        raise RefusedNode(node, "a whole number to a power below 0 or above 64: write the number")
    try:
        value = left // right if sign == "/" and is_whole else _BINARY[sign](left, right)
    except (OverflowError, ZeroDivisionError) as error:
        raise RefusedNode(node, "a number that is too large: write another") from error
    if isinstance(value, complex):
        raise RefusedNode(node, "a number that is not real: write another")
    if is_whole:
        return _check(Uint(value) if isinstance(left, Uint) or isinstance(right, Uint) else int(value), node)
    return _check(Angle(value) if isinstance(left, Angle) or isinstance(right, Angle) else value, node)


def _check(value: Number, node: ast.QASMNode) -> Number:
    if isinstance(value, int) and abs(value) > MOST_WHOLE:
        raise RefusedNode(node, f"a whole number over {MOST_WHOLE}: write one with a point")
    if isinstance(value, Uint) and value < 0:
        raise RefusedNode(node, "a uint below zero: write int")
    if not math.isfinite(value):
        raise RefusedNode(node, "a number that is too large: write another")
    return value


def evaluate_whole(node: Any, names: Mapping[str, Any]) -> int:
    """The whole number that an expression stands for."""
    value = evaluate(node, names)
    if not isinstance(value, int):
        raise RefusedNode(node, "a whole number is needed here")
    return value


def fit(value: Number, kind: Any, node: ast.QASMNode) -> Number:
    """A number as a value of a type."""
    match kind:
        case ast.IntType(size=size) if isinstance(value, int) and _is_wide(size):
            return int(value)
        case ast.UintType(size=size) if isinstance(value, int) and _is_wide(size):
            return _check(Uint(value), node)
        case ast.FloatType(size=None | ast.IntegerLiteral(value=64)):
            return float(value)
        case ast.AngleType(size=None) if 0 <= value < math.tau:
            return Angle(value)
    raise RefusedNode(node, "not a number of this type, or a size that is not read: write int, uint or float")


def _is_wide(size: ast.Expression | None) -> bool:
    return size is None or (isinstance(size, ast.IntegerLiteral) and 32 <= size.value <= 64)


def list_range(node: ast.RangeDefinition, names: Mapping[str, Any], size: int | None) -> range:
    """The numbers of a range: its end is one of them. Of indices, ``size`` is how many there are."""
    if size is None and (node.start is None or node.end is None):
        raise RefusedNode(node, "a loop's range has a start and an end")
    start = 0 if node.start is None else evaluate_whole(node.start, names)
    end = (size or 0) - 1 if node.end is None else evaluate_whole(node.end, names)
    step = 1 if node.step is None else evaluate_whole(node.step, names)
    if size is not None and min(start, end, step) < 0:
        raise RefusedNode(
            node, "a range with a minus, of which Qiskit reads other qubits than OpenQASM: write them out"
        )
    if step == 0:
        raise RefusedNode(node, "a range with steps of 0")
    return range(start, end + (1 if step > 0 else -1), step)

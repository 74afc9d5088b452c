"""A Python function of bits as an expression: called once with bits that note what is done to them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gatesolve.functions.expression import Node, values

CHECKED = 1 << 10
"""Inputs at most on which the function is called to see that the expression agrees."""


@dataclass(frozen=True, eq=False)
class _Bit:
    """A value in the making; what is not defined here, ``and``, ``if`` and ``+`` too, raises TypeError."""

    node: Node

    def _with(self, kind: str, other: object) -> _Bit:
        node = _node_of(other)
        return NotImplemented if node is None else _Bit(Node(kind, (self.node, node)))

    def __and__(self, other: object) -> _Bit:
        return self._with("and", other)

    def __or__(self, other: object) -> _Bit:
        return self._with("or", other)

    def __xor__(self, other: object) -> _Bit:
        return self._with("xor", other)

    __rand__, __ror__, __rxor__, __ne__ = __and__, __or__, __xor__, __xor__  # type: ignore[assignment]

    def __eq__(self, other: object) -> _Bit:  # type: ignore[override]
        return ~self._with("xor", other)

    __hash__ = None  # type: ignore[assignment]

    def __invert__(self) -> _Bit:
        return _Bit(Node("not", (self.node,)))

    def __bool__(self) -> bool:
        raise TypeError("a bit has no value yet")


def trace(function: Callable[..., object], num_bits: int) -> tuple[Node, ...] | None:
    """Return a function's bit, or tuple of bits, as expressions; None where it takes more than & | ^ ~ == !=.

    The function is called on up to `CHECKED` inputs too: one that asks what its bits are has no expression.
    """
    try:
        nodes = [_node_of(one) for one in _parts(function(*(_Bit(Node("var", value=k)) for k in range(num_bits))))]
    except Exception:  # whatever it is, calls with true bits raise it again
        return None
    found = tuple(node for node in nodes if node is not None)
    inputs = np.arange(1 << num_bits)
    if len(inputs) > CHECKED:
        inputs = np.random.default_rng(0).choice(inputs, CHECKED, replace=False)
    bits = (inputs >> np.arange(num_bits)[:, None] & 1).astype(bool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ~True is -2: its last bit is what is meant
        called = [_parts(function(*map(bool, column))) for column in bits.T]
    truths = [[int(value) & 1 for value in row if isinstance(value, int | np.bool_)] for row in called]
    expected = [list(map(int, row)) for row in np.array([values(node, bits) for node in found]).T]
    return found if found and len(found) == len(nodes) and expected == truths else None


def _parts(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _node_of(value: object) -> Node | None:
    if isinstance(value, _Bit):
        return value.node
    is_bit = isinstance(value, bool | int | np.bool_ | np.integer) and value in (0, 1)
    return Node("const", value=int(bool(value))) if is_bit else None

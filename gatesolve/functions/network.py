"""Expressions as conditions: one flag for each AND or OR below the top."""

from __future__ import annotations

from collections.abc import Iterable

from gatesolve.circuit import Parity
from gatesolve.functions.expression import Node
from gatesolve.oracle.condition import ONE, ZERO, Condition, Flag


def conditions(tree: Node) -> list[Condition] | None:
    """The conjuncts of the tree, each a condition over its variables; None if it is nowhere true.

    Equal parts are computed once within a conjunct. An OR is the complement of an AND of complements; NOT and XOR
    are free, since operands are parities.
    """
    result = []
    for number, conjunct in enumerate(dict.fromkeys(_conjuncts(tree, True))):
        builder, (part, sense) = _SharedFlags(), conjunct
        factor = builder.parity(part) if sense else builder.parity(part).negated()
        if factor == ZERO:
            return None
        result.append(Condition(tuple(builder.flags), (factor,), f"part {number}", "expression"))
    return result


def _conjuncts(tree: Node, sense: bool) -> list[tuple[Node, bool]]:
    """Parts that must all hold, each with the value that it must have."""
    if tree.kind == "not":
        return _conjuncts(tree.parts[0], not sense)
    if tree.kind == ("and" if sense else "or"):
        return [found for part in tree.parts for found in _conjuncts(part, sense)]
    return [(tree, sense)]


def join_outputs(trees: Iterable[Node]) -> Condition:
    """The value of each tree as a factor, equal parts of all of them computed once."""
    builder = _SharedFlags()
    factors = tuple(builder.parity(tree) for tree in trees)
    return Condition(tuple(builder.flags), factors, method="expression")


class _SharedFlags:
    """Flags so far and the parities of the parts that they stand for."""

    def __init__(self) -> None:
        self.flags: list[Flag] = []
        self._known: dict[Node | frozenset[Parity], Parity] = {}

    def parity(self, node: Node) -> Parity:
        """The node's value as a parity of variables and flags."""
        if node not in self._known:
            self._known[node] = self._make(node)
        return self._known[node]

    def _make(self, node: Node) -> Parity:
        if node.kind == "var":
            return Parity((node.value,))
        if node.kind == "const":
            return Parity((), bool(node.value))
        if node.kind == "not":
            return self.parity(node.parts[0]).negated()
        parts = [self.parity(part) for part in node.parts]
        if node.kind == "xor":
            return Parity.xor_all(parts)
        if node.kind == "or":
            return self._all([part.negated() for part in parts]).negated()
        return self._all(parts)

    def _all(self, parts: list[Parity]) -> Parity:
        """AND of parities, paired into a tree of least depth."""
        left = [p for p in dict.fromkeys(parts) if p != ONE]
        if any(p == ZERO or p.negated() in left for p in left):
            return ZERO
        while len(left) > 1:
            left = [*left[2:], self._pair(left[0], left[1])]
        return left[0] if left else ONE

    def _pair(self, first: Parity, second: Parity) -> Parity:
        key = frozenset((first, second))
        if key not in self._known:
            self.flags.append(Flag(((first, second),)))
            self._known[key] = Parity((-len(self.flags),))
        return self._known[key]

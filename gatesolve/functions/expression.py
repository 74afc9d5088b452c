"""Boolean expressions and DIMACS text as trees, and trees as conditions: one flag for each AND or OR below the top."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.errors import InputError, one_line
from gatesolve.oracle.condition import ONE, ZERO, Condition, Flag

Bools = NDArray[np.bool_]
_OPERATORS: dict[type[ast.operator], str] = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}


_TAKEN = "names, 0, 1, brackets and the operators & | ^ ~ (and, or, not in small letters), or DIMACS CNF text"


@dataclass(frozen=True)
class Node:
    """A node of an expression: ``var`` (with its number), ``const``, ``not``, ``and``, ``or`` or ``xor``."""

    kind: str
    parts: tuple[Node, ...] = ()
    value: int = 0


def parse(text: str) -> tuple[Node, tuple[str, ...]]:
    """A boolean expression over names, with ``& | ^ ~`` or ``and or not`` and brackets.

    The names are in the order of their first appearance.

    Raises:
        InputError: anything else occurs in it.
    """
    # Python would parse ``a.cnf`` as an attribute, and the error would not suggest what to do.
    if re.fullmatch(r".*\.(cnf|dimacs)", text.strip(), re.IGNORECASE):
        raise InputError(f"'{one_line(text.strip())}' is a path, not a function: give the file's text, by read_text()")
    try:
        body = ast.parse(text.strip(), mode="eval").body
    # Null characters raise ValueError, and deep nesting raises one of the last two.
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"not a boolean expression ({getattr(error, 'msg', error)}): use {_TAKEN}") from None
    names: dict[str, int] = {}
    try:
        tree = _node(body, names)
    except RecursionError:
        raise InputError("the expression is nested too deeply: write long chains without brackets") from None
    return tree, tuple(names)


def _node(part: ast.expr, names: dict[str, int]) -> Node:
    match part:
        case ast.Name(id=name):
            return Node("var", value=names.setdefault(name, len(names)))
        # Python's True and False match as well: bool is a kind of int.
        case ast.Constant(value=value) if isinstance(value, int) and value in (0, 1):
            return Node("const", value=int(value))
        case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
            return Node("not", (_node(operand, names),))
        case ast.BoolOp(op=op, values=values):
            return Node("or" if isinstance(op, ast.Or) else "and", tuple(_node(v, names) for v in values))
        case ast.BinOp(op=op) if type(op) in _OPERATORS:
            return Node(_OPERATORS[type(op)], tuple(_node(v, names) for v in _chain(part, type(op))))
    raise InputError(f"'{ast.unparse(part)}' is not boolean: use {_TAKEN}")


def _chain(part: ast.expr, kind: type[ast.operator]) -> list[ast.expr]:
    """Return the operands of a chain of one operator, from the left."""
    operands: list[ast.expr] = []
    # A loop, because ``a ^ b ^ ...`` nests once per operator and a long chain would exhaust the recursion limit.
    while isinstance(part, ast.BinOp) and type(part.op) is kind:
        operands.append(part.right)
        part = part.left
    return [part, *reversed(operands)]


def is_dimacs(text: str) -> bool:
    """Whether a text has the problem line of DIMACS CNF."""
    return re.search(r"(?m)^\s*p\s+cnf\b", text) is not None


def parse_dimacs(text: str) -> tuple[Node, tuple[str, ...]]:
    """DIMACS CNF: the conjunction of its clauses; variable k is named ``xk`` and is qubit k - 1.

    Raises:
        InputError: whatever is malformed, with row and column; or no variables.
    """
    from gatesolve.formats.boolean import read_clauses

    header, clauses = read_clauses(text, "DIMACS")
    if not header.variables:
        raise header.place.fault("no variables: the problem line 'p cnf VARIABLES CLAUSES' says 0")

    def literal(number: int) -> Node:
        variable = Node("var", value=abs(number) - 1)
        return variable if number > 0 else Node("not", (variable,))

    parts = tuple(Node("or", tuple(map(literal, clause.literals))) for clause in clauses)
    return Node("and", parts), tuple(f"x{k + 1}" for k in range(header.variables))


def values(tree: Node, columns: Bools) -> Bools:
    """The tree's value on each input: ``columns`` has shape (variables, inputs)."""
    size = columns.shape[1]
    if tree.kind == "var":
        column: Bools = columns[tree.value]
        return column
    if tree.kind == "const":
        return np.full(size, bool(tree.value))
    if tree.kind == "not":
        return ~values(tree.parts[0], columns)
    # The neutral element: true for AND, false for OR and XOR. It is also the value of a node without parts.
    result = np.full(size, tree.kind == "and")
    combine = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}[tree.kind]
    for part in tree.parts:
        result = combine(result, values(part, columns))
    return result


def conditions(tree: Node) -> list[Condition] | None:
    """Return the conjuncts of the tree, each a condition over its variables; None if the tree is true nowhere.

    Equal parts are computed once within a conjunct.
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
    # De Morgan: all parts of an OR that must be false must be false.
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
        # NOT and XOR of parities are parities, so they take no flag.
        if node.kind == "not":
            return self.parity(node.parts[0]).negated()
        # Only ANDs take flags; an OR is the complement of an AND of complements.
        parts = [self.parity(part) for part in node.parts]
        if node.kind == "xor":
            return Parity.xor_all(parts)
        if node.kind == "or":
            return self._all([part.negated() for part in parts]).negated()
        return self._all(parts)

    def _all(self, parts: list[Parity]) -> Parity:
        """Return the AND of parities as a tree of least depth."""
        left = [p for p in dict.fromkeys(parts) if p != ONE]
        # A parity and its complement are never both true.
        if any(p == ZERO or p.negated() in left for p in left):
            return ZERO
        while len(left) > 1:
            # A queue: the product goes to the end, so that all operands are paired once before any product is.
            left = [*left[2:], self._pair(left[0], left[1])]
        return left[0] if left else ONE

    def _pair(self, first: Parity, second: Parity) -> Parity:
        # AND is symmetric, so the order of its operands does not matter.
        key = frozenset((first, second))
        if key not in self._known:
            self.flags.append(Flag(((first, second),)))
            self._known[key] = Parity((-len(self.flags),))
        return self._known[key]

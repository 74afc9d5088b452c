"""Boolean expressions and DIMACS text as trees."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import InputError, one_line

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
    if re.fullmatch(r".*\.(cnf|dimacs)", text.strip(), re.IGNORECASE):
        raise InputError(f"'{one_line(text.strip())}' is a path, not a function: give the file's text, by read_text()")
    try:
        body = ast.parse(text.strip(), mode="eval").body
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
    """The operands of a chain of one operator, from the left; without recursion, since chains can be long."""
    operands: list[ast.expr] = []
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
        InputError: no usable problem line, a literal out of range, or a clause that does not end in 0.
    """
    count = 0
    numbers: list[int] = []
    for row, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "%":
            break
        if words[0] == "p":
            if len(words) != 4 or words[1] != "cnf" or not all(w.isdigit() for w in words[2:]):
                raise InputError("the problem line must read 'p cnf VARIABLES CLAUSES'", source="DIMACS", row=row)
            count = int(words[2])
            continue
        for word in words:
            if re.fullmatch(r"-?\d+", word) is None or abs(int(word)) > count:
                raise InputError(f"'{word}' is no literal of {count} variables", source="DIMACS", row=row)
            numbers.append(int(word))
    if count == 0:
        raise InputError(
            "no variables: the problem line 'p cnf VARIABLES CLAUSES' is missing or says 0", source="DIMACS"
        )
    if numbers and numbers[-1] != 0:
        raise InputError("the last clause does not end in 0", source="DIMACS")
    return Node("and", tuple(_clauses(numbers))), tuple(f"x{k + 1}" for k in range(count))


def _clauses(numbers: list[int]) -> list[Node]:
    clauses: list[Node] = []
    literals: list[Node] = []
    for number in numbers:
        if number == 0:
            clauses.append(Node("or", tuple(literals)))
            literals = []
            continue
        variable = Node("var", value=abs(number) - 1)
        literals.append(variable if number > 0 else Node("not", (variable,)))
    return clauses


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
    result = np.full(size, tree.kind == "and")
    combine = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}[tree.kind]
    for part in tree.parts:
        result = combine(result, values(part, columns))
    return result

"""Small faults in Python source: one changed operator, constant, condition, return value or left-out statement.

A fault is found in the syntax tree and spliced into the text, so that all other lines stay as they are.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutation:
    """One fault: the characters from ``start`` to ``end`` of a source are replaced.

    Attributes:
        line: the line the fault is on, counted from one.
        start: where the replaced text starts in the source.
        end: where it ends.
        before: the text that was there.
        after: the text that is there now.
    """

    line: int
    start: int
    end: int
    before: str
    after: str

    def apply(self, source: str) -> str:
        """The source with the fault in it."""
        return source[: self.start] + self.after + source[self.end :]


def find_mutations(source: str) -> tuple[Mutation, ...]:
    """Every fault that can be put into a source, in the order of its lines.

    Passed over are imports, annotations, decorators, docstrings, f-strings and what an error says.
    """
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    lines = source.splitlines()

    def offset(line: int, column: int) -> int:
        """The place of a column, which the syntax tree counts in bytes."""
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    found = []
    for node, after in _walk(ast.parse(source)):
        start = offset(node.lineno, node.col_offset)
        end = offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        found.append(Mutation(node.lineno, start, end, source[start:end], after))
    return tuple(sorted(set(found), key=lambda m: (m.line, m.start, m.end, m.after)))


def sample_mutations(sources: Sequence[str], count: int, seed: int) -> tuple[tuple[int, Mutation], ...]:
    """One fault each on ``count`` lines, shared out evenly among the sources; (source number, fault) in order."""
    rng = random.Random(seed)
    waiting = []
    for source in sources:
        by_line: dict[int, list[Mutation]] = {}
        for mutation in find_mutations(source):
            by_line.setdefault(mutation.line, []).append(mutation)
        lines = list(by_line.values())
        rng.shuffle(lines)
        waiting.append([rng.choice(choices) for choices in lines])
    taken: list[tuple[int, Mutation]] = []
    while len(taken) < count and any(waiting):
        taken += [(number, left.pop()) for number, left in enumerate(waiting) if left]
    return tuple(sorted(taken[:count], key=lambda item: (item[0], item[1].line)))


def _walk(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Every node below that can be changed, with the text it is changed to."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return
    if isinstance(node, ast.Raise):
        yield node, "pass"
        return
    if isinstance(node, ast.stmt):
        yield from _of_statement(node)
    if isinstance(node, ast.expr):
        yield from ((node, f"({ast.unparse(changed)})") for changed in _of_expression(node))
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(
        node.test, ast.Compare | ast.BoolOp | ast.UnaryOp
    ):
        yield node.test, f"(not {ast.unparse(node.test)})"
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def _of_statement(node: ast.stmt) -> Iterator[tuple[ast.stmt, str]]:
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield node, "return None"
    elif isinstance(node, ast.AugAssign | ast.Continue | ast.Break) or _acts_in_place(node):
        yield node, "pass"


def _acts_in_place(node: ast.stmt) -> bool:
    """Whether a statement is a call, a yield, or writes into an object, so that no later line needs a name from it."""
    if isinstance(node, ast.Assign):
        return not isinstance(node.targets[0], ast.Name | ast.Tuple)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)


def _of_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, [operator], [right]):
            yield ast.Compare(left, [_COMPARISONS[type(operator)]()], [right])
        case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
            yield ast.BinOp(left, _ARITHMETIC[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)

"""Lowering one CPMpy constraint to our kinds: the first rule that applies gives the result. None adds a variable."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from cpmpy.expressions.core import Comparison, Expression, Operator
from cpmpy.expressions.utils import is_false_cst, is_true_cst
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl

from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.formats.cpmpy_eval import evaluate, grid, scope_of
from gatesolve.formats.cpmpy_linear import affine
from gatesolve.formats.cpmpy_terms import Reader
from gatesolve.model.affine import make_all_different, make_relation, sum_affine
from gatesolve.model.constraints import Constraint, Domains, Table, make_clause
from gatesolve.model.trees import AllOf, Tree

Lowered = list[Constraint] | None
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", "<=": ">", ">": "<="}


def lower(expression: Any, domains: Domains, limit: int) -> list[Constraint]:
    """Constraints that together mean ``expression``, which may be nested lists too; none when it always holds.

    A scope of at most ``limit`` assignments may be evaluated into a table.

    Raises:
        UnsupportedError: no rule applies.
        InputError: not a constraint at all.
        InfeasibleError: constant false in a model without variables.
    """
    if isinstance(expression, (list, tuple, np.ndarray)):
        parts = expression.flat if isinstance(expression, np.ndarray) else expression
        return [c for part in parts for c in lower(part, domains, limit)]
    if is_true_cst(expression) or (isinstance(expression, np.bool_) and bool(expression)):
        return []
    if is_false_cst(expression) or isinstance(expression, np.bool_):
        return [_never(expression, domains)]
    if not isinstance(expression, Expression) or not expression.is_bool():
        raise InputError(f"'{expression}' is not a constraint: use an expression, or a list of them")
    if expression.name == "and":
        return lower(expression.args, domains, limit)
    for rule in _RULES:
        found = rule(expression, domains, limit)
        if found is not None:
            return found
    raise refusal(expression, domains, limit)


def refusal(expression: Any, domains: Domains, limit: int) -> UnsupportedError:
    """The error for an expression that holds something of no known kind."""
    size = math.prod(len(domains[name]) for name in scope_of(expression))
    text = _text(expression, 200)
    if size <= limit:
        return UnsupportedError(f"constraint '{text}' has no value that CPMpy can compute: write it as an expression")
    return UnsupportedError(
        f"constraint '{text}' has {size} assignments, more than the {limit} that are listed, and a part of a kind "
        "that is not known: write it with other kinds, or tighten domains"
    )


def _never(expression: Any, domains: Domains) -> Table:
    """A constraint that nothing satisfies, on a variable of the expression if it has one."""
    names = scope_of(expression) or tuple(domains)
    if not names:
        raise InfeasibleError("the model holds the constant false")
    return Table(names[:1], (), str(expression))


def _as_constraints(found: Constraint | bool, expression: Any, domains: Domains) -> list[Constraint]:
    if found is True:
        return []
    return [_never(expression, domains) if found is False else found]


def _is_plain(part: Any) -> bool:
    return isinstance(part, _NumVarImpl) and not isinstance(part, NegBoolView)


def _all_different(expression: Any, domains: Domains, limit: int) -> Lowered:
    if expression.name != "alldifferent":
        return None
    forms = [affine(part, domains) for part in expression.args]
    found = make_all_different([form for form in forms if form is not None])
    return found if None not in forms else None


def _table(expression: Any, domains: Domains, limit: int) -> Lowered:
    if expression.name != "table" or not all(_is_plain(part) for part in expression.args[0]):
        return None
    columns = [part.name for part in expression.args[0]]
    names = scope_of(expression)
    rows = np.asarray(expression.args[1], dtype=np.int64)
    keep = np.ones(len(rows), dtype=bool)
    for k, name in enumerate(columns):
        # a variable named twice must have the same value in both columns
        keep &= np.isin(rows[:, k], list(domains[name])) & (rows[:, k] == rows[:, columns.index(name)])
    kept = rows[keep][:, [columns.index(name) for name in names]]
    return [Table(names, tuple(sorted({tuple(row) for row in kept.tolist()})), _text(expression))]


def _linear(expression: Any, domains: Domains, limit: int) -> Lowered:
    if not isinstance(expression, Comparison):
        return None
    left, right = (affine(side, domains) for side in expression.args)
    if left is None or right is None:
        return None
    found = make_relation(sum_affine([left, right.scaled(-1)]), expression.name, domains)
    return _as_constraints(found, expression, domains)


def _negation(expression: Any, domains: Domains, limit: int) -> Lowered:
    """``not`` of a disjunction, of ``not``, or of a linear relation."""
    if expression.name != "not":
        return None
    inner = expression.args[0]
    if isinstance(inner, Operator) and inner.name == "or":
        return [c for part in inner.args for c in lower(Operator("not", [part]), domains, limit)]
    if isinstance(inner, Operator) and inner.name == "not":
        return lower(inner.args[0], domains, limit)
    if isinstance(inner, Comparison):
        # only for linear sides: the negation of an undefined comparison is true, its opposite false
        return _linear(Comparison(_OPPOSITE[inner.name], *inner.args), domains, limit)
    return None


def _clause(expression: Any, domains: Domains, limit: int) -> Lowered:
    is_logic = isinstance(expression, Operator) and expression.name in ("or", "->", "not")
    return _as_clause(expression, domains) if is_logic or isinstance(expression, _NumVarImpl) else None


def _as_clause(expression: Any, domains: Domains) -> Lowered:
    literals = _literals(expression, True, domains)
    return None if literals is None else _as_constraints(make_clause(literals, domains), expression, domains)


def _literals(expression: Any, wanted: bool, domains: Domains) -> list[tuple[str, frozenset[int]]] | None:
    """Literals whose disjunction means ``expression`` (its negation unless ``wanted``), or None."""
    scope = scope_of(expression)
    if len(scope) == 1:
        values = evaluate(expression, scope, grid(scope, domains))
        if values is None:
            return None
        pairs = zip(domains[scope[0]], values, strict=True)
        return [(scope[0], frozenset(v for v, truth in pairs if bool(truth) == wanted))]
    if not isinstance(expression, Operator):
        return [] if (is_false_cst(expression) if wanted else is_true_cst(expression)) else None
    if expression.name == "not":
        return _literals(expression.args[0], not wanted, domains)
    if expression.name == "->" and wanted:
        return _join_literals([(expression.args[0], False), (expression.args[1], True)], domains)
    if expression.name == ("or" if wanted else "and"):
        return _join_literals([(part, wanted) for part in expression.args], domains)
    return None


def _join_literals(parts: Sequence[tuple[Any, bool]], domains: Domains) -> list[tuple[str, frozenset[int]]] | None:
    joined: list[tuple[str, frozenset[int]]] = []
    for part, wanted in parts:
        literals = _literals(part, wanted, domains)
        if literals is None:
            return None
        joined += literals
    return joined


def _tree(expression: Any, domains: Domains, limit: int) -> Lowered:
    """Whatever it is: by its parts, and as a table too where its scope is small."""
    try:
        rule = Reader(domains).constraint(expression)
    except UnsupportedError:
        rule = None
    parts = rule.constraints if isinstance(rule, AllOf) else () if rule is None else (rule,)
    if rule is not None and not any(isinstance(part, Tree) for part in parts):
        return list(parts)
    table = _tabulate(expression, domains, limit, rule)
    if table is None and rule is not None:
        return _split(expression, domains, limit) or list(parts)
    return table


def _split(expression: Any, domains: Domains, limit: int) -> Lowered:
    """An implication of a conjunction, one conjunct at a time."""
    if expression.name != "->" or getattr(expression.args[1], "name", None) != "and":
        return None
    condition, conclusion = expression.args
    return [c for part in conclusion.args for c in lower(condition.implies(part), domains, limit)]


def _tabulate(expression: Any, domains: Domains, limit: int, rule: Constraint | None) -> Lowered:
    scope = scope_of(expression)
    if math.prod(len(domains[name]) for name in scope) > limit:
        return None
    rows = grid(scope, domains)
    truths = evaluate(expression, scope, rows)
    if truths is None:
        return None
    tuples = tuple(tuple(row) for row, truth in zip(rows.tolist(), truths, strict=True) if truth)
    if len(tuples) == len(rows):
        return []
    return [Table(scope, tuples, _text(expression), rule=rule) if scope else _never(expression, domains)]


def _text(expression: Any, most: int = 120) -> str:
    """The expression in words short enough for a message."""
    text = str(expression)
    return text if len(text) <= most else f"{text[: most - 3]}..."


_RULES: tuple[Callable[[Any, Domains, int], Lowered], ...] = (
    _all_different,
    _table,
    _linear,
    _negation,
    _clause,
    _tree,
)

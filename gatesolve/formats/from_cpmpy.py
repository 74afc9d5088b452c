"""From a CPMpy model to ours. CPMpy is imported on first use: it takes a while."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from cpmpy.expressions.core import BoolVal, Comparison, Expression, Operator
from cpmpy.expressions.utils import is_false_cst, is_int, is_true_cst
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl

from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.formats.cpmpy_eval import evaluate, grid, scope_of
from gatesolve.formats.cpmpy_terms import Reader
from gatesolve.model.affine import Affine, make_all_different, make_relation, sum_affine
from gatesolve.model.constraints import Constraint, Domains, Table, make_clause
from gatesolve.model.model import Model, Objective, Variable, check_value, make_objective
from gatesolve.model.terms import Sum, is_partial
from gatesolve.model.trees import AllOf, Compare, Tree

if TYPE_CHECKING:
    import cpmpy

#: Counting functions whose CPMpy decomposition is a sum of Boolean expressions and adds no variable.
_COUNTING = ("count", "among")
Lowered = list[Constraint] | None
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", "<=": ">", ">": "<="}
#: Most values a domain may have: every one is listed.
DOMAIN_LIMIT = 2**16


def affine(expression: Any, domains: Domains) -> Affine | None:
    """``expression`` as an affine form with integer coefficients, or None.

    A part that reads a single variable counts when it is affine on that variable's
    domain: ``x == 1`` is ``x`` where ``x`` is 0 or 1.
    """
    if is_int(expression) or (isinstance(expression, float) and expression.is_integer()):
        return Affine((), int(expression))
    if isinstance(expression, NegBoolView):
        return Affine(((-1, expression._bv.name),), 1)
    if isinstance(expression, _NumVarImpl):
        return Affine(((1, expression.name),), 0)
    if not isinstance(expression, Expression) or isinstance(expression, BoolVal):
        return None
    if expression.name in ("sum", "sub", "-", "wsum"):
        return _sum(expression, domains)
    if expression.name == "mul":
        left, right = (affine(part, domains) for part in expression.args)
        if left is not None and right is not None and not (left.terms and right.terms):
            return right.scaled(left.constant) if not left.terms else left.scaled(right.constant)
    fitted = _fit_affine(expression, domains)
    if fitted is None and expression.name in _COUNTING:
        if expression.name == "among":  # a value that is named twice would count twice
            expression = type(expression)(expression.args[0], sorted({int(v) for v in expression.args[1]}))
        counted, defining = expression.decompose()
        return None if defining else affine(counted, domains)
    return fitted


def _sum(expression: Any, domains: Domains) -> Affine | None:
    if expression.name == "wsum":
        weights, parts = [affine(w, {}) for w in expression.args[0]], expression.args[1]
    else:
        parts = expression.args
        signs = [1] * len(parts) if expression.name == "sum" else [1, -1] if expression.name == "sub" else [-1]
        weights = [Affine((), sign) for sign in signs]
    forms = []
    for weight, part in zip(weights, parts, strict=True):
        form = affine(part, domains)
        if form is None or weight is None:
            return None
        forms.append(form.scaled(weight.constant))
    return sum_affine(forms)


def _fit_affine(expression: Any, domains: Domains) -> Affine | None:
    """The affine form that agrees with a one-variable expression on its whole domain."""
    scope = scope_of(expression)
    if len(scope) != 1:
        return None
    domain = domains[scope[0]]
    ends = (domain[0], domain[-1]) if len(domain) > 1 else (domain[0],)
    probe = _whole(expression, scope, {scope[0]: ends})
    if probe is None:
        return None
    rise, run = probe[-1] - probe[0], max(ends[-1] - ends[0], 1)
    if rise % run:
        return None
    slope = rise // run
    form = Affine(((slope, scope[0]),), probe[0] - slope * ends[0])
    values = _whole(expression, scope, domains)
    return form if values == [slope * v + form.constant for v in domain] else None


def _whole(expression: Any, scope: Sequence[str], domains: Domains) -> list[int] | None:
    """Values on every assignment, or None unless all are defined and whole."""
    values = evaluate(expression, scope, grid(scope, domains))
    if values is None or not all(isinstance(v, (bool, int)) for v in values):
        return None
    return [int(v) for v in values]


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


def from_cpmpy(model: cpmpy.Model, table_limit: int = 4096, declared: Sequence[Any] = ()) -> Model:
    """Lower a CPMpy model without adding a variable.

    Linear relations, all-different, disequalities, tables and clauses keep their kind; any other constraint whose scope
    has at most ``table_limit`` assignments becomes a table by evaluation, with CPMpy's meaning of undefined functions.

    Args:
        model: constraints over integer and Boolean variables, and an objective if there is one.
        table_limit: most assignments of a scope that is evaluated.
        declared: further CPMpy variables, which nothing need read.

    Returns:
        The model: variables in order of first appearance, Booleans with domain (0, 1).

    Raises:
        UnsupportedError: a constraint or the objective cannot be lowered; the message names it.
        InputError: not a CPMpy model, or not a constraint.
        InfeasibleError: constant false in a model without variables.
    """
    import cpmpy

    from gatesolve.formats.from_cpmpy import lower

    if not isinstance(model, cpmpy.Model):
        raise InputError(f"expected a cpmpy.Model, got {type(model).__name__}: give cpmpy.Model(...) of it")
    variables = _variables([model.constraints, model.objective_, list(declared)])
    domains = {v.name: v.domain for v in variables}
    constraints = lower(model.constraints, domains, table_limit)
    objective, known = _objective(model, domains)
    return Model(variables, (*constraints, *known), objective)


def _variables(expressions: list[Any]) -> tuple[Variable, ...]:
    from gatesolve.formats.cpmpy_eval import occurrences

    found: dict[str, Any] = {}
    for variable in occurrences(expressions):
        first = found.setdefault(variable.name, variable)
        if first is not variable:
            both = f"{_kind(first)} and {_kind(variable)}"
            raise InputError(f"two variables are named {variable.name}, {both}: give each its own name")
    return tuple(Variable(name, _domain(variable)) for name, variable in found.items())


def _domain(variable: Any) -> tuple[int, ...]:
    low, high = (int(bound) for bound in variable.get_bounds())
    if high - low >= DOMAIN_LIMIT:
        mend = f"tighten its bounds to at most {DOMAIN_LIMIT} values"
        raise UnsupportedError(f"variable {variable.name} has {high - low + 1} values: {mend}")
    check_value(variable.name, max(-low, high))
    return tuple(range(low, high + 1))


def _kind(variable: Any) -> str:
    low, high = variable.get_bounds()
    return "a Boolean" if variable.is_bool() else f"an integer of {low}..{high}"


def _objective(model: cpmpy.Model, domains: dict[str, tuple[int, ...]]) -> tuple[Objective | None, list[Constraint]]:
    """The objective, and constraints that hold where it has a value."""
    from gatesolve.formats.cpmpy_terms import Reader
    from gatesolve.formats.from_cpmpy import affine

    if model.objective_ is None:
        return None, []
    sense: Literal["min", "max"] = "min" if model.objective_is_min else "max"
    form = affine(model.objective_, domains)
    if form is not None:
        return Objective(tuple((c, name) for c, name in form.terms if c), form.constant, sense), []
    try:
        term = Reader(domains).term(model.objective_)
    except UnsupportedError as error:
        raise UnsupportedError(f"objective '{str(model.objective_)[:200]}': {error}") from error
    known: list[Constraint] = [Compare(Sum(((0, term),)), "==")] if is_partial(term) else []
    return make_objective(term, sense), known

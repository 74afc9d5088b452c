"""Reading CPMpy expressions as affine forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cpmpy.expressions.core import BoolVal, Expression
from cpmpy.expressions.utils import is_int
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl

from gatesolve.formats.cpmpy_eval import evaluate, grid, scope_of
from gatesolve.model.affine import Affine, sum_affine
from gatesolve.model.constraints import Domains

#: Counting functions whose CPMpy decomposition is a sum of Boolean expressions and adds no variable.
_COUNTING = ("count", "among")


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

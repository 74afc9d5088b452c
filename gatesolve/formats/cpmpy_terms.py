"""Reading CPMpy expressions of any depth as trees of our terms and constraints. No variable is added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from cpmpy.expressions.core import BoolVal, Comparison, Expression, Operator
from cpmpy.expressions.globalconstraints import GlobalConstraint
from cpmpy.expressions.globalfunctions import GlobalFunction
from cpmpy.expressions.utils import is_false_cst, is_int, is_true_cst
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl

from gatesolve.errors import UnsupportedError
from gatesolve.formats.cpmpy_eval import evaluate, grid, scope_of
from gatesolve.formats.cpmpy_globals import READERS
from gatesolve.model.constraints import Clause, Constraint, Domains, make_clause
from gatesolve.model.terms import Lookup, Sum, Term, Truth, Value, add_terms, apply_function, is_partial
from gatesolve.model.trees import FALSE, TRUE, Compare, OddOf, all_of, any_of, compare, negate

LARGEST_FUNCTION = 1 << 12
"""Values of a variable up to which a function of it alone is listed."""


class Reader:
    """Reads expressions over variables of known domains; what was read before is known."""

    def __init__(self, domains: Domains) -> None:
        self.domains = domains

    def constraint(self, expression: Any) -> Constraint:
        """A Boolean expression as a constraint.

        Raises:
            UnsupportedError: something in it is of no known kind.
        """
        if is_true_cst(expression) or (isinstance(expression, np.bool_) and bool(expression)):
            return TRUE
        if is_false_cst(expression) or isinstance(expression, np.bool_):
            return FALSE
        if isinstance(expression, (list, tuple, np.ndarray)):
            return all_of([self.constraint(part) for part in np.asarray(expression, dtype=object).flat])
        if not isinstance(expression, Expression):
            raise UnsupportedError(f"'{expression}' is no constraint")
        if len(scope_of(expression)) <= 1 and (literal := self._literal(expression)) is not None:
            return literal
        if isinstance(expression, Comparison):
            return self._comparison(expression.name, *expression.args)
        if isinstance(expression, Operator) and expression.name in ("and", "or", "->", "not"):
            parts = [self.constraint(part) for part in expression.args]
            if expression.name == "and":
                return all_of(parts)
            if expression.name == "not":
                return negate(parts[0])
            return any_of(parts if expression.name == "or" else [negate(parts[0]), parts[1]])
        if isinstance(expression, GlobalConstraint):
            return self._global(expression)
        raise UnsupportedError(f"'{str(expression)[:120]}' is of a kind that is not known: {expression.name}")

    def term(self, expression: Any) -> Term:
        """An integer or Boolean expression as a number.

        Raises:
            UnsupportedError: something in it is of no known kind.
        """
        if is_int(expression) or isinstance(expression, (bool, np.bool_)):
            return Sum((), int(expression))
        if isinstance(expression, float) and expression.is_integer():
            return Sum((), int(expression))
        if isinstance(expression, BoolVal):
            return Sum((), int(bool(expression)))
        if isinstance(expression, NegBoolView):
            return Sum(((-1, Value(expression._bv.name)),), 1)
        if isinstance(expression, _NumVarImpl):
            return Value(expression.name)
        if not isinstance(expression, Expression):
            raise UnsupportedError(f"'{str(expression)[:120]}' is no whole number")
        if expression.is_bool():
            return make_truth(self.constraint(expression))
        if (known := self._one_variable(expression)) is not None:
            return known
        return self._operation(expression)

    def terms(self, expressions: Any) -> list[Term]:
        """Some expressions as numbers."""
        return [self.term(one) for one in expressions]

    def compare(self, term: Term, relation: str) -> Constraint:
        """``term relation 0``."""
        return compare(term, relation, self.domains)

    def takes_only(self, terms: Sequence[Term], values: Sequence[int]) -> bool:
        """Whether the terms are variables without other values."""
        inside = {int(v) for v in values}
        return all(isinstance(term, Value) and inside.issuperset(self.domains[term.name]) for term in terms)

    def _comparison(self, relation: str, left: Any, right: Any) -> Constraint:
        for one, other in ((left, right), (right, left)):
            # a constraint and a constant, or two constraints, need no number
            if relation in ("==", "!=") and _is_boolean(one) and _is_boolean(other):
                parts = [self.constraint(_as_boolean(side)) for side in (one, other)]
                differ = OddOf(tuple(parts))
                return negate(differ) if relation == "==" else differ
        return self.compare(add_terms([(1, self.term(left)), (-1, self.term(right))]), relation)

    def _literal(self, expression: Any) -> Constraint | None:
        """Return a constraint on one variable as the values where it holds; None for any other."""
        scope = scope_of(expression)
        if scope and len(self.domains[scope[0]]) > LARGEST_FUNCTION:
            return None
        truths = evaluate(expression, scope, grid(scope, self.domains))
        if truths is None:
            return None
        if not scope:
            return TRUE if truths[0] else FALSE
        pairs = zip(self.domains[scope[0]], truths, strict=True)
        found = make_clause([(scope[0], frozenset(v for v, truth in pairs if truth))], self.domains)
        return found if isinstance(found, Clause) else TRUE if found else FALSE

    def _one_variable(self, expression: Any) -> Term | None:
        """A function of one variable by its values, where it is not a weighted sum of it."""
        scope = scope_of(expression)
        if len(scope) != 1 or expression.name in ("sum", "wsum", "sub", "-", "mul"):
            return None
        domain = self.domains[scope[0]]
        values = evaluate(expression, scope, grid(scope, self.domains)) if len(domain) <= LARGEST_FUNCTION else None
        if values is None or not all(v is None or isinstance(v, (bool, int)) for v in values):
            return None
        rows = tuple(((v,), int(result)) for v, result in zip(domain, values, strict=True) if result is not None)
        return Lookup((Value(scope[0]),), rows)

    def _operation(self, expression: Any) -> Term:
        name, parts = expression.name, expression.args
        if name == "wsum":
            weights = [self._whole(weight) for weight in parts[0]]
            return add_terms(list(zip(weights, self.terms(parts[1]), strict=True)))
        if name in ("sum", "sub", "-"):
            signs = [1] * len(parts) if name == "sum" else [1, -1] if name == "sub" else [-1]
            return add_terms(list(zip(signs, self.terms(parts), strict=True)))
        if name in ("mul", "div", "mod", "max", "abs"):
            return apply_function(name, self.terms(parts))
        if name == "min":
            return add_terms([(-1, apply_function("max", [add_terms([(-1, term)]) for term in self.terms(parts)]))])
        if name == "pow":
            return self._power(self.term(parts[0]), int(parts[1]))
        if name == "among":  # a value that is named twice is one value
            values = sorted({int(v) for v in parts[1]})
            each = [[self.compare(add_terms([(1, term)], -v), "==") for v in values] for term in self.terms(parts[0])]
            return add_terms([(1, make_truth(any_of(one))) for one in each])
        if name == "element":
            return apply_function("element", [self.term(parts[1]), *self.terms(parts[0])])
        if name == "IfThenElseNum" and not any(map(is_partial, branches := self.terms(parts[1:]))):
            return apply_function("element", [make_truth(self.constraint(parts[0])), *reversed(branches)])
        if not isinstance(expression, GlobalFunction):
            raise UnsupportedError(f"'{str(expression)[:120]}' is of a kind that is not known: {name}")
        value, defining = self._decompose(expression)
        guards = [(0, term) for term in self.partial_terms(expression.args)]
        checks = [(0, Lookup((make_truth(self.constraint(one)),), (((1,), 0),))) for one in defining]
        return add_terms([(1, self.term(value)), *guards, *checks])

    def _power(self, base: Term, exponent: int) -> Term:
        """By squaring."""
        if exponent == 0:
            return add_terms([(0, base)], 1)
        half = self._power(base, exponent // 2) if exponent > 1 else None
        if half is None:
            return base
        square = apply_function("mul", [half, half])
        return apply_function("mul", [square, base]) if exponent % 2 else square

    def _whole(self, weight: Any) -> int:
        if is_int(weight) or (isinstance(weight, (float, np.floating)) and float(weight).is_integer()):
            return int(weight)
        raise UnsupportedError(f"weight {weight} is no whole number")

    def _global(self, expression: Any) -> Constraint:
        reader = READERS.get(expression.name)
        if reader is not None:
            found = reader(self, expression)
        else:
            pieces, defining = self._decompose(expression)
            found = all_of([self.constraint(piece) for piece in [*pieces, *defining]])
        # in a part of the constraint a part without value need not break it, but breaks the whole
        return all_of([found, *(Compare(Sum(((0, term),)), "==") for term in self.partial_terms(expression.args))])

    def _decompose(self, expression: Any) -> Any:
        """CPMpy's own pieces, where they need no new variable."""
        try:
            pieces, defining = expression.decompose()
        except Exception:  # its own bounds may divide by zero, its new variables be none, its tables have ragged rows
            pieces, defining = None, []
        if pieces is None or not set(scope_of([pieces, defining])) <= set(scope_of(expression)):
            raise UnsupportedError(
                f"'{str(expression)[:120]}' is of a kind that is not known, {expression.name}, "
                "and CPMpy takes it apart only with new variables"
            )
        return pieces, defining

    def partial_terms(self, expressions: Any) -> list[Term]:
        """The terms among some arguments, lists of them too, that may have no value."""
        if isinstance(expressions, (list, tuple, np.ndarray)):
            return [term for one in expressions for term in self.partial_terms(one)]
        if not isinstance(expressions, Expression) or isinstance(expressions, _NumVarImpl) or expressions.is_bool():
            return []
        term = self.term(expressions)
        return [term] if is_partial(term) else []


def make_truth(constraint: Constraint) -> Term:
    """A constraint as 1 or 0."""
    if constraint in (TRUE, FALSE):
        return Sum((), int(constraint == TRUE))
    return Truth(constraint)


def _is_boolean(expression: Any) -> bool:
    if isinstance(expression, Expression):
        return bool(expression.is_bool())
    return isinstance(expression, (bool, np.bool_)) or (is_int(expression) and int(expression) in (0, 1))


def _as_boolean(expression: Any) -> Any:
    return expression if isinstance(expression, Expression) else BoolVal(bool(expression))

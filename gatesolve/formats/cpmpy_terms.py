"""Reading CPMpy expressions of any depth as trees of our terms and constraints. No variable is added."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from cpmpy.expressions.core import BoolVal, Comparison, Expression, Operator
from cpmpy.expressions.globalconstraints import GlobalConstraint
from cpmpy.expressions.globalfunctions import GlobalFunction
from cpmpy.expressions.utils import is_false_cst, is_int, is_true_cst
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl

from gatesolve.errors import UnsupportedError
from gatesolve.formats.cpmpy_eval import evaluate, grid, scope_of
from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Domains, make_clause
from gatesolve.model.terms import Lookup, Sum, Term, Truth, Value, add_terms, apply_function, constant_of, is_partial
from gatesolve.model.trees import FALSE, TRUE, Compare, Distinct, OddOf, Within, all_of, any_of, compare, negate

MOST_LISTED = 6
"""Nodes up to which the cycles that a circuit must not have are listed."""
LARGEST_FUNCTION = 1 << 12
"""Values of a variable up to which a function of it alone is listed."""


class TermReader(Protocol):
    """A reader of the parts of a global constraint."""

    def term(self, expression: Any) -> Term:
        """An expression as a number."""

    def terms(self, expressions: Any) -> list[Term]:
        """Some expressions as numbers."""

    def constraint(self, expression: Any) -> Constraint:
        """A Boolean expression as a constraint."""

    def compare(self, term: Term, relation: str) -> Constraint:
        """``term relation 0``."""

    def takes_only(self, terms: Sequence[Term], values: Sequence[int]) -> bool:
        """Whether the terms are variables without other values."""


def _all_different(reader: TermReader, expression: Any) -> Constraint:
    return make_distinct(reader, reader.terms(expression.args))


def make_distinct(reader: TermReader, terms: Sequence[Term]) -> Constraint:
    """All-different over terms; over variables alone the kind of that name."""
    if len(terms) < 2:
        return TRUE
    if len(terms) == 2:
        return reader.compare(add_terms([(1, terms[0]), (-1, terms[1])]), "!=")
    names = tuple(term.name for term in terms if isinstance(term, Value))
    if len(set(names)) < len(terms):
        return Distinct(tuple(terms))
    return AllDifferent(names)


def _xor(reader: TermReader, expression: Any) -> Constraint:
    return OddOf(tuple(reader.constraint(part) for part in expression.args))


def _rows(reader: TermReader, columns: Any, rows: Any) -> Constraint:
    """One of the rows; a star stands for any value."""
    terms = reader.terms(columns)

    def equate(term: Term, value: Any) -> Constraint:
        return reader.compare(add_terms([(1, term)], -int(value)), "==")

    return any_of(
        [
            all_of([equate(term, value) for term, value in zip(terms, row, strict=True) if str(value) != "*"])
            for row in rows
        ]
    )


def _choose(reader: TermReader, expression: Any) -> Constraint:
    """Read a choice: the branch that the condition picks; a condition without value does not hold."""
    condition, then, otherwise = (reader.constraint(part) for part in expression.args)
    return any_of([all_of([condition, then]), all_of([negate(condition), otherwise])])


def _table(reader: TermReader, expression: Any) -> Constraint:
    return _rows(reader, *expression.args)


def _negative_table(reader: TermReader, expression: Any) -> Constraint:
    return negate(_rows(reader, *expression.args))


def _in_domain(reader: TermReader, expression: Any) -> Constraint:
    term, values = expression.args
    return Within(reader.term(term), frozenset(int(v) for v in values))


def _counts(reader: TermReader, expression: Any) -> Constraint:
    """How often each value is taken; the last of all values follows from the others."""
    terms, values, wanted = reader.terms(expression.args[0]), expression.args[1], reader.terms(expression.args[2])
    rules = [
        reader.compare(add_terms([*((1, Truth(_equals(reader, term, int(v)))) for term in terms), (-1, number)]), "==")
        for v, number in zip(values, wanted, strict=True)
    ]
    if expression.closed:
        rules += [Within(term, frozenset(map(int, values))) for term in terms]
    numbers = [constant_of(number) for number in wanted]
    told_once = len({*map(int, values)}) == len(values)
    if told_once and None not in numbers and reader.takes_only(terms, values):
        return all_of(rules[:-1]) if sum(n for n in numbers if n is not None) == len(terms) else FALSE
    return all_of(rules)


def _walk(
    reader: TermReader, letters: Sequence[Any], steps: Sequence[Mapping[Any, Mapping[int, Any]]], start: Any
) -> tuple[Term, dict[Any, int]]:
    """The state of an automaton after reading some terms, each state by a number of its own."""
    number: dict[Any, int] = {start: 0}
    for step in steps:
        for source, leaving in step.items():
            for one in (source, *leaving.values()):
                number.setdefault(one, len(number))
    state: Term = Sum((), 0)
    reached = {start}
    for letter, step in zip(reader.terms(letters), steps, strict=True):
        rows = [
            ((number[source], value), number[goal])
            for source in sorted(reached, key=number.__getitem__)
            for value, goal in step.get(source, {}).items()
        ]
        state = Lookup((state, letter), tuple(sorted(rows)))
        reached = {goal for source in reached for goal in step.get(source, {}).values()}
    return state, number


def _regular(reader: TermReader, expression: Any) -> Constraint:
    letters, transitions, start, accepting = expression.args
    step: dict[Any, dict[int, Any]] = {}
    for source, value, goal in transitions:
        step.setdefault(source, {})[int(value)] = goal
    state, number = _walk(reader, letters, [step] * len(letters), start)
    return Within(state, frozenset(number[one] for one in accepting if one in number))


def _decision_diagram(reader: TermReader, expression: Any) -> Constraint:
    letters = expression.args[0]
    state, number = _walk(reader, letters, [expression.mapping] * len(letters), expression.root_node)
    return Within(state, frozenset({number[expression.sink_node]}))


def _circuit(reader: TermReader, expression: Any) -> Constraint:
    """All successors different, and no cycle that leaves a node out."""
    successors = reader.terms(expression.args)
    inside = [one for term in successors for one in _inside(reader, term, len(successors))]
    shut_out = _no_short_cycles if len(successors) <= MOST_LISTED else _no_early_return
    return all_of([*inside, make_distinct(reader, successors), *shut_out(reader, successors)])


def _no_short_cycles(reader: TermReader, successors: Sequence[Term]) -> list[Constraint]:
    """No node is its own successor, and of certain short cycles there is an even number.

    Once all successors differ and none is its own, up to six nodes make one cycle, or: four nodes two cycles of two,
    one of them through node 0; five a cycle of two and one of three; six one or three cycles of two, or two cycles of
    three, one of them through node 0. So in all but the one cycle the number of those that are counted is odd: cycles
    of two, of four nodes only those through node 0, and of six nodes cycles of three through node 0.
    """
    count = len(successors)

    def goes(node: int, to: int) -> Constraint:
        return _equals(reader, successors[node], to)

    firsts = range({4: 1, 5: 4, 6: 5}.get(count, 0))
    short = [all_of([goes(a, b), goes(b, a)]) for a in firsts for b in range(a + 1, count)]
    if count == 6:
        ends = {a: [b for b in range(1, count) if b != a] for a in range(1, count)}
        short += [
            all_of([goes(0, a), OddOf(tuple(all_of([goes(a, b), goes(b, 0)]) for b in later))])
            for a, later in ends.items()
        ]
    return [*(negate(goes(node, node)) for node in range(count)), *([negate(OddOf(tuple(short)))] if short else [])]


def _no_early_return(reader: TermReader, successors: Sequence[Term]) -> list[Constraint]:
    """Node 0 is come back to only after all others."""
    node, later = successors[0], list[Constraint]()
    for _ in successors[1:]:
        later.append(reader.compare(node, "!="))
        node = apply_function("element", [node, *successors])
    return later


def _inverse(reader: TermReader, expression: Any) -> Constraint:
    """One holds a value where the other holds the place."""
    forward, back = (reader.terms(side) for side in expression.args)
    alike = [
        negate(OddOf((_equals(reader, one, j), _equals(reader, other, i))))
        for i, one in enumerate(forward)
        for j, other in enumerate(back)
    ]
    inside = [one for term in (*forward, *back) for one in _inside(reader, term, len(forward))]
    return all_of([*inside, *alike])


def _inside(reader: TermReader, term: Term, size: int) -> list[Constraint]:
    """A term counts from 0 to less than a size."""
    return [reader.compare(term, ">="), reader.compare(add_terms([(1, term)], -size), "<")]


def _equals(reader: TermReader, term: Term, value: int) -> Constraint:
    return reader.compare(add_terms([(1, term)], -value), "==")


def _before(reader: TermReader, expression: Any, strict: bool) -> Constraint:
    """Less at the first place where the two lists differ."""
    found: Constraint = FALSE if strict else TRUE
    for left, right in reversed(list(zip(*expression.args, strict=True))):
        difference = add_terms([(1, reader.term(left)), (-1, reader.term(right))])
        less = reader.compare(difference, "<")
        found = any_of([less, all_of([reader.compare(difference, "=="), found])])
    return found


def _lex(strict: bool) -> Callable[[TermReader, Any], Constraint]:
    return lambda reader, expression: _before(reader, expression, strict)


READERS: Mapping[str, Callable[[TermReader, Any], Constraint]] = {
    "alldifferent": _all_different,
    "gcc": _counts,
    "xor": _xor,
    "ite": _choose,
    "table": _table,
    "short_table": _table,
    "negative_table": _negative_table,
    "indomain": _in_domain,
    "regular": _regular,
    "mdd": _decision_diagram,
    "circuit": _circuit,
    "inverse": _inverse,
    "lex_less": _lex(True),
    "lex_lesseq": _lex(False),
}


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

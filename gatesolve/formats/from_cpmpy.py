"""From a CPMpy model to ours, without adding a variable.

Expressions of any depth are read as trees of our terms and constraints. Constraints of a plain kind keep it. Others
become tables as well where their scope is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Literal

import cpmpy as cp
import numpy as np
from cpmpy.expressions.core import BoolVal, Comparison, Expression, Operator
from cpmpy.expressions.globalconstraints import GlobalConstraint
from cpmpy.expressions.globalfunctions import GlobalFunction
from cpmpy.expressions.utils import is_false_cst, is_int, is_true_cst
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl

from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.formats.cpmpy_eval import evaluate, grid, occurrences, scope_of
from gatesolve.model.affine import Affine, make_all_different, make_relation, sum_affine
from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Domains, Linear, NotEqual, Table, make_clause
from gatesolve.model.model import LARGEST, Model, Objective, Variable, check_value, make_objective
from gatesolve.model.terms import Lookup, Sum, Term, Truth, Value, add_terms, apply_function, constant_of, is_partial
from gatesolve.model.trees import (
    FALSE,
    TRUE,
    AllOf,
    Compare,
    Distinct,
    Not,
    OddOf,
    Tree,
    Within,
    all_of,
    any_of,
    as_affine,
    compare,
    negate,
)

MOST_LISTED = 6
"""Most nodes for which the forbidden cycles of a circuit are listed."""
LARGEST_FUNCTION = 1 << 12
"""Most values of a variable for which a function of it alone is listed."""
DOMAIN_LIMIT = 2**16
"""Most values a domain may have: every one is listed."""
Lowered = list[Constraint] | None


def from_cpmpy(model: cp.Model, table_limit: int = 4096, declared: Sequence[Any] = ()) -> Model:
    """Lower a CPMpy model without adding a variable.

    Linear relations, all-different, disequalities, tables and clauses keep their kind. Any other constraint whose scope
    has at most ``table_limit`` assignments becomes a table by evaluation, with CPMpy's meaning of undefined functions.

    Args:
        model: constraints over integer and Boolean variables, and an objective if there is one.
        table_limit: most assignments of a scope that is evaluated.
        declared: further CPMpy variables, which need not occur in the model.

    Returns:
        The model: variables in order of first appearance, Booleans with domain (0, 1).

    Raises:
        UnsupportedError: a constraint or the objective cannot be lowered; the message names it.
        InputError: not a CPMpy model, or not a constraint.
        InfeasibleError: constant false in a model without variables.
    """
    if not isinstance(model, cp.Model):
        raise InputError(f"expected a cpmpy.Model, got {type(model).__name__}: give cpmpy.Model(...) of it")
    variables = _variables([model.constraints, model.objective_, list(declared)])
    domains = {v.name: v.domain for v in variables}
    constraints = lower(model.constraints, domains, table_limit)
    objective, known = _objective(model, domains)
    return Model(variables, (*constraints, *known), objective)


def _variables(expressions: list[Any]) -> tuple[Variable, ...]:
    found: dict[str, Any] = {}
    for variable in occurrences(expressions):
        # CPMpy identifies variables by object, we by name: two objects of one name would be merged silently.
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


def _objective(model: cp.Model, domains: dict[str, tuple[int, ...]]) -> tuple[Objective | None, list[Constraint]]:
    """Return the objective, and constraints that hold where it has a value."""
    if model.objective_ is None:
        return None, []
    sense: Literal["min", "max"] = "min" if model.objective_is_min else "max"
    try:
        term = Reader(domains).term(model.objective_)
    except UnsupportedError as error:
        raise UnsupportedError(f"objective '{str(model.objective_)[:200]}': {error}") from error
    known: list[Constraint] = [Compare(Sum(((0, term),)), "==")] if is_partial(term) else []
    return make_objective(term, sense), known


def lower(expression: Any, domains: Domains, limit: int) -> list[Constraint]:
    """Return constraints that together mean ``expression`` (or a nested list); none when it always holds.

    A scope of at most ``limit`` assignments may be evaluated into a table.
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
    reader = Reader(domains)
    # Plain kinds first: presolve and the encodings recognise them, and their circuits are smaller than those of a tree.
    for rule in (_different_sums, _plain_table, _linear, _tree):
        found = rule(reader, expression, limit)
        if found is not None:
            return found
    size = math.prod(len(domains[name]) for name in scope_of(expression))
    fault = "has no value that CPMpy can compute: write it as an expression"
    if size > limit:
        fault = f"has {size} assignments, more than the limit of {limit}, and a part of an unknown kind"
        fault += ": write it with other kinds, or tighten domains"
    raise UnsupportedError(f"constraint '{_text(expression, 200)}' {fault}")


def _never(expression: Any, domains: Domains) -> Table:
    """Return a constraint that nothing satisfies, on a variable of the expression if it has one."""
    names = scope_of(expression) or tuple(domains)
    if not names:
        raise InfeasibleError("the model contains the constant false: no assignment satisfies it")
    return Table(names[:1], (), str(expression))


def _different_sums(reader: Reader, expression: Any, limit: int) -> Lowered:
    if expression.name != "alldifferent":
        return None
    forms = [reader.affine(part) for part in expression.args]
    found = make_all_different([form for form in forms if form is not None])
    return found if None not in forms else None


def _plain_table(reader: Reader, expression: Any, limit: int) -> Lowered:
    if expression.name != "table":
        return None
    if not all(isinstance(part, _NumVarImpl) and not isinstance(part, NegBoolView) for part in expression.args[0]):
        return None
    columns = [part.name for part in expression.args[0]]
    names = scope_of(expression)
    rows = np.asarray(expression.args[1], dtype=np.int64)
    # Rows with values outside the domains are dropped: the encodings have no codewords for them.
    keep = np.ones(len(rows), dtype=bool)
    for k, name in enumerate(columns):
        # A variable in two columns must have the same value in both.
        keep &= np.isin(rows[:, k], list(reader.domains[name])) & (rows[:, k] == rows[:, columns.index(name)])
    kept = rows[keep][:, [columns.index(name) for name in names]]
    return [Table(names, tuple(sorted({tuple(row) for row in kept.tolist()})), _text(expression))]


def _linear(reader: Reader, expression: Any, limit: int) -> Lowered:
    if not isinstance(expression, Comparison):
        return None
    left, right = map(reader.affine, expression.args)
    if left is None or right is None:
        return None
    found = make_relation(sum_affine([left, right.scaled(-1)]), expression.name, reader.domains)
    if isinstance(found, bool):
        return [] if found else [_never(expression, reader.domains)]
    return [found]


def _tree(reader: Reader, expression: Any, limit: int) -> Lowered:
    """Lower any expression by its parts, and as a table too where its scope is small."""
    try:
        rule: Constraint | None = reader.constraint(expression)
    except UnsupportedError:
        rule = None
    if rule == FALSE:
        return [_never(expression, reader.domains)]
    parts = rule.constraints if isinstance(rule, AllOf) else () if rule is None else (rule,)
    # Only logic is simplified: parts of other kinds keep the form that their reader has chosen.
    is_logic = expression.name in ("or", "->", "not") or isinstance(expression, _NumVarImpl)
    plain = all_of([_simplify(part, reader.domains) if is_logic else part for part in parts])
    kept = plain.constraints if isinstance(plain, AllOf) else (plain,)
    if rule is not None and not any(isinstance(part, Tree) for part in kept):
        return list(kept)
    # A scope that is small enough becomes a table, which keeps the rule that it was made from.
    table = _tabulate(expression, reader.domains, limit, rule)
    if table is None and rule is not None:
        return _split(expression, reader.domains, limit) or list(parts)
    return table


def _simplify(rule: Constraint, domains: Domains) -> Constraint:
    """Return a part in a plain kind if it has one: the opposite of a relation, a disjunction of values of variables."""
    if isinstance(rule, Not) and isinstance(rule.constraint, Linear | NotEqual):
        return rule.constraint.opposite
    literals = _literals(rule, domains) if isinstance(rule, Not | Clause) else None
    found = rule if literals is None else make_clause(literals, domains)
    return found if isinstance(found, Constraint) else TRUE if found else FALSE


def _literals(rule: Constraint, domains: Domains) -> list[tuple[str, frozenset[int]]] | None:
    """Return literals whose disjunction is equivalent to a constraint, or None."""
    if len(rule.scope) == 1:
        (name,) = rule.scope
        values = np.array(domains[name], dtype=np.int64)
        return [(name, frozenset(values[rule.holds({name: values})].tolist()))]
    if not isinstance(rule, Not) or not isinstance(rule.constraint, AllOf):
        return list(rule.literals) if isinstance(rule, Clause) else None
    parts = [_literals(negate(part), domains) for part in rule.constraint.constraints]
    return None if None in parts else [literal for part in parts for literal in part or ()]


def _split(expression: Any, domains: Domains, limit: int) -> Lowered:
    """Lower an implication of a conjunction, one conjunct at a time; None for anything else."""
    if expression.name != "->" or getattr(expression.args[1], "name", None) != "and":
        return None
    condition, conclusion = expression.args
    return [c for part in conclusion.args for c in lower(condition.implies(part), domains, limit)]


def _tabulate(expression: Any, domains: Domains, limit: int, rule: Constraint | None) -> Lowered:
    scope = scope_of(expression)
    if math.prod(len(domains[name]) for name in scope) > limit:
        return None
    rows = grid(scope, domains)
    # Numbers beyond a machine word need Python's integers, row by row.
    if rule is not None and rule.reach({name: max(map(abs, domains[name])) for name in scope}) <= LARGEST:
        truths: Any = np.broadcast_to(rule.holds({name: rows[:, k] for k, name in enumerate(scope)}), len(rows))
    else:
        truths = evaluate(expression, scope, rows)
    if truths is None:
        return None
    tuples = tuple(tuple(row) for row, truth in zip(rows.tolist(), truths, strict=True) if truth)
    if len(tuples) == len(rows):
        return []
    return [Table(scope, tuples, _text(expression), rule=rule) if scope else _never(expression, domains)]


def _text(expression: Any, most: int = 120) -> str:
    text = str(expression)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def make_distinct(reader: Reader, terms: Sequence[Term]) -> Constraint:
    """Return all-different over terms; over variables alone the kind of that name."""
    if len(terms) < 2:
        return TRUE
    if len(terms) == 2:
        return reader.compare(add_terms([(1, terms[0]), (-1, terms[1])]), "!=")
    names = tuple(term.name for term in terms if isinstance(term, Value))
    if len(set(names)) < len(terms):
        return Distinct(tuple(terms))
    return AllDifferent(names)


def _rows(reader: Reader, columns: Any, rows: Any) -> Constraint:
    """Return that the columns match one of the rows; a star matches any value."""
    terms = reader.terms(columns)

    def match(row: Any) -> Constraint:
        pairs = zip(terms, row, strict=True)
        return all_of([_equals(reader, term, int(value)) for term, value in pairs if str(value) != "*"])

    return any_of([match(row) for row in rows])


def _choose(reader: Reader, expression: Any) -> Constraint:
    condition, then, otherwise = (reader.constraint(part) for part in expression.args)
    # A condition without a value does not hold, and then the second branch counts.
    return any_of([all_of([condition, then]), all_of([negate(condition), otherwise])])


def _counts(reader: Reader, expression: Any) -> Constraint:
    terms, values, wanted = reader.terms(expression.args[0]), expression.args[1], reader.terms(expression.args[2])
    rules = [
        reader.compare(add_terms([*((1, Truth(_equals(reader, term, int(v)))) for term in terms), (-1, number)]), "==")
        for v, number in zip(values, wanted, strict=True)
    ]
    if expression.closed:
        rules += [Within(term, frozenset(map(int, values))) for term in terms]
    numbers = [constant_of(number) for number in wanted]
    # If the terms have no other values and all counts are constant, the last count follows from the others.
    inside = {*map(int, values)}
    takes_only = all(isinstance(term, Value) and inside.issuperset(reader.domains[term.name]) for term in terms)
    if len(inside) == len(values) and None not in numbers and takes_only:
        return all_of(rules[:-1]) if sum(n for n in numbers if n is not None) == len(terms) else FALSE
    return all_of(rules)


def _walk(
    reader: Reader, letters: Sequence[Any], steps: Sequence[Mapping[Any, Mapping[int, Any]]], start: Any
) -> tuple[Term, dict[Any, int]]:
    """Return the state of an automaton after reading some terms, and the number of each state."""
    number: dict[Any, int] = {start: 0}
    for step in steps:
        for source, leaving in step.items():
            for one in (source, *leaving.values()):
                number.setdefault(one, len(number))
    state: Term = Sum((), 0)
    # Only states that can be reached after each step get rows, which keeps the tables small.
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


def _regular(reader: Reader, expression: Any) -> Constraint:
    letters, transitions, start, accepting = expression.args
    step: dict[Any, dict[int, Any]] = {}
    for source, value, goal in transitions:
        if step.setdefault(source, {}).setdefault(int(value), goal) != goal:
            raise InputError(
                "a Regular has two ways on from one state by the same value: make the automaton deterministic"
            )
    state, number = _walk(reader, letters, [step] * len(letters), start)
    # Accepting states that no transition names have no number, and cannot be reached.
    return Within(state, frozenset(number[one] for one in accepting if one in number))


def _decision_diagram(reader: Reader, expression: Any) -> Constraint:
    letters = expression.args[0]
    state, number = _walk(reader, letters, [expression.mapping] * len(letters), expression.root_node)
    return Within(state, frozenset({number[expression.sink_node]}))


def _circuit(reader: Reader, expression: Any) -> Constraint:
    """Return that all successors differ and no cycle leaves a node out."""
    successors = reader.terms(expression.args)
    inside = [one for term in successors for one in _inside(reader, term, len(successors))]
    shut_out = _no_short_cycles if len(successors) <= MOST_LISTED else _no_early_return
    return all_of([*inside, make_distinct(reader, successors), *shut_out(reader, successors)])


def _no_short_cycles(reader: Reader, successors: Sequence[Term]) -> list[Constraint]:
    """Return that no node is its own successor, and that the number of certain short cycles is even."""
    count = len(successors)

    def goes(node: int, to: int) -> Constraint:
        return _equals(reader, successors[node], to)

    # All successors differ and none is its own. So up to three nodes form one cycle. Otherwise a broken circuit of four
    # nodes has two cycles of two (one through node 0), of five a cycle of two and one of three.
    # Six nodes have one or three cycles of two, or two cycles of three (one through node 0). Counted are cycles of two
    # (for four nodes only those through node 0) and, for six nodes, cycles of three through node 0.
    # The count is odd in every broken circuit and 0 in a correct one: one parity instead of many conditions.
    firsts = range({4: 1, 5: 4, 6: 5}.get(count, 0))
    short = [all_of([goes(a, b), goes(b, a)]) for a in firsts for b in range(a + 1, count)]
    if count == 6:
        ends = {a: [b for b in range(1, count) if b != a] for a in range(1, count)}
        short += [
            all_of([goes(0, a), OddOf(tuple(all_of([goes(a, b), goes(b, 0)]) for b in later))])
            for a, later in ends.items()
        ]
    return [*(negate(goes(node, node)) for node in range(count)), *([negate(OddOf(tuple(short)))] if short else [])]


def _no_early_return(reader: Reader, successors: Sequence[Term]) -> list[Constraint]:
    """Return that a walk from node 0 returns there only after all others."""
    node, later = successors[0], list[Constraint]()
    for _ in successors[1:]:
        later.append(reader.compare(node, "!="))
        node = apply_function("element", [node, *successors])
    return later


def _inverse(reader: Reader, expression: Any) -> Constraint:
    """Return that one list has a value j at place i where the other has value i at place j."""
    forward, back = (reader.terms(side) for side in expression.args)
    pairs = product(enumerate(forward), enumerate(back))
    alike = [negate(OddOf((_equals(reader, one, j), _equals(reader, other, i)))) for (i, one), (j, other) in pairs]
    inside = [one for term in (*forward, *back) for one in _inside(reader, term, len(forward))]
    return all_of([*inside, *alike])


def _inside(reader: Reader, term: Term, size: int) -> list[Constraint]:
    """Return that a term is from 0 to less than a size."""
    return [reader.compare(term, ">="), reader.compare(add_terms([(1, term)], -size), "<")]


def _equals(reader: Reader, term: Term, value: int) -> Constraint:
    return reader.compare(add_terms([(1, term)], -value), "==")


def _before(reader: Reader, expression: Any, strict: bool) -> Constraint:
    """Return that the first list is less at the first place where the two lists differ."""
    found: Constraint = FALSE if strict else TRUE
    # Built from the last place to the first, so that each step adds one comparison.
    for left, right in reversed(list(zip(*expression.args, strict=True))):
        difference = add_terms([(1, reader.term(left)), (-1, reader.term(right))])
        less = reader.compare(difference, "<")
        found = any_of([less, all_of([reader.compare(difference, "=="), found])])
    return found


READERS: Mapping[str, Callable[[Reader, Any], Constraint]] = {
    "alldifferent": lambda reader, expression: make_distinct(reader, reader.terms(expression.args)),
    "gcc": _counts,
    "xor": lambda reader, expression: OddOf(tuple(map(reader.constraint, expression.args))),
    "ite": _choose,
    "table": lambda reader, expression: _rows(reader, *expression.args),
    "short_table": lambda reader, expression: _rows(reader, *expression.args),
    "negative_table": lambda reader, expression: negate(_rows(reader, *expression.args)),
    "indomain": lambda reader, one: Within(reader.term(one.args[0]), frozenset(map(int, one.args[1]))),
    "regular": _regular,
    "mdd": _decision_diagram,
    "circuit": _circuit,
    "inverse": _inverse,
    "lex_less": partial(_before, strict=True),
    "lex_lesseq": partial(_before, strict=False),
}


class Reader:
    """A reader of expressions over variables of known domains."""

    def __init__(self, domains: Domains) -> None:
        self.domains = domains

    def constraint(self, expression: Any) -> Constraint:
        """Return a Boolean expression as a constraint."""
        if is_true_cst(expression) or (isinstance(expression, np.bool_) and bool(expression)):
            return TRUE
        if is_false_cst(expression) or isinstance(expression, np.bool_):
            return FALSE
        if isinstance(expression, (list, tuple, np.ndarray)):
            return all_of([self.constraint(part) for part in np.asarray(expression, dtype=object).flat])
        if not isinstance(expression, Expression):
            raise UnsupportedError(f"'{expression}' is not a constraint")
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
        if not isinstance(expression, GlobalConstraint):
            raise UnsupportedError(f"'{str(expression)[:120]}' is of an unknown kind: {expression.name}")
        if (read := READERS.get(expression.name)) is not None:
            found = read(self, expression)
        else:
            pieces, defining = self._decompose(expression)
            found = all_of([self.constraint(piece) for piece in [*pieces, *defining]])
        # CPMpy's relational meaning: an undefined argument makes the whole constraint false, even where a part of its
        # decomposition would hold.
        return all_of([found, *(Compare(Sum(((0, term),)), "==") for term in self.partial_terms(expression.args))])

    def term(self, expression: Any) -> Term:
        """Return an integer or Boolean expression as a number."""
        is_whole = isinstance(expression, float) and expression.is_integer()
        if is_whole or is_int(expression) or isinstance(expression, (bool, np.bool_)):
            return Sum((), int(expression))
        if isinstance(expression, BoolVal):
            return Sum((), int(bool(expression)))
        if isinstance(expression, NegBoolView):
            # The negation of a bit x is 1 - x.
            return Sum(((-1, Value(expression._bv.name)),), 1)
        if isinstance(expression, _NumVarImpl):
            return Value(expression.name)
        if not isinstance(expression, Expression):
            raise UnsupportedError(f"'{str(expression)[:120]}' is not a whole number")
        # Before the rules by kind: a function of one variable is one lookup, however deep its expression.
        if (known := self._one_variable(expression)) is not None:
            return known
        return make_truth(self.constraint(expression)) if expression.is_bool() else self._operation(expression)

    def affine(self, expression: Any) -> Affine | None:
        """Return an expression as a weighted sum of variables; None if it is not one."""
        try:
            return as_affine(self.term(expression))
        except UnsupportedError:
            return None

    def terms(self, expressions: Any) -> list[Term]:
        """Return some expressions as numbers."""
        return [self.term(one) for one in expressions]

    def compare(self, term: Term, relation: str) -> Constraint:
        """Return ``term relation 0``."""
        return compare(term, relation, self.domains)

    def _comparison(self, relation: str, left: Any, right: Any) -> Constraint:
        # A constraint compared with a constant or a constraint needs no number.
        if relation in ("==", "!=") and _is_boolean(left) and _is_boolean(right):
            sides = (side if isinstance(side, Expression) else BoolVal(bool(side)) for side in (left, right))
            differ = OddOf(tuple(map(self.constraint, sides)))
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
        """Return a function of one variable, as a weighted sum if it is one, else as a lookup; None for others."""
        scope = scope_of(expression)
        if len(scope) != 1 or expression.name in ("sum", "wsum", "sub", "-"):
            return None
        (name,), domain = scope, self.domains[scope[0]]
        values = None if len(domain) > LARGEST_FUNCTION else evaluate(expression, scope, grid(scope, self.domains))
        if values is None or not all(v is None or isinstance(v, (bool, int)) for v in values):
            return None
        if None not in values:
            # On 0 and 1 every function is linear, such as x == 1.
            slope = (int(values[-1]) - int(values[0])) // max(domain[-1] - domain[0], 1)
            start = int(values[0]) - slope * domain[0]
            if values == [slope * v + start for v in domain]:
                return add_terms([(slope, Value(name))], start)
        # Other truths and products have better forms by their parts.
        if expression.is_bool() or expression.name == "mul":
            return None
        rows = tuple(((v,), int(result)) for v, result in zip(domain, values, strict=True) if result is not None)
        return Lookup((Value(name),), rows)

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
            # min(a, b) = -max(-a, -b): circuits and bounds know max alone.
            return add_terms([(-1, apply_function("max", [add_terms([(-1, term)]) for term in self.terms(parts)]))])
        if name == "pow":
            return self._power(self.term(parts[0]), int(parts[1]))
        if name == "among":
            # A value that is listed twice counts once.
            values = sorted({int(v) for v in parts[1]})
            counted = [(1, self.term(cp.any([one == v for v in values]))) for one in parts[0]]
            return add_terms([*counted, *self._guard(parts[0])])
        if name == "element":
            return apply_function("element", [self.term(parts[1]), *self.terms(parts[0])])
        if name == "IfThenElseNum" and not any(map(is_partial, branches := self.terms(parts[1:]))):
            # The condition, 0 or 1, is the index, so the branch for "false" comes first.
            return apply_function("element", [make_truth(self.constraint(parts[0])), *reversed(branches)])
        if not isinstance(expression, GlobalFunction):
            raise UnsupportedError(f"'{str(expression)[:120]}' is of an unknown kind: {name}")
        value, defining = self._decompose(expression)
        # The value is also undefined where the decomposition is.
        checks = [(0, Lookup((make_truth(self.constraint(one)),), (((1,), 0),))) for one in defining]
        return add_terms([(1, self.term(value)), *self._guard(expression.args), *checks])

    def _guard(self, expressions: Any) -> list[tuple[int, Term]]:
        """Return terms of weight 0: a sum with them keeps its value, but is undefined where an argument is."""
        return [(0, term) for term in self.partial_terms(expressions)]

    def _power(self, base: Term, exponent: int) -> Term:
        if exponent < 2:
            return base if exponent else add_terms([(0, base)], 1)
        half = self._power(base, exponent // 2)
        square = apply_function("mul", [half, half])
        return apply_function("mul", [square, base]) if exponent % 2 else square

    def _whole(self, weight: Any) -> int:
        if is_int(weight) or (isinstance(weight, (float, np.floating)) and float(weight).is_integer()):
            return int(weight)
        raise UnsupportedError(f"weight {weight} is not a whole number")

    def _decompose(self, expression: Any) -> Any:
        """Return CPMpy's own decomposition, if it needs no new variable."""
        try:
            pieces, defining = expression.decompose()
        # CPMpy fails in many ways: bounds that divide by zero, empty domains, ragged tables.
        except Exception:
            pieces, defining = None, []
        if pieces is None or not set(scope_of([pieces, defining])) <= set(scope_of(expression)):
            fault = f"'{str(expression)[:120]}' is of an unknown kind, {expression.name}"
            raise UnsupportedError(f"{fault}, and CPMpy decomposes it only with new variables")
        return pieces, defining

    def partial_terms(self, expressions: Any) -> list[Term]:
        """Return the terms among some arguments, or lists of them, that may have no value."""
        if isinstance(expressions, (list, tuple, np.ndarray)):
            return [term for one in expressions for term in self.partial_terms(one)]
        if not isinstance(expressions, Expression) or isinstance(expressions, _NumVarImpl) or expressions.is_bool():
            return []
        term = self.term(expressions)
        return [term] if is_partial(term) else []


def make_truth(constraint: Constraint) -> Term:
    """Return a constraint as 1 or 0."""
    if constraint in (TRUE, FALSE):
        return Sum((), int(constraint == TRUE))
    return Truth(constraint)


def _is_boolean(expression: Any) -> bool:
    if isinstance(expression, Expression):
        return bool(expression.is_bool())
    return isinstance(expression, (bool, np.bool_)) or (is_int(expression) and int(expression) in (0, 1))

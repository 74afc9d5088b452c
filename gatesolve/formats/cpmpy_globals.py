"""CPMpy's global constraints that keep a kind of their own; all others are taken apart by CPMpy itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from gatesolve.model.constraints import AllDifferent, Constraint
from gatesolve.model.terms import Lookup, Sum, Term, Truth, Value, add_terms, apply_function, constant_of
from gatesolve.model.trees import FALSE, TRUE, Distinct, OddOf, Within, all_of, any_of, negate

MOST_LISTED = 6
"""Nodes up to which the cycles that a circuit must not have are listed."""


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

"""Integer programs: the common form of LP files, CQMs and quadratic programs, to and from our model."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Any, Literal, TypeVar

from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.formats.problem import Labels, Problem
from gatesolve.model import Clause, Constraint, Linear, Model, Variable
from gatesolve.model.constraints import merge_literals
from gatesolve.model.model import make_objective
from gatesolve.model.terms import Apply, Term, Value, add_terms, apply_function
from gatesolve.model.trees import FALSE, TRUE, compare
from gatesolve.qubo.numerals import as_written, check_finite, count_noun, quote, shortest_number, to_number
from gatesolve.qubo.qubo import Qubo

Key = TypeVar("Key")
_CLOSE = Fraction(1, 10**13)
"""Two numbers closer than this share of the larger are equal: a float has 16 digits, a sum of floats fewer."""
_SLACK = Fraction(1, 10**12)
_NOTHING = Fraction(1, 10**15)
_MOST_PARTS = 1000
_COMPUTED_DIGITS = 15
"""Numbers of at least this many digits are computed: nobody types as many."""
_LEFT_BITS = 24
"""A difference of floats that should be 0 has at most this many bits, and many decimal digits."""
Sense = Literal["min", "max"]
Form = Mapping[tuple[str, ...], Fraction]
"""A polynomial: coefficients by names, ``()`` for the constant."""
Expression = dict[tuple[str, ...], Fraction]
"""A polynomial under construction."""
Coefficients = dict[tuple[str, ...], Any]
"""A form with a package's own numbers: coefficients by names, ``()`` for the constant."""
Ranges = Mapping[str, tuple[int, int]]
"""Least and greatest value by variable."""
MAX_DOMAIN = 1 << 12
"""Most values of one integer variable."""


def round_row(
    terms: Mapping[Key, Fraction], relation: str, bound: Fraction
) -> list[tuple[dict[Key, Fraction], str, Fraction]]:
    """Return a row with each coefficient as it was before floats rounded it.

    Where a number cannot be restored, as a square root, the bound is relaxed by 1e-12 of the row's largest number, and
    an equation becomes two rows.
    """
    largest = max(map(abs, [bound, *terms.values()]))
    # Numbers of fewer than 15 digits, and whole numbers, stay. Others become a decimal of at most 10 digits or a
    # fraction with a denominator of at most 1000 that is within 1e-13, or zero, where sums of floats leave it over.
    meant = {key: _round(value, largest) for key, value in terms.items()}
    end = _round(bound, largest)
    if not any(map(_is_computed, [end, *meant.values()])):
        return [(meant, relation, end)]
    slack, scale = _SLACK * largest, math.lcm(*(value.denominator for value in meant.values()))
    if least := min((abs(value) for value in meant.values() if 0 < abs(value) <= slack), default=None):
        fault = f"a constraint with {float(least):.15g} beside {float(largest):.15g} has more digits than floats hold"
        raise InputError(f"{fault}: write fewer digits, or numbers of more similar sizes")
    # Sums are multiples of 1 / scale, so a relaxed bound need not be finer.
    ends = {
        "<=": Fraction(math.floor((end + slack) * scale), scale),
        ">=": Fraction(math.ceil((end - slack) * scale), scale),
    }
    return [(meant, way, ends[way]) for way in (ends if relation == "==" else [relation])]


def _round(value: Fraction, largest: Fraction) -> Fraction:
    if not _is_computed(value):
        return value
    for simple in (Fraction(f"{float(value):.10g}"), value.limit_denominator(_MOST_PARTS)):
        if abs(simple - value) <= _CLOSE * abs(value):
            return simple
    # A difference of two nearby floats keeps only the few last bits of them; such a rest is taken for zero more easily.
    few = float(value).as_integer_ratio()[0].bit_length() <= _LEFT_BITS
    return Fraction(0) if abs(value) < (max if few else min)(_NOTHING, _CLOSE * largest) else value


def _is_computed(value: Fraction) -> bool:
    # An int for whole numbers, and a fraction for more digits than a float has: neither was rounded.
    near = shortest_number(value)
    return isinstance(near, float) and len(Decimal(repr(near)).as_tuple().digits) >= _COMPUTED_DIGITS


@dataclass(frozen=True)
class SumRow:
    """``sum(coefficient * product of variables) relation bound``; ``relation`` is ``<=``, ``>=`` or ``==``.

    The terms are coefficients by the names of the variables in a product. The label is the row's name in messages.
    """

    label: str
    terms: Form
    relation: str
    bound: Fraction

    @property
    def is_linear(self) -> bool:
        """Whether no product has more than one variable."""
        return all(len(names) == 1 for names in self.terms)


@dataclass(frozen=True)
class IntegerProgram:
    """A problem of integer variables: their least and greatest values, an objective, and constraints.

    The objective has coefficients by names: ``()`` the constant, one name, or several. ``rows`` are the constraints on
    sums, ``others`` those of other kinds.
    """

    domains: Ranges
    objective: Form
    sense: Sense = "min"
    rows: tuple[SumRow, ...] = ()
    others: tuple[Constraint, ...] = ()


def problem_of_qubo(qubo: Qubo, title: str, sense: Sense = "min", spins: Collection[str] = ()) -> Problem:
    """Return the problem of a Qubo alone: 0/1 variables without constraints.

    The Qubo is minimised: it is the negative of what was read where ``sense`` is ``max``. ``spins`` are the names of
    the variables that were read as spins, +1 where the bit is 1.
    """
    what = "QUBO" if qubo.is_quadratic else f"HUBO of degree {qubo.degree}"
    line = f"{title}: {what} of {count_noun(qubo.num_variables, 'variable')}, {count_noun(len(qubo.terms), 'term')}"
    model = Model(tuple(Variable(name, (0, 1)) for name in qubo.names))
    labels = Labels({name: name for name in qubo.names}, frozenset(spins)) if spins else None
    own = replace(qubo, space=None)
    return Problem(model, name=line, labels=labels, qubo=own, sense=sense, space=qubo.space)


def problem_of_program(program: IntegerProgram, title: str, source: str | None = None) -> Problem:
    """Return an integer program as a model with its objective.

    A program of 0/1 variables without constraints becomes a Qubo. Otherwise its rows become constraints in whole
    numbers. The objective becomes the model's, or a Qubo where it is quadratic in 0/1 variables only.
    """
    # Linear rows first; the sort keeps the order within both kinds.
    rows = sorted(program.rows, key=lambda row: not row.is_linear)
    constraints = list[Constraint]()
    for row in rows:
        for terms, relation, bound in round_row(row.terms, row.relation, row.bound):
            made = SumRow(row.label, {names: c for names, c in terms.items() if c}, relation, bound)
            constraints += _make_linear(made) if row.is_linear else _make_polynomial(made, program.domains)
    model = Model(_variables(program.domains, source), (*constraints, *program.others))
    objective = _merge_objective(program)
    wide = {name for name, (low, high) in program.domains.items() if low < 0 or high > 1}
    free = all(domain == (0, 1) for domain in program.domains.values())
    quadratic = any(len(names) > 1 for names in objective)
    if not program.rows and not program.others and free:
        energy = _qubo(list(program.domains), objective, program.sense)
        return problem_of_qubo(energy, title, program.sense)
    counts = count_noun(len(model.variables), "variable"), count_noun(len(model.constraints), "constraint")
    line = f"{title}: {', '.join(counts)}"
    if quadratic and not wide & {name for names in objective for name in names}:
        qubo = _qubo([name for name in program.domains if name not in wide], objective, program.sense)
        return Problem(model, name=f"{line}, a quadratic objective", qubo=qubo, sense=program.sense)
    if not objective:
        return Problem(model, name=line)
    scale = math.lcm(*(c.denominator for c in objective.values()))
    products = [(int(c * scale), multiply_variables(names)) for names, c in objective.items() if names]
    goal = make_objective(add_terms(products, int(objective.get((), Fraction(0)) * scale)), program.sense)
    kind = "a quadratic" if quadratic else "a linear" if products else "a constant"
    line += f", {kind} objective" + (f" times {scale}" if scale > 1 else "")
    return Problem(replace(model, objective=goal), name=line, sense=program.sense, scale=scale)


def problem_of_rows(
    title: str,
    domains: dict[str, tuple[int, int]],
    rows: Iterable[tuple[str, Coefficients, str, Any]],
    objective: Coefficients,
    sense: Sense = "min",
) -> Problem:
    """Return the problem of rows (each a label, a form, a relation and a bound) and an objective."""
    made = list[SumRow]()
    for label, terms, relation, bound in rows:
        # An infinite bound always holds.
        if bound == {"<=": math.inf, ">=": -math.inf}.get(relation):
            continue
        form = _exact(terms, label)
        end = _exact({(): bound}, f"the bound of {label}")[()] - form.pop((), Fraction(0))
        made.append(SumRow(label, form, relation, end))
    program = IntegerProgram(domains, _exact(objective, "the objective"), sense, tuple(made))
    return problem_of_program(program, title)


def _exact(terms: Coefficients, where: str) -> Expression:
    for names, c in terms.items():
        check_finite(c, f"the coefficient of {' * '.join(names)} in {where}" if names else where)
    return {names: as_written(to_number(c)) for names, c in terms.items()}


def multiply_variables(names: Sequence[str]) -> Term:
    """Return the product of one or more variables; a variable named twice is squared."""
    factors: list[Term] = [Value(name) for name in names]
    return reduce(lambda left, right: apply_function("mul", [left, right]), factors)


def _variables(domains: Ranges, source: str | None) -> tuple[Variable, ...]:
    for name, (low, high) in domains.items():
        if high - low >= MAX_DOMAIN:
            fault = f"variable {name} has {high - low + 1} values, and at most {MAX_DOMAIN} fit: tighten its bounds"
            raise InputError(fault, source=source)
        if low > high:
            raise InputError(f"variable {name} has no value from {low} to {high}: correct its bounds", source=source)
    return tuple(Variable(name, tuple(range(low, high + 1))) for name, (low, high) in domains.items())


def _make_linear(row: SumRow) -> list[Constraint]:
    scale = math.lcm(*(c.denominator for c in row.terms.values()))
    bound = row.bound * scale
    if not row.terms:
        if {"<=": bound >= 0, ">=": bound <= 0, "==": bound == 0}[row.relation]:
            return []
        raise InfeasibleError(f"constraint {row.label} reads no variable and does not hold: 0 {row.relation} {bound}")
    if row.relation == "==" and bound.denominator != 1:
        raise InfeasibleError(f"constraint {row.label} never holds: whole numbers do not add up to {bound}")
    # Whole sums below a fraction are below its floor.
    sign = -1 if row.relation == ">=" else 1
    terms = tuple((sign * int(c * scale), name) for (name,), c in row.terms.items())
    return [Linear(terms, "==" if row.relation == "==" else "<=", math.floor(sign * bound))]


def _make_polynomial(row: SumRow, ranges: Ranges) -> list[Constraint]:
    scale = math.lcm(*(c.denominator for c in row.terms.values()), row.bound.denominator)
    bits = {name for names in row.terms for name in names if ranges[name] == (0, 1)}
    # A 0/1 variable occurs once, as its powers are equal.
    factors = {n: sorted([*bits.intersection(n), *(name for name in n if name not in bits)]) for n in row.terms}
    products = [(int(c * scale), multiply_variables(factors[names])) for names, c in row.terms.items()]
    # `compare` reads only the ends of the domains, and a range is a pair of ends.
    made = compare(add_terms(products, -int(row.bound * scale)), row.relation, ranges)
    if made == FALSE:
        raise InfeasibleError(f"constraint {row.label} never holds")
    return [] if made == TRUE else [made]


def when_rows(row: SumRow, name: str, value: int, ranges: Ranges) -> list[SumRow]:
    """Return a linear row that must hold where a 0/1 variable has a value, as unconditional rows."""
    if row.relation == "==":
        below, above = (when_rows(replace(row, relation=way), name, value, ranges) for way in ("<=", ">="))
        return below + above
    sign = 1 if row.relation == "<=" else -1
    ends = [[sign * c * end for end in ranges[one]] for (one,), c in row.terms.items()]
    beyond = sum(map(max, ends), Fraction(0)) - sign * row.bound
    if beyond <= 0:
        return []
    # Big-M with the smallest M: elsewhere the row is relaxed by the most that its left side can exceed the bound.
    terms = {names: sign * c for names, c in row.terms.items()}
    terms[name,] = terms.get((name,), Fraction(0)) + (beyond if value else -beyond)
    return [SumRow(row.label, terms, "<=", sign * row.bound + (beyond if value else 0))]


def special_ordered_set(label: str, adjacent: int, names: Sequence[str], ranges: Ranges) -> list[Constraint]:
    """Return that at most ``adjacent`` variables (1 or 2) are not 0, and these are neighbours."""
    found = []
    # Of every pair that is further apart one must be 0.
    for left, right in ((a, b) for k, a in enumerate(names) for b in names[k + adjacent :]):
        can_be_0 = [name for name in (left, right) if ranges[name][0] <= 0 <= ranges[name][1]]
        if not can_be_0:
            raise InfeasibleError(f"set {label} never holds: neither {left} nor {right} can be 0")
        found.append(Clause(tuple((name, frozenset({0})) for name in can_be_0)))
    return list(found)


def _merge_objective(program: IntegerProgram) -> Expression:
    """Return the objective with each product in one order, without powers of 0/1 variables and without zeros."""
    order = {name: k for k, name in enumerate(program.domains)}
    total: Expression = {}
    for names, coefficient in program.objective.items():
        for name in names:
            if name not in order:
                raise InputError(f"the objective reads unknown variable {name}")
        bits = {name for name in names if program.domains[name][0] >= 0 and program.domains[name][1] <= 1}
        integers = [name for name in names if name not in bits]
        key = tuple(sorted([*bits, *integers], key=order.__getitem__))
        total[key] = total.get(key, Fraction(0)) + coefficient
    return {key: c for key, c in total.items() if c}


def _qubo(names: list[str], objective: Form, sense: Sense) -> Qubo:
    place = {name: k for k, name in enumerate(names)}
    sign = 1 if sense == "min" else -1
    return Qubo.of(names, {tuple(place[n] for n in key): shortest_number(sign * c) for key, c in objective.items()})


def program_of_model(problem: Model | Qubo, objective: Qubo | None = None, most_degree: float = 2) -> IntegerProgram:
    """Return a Qubo, or a model of ranges, linear constraints and clauses of 0/1 variables, as an integer program.

    An ``objective`` over 0/1 variables replaces the model's own. Constraints that are not linear, domains with gaps and
    objectives of more than ``most_degree`` are refused.
    """
    if isinstance(problem, Qubo):
        return IntegerProgram(dict.fromkeys(problem.names, (0, 1)), _energy(problem, most_degree))
    domains = {}
    for variable in problem.variables:
        low, high = variable.domain[0], variable.domain[-1]
        if len(variable.domain) != high - low + 1:
            raise UnsupportedError(f"variable {variable.name} has gaps in its domain: make a Qubo of the model instead")
        domains[variable.name] = (low, high)
    rows = tuple(_row(f"c{k}", c, domains) for k, c in enumerate(problem.constraints))
    if objective is not None:
        for name in objective.names:
            if domains.get(name) != (0, 1):
                raise InputError(f"the objective reads {quote(name)}, which is not a 0/1 variable of the model")
        return IntegerProgram(domains, _energy(objective, most_degree), "min", rows)
    goal = problem.objective
    if goal is None:
        return IntegerProgram(domains, {}, "min", rows)
    energy: Expression = {(): Fraction(goal.constant)}
    energy |= {(name,): Fraction(c) for c, name in goal.terms}
    for weight, part in goal.parts:
        names = _factors(part)
        if names is None or len(names) > most_degree:
            fault = f"the objective's '{part}' is not a product of variables"
            raise UnsupportedError(f"{fault}: make a Qubo of the model instead")
        energy[names] = energy.get(names, Fraction(0)) + weight
    return IntegerProgram(domains, energy, goal.sense, rows)


def _factors(term: Term) -> tuple[str, ...] | None:
    """Return the variables whose product a term is; None for other terms."""
    if isinstance(term, Value):
        return (term.name,)
    if not (isinstance(term, Apply) and term.function == "mul"):
        return None
    left, right = map(_factors, term.arguments)
    return None if left is None or right is None else (*left, *right)


def _energy(qubo: Qubo, most_degree: float) -> Expression:
    if qubo.degree > most_degree:
        raise UnsupportedError(f"a term has {qubo.degree} variables, and this format allows {most_degree}: write JSON")
    return {tuple(qubo.names[i] for i in m): as_written(c) for m, c in qubo.polynomial.items()}


def _row(label: str, constraint: Constraint, domains: Ranges) -> SumRow:
    if isinstance(constraint, Linear) and constraint.relation != "!=":
        terms: Expression = {(name,): Fraction(c) for c, name in constraint.terms}
        return SumRow(label, terms, constraint.relation, Fraction(constraint.bound))
    if isinstance(constraint, Clause) and all(domains[name] == (0, 1) for name in constraint.scope):
        return _clause(label, constraint)
    raise UnsupportedError(f"constraint '{constraint}' is not linear: make a Qubo of the model instead")


def _clause(label: str, clause: Clause) -> SumRow:
    """Return a row for at least one literal, each ``x`` or ``1 - x``."""
    joined = {name: values & {0, 1} for name, values in merge_literals(clause.literals).items()}
    # Both literals of one variable: the clause always holds, and so does 0 x >= 0.
    if always := [name for name, values in joined.items() if values == {0, 1}]:
        return SumRow(label, {(always[0],): Fraction(0)}, ">=", Fraction(0))
    terms: Expression = {(name,): Fraction(1 if 1 in values else -1) for name, values in joined.items() if values}
    return SumRow(label, terms, ">=", Fraction(1 - sum(c < 0 for c in terms.values())))

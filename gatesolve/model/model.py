"""The model: variables with finite integer domains, constraints, an optional objective."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import ge
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import InputError
from gatesolve.model.constraints import AllDifferent, Columns, Constraint, Domains, Linear
from gatesolve.model.terms import Range, Sum, Term, Value, add_terms

LARGEST = 1 << 62
"""Nothing a model computes goes beyond, which leaves room for a difference of two such numbers."""
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that no file of text can hold."""
_MEND = "at most 2^62 is computed with; divide its numbers by a common one, or round them"


@dataclass(frozen=True)
class Objective:
    """``sense`` (``min`` or ``max``) of ``sum(coefficient * variable) + constant``, and of weighted terms beside that.

    The ``parts`` are weights and terms that are no variables; each has a value wherever all constraints hold.
    """

    terms: tuple[tuple[int, str], ...]
    constant: int
    sense: Literal["min", "max"]
    parts: tuple[tuple[int, Term], ...] = ()

    def __post_init__(self) -> None:
        if self.sense not in ("min", "max"):
            raise InputError(f"unknown sense {self.sense!r} of an objective: choose one of min, max")

    @property
    def scope(self) -> tuple[str, ...]:
        """Names of the variables that the objective reads, each once."""
        names = [name for _, name in self.terms]
        return tuple(dict.fromkeys([*names, *(name for _, part in self.parts for name in part.scope)]))

    @property
    def term(self) -> Term:
        """The objective as one term."""
        return add_terms([*((c, Value(name)) for c, name in self.terms), *self.parts], self.constant)

    def value(self, assignment: Mapping[str, int]) -> int:
        """Return the objective's value at an assignment."""
        total = sum(c * assignment[name] for c, name in self.terms) + self.constant
        for weight, part in self.parts:
            columns = {name: np.asarray(assignment[name], dtype=np.int64) for name in part.scope}
            total += weight * int(part.values(columns)[0])
        return total

    def bounds(self, domains: Domains) -> Range:
        """Return the bounds that follow from the domains alone."""
        ends = [(c * domains[name][0], c * domains[name][-1]) for c, name in self.terms]
        for weight, part in self.parts:
            low, high = part.bounds(domains)
            ends.append((weight * low, weight * high))
        return self.constant + sum(map(min, ends)), self.constant + sum(map(max, ends))


def make_objective(term: Term, sense: Literal["min", "max"]) -> Objective:
    """Make the objective of a term, with its linear part separate."""
    terms = term.terms if isinstance(term, Sum) else ((1, term),)
    constant = term.constant if isinstance(term, Sum) else 0
    constant += sum(c * int(part.values({})[0]) for c, part in terms if c and not part.scope)
    linear = tuple((c, part.name) for c, part in terms if c and isinstance(part, Value))
    parts = tuple((c, part) for c, part in terms if c and part.scope and not isinstance(part, Value))
    return Objective(linear, constant, sense, parts)


@dataclass(frozen=True)
class Variable:
    """A named integer variable; ``domain`` is sorted, without repeats, and not empty."""

    name: str
    domain: tuple[int, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or _NO_TEXT.search(self.name):
            raise InputError(f"a variable is named {self.name!a:.60}: give it a text without nulls and surrogates")
        _check_members(self.domain, (int, np.integer), f"the domain of {self.name}", "whole numbers")
        if not self.domain:
            raise InputError(f"variable {self.name} has no value left: give it a domain of at least one value")
        if any(map(ge, self.domain, self.domain[1:])):
            raise InputError(f"the domain of {self.name} is not sorted, or has a value twice: sort it, without repeats")


@dataclass(frozen=True)
class Model:
    """A problem of variables with finite domains, constraints and, optionally, an objective.

    Attributes:
        variables: each with a different name.
        constraints: `Linear`, `NotEqual`, `AllDifferent`, `Table` and `Clause` of ``gatesolve.model``, or other classes
            derived from its `Constraint`.
        objective: an `Objective` of ``gatesolve.model``; None if any solution will do.

    Raises:
        InputError: an argument has a wrong type, two variables share a name, a constraint or the objective reads an
            unknown variable, or a number is beyond 2^62.
    """

    variables: tuple[Variable, ...]
    constraints: tuple[Constraint, ...] = ()
    objective: Objective | None = None

    def __post_init__(self) -> None:
        _check_members(self.variables, Variable, "variables", "Variables")
        _check_members(self.constraints, Constraint, "constraints", "constraints")
        names = [v.name for v in self.variables]
        if len(set(names)) != len(names):
            twice = sorted({n for n in names if names.count(n) > 1})
            raise InputError(f"variable names used twice: {', '.join(twice)}: give each its own name")
        known = set(names)
        if not isinstance(self.objective, Objective | None):
            raise InputError(f"objective is {self.objective!r:.60}: give an Objective")
        read = [(f"constraint '{one}'", one.scope) for one in self.constraints]
        if self.objective is not None:
            read.append(("the objective", self.objective.scope))
        for who, scope in read:
            # One name is enough for a message.
            for name in [name for name in scope if name not in known][:1]:
                raise InputError(f"{who} reads unknown variable {name}: give the model that variable")
        for one in self.constraints:
            if isinstance(one, Linear | AllDifferent) and len(set(one.scope)) < len(one.scope):
                raise InputError(f"'{one}' reads a variable twice: add up its coefficients, or leave one out")
        _check_magnitudes(self.domains, self.constraints, self.objective)

    @cached_property
    def domains(self) -> dict[str, tuple[int, ...]]:
        """Domain of each variable by name, in the order of ``variables``."""
        return {v.name: v.domain for v in self.variables}

    @property
    def num_assignments(self) -> int:
        """Product of the domain sizes."""
        return math.prod(len(v.domain) for v in self.variables)

    @cached_property
    def unread(self) -> tuple[Variable, ...]:
        """The variables that no constraint and no objective reads; each may take any of its values."""
        read = {name for constraint in self.constraints for name in constraint.scope}
        read.update(() if self.objective is None else self.objective.scope)
        return tuple(v for v in self.variables if v.name not in read)

    def holds(self, columns: Columns) -> NDArray[np.bool_]:
        """Return the truth of all constraints on each row; ``columns`` maps a name to an array of values."""
        shape = np.broadcast_shapes(*(np.shape(c) for c in columns.values())) if columns else ()
        true = np.zeros(shape, dtype=bool)
        # The places of rows that no constraint has refused yet; later constraints see only these.
        left = np.arange(true.size)
        flat = {name: np.broadcast_to(column, shape).reshape(-1) for name, column in columns.items()}
        for constraint in self.constraints:
            kept = constraint.holds({name: flat[name][left] for name in constraint.scope})
            left = left[np.broadcast_to(kept, left.shape)]
            if not left.size:
                break
        true.reshape(-1)[left] = True
        return true

    def violated(self, assignment: Mapping[str, int]) -> Iterator[Constraint]:
        """Yield the constraints that ``assignment`` (a value in its domain for every variable) breaks."""
        columns = {name: np.asarray(value, dtype=np.int64) for name, value in assignment.items()}
        return (c for c in self.constraints if not bool(c.holds(columns)))

    def check(self, assignment: Mapping[str, int]) -> bool:
        """Return whether ``assignment`` gives every variable a value of its domain and breaks no constraint."""
        inside = all(name in assignment and assignment[name] in d for name, d in self.domains.items())
        return inside and next(self.violated(assignment), None) is None


def _check_members(given: object, kind: type | tuple[type, ...], what: str, wanted: str) -> None:
    if not isinstance(given, Sequence) or not all(isinstance(one, kind) for one in given):
        raise InputError(f"{what} is {given!r:.60}: give a tuple of {wanted}")


def _check_magnitudes(domains: Domains, constraints: Iterable[Constraint], objective: Objective | None) -> None:
    """Refuse values, sums and bounds beyond `LARGEST`; linear objectives are for the pipelines: annealing takes any."""
    most = {name: max(abs(domain[0]), abs(domain[-1])) for name, domain in domains.items()}
    for name, value in most.items():
        check_value(name, value)
    for constraint in constraints:
        value = constraint.reach(most)
        if value > LARGEST:
            named = ", ".join(constraint.scope[:4])
            raise InputError(f"the constraint on {named} reaches numbers of {_digits(value)}: {_MEND}")
    for weight, part in () if objective is None else objective.parts:
        value = abs(weight) * max(part.reach(most), 1)
        if value > LARGEST:
            raise InputError(f"the objective reaches numbers of {_digits(value)}: {_MEND}")


def check_value(name: str, value: int) -> None:
    """Refuse a variable whose values go beyond `LARGEST`."""
    if value > LARGEST:
        raise InputError(f"variable {name} takes values of {_digits(value)}: {_MEND}")


def _digits(value: int) -> str:
    return f"{len(str(value))} digits" if value.bit_length() < 10_000 else "thousands of digits"

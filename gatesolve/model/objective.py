"""The objective of a model: a term that is minimised or maximised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gatesolve.errors import InputError
from gatesolve.model.constraints import Domains
from gatesolve.model.terms import Range, Sum, Term, Value, add_terms


@dataclass(frozen=True)
class Objective:
    """``sense`` of ``sum(coefficient * variable) + constant``, and of weighted terms beside that.

    Attributes:
        terms: coefficients and variables.
        constant: added to the sum.
        sense: ``min`` or ``max``.
        parts: weights and terms that are no variables; each has a value wherever all constraints hold.
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

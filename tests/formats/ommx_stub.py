"""As much of ``ommx.v1`` as is used, for where the package is not installed; see ``program_stub``."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, prod
from types import SimpleNamespace


@dataclass
class Polynomial:
    terms: dict

    def __post_init__(self):
        self.terms = {tuple(sorted(k)): float(c) for k, c in self.terms.items() if c}


class Function(Polynomial):
    def __init__(self, inner):
        super().__init__(inner.terms)


@dataclass
class DecisionVariable:
    id: int
    kind: str
    bound: SimpleNamespace
    name: str | None
    subscripts: list = field(default_factory=list)

    @staticmethod
    def binary(number, name=None, subscripts=()):
        return DecisionVariable(number, "Binary", SimpleNamespace(lower=0.0, upper=1.0), name, list(subscripts))

    @staticmethod
    def integer(number, lower=-inf, upper=inf, name=None):
        return DecisionVariable(number, "Integer", SimpleNamespace(lower=lower, upper=upper), name)

    @staticmethod
    def continuous(number, name=None):
        return DecisionVariable(number, "Continuous", SimpleNamespace(lower=-inf, upper=inf), name)


@dataclass
class Constraint:
    EQUAL_TO_ZERO = 0
    LESS_THAN_OR_EQUAL_TO_ZERO = 1

    function: Function
    equality: int
    id: int
    name: str | None = None


@dataclass
class Instance:
    MINIMIZE = 1
    MAXIMIZE = 2

    decision_variables: list
    objective: Function
    constraints: list
    sense: int

    @staticmethod
    def from_components(*, decision_variables, objective, constraints, sense):
        return Instance(list(decision_variables), objective, list(constraints), sense)

    def decision_variable_analysis(self):
        return SimpleNamespace(fixed=dict, dependent=set)

    def evaluate(self, state):
        total = sum(c * prod(state[k] for k in key) for key, c in self.objective.terms.items())
        return SimpleNamespace(objective=total)


Instance.__module__ = "ommx.v1"  # by which `solve` tells its type

"""As much of qiskit-optimization's ``QuadraticProgram`` as is used, for where the package is not installed.

The tests that use it run on the real one too where that is installed, so the two cannot drift apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from types import SimpleNamespace


class VarType(Enum):
    CONTINUOUS = 0
    BINARY = 1
    INTEGER = 2


class ObjSense(Enum):
    MINIMIZE = 1
    MAXIMIZE = -1


class Sense(Enum):
    LE = "<="
    GE = ">="
    EQ = "=="


@dataclass
class Expression:
    coefficients: dict

    def to_dict(self, symmetric=False, use_name=False):
        assert use_name
        assert not symmetric
        return {k: float(c) for k, c in self.coefficients.items() if c}


@dataclass
class QuadraticProgram:
    name: str = ""
    variables: list = field(default_factory=list)
    linear_constraints: list = field(default_factory=list)
    quadratic_constraints: list = field(default_factory=list)

    def __post_init__(self):
        self.minimize()

    def _add(self, name, low, high, kind):
        if any(v.name == name for v in self.variables):
            raise ValueError(f"Variable name already exists: {name}")
        self.variables.append(SimpleNamespace(name=name, lowerbound=low, upperbound=high, vartype=kind))

    def binary_var(self, name):
        self._add(name, 0, 1, VarType.BINARY)

    def integer_var(self, lowerbound, upperbound, name):
        self._add(name, lowerbound, upperbound, VarType.INTEGER)

    def continuous_var(self, name):
        self._add(name, 0, 1e20, VarType.CONTINUOUS)

    def minimize(self, constant=0.0, linear=None, quadratic=None, sense=ObjSense.MINIMIZE):
        known = {v.name for v in self.variables}
        assert {*(linear or {}), *(n for pair in quadratic or {} for n in pair)} <= known
        self.objective = SimpleNamespace(
            constant=constant, linear=Expression(linear or {}), quadratic=Expression(quadratic or {}), sense=sense
        )
        self.objective.evaluate = self._evaluate

    def maximize(self, constant=0.0, linear=None, quadratic=None):
        self.minimize(constant, linear, quadratic, ObjSense.MAXIMIZE)

    def _evaluate(self, values):
        state = {v.name: value for v, value in zip(self.variables, values, strict=True)}
        total = self.objective.constant + sum(c * state[n] for n, c in self.objective.linear.coefficients.items())
        return total + sum(c * state[u] * state[v] for (u, v), c in self.objective.quadratic.coefficients.items())

    def linear_constraint(self, linear, sense, rhs, name):
        self.linear_constraints.append(
            SimpleNamespace(name=name, linear=Expression(linear), sense=Sense(sense), rhs=rhs)
        )

    def quadratic_constraint(self, linear, quadratic, sense, rhs, name):
        parts = {"linear": Expression(linear), "quadratic": Expression(quadratic)}
        self.quadratic_constraints.append(SimpleNamespace(name=name, sense=Sense(sense), rhs=rhs, **parts))


QuadraticProgram.__module__ = "qiskit_optimization.problems.quadratic_program"  # by which `solve` tells its type

"""Qubo and models to and from OMMX instances (``ommx.v1``), an optional package."""

from __future__ import annotations

import math
from fractions import Fraction
from importlib import import_module
from typing import Any

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import Model
from gatesolve.qubo.numerals import as_written, plain
from gatesolve.qubo.parts import Parts, QuboProblem, Row, assembled, parts_of
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import Qubo


def to_ommx(problem: Qubo | Model, objective: Qubo | None = None) -> Any:
    """A Qubo of any degree, or a model with linear constraints, as an ``ommx.v1.Instance``.

    Args:
        problem: a Qubo; or a model of ranges of integers and linear constraints.
        objective: of a model, quadratic, over its 0/1 variables; the model's own linear objective where None.

    Returns:
        An instance with the same energies; variable k has id k and its name.

    Raises:
        UnsupportedError: another kind of constraint, a domain with gaps; or the package is missing.
    """
    ommx = _package()
    if isinstance(problem, Qubo):
        bits = dict.fromkeys(problem.names, (0, 1))
        energy = {tuple(problem.names[i] for i in m): as_written(c) for m, c in problem.polynomial.items()}
        parts = Parts(bits, energy)
    else:
        parts = parts_of(problem, objective)
    ids = {name: k for k, name in enumerate(parts.domains)}
    constraints = []
    for k, row in enumerate(parts.rows):
        sign = -1 if row.relation == ">=" else 1
        terms = {(name,): sign * c for name, c in row.terms.items()} | {(): -sign * row.bound}
        equality = ommx.Constraint.EQUAL_TO_ZERO if row.relation == "==" else ommx.Constraint.LESS_THAN_OR_EQUAL_TO_ZERO
        constraints.append(
            ommx.Constraint(function=_function(ommx, terms, ids), equality=equality, id=k, name=row.label)
        )
    return ommx.Instance.from_components(
        decision_variables=[_variable(ommx, ids[name], name, domain) for name, domain in parts.domains.items()],
        objective=_function(ommx, parts.objective, ids),
        constraints=constraints,
        sense=ommx.Instance.MINIMIZE if parts.sense == "min" else ommx.Instance.MAXIMIZE,
    )


def from_ommx(instance: Any) -> QuboProblem:
    """An OMMX instance of binary and integer variables and linear constraints.

    Variables are called by name and subscripts, as ``x_1_2``, or ``x7`` for id 7 where that is not unique.

    Returns:
        As `parts.assembled`; an objective of any degree over 0/1 variables becomes a Qubo.

    Raises:
        UnsupportedError: other kinds of variables, constraints that are not linear.
        InputError: an integer variable of more than 4096 values.
    """
    ommx = _package()
    names = _names(instance.decision_variables)
    domains = {names[v.id]: _domain(v, names[v.id]) for v in instance.decision_variables}
    rows = []
    for c in instance.constraints:
        label = c.name or f"c{c.id}"
        terms = {key: as_written(plain(w)) for key, w in c.function.terms.items()}
        if any(len(key) > 1 for key in terms):
            raise UnsupportedError(f"constraint {label} is not linear: only linear constraints are read")
        relation = "==" if c.equality == ommx.Constraint.EQUAL_TO_ZERO else "<="
        left = {names[key[0]]: w for key, w in terms.items() if key}
        rows.append(Row(label, left, relation, -terms.get((), Fraction(0))))
    objective: dict[tuple[str, ...], Fraction] = {}
    for key, weight in instance.objective.terms.items():
        objective[tuple(names[k] for k in key)] = as_written(plain(weight))
    title = getattr(instance, "title", None) or "OMMX instance"
    return assembled(
        Parts(domains, objective, "min" if instance.sense == ommx.Instance.MINIMIZE else "max", tuple(rows)), title
    )


def _function(ommx: Any, terms: Any, ids: dict[str, int]) -> Any:
    made: dict[tuple[int, ...], Number] = {tuple(ids[name] for name in key): float(c) for key, c in terms.items()}
    return ommx.Function(ommx.Polynomial(terms=made))


def _variable(ommx: Any, number: int, name: str, domain: tuple[int, int]) -> Any:
    if domain == (0, 1):
        return ommx.DecisionVariable.binary(number, name=name)
    return ommx.DecisionVariable.integer(number, lower=domain[0], upper=domain[1], name=name)


def _names(variables: Any) -> dict[int, str]:
    found = {
        v.id: "_".join(map(str, [v.name or "x", *(v.subscripts or ([] if v.name else [v.id]))])) for v in variables
    }
    if len(set(found.values())) == len(found):
        return found
    return {v.id: f"x{v.id}" for v in variables}


def _domain(variable: Any, name: str) -> tuple[int, int]:
    kind = str(variable.kind)
    if kind not in {"Binary", "Integer"}:
        raise UnsupportedError(f"variable {name} is {kind.lower()}: only binary and integer variables are read")
    low, high = variable.bound.lower, variable.bound.upper
    if math.isinf(low) or math.isinf(high):
        raise InputError(f"variable {name} has no bound: give it a least and a greatest value")
    return math.ceil(low), math.floor(high)


def _package() -> Any:
    try:
        return import_module("ommx.v1")
    except ImportError as error:
        raise UnsupportedError("ommx is not installed: pip install ommx") from error

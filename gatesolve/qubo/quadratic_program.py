"""Qubo and models to and from qiskit-optimization's ``QuadraticProgram``, an optional package."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from gatesolve.errors import MissingExtraError, UnsupportedError
from gatesolve.model import Model, Variable
from gatesolve.qubo.numerals import as_written, plain, rounded
from gatesolve.qubo.parts import Parts, QuboProblem, Row, Sense, assembled, parts_of
from gatesolve.qubo.qubo import Qubo

if TYPE_CHECKING:
    from qiskit_optimization import QuadraticProgram

_RELATIONS = {"LE": "<=", "GE": ">=", "EQ": "=="}


def to_quadratic_program(problem: Qubo | Model, objective: Qubo | None = None) -> QuadraticProgram:
    """A Qubo, or a model with linear constraints, as a quadratic program.

    Args:
        problem: a Qubo of degree 2 at most; or a model of ranges of integers and linear constraints.
        objective: of a model, over its 0/1 variables; the model's own linear objective where None.

    Returns:
        A program with the same energies: binary and integer variables under their names.

    Raises:
        UnsupportedError: a higher degree, another kind of constraint, a domain with gaps; or the package is missing.
    """
    if isinstance(problem, Qubo):
        model, objective = Model(tuple(Variable(name, (0, 1)) for name in problem.names)), problem
    else:
        model = problem
    parts = parts_of(model, objective)
    program = _package().QuadraticProgram("gatesolve")
    for name, (low, high) in parts.domains.items():
        if (low, high) == (0, 1):
            program.binary_var(name)
        else:
            program.integer_var(low, high, name)
    constant = float(rounded(parts.objective.get((), as_written(0))))
    linear = {key[0]: float(c) for key, c in parts.objective.items() if len(key) == 1}
    quadratic = {key: float(c) for key, c in parts.objective.items() if len(key) == 2}
    (program.minimize if parts.sense == "min" else program.maximize)(constant, linear, quadratic)
    for row in parts.rows:
        terms = {name: float(c) for name, c in row.terms.items()}
        program.linear_constraint(terms, row.relation, float(row.bound), row.label)
    return program


def from_quadratic_program(program: QuadraticProgram) -> QuboProblem:
    """A quadratic program of binary and integer variables and linear constraints.

    Returns:
        As `parts.assembled`: the constraints and a linear objective in the model, or the objective as a Qubo.

    Raises:
        UnsupportedError: continuous variables, quadratic constraints, or an objective quadratic in integers.
        InputError: an integer variable of more than 4096 values.
    """
    if program.quadratic_constraints:
        name = program.quadratic_constraints[0].name
        raise UnsupportedError(f"constraint {name} is quadratic: only linear constraints are read")
    domains = {v.name: _domain(v) for v in program.variables}
    rows = []
    for c in program.linear_constraints:
        terms = {name: as_written(plain(w)) for name, w in c.linear.to_dict(use_name=True).items()}
        rows.append(Row(c.name, terms, _RELATIONS[c.sense.name], as_written(plain(c.rhs))))
    goal = program.objective
    objective: dict[tuple[str, ...], Fraction] = {(): as_written(plain(goal.constant))}
    objective |= {(name,): as_written(plain(w)) for name, w in goal.linear.to_dict(use_name=True).items()}
    objective |= {key: as_written(plain(w)) for key, w in goal.quadratic.to_dict(use_name=True).items()}
    sense: Sense = "min" if goal.sense.name == "MINIMIZE" else "max"
    return assembled(Parts(domains, objective, sense, tuple(rows)), program.name or "quadratic program")


def _domain(variable: Any) -> tuple[int, int]:
    kind = variable.vartype.name
    if kind == "CONTINUOUS":
        raise UnsupportedError(f"variable {variable.name} is continuous: only binary and integer variables are read")
    return int(variable.lowerbound), int(variable.upperbound)


def _package() -> Any:
    try:
        import qiskit_optimization
    except ImportError as error:
        raise MissingExtraError("qiskit-optimization is not installed", "peers") from error
    return qiskit_optimization

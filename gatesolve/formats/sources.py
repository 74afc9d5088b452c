"""Any input of the user's as a problem: files, puzzles, models, and objects of other packages, some written back.

Types are recognised by the names of their package and class, so that no package is loaded before it is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

from numpy.typing import NDArray

from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError, UnsupportedError, one_line
from gatesolve.extensions import require
from gatesolve.files import ModelText, source_name
from gatesolve.formats.convert import (
    MAX_DENSE,
    check_pairs,
    from_bpoly,
    from_bqm,
    from_dict,
    from_matrix,
    label_name,
    name_labels,
    plain_number,
    require_dimod,
)
from gatesolve.formats.files import read_file
from gatesolve.formats.from_cpmpy import from_cpmpy
from gatesolve.formats.integer_program import Coefficients, Sense, problem_of_qubo, problem_of_rows, program_of_model
from gatesolve.formats.problem import Labels, Problem
from gatesolve.formats.sparse_text import largest_cut
from gatesolve.model import Model
from gatesolve.puzzles import Puzzle, is_text
from gatesolve.qubo.numerals import check_finite
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import Qubo

if TYPE_CHECKING:
    import cpmpy
    import dimod
    import networkx
    import ommx.v1
    import qiskit_optimization
    import scipy.sparse
    from qiskit_optimization import QuadraticProgram

Foreign: TypeAlias = (
    "cpmpy.Model | dimod.BinaryQuadraticModel | dimod.BinaryPolynomial | dimod.QuadraticModel "
    "| dimod.ConstrainedQuadraticModel | Mapping[Any, float] | NDArray[Any] | scipy.sparse.sparray "
    "| scipy.sparse.spmatrix | qiskit_optimization.QuadraticProgram | ommx.v1.Instance | networkx.Graph"
)
"""Problems as objects of other packages."""
Source: TypeAlias = "str | Path | Puzzle | Model | Qubo | Foreign"
"""Everything that users may give as a problem."""
_RELATIONS = {"LE": "<=", "GE": ">=", "EQ": "=="}


def to_cqm(problem: Qubo | Model, objective: Qubo | None = None) -> dimod.ConstrainedQuadraticModel:
    """Return a Qubo, or a model with linear constraints, as a dimod constrained quadratic model.

    Args:
        problem: a Qubo of degree 2 at most; or a model, whose 0/1 domains become BINARY, other ranges INTEGER.
        objective: a quadratic objective over the model's 0/1 variables; None for the model's own linear one. A
            maximised objective is negated, as dimod minimises.

    Raises:
        UnsupportedError: a constraint of another kind or a domain with gaps, which the message names.
        MissingExtraError: dimod is not installed.
    """
    dimod = require_dimod()
    program = program_of_model(problem, objective)
    cqm = dimod.ConstrainedQuadraticModel()
    for name, (low, high) in program.domains.items():
        kind = "BINARY" if (low, high) == (0, 1) else "INTEGER"
        cqm.add_variable(kind, name, lower_bound=low, upper_bound=high)
    sign = -1 if program.sense == "max" else 1
    cqm.set_objective([(*names, sign * float(c)) for names, c in program.objective.items()])
    for row in program.rows:
        terms = [(*names, float(c)) for names, c in row.terms.items()]
        cqm.add_constraint(terms, row.relation, float(row.bound), label=row.label)
    return cqm


def from_cqm(cqm: dimod.ConstrainedQuadraticModel) -> Problem:
    """Return a dimod constrained quadratic model of binary, spin and integer variables as a problem."""
    if any(cqm.vartype(v).name == "SPIN" for v in cqm.variables):
        cqm = cqm.spin_to_binary(inplace=False)
    given_domains = [(v, cqm.vartype(v).name, cqm.lower_bound(v), cqm.upper_bound(v)) for v in cqm.variables]
    domains = {label_name(v): _domain(str(v), *ranges) for v, *ranges in given_domains}
    if len(domains) < len(cqm.variables):
        raise InputError("two labels of the CQM give the same name: relabel its variables")
    for label in cqm.constraints.keys() & getattr(cqm, "_soft", {}).keys():
        raise UnsupportedError(f"constraint {label} is soft: add its penalty to the objective instead")
    rows = [(str(label), _terms_of(one.lhs), one.sense.value, one.rhs) for label, one in cqm.constraints.items()]
    return problem_of_rows("CQM", domains, rows, _terms_of(cqm.objective))


def _terms_of(model: Any) -> Coefficients:
    terms: Coefficients = {(): model.offset, **{(label_name(v),): c for v, c in model.iter_linear()}}
    return terms | {(label_name(u), label_name(v)): c for u, v, c in model.iter_quadratic()}


def to_quadratic_program(problem: Qubo | Model, objective: Qubo | None = None) -> QuadraticProgram:
    """Return a Qubo or a model, as `to_cqm`, as a quadratic program of qiskit-optimization; a maximum stays one."""
    made = program_of_model(problem, objective)
    peer = require("qiskit_optimization", "qiskit-optimization is not installed", "peers")
    program = peer.QuadraticProgram("gatesolve")
    for name, (low, high) in made.domains.items():
        program.binary_var(name) if (low, high) == (0, 1) else program.integer_var(low, high, name)
    terms = {key: float(c) for key, c in made.objective.items()}
    linear = {key[0]: c for key, c in terms.items() if len(key) == 1}
    quadratic = {key: c for key, c in terms.items() if len(key) == 2}
    (program.minimize if made.sense == "min" else program.maximize)(terms.get((), 0.0), linear, quadratic)
    for row in made.rows:
        coefficients = {name: float(c) for (name,), c in row.terms.items()}
        program.linear_constraint(coefficients, row.relation, float(row.bound), row.label)
    return program


def from_quadratic_program(program: QuadraticProgram) -> Problem:
    """Return a quadratic program of binary and integer variables as `from_cqm` returns a CQM."""
    domains = {v.name: _domain(v.name, v.vartype.name, v.lowerbound, v.upperbound) for v in program.variables}
    constraints = (*program.linear_constraints, *program.quadratic_constraints)
    rows = [(c.name, _terms_of_part(c), _RELATIONS[c.sense.name], c.rhs) for c in constraints]
    goal = program.objective
    sense: Sense = "min" if goal.sense.name == "MINIMIZE" else "max"
    title = program.name or "quadratic program"
    return problem_of_rows(title, domains, rows, {(): goal.constant, **_terms_of_part(goal)}, sense)


def _terms_of_part(part: Any) -> Coefficients:
    terms: Coefficients = {(name,): c for name, c in part.linear.to_dict(use_name=True).items()}
    return terms | part.quadratic.to_dict(use_name=True) if hasattr(part, "quadratic") else terms


def to_ommx(problem: Qubo | Model, objective: Qubo | None = None) -> Any:
    """Return a Qubo of any degree, or a model, as `to_cqm`, as an ``ommx.v1.Instance``; variable k has id k."""
    ommx = require("ommx.v1", "ommx is not installed", "ommx")
    program = program_of_model(problem, objective, most_degree=math.inf)
    ids = {name: k for k, name in enumerate(program.domains)}

    def function(terms: Mapping[tuple[str, ...], Fraction]) -> Any:
        numbered = {tuple(ids[name] for name in key): float(c) for key, c in terms.items()}
        return ommx.Function(ommx.Polynomial(terms=numbered))

    variables = []
    for name, (low, high) in program.domains.items():
        binary, integer = ommx.DecisionVariable.binary, partial(ommx.DecisionVariable.integer, lower=low, upper=high)
        variables.append((binary if (low, high) == (0, 1) else integer)(ids[name], name=name))
    constraints = []
    for k, row in enumerate(program.rows):
        sign = -1 if row.relation == ">=" else 1
        # OMMX compares with zero, and has no "at least": such rows are negated.
        left = function({names: sign * c for names, c in row.terms.items()} | {(): -sign * row.bound})
        kind = ommx.Constraint.EQUAL_TO_ZERO if row.relation == "==" else ommx.Constraint.LESS_THAN_OR_EQUAL_TO_ZERO
        constraints.append(ommx.Constraint(function=left, equality=kind, id=k, name=row.label))
    return ommx.Instance.from_components(
        decision_variables=variables,
        objective=function(program.objective),
        constraints=constraints,
        sense=ommx.Instance.MINIMIZE if program.sense == "min" else ommx.Instance.MAXIMIZE,
    )


def from_ommx(instance: Any) -> Problem:
    """Return an OMMX instance as `from_cqm` returns a CQM. Objective and constraints may be of any degree.

    Variables are named by name and subscripts, as ``x_1_2``, or ``x7`` for id 7 where that is not unique.
    """
    ommx = require("ommx.v1", "ommx is not installed", "ommx")
    names = name_ommx(instance)
    given = [(names[v.id], str(v.kind), v.bound) for v in instance.decision_variables if v.id in names]
    domains = {name: _domain(name, kind, bound.lower, bound.upper) for name, kind, bound in given}

    def terms_of(function: Any) -> Coefficients:
        return {tuple(names[k] for k in key): c for key, c in function.terms.items()}

    equal = ommx.Constraint.EQUAL_TO_ZERO
    named = ((c.name or f"c{c.id}", c) for c in instance.constraints)
    rows = [(name, terms_of(c.function), "==" if c.equality == equal else "<=", 0) for name, c in named]
    sense: Sense = "min" if instance.sense == ommx.Instance.MINIMIZE else "max"
    title = getattr(instance, "title", None) or "OMMX instance"
    return problem_of_rows(title, domains, rows, terms_of(instance.objective), sense)


def name_ommx(instance: Any) -> dict[int, str]:
    """Return names of an OMMX instance's variables by id, without those that have a value or a formula."""
    analysis = instance.decision_variable_analysis()
    settled = {*analysis.fixed(), *analysis.dependent()}
    found = {
        v.id: "_".join(map(str, [v.name or "x", *(v.subscripts or ([] if v.name else [v.id]))]))
        for v in instance.decision_variables
        if v.id not in settled
    }
    return found if len(set(found.values())) == len(found) else {number: f"x{number}" for number in found}


def _domain(name: str, kind: str, low: float, high: float) -> tuple[int, int]:
    if kind.upper() not in {"BINARY", "INTEGER"}:
        why = "a search needs finitely many values, so use binary and integer variables"
        raise UnsupportedError(f"variable {name} is {kind.lower()}: {why}")
    if math.isinf(low) or math.isinf(high):
        raise InputError(f"variable {name} has no bound: give it a least and a greatest value")
    return math.ceil(low), math.floor(high)


def _read_energy(convert: Callable[[Any], Qubo], title: str, model: Any) -> Problem:
    named, labels = _rename(model)
    spins = frozenset(labels) if model.vartype.name == "SPIN" else frozenset[str]()
    return replace(problem_of_qubo(convert(named), title), labels=Labels(labels, spins))


def _read_cqm(cqm: Any) -> Problem:
    named, labels = _rename(cqm)
    spins = frozenset(name for name, label in labels.items() if cqm.vartype(label).name == "SPIN")
    return replace(from_cqm(named), labels=Labels(labels, spins))


def _read_dict(weights: Mapping[Any, Any]) -> Problem:
    check_pairs(weights)
    labels = _name(label for pair in weights for label in pair)
    name = dict(zip(labels.values(), labels, strict=True))
    qubo = from_dict({(name[i], name[j]): weight for (i, j), weight in weights.items()}, names=[*labels])
    return replace(problem_of_qubo(qubo, "coefficients"), labels=Labels(labels))


def _read_matrix(matrix: Any) -> Problem:
    if hasattr(matrix, "toarray"):
        if max(matrix.shape) > MAX_DENSE:
            fault = f"a matrix of {max(matrix.shape)} variables, more than {MAX_DENSE}"
            raise DoesNotFitError(f"{fault}: give a dict {{(i, j): weight}}")
        matrix = matrix.toarray()
    qubo = from_matrix(matrix)
    labels = Labels({name: row for row, name in enumerate(qubo.names)})
    return replace(problem_of_qubo(qubo, "matrix"), labels=labels)


def _read_ommx(instance: Any) -> Problem:
    labels = {name: number for number, name in name_ommx(instance).items()}
    return replace(from_ommx(instance), labels=Labels(labels))


def _read_graph(graph: Any) -> Problem:
    """Return the problem of the largest cut of a networkx graph."""
    if graph.is_directed():
        raise InputError("a directed graph: a cut has no direction; give graph.to_undirected()")
    labels = _name(graph.nodes)
    place = {label: k for k, label in enumerate(labels.values())}
    edges = list[tuple[tuple[int, int], Number]]()
    for u, v, weight in graph.edges(data="weight", default=1):
        if u == v:
            raise InputError(f"an edge from {one_line(str(u))[:20]} to itself, which no cut contains: remove it")
        what = f"weight of ({one_line(f'{u}, {v}')[:40]})"
        check_finite(number := plain_number(weight, what), f"the {what}")
        edges.append(((place[u], place[v]), number))
    return replace(largest_cut(list(labels), edges, graph.name or "graph"), labels=Labels(labels))


def _rename(model: Any) -> tuple[Any, dict[str, Hashable]]:
    """Return a dimod model with our names in place of its labels, and the labels by name."""
    labels = _name(model.variables)
    return model.relabel_variables({label: name for name, label in labels.items()}, inplace=False), labels


def _name(labels: Iterable[Hashable]) -> dict[str, Hashable]:
    """Return labels by the names that they are given."""
    different = list(dict.fromkeys(labels))
    return dict(zip(name_labels(different), different, strict=True))


READERS: dict[tuple[str, str], Callable[[Any], Problem]] = {
    ("builtins", "dict"): _read_dict,
    ("collections", "Mapping"): _read_dict,
    ("numpy", "ndarray"): _read_matrix,
    ("scipy", "sparray"): _read_matrix,
    ("scipy", "spmatrix"): _read_matrix,
    ("dimod", "BinaryQuadraticModel"): partial(_read_energy, from_bqm, "BQM"),
    ("dimod", "BinaryPolynomial"): partial(_read_energy, from_bpoly, "polynomial"),
    # A quadratic model is a CQM without constraints.
    ("dimod", "QuadraticModel"): lambda model: _read_cqm(require_dimod().CQM.from_quadratic_model(model)),
    ("dimod", "ConstrainedQuadraticModel"): _read_cqm,
    ("qiskit_optimization", "QuadraticProgram"): from_quadratic_program,
    ("ommx", "Instance"): _read_ommx,
    ("networkx", "Graph"): _read_graph,
}
"""The reader of a type, by the names of its package and class."""


def as_problem(problem: Source, family: str | None = None) -> Problem:
    """Read or wrap the user's input as a problem.

    Args:
        problem: path of a file (``"-"`` for standard input), the text of one, constraints as text, a puzzle, a CPMpy
            model, a `Model`, a `Qubo`, or an object of a type in `READERS`.
        family: puzzle family or format of a file; None detects it from the text.

    Returns:
        The problem, with the user's labels and the judge of its answers.
    """
    if isinstance(problem, Model):
        return Problem(problem)
    if isinstance(problem, Qubo):
        return replace(problem_of_qubo(problem, ""), name=f"Qubo of {problem.num_variables} variables")
    if isinstance(problem, str | Path):
        file = str(problem) if isinstance(problem, Path) else problem
        try:
            found = read_file(file, family)
        # The problem has no title yet.
        except InfeasibleError as error:
            name = "<text>" if isinstance(file, ModelText) or is_text(file) else source_name(file)
            raise InfeasibleError(f"{name}: {error}", title=PurePath(name).name) from error
        return _from_puzzle(found) if isinstance(found, Puzzle) else found
    if isinstance(problem, Puzzle):
        return _from_puzzle(problem)
    if type(problem).__module__.split(".")[0] == "cpmpy":
        return Problem(from_cpmpy(problem), original=problem)
    # Subclasses count as their base: networkx.DiGraph, for example, is then refused by its own message.
    for kind in type(problem).__mro__:
        read = READERS.get((kind.__module__.split(".")[0], kind.__name__))
        if read is not None:
            return read(problem)
    raise InputError(
        f"cannot read a problem from an object of type {type(problem).__name__}: give a puzzle or Qubo file, a Puzzle, "
        "a cpmpy.Model, a gatesolve.Model or Qubo, a dimod model, a dict {(i, j): weight}, a square matrix, "
        "a QuadraticProgram, an OMMX instance or a networkx graph"
    )


def _from_puzzle(puzzle: Puzzle) -> Problem:
    """Return the board's model, unless the clues alone exclude every solution."""
    if puzzle.contradiction is not None:
        raise InfeasibleError(f"no solution: {puzzle.contradiction}", title=puzzle.title)
    return Problem(from_cpmpy(puzzle.to_cpmpy()), puzzle)

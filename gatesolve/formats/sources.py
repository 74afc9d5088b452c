"""Problems as other packages hold them: one table of types and what reads each.

A package is known by the name of a type, so that none is loaded before somebody hands in an object of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from gatesolve.errors import DoesNotFitError, InputError, one_line
from gatesolve.formats import (
    from_bpoly,
    from_bqm,
    from_cqm,
    from_dict,
    from_matrix,
    from_ommx,
    from_quadratic_program,
)
from gatesolve.formats.convert import (
    MAX_DENSE,
    check_pairs,
    name_labels,
    plain_number,
)
from gatesolve.formats.exchange import name_ommx
from gatesolve.formats.integer_program import QuboProblem, problem_of_qubo
from gatesolve.formats.sparse_text import largest_cut
from gatesolve.qubo import Qubo
from gatesolve.qubo.numerals import check_finite
from gatesolve.qubo.polynomial import Number


@dataclass(frozen=True)
class Labels:
    """The user's names for the variables of a problem.

    Attributes:
        of: the user's label of each name.
        spins: names of the bits that were handed in as spins, +1 where the bit is 1.
    """

    of: Mapping[str, Hashable]
    spins: frozenset[str] = frozenset()

    def restore(self, values: Mapping[str, int]) -> dict[Any, int]:
        """Values by name as the user's own: by label, and spins as spins."""
        return {label: 2 * values[name] - 1 if name in self.spins else values[name] for name, label in self.of.items()}


Reading: TypeAlias = tuple[QuboProblem, Labels | None]
"""A problem, and labels where variables are not called by their names."""


def read_foreign(problem: Any) -> Reading | None:
    """Read an object of another package's type; None where the type is unknown.

    Raises:
        InputError: a number that is not finite, a matrix that is not square, an integer without bounds.
        UnsupportedError: a real variable or another part that cannot be searched.
    """
    for kind in type(problem).__mro__:
        read = READERS.get((kind.__module__.split(".")[0], kind.__name__))
        if read is not None:
            return read(problem)
    return None


def _read_energy(convert: Callable[[Any], Qubo], title: str, model: Any) -> Reading:
    """A dimod model of one vartype."""
    named, labels = _rename(model)
    spins = frozenset(labels) if model.vartype.name == "SPIN" else frozenset[str]()
    return problem_of_qubo(convert(named), title), Labels(labels, spins)


def _read_cqm(cqm: Any) -> Reading:
    named, labels = _rename(cqm)
    spins = frozenset(name for name, label in labels.items() if cqm.vartype(label).name == "SPIN")
    return from_cqm(named), Labels(labels, spins)


def _read_mixed(model: Any) -> Reading:
    """A dimod quadratic model, which is a CQM without constraints."""
    from dimod import ConstrainedQuadraticModel

    return _read_cqm(ConstrainedQuadraticModel.from_quadratic_model(model))


def _read_dict(weights: Mapping[Any, Any]) -> Reading:
    check_pairs(weights)
    labels = _name(label for pair in weights for label in pair)
    name = {label: name for name, label in labels.items()}
    qubo = from_dict({(name[i], name[j]): weight for (i, j), weight in weights.items()}, names=[*labels])
    return problem_of_qubo(qubo, "coefficients"), Labels(labels)


def _read_matrix(matrix: Any) -> Reading:
    if hasattr(matrix, "toarray"):
        if max(matrix.shape) > MAX_DENSE:
            raise DoesNotFitError(
                f"a matrix of {max(matrix.shape)} variables: at most {MAX_DENSE}; give a dict {{(i, j): weight}}"
            )
        matrix = matrix.toarray()
    qubo = from_matrix(matrix)
    return problem_of_qubo(qubo, "matrix"), Labels({name: row for row, name in enumerate(qubo.names)})


def _read_ommx(instance: Any) -> Reading:
    names = name_ommx(instance)
    return from_ommx(instance), Labels({name: number for number, name in names.items()})


def _read_graph(graph: Any) -> Reading:
    """The largest cut of a networkx graph."""
    if graph.is_directed():
        raise InputError("a directed graph: a cut has no direction; give graph.to_undirected()")
    labels = _name(graph.nodes)
    place = {label: k for k, label in enumerate(labels.values())}
    edges = list[tuple[tuple[int, int], Number]]()
    for u, v, weight in graph.edges(data="weight", default=1):
        if u == v:
            raise InputError(f"an edge from {one_line(str(u))[:20]} to itself, which no cut has: take it out")
        what = f"weight of ({one_line(f'{u}, {v}')[:40]})"
        check_finite(number := plain_number(weight, what), f"the {what}")
        edges.append(((place[u], place[v]), number))
    return largest_cut(list(labels), edges, graph.name or "graph"), Labels(labels)


def _rename(model: Any) -> tuple[Any, dict[str, Hashable]]:
    """A dimod model with our names in place of its labels."""
    labels = _name(model.variables)
    return model.relabel_variables({label: name for name, label in labels.items()}, inplace=False), labels


def _name(labels: Iterable[Hashable]) -> dict[str, Hashable]:
    """Labels by the names that they are given."""
    different = list(dict.fromkeys(labels))
    return dict(zip(name_labels(different), different, strict=True))


READERS: dict[tuple[str, str], Callable[[Any], Reading]] = {
    ("builtins", "dict"): _read_dict,
    ("collections", "Mapping"): _read_dict,
    ("numpy", "ndarray"): _read_matrix,
    ("scipy", "sparray"): _read_matrix,
    ("scipy", "spmatrix"): _read_matrix,
    ("dimod", "BinaryQuadraticModel"): partial(_read_energy, from_bqm, "BQM"),
    ("dimod", "BinaryPolynomial"): partial(_read_energy, from_bpoly, "polynomial"),
    ("dimod", "QuadraticModel"): _read_mixed,
    ("dimod", "ConstrainedQuadraticModel"): _read_cqm,
    ("qiskit_optimization", "QuadraticProgram"): lambda program: (from_quadratic_program(program), None),
    ("ommx", "Instance"): _read_ommx,
    ("networkx", "Graph"): _read_graph,
}
"""What reads a type, by the package that it comes from and its name."""

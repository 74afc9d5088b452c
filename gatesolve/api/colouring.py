"""Graph colouring as a model: from edges, a networkx graph, or a DIMACS ``.col`` file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.model import Model, NotEqual, Variable

Vertex = int | str
Edge = tuple[Vertex, Vertex]


class GraphLike(Protocol):
    """What is read of a networkx graph."""

    @property
    def nodes(self) -> Iterable[Vertex]:
        """The vertices."""

    @property
    def edges(self) -> Iterable[Edge]:
        """Pairs of vertices."""


@dataclass(frozen=True)
class Graph:
    """An undirected graph without loops: vertices in order, each edge once."""

    nodes: tuple[Vertex, ...]
    edges: tuple[Edge, ...]


def colouring(
    graph: Iterable[Edge] | GraphLike | str | Path, num_colours: int, fixed: Mapping[Vertex, int] | None = None
) -> Model:
    """Colour the vertices of a graph so that no edge joins two of one colour.

    Args:
        graph: pairs of vertices, a networkx graph (isolated vertices are coloured too), or the path of a
            DIMACS ``.col`` file.
        num_colours: colours 0 ... num_colours-1.
        fixed: vertices whose colour is given.

    Returns:
        A model with a variable a vertex, named by ``str(vertex)``, and a disequality an edge; a fixed vertex's
        domain is its one colour. `gatesolve.compile` and `gatesolve.solve` take it.

    Raises:
        InputError: no colours, an edge that is no pair, a loop, two vertices of one name, a fixed vertex that
            is not in the graph, or a fixed colour that there is not.
        InfeasibleError: an edge joins two fixed vertices of one colour.
    """
    if isinstance(num_colours, bool) or not isinstance(num_colours, int) or num_colours < 1:
        raise InputError(f"num_colours is {num_colours!r}: give a whole number from 1 on")
    given = dict(fixed or {})
    known = as_graph(graph)
    for vertex, colour in given.items():
        if vertex not in known.nodes:
            raise InputError(f"fixed vertex {vertex!r} is not in the graph")
        if isinstance(colour, bool) or not isinstance(colour, int) or not 0 <= colour < num_colours:
            raise InputError(f"fixed vertex {vertex!r} has colour {colour!r}: give one from 0 to {num_colours - 1}")
    for left, right in known.edges:
        if left in given and right in given and given[left] == given[right]:
            raise InfeasibleError(f"vertices {left!r} and {right!r} are joined and both fixed to colour {given[left]}")
    every = tuple(range(num_colours))
    variables = tuple(Variable(str(v), (given[v],) if v in given else every) for v in known.nodes)
    return Model(variables, tuple(NotEqual(str(left), str(right)) for left, right in known.edges))


def as_graph(source: Iterable[Edge] | GraphLike | str | Path) -> Graph:
    """The graph behind what `colouring` takes; parallel edges count once.

    Raises:
        InputError: an edge that is no pair, a loop, or a faulty file.
    """
    if isinstance(source, str | Path):
        return read_dimacs(source)
    nodes: Iterable[Vertex] = ()
    pairs: Iterable[Edge]
    if isinstance(source, Iterable) and not hasattr(source, "edges"):
        pairs = source
    else:
        nodes, pairs = source.nodes, source.edges  # type: ignore[union-attr]
    order: dict[Vertex, None] = dict.fromkeys(nodes)
    edges: dict[frozenset[Vertex], Edge] = {}
    for pair in pairs:
        try:
            left, right = pair
        except (TypeError, ValueError):
            raise InputError(f"edge {pair!r} is no pair of vertices") from None
        if left == right:
            raise InputError(f"vertex {left!r} is joined to itself: no colouring has two colours for it")
        order.setdefault(left)
        order.setdefault(right)
        edges.setdefault(frozenset((left, right)), (left, right))
    return Graph(tuple(order), tuple(edges.values()))


def read_dimacs(path: str | Path) -> Graph:
    """A graph in DIMACS ``.col`` format: ``c`` comments, one ``p edge N M`` line, ``e U V`` lines from 1 on.

    An edge may be listed in both directions, as many published files do; the count M is not checked for that
    reason.

    Raises:
        InputError: the file cannot be read, or a line is none of these; the message names file and row.
    """
    name = str(path)
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise InputError(f"cannot be read: {reason}", source=name) from error
    count: int | None = None
    edges: dict[tuple[int, int], None] = {}
    for row, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0] in {"c", "n"}:
            continue
        if words[0] == "p" and count is None:
            count = _size(words, name, row)
        elif words[0] == "e" and count is not None:
            edges.setdefault(_edge(words, count, name, row))
        else:
            expected = "a line 'p edge N M'" if count is None else "'e U V' or a comment"
            raise InputError(f"expected {expected}, found {line.strip()[:40]!r}", source=name, row=row)
    if count is None:
        raise InputError("has no line 'p edge N M'", source=name)
    return Graph(tuple(range(1, count + 1)), tuple(edges))


def _size(words: list[str], name: str, row: int) -> int:
    if len(words) != 4 or words[1] not in {"edge", "edges", "col"} or not all(w.isdecimal() for w in words[2:]):
        raise InputError("expected 'p edge N M' with whole numbers", source=name, row=row)
    return int(words[2])


def _edge(words: list[str], count: int, name: str, row: int) -> tuple[int, int]:
    if len(words) != 3 or not all(w.isdecimal() for w in words[1:]):
        raise InputError("expected 'e U V' with whole numbers", source=name, row=row)
    left, right = sorted(int(w) for w in words[1:])
    if not 1 <= left <= right <= count:
        raise InputError(f"vertex outside 1 to {count}", source=name, row=row)
    if left == right:
        raise InputError(f"vertex {left} is joined to itself", source=name, row=row)
    return left, right

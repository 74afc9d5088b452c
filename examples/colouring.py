"""Graph colouring: edges, or a DIMACS file, as a model with a disequality an edge.

python examples/colouring.py [FILE.col COLOURS]
"""

import sys
from pathlib import Path

import gatesolve
from gatesolve.model import NotEqual


def colouring(edges, num_colours, fixed=None):
    """A variable a vertex, a domain of one colour for each fixed vertex. A networkx graph will do for the edges."""
    edges = getattr(edges, "edges", edges)
    pairs = dict.fromkeys(tuple(sorted((str(left), str(right)))) for left, right in edges)
    given = {str(vertex): (colour,) for vertex, colour in (fixed or {}).items()}
    vertices = sorted({vertex for pair in pairs for vertex in pair})
    variables = [gatesolve.Variable(name, given.get(name, tuple(range(num_colours)))) for name in vertices]
    return gatesolve.Model(tuple(variables), tuple(NotEqual(left, right) for left, right in pairs))


def read_dimacs(path):
    """The edges of a ``.col`` file: its lines ``e U V``."""
    lines = (line.split() for line in Path(path).read_text(encoding="utf-8").splitlines())
    return [(words[1], words[2]) for words in lines if words[:1] == ["e"]]


if __name__ == "__main__":
    if any(word.endswith(".col") for word in sys.argv[1:2]):
        model = colouring(read_dimacs(sys.argv[1]), int(sys.argv[2]))
    else:
        square = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]
        model = colouring(square, 3, {"a": 2})
    result = gatesolve.solve(model)
    print(result.status)
    for vertex, colour in (result.solution or {}).items():
        print(f"{vertex}: colour {colour}")

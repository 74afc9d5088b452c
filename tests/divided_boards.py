"""Models that are divided, for several tests."""

from __future__ import annotations

from itertools import combinations, product

from gatesolve.model import Linear, Model, NotEqual, Variable


def hard(size: int = 4, colours: int = 3) -> Model:
    """A grid of cells, neighbours different: propagation alone deduces nothing."""
    cells = list(product(range(size), repeat=2))
    near = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    name = {cell: f"c{cell[0]}{cell[1]}" for cell in cells}
    variables = tuple(Variable(name[cell], tuple(range(colours))) for cell in cells)
    return Model(variables, tuple(NotEqual(name[a], name[b], 0) for a, b in near))


def infeasible(cells: int = 4) -> Model:
    """Cells of one colour fewer, all apart by pairs: no colouring, and propagation refutes no single value."""
    names = [f"r{k}" for k in range(cells)]
    pairs = tuple(NotEqual(a, b, 0) for a, b in combinations(names, 2))
    return Model(tuple(Variable(name, tuple(range(cells - 1))) for name in names), pairs)


def doomed(number: int) -> Model:
    """Three cells a number: x + y and x + z at least 1, y + z at most 1. Each x = 0 is refuted, by no rule alone."""
    threes = [(f"x{k}", f"y{k}", f"z{k}") for k in range(number)]
    signs = [((-1, x, y), (-1, x, z), (1, y, z)) for x, y, z in threes]
    rules = [Linear(((sign, a), (sign, b)), "<=", sign) for three in signs for sign, a, b in three]
    return Model(tuple(Variable(name, (0, 1)) for names in zip(*threes, strict=True) for name in names), tuple(rules))

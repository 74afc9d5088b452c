"""The two Kakuro of the contest as models, every cell 0..3: K4 of four cells and two solutions, K7 of seven and one."""

from __future__ import annotations

from gatesolve.model import Linear, Model, NotEqual, Variable


def kakuro(cells: int, unequal: tuple, sums: tuple) -> Model:
    variables = tuple(Variable(f"x{i}", (0, 1, 2, 3)) for i in range(cells))
    differ = tuple(NotEqual(f"x{i}", f"x{j}") for i, j in unequal)
    add_up = tuple(Linear(tuple((1, f"x{i}") for i in run), "==", total) for run, total in sums)
    return Model(variables, differ + add_up)


K4 = kakuro(4, ((0, 1), (0, 2), (1, 3), (2, 3)), (((0, 1), 3), ((0, 2), 3), ((2, 3), 4), ((1, 3), 4)))
K7 = kakuro(
    7,
    ((0, 1), (0, 2), (1, 3), (1, 5), (2, 3), (2, 4), (3, 4), (3, 5), (4, 6), (5, 6)),
    (((0, 2), 5), ((1, 3, 5), 3), ((4, 6), 1), ((2, 3, 4), 5), ((0, 1), 3), ((5, 6), 1)),
)

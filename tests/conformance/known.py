"""The two contest problems whose counts others published."""

from gatesolve.model import Constraint, Linear, Model, NotEqual, Variable, merge_constraints

_K7_DIFFERENT = ((0, 1), (0, 2), (1, 3), (1, 5), (2, 3), (2, 4), (3, 4), (3, 5), (4, 6), (5, 6))
_K7_SUMS = (((0, 2), 5), ((1, 3, 5), 3), ((4, 6), 1), ((2, 3, 4), 5), ((0, 1), 3), ((5, 6), 1))
_K4_DIFFERENT = ((0, 1), (0, 2), (1, 3), (2, 3))
_K4_SUMS = (((0, 1), 3), ((0, 2), 3), ((2, 3), 4), ((1, 3), 4))


def _board(cells: int, different: tuple, sums: tuple, merged: bool) -> Model:
    """With ``merged``, each run's sum and inequalities are one constraint, as the solver does it."""
    variables = tuple(Variable(f"x{k}", (0, 1, 2, 3)) for k in range(cells))
    apart: list[Constraint] = [NotEqual(f"x{a}", f"x{b}") for a, b in different]
    totals: list[Constraint] = [Linear(tuple((1, f"x{k}") for k in run), "==", total) for run, total in sums]
    model = Model(variables, (*apart, *totals))
    return merge_constraints(model) if merged else model


def k7(merged: bool = True) -> Model:
    """Seven cells; the one solution is 2,1,3,2,0,0,1."""
    return _board(7, _K7_DIFFERENT, _K7_SUMS, merged)


def k4(merged: bool = True) -> Model:
    """Four cells; solutions 0,3,3,1 and 2,1,1,3."""
    return _board(4, _K4_DIFFERENT, _K4_SUMS, merged)

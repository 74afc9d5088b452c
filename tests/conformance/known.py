"""The two Kakuro of the contest with each run's sum and inequalities as one constraint, as the solver joins them."""

from contest_kakuro import K4, K7

from gatesolve.model import Model, merge_constraints


def k7(merged: bool = True) -> Model:
    """Seven cells; the one solution is 2,1,3,2,0,0,1."""
    return merge_constraints(K7) if merged else K7


def k4(merged: bool = True) -> Model:
    """Four cells; solutions 0,3,3,1 and 2,1,1,3."""
    return merge_constraints(K4) if merged else K4

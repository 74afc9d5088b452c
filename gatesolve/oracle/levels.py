"""How much one constraint may know of the others: the levels of honesty every count is published with."""

from __future__ import annotations

from gatesolve.encodings import enforced, unenforced
from gatesolve.encodings.space import Space
from gatesolve.model import Model
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.minimise import minimise
from gatesolve.oracle.partition import share_out
from gatesolve.oracle.synthesise import synthesise


def literal_conditions(model: Model, space: Space) -> list[Condition]:
    """Each constraint compiled alone, as the model states it; only those that a block's codewords all satisfy left out.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    return [synthesise(c, space) for c in model.constraints if not enforced(c, space)]


def minimised_conditions(model: Model, space: Space, window: int) -> list[Condition]:
    """Constraints of one scope merged, sums that share a total as parities, then `minimise` in windows.

    Args:
        model: the model.
        space: the search space.
        window: most qubits looked at together.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    shared, rest = share_out(model.constraints, space)
    merged = unenforced(Model(model.variables, tuple(rest)), space)
    return minimise([*shared, *(synthesise(c, space) for c in merged)], space, window)

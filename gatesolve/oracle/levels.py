"""How much one constraint may know of the others: the levels of honesty every count is published with."""

from __future__ import annotations

import numpy as np

from gatesolve.encodings import unenforced
from gatesolve.encodings.space import Space
from gatesolve.model import Constraint, Model
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.minimise import minimise
from gatesolve.oracle.partition import share_out
from gatesolve.oracle.synthesise import synthesise


def literal_conditions(model: Model, space: Space) -> list[Condition]:
    """Each constraint compiled alone, as the model states it; only those that a block's codewords all satisfy left out.

    Raises:
        DoesNotFitError: a constraint is too large to compile.
    """
    return [synthesise(c, space) for c in model.constraints if not _enforced(c, space)]


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


def _enforced(constraint: Constraint, space: Space) -> bool:
    homes = {space.home[name][0] for name in constraint.scope}
    if len(homes) != 1:
        return False
    block = space.blocks[homes.pop()]
    return bool(np.all(constraint.holds({name: block.values[:, j] for j, name in enumerate(block.variables)})))

"""Losses that QAOA's angles minimise, as functions of the probability of each class of codewords.

Each takes the cost and the probability of every class, and returns its value and its derivative by each probability;
that is all an exact gradient needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import InputError

Floats = NDArray[np.float64]
Loss = Callable[[Floats, Floats], tuple[float, Floats]]
LossName = Literal["gibbs", "cvar", "mean"]


def make_loss(name: LossName, factor: float) -> Loss:
    """Return the loss of a name; ``factor`` is eta of ``gibbs``, the fraction of ``cvar``, and nothing to ``mean``."""
    return expectation if name == "mean" else {"gibbs": gibbs, "cvar": cvar}[name](factor)


def expectation(costs: Floats, weights: Floats) -> tuple[float, Floats]:
    """The mean cost."""
    return float(costs @ weights), costs


def cvar(alpha: float) -> Loss:
    """The mean cost of the best fraction ``alpha`` of measurements (conditional value at risk).

    Source: arXiv:1907.04769, section 3.

    Raises:
        InputError: unless 0 < alpha <= 1.
    """
    if not 0 < alpha <= 1:
        raise InputError(f"the fraction of CVaR is above 0 and at most 1, not {alpha}")

    def loss(costs: Floats, weights: Floats) -> tuple[float, Floats]:
        # Stable, so that equal costs keep their order and the result does not depend on NumPy's sort.
        order = np.argsort(costs, kind="stable")
        reached = np.cumsum(weights[order])
        # The last class that counts, maybe in part; rounding may leave the whole just below alpha.
        last = min(int(np.searchsorted(reached, alpha * reached[-1])), len(order) - 1)
        edge = costs[order[last]]
        # By the edge itself the derivative is zero, so it may be held.
        share = np.minimum(costs - edge, 0) / alpha
        return float(edge + share @ weights), share

    return loss


def gibbs(eta: float) -> Loss:
    """-log of the mean of exp(-eta cost): like the mean cost, but rewards the best more.

    Source: arXiv:1909.07621, section II.

    Raises:
        InputError: unless eta is a positive number.
    """
    if not (eta > 0 and math.isfinite(eta)):
        raise InputError(f"eta of the Gibbs loss is a positive number, not {eta}")

    def loss(costs: Floats, weights: Floats) -> tuple[float, Floats]:
        # Measured from the lowest cost that has a weight, so that nothing underflows to a mean of zero.
        low = float(costs[weights > 0].min(initial=math.inf)) if weights.any() else 0.0
        powers: NDArray[Any] = np.exp(-eta * np.maximum(costs - low, 0))
        mean = float(powers @ weights)
        return eta * low - math.log(mean), -powers / mean

    return loss

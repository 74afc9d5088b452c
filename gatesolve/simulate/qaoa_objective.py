"""What QAOA's angles may be tuned for, as functions of the probability of each class of codewords.

Each returns its value, and its derivative by the probability of each class; that is all an exact gradient needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import InputError
from gatesolve.simulate.qaoa_plan import Diagonal

Weights = NDArray[np.float64]
Objective = Callable[[Diagonal, Weights], tuple[float, Weights]]


def expectation(diagonal: Diagonal, weights: Weights) -> tuple[float, Weights]:
    """The mean level."""
    return float(diagonal.values @ weights), diagonal.values


def probability(diagonal: Diagonal, weights: Weights) -> tuple[float, Weights]:
    """The probability of a marked codeword: to be made large."""
    share = diagonal.marked.astype(float)
    return float(share @ weights), share


def cvar(alpha: float) -> Objective:
    """The mean level of the best fraction ``alpha`` of measurements (conditional value at risk).

    Source: arXiv:1907.04769, section 3.

    Raises:
        InputError: unless 0 < alpha <= 1.
    """
    if not 0 < alpha <= 1:
        raise InputError(f"the fraction of CVaR is above 0 and at most 1, not {alpha}")

    def objective(diagonal: Diagonal, weights: Weights) -> tuple[float, Weights]:
        order = np.argsort(diagonal.values, kind="stable")
        reached = np.cumsum(weights[order])
        # The last class that counts, maybe in part; rounding may leave the whole just below alpha.
        last = min(int(np.searchsorted(reached, alpha * reached[-1])), len(order) - 1)
        edge = diagonal.values[order[last]]
        # By the edge itself the derivative is zero, so it may be held.
        share = np.minimum(diagonal.values - edge, 0) / alpha
        return float(edge + share @ weights), share

    return objective


def gibbs(eta: float) -> Objective:
    """-log of the mean of exp(-eta level): like the mean level, but rewards the best more.

    Source: arXiv:1909.07621, section II.

    Raises:
        InputError: unless eta is a positive number.
    """
    if not (eta > 0 and math.isfinite(eta)):
        raise InputError(f"eta of the Gibbs objective is a positive number, not {eta}")

    def objective(diagonal: Diagonal, weights: Weights) -> tuple[float, Weights]:
        # Measured from the lowest level that has a weight, so that nothing underflows to a mean of zero.
        low = float(diagonal.values[weights > 0].min(initial=math.inf)) if weights.any() else 0.0
        powers: NDArray[Any] = np.exp(-eta * np.maximum(diagonal.values - low, 0))
        mean = float(powers @ weights)
        return eta * low - math.log(mean), -powers / mean

    return objective

"""Events of a search, each sent as soon as it is known, in this order.

First comes a `gatesolve.planning.Presolved`, then a `gatesolve.planning.Layout` once space and oracle are chosen. QAOA
sends `AnglesTried` and `LayersFollowed`. A `Compiled` follows once the circuit is checked. Grover Adaptive Search sends
`Improved`, annealing `ReadsMade` after each batch. Both of Grover's searches send `Accepted` with a solution. Each
search for something better begins anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatesolve.formats.problem import Values


@dataclass(frozen=True)
class Improved:
    """Grover Adaptive Search has measured something better than all before, in a run of some iterations.

    The named energy is as the problem counts; None where an objective is asked for and a constraint broken.
    """

    name: str
    energy: Fraction | None
    oracle_calls: int
    iterations: int


@dataclass(frozen=True)
class Accepted:
    """A measured solution that the problem's own rules accept, as values of all variables; the best one so far."""

    solution: Values


@dataclass(frozen=True)
class AnglesTried:
    """QAOA was simulated at some angles, with the value of the loss that they minimise, and the best so far.

    There were ``evaluations`` simulations so far, of ``most``.
    """

    loss: str
    evaluations: int
    most: int
    value: float
    best: float


@dataclass(frozen=True, eq=False)
class LayersFollowed:
    """QAOA's angles are chosen; all numbers are exact.

    Attributes:
        costs: those there are, the least first.
        chances: the probability of each, a row before the first layer and after each.
        success: that a measurement gives one of the best codewords, before the first layer and after each.
        means: the mean cost, likewise.
        gammas: one a layer, in radians a cost.
        betas: one a layer and mixer, in radians.
        scan: makes the landscape around these angles, as `Ansatz.scan_angles`.
    """

    costs: NDArray[np.int64]
    chances: NDArray[np.float64]
    success: NDArray[np.float64]
    means: NDArray[np.float64]
    gammas: NDArray[np.float64]
    betas: NDArray[np.float64]
    scan: Callable[[], tuple[list[float], NDArray[np.float64], str]] = field(repr=False)


@dataclass(frozen=True)
class ReadsMade:
    """Samplers have made some reads of an energy.

    ``hits`` reads so far ended at the best energy. The energies come with how often each came up, the least first.
    """

    sampler: str
    reads: int
    best: float
    hits: int
    energies: tuple[tuple[float, int], ...] = field(repr=False)

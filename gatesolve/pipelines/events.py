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
    """Grover Adaptive Search has measured something better than all before.

    Attributes:
        name: what the energy is called.
        energy: as the problem counts; None where an objective is asked for and a constraint broken.
        oracle_calls: so far.
        iterations: of the run that measured it.
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
    """QAOA was simulated at some angles.

    Attributes:
        loss: name of the loss that the angles minimise.
        evaluations: simulations so far.
        most: simulations at most.
        value: of the loss at these angles.
        best: the least value so far.
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

    Attributes:
        sampler: its name.
        reads: so far.
        best: the least energy so far.
        hits: reads that ended there.
        energies: and how often each came up, the least first.
    """

    sampler: str
    reads: int
    best: float
    hits: int
    energies: tuple[tuple[float, int], ...] = field(repr=False)

"""The objective that QAOA's angles are chosen by, as a function of schedules, from a simulator's exact derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.pipelines.qaoa.angles import Schedule, Units
from gatesolve.simulate.qaoa import Slope

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Landscape:
    """An objective as a function of schedules.

    Attributes:
        units: to tell a schedule's angles.
        value: at a schedule, to be made small.
        slope: the value, and the gradient in the schedule's shape.
    """

    units: Units
    value: Callable[[Schedule], float]
    slope: Callable[[Schedule], tuple[float, Schedule]]


def make_landscape(
    units: Units, value: Callable[[Numbers, Numbers], float], slope: Callable[[Numbers, Numbers], Slope]
) -> Landscape:
    """The landscape of an ansatz.

    A schedule of two columns has one beta a layer, shared by all mixers in proportion to their units; a wider one has
    a column of betas for each mixer (the multi-angle ansatz of arXiv:2109.11455, for the mixers alone). ``value`` and
    ``slope`` are those of a simulator at gammas, shape (layers,), and betas, shape (layers, mixers).
    """

    def value_at(schedule: Schedule) -> float:
        angles = units.angles(schedule)
        return float(value(angles.gammas, angles.betas))

    def slope_at(schedule: Schedule) -> tuple[float, Schedule]:
        angles = units.angles(schedule)
        found = slope(angles.gammas, angles.betas)
        betas = found.betas * np.array(units.mixers)
        if schedule.shape[1] == 2:
            betas = betas.sum(axis=1, keepdims=True)
        return float(found.value), np.concatenate([found.gammas[:, None] / (units.spread or 1.0), betas], axis=1)

    return Landscape(units, value_at, slope_at)

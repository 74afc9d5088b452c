"""Larger Gibbs factors where levels lie close together, on the exact simulation."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from gatesolve.encodings.mixer import ring, x
from gatesolve.pipelines.qaoa_angles import Units
from gatesolve.pipelines.qaoa_landscape import landscape
from gatesolve.pipelines.qaoa_optimise import GIBBS_FACTOR, choose
from gatesolve.pipelines.qaoa_sharpen import sharpened
from gatesolve.simulate.qaoa import qaoa
from gatesolve.simulate.qaoa_objective import gibbs


class Case:
    """Small whole numbers, and a hundred for each of some pairs of neighbours."""

    def __init__(self, sizes, mixers, broken):
        cells = np.unravel_index(np.arange(np.prod(sizes)), sizes, order="F")
        self.levels = np.random.default_rng(4).integers(0, 9, len(cells[0]))
        for one, other in pairwise(cells):
            self.levels = self.levels + broken * (one == other)
        self.machine = qaoa(self.levels, sizes, mixers)
        self.units = Units.of(self.levels, sizes, mixers)

    def land(self, factor):
        goal = gibbs(factor)
        return landscape(
            self.units, partial(self.machine.value, objective=goal), partial(self.machine.slope, objective=goal)
        )

    def chances(self, angles):
        return np.abs(self.machine.run(angles.gammas, angles.betas)) ** 2

    def deviation(self, angles):
        chances = self.chances(angles)
        return float(np.sqrt(chances @ (self.levels - chances @ self.levels) ** 2))


@pytest.mark.parametrize("broken", [100, 1_000])
def test_the_best_of_the_good_is_found(broken):
    case = Case((4, 4, 4), [ring(4)] * 3, broken)
    factor = GIBBS_FACTOR / case.levels.std()
    seen = []
    first = choose("optimised", 6, case.land(factor), [ring(4)] * 3)
    told = partial(sharpened, first, case.deviation, case.land, factor=factor)
    found = told(evaluations=400, report=lambda *what: seen.append(what))
    best = case.levels == case.levels.min()
    assert case.chances(found.angles)[best].sum() > case.chances(first.angles)[best].sum()
    assert first.evaluations < found.evaluations <= first.evaluations + 400
    assert [done for done, _ in seen] == list(range(first.evaluations + 1, found.evaluations + 1))
    assert found.history[: len(first.history)] == first.history
    assert np.array_equal(told(evaluations=400).schedule, found.schedule)
    assert told(evaluations=0) is first


def test_a_state_of_one_level_is_left_alone():
    case = Case((2, 2), [x(range(2))] * 2, 0)
    first = choose("optimised", 4, case.land(0.1), [x(range(2))] * 2)
    assert sharpened(first, lambda _: 0.0, case.land, factor=0.1, evaluations=100) is first

"""Makes `gatesolve/pipelines/qaoa/table.json`: QAOA angles that are good on average for small random instances.

    python -m benchmarks qaoa-transfer --write      # half a minute on one core
    python -m benchmarks qaoa-transfer --check      # mean P(lowest cost) on other instances: table and best ramp

An instance has a few blocks; the neighbours on a ring of them and a few other pairs each have a random set of allowed
pairs of codewords, one planted assignment being allowed everywhere; the cost counts what is not allowed. One schedule
is fitted to all instances of a kind of mixer at once (mean of the Gibbs loss, each cost in units of the
instance's own standard deviation), at one layer first, then at each further depth from the last by interpolation.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from benchmarks.core.suite import make_parser
from gatesolve.encodings import Mixer, complete_mixer, ring_mixer, x_mixer
from gatesolve.pipelines.qaoa import angles as chosen
from gatesolve.pipelines.qaoa.angles import RAMPS, AngleLoss, Units, interpolate_schedule, ramp, transfer
from gatesolve.pipelines.qaoa.compile import GIBBS_FACTOR
from gatesolve.simulate import gibbs, make_qaoa
from gatesolve.simulate.qaoa import Qaoa

TABLE = Path(chosen.__file__).with_name("table.json")
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
EACH = 2
"""Instances of each shape."""
ONE_HOT = ((4,) * 4, (3,) * 5, (4,) * 5, (3, 4, 4, 3), (5, 5, 5), (4, 3, 6))
SHAPES = {
    "xy-ring": ONE_HOT,
    "xy-complete": ONE_HOT,
    "x": ((2,) * 7, (2,) * 8, (2,) * 8, (2,) * 9, (2,) * 10, (4, 4, 2, 2)),
    "grover": ((6, 2, 4), (6, 6, 6), (2, 3, 6, 4), (4,) * 4, (12, 6, 3), (24, 6)),
    "grover-global": ((2,) * 3, (4, 4), (2,) * 5, (4,) * 3, (2,) * 7, (4,) * 4),
}
"""Sizes of the blocks."""
MAKERS = {
    "xy-ring": ring_mixer,
    "xy-complete": complete_mixer,
    "grover": lambda size: Mixer("grover"),
    "x": lambda size: x_mixer(range(size)),
}


def instance(sizes: tuple[int, ...], draw: np.random.Generator) -> np.ndarray:
    """The cost of every codeword of a random instance with a codeword of cost 0."""
    blocks = len(sizes)
    positions = np.unravel_index(np.arange(math.prod(sizes)), sizes, order="F")
    planted = [draw.integers(size) for size in sizes]
    pairs = [(k, (k + 1) % blocks) for k in range(blocks if blocks > 2 else blocks - 1)]
    pairs += [tuple(draw.choice(blocks, 2, replace=False)) for _ in range(blocks // 3)]
    costs = np.zeros(math.prod(sizes), dtype=np.int64)
    for i, j in pairs:
        allowed = draw.random((sizes[i], sizes[j])) < draw.choice([0.2, 0.35, 0.5])
        allowed[planted[i], planted[j]] = True
        costs += ~allowed[positions[i], positions[j]]
    return costs


def mixers(kind: str, sizes: tuple[int, ...]) -> list[Mixer]:
    return [Mixer("grover-global")] if kind == "grover-global" else [MAKERS[kind](size) for size in sizes]


def ensemble(kind: str, seed: int) -> list[tuple[Qaoa, Units, np.ndarray]]:
    draw = np.random.default_rng(seed)
    found = []
    for sizes in SHAPES[kind] * EACH:
        costs, chosen = instance(sizes, draw), mixers(kind, sizes)
        found.append((make_qaoa(costs, sizes, chosen), Units.of(costs, sizes, chosen), costs))
    return found


@dataclass(frozen=True)
class MeanLoss:
    """The mean of losses, as a function of schedules."""

    each: list[AngleLoss]

    @classmethod
    def of(cls, instances: list[tuple[Qaoa, Units, np.ndarray]]) -> MeanLoss:
        """The mean over instances."""
        each = []
        for machine, units, costs in instances:
            goal = gibbs(GIBBS_FACTOR / costs.std())
            each.append(AngleLoss(units, partial(machine.value, loss=goal), partial(machine.slope, loss=goal)))
        return cls(each)

    def value(self, schedule: np.ndarray) -> float:
        """The mean at a schedule."""
        return sum(one.value(schedule) for one in self.each) / len(self.each)

    def slope(self, schedule: np.ndarray) -> tuple[float, np.ndarray]:
        """The mean and its gradient."""
        found = [one.slope(schedule) for one in self.each]
        return sum(value for value, _ in found) / len(found), sum(slope for _, slope in found) / len(found)


def chance(instances: list[tuple[Qaoa, Units, np.ndarray]], schedule: np.ndarray) -> float:
    """Mean probability of a codeword of cost 0."""
    found = []
    for machine, units, costs in instances:
        angles = units.angles(schedule)
        found.append(float((np.abs(machine.run(angles.gammas, angles.betas)) ** 2)[costs == 0].sum()))
    return float(np.mean(found))


def descend(land: MeanLoss, schedule: np.ndarray) -> np.ndarray:
    """From a schedule downhill, with about 60 evaluations."""

    def slope(flat: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = land.slope(flat.reshape(schedule.shape))
        return value, gradient.reshape(-1)

    options = {"maxfun": 60, "ftol": 1e-7}
    return minimize(slope, schedule.reshape(-1), jac=True, method="L-BFGS-B", options=options).x.reshape(schedule.shape)


def fitted(kind: str, seed: int, depths: tuple[int, ...] = DEPTHS) -> dict[int, np.ndarray]:
    """Schedules by depth, rounded to two places."""
    land, schedule, found = MeanLoss.of(ensemble(kind, seed)), ramp(1, 1.2, 0.9), {}
    for layers in range(1, max(depths) + 1):
        if layers > 1:
            schedule = interpolate_schedule(schedule)
        found[layers] = schedule = descend(land, schedule)
        print(f"# {kind} {layers} {land.value(schedule):.4f}", flush=True)
    return {layers: found[layers].round(2) for layers in depths}


def rows(table: dict[str, dict[int, np.ndarray]]) -> str:
    """The table as JSON, one row a depth."""
    kinds = []
    for kind, found in table.items():
        lines = (f'    "{layers}": {json.dumps(schedule.T.tolist())}' for layers, schedule in found.items())
        kinds.append(f'  "{kind}": {{\n' + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def check(seed: int) -> None:
    print("kind layers uniform table ramp")
    for kind in SHAPES:
        others = ensemble(kind, seed)
        land = MeanLoss.of(others)
        for layers in (1, 2, 4, 8):
            ends = [ramp(layers, gamma, beta) for gamma in RAMPS[0] for beta in RAMPS[1]]
            best = min(ends, key=land.value)
            known = transfer(layers, mixers(kind, (2, 2)))
            chances = [chance(others, schedule) for schedule in (known[:0], known, best)]
            print(kind, layers, *(f"{c:.3f}" for c in chances), flush=True)


def main(arguments: Sequence[str]) -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the instances (default 1)")
    parser.add_argument("--write", action="store_true", help="put the table into the package")
    parser.add_argument("--check", action="store_true", help="only measure the table that is there, with seed + 1")
    options = parser.parse_args(arguments)
    if options.check:
        check(options.seed + 1)
        return
    text = rows({kind: fitted(kind, options.seed) for kind in SHAPES})
    if options.write:
        TABLE.write_text(text)
    else:
        print(text)

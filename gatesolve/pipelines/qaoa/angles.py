"""QAOA's angles and where to start them: linear ramps, transfer from small instances, interpolation to other depths.

Layer k is exp(-i gamma_k cost) and then every block's mixer at its own beta_k. All mixers have the uniform
superposition as their highest state, so small costs are sought with positive gammas and negative betas.
A *schedule* is the same without units: gammas times the spread of the costs, betas over each mixer's unit.
Everything here sees the costs of all codewords, and never which of them are solutions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.encodings.mixer import Mixer
from gatesolve.errors import DoesNotFitError, InputError

MOST_LAYERS = 1_000
"""Layers of a circuit, and so angles to be chosen, that fit."""
MOST_WORK = 1 << 37
"""Layers times blocks times codewords of one run that fit: a few minutes."""

RAMPS: tuple[tuple[float, ...], tuple[float, ...]] = ((0.7, 1.0, 1.4), (0.5, 0.7, 0.9))
"""Candidates for the ends of the linear ramp: of gamma, in one over the spread, and of beta, in units of the mixer."""
SCALES: tuple[tuple[float, ...], tuple[float, ...]] = ((0.75, 1.0, 1.3), (0.85, 1.0, 1.15))
"""Factors tried on transferred angles: of all gammas, and of all betas."""

Schedule = NDArray[np.float64]
"""Shape (layers, 2): the gamma and the beta of each layer, without units; or (layers, 1 + mixers)."""
Named = tuple[str, Schedule]


@dataclass(frozen=True, eq=False)
class Angles:
    """The angles of every layer.

    Attributes:
        gammas: shape (layers,), in radians a cost.
        betas: shape (layers, mixers), in radians.
    """

    gammas: NDArray[np.float64]
    betas: NDArray[np.float64]


@dataclass(frozen=True)
class Units:
    """Units that turn a schedule into angles.

    Attributes:
        spread: how much the cost varies among the codewords that a mixer mixes; 0 where all costs are equal.
        mixers: the unit of each mixer's beta.
    """

    spread: float
    mixers: tuple[float, ...]

    @classmethod
    def of(cls, costs: ArrayLike, sizes: Sequence[int], mixers: Sequence[Mixer]) -> Units:
        """Return the units of a cost in a space; ``mixers`` has one a block or one in all; raises as `cost_spread`."""
        # The global mixer mixes all codewords, as if they were one block.
        if len(mixers) == 1 and mixers[0].kind == "grover-global":
            sizes = [math.prod(sizes)]
        return cls(cost_spread(costs, sizes), tuple(mixer_unit(m, size) for m, size in zip(mixers, sizes, strict=True)))

    def angles(self, schedule: Schedule) -> Angles:
        """Return the angles of a schedule."""
        shape = len(schedule), len(self.mixers)
        betas = np.broadcast_to(schedule[:, 1:], shape) * np.array(self.mixers, dtype=np.float64)
        return Angles(schedule[:, 0] / (self.spread or 1.0), betas)


def cost_spread(costs: ArrayLike, sizes: Sequence[int]) -> float:
    """Return the root of the mean over blocks of the variance within the block, averaged over the other blocks.

    With one block it is the standard deviation of all costs. That of many blocks grows with their number, and good
    gammas do not fall with it, because a mixer compares codewords that differ in one block.

    Raises:
        InputError: a cost is no finite number, or there is not one a codeword.

    Cost: two passes over the costs a block.
    """
    given: NDArray[np.float64] = np.asarray(costs, dtype=np.float64)
    if given.shape != (math.prod(sizes),):
        raise InputError(f"the costs have shape {given.shape}: give one for each of {math.prod(sizes)} codewords")
    if not np.isfinite(given).all():
        bad = int(np.argmin(np.isfinite(given)))
        raise InputError(f"the cost of codeword {bad} is {given[bad]}: every cost must be a finite number")
    found, stride = [], 1
    for size in sizes:
        if size > 1:
            # The first block's position is the fastest in the order of codewords.
            found.append(float(given.reshape(-1, size, stride).var(axis=1).mean()))
        stride *= size
    return math.sqrt(sum(found) / len(found)) if found else 0.0


def mixer_unit(mixer: Mixer, size: int) -> float:
    """Return twice the inverse of the gap below the mixer's highest state, so that a beta moves as much in any block.

    A long ring's gap falls with the square of its length. Its unit stops at 1, that of the ring of four, because hops
    by more than a quarter turn move amplitude back.
    """
    if mixer.kind in ("grover", "grover-global"):
        return 2.0
    if mixer.kind == "x" or size <= 2:
        return 1.0
    return 2 / size if mixer.kind == "xy-complete" else min(1.0, 1 / (1 - math.cos(2 * math.pi / size)))


def check_layers(layers: int, sizes: Sequence[int]) -> None:
    """Refuse a depth below 0 or that does not fit; 0 layers are the uniform start alone."""
    if layers < 0:
        raise InputError(f"QAOA has 0 layers (the uniform start alone) or more, not {layers}")
    size = math.prod(sizes)
    fit = min(MOST_LAYERS, MOST_WORK // (size * max(1, len(sizes))))
    if layers > fit:
        raise DoesNotFitError(
            f"does not fit: {layers} QAOA layers in a space of {size} codewords; up to {fit} do: "
            f"use layers={fit} or fewer"
        )


def ramp(layers: int, gamma: float, beta: float) -> Schedule:
    """Return a linear ramp: gammas rise to ``gamma``, betas fall from ``-beta`` to 0, both read at the layers' middles.

    Source: the annealing path cut into layers (arXiv:1411.4028, section VI); fixed ramps as in arXiv:2405.09169.
    """
    # The ramp is read at the middles of the layers, so no angle is exactly zero.
    time = (np.arange(layers) + 0.5) / max(layers, 1)
    return np.stack([gamma * time, -beta * (1 - time)], axis=1)


def ramps(layers: int) -> Iterator[Named]:
    """The ramps worth a look, named by their ends."""
    for gamma in RAMPS[0]:
        for beta in RAMPS[1]:
            yield f"ramp to {gamma:g} from {beta:g}", ramp(layers, gamma, beta)


def transfers(layers: int, mixers: Sequence[Mixer]) -> Iterator[Named]:
    """Yield transferred angles as they are, and with all gammas or all betas made larger or smaller."""
    schedule = transfer(layers, mixers)
    for gamma in SCALES[0]:
        for beta in SCALES[1]:
            yield f"transfer x {gamma:g}, {beta:g}", schedule * (gamma, beta)


def transfer(layers: int, mixers: Sequence[Mixer]) -> Schedule:
    """Return angles that are good on average for small instances, by the kind of mixer that most blocks have.

    A depth that is not in the table is interpolated from the next one below.
    """
    kinds = [mixer.kind for mixer in mixers] or ["grover"]
    # One table for all blocks: most models have one kind of block, and blocks share the gammas.
    table = load_best()[max(kinds, key=kinds.count)]
    if not layers:
        return np.zeros((0, 2))
    # Interpolation only adds layers.
    below = max(depth for depth in table if depth <= layers)
    return stretch_schedule(np.array(table[below], dtype=np.float64).T, layers)


def interpolate_schedule(schedule: Schedule) -> Schedule:
    """Return the schedule with one layer more, for any number of columns.

    Layer i of p + 1 mixes layers i - 1 and i of p by (i - 1) / p and (p - i + 1) / p.
    Source: the INTERP strategy of arXiv:1812.01041.
    """
    layers = len(schedule)
    before: Schedule = np.arange(layers + 1)[:, None] / max(layers, 1)
    edge = np.zeros((1, schedule.shape[1]))
    longer: Schedule = before * np.concatenate([edge, schedule]) + (1 - before) * np.concatenate([schedule, edge])
    return longer


def stretch_schedule(schedule: Schedule, layers: int) -> Schedule:
    """Return the schedule with ``layers`` layers, at least as many as it has, one more at a time."""
    if not 0 < len(schedule) <= layers:
        raise InputError(f"{len(schedule)} layers cannot be interpolated to {layers}")
    while len(schedule) < layers:
        schedule = interpolate_schedule(schedule)
    return schedule


@cache
def load_best() -> dict[str, dict[int, tuple[list[float], list[float]]]]:
    """By kind of mixer and number of layers: the gammas and the betas of a schedule, without units.

    Good angles of small random instances; `python -m benchmarks qaoa-transfer` makes the numbers again.
    """
    kinds = json.loads(files("gatesolve.pipelines.qaoa").joinpath("table.json").read_text(encoding="utf-8"))
    return {kind: {int(layers): (*sides,) for layers, sides in found.items()} for kind, found in kinds.items()}

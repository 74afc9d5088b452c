"""Grover Adaptive Search on a device: one job a threshold, several numbers of iterations in each.

A device gives many shots for the price of one job, and waiting for a job is what takes long. So a threshold is not
searched by single measurements, as in ``search.py``, but by one batch of circuits with iterations on a ladder; the
lowest cost of all their shots is the next threshold, and a batch that finds nothing lower ends the search. The loop
is a function of what was measured so far: it is stopped and continued at any point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LADDER = 1.6
"""Ratio of neighbouring numbers of iterations.

For any number of solutions one of them is within a sixth of a turn of the best, in spaces of 15 codewords or more.
"""

LISTED = 1 << 16
"""Numbers of solutions that are looked at one by one, and intervals of larger ones."""


@dataclass(frozen=True)
class Batch:
    """What one job measured.

    Attributes:
        threshold: of its oracle: it marks the costs below.
        runs: iterations, shots and estimated fidelity of each circuit.
        lowest: lowest cost measured in any shot; None if none was a codeword.
    """

    threshold: int
    runs: tuple[tuple[int, int, float], ...]
    lowest: int | None


@dataclass(frozen=True)
class Descended:
    """The end of a search.

    Attributes:
        missed: bound on the probability that the last batch shows nothing lower although there is something, if the
            estimate of the device's errors holds; None where nothing is lower, with certainty.
    """

    missed: float | None


def next_threshold(first: int, floor: int, size: int, history: Sequence[Batch]) -> int | Descended:
    """The threshold to search below next, or the end.

    ``floor`` is a proven lower bound of the cost, ``history`` what was measured so far.

    Raises:
        ValueError: a cost below the floor was measured.
    """
    threshold = first
    for batch in history:
        if batch.lowest is not None and batch.lowest < floor:
            raise ValueError(f"cost {batch.lowest} was measured, below the proven lowest, {floor}")
        if batch.lowest is None or batch.lowest >= threshold:
            return Descended(bound_miss(size, batch.runs))
        threshold = batch.lowest
    return Descended(None) if threshold <= floor else threshold


def iterations_ladder(size: int) -> tuple[int, ...]:
    """Numbers of iterations for an unknown number of solutions: 1, then growing by `LADDER`.

    None exceeds what one solution needs, pi/4 sqrt(size).
    """
    top = max(1, round(math.pi / 4 * math.sqrt(size) - 0.5))
    steps, at = [], 1.0
    while round(at) <= top:
        steps.append(round(at))
        at = max(at * LADDER, at + 1)
    return tuple(steps)


def bound_miss(size: int, runs: Sequence[tuple[int, int, float]]) -> float:
    """The largest probability, over all numbers of solutions from 1, that no shot of any circuit shows one.

    With t of ``size`` codewords marked a shot after k iterations shows one with probability
    ``F sin^2((2 k + 1) asin sqrt(t / size))`` or more (Boyer, Brassard, Hoyer and Tapp, quant-ph/9605034, section 3;
    F as in ``devices/fidelity.py``): what errors may hit by chance is not counted on.

    Returns:
        The probability itself in a space of up to 2^16 codewords. Larger numbers of solutions in larger ones are taken
        in 2^16 intervals, each run at what it shows least in the interval: never less than the probability.

    Cost: linear in the size up to 2^16, and no more beyond.
    """
    first = np.arcsin(np.sqrt(np.arange(1, min(size, LISTED) + 1) / size))
    cuts = np.linspace(first[-1], math.pi / 2, LISTED + 1 if size > LISTED else 1)
    low, high = np.concatenate([first, cuts[:-1]]), np.concatenate([first, cuts[1:]])
    silence = np.zeros(len(low))
    for iterations, shots, fidelity in runs:
        begin, end = (2 * iterations + 1) * low, (2 * iterations + 1) * high
        # Between two multiples of pi the square of a sine is least at an end.
        least = np.where(begin // math.pi == end // math.pi, np.minimum(np.sin(begin) ** 2, np.sin(end) ** 2), 0.0)
        shown = fidelity * least
        silence += shots * np.log1p(-np.minimum(shown, 1 - 1e-15))
    return float(np.exp(silence.max()))

"""What a noisy run is expected to show: its solutions against those that come by chance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

LEAST_Z = 3.0
"""Standard deviations above chance from which a circuit is said to give signal."""


@dataclass(frozen=True)
class Signal:
    """What a run is expected to show.

    Attributes:
        share: of the shots that are accepted, expected.
        above: accepted shots above those that come by chance, expected.
        z: those in standard deviations of the number that comes by chance.
    """

    share: float
    above: float
    z: float


def accepted_share(fidelity: float, ideal: float, chance: float) -> float:
    """Expected share of accepted shots: without an error ``ideal``, with one as uniform noise has it, ``chance``."""
    return fidelity * ideal + (1 - fidelity) * chance


def signal(fidelity: float, ideal: float, chance: float, shots: int) -> Signal:
    """The signal that a run can be expected to give.

    ``ideal`` and ``chance`` are the shares of accepted shots without errors and among uniformly random ones.

    Returns:
        The expected surplus over chance, with ``z = above / sqrt(shots chance (1 - chance))``; infinite where chance
        alone accepts nothing, or everything, and the surplus is positive.
    """
    share = accepted_share(fidelity, ideal, chance)
    above = shots * (share - chance)
    spread = math.sqrt(shots * chance * (1 - chance))
    z = above / spread if spread else math.inf if above > 0 else 0.0
    return Signal(share, above, z)


def best_by_estimate(choices: Mapping[int, tuple[float, float]], chance: float) -> int:
    """The number of iterations (or layers) whose expected share of accepted shots is the highest.

    ``choices`` has the circuit's fidelity and the share of accepted shots without errors of each number; of equal ones
    the smallest is taken.
    """
    return max(sorted(choices), key=lambda n: accepted_share(*choices[n], chance))

"""What a noisy run is expected to show: its solutions against those that come by chance."""

from __future__ import annotations

import math

LEAST_Z = 3.0
"""Standard deviations above chance from which a circuit is said to give signal."""


def accepted_share(fidelity: float, ideal: float, chance: float) -> float:
    """Expected share of accepted shots: without an error ``ideal``, with one as uniform noise has it, ``chance``."""
    return fidelity * ideal + (1 - fidelity) * chance


def signal_z(fidelity: float, ideal: float, chance: float, shots: int) -> float:
    """The expected surplus of accepted shots over chance, in standard deviations of the number that comes by chance.

    ``ideal`` and ``chance`` are the shares of accepted shots without errors and among uniformly random ones.

    Returns:
        ``shots (share - chance) / sqrt(shots chance (1 - chance))``; infinite where chance alone accepts nothing, or
        everything, and the surplus is positive.
    """
    above = shots * (accepted_share(fidelity, ideal, chance) - chance)
    spread = math.sqrt(shots * chance * (1 - chance))
    return above / spread if spread else math.inf if above > 0 else 0.0

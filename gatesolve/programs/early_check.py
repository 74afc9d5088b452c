"""Amplification inside amplification: first what meets some constraints, then what meets all.

Let A be the preparation followed by ``rounds`` iterations of a search that checks only some conditions, on the blocks
that they read. The outer search starts from A instead of the preparation. It reflects about A's state: A is undone,
the phase where everything is zero is flipped, and A is done again. It needs fewer calls of the costly whole oracle and
reflection, and more of the cheap ones. Sources: Cerf, Grover and Williams, quant-ph/9806078; for amplitude
amplification Brassard, Hoyer, Mosca and Tapp, quant-ph/0005055, section 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.space import Space


def find_peak(theta: float, chance: Callable[[int], float]) -> int:
    """Return the iterations at the first peak of a success probability sin((2 k + 1) theta)^2; of equals the fewer."""
    near = max(0, round(math.pi / (4 * theta) - 0.5))
    # Rounding may miss the peak by one.
    return max(range(max(0, near - 1), near + 2), key=lambda k: (chance(k), -k))


@dataclass(frozen=True)
class EarlyCheck:
    """The part of a search that is amplified first, in some blocks of the space, in ascending order.

    Attributes:
        conditions: how many are asked early.
        rounds: how often, in each of the outer search's iterations once forwards and once backwards.
        of: codewords of these blocks.
        counted: codewords that were listed classically to choose it, those of the other candidates too.
        passing: the numbers of those that meet the conditions, in mixed radix, the first block the fastest; ascending.
    """

    blocks: tuple[int, ...]
    conditions: int
    rounds: int
    of: int
    counted: int
    passing: NDArray[np.int64] = field(compare=False, repr=False)

    @property
    def chance(self) -> float:
        """Probability that the blocks' codeword passes once it is amplified."""
        return math.sin((2 * self.rounds + 1) * math.asin(math.sqrt(len(self.passing) / self.of))) ** 2

    def start_chance(self, size: int, marked: int) -> float:
        """Return the probability that A's state is marked, in a space of ``size`` codewords."""
        # Codewords that pass keep equal amplitudes, and every marked codeword passes.
        return self.chance * marked / size * self.of / len(self.passing)

    def success_probability(self, size: int, marked: int, iterations: int) -> float:
        """Return the success probability after ``iterations`` outer iterations."""
        return math.sin((2 * iterations + 1) * math.asin(math.sqrt(min(1.0, self.start_chance(size, marked))))) ** 2

    def best_iterations(self, size: int, marked: int) -> int:
        """Return the number of outer iterations at the first peak of the success probability."""
        theta = math.asin(math.sqrt(min(1.0, self.start_chance(size, marked))))
        return find_peak(theta, lambda k: self.success_probability(size, marked, k))

    def locate(self, space: Space, numbers: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return, for numbered codewords of the space, their numbers among the blocks' codewords."""
        found, weight = np.zeros(len(numbers), dtype=np.int64), 1
        for k, position in enumerate(space.positions(numbers)):
            if k in self.blocks:
                found, weight = found + weight * position, weight * space.blocks[k].size
        return found

    def describe(self) -> str:
        """Describe what is checked early, and what was counted classically."""
        asked = "1 constraint is" if self.conditions == 1 else f"{self.conditions} constraints are"
        blocks = "1 block" if len(self.blocks) == 1 else f"{len(self.blocks)} blocks"
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        return (
            f"early check: {asked} amplified first, by {rounds} on {blocks}; "
            f"{len(self.passing)} of {self.of} codewords pass; {self.counted} were listed classically to choose it"
        )

    def as_dict(self) -> dict[str, int]:
        """For JSON."""
        return {
            "blocks": len(self.blocks),
            "conditions": self.conditions,
            "codewords": self.of,
            "passing": len(self.passing),
            "counted": self.counted,
            "rounds": self.rounds,
        }

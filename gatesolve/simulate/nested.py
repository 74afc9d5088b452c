"""Exact simulation of a search whose start is a search itself: three amplitudes, whatever the number of qubits.

The inner search leaves equal amplitudes on all codewords that pass, and equal ones on all others. The outer one turns
that state towards its marked part, so beside the marked codewords the two others keep their proportion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.simulate.space import Marked

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class NestedState:
    """The state after some outer iterations.

    Attributes:
        codewords: which of them the oracle marks; all of these pass.
        sizes: codewords of each block.
        blocks: those that the inner search is about.
        passing: the numbers of their codewords that pass, ascending.
        chance: probability that a codeword passes, after the inner search alone.
        success_probability: of measuring a marked codeword.
    """

    codewords: Marked
    sizes: Sequence[int]
    blocks: Sequence[int]
    passing: Numbers
    chance: float
    success_probability: float

    def sample(self, shots: int, seed: int) -> dict[int, int]:
        """Counts by codeword number of ``shots`` measurements."""
        draw = np.random.default_rng(seed)
        marked, size = self.codewords.numbers, self.codewords.size
        inside = int(np.prod([self.sizes[k] for k in self.blocks], dtype=np.int64))
        rest = size // inside
        others = Marked(inside, self.passing)
        hits = draw.binomial(shots, min(max(self.success_probability, 0.0), 1.0)) if len(marked) else 0
        # Of what the inner search makes, the marked codewords have their share of what passes.
        passes = self.chance * (1 - len(marked) / (len(self.passing) * rest))
        fails = 1 - self.chance if len(self.passing) < inside else 0.0
        if passes + fails <= 0:
            hits = shots
        near = draw.binomial(shots - hits, passes / (passes + fails)) if shots > hits else 0

        def pass_but_fail(count: int) -> Numbers:
            return self._join(self.passing[draw.integers(0, len(self.passing), count)], draw.integers(0, rest, count))

        def fail(count: int) -> Numbers:
            ranks = draw.integers(0, inside - len(self.passing), count)
            return self._join(others.list_others(ranks), draw.integers(0, rest, count))

        parts = [marked[draw.integers(0, len(marked), hits)] if hits else np.empty(0, np.int64)]
        parts.append(_draw_unmarked(pass_but_fail, int(near), marked))
        parts.append(_draw_unmarked(fail, int(shots - hits - near), marked))
        drawn, times = np.unique(np.concatenate(parts), return_counts=True)
        return dict(zip(drawn.tolist(), times.tolist(), strict=True))

    def _join(self, inside: Numbers, outside: Numbers) -> Numbers:
        """Numbers of the whole space from those of the inner search's blocks and of the others."""
        number, weight = np.zeros_like(inside), 1
        for k, size in enumerate(self.sizes):
            if k in self.blocks:
                number, inside = number + weight * (inside % size), inside // size
            else:
                number, outside = number + weight * (outside % size), outside // size
            weight *= size
        return number


def _draw_unmarked(draw: Callable[[int], Numbers], count: int, marked: NDArray[np.intp]) -> Numbers:
    """Draw ``count`` codewords that are not marked: marked ones are drawn again."""
    found = np.empty(0, np.int64)
    while len(found) < count:
        fresh = draw(count - len(found))
        found = np.concatenate([found, fresh[~np.isin(fresh, marked)]])
    return found

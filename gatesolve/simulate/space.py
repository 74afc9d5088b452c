"""Exact simulation of Grover's search in the space: M amplitudes, whatever the number of qubits.

Between oracle and preparation the ancillas are zero and the registers hold codewords, so the state is a vector over the
codewords. Those with the same oracle sign keep equal amplitudes, so one amplitude a sign is carried along. Where the
start is a search itself, `NestedState` has three amplitudes: of marked codewords, of others that pass the inner search,
and of those that fail it.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Marked:
    """The codewords that an oracle marks, of ``size`` in all, by their numbers in ascending order."""

    size: int
    numbers: NDArray[np.intp]

    def list_others(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """The codewords that are not marked, by their place among these; nothing of length M is made."""
        # Entry k counts the unmarked codewords before marked number k: the search counts the marked ones before a rank.
        before = self.numbers - np.arange(len(self.numbers))
        found: NDArray[np.int64] = ranks + np.searchsorted(before, ranks, side="right")
        return found


def list_marked(marks: NDArray[np.bool_]) -> Marked:
    """From one boolean a codeword, true where the oracle gives -1."""
    return Marked(len(marks), np.flatnonzero(marks))


@dataclass(frozen=True)
class GroverState:
    """The state after some iterations: which codewords the oracle marks, and the amplitudes of these and of others.

    Amplitudes of marked ones are complex only after phases other than -1.
    """

    codewords: Marked
    marked: complex
    unmarked: complex

    @property
    def success_probability(self) -> float:
        """Probability of measuring a marked codeword."""
        return float(len(self.codewords.numbers) * abs(self.marked) ** 2)

    def amplitudes(self) -> NDArray[np.inexact[Any]]:
        """The whole vector over the codewords, in codeword order."""
        vector = np.full(self.codewords.size, self.unmarked)
        vector[self.codewords.numbers] = self.marked
        return vector

    def sample(self, shots: int, seed: int) -> dict[int, int]:
        """Counts by codeword number of ``shots`` measurements; in time that does not grow with the codewords."""
        draw = np.random.default_rng(seed)
        # Rounding may bring the probability just outside 0 to 1, which NumPy refuses.
        hits = draw.binomial(shots, min(max(self.success_probability, 0.0), 1.0))
        counts: dict[int, int] = {}
        here = len(self.codewords.numbers)
        for group, number, of in ((True, hits, here), (False, shots - hits, self.codewords.size - here)):
            if number and of:
                ranks = draw.integers(0, of, size=number)
                members = self.codewords.numbers[ranks] if group else self.codewords.list_others(ranks)
                drawn, times = np.unique(members, return_counts=True)
                counts |= dict(zip(drawn.tolist(), times.tolist(), strict=True))
        return counts


def run_grover(codewords: Marked, iterations: int) -> GroverState:
    """Start uniform, then ``iterations`` times: oracle, reflection about the start.

    The overall sign is that of the circuit up to a global phase.
    """
    size, hits = codewords.size, len(codewords.numbers)
    marked = unmarked = 1 / math.sqrt(size)
    for _ in range(iterations):
        # Reflection about the mean; the minus sign is the oracle's.
        mean = (-hits * marked + (size - hits) * unmarked) / size
        marked, unmarked = 2 * mean + marked, 2 * mean - unmarked
    return GroverState(codewords, marked, unmarked)


def amplify(codewords: Marked, phases: Iterable[tuple[float, float]]) -> GroverState:
    """Start uniform, then for each pair: phase on marked codewords, phase on the start state, both in radians.

    One pair an iteration; (pi, pi) is a plain one. The amplitudes are complex, up to a global phase.
    """
    size, hits = codewords.size, len(codewords.numbers)
    marked: complex = 1 / math.sqrt(size)
    unmarked: complex = marked
    for oracle, reflection in phases:
        marked *= cmath.exp(1j * oracle)
        # The reflection is 1 - (1 - exp(i reflection)) |start><start|, and start has equal amplitudes.
        change = (1 - cmath.exp(1j * reflection)) * (hits * marked + (size - hits) * unmarked) / size
        marked, unmarked = marked - change, unmarked - change
    return GroverState(codewords, marked, unmarked)


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
        # The outer search turns the state towards its marked part, so the other two keep their proportion.
        passes = self.chance * (1 - len(marked) / (len(self.passing) * rest))
        fails = 1 - self.chance if len(self.passing) < inside else 0.0
        # All codewords that can be measured are marked, and any other draw is rounding.
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
        # Rejecting the marked ones keeps the draw uniform over the others.
        fresh = draw(count - len(found))
        found = np.concatenate([found, fresh[~np.isin(fresh, marked)]])
    return found

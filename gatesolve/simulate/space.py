"""Exact simulation of Grover's search in the space: M amplitudes, whatever the number of qubits.

Between oracle and preparation the ancillas are zero and the registers hold codewords, so the state is a vector over the
codewords. Those with the same oracle sign keep equal amplitudes, so one amplitude a sign is carried along.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Marked:
    """The codewords that an oracle marks.

    Attributes:
        size: codewords in all, M.
        numbers: those marked, in ascending order.
    """

    size: int
    numbers: NDArray[np.intp]

    def list_others(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """The codewords that are not marked, by their place among these; nothing of length M is made."""
        before = self.numbers - np.arange(len(self.numbers))
        found: NDArray[np.int64] = ranks + np.searchsorted(before, ranks, side="right")
        return found


def list_marked(marks: NDArray[np.bool_]) -> Marked:
    """From one boolean a codeword, true where the oracle gives -1."""
    return Marked(len(marks), np.flatnonzero(marks))


@dataclass(frozen=True)
class GroverState:
    """The state after some iterations.

    Attributes:
        codewords: which of them the oracle marks.
        marked: amplitude of each marked codeword; complex only after phases other than -1.
        unmarked: amplitude of each other codeword.
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

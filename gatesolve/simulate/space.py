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
class GroverState:
    """The state after some iterations.

    Attributes:
        marks: one boolean a codeword, true where the oracle gives -1.
        marked: amplitude of each marked codeword; complex only after phases other than -1.
        unmarked: amplitude of each other codeword.
    """

    marks: NDArray[np.bool_]
    marked: complex
    unmarked: complex

    @property
    def success_probability(self) -> float:
        """Probability of measuring a marked codeword."""
        return float(int(self.marks.sum()) * abs(self.marked) ** 2)

    def amplitudes(self) -> NDArray[np.inexact[Any]]:
        """The whole vector over the codewords, in codeword order."""
        return np.where(self.marks, self.marked, self.unmarked)

    def sample(self, shots: int, seed: int) -> dict[int, int]:
        """Counts by codeword number of ``shots`` measurements."""
        draw = np.random.default_rng(seed)
        hits = draw.binomial(shots, min(max(self.success_probability, 0.0), 1.0))
        counts: dict[int, int] = {}
        for group, number in ((True, hits), (False, shots - hits)):
            members = np.flatnonzero(self.marks == group)
            if number and len(members):
                drawn, times = np.unique(draw.choice(members, size=number), return_counts=True)
                counts |= dict(zip(drawn.tolist(), times.tolist(), strict=True))
        return counts


def run_grover(marks: NDArray[np.bool_], iterations: int) -> GroverState:
    """Start uniform, then ``iterations`` times: oracle, reflection about the start.

    The overall sign is that of the circuit up to a global phase.
    """
    size, hits = len(marks), int(marks.sum())
    marked = unmarked = 1 / math.sqrt(size)
    for _ in range(iterations):
        mean = (-hits * marked + (size - hits) * unmarked) / size
        marked, unmarked = 2 * mean + marked, 2 * mean - unmarked
    return GroverState(marks, marked, unmarked)


def amplify(marks: NDArray[np.bool_], phases: Iterable[tuple[float, float]]) -> GroverState:
    """Start uniform, then for each pair: phase on marked codewords, phase on the start state, both in radians.

    One pair an iteration; (pi, pi) is a plain one. The amplitudes are complex, up to a global phase.
    """
    size, hits = len(marks), int(marks.sum())
    marked: complex = 1 / math.sqrt(size)
    unmarked: complex = marked
    for oracle, reflection in phases:
        marked *= cmath.exp(1j * oracle)
        # The reflection is 1 - (1 - exp(i reflection)) |start><start|, and start has equal amplitudes.
        change = (1 - cmath.exp(1j * reflection)) * (hits * marked + (size - hits) * unmarked) / size
        marked, unmarked = marked - change, unmarked - change
    return GroverState(marks, marked, unmarked)

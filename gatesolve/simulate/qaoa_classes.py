"""QAOA with the global Grover mixer from the uniform start: one amplitude a class of codewords.

The mixer adds one number to all amplitudes and the phase looks at the cost alone, so codewords of one cost keep
equal amplitudes, and a run costs a few numbers a layer whatever the size of the space (source: arXiv:2202.00648).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Amplitudes = NDArray[np.complex128]


@dataclass(frozen=True)
class Classes:
    """Costs and how many codewords have each."""

    values: Reals
    counts: NDArray[np.integer[Any]]

    @property
    def size(self) -> int:
        """Number of codewords."""
        return int(self.counts.sum())

    def amplitudes(self, gammas: Reals, betas: Reals) -> Amplitudes:
        """Of one codeword of each class, after all layers; ``betas`` of shape (p, 1)."""
        state = np.full(len(self.values), self.size**-0.5, dtype=complex)
        for gamma, beta in zip(gammas, betas[:, 0], strict=True):
            state *= np.exp(-1j * gamma * self.values)
            state += (np.exp(-1j * beta) - 1) * self._mean(state)
        return state

    def weights(self, gammas: Reals, betas: Reals) -> Reals:
        """Probability of each class."""
        state = self.amplitudes(gammas, betas)
        return self.counts * (state.real**2 + state.imag**2)

    def slopes(self, gammas: Reals, betas: Reals, share: Reals) -> Reals:
        """Derivatives of the sum of ``share`` times probability: rows of (by beta, by gamma), one a layer."""
        state = self.amplitudes(gammas, betas)
        other = share * state
        result = np.zeros((len(gammas), 2))
        for layer in range(len(gammas) - 1, -1, -1):
            mean, means = self._mean(state), self._mean(other)
            result[layer, 0] = 2 * self.size * float((np.conj(means) * mean).imag)
            back = np.exp(1j * betas[layer, 0]) - 1
            state, other = state + back * mean, other + back * means
            result[layer, 1] = 2 * float(((self.counts * self.values) @ (np.conj(other) * state)).imag)
            phase = np.exp(1j * gammas[layer] * self.values)
            state, other = state * phase, other * phase
        return result

    def _mean(self, state: Amplitudes) -> complex:
        return complex(self.counts @ state) / self.size

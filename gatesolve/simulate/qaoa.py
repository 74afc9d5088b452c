"""Exact simulation of QAOA in the space: one amplitude a codeword, whatever the number of qubits.

Layer k multiplies codeword x by exp(-i gamma_k cost(x)) and then applies the mixers at beta_k.
Mixers keep the state inside the codewords, so this is the whole circuit. Gradients are exact, by the adjoint
method: the layers are undone on the state and on the observable's image together (source: arXiv:2009.02823).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.encodings.mixer import Mixer
from gatesolve.errors import InputError
from gatesolve.simulate.qaoa_classes import Classes
from gatesolve.simulate.qaoa_objective import Objective, expectation
from gatesolve.simulate.qaoa_plan import Diagonal, Plan, make_diagonal, plan_mixers

State = NDArray[np.complex128]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Slope:
    """An objective's value and its exact derivatives.

    Attributes:
        value: of the objective.
        gammas: derivative by each gamma, shape (p,).
        betas: derivative by each beta, of the shape the betas were given in.
    """

    value: float
    gammas: Reals
    betas: Reals


@dataclass(frozen=True)
class Qaoa:
    """An ansatz ready to run at many angles.

    Attributes:
        diagonal: the costs.
        plan: the mixers.
    """

    diagonal: Diagonal
    plan: Plan

    def __post_init__(self) -> None:
        """Costs and mixers must be of one space."""
        if len(self.diagonal.index) != self.plan.size:
            raise InputError(f"{len(self.diagonal.index)} costs were given for {self.plan.size} codewords")

    def run(self, gammas: ArrayLike, betas: ArrayLike, start: ArrayLike | None = None) -> State:
        """The state after all layers.

        Args:
            gammas: shape (p,); p may be 0.
            betas: shape (p,), or (p, blocks) for an angle of its own for each block's mixer.
            start: one amplitude a codeword; the uniform superposition by default.

        Returns:
            Shape (M,), in codeword order.

        Raises:
            InputError: if shapes do not fit or an angle is not finite.
        """
        angles = self._angles(gammas, betas)
        if self._by_class(start):
            return self._classes.amplitudes(*angles)[self.diagonal.index]
        state = self._start(start)
        _kernels().apply_layers(state, *self._layout, *angles)
        return state

    def weights(self, state: State) -> Reals:
        """Probability of each class of the diagonal."""
        result = np.zeros(len(self.diagonal.values))
        _kernels().add_weights(state, self.diagonal.index, result)
        return result

    def value(
        self,
        gammas: ArrayLike,
        betas: ArrayLike,
        objective: Objective = expectation,
        start: ArrayLike | None = None,
    ) -> float:
        """The objective at these angles; arguments as in ``run``."""
        if self._by_class(start):
            return objective(self.diagonal.values, self._classes.weights(*self._angles(gammas, betas)))[0]
        return objective(self.diagonal.values, self.weights(self.run(gammas, betas, start)))[0]

    def slope(
        self,
        gammas: ArrayLike,
        betas: ArrayLike,
        objective: Objective = expectation,
        start: ArrayLike | None = None,
    ) -> Slope:
        """The objective and its derivatives by all angles; arguments as in ``run``.

        Cost: about four runs, and a second vector.
        """
        angles = self._angles(gammas, betas)
        if self._by_class(start):
            value, share = objective(self.diagonal.values, self._classes.weights(*angles))
            return _as_given(value, self._classes.slopes(*angles, share), betas)
        state = self.run(gammas, betas, start)
        value, share = objective(self.diagonal.values, self.weights(state))
        other = share[self.diagonal.index] * state
        slopes = np.zeros((len(angles[0]), self.plan.angles + 1))
        _kernels().undo_layers(state, other, *self._layout, *angles, slopes)
        return _as_given(value, 2 * slopes, betas)

    @property
    def _layout(self) -> tuple[NDArray[Any], ...]:
        """What the kernels read besides state and angles."""
        return self.diagonal.index, self.diagonal.values, self.plan.groups, self.plan.ops

    @cached_property
    def _classes(self) -> Classes:
        counts = np.bincount(self.diagonal.index, minlength=len(self.diagonal.values))
        return Classes(self.diagonal.values, counts)

    def _by_class(self, start: ArrayLike | None) -> bool:
        """Whether codewords of one class keep equal amplitudes: the global mixer cannot tell them apart."""
        return self.plan.everywhere and start is None

    def _start(self, start: ArrayLike | None) -> State:
        """A fresh vector."""
        if start is None:
            return np.full(self.plan.size, self.plan.size**-0.5, dtype=complex)
        state = np.array(start, dtype=complex)
        if state.shape != (self.plan.size,):
            raise InputError(f"the start has shape {state.shape}, not one amplitude for {self.plan.size} codewords")
        return state

    def _angles(self, gammas: ArrayLike, betas: ArrayLike) -> tuple[Reals, Reals]:
        first, second = np.array(gammas, dtype=float), np.array(betas, dtype=float)
        if first.ndim != 1:
            raise InputError(f"gammas are one row of numbers, not of shape {first.shape}")
        if second.ndim == 1:
            second = np.repeat(second[:, None], self.plan.angles, axis=1)
        if second.shape != (len(first), self.plan.angles):
            wanted = f"({len(first)},) or ({len(first)}, {self.plan.angles})"
            raise InputError(f"betas have shape {np.shape(betas)}, not {wanted}: one a layer, or one a layer and block")
        if not (np.isfinite(first).all() and np.isfinite(second).all()):
            raise InputError("an angle is not a finite number")
        return first, np.ascontiguousarray(second)


def make_qaoa(costs: ArrayLike, sizes: Sequence[int], mixers: Sequence[Mixer]) -> Qaoa:
    """An ansatz of these costs (one a codeword), block sizes (the fastest first) and mixers (one a block)."""
    return Qaoa(make_diagonal(costs), plan_mixers(sizes, mixers))


def sample(state: State, shots: int, seed: int) -> dict[int, int]:
    """Counts by codeword number of ``shots`` measurements."""
    if shots < 0:
        raise InputError(f"shots must not be negative, and are {shots}")
    steps = np.cumsum(np.abs(state) ** 2)
    draws = np.random.default_rng(seed).random(shots) * steps[-1]
    found, times = np.unique(np.searchsorted(steps, draws, side="right"), return_counts=True)
    return dict(zip(found.tolist(), times.tolist(), strict=True))


def _as_given(value: float, slopes: Reals, betas: ArrayLike) -> Slope:
    """Slopes (blocks, then gamma) in the shape of the betas."""
    by_beta = slopes[:, :-1]
    together = by_beta.sum(axis=1) if np.ndim(betas) == 1 else by_beta.copy()
    return Slope(value, slopes[:, -1].copy(), together)


def _kernels() -> Any:
    """Imported when first needed: numba takes a second."""
    from gatesolve.simulate import qaoa_kernels

    return qaoa_kernels

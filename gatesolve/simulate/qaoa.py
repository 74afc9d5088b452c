"""Exact simulation of QAOA in the space: one amplitude a codeword, whatever the number of qubits.

Layer k multiplies codeword x by exp(-i gamma_k level(x)) and then applies the mixers at beta_k.
Mixers keep the state inside the codewords, so this is the whole circuit. Gradients are exact, by the adjoint
method: the layers are undone on the state and on the observable's image together (source: arXiv:2009.02823).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.encodings.mixer import Mixer
from gatesolve.errors import InputError
from gatesolve.simulate.qaoa_classes import Classes
from gatesolve.simulate.qaoa_objective import Objective, expectation
from gatesolve.simulate.qaoa_plan import Diagonal, Plan, diagonal, plan

Precision = Literal["double", "single"]
State = NDArray[np.complexfloating[Any, Any]]
Reals = NDArray[np.float64]
Chunk = Callable[[int, int, int], Any]


@dataclass(frozen=True)
class Slope:
    """An objective's value and its exact derivatives.

    Attributes:
        value: of the objective.
        gammas: derivative by each gamma, shape (p,).
        betas: derivative by each beta, of the shape the betas were given in.
        weights: probability of each class of the diagonal.
    """

    value: float
    gammas: Reals
    betas: Reals
    weights: Reals


@dataclass(frozen=True)
class Qaoa:
    """An ansatz ready to run at many angles.

    Attributes:
        diagonal: the levels.
        plan: the mixers.
        precision: ``double`` (complex128) or ``single`` (complex64).
        threads: threads to spread large spaces over.
    """

    diagonal: Diagonal
    plan: Plan
    precision: Precision = "double"
    threads: int = 1

    def __post_init__(self) -> None:
        """Levels and mixers must be of one space."""
        if len(self.diagonal.index) != self.plan.size:
            raise InputError(f"{len(self.diagonal.index)} levels were given for {self.plan.size} codewords")
        if self.precision not in ("double", "single"):
            raise InputError(f"precision is double or single, not {self.precision!r}")
        if self.threads < 1:
            raise InputError(f"at least one thread is needed, not {self.threads}")

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
            return self._classes.amplitudes(*angles).astype(self._complex)[self.diagonal.index]
        flat = self._start(start)
        if self.plan.everywhere:
            self._spread_all(flat, *angles)
        elif self.threads > 1:
            for layer in range(len(angles[0])):
                self._layer_threaded(flat, angles[0][layer], angles[1][layer])
        else:
            k = _kernels()
            shape = self.plan.groups, self.plan.ops, np.empty((len(self.plan.ops), 2))
            k.layers(flat, self.diagonal.index, self.diagonal.values, self._table(), *shape, self._buffer(), *angles)
        return flat.view(self._complex)

    def weights(self, state: State) -> Reals:
        """Probability of each class of the diagonal."""
        result = np.zeros(len(self.diagonal.values))
        _kernels().histogram(state.view(self._real), self.diagonal.index, result, 0, self.plan.size)
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
            return objective(self.diagonal, self._classes.weights(*self._angles(gammas, betas)))[0]
        return objective(self.diagonal, self.weights(self.run(gammas, betas, start)))[0]

    def slope(
        self,
        gammas: ArrayLike,
        betas: ArrayLike,
        objective: Objective = expectation,
        start: ArrayLike | None = None,
    ) -> Slope:
        """The objective and its derivatives by all angles; arguments as in ``run``.

        Cost: about three runs, and a second vector.
        """
        if self._by_class(start):
            return self._slope_by_class(gammas, betas, objective)
        state = self.run(gammas, betas, start)
        weights = self.weights(state)
        value, share = objective(self.diagonal, weights)
        angles = self._angles(gammas, betas)
        flat = state.view(self._real)
        other = (share.astype(self._real)[self.diagonal.index] * state).view(self._real)
        slopes = np.zeros((len(angles[0]), self.plan.angles + 1))
        if self.plan.everywhere:
            self._spread_all_back(flat, other, *angles, slopes)
        elif self.threads > 1:
            for layer in range(len(angles[0]) - 1, -1, -1):
                self._layer_back_threaded(flat, other, angles[0][layer], angles[1][layer], slopes[layer])
        else:
            k, shape = _kernels(), (self.plan.groups, self.plan.ops, np.empty((len(self.plan.ops), 2)))
            sides = self.diagonal.index, self.diagonal.values, self._table()
            k.layers_back(flat, other, *sides, *shape, self._buffer(), self._buffer(), *angles, slopes)
        return _as_given(value, 2 * slopes, betas, weights)

    @property
    def _real(self) -> type[np.floating[Any]]:
        return np.float64 if self.precision == "double" else np.float32

    @property
    def _complex(self) -> type[np.complexfloating[Any, Any]]:
        return np.complex128 if self.precision == "double" else np.complex64

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads)

    @cached_property
    def _classes(self) -> Classes:
        counts = np.bincount(self.diagonal.index, minlength=len(self.diagonal.values))
        return Classes(self.diagonal.values, counts)

    def _by_class(self, start: ArrayLike | None) -> bool:
        """Whether codewords of one class keep equal amplitudes: the global mixer cannot tell them apart."""
        return self.plan.everywhere and start is None

    def _slope_by_class(self, gammas: ArrayLike, betas: ArrayLike, objective: Objective) -> Slope:
        angles = self._angles(gammas, betas)
        weights = self._classes.weights(*angles)
        value, share = objective(self.diagonal, weights)
        return _as_given(value, self._classes.slopes(*angles, share), betas, weights)

    def _table(self) -> NDArray[Any]:
        return np.empty(2 * len(self.diagonal.values), self._real)

    def _buffer(self) -> NDArray[Any]:
        """Room for a tile, on a boundary of the widest vectors."""
        raw = np.zeros(self.plan.room + 16, self._real)
        skip = -raw.ctypes.data % 64 // raw.itemsize
        return raw[skip : skip + self.plan.room]

    def _start(self, start: ArrayLike | None) -> NDArray[Any]:
        """A fresh interleaved vector."""
        if start is None:
            amplitude = 1 / math.sqrt(self.plan.size)
            return np.full(self.plan.size, amplitude, self._complex).view(self._real)
        state = np.array(start, dtype=self._complex)
        if state.shape != (self.plan.size,):
            raise InputError(f"the start has shape {state.shape}, not one amplitude for {self.plan.size} codewords")
        return state.view(self._real)

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

    def _spread_all(self, flat: NDArray[Any], gammas: Reals, betas: Reals) -> None:
        """Layers of the global Grover mixer: its addition is done together with the next layer's phases."""
        k, table, more = _kernels(), self._table(), 0j
        for gamma, beta in zip(gammas, betas[:, 0], strict=True):
            k.fill_table(table, self.diagonal.values, gamma)
            total = k.shift(flat, self.diagonal.index, table, more, 0, self.plan.size)
            more = (complex(math.cos(beta), -math.sin(beta)) - 1) / self.plan.size * total
        if len(gammas):
            k.shift_only(flat, more, 0, self.plan.size)

    def _spread_all_back(
        self, flat: NDArray[Any], other: NDArray[Any], gammas: Reals, betas: Reals, slopes: Reals
    ) -> None:
        k, table, size = _kernels(), self._table(), self.plan.size
        for layer in range(len(gammas) - 1, -1, -1):
            k.fill_table(table, self.diagonal.values, gammas[layer])
            factor = (complex(math.cos(betas[layer, 0]), math.sin(betas[layer, 0])) - 1) / size
            sums = [complex(v.view(self._complex).sum(dtype=complex)) for v in (flat, other)]
            slopes[layer, 0] = (sums[1].conjugate() * sums[0]).imag / size
            for vector, total in zip((flat, other), sums, strict=True):
                k.shift_only(vector, factor * total, 0, size)
            slopes[layer, 1] = k.unphased(flat, other, self.diagonal.index, table, self.diagonal.values, 0, size)

    def _layer_threaded(self, flat: NDArray[Any], gamma: float, betas: Reals) -> None:
        k, table, factors = _kernels(), self._table(), np.empty((len(self.plan.ops), 2))
        k.fill_table(table, self.diagonal.values, gamma)
        k.fill_factors(factors, self.plan.ops, betas, 1.0)
        for group in self.plan.groups:

            def work(start: int, stop: int, group: NDArray[np.int64] = group) -> None:
                sides = self.diagonal.index, table, group, self.plan.ops, factors, self._buffer()
                k.sweep(flat, *sides, start, stop)

            list(self._shared(group, work))

    def _layer_back_threaded(
        self, flat: NDArray[Any], other: NDArray[Any], gamma: float, betas: Reals, slopes: Reals
    ) -> None:
        k, table, factors = _kernels(), self._table(), np.empty((len(self.plan.ops), 2))
        k.fill_table(table, self.diagonal.values, gamma)
        k.fill_factors(factors, self.plan.ops, betas, -1.0)
        for group in self.plan.groups[::-1]:

            def work(start: int, stop: int, group: NDArray[np.int64] = group) -> Reals:
                mine = np.zeros(self.plan.angles + 1)
                sides = self.diagonal.index, table, self.diagonal.values, group, self.plan.ops, factors
                room = self._buffer(), self._buffer()
                mine[-1] += k.sweep_back(flat, other, *sides, *room, start, stop, mine)
                return mine

            for part in self._shared(group, work):
                slopes += part

    def _shared(self, group: NDArray[np.int64], work: Callable[[int, int], Any]) -> list[Any]:
        """Call ``work`` on ranges of columns, whole tiles each, one range a thread; results in order."""
        columns, width = self.plan.size // int(group[0]), int(group[4])
        step = -(-columns // (self.threads * width)) * width
        starts = range(0, columns, step)
        return list(self._pool.map(lambda start: work(start, min(start + step, columns)), starts))


def qaoa(
    levels: ArrayLike | Diagonal,
    sizes: Sequence[int],
    mixers: Sequence[Mixer],
    precision: Precision = "double",
    threads: int = 1,
) -> Qaoa:
    """An ansatz of these levels (one a codeword), block sizes (the fastest first) and mixers (one a block)."""
    made = levels if isinstance(levels, Diagonal) else diagonal(levels)
    return Qaoa(made, plan(sizes, mixers), precision, threads)


def run(
    levels: ArrayLike | Diagonal,
    sizes: Sequence[int],
    mixers: Sequence[Mixer],
    gammas: ArrayLike,
    betas: ArrayLike,
    start: ArrayLike | None = None,
    precision: Precision = "double",
) -> State:
    """The state after all layers, once; see ``Qaoa.run``."""
    return qaoa(levels, sizes, mixers, precision).run(gammas, betas, start)


def sample(state: State, shots: int, seed: int) -> dict[int, int]:
    """Counts by codeword number of ``shots`` measurements."""
    if shots < 0:
        raise InputError(f"shots must not be negative, and are {shots}")
    steps = np.cumsum(np.abs(state.astype(complex, copy=False)) ** 2)
    draws = np.random.default_rng(seed).random(shots) * steps[-1]
    found, times = np.unique(np.searchsorted(steps, draws, side="right"), return_counts=True)
    return dict(zip(found.tolist(), times.tolist(), strict=True))


def _as_given(value: float, slopes: Reals, betas: ArrayLike, weights: Reals) -> Slope:
    """Slopes (blocks, then gamma) in the shape of the betas."""
    by_beta = slopes[:, :-1]
    together = by_beta.sum(axis=1) if np.ndim(betas) == 1 else by_beta.copy()
    return Slope(value, slopes[:, -1].copy(), together, weights)


def _kernels() -> Any:
    """Imported when first needed: numba takes a second."""
    try:
        from gatesolve.simulate import qaoa_kernels
    except ImportError as error:
        raise InputError("QAOA simulation needs numba: run pip install numba") from error
    return qaoa_kernels

"""Exact simulation of QAOA in the space: one amplitude a codeword, whatever the number of qubits.

Layer k multiplies codeword x by exp(-i gamma_k cost(x)) and then applies the mixers at beta_k.
Mixers keep the state inside the codewords, so this is the whole circuit. Gradients are exact, by the adjoint
method (source: arXiv:2009.02823).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.encodings.mixer import Mixer
from gatesolve.errors import InputError
from gatesolve.simulate.qaoa_loss import Loss, expectation
from gatesolve.simulate.qaoa_tables import HOP, Angles, Diagonal, KernelPlan, MixerTable, make_diagonal, tabulate_mixers

Array = Any
State = NDArray[np.complex128]
Reals = NDArray[np.float64]
LARGE = 1 << 16
"""Codewords from which a GPU is used where there is one; fewer stay in the processor's cache."""
COMPILED = 1 << 29
"""Work from which numba is used where it is installed; NumPy does less work in the time of numba's compiler."""
CALL = 1_000
"""Amplitudes that NumPy changes in the time of one call."""
MATRIX = 16
"""Codewords of neighbouring blocks that NumPy mixes by one matrix."""
STRIP = 1 << 15
"""Products of numbers in one matrix product; of more, OpenBLAS uses threads, which cost more than they gain here."""
LONE_MATRIX = 64
"""Codewords of one block of hops that NumPy mixes by a matrix."""


@cache
def find_gpu() -> Any:
    """CuPy, where it is installed and sees a GPU; None elsewhere."""
    # CuPy may be installed on a machine without a GPU or driver, which only a call to the runtime shows.
    if find_spec("cupy") is None:
        return None
    library = import_module("cupy")
    try:
        return library if library.cuda.runtime.getDeviceCount() else None
    except library.cuda.runtime.CUDARuntimeError:
        return None


@cache
def has_numba() -> bool:
    """Return whether numba is installed."""
    return find_spec("numba") is not None


@dataclass(frozen=True)
class ArrayKernels:
    """The kernels by one library, CuPy or NumPy; mixers of blocks in ``turns`` are seen through that reflection."""

    library: Any
    turns: Mapping[int, Reals] = field(default_factory=dict)

    def apply_layers(self, state: Array, plan: KernelPlan, angles: Angles) -> None:
        """Apply layers; see ``qaoa_kernels.apply_layers``."""
        (index, values, groups, ops), (gammas, betas) = plan, angles
        vector, classes, costs = map(self.library.asarray, (state, index, values))
        steps = _list_steps(self.library, self.turns, groups, ops, betas)
        for layer, gamma in enumerate(gammas.tolist()):
            vector = vector * self.library.exp(-1j * gamma * costs)[classes]
            for step in steps:
                vector = step.mix(vector, layer)
        state[:] = _fetch(vector)

    def undo_layers(self, state: Array, other: Array, plan: KernelPlan, angles: Angles, slopes: Array) -> None:
        """Undo layers; see ``qaoa_kernels.undo_layers``."""
        (index, values, groups, ops), (gammas, betas) = plan, angles
        mine, theirs, classes, costs = map(self.library.asarray, (state, other, index, values))
        steps = _list_steps(self.library, self.turns, groups, ops, betas, are_undone=True)[::-1]
        # The adjoint method: each layer is undone on the state and on the observable's image, its last step first.
        for layer in range(len(gammas) - 1, -1, -1):
            for step in steps:
                mine, theirs = step.undo(mine, theirs, layer, slopes[layer])
            slopes[layer, -1] += float((costs[classes] * (theirs.conj() * mine).imag).sum())
            phases = self.library.exp(1j * float(gammas[layer]) * costs)[classes]
            mine, theirs = mine * phases, theirs * phases
        state[:], other[:] = _fetch(mine), _fetch(theirs)

    def add_weights(self, state: Array, index: Array, weights: Array) -> None:
        """Add weights; see ``qaoa_kernels.add_weights``."""
        vector, classes = map(self.library.asarray, (state, index))
        chances = vector.real**2 + vector.imag**2
        weights += _fetch(self.library.bincount(classes, weights=chances, minlength=len(weights)))


def _fetch(array: Array) -> Array:
    """Return the array for NumPy."""
    return array if isinstance(array, np.ndarray) else array.get()


@dataclass(frozen=True)
class _Operation:
    """One operation of a mixer of a block of ``size`` codewords: a `HOP` between two positions, or Grover's.

    Neighbours are ``apart`` amplitudes apart.
    """

    kind: int
    block: int
    size: int
    apart: int
    first: int
    second: int

    def mix(self, view: Array, beta: Any) -> None:
        """Apply it in place to a view whose axes are the slower blocks, this block and the faster blocks.

        ``beta`` is one angle, or a column of angles for the slower blocks.
        """
        if self.kind == HOP:
            a, b = slice(self.first, self.first + 1), slice(self.second, self.second + 1)
            # Copies, because the first assignment overwrites what the second one reads.
            one, two = view[:, a].copy(), view[:, b].copy()
            view[:, a] = np.cos(beta) * one - 1j * np.sin(beta) * two
            view[:, b] = np.cos(beta) * two - 1j * np.sin(beta) * one
        else:
            # exp(-i beta |s><s|) is 1 + (exp(-i beta) - 1) |s><s|, and |s><s| puts the mean in place of each amplitude.
            view += (np.exp(-1j * beta) - 1) / self.size * view.sum(axis=1, keepdims=True)

    def slope(self, mine: Array, theirs: Array) -> float:
        """Im <theirs|H|mine>, the operation being exp(-i beta H)."""
        left = theirs.conj()
        if self.kind == HOP:
            a, b = self.first, self.second
            return float((left[:, a] * mine[:, b] + left[:, b] * mine[:, a]).imag.sum())
        return float((left.sum(axis=1) * mine.sum(axis=1)).imag.sum()) / self.size


@dataclass(frozen=True)
class _LargeBlock:
    """A block too large for a matrix: its operations are applied one by one, at one angle a layer."""

    ops: tuple[_Operation, ...]
    betas: Reals

    def mix(self, vector: Array, layer: int) -> Array:
        for op in self.ops:
            op.mix(self._view(vector), float(self.betas[layer]))
        return vector

    def undo(self, mine: Array, theirs: Array, layer: int, slopes: Reals) -> tuple[Array, Array]:
        """Return both vectors with the layer's mixer undone; add its derivative to the slopes."""
        views, beta = (self._view(mine), self._view(theirs)), float(self.betas[layer])
        for op in reversed(self.ops):
            slopes[op.block] += op.slope(*views)
            for view in views:
                op.mix(view, -beta)
        return mine, theirs

    def _view(self, vector: Array) -> Array:
        # Writing to a view changes the vector.
        return vector.reshape(-1, self.ops[0].size, self.ops[0].apart)


@dataclass(frozen=True)
class _SmallBlocks:
    """Neighbouring small blocks, mixed by one matrix a layer: a product takes less time than a call for each hop.

    The fastest block comes first. Each has a mixer a layer, and a generator (`_tabulate_generators`), unless nothing is
    undone.
    """

    library: Any
    blocks: Sequence[tuple[_Operation, ...]]
    mixers: Sequence[Array]
    generators: Sequence[Array]

    @cached_property
    def matrices(self) -> Array:
        """The mixers of all these blocks as one matrix a layer."""
        whole = self.mixers[0]
        for matrix in self.mixers[1:]:
            # The Kronecker product of each layer, the slower block on the left.
            side = matrix.shape[1] * whole.shape[1]
            whole = (matrix[:, :, None, :, None] * whole[:, None, :, None, :]).reshape(-1, side, side)
        return self.library.asarray(whole)

    def mix(self, vector: Array, layer: int) -> Array:
        return self._multiply(self.matrices[layer], vector)

    def undo(self, mine: Array, theirs: Array, layer: int, slopes: Reals) -> tuple[Array, Array]:
        """Return both vectors with the layer's mixers undone; add their derivatives to the slopes."""
        strips = zip(self._strips(mine), self._strips(theirs), strict=True)
        # Row i, column j: the sum of mine at i times theirs at j, conjugated. All derivatives follow from it.
        gram = _fetch(sum((left @ right.conj().swapaxes(1, 2)).sum(axis=0) for left, right in strips))
        faster = 1
        for ops, generators in zip(self.blocks, self.generators, strict=True):
            size = ops[0].size
            # The other blocks are traced out.
            own = np.einsum("aibajb->ij", gram.reshape((len(gram) // (size * faster), size, faster) * 2))
            slopes[ops[0].block] += float((generators[layer].T * own).sum().imag)
            faster *= size
        back = self.matrices[layer].conj().T
        return self._multiply(back, mine), self._multiply(back, theirs)

    def _multiply(self, matrix: Array, vector: Array) -> Array:
        result = self.library.empty_like(vector)
        for source, target in zip(self._strips(vector), self._strips(result), strict=True):
            self.library.matmul(matrix, source, out=target)
        return result

    def _strips(self, vector: Array) -> Iterator[Array]:
        """Cut the vector into views, whose axes are the slower blocks, these blocks, some of the faster blocks."""
        side, apart = self.matrices.shape[1], self.blocks[0][0].apart
        # Without faster blocks, the slower blocks take their place.
        view = vector.reshape(-1, side).T[None] if apart == 1 else vector.reshape(-1, side, apart)
        width = STRIP // side**2 if self.library is np else view.shape[2]
        return (view[:, :, start : start + width] for start in range(0, view.shape[2], width))


def _tabulate_mixers(ops: Sequence[_Operation], betas: Array) -> Array:
    """Return a block's mixer U for each of some angles."""
    matrices = np.tile(np.eye(ops[0].size, dtype=complex), (len(betas), 1, 1))
    for op in ops:
        op.mix(matrices, betas)
    return matrices


def _tabulate_generators(ops: Sequence[_Operation], betas: Array) -> Array:
    """Return the Hermitian D of a block's mixer U for each of some angles: dU/dbeta = -i D U."""
    matrices = np.zeros((len(betas), ops[0].size, ops[0].size), dtype=complex)
    for op in ops:
        # W D W* for an operation W: by rows, and again by the rows of the adjoint.
        for _ in range(2):
            op.mix(matrices, betas)
            matrices = matrices.conj().swapaxes(1, 2).copy()
        if op.kind == HOP:
            matrices[:, [op.first, op.second], [op.second, op.first]] += 1
        else:
            matrices += 1 / op.size
    return matrices


def _tabulate(
    make: Callable[[Sequence[_Operation], Array], Array], blocks: Sequence[Sequence[_Operation]], betas: Reals
) -> dict[int, Array]:
    """Return the matrices of all layers by block; blocks with equal mixers are worked out together."""
    alike: dict[tuple[tuple[int, ...], ...], list[Sequence[_Operation]]] = {}
    for ops in blocks:
        alike.setdefault(tuple((op.kind, op.size, op.first, op.second) for op in ops), []).append(ops)
    found: dict[int, Array] = {}
    for each in alike.values():
        numbers, shape = [ops[0].block for ops in each], (len(each), len(betas), each[0][0].size, each[0][0].size)
        found |= zip(numbers, make(each[0], betas[:, numbers].T.reshape(-1, 1, 1)).reshape(shape), strict=True)
    return found


def _list_steps(
    library: Any, turns: Mapping[int, Reals], groups: Array, ops: Array, betas: Reals, are_undone: bool = False
) -> list[_LargeBlock | _SmallBlocks]:
    # The operations in the order in which a layer applies them; ``apart`` counts rows of a group, which are ``stride``
    # amplitudes apart.
    listed = [
        _Operation(kind, block, size, apart * stride, one, two)
        for _, stride, first, end in groups.tolist()
        for kind, block, apart, size, one, two in ops[first:end].tolist()
    ]
    blocks = [tuple(its) for _, its in groupby(listed, key=lambda op: op.block)]
    most = {HOP: LONE_MATRIX}
    small = [its for its in blocks if its[0].size <= most.get(its[0].kind, MATRIX) or its[0].block in turns]
    mixers = _tabulate(_tabulate_mixers, small, betas)
    generators = _tabulate(_tabulate_generators, small, betas) if are_undone else {}
    for table in (mixers, generators):
        table |= {k: turn @ table[k] @ turn for k, turn in turns.items() if k in table}
    steps: list[_LargeBlock | _SmallBlocks] = []
    for its in _join_blocks(blocks):
        numbers = [one[0].block for one in its]
        if numbers[0] in mixers:
            tables = ([table[k] for k in numbers if table] for table in (mixers, generators))
            steps.append(_SmallBlocks(library, its, *tables))
        else:
            steps.append(_LargeBlock(its[0], betas[:, numbers[0]]))
    return steps


def _join_blocks(blocks: Sequence[tuple[_Operation, ...]]) -> list[list[tuple[_Operation, ...]]]:
    """Put neighbouring blocks together while their codewords fit `MATRIX`."""
    joined: list[list[tuple[_Operation, ...]]] = []
    depth = end = 0
    for ops in blocks:
        # A block without operations leaves a gap.
        if joined and depth * ops[0].size <= MATRIX and ops[0].apart == end:
            joined[-1].append(ops)
            depth *= ops[0].size
        else:
            joined.append([ops])
            depth = ops[0].size
        end = ops[0].apart * ops[0].size
    return joined


@dataclass(frozen=True)
class LossSlope:
    """A loss's value and its exact derivatives by each gamma, shape (p,), and by each beta, in their shape."""

    value: float
    gammas: Reals
    betas: Reals


@dataclass(frozen=True)
class _Classes:
    """The global Grover mixer from the uniform start: one amplitude per class of codewords of equal cost.

    The mixer adds one number to all amplitudes, and the phase depends on the cost alone. So codewords of equal cost
    keep equal amplitudes, and a layer takes a few numbers for any size of the space (arXiv:2202.00648).
    """

    values: Reals
    counts: NDArray[np.integer[Any]]

    @property
    def size(self) -> int:
        return int(self.counts.sum())

    def amplitudes(self, gammas: Reals, betas: Reals) -> State:
        """Return the amplitude of one codeword of each class, after all layers; ``betas`` of shape (p, 1)."""
        # The deque keeps only the last state.
        return deque(self.follow(gammas, betas), maxlen=1)[0]

    def follow(self, gammas: Reals, betas: Reals) -> Iterator[State]:
        """Yield the amplitudes before the first layer and after each; see `amplitudes`."""
        state = np.full(len(self.values), self.size**-0.5, dtype=complex)
        yield state
        for gamma, beta in zip(gammas, betas[:, 0], strict=True):
            # Each class weighs as much as it has codewords, also in a mean of amplitudes.
            turned = state * np.exp(-1j * gamma * self.values)
            state = turned + (np.exp(-1j * beta) - 1) * self._mean(turned)
            yield state

    def weights(self, gammas: Reals, betas: Reals) -> Reals:
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
            # The slope is read before the mixer is undone; undoing it changes no class differently from another.
            back = np.exp(1j * betas[layer, 0]) - 1
            state, other = state + back * mean, other + back * means
            result[layer, 1] = 2 * float(((self.counts * self.values) @ (np.conj(other) * state)).imag)
            phase = np.exp(1j * gammas[layer] * self.values)
            state, other = state * phase, other * phase
        return result

    def _mean(self, state: State) -> complex:
        return complex(self.counts @ state) / self.size


@dataclass(frozen=True)
class Qaoa:
    """An ansatz ready to run at many angles, by a diagonal of costs and a table of mixers.

    ``layers`` is about how many layers are simulated in all; numba is not loaded for few.
    """

    diagonal: Diagonal
    mixers: MixerTable
    layers: int = 1

    def __post_init__(self) -> None:
        if len(self.diagonal.index) != self.mixers.size:
            raise InputError(f"{len(self.diagonal.index)} costs were given for {self.mixers.size} codewords")

    def run(self, gammas: ArrayLike, betas: ArrayLike, start: ArrayLike | None = None) -> State:
        """The state after all layers.

        Args:
            gammas: shape (p,); p may be 0.
            betas: shape (p,), or (p, blocks) for an angle of its own for each block's mixer.
            start: one amplitude a codeword; by default the superposition that the mixers turn about.

        Returns:
            Shape (M,), in codeword order.

        Raises:
            InputError: if shapes do not fit or an angle is not finite.
        """
        angles = read_angles(gammas, betas, self.mixers.angles)
        if self._by_class(start):
            return self._classes.amplitudes(*angles)[self.diagonal.index]
        state = self._start(start)
        self._kernels().apply_layers(state, self._plan, angles)
        return state

    def follow(self, gammas: ArrayLike, betas: ArrayLike) -> Iterator[State]:
        """The state before the first layer and after each, one layer at a time; arguments as in ``run``."""
        gammas, betas = read_angles(gammas, betas, self.mixers.angles)
        if self.mixers.everywhere:
            yield from (state[self.diagonal.index] for state in self._classes.follow(gammas, betas))
            return
        state = self._start(None)
        yield state
        for k in range(len(gammas)):
            state = self.run(gammas[k : k + 1], betas[k : k + 1], state)
            yield state

    def weights(self, state: State) -> Reals:
        """Probability of each class of the diagonal."""
        result = np.zeros(len(self.diagonal.values))
        self._kernels().add_weights(state, self.diagonal.index, result)
        return result

    def value(
        self, gammas: ArrayLike, betas: ArrayLike, loss: Loss = expectation, start: ArrayLike | None = None
    ) -> float:
        """The loss at these angles; arguments as in ``run``."""
        if self._by_class(start):
            weights = self._classes.weights(*read_angles(gammas, betas, self.mixers.angles))
        else:
            weights = self.weights(self.run(gammas, betas, start))
        return loss(self.diagonal.values, weights)[0]

    def slope(
        self, gammas: ArrayLike, betas: ArrayLike, loss: Loss = expectation, start: ArrayLike | None = None
    ) -> LossSlope:
        """The loss and its derivatives by all angles; arguments as in ``run``.

        Cost: about four runs, and a second vector.
        """
        angles = read_angles(gammas, betas, self.mixers.angles)
        if self._by_class(start):
            value, share = loss(self.diagonal.values, self._classes.weights(*angles))
            return _as_given(value, self._classes.slopes(*angles, share), betas)
        state = self.run(gammas, betas, start)
        value, share = loss(self.diagonal.values, self.weights(state))
        # The loss's derivative by each probability acts as an observable that is diagonal in the codewords.
        other = share[self.diagonal.index] * state
        slopes = np.zeros((len(angles[0]), self.mixers.angles + 1))
        self._kernels().undo_layers(state, other, self._plan, angles, slopes)
        return _as_given(value, 2 * slopes, betas)

    def _kernels(self) -> Any:
        if self.mixers.size >= LARGE and (library := find_gpu()) is not None:
            return ArrayKernels(library, self.mixers.turns)
        if self.mixers.turns:
            return ArrayKernels(np, self.mixers.turns)
        if self.layers * self.mixers.angles * (CALL + self.mixers.size) >= COMPILED and has_numba():
            # numba takes a second to import, and its first compilation five.
            from gatesolve.simulate import qaoa_kernels

            return qaoa_kernels
        return ArrayKernels(np)

    @property
    def _plan(self) -> KernelPlan:
        return self.diagonal.index, self.diagonal.values, self.mixers.groups, self.mixers.ops

    @cached_property
    def _classes(self) -> _Classes:
        counts = np.bincount(self.diagonal.index, minlength=len(self.diagonal.values))
        return _Classes(self.diagonal.values, counts)

    def _by_class(self, start: ArrayLike | None) -> bool:
        """Whether codewords of one class keep equal amplitudes: the global mixer cannot tell them apart."""
        return self.mixers.everywhere and start is None

    def _start(self, start: ArrayLike | None) -> State:
        if start is None:
            size, start = self.mixers.size, self.mixers.start
            start = np.full(size, size**-0.5) if start is None else start
        state = np.array(start, dtype=complex)
        if state.shape != (self.mixers.size,):
            raise InputError(f"the start has shape {state.shape}, not one amplitude for {self.mixers.size} codewords")
        return state


def read_angles(gammas: ArrayLike, betas: ArrayLike, mixers: int) -> tuple[Reals, Reals]:
    """One gamma a layer, and one beta a layer and mixer, all finite, whether or not they were given for each mixer."""
    first, second = np.array(gammas, dtype=float), np.array(betas, dtype=float)
    if first.ndim != 1:
        raise InputError(f"gammas are one row of numbers, not of shape {first.shape}")
    if second.ndim == 1:
        second = np.repeat(second[:, None], mixers, axis=1)
    if second.shape != (len(first), mixers):
        wanted = f"({len(first)},) or ({len(first)}, {mixers})"
        raise InputError(f"betas have shape {np.shape(betas)}, not {wanted}: one a layer, or one a layer and block")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise InputError("an angle is not a finite number")
    return first, np.ascontiguousarray(second)


def make_qaoa(costs: ArrayLike, sizes: Sequence[int], mixers: Sequence[Mixer], layers: int = 1) -> Qaoa:
    """Make an ansatz: one cost a codeword, the blocks' sizes (the fastest first), one mixer a block or the global one.

    About ``layers`` layers are simulated in all, a derivative counted as four runs.
    """
    return Qaoa(make_diagonal(costs), tabulate_mixers(sizes, mixers), layers)


def sample(state: State, shots: int, seed: int) -> dict[int, int]:
    """Counts by codeword number of ``shots`` measurements."""
    if shots < 0:
        raise InputError(f"shots must not be negative, and are {shots}")
    # The draws are scaled to the last sum, which rounding keeps from being exactly 1.
    steps = np.cumsum(np.abs(state) ** 2)
    draws = np.random.default_rng(seed).random(shots) * steps[-1]
    found, times = np.unique(np.searchsorted(steps, draws, side="right"), return_counts=True)
    return dict(zip(found.tolist(), times.tolist(), strict=True))


def _as_given(value: float, slopes: Reals, betas: ArrayLike) -> LossSlope:
    """Slopes (blocks, then gamma) in the shape of the betas."""
    by_beta = slopes[:, :-1]
    return LossSlope(value, slopes[:, -1], by_beta.sum(axis=1) if np.ndim(betas) == 1 else by_beta)

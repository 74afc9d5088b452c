"""QAOA layers by whole arrays, on a GPU where there is one: the same calls as ``qaoa_kernels``, the same numbers.

A library of NumPy's kind does the work: CuPy on a GPU, and in tests NumPy itself. Vectors come and go as NumPy arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from gatesolve.simulate.qaoa_tables import HOP

Array = Any


@cache
def find_gpu() -> Any:
    """CuPy, where it is installed and sees a GPU; None elsewhere."""
    if find_spec("cupy") is None:
        return None
    library = import_module("cupy")
    try:
        return library if library.cuda.runtime.getDeviceCount() else None
    except library.cuda.runtime.CUDARuntimeError:
        return None


@dataclass(frozen=True)
class ArrayKernels:
    """The kernels, by one library.

    Attributes:
        library: CuPy or NumPy.
    """

    library: Any

    def apply_layers(
        self, state: Array, index: Array, values: Array, groups: Array, ops: Array, gammas: Array, betas: Array
    ) -> None:
        """Apply layers; see ``qaoa_kernels.apply_layers``."""
        vector, classes, costs = map(self.library.asarray, (state, index, values))
        for gamma, row in zip(gammas.tolist(), betas.tolist(), strict=True):
            vector *= self.library.exp(-1j * gamma * costs)[classes]
            for op in _list_operations(groups, ops):
                op.mix(vector, row[op.block])
        state[:] = self._fetch(vector)

    def undo_layers(
        self,
        state: Array,
        other: Array,
        index: Array,
        values: Array,
        groups: Array,
        ops: Array,
        gammas: Array,
        betas: Array,
        slopes: Array,
    ) -> None:
        """Undo layers; see ``qaoa_kernels.undo_layers``."""
        mine, theirs, classes, costs = map(self.library.asarray, (state, other, index, values))
        backwards = list(_list_operations(groups, ops))[::-1]
        for layer in range(len(gammas) - 1, -1, -1):
            for op in backwards:
                slopes[layer, op.block] += op.slope(mine, theirs)
                op.mix(mine, -float(betas[layer, op.block]))
                op.mix(theirs, -float(betas[layer, op.block]))
            slopes[layer, -1] += float((costs[classes] * (theirs.conj() * mine).imag).sum())
            phases = self.library.exp(1j * float(gammas[layer]) * costs)[classes]
            mine *= phases
            theirs *= phases
        state[:], other[:] = self._fetch(mine), self._fetch(theirs)

    def add_weights(self, state: Array, index: Array, weights: Array) -> None:
        """Add weights; see ``qaoa_kernels.add_weights``."""
        vector, classes = map(self.library.asarray, (state, index))
        chances = vector.real**2 + vector.imag**2
        weights += self._fetch(self.library.bincount(classes, weights=chances, minlength=len(weights)))

    def _fetch(self, vector: Array) -> Array:
        return vector if self.library is np else self.library.asnumpy(vector)


@dataclass(frozen=True)
class _Operation:
    """One operation of a mixer on a whole vector.

    Attributes:
        kind: `HOP` or Grover's.
        block: whose mixer it is.
        size: codewords of the block.
        apart: amplitudes between neighbours.
        first: position of a hop.
        second: the other.
    """

    kind: int
    block: int
    size: int
    apart: int
    first: int
    second: int

    def mix(self, vector: Array, beta: float) -> None:
        """Apply it at an angle, in place."""
        view = vector.reshape(-1, self.size, self.apart)
        if self.kind == HOP:
            one, two = view[:, self.first].copy(), view[:, self.second].copy()
            view[:, self.first] = np.cos(beta) * one - 1j * np.sin(beta) * two
            view[:, self.second] = np.cos(beta) * two - 1j * np.sin(beta) * one
        else:
            view += (np.exp(-1j * beta) - 1) / self.size * view.sum(axis=1, keepdims=True)

    def slope(self, mine: Array, theirs: Array) -> float:
        """Im <theirs|H|mine>, the operation being exp(-i beta H)."""
        left, right = theirs.conj().reshape(-1, self.size, self.apart), mine.reshape(-1, self.size, self.apart)
        if self.kind == HOP:
            a, b = self.first, self.second
            return float((left[:, a] * right[:, b] + left[:, b] * right[:, a]).imag.sum())
        return float((left.sum(axis=1) * right.sum(axis=1)).imag.sum()) / self.size


def _list_operations(groups: Array, ops: Array) -> Iterator[_Operation]:
    """In the order in which a layer applies them."""
    for _, stride, first, end in groups.tolist():
        for kind, block, apart, size, one, two in ops[first:end].tolist():
            yield _Operation(kind, block, size, apart * stride, one, two)

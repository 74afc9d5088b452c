"""QAOA layers on a vector over the codewords, compiled by numba when first called.

A *group* is some neighbouring blocks; its codewords make ``depth`` rows, ``stride`` amplitudes apart, and everything
else makes columns. A *tile* is all rows of up to ``WIDTH`` columns, copied to a small buffer: rows of real parts, then,
``part`` numbers further on, rows of imaginary parts. All mixers of the group are applied there, so the vector is read
once a group, and the inner loops run over contiguous numbers.

Indices into buffers are unsigned: a signed one may be negative, and the test for that stops numba's vectoriser.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from gatesolve.simulate.qaoa_tables import HOP, Angles, KernelPlan

Array = Any
ZERO: Any = np.uint64(0)
TWO: Any = np.uint64(2)
WIDTH: Any = np.uint64(64)
"""Columns of a tile."""
SQUARE: Any = np.uint64(8)
"""Rows copied at a time where a tile's columns lie far apart, so that the copy stays in the cache."""
Function = TypeVar("Function", bound=Callable[..., Any])


def _compile(function: Function) -> Function:
    """Numba's ``njit``, typed; the machine code is kept beside this file or in the user's cache."""
    # Without "nnan" and "ninf", so that faulty angles still show as NaN instead of arbitrary numbers.
    fast = {"contract", "nsz", "reassoc"}
    return cast(Function, numba.njit(cache=True, nogil=True, fastmath=fast, error_model="numpy")(function))


@_compile
def apply_layers(state: Array, plan: KernelPlan, angles: Angles) -> None:
    """Apply all layers in place to a state of one amplitude a codeword."""
    index, values, groups, ops = plan
    gammas, betas = angles
    for layer in range(len(gammas)):
        # One exponential per class of equal costs; codewords only look theirs up.
        phases = np.exp(-1j * gammas[layer] * values)
        for i in range(len(state)):
            state[i] *= phases[index[i]]
        for g in range(len(groups)):
            _sweep(state, groups[g], ops, betas[layer])


@_compile
def undo_layers(state: Array, other: Array, plan: KernelPlan, angles: Angles, slopes: Array) -> None:
    """Undo all layers on both vectors, adding each generator's Im <other|H|state> to ``slopes``.

    A row of ``slopes`` is a layer: one number a block, then that of the phases.
    """
    index, values, groups, ops = plan
    gammas, betas = angles
    for layer in range(len(gammas) - 1, -1, -1):
        # The exact reverse of `apply_layers`: the mixers of a layer were applied after its phases.
        for g in range(len(groups) - 1, -1, -1):
            _sweep_back(state, other, groups[g], ops, betas[layer], slopes[layer])
        phases = np.exp(1j * gammas[layer] * values)
        slope = 0.0
        for i in range(len(state)):
            mine, theirs = state[i], other[i]
            slope += values[index[i]] * (theirs.real * mine.imag - theirs.imag * mine.real)
            state[i], other[i] = mine * phases[index[i]], theirs * phases[index[i]]
        slopes[layer, -1] += slope


@_compile
def add_weights(state: Array, index: Array, weights: Array) -> None:
    """Add each codeword's probability to ``weights`` of its class."""
    for i in range(len(state)):
        weights[index[i]] += state[i].real ** 2 + state[i].imag ** 2


@_compile
def _sweep(state: Array, group: Array, ops: Array, betas: Array) -> None:
    """Apply one group's mixers, tile by tile."""
    depth, stride, mine = group[0], group[1], ops[group[2] : group[3]]
    columns = np.uint64(len(state)) // depth
    run, width = columns if stride == 1 else stride, min(WIDTH, columns)
    # Real parts first, then imaginary parts: separate rows let the compiler vectorise without shuffles.
    tile = np.empty(TWO * depth * width)
    total = np.empty_like(tile)
    # The columns of a run follow one another; all of the first group's are one run, ``depth`` amplitudes apart.
    for column in range(ZERO, columns, run):
        for start in range(column, column + run, width):
            count = min(width, column + run - start)
            _fetch(state, depth, stride, column, start, count, tile)
            for k in range(len(mine)):
                _mix(tile, depth * count, count, mine[k], betas[mine[k, 1]], total)
            _store(state, depth, stride, column, start, count, tile)


@_compile
def _sweep_back(state: Array, other: Array, group: Array, ops: Array, betas: Array, slopes: Array) -> None:
    """Undo one group's mixers on both vectors, the last first."""
    depth, stride, mine = group[0], group[1], ops[group[2] : group[3]]
    columns = np.uint64(len(state)) // depth
    run, width = columns if stride == 1 else stride, min(WIDTH, columns)
    tile = np.empty(TWO * depth * width)
    tile2, total, total2 = np.empty_like(tile), np.empty_like(tile), np.empty_like(tile)
    for column in range(ZERO, columns, run):
        for start in range(column, column + run, width):
            count = min(width, column + run - start)
            part = depth * count
            _fetch(state, depth, stride, column, start, count, tile)
            _fetch(other, depth, stride, column, start, count, tile2)
            # The slope is taken before the mixer is undone, on the states that follow it.
            for k in range(len(mine) - 1, -1, -1):
                block = mine[k, 1]
                slopes[block] += _slope(tile, tile2, part, count, mine[k], total, total2)
                _mix(tile, part, count, mine[k], -betas[block], total)
                _mix(tile2, part, count, mine[k], -betas[block], total)
            _store(state, depth, stride, column, start, count, tile)
            _store(other, depth, stride, column, start, count, tile2)


@_compile
def _fetch(state: Array, depth: int, stride: int, column: int, start: int, count: int, tile: Array) -> None:
    """Copy ``count`` columns to the tile, from number ``start`` on; ``column`` is the first of its run."""
    part = depth * count
    # Neighbouring amplitudes belong to one column here: the copy transposes, in squares that fit the cache.
    if stride == 1:
        for first in range(ZERO, depth, SQUARE):
            for w in range(count):
                for j in range(first, min(first + SQUARE, depth)):
                    number = state[(start + w) * depth + j]
                    tile[j * count + w], tile[part + j * count + w] = number.real, number.imag
        return
    for j in range(depth):
        first = column * depth + j * stride + start - column
        for w in range(count):
            number = state[first + w]
            tile[j * count + w], tile[part + j * count + w] = number.real, number.imag


@_compile
def _store(state: Array, depth: int, stride: int, column: int, start: int, count: int, tile: Array) -> None:
    part = depth * count
    if stride == 1:
        for first in range(ZERO, depth, SQUARE):
            for w in range(count):
                for j in range(first, min(first + SQUARE, depth)):
                    state[(start + w) * depth + j] = complex(tile[j * count + w], tile[part + j * count + w])
        return
    for j in range(depth):
        first = column * depth + j * stride + start - column
        for w in range(count):
            state[first + w] = complex(tile[j * count + w], tile[part + j * count + w])


@_compile
def _mix(tile: Array, part: int, width: int, op: Array, beta: float, total: Array) -> None:
    """Apply one operation to a tile; ``total`` is room for a row."""
    # A sum mixer is exp(-i beta |u><u|) with u uniform: it adds (exp(-i beta) - 1) times the mean to every row.
    length, size = op[2] * width, op[3]
    cosine, sine = math.cos(beta), math.sin(beta)
    for start in range(ZERO, part, size * length):
        if op[0] == HOP:
            _hop(tile, part, start + op[4] * length, start + op[5] * length, length, cosine, sine)
        else:
            _sum_rows(tile, part, start, size, length, total)
            _add_to_rows(tile, part, start, size, length, total, complex(cosine - 1, -sine) / size)


@_compile
def _slope(mine: Array, theirs: Array, part: int, width: int, op: Array, total: Array, total2: Array) -> float:
    """Im <theirs|H|mine> of one operation exp(-i beta H)."""
    length, size, slope = op[2] * width, op[3], 0.0
    for start in range(ZERO, part, size * length):
        if op[0] == HOP:
            a, b = start + op[4] * length, start + op[5] * length
            slope += _overlap(theirs, a, part, mine, b, part, length) + _overlap(theirs, b, part, mine, a, part, length)
        else:
            _sum_rows(mine, part, start, size, length, total)
            _sum_rows(theirs, part, start, size, length, total2)
            slope += _overlap(total2, ZERO, length, total, ZERO, length, length) / size
    return slope


@_compile
def _hop(tile: Array, part: int, a: int, b: int, length: int, cosine: float, sine: float) -> None:
    """Row a becomes cos a - i sin b, row b becomes cos b - i sin a."""
    for t in range(length):
        i, j = a + t, b + t
        # All four numbers are read before any is written.
        p, q, r, s = tile[i], tile[i + part], tile[j], tile[j + part]
        tile[i], tile[i + part] = cosine * p + sine * s, cosine * q - sine * r
        tile[j], tile[j + part] = cosine * r + sine * q, cosine * s - sine * p


@_compile
def _sum_rows(tile: Array, part: int, start: int, size: int, length: int, total: Array) -> None:
    """Sum ``size`` rows into ``total``: ``length`` real parts, then as many imaginary ones."""
    for t in range(length):
        total[t], total[length + t] = tile[start + t], tile[start + part + t]
    for row in range(start + length, start + size * length, length):
        for t in range(length):
            total[t] += tile[row + t]
            total[length + t] += tile[row + part + t]


@_compile
def _add_to_rows(tile: Array, part: int, start: int, size: int, length: int, total: Array, factor: complex) -> None:
    """Add ``factor`` times ``total`` to each row; ``total`` is changed."""
    real, imaginary = factor.real, factor.imag
    for t in range(length):
        p, q = total[t], total[length + t]
        total[t], total[length + t] = real * p - imaginary * q, real * q + imaginary * p
    for row in range(start, start + size * length, length):
        for t in range(length):
            tile[row + t] += total[t]
            tile[row + part + t] += total[length + t]


@_compile
def _overlap(left: Array, a: Any, part: int, right: Array, b: Any, part2: int, length: int) -> float:
    """The imaginary part of <left row a|right row b>."""
    result = 0.0
    for t in range(length):
        # Im(conj(x) y) = Re(x) Im(y) - Im(x) Re(y); the real part is never needed.
        result += left[a + t] * right[b + part2 + t] - left[a + part + t] * right[b + t]
    return result

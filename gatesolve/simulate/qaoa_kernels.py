"""QAOA layers on a vector over the codewords, compiled by numba when first called.

The vector is interleaved (real, imaginary) numbers. A *group* is some blocks beside each other; its
codewords make D rows, ``stride`` amplitudes apart, and everything else makes columns. A *tile* is all rows of some
columns, copied to a small buffer where the parts lie apart and a row is contiguous. There all mixers of
the group are applied, so that the vector is read once a group, however many blocks that has.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from gatesolve.simulate.qaoa_copies import merge, merge_turned, shift_phased, split, split_phased, split_turned, unphase
from gatesolve.simulate.qaoa_lanes import grover, grover_back, hop, hop_back, ring_of_four, ring_of_four_back

HOP, RING, GROVER = 0, 1, 2
RUN = 4096
NARROW = 16
Array = Any
Function = TypeVar("Function", bound=Callable[..., Any])


def _compiled(function: Function) -> Function:
    """Numba's ``njit``, typed; the machine code is kept beside this file or in the user's cache."""
    fast = {"contract", "nsz", "reassoc"}
    return cast(Function, numba.njit(cache=True, nogil=True, fastmath=fast, error_model="numpy")(function))


@_compiled
def fill_table(table: Array, values: Array, angle: float) -> None:
    """``table`` becomes exp(-i angle value), interleaved."""
    for k in range(len(values)):
        table[2 * k] = math.cos(angle * values[k])
        table[2 * k + 1] = -math.sin(angle * values[k])


@_compiled
def fill_factors(factors: Array, ops: Array, betas: Array, sign: float) -> None:
    """The two numbers of each operation at its block's angle; ``sign`` -1 undoes it."""
    for k in range(len(ops)):
        beta = sign * betas[ops[k, 1]]
        if ops[k, 0] == HOP:
            factors[k, 0], factors[k, 1] = math.cos(beta), math.sin(beta)
        elif ops[k, 0] == RING:
            factors[k, 0], factors[k, 1] = (math.cos(2 * beta) - 1) / 2, math.sin(2 * beta) / 2
        else:
            factors[k, 0], factors[k, 1] = (math.cos(beta) - 1) / ops[k, 3], -math.sin(beta) / ops[k, 3]


@_compiled
def _fetch(flat: Array, stride: int, depth: int, column: int, count: int, width: int, buffer: Array) -> None:
    """Copy ``count`` columns from number ``column`` on to the buffer; the rest of its ``width`` is zeroed."""
    part, done = depth * width, 0
    if count < width:
        buffer[: 2 * part] = 0
    while done < count:
        inner = (column + done) % stride
        run = min(count - done, stride - inner)
        base = (column + done - inner) * depth + inner
        whole = run - run % (64 // flat.itemsize)
        for j in range(depth):
            start, row = 2 * (base + j * stride), j * width + done
            split(flat, start, buffer, row, part, whole)
            for w in range(whole, run):
                buffer[row + w] = flat[start + 2 * w]
                buffer[part + row + w] = flat[start + 2 * w + 1]
        done += run


@_compiled
def _return(flat: Array, stride: int, depth: int, column: int, count: int, width: int, buffer: Array) -> None:
    """Copy the columns back."""
    part, done = depth * width, 0
    while done < count:
        inner = (column + done) % stride
        run = min(count - done, stride - inner)
        base = (column + done - inner) * depth + inner
        whole = run - run % (64 // flat.itemsize)
        for j in range(depth):
            start, row = 2 * (base + j * stride), j * width + done
            merge(flat, start, buffer, row, part, whole)
            for w in range(whole, run):
                flat[start + 2 * w] = buffer[row + w]
                flat[start + 2 * w + 1] = buffer[part + row + w]
        done += run


@_compiled
def _fetch_phased(
    flat: Array, index: Array, table: Array, depth: int, column: int, count: int, width: int, buffer: Array
) -> None:
    """Copy columns of the first group, whose rows are adjacent, with their phases."""
    part = depth * width
    if count < width:
        buffer[: 2 * part] = 0
    square = 64 // flat.itemsize
    columns, rows = count - count % square, depth - depth % square
    for w in range(0, columns, square):
        for j in range(0, rows, square):
            split_phased(flat, index, table, (column + w) * depth + j, depth, buffer, j * width + w, width, part)
    for w in range(count):
        base = (column + w) * depth
        for j in range(rows if w < columns else 0, depth):
            k = 2 * index[base + j]
            real, imaginary = flat[2 * (base + j)], flat[2 * (base + j) + 1]
            buffer[j * width + w] = real * table[k] - imaginary * table[k + 1]
            buffer[part + j * width + w] = real * table[k + 1] + imaginary * table[k]


@_compiled
def _fetch_first(flat: Array, depth: int, column: int, count: int, width: int, buffer: Array) -> None:
    """The same without phases."""
    part = depth * width
    if count < width:
        buffer[: 2 * part] = 0
    square = 64 // flat.itemsize
    columns, rows = count - count % square, depth - depth % square
    for w in range(0, columns, square):
        for j in range(0, rows, square):
            split_turned(flat, (column + w) * depth + j, depth, buffer, j * width + w, width, part)
    for w in range(count):
        base = (column + w) * depth
        for j in range(rows if w < columns else 0, depth):
            buffer[j * width + w] = flat[2 * (base + j)]
            buffer[part + j * width + w] = flat[2 * (base + j) + 1]


@_compiled
def _return_first(flat: Array, depth: int, column: int, count: int, width: int, buffer: Array) -> None:
    """Copy columns of the first group back."""
    part = depth * width
    square = 64 // flat.itemsize
    columns, rows = count - count % square, depth - depth % square
    for w in range(0, columns, square):
        for j in range(0, rows, square):
            merge_turned(flat, (column + w) * depth + j, depth, buffer, j * width + w, width, part)
    for w in range(count):
        base = (column + w) * depth
        for j in range(rows if w < columns else 0, depth):
            flat[2 * (base + j)] = buffer[j * width + w]
            flat[2 * (base + j) + 1] = buffer[part + j * width + w]


@_compiled
def _mix(buffer: Array, depth: int, width: int, ops: Array, factors: Array, first: int, last: int) -> None:
    """Apply operations ``first`` ... ``last`` - 1 to a tile."""
    size = depth * width
    for k in range(first, last):
        length = ops[k, 2] * width
        x, y = factors[k, 0], factors[k, 1]
        for start in range(0, size, ops[k, 3] * length):
            if ops[k, 0] == HOP:
                hop(buffer, size, start + ops[k, 4] * length, start + ops[k, 5] * length, length, x, y)
            elif ops[k, 0] == RING:
                ring_of_four(buffer, size, start, length, x, y)
            else:
                grover(buffer, size, start, ops[k, 3], length, x, y)


@_compiled
def sweep(
    flat: Array,
    index: Array,
    table: Array,
    group: Array,
    ops: Array,
    factors: Array,
    buffer: Array,
    start: int,
    stop: int,
) -> None:
    """One group's mixers on columns ``start`` ... ``stop`` - 1, after the phase if it is the first group.

    Args:
        flat: the vector, interleaved.
        index: row of ``table`` of each codeword.
        table: phases, interleaved.
        group: depth, stride, first and last operation, width of a tile, whether it comes first.
        ops: what, block, rows between neighbours, size, and the two positions of a hop.
        factors: of the operations.
        buffer: room for a tile.
        start: first column.
        stop: one past the last.
    """
    depth, stride, first, last, width, phased = group
    for column in range(start, stop, width):
        count = min(width, stop - column)
        if phased:
            _fetch_phased(flat, index, table, depth, column, count, width, buffer)
        else:
            _fetch(flat, stride, depth, column, count, width, buffer)
        _mix(buffer, depth, width, ops, factors, first, last)
        if phased:
            _return_first(flat, depth, column, count, width, buffer)
        else:
            _return(flat, stride, depth, column, count, width, buffer)


@_compiled
def layers(
    flat: Array,
    index: Array,
    values: Array,
    table: Array,
    groups: Array,
    ops: Array,
    factors: Array,
    buffer: Array,
    gammas: Array,
    betas: Array,
) -> None:
    """All layers on one thread; ``betas`` has a row a layer and a column a block."""
    size = len(flat) // 2
    for layer in range(len(gammas)):
        fill_table(table, values, gammas[layer])
        fill_factors(factors, ops, betas[layer], 1.0)
        for g in range(len(groups)):
            sweep(flat, index, table, groups[g], ops, factors, buffer, 0, size // groups[g, 0])


@_compiled
def _mix_back(
    rows: Array,
    others: Array,
    depth: int,
    width: int,
    ops: Array,
    factors: Array,
    first: int,
    last: int,
    slopes: Array,
) -> None:
    """Undo operations on both tiles, last one first, adding Im <others|H|rows> to each block's slope."""
    size = depth * width
    for k in range(last - 1, first - 1, -1):
        length, count, slope = ops[k, 2] * width, ops[k, 3], 0.0
        x, y = factors[k, 0], factors[k, 1]
        for start in range(0, size, count * length):
            if ops[k, 0] == HOP:
                a, b = start + ops[k, 4] * length, start + ops[k, 5] * length
                slope += hop_back(rows, others, size, a, b, length, x, y)
            elif ops[k, 0] == RING:
                slope += ring_of_four_back(rows, others, size, start, length, x, y)
            else:
                slope += grover_back(rows, others, size, start, count, length, x, y) / count
        slopes[ops[k, 1]] += slope


@_compiled
def unphased(flat: Array, other: Array, index: Array, table: Array, values: Array, start: int, stop: int) -> float:
    """Undo the phase on codewords ``start`` ... ``stop`` - 1 of both vectors; returns Im <other|L|flat>."""
    slope = 0.0
    whole = stop - (stop - start) % (64 // flat.itemsize)
    # Sums in single precision are kept short.
    for first in range(start, whole, RUN):
        slope += unphase(flat, other, index, table, values, first, min(RUN, whole - first))
    for i in range(whole, stop):
        k = index[i]
        c, s = table[2 * k], table[2 * k + 1]
        fr, fi, gr, gi = flat[2 * i], flat[2 * i + 1], other[2 * i], other[2 * i + 1]
        slope += values[k] * (gr * fi - gi * fr)
        flat[2 * i], flat[2 * i + 1] = fr * c + fi * s, fi * c - fr * s
        other[2 * i], other[2 * i + 1] = gr * c + gi * s, gi * c - gr * s
    return slope


@_compiled
def sweep_back(
    flat: Array,
    other: Array,
    index: Array,
    table: Array,
    values: Array,
    group: Array,
    ops: Array,
    factors: Array,
    buffer: Array,
    buffer2: Array,
    start: int,
    stop: int,
    slopes: Array,
) -> float:
    """Undo one group on both vectors, and the phase if it is the first group; returns the slope of the phase."""
    depth, stride, first, last, width, phased = group
    # Two tiles stay in the cache together if they are narrow.
    width, slope = min(width, NARROW), 0.0
    for column in range(start, stop, width):
        count = min(width, stop - column)
        for vector, room in ((flat, buffer), (other, buffer2)):
            if phased:
                _fetch_first(vector, depth, column, count, width, room)
            else:
                _fetch(vector, stride, depth, column, count, width, room)
        _mix_back(buffer, buffer2, depth, width, ops, factors, first, last, slopes)
        for vector, room in ((flat, buffer), (other, buffer2)):
            if phased:
                _return_first(vector, depth, column, count, width, room)
            else:
                _return(vector, stride, depth, column, count, width, room)
        if phased:
            slope += unphased(flat, other, index, table, values, column * depth, (column + count) * depth)
    return slope


@_compiled
def layers_back(
    flat: Array,
    other: Array,
    index: Array,
    values: Array,
    table: Array,
    groups: Array,
    ops: Array,
    factors: Array,
    buffer: Array,
    buffer2: Array,
    gammas: Array,
    betas: Array,
    slopes: Array,
) -> None:
    """Undo all layers on both vectors; row k of ``slopes`` gets the blocks' slopes of layer k and then the phase's."""
    size = len(flat) // 2
    for layer in range(len(gammas) - 1, -1, -1):
        fill_table(table, values, gammas[layer])
        fill_factors(factors, ops, betas[layer], -1.0)
        mine = slopes[layer]
        for g in range(len(groups) - 1, -1, -1):
            columns = size // groups[g, 0]
            mine[-1] += sweep_back(
                flat, other, index, table, values, groups[g], ops, factors, buffer, buffer2, 0, columns, mine
            )


@_compiled
def shift(flat: Array, index: Array, table: Array, more: complex, start: int, stop: int) -> complex:
    """Add ``more`` to amplitudes ``start`` ... ``stop`` - 1, then multiply by phases; returns their sum."""
    total = 0j
    whole = stop - (stop - start) % (64 // flat.itemsize)
    # Sums in single precision are kept short.
    for first in range(start, whole, RUN):
        total += shift_phased(flat, index, table, first, min(RUN, whole - first), more.real, more.imag)
    for i in range(whole, stop):
        k = index[i]
        number = (complex(flat[2 * i], flat[2 * i + 1]) + more) * complex(table[2 * k], table[2 * k + 1])
        flat[2 * i], flat[2 * i + 1] = number.real, number.imag
        total += number
    return total


@_compiled
def shift_only(flat: Array, more: complex, start: int, stop: int) -> None:
    """Add ``more`` to amplitudes ``start`` ... ``stop`` - 1."""
    for i in range(start, stop):
        flat[2 * i] += more.real
        flat[2 * i + 1] += more.imag


@_compiled
def histogram(flat: Array, index: Array, weights: Array, start: int, stop: int) -> None:
    """Add each codeword's probability to ``weights`` of its row."""
    for i in range(start, stop):
        weights[index[i]] += np.float64(flat[2 * i]) ** 2 + np.float64(flat[2 * i + 1]) ** 2


__all__ = [
    "GROVER",
    "HOP",
    "RING",
    "fill_factors",
    "fill_table",
    "histogram",
    "layers",
    "layers_back",
    "shift",
    "shift_only",
    "sweep",
    "sweep_back",
    "unphased",
]

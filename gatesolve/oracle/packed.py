"""Many Boolean functions at once: a function on m rows as a row of 64-bit words, row r of it bit ``r % 64`` of a word.

What `gatesolve.oracle.algebraic` tries by the ten thousand is tried here in a few numpy operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gf2 import AffineSpan

Packed = NDArray[np.uint64]
"""Functions by words."""
FILTER_BITS = 20


def pack_functions(functions: Sequence[int], rows: int) -> Packed:
    """Functions as integers, bit r the value at row r; ``rows`` has the bit of every row."""
    words = -(-rows.bit_length() // 64)
    data = b"".join([function.to_bytes(8 * words, "little") for function in functions])
    return np.frombuffer(data, dtype="<u8").reshape(len(functions), words)


def unpack_functions(packed: Packed) -> list[int]:
    """Return packed functions as integers."""
    if packed.shape[1] == 1:
        return [int(word) for word in packed[:, 0].tolist()]
    data, size = packed.tobytes(), 8 * packed.shape[1]
    return [int.from_bytes(data[start : start + size], "little") for start in range(0, len(data), size)]


def reduce_functions(packed: Packed, span: AffineSpan) -> Packed:
    """Each function on the span's rows modulo the span, as `AffineSpan.residue` of one."""
    shift = span.constant_bit.bit_length()
    full = (1 << 64 * packed.shape[1]) - 1
    left = packed & pack_functions([span.rows], full)
    for element in span.basis:
        place = element.bit_length() - 1 - shift
        has = left[:, place // 64] >> np.uint64(place % 64) & np.uint64(1)
        left[has.astype(bool)] ^= pack_functions([element >> shift], full)[0]
    return left


def find_first(packed: Packed) -> NDArray[np.intp]:
    """Places at which a function comes for the first time, ascending."""
    if not len(packed):
        return np.zeros(0, dtype=np.intp)
    whole = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.dtype.itemsize * packed.shape[1])))
    return np.sort(np.unique(whole.ravel(), return_index=True)[1])


def find_triples(functions: Sequence[int], packed: Packed, target: int) -> Iterator[tuple[int, int, int]]:
    """Places i < j < k of functions, all different, whose XOR is ``target``.

    Cost: for n functions n^2 / 2 look-ups in a table of bits, that of a linear hash; what it lets pass is looked at.
    """
    place_of = {function: place for place, function in enumerate(functions)}
    full = (1 << 64 * packed.shape[1]) - 1
    hashed = _hash(packed)
    wanted = _hash(pack_functions([target], full)).item()
    is_there = np.zeros(1 << FILTER_BITS, dtype=bool)
    is_there[hashed] = True
    for i in range(len(functions)):
        left = hashed[i + 1 :] ^ (wanted ^ hashed[i])
        for j in (np.flatnonzero(is_there[left]) + (i + 1)).tolist():
            k = place_of.get(target ^ functions[i] ^ functions[j], 0)
            if k > j:
                yield i, j, k


def _hash(packed: Packed) -> NDArray[np.int64]:
    """A random linear function to `FILTER_BITS` bits, the same in every call."""
    bits = np.unpackbits(packed.view(np.uint8), axis=1, bitorder="little")
    drawn = np.random.default_rng(0).integers(0, 1 << FILTER_BITS, size=(bits.shape[1],))
    result = np.zeros(len(packed), dtype=np.int64)
    for column in np.flatnonzero(bits.any(axis=0)):
        result ^= bits[:, column] * drawn[column]
    return result

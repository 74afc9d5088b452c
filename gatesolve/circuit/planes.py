"""Bit planes: bits of 64 codewords per machine word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint64]
"""One bit a codeword; bit s of word w belongs to codeword 64 w + s."""


@dataclass(frozen=True)
class Slice:
    """Some codewords that follow each other.

    Attributes:
        start: number of the first codeword.
        length: how many there are.
        bits: a plane for each data qubit; bits past the last codeword are arbitrary.
        holds: where the model holds; zero past the last codeword.
    """

    start: int
    length: int
    bits: tuple[Plane, ...]
    holds: Plane


def pack_plane(bits: NDArray[np.bool_]) -> Plane:
    """Return one bit per codeword, 64 per word; the tail of the last word is zero."""
    # packbits fills bytes only, so the last word is filled up with zeros here.
    words = np.zeros(8 * ((len(bits) + 63) // 64), dtype=np.uint8)
    packed = np.packbits(bits, bitorder="little")
    words[: len(packed)] = packed
    return words.view(np.uint64)


def unpack_plane(plane: Plane, length: int) -> NDArray[np.bool_]:
    """The reverse of `pack_plane`."""
    return np.unpackbits(plane.view(np.uint8), count=length, bitorder="little").astype(bool)

"""Codes for the classes of equal columns (or rows) of a bitmap: a parity of the coordinate, and three labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Code:
    """A code of four bits for each number.

    Attributes:
        parity: bits of the number whose parity is bit 0 of its code.
        labels: bits 1 to 3 as rows of 0 and 1, shape (3, numbers).
    """

    parity: int
    labels: Ints

    def words(self) -> Ints:
        """The code of each number."""
        found = parities(range(self.labels.shape[1]), self.parity)
        for place, row in enumerate(self.labels, 1):
            found = found | row << place
        return found


def parities(numbers: Sequence[int], mask: int) -> Ints:
    """The parity of the bits that each number has in the mask."""
    return np.array([(number & mask).bit_count() & 1 for number in numbers])


def classes(lines: Bools) -> Ints:
    """For each line of a table (shape lines, points), the number of its class of equal lines."""
    found: Ints = np.unique(lines, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return found


def code_of(class_of: Ints, parity: int, places: Sequence[int], masks: Sequence[int]) -> Code:
    """The code that puts each class at one of sixteen places.

    Args:
        class_of: the class of each number, as from `classes`.
        parity: see `Code`; it is also bit 0 of the place.
        places: the class at each place, 16 of them. A class may have several; the first of the right parity is taken.
        masks: bits of the place whose parity is label 0, 1, 2.

    Raises:
        ValueError: a class has no place for one of its parities.
    """
    bits = parities(range(len(class_of)), parity)
    found = []
    for number, (kind, bit) in enumerate(zip(class_of, bits, strict=True)):
        fitting = [place for place in range(int(bit), len(places), 2) if places[place] == kind]
        if not fitting:
            raise ValueError(f"class {kind} of {number} has no place of parity {bit}")
        found.append(fitting[0])
    return Code(parity, np.array([parities(found, mask) for mask in masks]))

"""CX gates before and after a function's cubes that make its cover cheaper."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Op, Ops, Parity, Xor, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.functions.cubes import flips_of, pseudo_kronecker


def affine_cube_ops(table: NDArray[np.bool_], clean: tuple[int, ...], tries: int, seed: int) -> Ops | None:
    """Phase -1 where ``table`` is true: CX gates, one flip a cube, the CX gates undone.

    The CX gates are found by descent: random ones, and random orders of expansion, are kept while the CX of it
    all do not rise, ``tries`` times. None if the function is too irregular for such covers. ``table`` is
    little-endian, and the flips may borrow ``clean``.
    """
    rng = np.random.default_rng(seed)
    num_bits = table.size.bit_length() - 1
    inputs = np.arange(table.size)
    cover = pseudo_kronecker(table)
    if cover is None or num_bits < 2:
        return None
    current = table
    best = count_cx(flips_of(cover, clean, range(num_bits)))
    order = list(range(num_bits))
    steps: list[tuple[int, int]] = []
    for _ in range(tries):
        first, second = (int(v) for v in rng.choice(num_bits, 2, replace=False))
        swap = bool(rng.random() < 0.3)
        differ = (inputs >> first ^ inputs >> second) & 1
        # The input that comes to stand at each place: two bits are exchanged, or one is added to the other.
        source = inputs ^ ((differ << first | differ << second) if swap else (inputs >> first & 1) << second)
        cover = pseudo_kronecker(current[source])
        price = best + 1 if cover is None else count_cx(flips_of(cover, clean, range(num_bits)))
        price += 2 * (len(steps) + (not swap))
        if price > best:
            continue
        best, current = price, current[source]
        if swap:
            order[first], order[second] = order[second], order[first]
        else:
            steps.append((order[first], order[second]))
    network: list[Op] = [Xor(Parity((control,)), target) for control, target in steps]
    flips = flips_of(pseudo_kronecker(current) or [], clean, order)
    return (*network, *flips, *inverse(network))

"""The classical-oracle style: solutions found beforehand, their codewords marked.

Solutions whose affine hull holds no other codeword are marked together, by one multi-controlled Z over the parities
that define the hull. A single solution is a hull of one point. Codewords outside the space are don't-cares, so parities
that exclude no codeword are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity, PhaseFlip
from gatesolve.circuit.gf2 import AffineSpan, combinations, reduce_row
from gatesolve.encodings.space import Space
from gatesolve.oracle.assemble import Oracle
from gatesolve.oracle.view import project_all
from gatesolve.oracle.window import pack

PRUNE_SIZE = 1 << 18
"""Largest space that is walked to see which parities exclude nothing."""


def classical_oracle(solutions: Sequence[int], space: Space, ancillas: int | None = None) -> Oracle:
    """Mark the codewords with different numbers ``solutions``, by one phase flip a group of them.

    The oracle takes as many clean ancillas as its widest gate can use, at most ``ancillas``.

    Cost: 6 n - 12 CX for n parities with an ancilla, plus two for each further wire of a parity.
    """
    groups = _pure_groups(sorted(solutions), space) if solutions else []
    factors = [_group_factors(group, space) for group in groups]
    widest = max((len(f) for f in factors), default=0)
    used = max(widest - 3, 0)
    if ancillas is not None:
        used = min(used, ancillas)
    clean = tuple(range(space.num_qubits, space.num_qubits + used))
    ops = tuple(PhaseFlip(tuple(f), clean) for f in factors)
    return Oracle(ops, space.num_qubits, used, (), "classical")


def _pure_groups(solutions: list[int], space: Space) -> list[list[int]]:
    """Split the solutions until the affine hull of each part holds no other codeword."""
    if len(solutions) == 1 or _is_pure(solutions, space):
        return [solutions]
    bits = space.bits(np.array(solutions))
    # A qubit on which they differ splits them into smaller parts: at the latest, single solutions are pure.
    varying = next(row for row in bits if row.any() and not row.all())
    ones = [s for s, b in zip(solutions, varying, strict=True) if b]
    zeros = [s for s, b in zip(solutions, varying, strict=True) if not b]
    return _pure_groups(zeros, space) + _pure_groups(ones, space)


def _is_pure(solutions: list[int], space: Space) -> bool:
    # A space that is not walked has its solutions marked one by one.
    if space.size > PRUNE_SIZE:
        return False
    inside = np.ones(space.size, dtype=bool)
    bits = space.bits(np.arange(space.size))
    for parity in _hull(solutions, space):
        inside &= _evaluate(parity, bits)
    return int(inside.sum()) == len(solutions)


def _hull(solutions: Sequence[int], space: Space) -> list[Parity]:
    """Light independent parities that are 1 on all solutions and together define their affine hull."""
    bits = space.bits(np.array(solutions))
    span = AffineSpan.of([pack(row) for row in bits], (1 << len(solutions)) - 1)
    masks = sorted(combinations(span.null, 1 << 10), key=lambda m: (m & ~span.constant_bit).bit_count())
    chosen: list[Parity] = []
    basis: list[int] = []
    # The lightest first: each is kept unless it follows from lighter ones.
    for mask in masks:
        reduced = reduce_row(mask & ~span.constant_bit, basis)
        if reduced:
            basis.append(reduced)
            chosen.append(span.parity(mask).negated())
    return chosen


def _group_factors(group: list[int], space: Space) -> list[Parity]:
    factors = _literals(group[0], space) if len(group) == 1 else _hull(group, space)
    if space.size > PRUNE_SIZE:
        return factors
    bits = space.bits(np.arange(space.size))
    truths = {factor: _evaluate(factor, bits) for factor in factors}
    # The widest first, so that the cheapest factors stay.
    for factor in sorted(factors, key=lambda f: -len(f.wires)):
        others = [f for f in truths if f != factor]
        if others and int(np.logical_and.reduce([truths[f] for f in others]).sum()) == len(group):
            del truths[factor]
    return list(truths)


def _literals(number: int, space: Space) -> list[Parity]:
    """Return one parity for each block where one is enough to identify the codeword, else its bits."""
    factors: list[Parity] = []
    for k, (block, position) in enumerate(zip(space.blocks, space.positions(number), strict=True)):
        indicator = project_all(space, k).indicator({position}) if block.size > 1 else None
        if indicator is not None and len(indicator.wires) <= 2:
            factors.append(indicator)
        elif block.size > 1:
            word = zip(space.block_qubits(k), block.bits[position], strict=True)
            factors.extend(Parity((q,), not bit) for q, bit in word)
    return factors


def _evaluate(parity: Parity, bits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return parity.value(bits.__getitem__, np.ones(bits.shape[1], dtype=bool))

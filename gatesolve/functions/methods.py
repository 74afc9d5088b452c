"""The ways to build one function's oracle, each as a candidate to be lowered and measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Op, Ops, Parity, Xor, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.gates import LowGate
from gatesolve.errors import AncillaBudgetError
from gatesolve.functions.cubes import cube_ops, flips_of, pseudo_kronecker
from gatesolve.functions.diagonal import MOST_QUBITS, rotations
from gatesolve.functions.function import Function
from gatesolve.functions.network import conditions
from gatesolve.functions.sharing import diagram
from gatesolve.oracle.assemble import assemble
from gatesolve.oracle.condition import Condition

Bools = NDArray[np.bool_]
AFFINE_BITS = (6, 12)
"""Widths at which CX gates that simplify the cubes are searched for, where ancillas are limited."""
TRIES = 300
"""Covers looked at for that, times the effort."""
ORDERS = 160
"""Variable orders tried for a decision diagram."""


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


@dataclass(frozen=True)
class PhaseCandidate:
    """One way to build the oracle.

    Attributes:
        method: its name.
        num_ancillas: clean ancillas used.
        ops: reversible operations, or None.
        rotations: gates ``cx`` and ``p`` without ancillas, where there are no operations.
    """

    method: str
    num_ancillas: int
    ops: Ops | None = None
    rotations: tuple[LowGate, ...] = ()

    @property
    def estimate(self) -> int:
        """CX before lowering's passes."""
        return count_cx(self.ops) if self.ops is not None else sum(name == "cx" for name, _, _ in self.rotations)


def make_candidates(
    function: Function, ancillas: int | None, effort: int = 1, seed: int = 1, absorbing: bool = False
) -> Iterator[PhaseCandidate]:
    """Every method that fits: ``expression``, ``diagram``, ``cubes``, ``affine cubes``, ``rotations``, ``constant``.

    Args:
        function: what to mark.
        ancillas: most clean ancillas; None for as many as help.
        effort: how many times as long to look for CX gates that simplify the cubes.
        seed: of that search.
        absorbing: as for `gatesolve.oracle.assemble`.
    """
    if function.tree is not None and function.care is None:
        yield from _assembled("expression", conditions(function.tree), function, ancillas, absorbing)
    for table in _fills(function):
        if not table.any():
            yield PhaseCandidate("constant", 0, ())
            continue
        yield from _assembled("diagram", best_diagram(table), function, ancillas, absorbing)
        clean = function.num_bits - 3 if ancillas is None else ancillas
        lent = tuple(range(function.num_bits, function.num_bits + max(min(clean, function.num_bits - 3), 0)))
        yield PhaseCandidate("cubes", len(lent), cube_ops(table, lent))
        if ancillas is not None and AFFINE_BITS[0] <= function.num_bits <= AFFINE_BITS[1]:
            ops = affine_cube_ops(table, lent, effort * TRIES, seed)
            if ops is not None:
                yield PhaseCandidate("affine cubes", len(lent), ops)
        if function.num_bits <= MOST_QUBITS:
            yield PhaseCandidate("rotations", 0, None, tuple(rotations(table)))


def _assembled(
    method: str, parts: Sequence[Condition] | None, function: Function, ancillas: int | None, absorbing: bool
) -> Iterator[PhaseCandidate]:
    if parts is None:
        return
    try:
        oracle = assemble(parts, function.num_bits, ancillas, absorbing=absorbing)
    except AncillaBudgetError:
        return
    yield PhaseCandidate(method, oracle.num_ancillas, oracle.ops)


def _fills(function: Function) -> list[Bools]:
    """Truth tables to try: without don't-cares just one, else the rest false, true, or as most neighbours are."""
    if function.care is None:
        return [function.table]
    care, known = function.care.copy(), function.table.copy()
    inputs = np.arange(known.size)
    while not care.all() and care.any():
        votes = np.zeros(known.size, dtype=np.int64)
        for k in range(function.num_bits):
            near = inputs ^ (1 << k)
            votes += np.where(care[near], np.where(known[near], 1, -1), 0)
            # Cared-for neighbours fill what is next to them first; the rest follows in later rounds.
        reached = ~care & np.any([care[inputs ^ (1 << k)] for k in range(function.num_bits)], axis=0)
        known = np.where(reached, votes > 0, known)
        care |= reached
    options = [function.table, function.table | ~function.care, known]
    return [table for i, table in enumerate(options) if not any(np.array_equal(table, o) for o in options[:i])]


def best_diagram(table: Bools) -> list[Condition] | None:
    """The diagram of fewest ANDs over orders found by moving one variable at a time; None if all are too large."""
    num_bits = table.size.bit_length() - 1
    order = list(range(num_bits))
    best, tries, improved = diagram(table, order), 0, True
    while improved and tries < ORDERS:
        improved = False
        for variable, place in islice(product(range(num_bits), repeat=2), ORDERS - tries):
            moved = [v for v in order if v != variable]
            moved.insert(place, variable)
            tries += 1
            found = diagram(table, moved)
            if found is not None and (best is None or found.num_ands < best.num_ands):
                best, order, improved = found, moved, True
    return None if best is None else [best]

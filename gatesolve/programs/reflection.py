"""Reflection about the start of a space, by the cheapest way of each block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain

from gatesolve.circuit import Ops, Parity, PhaseFlip, inverse
from gatesolve.circuit.lowering.lower import price_ops
from gatesolve.circuit.ops import shift_wires
from gatesolve.encodings.block import Block, Mirror
from gatesolve.encodings.space import Space


def find_mirror(space: Space, metric: str, numbers: Sequence[int] | None = None, *, needs_idle: bool = False) -> Mirror:
    """Return the mirror of the blocks with these numbers, or of all; each block takes its cheapest way by the metric.

    ``qubits`` prefers a way that leaves qubits idle, as the phase between needs some. ``needs_idle`` applies this to
    one block if there are more than three roots and no idle qubit.
    """
    numbers = range(len(space.blocks)) if numbers is None else numbers
    blocks = [space.blocks[k] for k in numbers]
    own = [_cheapest(block.ways, block.num_qubits, metric) for block in blocks]
    if needs_idle and sum(len(one.roots) for one in own) > 3 and not any(one.idle for one in own):
        for k, block in enumerate(blocks):
            if any(way.idle for way in block.ways):
                own[k] = _cheapest(block.ways, block.num_qubits, "qubits")
                break
    placed = [(space.offsets[k], one) for k, one in zip(numbers, own, strict=True)]

    def place(get: Callable[[Mirror], tuple[int, ...]]) -> tuple[int, ...]:
        return tuple(first + q for first, one in placed for q in get(one))

    ops = tuple(chain.from_iterable(shift_wires(one.ops, first) for first, one in placed))
    return Mirror(ops, place(lambda one: one.roots), place(lambda one: one.idle))


@lru_cache(maxsize=256)
def _cheapest(ways: tuple[Mirror, ...], width: int, metric: str) -> Mirror:
    """Return the cheapest of a block's ways to reflect."""
    if metric == "qubits":
        ways = tuple(way for way in ways if way.idle) or ways
    return min(ways, key=lambda way: _price(way, width, metric)) if len(ways) > 1 else ways[0]


def price_block(block: Block, metric: str) -> float:
    """Return the cost of a block in the reflection: to undo its mirror, to look at roots, to do it again."""
    return _price(_cheapest(block.ways, block.num_qubits, metric), block.num_qubits, metric)


def _price(way: Mirror, width: int, metric: str) -> float:
    # The phase spans all blocks: two further roots, of one qubit each, and one ancilla stand for the rest.
    others, clean = (width, width + 1), (width + 2, *way.idle)
    flip = PhaseFlip(tuple(Parity((q,), True) for q in (*way.roots, *others)), clean)
    return price_ops((*inverse(way.ops), flip, *way.ops), width + 3, metric)


def reflection_about_start(
    space: Space, num_ancillas: int, metric: str = "cx", numbers: Sequence[int] | None = None
) -> Ops:
    """Flip the phase of what is orthogonal to the space's start, within the codewords' span, up to a global phase.

    With ``numbers`` it is the start of these blocks alone. Qubits lent to the multi-controlled Z: idle ones, and
    ``num_ancillas`` right after the space's own, all zero there.
    """
    mirror = find_mirror(space, metric, numbers)
    clean = (*range(space.num_qubits, space.num_qubits + num_ancillas), *mirror.idle)
    zero = PhaseFlip(tuple(Parity((q,), True) for q in mirror.roots), clean)
    return (*inverse(mirror.ops), zero, *mirror.ops)

"""Reflection about the start of a space, by the cheapest way of each block, and words of Clifford+T for its rotations.

Let A be the preparation, and A' the preparation with words instead of rotations. An iteration is a phase oracle and the
reflection A (1 - 2 |0><0|) 1/A. Let the word of each angle be undone by that of the opposite angle. Then the circuit
with words is an exact amplification of A' |0> (Brassard, Hoyer, Mosca and Tapp, quant-ph/0005055, section 2), however
far A' is from A. Only the probabilities of the codewords matter.

If each codeword has between ``low`` and ``high`` times its even share, so have all solutions together. With
sin(theta)^2 their share, theta becomes some theta' with sin(theta') between sqrt(low) sin(theta) and sqrt(high)
sin(theta). After k iterations the success probability is sin((2 k + 1) theta')^2.

So it changes by at most (2 k + 1) |theta' - theta|. This grows with theta, and theta is at most pi / (4 n) where n
iterations are best for the number of solutions. For k = n the bound is about pi/4 times the greater of high - 1 and
1 - low, however large n is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import rustworkx as rx
from qiskit.quantum_info import Statevector

from gatesolve.circuit import Op, Ops, Parity, PhaseFlip, inverse
from gatesolve.circuit.lowering.lower import (
    RotationWords,
    Word,
    approximate_rotation,
    emit_circuit,
    find_share_word,
    invert_word,
    list_turns,
    lower,
    price_ops,
)
from gatesolve.circuit.ops import rename_wires, shift_wires, touched_qubits
from gatesolve.encodings.block import Block, Mirror
from gatesolve.encodings.space import Space

WIDEST = 12
"""Qubits of a part whose probabilities are computed, and the logarithm of its most operations."""
MOST_ANGLES = 16
"""Different angles for which words are chosen together: about a second each."""
LEAST_TOLERANCE = 1e-8
"""Relative error of a probability, and change of the success probability, below which no word is looked for."""
HUGE = 1e300
"""Iterations above which no change is computed."""
TINY = 1e-12
"""Probabilities up to this are zero."""


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


class Search(NamedTuple):
    """The parts of a search without an early check, its iterations, and how many are best for what it looks for."""

    start: Ops
    oracle: Ops
    reflection: Ops
    iterations: int
    needed: int


def find_start_words(search: Search, limit: float) -> tuple[RotationWords, float] | None:
    """Return words that change the success probability by at most ``limit``, and a bound on that change.

    None where an iteration does not repeat the preparation, or no words are known, or there are over `MOST_ANGLES`.
    """
    parts = _list_parts(search) or []
    angles = sorted({abs(angle) for part in parts for _, angle in list_turns(part)})
    # Phases matter where a turn does not act on zero or one alone: then words have to be close to their rotations.
    ways = (_find_word, lambda angle, tolerance: approximate_rotation(angle, tolerance / 2))
    for find_word in ways if 0 < len(angles) <= MOST_ANGLES and limit > LEAST_TOLERANCE else ():
        tolerance = 0.5
        while tolerance > LEAST_TOLERANCE:
            chosen = [(angle, find_word(angle, tolerance)) for angle in angles]
            known = [(angle, word) for angle, word in chosen if word is not None]
            if len(known) < len(chosen):
                break
            words = RotationWords(chosen=(*known, *((-angle, invert_word(word)) for angle, word in known)))
            low, high = (math.prod(ends) for ends in zip(*(_find_range(part, words) for part in parts), strict=True))
            change = bound_change(low, high, search.iterations, search.needed)
            if change <= limit:
                return words, change
            tolerance /= math.sqrt(2)
    return None


def bound_change(low: float, high: float, iterations: int, needed: int) -> float:
    """Bound the change of the success probability, if each codeword has ``low`` to ``high`` times its even share."""
    if max(iterations, needed) > HUGE:
        return math.inf
    sine = math.sin(math.pi / (4 * max(needed, 1)))
    ends = (math.asin(min(1, math.sqrt(factor) * sine)) for factor in (low, high))
    return (2 * max(iterations, needed) + 1) * max(abs(end - math.asin(sine)) for end in ends)


def _find_word(angle: float, tolerance: float) -> Word | None:
    """Return the word of a rotation about Z whose rotation about Y leaves zero at zero about as often as it should."""
    share = math.cos(angle / 2) ** 2
    word = find_share_word(share, tolerance * min(share, 1 - share))
    # Lowering surrounds the word by gates that make it a rotation about Y, and these are undone here.
    return None if word is None else ("h", "s", *word, "sdg", "h")


def _list_parts(search: Search) -> list[Ops] | None:
    """Return the parts of a preparation that have rotations, each on its own qubits.

    None where the reflection does not undo and repeat the preparation, looking at all qubits of these parts.
    """
    start, reflection = search.start, search.reflection
    middle = reflection[len(start) : len(reflection) - len(start)]
    found = middle[0].as_flip() if len(middle) == 1 else None
    if found != ((), *middle) or reflection != (*inverse(start), *middle, *start) or list_turns(search.oracle):
        return None
    roots = {factor.wires[0] for factor in middle[0].reads if len(factor.wires) == 1 and factor.constant}
    parts = []
    for ops in _split(start):
        own = sorted({qubit for op in ops for qubit in touched_qubits(op)})
        turns = {name for name, _ in list_turns(ops)}
        if turns and (turns != {"ry"} or len(own) > WIDEST or len(ops) > 1 << WIDEST or not roots.issuperset(own)):
            return None
        if turns:
            parts.append(rename_wires(ops, {qubit: place for place, qubit in enumerate(own)}))
    return parts


def _split(ops: Ops) -> list[list[Op]]:
    """Return the operations as the most lists that have no qubit in common."""
    graph: rx.PyGraph[None, None] = rx.PyGraph()
    graph.extend_from_edge_list([(touched_qubits(op)[0], qubit) for op in ops for qubit in touched_qubits(op)])
    home = {qubit: number for number, own in enumerate(rx.connected_components(graph)) for qubit in own}
    lists: dict[int, list[Op]] = {}
    for op in ops:
        lists.setdefault(home[touched_qubits(op)[0]], []).append(op)
    return list(lists.values())


@lru_cache(maxsize=1024)
def _find_range(part: Ops, words: RotationWords) -> tuple[float, float]:
    """Return by what factors words change the probabilities that a part prepares; infinite if others are prepared."""
    width = 1 + max(qubit for op in part for qubit in touched_qubits(op))
    even = Statevector(emit_circuit(part, width)).probabilities()
    made = Statevector(lower(part, width, "clifford+t", words=words)).probabilities()
    if made[even <= TINY].sum() > TINY * len(made):
        return 0.0, math.inf
    factors = made[even > TINY] / even[even > TINY]
    return float(factors.min()), float(factors.max())

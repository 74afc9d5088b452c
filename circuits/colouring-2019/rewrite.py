"""Lighter parities for the same conditions: a random search over equal ways to write a conjunction.

All conditions are ANDed, so a factor without flags may be added to any other parity as its complement: where
it does not hold nothing else matters. A product may be written in other pairs of parities, XORed with a parity.
The words of a block may be mapped linearly, which costs nothing while the block's preparation stays as cheap.
A qubit that is free (both values with whatever the others hold) may hold its XOR with another all through the
search (a twist): that permutes the codewords, so the reflection about their uniform superposition does not
notice, and only the answer has to be twisted back. And data qubits may be changed by CX before each oracle call and
back after it (a frame), so that parities that occur often become single qubits; a product XORed with a qubit that
nothing else reads is made on that qubit. No step looks at which codewords
are solutions: each keeps the function by algebra alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from recode import recoded

from gatesolve.circuit import And, Op, Ops, Parity, Xor, inverse
from gatesolve.encodings.block import find_shape
from gatesolve.encodings.space import Space
from gatesolve.oracle.assemble import Oracle, assemble
from gatesolve.oracle.condition import Condition, Flag

MOST_FRAME = 8
"""Most CX of a frame."""
TWIST = 0.3
"""CX charged for a CX of the twist, which is undone once for all calls."""
HOT, COLD = 3.0, 0.2
"""CX by which a step may be dearer, at first and at last, with probability 1/e."""

T = TypeVar("T")
Mask = int
"""A parity: bit q for qubit q, then a bit a flag, the highest bit for the constant 1."""


@dataclass(frozen=True)
class Rewritten:
    """Conditions in another form.

    Attributes:
        space: with the blocks' words mapped.
        condition: the conjunction of all conditions, over the qubits as they are inside twist and frame.
        twist: CX that permute the codewords; the search runs on twisted ones, and its end undoes this once.
        frame: CX and ANDs on data qubits, to be run before each call and undone after.
        cost: estimated CX of one oracle call.
    """

    space: Space
    condition: Condition
    twist: Ops
    frame: Ops
    cost: float


@dataclass(frozen=True)
class _Form:
    """What the search changes.

    Attributes:
        factors: parities ANDed together.
        products: for each flag its pairs of parities.
        rests: for each flag the parity XORed in.
        words: for each block its codewords.
        twist: CX as pairs of control and target.
        frame: likewise, inside the twist.
    """

    factors: tuple[Mask, ...]
    products: tuple[tuple[tuple[Mask, Mask], ...], ...]
    rests: tuple[Mask, ...]
    words: tuple[tuple[int, ...], ...]
    twist: tuple[tuple[int, int], ...] = ()
    frame: tuple[tuple[int, int], ...] = ()


def rewritten(conditions: Sequence[Condition], space: Space, *, steps: int = 20_000, seed: int = 0) -> Rewritten:
    """Search for a lighter form of the conjunction of ``conditions`` by simulated annealing.

    Args:
        conditions: over the space's qubits.
        space: its blocks' words may be mapped linearly.
        steps: of the search.
        seed: of its random draws.

    Returns:
        The cheapest form met, in a space of the same tuples.
    """
    layout = _Layout(space, sum(len(c.flags) for c in conditions))
    draw = random.Random(seed)
    form = layout.form(conditions)
    cost = layout.cost(form)
    best = (cost, form)
    for step in range(steps):
        new = layout.step(form, draw)
        if new is None:
            continue
        price = layout.cost(new)
        heat = HOT * (1 - step / steps) + COLD
        if price <= cost or draw.random() < math.exp((cost - price) / heat):
            form, cost = new, price
            if cost < best[0]:
                best = (cost, form)
    return layout.result(*best)


def twisted_oracle(found: Rewritten, ancillas: int | None = None) -> Oracle:
    """The phase oracle of a rewritten conjunction on twisted codewords of ``found.space``.

    Raises:
        AncillaBudgetError: as `assemble`.
    """
    inner = assemble([found.condition], found.space.num_qubits, ancillas)
    return replace(inner, ops=(*found.frame, *inner.ops, *inverse(found.frame)))


def untwisted(oracle: Oracle, found: Rewritten) -> Oracle:
    """The same oracle on codewords as they are, for certificates."""
    return replace(oracle, ops=(*found.twist, *oracle.ops, *inverse(found.twist)))


class _Layout:
    """Which bit is what, and the moves."""

    def __init__(self, space: Space, flags: int) -> None:
        self.space = space
        self.width = space.num_qubits
        self.flags = flags
        self.one = 1 << (self.width + flags)
        self.data = (1 << self.width) - 1
        self.roots = tuple(len(b.ways[0].roots) for b in space.blocks)
        self.free = tuple(k for k, b in enumerate(space.blocks) if self._recodable(k, b.codewords))

    def form(self, conditions: Sequence[Condition]) -> _Form:
        """The conditions as masks, flags numbered through."""
        factors: list[Mask] = []
        products: list[tuple[tuple[Mask, Mask], ...]] = []
        rests: list[Mask] = []
        for condition in conditions:
            first = len(rests)
            for flag in condition.flags:
                products.append(tuple((self._mask(a, first), self._mask(b, first)) for a, b in flag.products))
                rests.append(self._mask(flag.parity, first))
            factors += [self._mask(factor, first) for factor in condition.factors]
        words = tuple(block.codewords for block in self.space.blocks)
        return _Form(tuple(factors), tuple(products), tuple(rests), words)

    def _mask(self, parity: Parity, first: int) -> Mask:
        mask = self.one if parity.constant else 0
        for wire in parity.wires:
            mask ^= 1 << (wire if wire >= 0 else self.width + first - 1 - wire)
        return mask

    def _parity(self, mask: Mask) -> Parity:
        flags = range(self.flags)
        wires = [q for q in range(self.width) if mask >> q & 1]
        wires += [-1 - f for f in flags if mask >> (self.width + f) & 1]
        return Parity.of(wires, bool(mask & self.one))

    def cost(self, form: _Form) -> float:
        """CX: an AND for each product and join, one more a further wire (two on the shorter side), all undone."""
        total: float = 6 * max(len(form.factors) - 2, 0) + 2 * len(form.frame) + TWIST * len(form.twist)
        total += 2 * sum(max(self._weight(f) - 1, 0) for f in form.factors)
        total += 2 * sum(self._weight(rest) for rest in form.rests) - 2 * len(self._landings(form))
        for pairs in form.products:
            for left, right in pairs:
                short, long = sorted((self._weight(left), self._weight(right)))
                total += 6 + 2 * max(long - 1, 0) + 4 * max(short - 1, 0)
        return total

    def _landings(self, form: _Form) -> dict[int, tuple[int, int]]:
        """For flags that need no ancilla: the factor that holds the flag, and the data qubit to compute it onto.

        The flag stands in that factor alone, XORed with a qubit that nothing else reads.
        """
        sides = [side for pairs in form.products for pair in pairs for side in pair]
        once, more = 0, 0
        for mask in (*form.factors, *form.rests, *sides):
            more |= once & mask
            once |= mask
        once &= ~more
        found: dict[int, tuple[int, int]] = {}
        for flag, rest in enumerate(form.rests):
            bit = 1 << (self.width + flag)
            if not once & bit:
                continue
            number = next((k for k, f in enumerate(form.factors) if f & bit), None)
            if number is None or any(number == taken for taken, _ in found.values()):
                continue
            alone = (form.factors[number] | rest) & once & self.data
            if alone and not rest & ~(self.data | self.one):
                found[flag] = (number, alone.bit_length() - 1)
        return found

    def _landed(self, form: _Form) -> tuple[_Form, list[Op]]:
        """The form without the flags that are computed onto data qubits, and the gates that do so."""
        factors = list(form.factors)
        ops: list[Op] = []
        for flag, (number, qubit) in self._landings(form).items():
            mask = factors[number] ^ (1 << (self.width + flag)) ^ form.rests[flag] ^ (1 << qubit)
            others = mask & self.data
            if others:
                ops.append(Xor(self._parity(others), qubit))
            for pair in form.products[flag]:
                right, left = sorted(map(self._parity, pair), key=lambda p: len(p.wires))
                ops.append(And(left, right, qubit))
            factors[number] = 1 << qubit ^ mask & ~self.data
        return replace(form, factors=tuple(factors)), ops

    def _weight(self, mask: Mask) -> int:
        return (mask & (self.one - 1)).bit_count()

    def step(self, form: _Form, draw: random.Random) -> _Form | None:
        """One random move, or None where the one drawn does not apply."""
        kind = draw.random()
        if kind < 0.35:
            return self._add_factor(form, draw)
        if kind < 0.5:
            return self._other_product(form, draw)
        if kind < 0.65:
            return self._map_block(form, draw)
        if kind < 0.8:
            return self._change_twist(form, draw)
        return self._change_frame(form, draw)

    def _add_factor(self, form: _Form, draw: random.Random) -> _Form | None:
        """The complement of a factor over data qubits alone, XORed into another parity."""
        plain = [k for k, f in enumerate(form.factors) if not f & ~(self.data | self.one)]
        if not plain:
            return None
        chosen = draw.choice(plain)
        change = form.factors[chosen] ^ self.one
        slots = [(k, -1, 0) for k in range(len(form.factors)) if k != chosen]
        slots += [(f, p, side) for f, pairs in enumerate(form.products) for p in range(len(pairs)) for side in (0, 1)]
        if not slots:
            return None
        number, place, side = draw.choice(slots)
        if place < 0:
            return replace(form, factors=_put(form.factors, number, form.factors[number] ^ change))
        pair = list(form.products[number][place])
        pair[side] ^= change
        return self._with_pair(form, number, place, (pair[0], pair[1]), 0)

    def _other_product(self, form: _Form, draw: random.Random) -> _Form | None:
        """Writes a b as a (b + 1) + a, (a + 1) b + b, a (a + b + 1) or (a + b + 1) b."""
        slots = [(f, p) for f, pairs in enumerate(form.products) for p in range(len(pairs))]
        if not slots:
            return None
        number, place = draw.choice(slots)
        a, b = form.products[number][place]
        both = a ^ b ^ self.one
        pair, rest = draw.choice([((a, b ^ self.one), a), ((a ^ self.one, b), b), ((a, both), 0), ((both, b), 0)])
        return self._with_pair(form, number, place, pair, rest)

    def _with_pair(self, form: _Form, number: int, place: int, pair: tuple[Mask, Mask], rest: Mask) -> _Form | None:
        if not all(self._weight(side) for side in pair):
            return None
        pairs = _put(form.products[number], place, pair)
        rests = _put(form.rests, number, form.rests[number] ^ rest)
        return replace(form, products=_put(form.products, number, pairs), rests=rests)

    def _map_block(self, form: _Form, draw: random.Random) -> _Form | None:
        """Add one bit of a block's words to another; only before there is a twist or frame."""
        if not self.free or form.frame or form.twist:
            return None
        number = draw.choice(self.free)
        width = self.space.blocks[number].num_qubits
        if width < 2:
            return None
        control, target = draw.sample(range(width), 2)
        words = tuple(word ^ ((word >> control & 1) << target) for word in form.words[number])
        if not self._recodable(number, words):
            return None
        offset = self.space.offsets[number]
        moved = self._through(form, offset + control, offset + target)
        return replace(moved, words=_put(form.words, number, words))

    def _recodable(self, number: int, words: Sequence[int]) -> bool:
        found = find_shape(words, self.space.blocks[number].num_qubits)
        return found is not None and len(found.mirror_roots) <= self.roots[number]

    def _change_twist(self, form: _Form, draw: random.Random) -> _Form | None:
        """Take off the twist's last CX or put on another, onto a free qubit; only before there is a frame."""
        if form.frame:
            return None
        if form.twist and draw.random() < 0.5:
            control, target = form.twist[-1]
            return replace(self._through(form, control, target), twist=form.twist[:-1])
        targets = self._free_qubits(form.words)
        if not targets or self.width < 2:
            return None
        target = draw.choice(targets)
        control = draw.choice([q for q in range(self.width) if q != target])
        return replace(self._through(form, control, target), twist=(*form.twist, (control, target)))

    def _free_qubits(self, words: Sequence[tuple[int, ...]]) -> list[int]:
        """Qubits that may be flipped in any codeword and leave a codeword."""
        found = []
        for offset, own, block in zip(self.space.offsets, words, self.space.blocks, strict=True):
            kept = set(own)
            found += [offset + q for q in range(block.num_qubits) if all(w ^ (1 << q) in kept for w in own)]
        return found

    def _change_frame(self, form: _Form, draw: random.Random) -> _Form | None:
        """Take off the frame's last CX or put on another."""
        if form.frame and draw.random() < 0.5:
            control, target = form.frame[-1]
            return replace(self._through(form, control, target), frame=form.frame[:-1])
        if len(form.frame) >= MOST_FRAME or self.width < 2:
            return None
        control, target = draw.sample(range(self.width), 2)
        return replace(self._through(form, control, target), frame=(*form.frame, (control, target)))

    def _through(self, form: _Form, control: int, target: int) -> _Form:
        """The same functions once ``target`` holds its XOR with ``control``."""

        def moved(mask: Mask) -> Mask:
            return mask ^ (1 << control) if mask >> target & 1 else mask

        return replace(
            form,
            factors=tuple(map(moved, form.factors)),
            products=tuple(tuple((moved(a), moved(b)) for a, b in pairs) for pairs in form.products),
            rests=tuple(map(moved, form.rests)),
        )

    def result(self, cost: float, form: _Form) -> Rewritten:
        """Back to conditions, operations and blocks."""
        gone = self._landings(form)
        form, landed = self._landed(form)
        kept = [flag for flag in range(self.flags) if flag not in gone]
        flags = tuple(
            Flag(tuple((self._parity(a), self._parity(b)) for a, b in form.products[f]), self._parity(form.rests[f]))
            for f in kept
        )
        names = {-1 - old: -1 - new for new, old in enumerate(kept)}
        condition = Condition(flags, tuple(map(self._parity, form.factors)), "all constraints", "rewritten")
        twist = tuple(Xor(Parity((control,)), target) for control, target in form.twist)
        frame = (*(Xor(Parity((control,)), target) for control, target in form.frame), *landed)
        blocks = tuple(
            block if words == block.codewords else recoded(block, words)
            for block, words in zip(self.space.blocks, form.words, strict=True)
        )
        return Rewritten(Space(blocks), condition.renumbered(names), twist, frame, cost)


def _put(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return (*items[:place], item, *items[place + 1 :])

"""All codewords of a space in slices, as bit planes of 64 codewords per word, with the truth of the model.

Within a slice the later blocks are fixed, so their planes are constant. A constraint is therefore evaluated once for
each setting of its variables in those blocks, and a sum once for each total of theirs, not once per slice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.simulate import Plane, Slice, pack_plane
from gatesolve.encodings.space import Space
from gatesolve.model import Model
from gatesolve.model.constraints import AllDifferent, Constraint, Linear

LENGTH = 1 << 20
"""Most codewords in a slice: at this length a step costs little more than its word operations."""
SHORT = 16
"""A block is cut into parts only where slices would be shorter than they may be by this factor without."""
GRID = 1 << 10
"""Most settings of one or two blocks for which a constraint is evaluated once each."""
KEPT = 1 << 28
"""Bytes of constraints' planes that are kept."""
ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


def list_slices(model: Model, space: Space, length: int = LENGTH, first: int = 0, step: int = 1) -> Iterator[Slice]:
    """Yield the codewords of a space in order, slice by slice, each with the truth of the model.

    Slices have at most ``length`` codewords. Of every ``step`` slices one is made, from the slice ``first`` on; the
    others cost nothing, so that processes can share the work.

    Cost: one word operation per constraint and 64 codewords. Each constraint is also evaluated once for each codeword
    of the blocks that vary in a slice and each setting of its variables in the others.
    """
    cutter = _Cutter.cut(model, space, length)
    for number in range(first, cutter.count, step):
        yield cutter.take(number)


@dataclass
class _Cutter:
    """A division of the codewords into slices: blocks below ``split`` take all their positions in a slice.

    If ``run`` is more than 1, block ``split`` takes ``run`` of its positions in a slice; each such range is a part. All
    other blocks are fixed in a slice.
    """

    model: Model
    space: Space
    split: int
    inner: int
    run: int
    kept: dict[tuple[int, ...], Plane] = field(default_factory=dict)
    found: dict[int, list[Plane]] = field(default_factory=dict)

    @staticmethod
    def cut(model: Model, space: Space, length: int) -> _Cutter:
        """Return the division in which as many blocks as possible vary in slices of at most ``length`` codewords."""
        split, inner = 0, 1
        sizes = [block.size for block in space.blocks]
        while split < len(sizes) and inner * sizes[split] <= length:
            inner *= sizes[split]
            split += 1
        # A block is cut only if slices would be much too short without, because constraints on it are evaluated anew
        # for each part.
        whole = split == len(sizes) or inner * SHORT > length
        return _Cutter(model, space, split, inner, 1 if whole else length // inner)

    @cached_property
    def standing(self) -> int:
        """Return the first block that is fixed in a slice."""
        return self.split + (self.run > 1)

    @cached_property
    def parts(self) -> int:
        """Return the number of ranges into which block ``split`` is cut."""
        return -(-self.space.blocks[self.split].size // self.run) if self.run > 1 else 1

    @property
    def count(self) -> int:
        """Return the number of slices."""
        return self.parts * math.prod(block.size for block in self.space.blocks[self.standing :])

    def take(self, number: int) -> Slice:
        """Return the slice of a number."""
        part, rest = number % self.parts, number // self.parts
        blocks = self.space.blocks
        low, high = self._range(part)
        still, start = list[int](), low * self.inner
        weight = math.prod(block.size for block in blocks[: self.standing])
        # The number of a slice is in mixed radix: the part first, then the position of each fixed block.
        for block in blocks[self.standing :]:
            still.append(rest % block.size)
            start += weight * still[-1]
            weight *= block.size
            rest //= block.size
        length = self.inner * (high - low)
        return Slice(start, length, self._bits(part, still, length), self._holds(part, still, length))

    def _range(self, part: int) -> tuple[int, int]:
        """Return the positions of block ``split`` in the slices of a part."""
        if self.run == 1:
            return 0, 1
        return part * self.run, min((part + 1) * self.run, self.space.blocks[self.split].size)

    @cached_property
    def _moving(self) -> list[NDArray[np.int32]]:
        """Return the positions of the blocks below ``split``, codeword by codeword of the longest slice."""
        sizes = [block.size for block in self.space.blocks[: self.split]]
        return [self._lay_out(k, np.arange(size, dtype=np.int32)) for k, size in enumerate(sizes)]

    def _lay_out(self, block: int, column: NDArray[Any]) -> NDArray[Any]:
        """Return a column over a block's positions, repeated codeword by codeword of the longest slice."""
        weight = math.prod(one.size for one in self.space.blocks[:block])
        return np.tile(np.repeat(column, weight), self.inner * self.run // (weight * len(column)))

    @cached_property
    def _planes(self) -> list[Plane]:
        """Return the planes of the blocks below ``split``."""
        columns = [(k, column) for k in range(self.split) for column in self.space.blocks[k].bits.T]
        return [pack_plane(self._lay_out(k, column)) for k, column in columns]

    def _bits(self, part: int, still: list[int], length: int) -> tuple[Plane, ...]:
        # The last part may be shorter than the planes that all slices share.
        words = (length + 63) // 64
        constant = np.zeros(words, np.uint64), np.full(words, ONES)
        planes = list(self._planes)
        if self.run > 1:
            block = self.space.blocks[self.split]
            planes += [pack_plane(np.repeat(column, self.inner)) for column in block.bits[slice(*self._range(part))].T]
        for block, position in zip(self.space.blocks[self.standing :], still, strict=True):
            # Fixed blocks share two planes, whatever their number.
            planes += [constant[int(bit)] for bit in block.bits[position]]
        return tuple(plane[:words] for plane in planes)

    @cached_property
    def _rules(self) -> list[_Rule]:
        """Return the constraints by their places; an all-different as its pairs, which vary less."""
        parts = [c.pairs if isinstance(c, AllDifferent) else [c] for c in self.model.constraints]
        return [_Rule.place(one, self.space, self.split, self.standing) for one in chain.from_iterable(parts)]

    def _holds(self, part: int, still: list[int], length: int) -> Plane:
        held = pack_plane(np.ones(length, dtype=bool))
        for index, rule in enumerate(self._rules):
            settled = tuple(int(column[still[k - self.standing]]) for k, column in rule.standing)
            if isinstance(rule.constraint, Linear):
                # A sum depends on its fixed variables only by their total, so that fewer planes are evaluated and kept.
                settled = (sum(c * value for c, value in zip(rule.coefficients, settled, strict=True)),)
            key = (index, part if rule.cut else -1, *settled)
            plane = self.kept.get(key)
            if plane is None:
                # The last part may be shorter, so planes that do not depend on the part are kept at full length.
                plane = self._evaluate(rule, part, settled, length if rule.cut else self.inner * self.run)
                if len(self.kept) * plane.nbytes > KEPT:
                    # Dropping everything is simpler than a queue, and the planes are quickly made again.
                    self.kept.clear()
                self.kept[key] = plane
            held &= plane[: len(held)]
            if not held.any():
                break
        return held

    def _evaluate(self, rule: _Rule, part: int, settled: tuple[int, ...], length: int) -> Plane:
        blocks = sorted({k for _, k, _ in rule.moving})
        sizes = [self.space.blocks[k].size for k in blocks]
        # With few settings, evaluate the constraint on a grid of positions instead of on every codeword.
        if not rule.cut and 1 <= len(blocks) <= 2 and math.prod(sizes) <= GRID:
            grid = np.indices(sizes).reshape(len(sizes), -1)
            columns = {name: values[grid[blocks.index(k)]] for name, k, values in rule.moving}
            return self._spread(rule.holds(columns, settled).reshape(sizes), blocks)
        columns = {name: values[self._moving[k][:length]] for name, k, values in rule.moving}
        cut = np.repeat(np.arange(*self._range(part)), self.inner)
        columns |= {name: values[cut] for name, _, values in rule.cut}
        return pack_plane(np.broadcast_to(rule.holds(columns, settled), (length,)))

    def _spread(self, truth: NDArray[np.bool_], blocks: list[int]) -> Plane:
        """Return the truth for each position of one or two blocks as a plane."""
        last = self._indicators(blocks[-1])
        if len(blocks) == 1:
            return _any_of([last[k] for k in np.flatnonzero(truth)], last[0])
        # Equal rows are handled together: ``!=`` of two values has as many kinds of rows as values, not as positions.
        kinds, kind_of = np.unique(truth, axis=0, return_inverse=True)
        first, found = self._indicators(blocks[0]), np.zeros_like(last[0])
        for number, row in enumerate(kinds):
            chosen = _any_of([first[k] for k in np.flatnonzero(kind_of.ravel() == number)], last[0])
            rare = row if 2 * row.sum() <= row.size else ~row
            there = _any_of([last[k] for k in np.flatnonzero(rare)], last[0])
            found |= chosen & there if rare is row else chosen & ~there
        return found

    def _indicators(self, block: int) -> list[Plane]:
        """Return the plane of the codewords at each position of a block below ``split``; zero past the last one."""
        if block not in self.found:
            places = np.eye(self.space.blocks[block].size, dtype=bool)
            self.found[block] = [pack_plane(self._lay_out(block, place)) for place in places]
        return self.found[block]


def _any_of(planes: list[Plane], like: Plane) -> Plane:
    return reduce(np.bitwise_or, planes) if planes else np.zeros_like(like)


@dataclass(frozen=True)
class _Rule:
    """A constraint, and where its variables are.

    Attributes:
        moving: name, block and value of each codeword of the block, for variables in blocks that vary in every slice.
        cut: the same for variables in the block that is cut into parts.
        standing: block and values for variables in fixed blocks.
        names: the names of these variables.
        coefficients: the coefficients of these variables in a sum.
    """

    constraint: Constraint
    moving: tuple[tuple[str, int, NDArray[np.int64]], ...]
    cut: tuple[tuple[str, int, NDArray[np.int64]], ...]
    standing: tuple[tuple[int, NDArray[np.int64]], ...]
    names: tuple[str, ...]
    coefficients: tuple[int, ...]

    def holds(self, columns: dict[str, NDArray[np.int64]], settled: tuple[int, ...]) -> NDArray[np.bool_]:
        """Truth on columns of the variables that vary; of a sum, ``settled`` has the total of the others."""
        if isinstance(self.constraint, Linear):
            factor = {name: c for c, name in self.constraint.terms}
            total = sum(factor[name] * column for name, column in columns.items()) + settled[0]
            return np.asarray(self.constraint.compare(np.asarray(total)))
        shape = next((column.shape for column in columns.values()), (1,))
        still = {name: np.full(shape, value) for name, value in zip(self.names, settled, strict=True)}
        return np.asarray(self.constraint.holds({**columns, **still}))

    @staticmethod
    def place(constraint: Constraint, space: Space, split: int, standing: int) -> _Rule:
        """Place a constraint on a space whose blocks vary below ``split`` and are fixed from ``standing`` on."""
        names = dict.fromkeys(constraint.scope)
        homes = [(name, k, space.blocks[k].values[:, j]) for name in names for k, j in [space.home[name]]]
        factors = {name: c for c, name in constraint.terms} if isinstance(constraint, Linear) else {}
        still = [(name, k, values) for name, k, values in homes if k >= standing]
        return _Rule(
            constraint,
            tuple(one for one in homes if one[1] < split),
            tuple(one for one in homes if split <= one[1] < standing),
            tuple((k, values) for _, k, values in still),
            tuple(name for name, _, _ in still),
            tuple(factors.get(name, 0) for name, _, _ in still),
        )

"""Views: the part of a block that a constraint reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan
from gatesolve.encodings.space import Space


@dataclass(frozen=True)
class BlockProjection:
    """Parities of a block's qubits, and what each word of them stands for.

    The plain view of a block is its qubits and codewords. A projected view distinguishes only the values of some
    variables, by one parity for each combination of values: fewer words, and often fewer wires. All bit tuples that the
    wires can hold are different, and each has the values of the variables looked at.
    """

    names: tuple[str, ...]
    wires: tuple[Parity, ...]
    words: tuple[tuple[bool, ...], ...]
    values: tuple[tuple[int, ...], ...]

    @cached_property
    def _span(self) -> AffineSpan:
        columns = [sum(1 << r for r, word in enumerate(self.words) if word[q]) for q in range(len(self.wires))]
        return AffineSpan.of(columns, (1 << len(self.words)) - 1)

    @cached_property
    def _places(self) -> tuple[int, ...] | None:
        """The wire that is set in each word, where exactly one is and the words are all of them (one-hot)."""
        if len(self.words) != len(self.wires):
            return None
        places = tuple(word.index(True) if sum(word) == 1 else -1 for word in self.words)
        return places if len(set(places)) == len(places) and -1 not in places else None

    @property
    def free(self) -> bool:
        """Whether every subset of the words is a parity of the wires (the words are affinely independent)."""
        return self._places is not None or len(self._span.basis) == len(self.words)

    def indicator(self, chosen: Iterable[int]) -> Parity | None:
        """The parity that is 1 on the words numbered in ``chosen`` and 0 on the others, if there is one."""
        rows = set(chosen)
        if self._places is not None:
            # The complement of the other wires, where those are fewer.
            few = 2 * len(rows) <= len(self.words)
            kept = [self.wires[place] for k, place in enumerate(self._places) if (k in rows) == few]
            return Parity.xor_all([Parity((), not few), *kept])
        equal = self._span.parities(sum(1 << k for k in rows))
        over = (parity.value(self.wires.__getitem__, Parity((), True)) for parity in equal)
        return min(over, key=lambda p: len(p.wires), default=None)

    def where(self, name: str, values: Iterable[int]) -> Parity | None:
        """``name in values`` as a parity, if it is one."""
        wanted, place = set(values), self.names.index(name)
        return self.indicator(k for k, row in enumerate(self.values) if row[place] in wanted)

    def shifted(self, by: Mapping[str, int]) -> BlockProjection:
        """The view of its variables plus constants."""
        shifts = [by.get(name, 0) for name in self.names]
        values = tuple(tuple(v + s for v, s in zip(row, shifts, strict=True)) for row in self.values)
        return replace(self, values=values) if any(shifts) else self


def project_all(space: Space, number: int) -> BlockProjection:
    """Return the plain view of one of the space's blocks: its qubits and codewords."""
    block, wires = space.blocks[number], tuple(Parity((q,)) for q in space.block_qubits(number))
    return BlockProjection(block.variables, wires, tuple(tuple(map(bool, row)) for row in block.bits), block.tuples)


def project_block(view: BlockProjection, names: Sequence[str]) -> BlockProjection | None:
    """Return the view of some variables alone, or None where their values are no parities of the wires."""
    places = [view.names.index(name) for name in names]
    classes: dict[tuple[int, ...], list[int]] = {}
    for k, row in enumerate(view.values):
        classes.setdefault(tuple(row[p] for p in places), []).append(k)
    values = tuple(classes)
    wires = [view.indicator(members) for members in classes.values()]
    if any(wire is None for wire in wires):
        return None
    found = [wire for wire in wires if wire is not None]
    one_hot = [tuple(k == j for k in range(len(values))) for j in range(len(values))]
    if len(values) == 2:
        # Two classes need only one wire: the lighter indicator.
        light = min((0, 1), key=lambda k: len(found[k].wires))
        return BlockProjection(tuple(names), (found[light],), ((light == 0,), (light == 1,)), values)
    if len(values) == 1:
        return BlockProjection(tuple(names), (), ((),), values)
    return BlockProjection(tuple(names), tuple(found), tuple(one_hot), values)

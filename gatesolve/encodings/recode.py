"""The same blocks under other codewords: which pattern stands for which tuple is free, and costs differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from gatesolve.encodings.block import Block, Mirror
from gatesolve.encodings.shapes import shape
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.model import Variable


def coded(
    variables: Sequence[str],
    tuples: Sequence[tuple[int, ...]],
    codewords: Sequence[int],
    num_qubits: int | None = None,
    kind: str = "table",
) -> Block:
    """A block whose codewords are given.

    Args:
        variables: the variables laid out.
        tuples: tuples of values, all different.
        codewords: the bit pattern of each tuple, all different.
        num_qubits: width; None for the least that holds the codewords.
        kind: name of the encoding.

    Raises:
        InputError: patterns repeat, do not fit, or are no set that `shapes.shape` can prepare.
    """
    width = max(codewords).bit_length() if num_qubits is None else num_qubits
    as_many = len(set(codewords)) == len(codewords) == len(tuples)
    if not as_many or min(codewords) < 0 or max(codewords) >> width:
        raise InputError(f"codewords {list(codewords)} are not {len(tuples)} different patterns of {width} bits")
    found = shape(codewords, width)
    if found is None:
        raise InputError(f"no preparation is known for the set of codewords {sorted(codewords)}")
    mirror = None if found.mirror == found.preparation else Mirror(found.mirror, found.mirror_roots)
    return Block(kind, tuple(variables), tuple(tuples), tuple(codewords), width, found.preparation, found.roots, mirror)


def recoded(block: Block, codewords: Sequence[int]) -> Block:
    """The block with other codewords, on as many qubits.

    Raises:
        InputError: as `coded`.
    """
    return coded(block.variables, block.tuples, codewords, block.num_qubits, block.kind)


def by_value(variable: Variable) -> Block:
    """Each value as its own binary digits, on as many qubits as the greatest takes.

    Measuring the block reads the value off without a decoder.

    Raises:
        InputError: a negative value, or a domain that `shapes.shape` cannot prepare.
    """
    if variable.domain[0] < 0:
        raise InputError(f"variable {variable.name} has the value {variable.domain[0]}: digits need values from 0 on")
    return coded((variable.name,), [(v,) for v in variable.domain], variable.domain, kind="binary")


def replaced(space: Space, number: int, block: Block) -> Space:
    """The space with block ``number`` replaced."""
    blocks = (*space.blocks[:number], block, *space.blocks[number + 1 :])
    return replace(space, blocks=blocks)


def searched(space: Space, price: Callable[[Space], float], *, steps: int, seed: int, slack: float = 0.0) -> Space:
    """Look for codewords that make a space cheaper: a random walk downhill.

    A step exchanges the codewords of two tuples, gives a tuple an unused pattern, or adds one bit of a block's
    codewords to another; what no preparation is known for, or what needs more roots, is not tried.

    Args:
        space: where to start.
        price: what to make small; infinite where a space will not do.
        steps: spaces priced at most.
        seed: of the draws.
        slack: a step up by at most this is taken too, with probability 1/10.

    Returns:
        The cheapest space met, of the same tuples in every block.
    """
    draw = random.Random(seed)
    places = [k for k, block in enumerate(space.blocks) if block.num_qubits > 1]
    known: dict[tuple[tuple[int, ...], ...], float] = {_key(space): price(space)}
    current, cost = space, known[_key(space)]
    best = (cost, space)
    for _ in range(steps if places else 0):
        number = draw.choice(places)
        words = _step(space.blocks[number], current.blocks[number].codewords, draw)
        if words is None:
            continue
        new = replaced(current, number, recoded(space.blocks[number], words))
        key = _key(new)
        if key not in known:
            known[key] = price(new)
        if known[key] <= cost or (known[key] <= cost + slack and draw.random() < 0.1):
            current, cost = new, known[key]
        if cost < best[0]:
            best = (cost, current)
    return best[1]


def _key(space: Space) -> tuple[tuple[int, ...], ...]:
    return tuple(block.codewords for block in space.blocks)


def _step(block: Block, words: Sequence[int], draw: random.Random) -> tuple[int, ...] | None:
    """Other codewords near ``words``, or None where the ones drawn cannot be prepared as cheaply."""
    changed = list(words)
    kind = draw.randrange(3)
    if kind == 0:
        first, second = draw.sample(range(block.size), 2)
        changed[first], changed[second] = changed[second], changed[first]
    elif kind == 1:
        unused = [word for word in range(1 << block.num_qubits) if word not in set(words)]
        if not unused:
            return None
        changed[draw.randrange(block.size)] = draw.choice(unused)
    else:
        control, target = draw.sample(range(block.num_qubits), 2)
        changed = [word ^ ((word >> control & 1) << target) for word in words]
    found = shape(changed, block.num_qubits)
    roots = block.mirror.roots if block.mirror else block.roots
    if found is None or len(found.mirror_roots) > len(roots):
        return None
    return tuple(changed)

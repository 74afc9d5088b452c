"""Mixers: how QAOA moves amplitude among the codewords of a block, or of the whole space.

A mixer is a list of positions of codewords, so the circuit compiler and the simulation read the same list. A *hop* (a,
b) at angle beta is exp(-i beta (|a><b| + |b><a|)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError, UnsupportedError

MixerKind = Literal["xy-ring", "xy-complete", "grover", "x", "grover-global"]
MixerChoice = Literal["auto", "xy-ring", "xy-complete", "grover", "x", "grover-global"]
MIXER_CHOICES: tuple[MixerChoice, ...] = get_args(MixerChoice)

Hops = tuple[tuple[int, int], ...]
MOST_SHUFFLED = 5040
"""Codewords of a permutation block up to which hops of its digits are listed."""


@dataclass(frozen=True)
class Mixer:
    """One mixer of angle beta.

    Attributes:
        kind: ``xy-ring`` and ``xy-complete``: hops between codewords; ``x``: RX(2 beta) on every qubit, which on
            codewords is a product of hops too; ``grover`` (arXiv:2006.00354): exp(-i beta |s><s|), s the uniform
            superposition of the block; ``grover-global``: the same of the whole space, instead of one mixer a block.
        hops: pairs of codeword positions, applied in this order; none for the two Grover kinds.
        start: probabilities of the block's codewords in a state s of ``grover`` that is not uniform, where the block
            starts too (a warm start, arXiv:2009.10095; for one bit its rotated mixer).
    """

    kind: MixerKind
    hops: Hops = ()
    start: tuple[float, ...] = ()


def ring_mixer(size: int) -> Mixer:
    """Hops along a ring of ``size`` codewords: even edges, odd edges, then the closing edge of an odd ring.

    Two codewords have one hop, one has none. Source: arXiv:1709.03489, section 4.2.
    """
    if size <= 2:
        return Mixer("xy-ring", ((0, 1),) * (size - 1))
    edges = [(i, (i + 1) % size) for i in range(size)]
    # An odd ring has no colouring of its edges with two colours, so its last edge is applied alone.
    closing = [edges.pop()] if size % 2 else []
    return Mixer("xy-ring", tuple(edges[0::2] + edges[1::2] + closing))


def complete_mixer(size: int) -> Mixer:
    """Return hops between all pairs, in rounds of disjoint pairs."""
    # The round robin of a tournament: player 0 stays, the others rotate. An odd size gets a player that never plays.
    players = size + size % 2
    wheel = list(range(1, players))
    hops: list[tuple[int, int]] = []
    for _ in range(players - 1):
        seats = [0, *wheel]
        meetings = ((min(a, b), max(a, b)) for a, b in zip(seats, reversed(seats), strict=True))
        hops += [pair for pair in list(meetings)[: players // 2] if pair[1] < size]
        wheel = wheel[1:] + wheel[:1]
    return Mixer("xy-complete", tuple(hops))


def x_mixer(codewords: Sequence[int]) -> Mixer:
    """RX(2 beta) on every qubit of a block whose codewords are all words of n bits.

    Each qubit's rotation is one hop for each pair of words that differs in it alone.
    """
    width = (len(codewords) - 1).bit_length()
    where = {word: position for position, word in enumerate(codewords)}
    # Qubit by qubit: hops of one qubit commute, so together they are exactly its rotation.
    pairs = [(where[w], where[w | 1 << q]) for q in range(width) for w in codewords if not w >> q & 1]
    return Mixer("x", tuple((min(a, b), max(a, b)) for a, b in pairs))


def default_mixer(block: Block) -> Mixer:
    """X for a two-valued block of one qubit, the XY ring for one qubit a value, Grover's for any other."""
    if block.size == 2 and block.num_qubits == 1:
        return x_mixer(block.codewords)
    return ring_mixer(block.size) if is_unary(block) else Mixer("grover")


def is_unary(block: Block) -> bool:
    """Whether codeword i is qubit i alone; so is a block of one codeword on no qubit."""
    if block.size == 1:
        return block.num_qubits == 0
    return block.num_qubits == block.size and all(word == 1 << i for i, word in enumerate(block.codewords))


def mixers_for(space: Space, kind: MixerChoice = "auto") -> tuple[Mixer, ...]:
    """One mixer a block in the order of the blocks, or the global one alone; ``auto`` is each's `default_mixer`.

    Raises:
        InputError: if there is no such kind.
        UnsupportedError: if a block does not suit the kind; the message names its variables.
    """
    if kind not in MIXER_CHOICES:
        raise InputError(f"mixer {kind!r} is none of {', '.join(MIXER_CHOICES)}")
    if kind == "grover-global":
        return (Mixer("grover-global"),)
    return tuple(_mixer(block, kind) for block in space.blocks)


def _mixer(block: Block, kind: MixerChoice) -> Mixer:
    if kind == "auto":
        return default_mixer(block)
    if kind == "grover":
        return Mixer("grover")
    name = f"the {block.kind} block of {', '.join(block.variables)}"
    if kind == "x":
        if sorted(block.codewords) != list(range(1 << block.num_qubits)):
            raise UnsupportedError(f"mixer x needs all words of a block's qubits, and {name} has not: use auto")
        return x_mixer(block.codewords)
    if block.parts and block.size <= MOST_SHUFFLED:
        return digit_mixer(block, kind)
    if not is_unary(block):
        raise UnsupportedError(f"mixer {kind} needs one qubit a value, and {name} has not: use auto or grover")
    return list_edges(kind, block.size)


def list_edges(kind: MixerKind, size: int) -> Mixer:
    """Return `ring_mixer` or `complete_mixer`."""
    return ring_mixer(size) if kind == "xy-ring" else complete_mixer(size)


def digit_mixer(block: Block, kind: MixerKind) -> Mixer:
    """Return the hops of each digit of a permutation block, for all values of the other digits."""
    # The position of a codeword is the number of its digits in mixed radix, that of two values the fastest.
    hops, step = list[tuple[int, int]](), 1
    for size in range(2, len(block.variables) + 1):
        first = [position for position in range(block.size) if position // step % size == 0]
        hops += [(p + a * step, p + b * step) for a, b in list_edges(kind, size).hops for p in first]
        step *= size
    return Mixer(kind, tuple(hops))

"""Mixers of QAOA as circuits, exact on the codewords.

A hop exp(-i beta (|a><b| + |b><a|)) between two positions of a one-hot block is two CX. Between other codewords
that differ in a set of bits it is a product of X turned by beta where the rest of the word tells the pair apart;
X becomes Z between two H, the condition a sum of few signs of parities. Hops side by side that differ in the same
bits are turned together: a ring of four codewords in Gray code is an RX on each of two qubits, without any CX.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np

from gatesolve.circuit import Gate, Ops, Parity, Xor, inverse
from gatesolve.circuit.lowering import GateSet
from gatesolve.circuit.ops import shift_wires
from gatesolve.encodings.block import Block, Mirror
from gatesolve.encodings.mixer import Hops, Mixer, is_unary
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.oracle.parity_network import (
    Steps,
    num_flips,
    phase_network,
    turned_network,
)
from gatesolve.oracle.phase import phase_ops
from gatesolve.oracle.phase_polynomial import wires_of
from gatesolve.pipelines.qaoa.fit import EXACT, Floats, Local, Polynomial, fit_polynomials
from gatesolve.programs.reflection import find_mirror


def mixer_ops(
    space: Space, mixers: Sequence[Mixer], betas: Sequence[float], clean: Sequence[int], gates: GateSet = "cx+u"
) -> Ops:
    """One mixer layer.

    ``mixers`` and ``betas`` have one a block, or ``grover-global`` stands alone; ``clean`` are ancillas that are zero
    before and after, ``gates`` says what a phase on several qubits is to save.
    """
    if [mixer.kind for mixer in mixers] == ["grover-global"] and len(betas) == 1:
        return _grover(find_mirror(space, "cx", needs_idle=not clean), betas[0], clean, gates)
    if not len(space.blocks) == len(mixers) == len(betas):
        raise InputError(f"{len(mixers)} mixers and {len(betas)} angles for {len(space.blocks)} blocks: give one each")
    layers = (_block_ops(space, k, mixers[k], betas[k], clean, gates) for k in range(len(mixers)))
    return tuple(chain.from_iterable(layers))


def _block_ops(space: Space, number: int, mixer: Mixer, beta: float, clean: Sequence[int], gates: GateSet) -> Ops:
    block, first = space.blocks[number], space.offsets[number]
    if block.size == 1:
        return ()
    if mixer.kind == "grover":
        return _grover(find_mirror(space, "cx", [number], needs_idle=not clean), beta, clean, gates)
    if mixer.kind == "x":
        return tuple(chain.from_iterable(_rx(first + q, beta) for q in range(block.num_qubits)))
    if is_unary(block):
        return tuple(chain.from_iterable(_hop(first + a, first + b, beta) for a, b in mixer.hops))
    return shift_wires(tuple(chain.from_iterable(turn.ops(beta) for turn in word_turns(block, mixer.hops))), first)


def _grover(mirror: Mirror, beta: float, clean: Sequence[int], gates: GateSet) -> Ops:
    """``exp(-i beta |s><s|)``: a phase where all roots are zero between the mirror undone and done again."""
    zero = tuple(Parity((root,), True) for root in mirror.roots)
    return (*inverse(mirror.ops), *phase_ops(zero, (*mirror.idle, *clean), -beta, gates), *mirror.ops)


def _rx(qubit: int, beta: float) -> Ops:
    """RX(2 beta) = exp(-i beta X)."""
    return (Gate("h", (qubit,)), Gate("rz", (qubit,), (2 * beta,)), Gate("h", (qubit,)))


def _hop(a: int, b: int, beta: float) -> Ops:
    """``exp(-i beta (XX + YY) / 2)``, Qiskit's XXPlusYYGate(2 beta), by 2 CX.

    A quarter turn about X on both qubits makes ZZ of YY; CX then makes X on ``a`` of XX, Z on ``b`` of ZZ.
    """
    quarter = tuple(Gate(name, (qubit,)) for qubit in (a, b) for name in ("h", "s", "h"))
    flip = Xor(Parity((a,)), b)
    middle = (Gate("h", (a,)), Gate("rz", (a,), (beta,)), Gate("h", (a,)), Gate("rz", (b,), (beta,)))
    return (*quarter, flip, *middle, flip, *inverse(quarter))


@dataclass(frozen=True)
class WordTurn:
    """Hops side by side whose two codewords all differ in the same bits.

    Attributes:
        pivot: a bit in which they differ.
        others: the other bits, on which the pivot is added so that they are equal.
        steps: a parity network for the condition and the pivot.
        polynomial: 1 for these hops and 0 for the other codewords, times the pivot's sign.
    """

    pivot: int
    others: tuple[int, ...]
    steps: Steps
    polynomial: tuple[tuple[int, float], ...]

    @property
    def cx(self) -> int:
        """CX before lowering's passes."""
        return num_flips(self.steps) + 2 * len(self.others)

    def ops(self, beta: float) -> Ops:
        """The hops at an angle, on the block's qubits."""
        turn = (Gate("h", (self.pivot,)),)
        make = tuple(Xor(Parity((self.pivot,)), other) for other in self.others)
        inner = turned_network(self.steps, {mask: beta * c for mask, c in self.polynomial})
        return (*make, *turn, *inner, *turn, *make)


@lru_cache(maxsize=256)
def word_turns(block: Block, hops: Hops) -> tuple[WordTurn, ...]:
    """Hops between any codewords, those of a round that differ in the same bits together.

    Raises:
        UnsupportedError: the block has too many qubits for conditions to be written in parities.
    """
    result = []
    for together in _rounds(hops):
        by_bits: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for a, b in together:
            by_bits[block.codewords[a] ^ block.codewords[b]].append((a, b))
        for bits, pairs in by_bits.items():
            result.append(min((_word_turn(block, pairs, bits, p) for p in wires_of(bits)), key=lambda turn: turn.cx))
    return tuple(result)


def _rounds(hops: Hops) -> list[list[tuple[int, int]]]:
    """Hops in their order, cut where a position comes again."""
    rounds: list[list[tuple[int, int]]] = []
    seen: set[int] = set()
    for hop in hops:
        if not rounds or seen & {*hop}:
            rounds.append([])
            seen = set()
        rounds[-1].append(hop)
        seen |= {*hop}
    return rounds


def _word_turn(block: Block, pairs: Sequence[tuple[int, int]], bits: int, pivot: int) -> WordTurn:
    others = bits & ~(1 << pivot)

    def rest(word: int) -> int:
        return (word ^ others if word >> pivot & 1 else word) & ~(1 << pivot)

    words = sorted({rest(word) for word in block.codewords})
    chosen = {rest(block.codewords[a]) for a, _ in pairs}
    values = np.array([float(word in chosen) for word in words])
    rests = Block("binary", ("rest",), tuple((k,) for k in range(len(words))), tuple(words), block.num_qubits, (), ())
    fits = fit_polynomials(Local((0,), values), Space((rests,)))
    options = [_with_pivot(found, rests, values, pivot) for found in fits]
    if not options:
        raise UnsupportedError(f"hops between codewords of {block.num_qubits} qubits: choose the mixer grover")
    networks = [(phase_network(mask for mask, _ in option), option) for option in options]
    steps, polynomial = min(networks, key=lambda found: num_flips(found[0]))
    return WordTurn(pivot, wires_of(others), steps, polynomial)


def _with_pivot(found: Polynomial, rests: Block, values: Floats, pivot: int) -> tuple[tuple[int, float], ...]:
    """The polynomial with its constant, times the pivot's sign."""
    word = rests.codewords[0]
    constant = float(values[0]) - sum(c * (-1) ** (word & mask).bit_count() for mask, c in found.items())
    terms = {0: constant, **found}
    return tuple((mask | 1 << pivot, c) for mask, c in sorted(terms.items()) if abs(c) > EXACT)

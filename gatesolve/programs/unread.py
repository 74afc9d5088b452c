"""Qubits that an oracle never reads, left out of the search and filled in on the counts.

The oracle tells two codewords of a block apart only by the qubits it reads. So the block can be prepared in two steps:
first the qubits that are read, with the weight of each of their words, then the others, under control of the first.
The second step commutes with the oracle; in every reflection it meets its own inverse and both go, and the qubits it
would fill are zero all along. It is left once, before the measurement, where it only draws one of the codewords of the
word read, all alike: that is done on the counts, and those qubits take no gate but as ancillas.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Gate, Op, Ops
from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.programs.reflection import price_block

Number = TypeVar("Number", int, float)
MOST_READ = 6
"""Qubits of a block that are read, up to which their words are prepared by `real_state`."""


@dataclass(frozen=True)
class UnreadFill:
    """The words that qubits of a block take once the others are known.

    Attributes:
        read: the qubits that were searched.
        unread: the qubits to be filled.
        words: for every word of ``read`` that is part of a codeword, the words of ``unread``; first qubit lowest.
    """

    read: tuple[int, ...]
    unread: tuple[int, ...]
    words: tuple[tuple[int, tuple[int, ...]], ...]

    def fits(self, num_qubits: int) -> bool:
        """Return whether the fill fits a space: different qubits, words of their widths, each once."""
        qubits = (*self.read, *self.unread)
        words = [word for word, _ in self.words]
        return (
            len(set(qubits)) == len(qubits)
            and all(0 <= qubit < num_qubits for qubit in qubits)
            and len(set(words)) == len(words)
            and all(0 <= word < 1 << len(self.read) for word in words)
            and all(fit and len(set(fit)) == len(fit) for _, fit in self.words)
            and all(0 <= other < 1 << len(self.unread) for _, fit in self.words for other in fit)
        )


def touched_qubits(op: Op) -> tuple[int, ...]:
    """All qubits that an operation reads, changes or borrows."""
    return (*op.wires, *op.lent)


def narrow_space(space: Space, ops: Ops, metric: str) -> tuple[Space, tuple[UnreadFill, ...]]:
    """Leave the qubits that an oracle does not read out of its space, where reflecting gets no dearer by that.

    Returns:
        The space with blocks on what is read of them alone, the other qubits zero, and a fill for each such block. Its
        blocks stand for no values, and their words have other weights than one.

    Cost: for a block of r read qubits at most 2^r - r - 1 CX each way; none where their words are independent.
    """
    read = {q for op in ops for q in touched_qubits(op)}
    blocks: list[Block] = []
    fills: list[UnreadFill] = []
    for number, block in enumerate(space.blocks):
        qubits = space.block_qubits(number)
        seen = [place for place, qubit in enumerate(qubits) if qubit in read]
        found = None if len(seen) == block.num_qubits or len(seen) > MOST_READ else _narrow_block(block, seen)
        if found is None or price_block(found[0], metric) > price_block(block, metric):
            blocks.append(block)
            continue
        blocks.append(found[0])
        unread = tuple(q for place, q in enumerate(qubits) if place not in seen)
        fills.append(UnreadFill(tuple(qubits[place] for place in seen), unread, found[1]))
    return Space(tuple(blocks)), tuple(fills)


def _narrow_block(block: Block, seen: list[int]) -> tuple[Block, tuple[tuple[int, tuple[int, ...]], ...]]:
    """The block prepared on the qubits ``seen`` alone, and the words of the others."""
    unseen = [place for place in range(block.num_qubits) if place not in seen]
    others: defaultdict[int, list[int]] = defaultdict(list)
    for word in block.codewords:
        others[gather_bits(word, seen)].append(gather_bits(word, unseen))
    weights = np.zeros(1 << len(seen))
    for word, fitting in others.items():
        weights[word] = len(fitting) / block.size
    ops = tuple(Gate(g.name, tuple(seen[q] for q in g.qubits), g.params) for g in real_state(np.sqrt(weights)))
    kept = sorted(others)
    made = replace(
        block,
        tuples=block.tuples[: len(kept)],
        codewords=tuple(scatter_bits(word, seen) for word in kept),
        preparation=ops,
        roots=tuple(seen),
        mirrors=(),
    )
    return made, tuple((word, tuple(sorted(others[word]))) for word in kept)


def gather_bits(word: int, places: Sequence[int]) -> int:
    """The bits of a word at these places, the first lowest."""
    return sum((word >> place & 1) << k for k, place in enumerate(places))


def scatter_bits(word: int, places: Sequence[int]) -> int:
    """The word that has these bits at these places and zeros elsewhere."""
    return sum((word >> k & 1) << place for k, place in enumerate(places))


def count_fits(fill: UnreadFill, state: int) -> int:
    """How many words fit what is read of a basis state; 1 where none is listed."""
    return len(dict(fill.words).get(gather_bits(state, fill.read), (0,)))


def fill_unread(states: dict[int, Number], fills: Sequence[UnreadFill], seed: int = 0) -> dict[int, Number]:
    """Return basis states with their unread qubits filled in, shots dealt out evenly among the words that fit.

    What is left over after dealing goes to one word after the other, from state to state, by ``seed`` from which one
    on; shares (floats) are divided. A state that no word fits keeps its zeros.
    """
    draw = np.random.default_rng(seed)
    for fill in fills:
        turn = int(draw.integers(1 << 31))
        words = dict(fill.words)
        found: dict[int, Number] = {}
        for state, shots in states.items():
            choices = words.get(gather_bits(state, fill.read), (0,))
            each, rest = divmod(shots, len(choices)) if isinstance(shots, int) else (shots / len(choices), 0)
            for k, word in enumerate(choices):
                share = each + ((k - turn) % len(choices) < rest)
                if share:
                    full = state | scatter_bits(word, fill.unread)
                    found[full] = found.get(full, 0) + share
            turn += rest
        states = found
    return states


def real_state(amplitudes: NDArray[np.float64]) -> tuple[Gate, ...]:
    """Prepare a state of amplitudes that are not negative, from zeros.

    Qubit after qubit, from the last one, is turned by an angle that the ones before it choose: with k of them by
    ``Ry(a_n) CZ Ry(a_n-1) ... CZ Ry(a_0) |0>``, in which each CZ flips the sign of all angles before it where its
    control is 1. The signs follow a Gray code, so that the angles are a Walsh transform of those wanted; pairs of CZ
    between which the angle is zero cancel.
    The squares of the 2^n amplitudes add up to 1; qubit 0 is the lowest bit of the index.

    Cost: at most 2^n - n - 1 CZ; none for a product of single-qubit states.
    Source: uniformly controlled rotations, Mottonen et al., quant-ph/0407010; the last CZ of each is not needed, for
    its target starts at zero.
    """
    count = int(amplitudes.size).bit_length() - 1
    found: list[Gate] = []
    for qubit in reversed(range(count)):
        # Weight of qubit = 0 and 1 for each word of the higher ones.
        halves = np.square(amplitudes).reshape(-1, 2, 1 << qubit).sum(axis=2)
        angles = 2 * np.arctan2(np.sqrt(halves[:, 1]), np.sqrt(halves[:, 0]))
        alive = halves.sum(axis=1) > 0
        if alive.any() and not alive.all():
            # Words that do not occur take whichever angle: the mean, so that nothing depends on them needlessly.
            angles[~alive] = angles[alive].mean()
        found.extend(_chosen_turn(angles, qubit, tuple(range(qubit + 1, count))))
    return tuple(found)


def _chosen_turn(angles: NDArray[np.float64], target: int, controls: tuple[int, ...]) -> list[Gate]:
    """Turn ``target``, zero before, about y by the angle that the word on ``controls`` chooses."""
    steps = len(angles)
    gates: list[Gate] = []
    pending = 0
    # Masks of the controls whose CZ stand after each turn.
    for mask in (j ^ j >> 1 for j in reversed(range(steps))):
        signs = np.array([(-1) ** (word & mask).bit_count() for word in range(steps)])
        turn = float(np.dot(signs, angles)) / steps
        if abs(turn) < 1e-12:
            continue
        if gates:
            gates.extend(_signs(pending ^ mask, target, controls))
        gates.append(Gate("ry", (target,), (turn,)))
        pending = mask
    return gates + _signs(pending, target, controls)


def _signs(mask: int, target: int, controls: tuple[int, ...]) -> list[Gate]:
    return [Gate("cz", (control, target)) for k, control in enumerate(controls) if mask >> k & 1]

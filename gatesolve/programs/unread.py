"""Qubits that an oracle never reads, left out of the search and filled in on the counts.

An oracle distinguishes two codewords of a block only by the qubits that it reads. So a block can be prepared in two
steps: first the qubits that are read, with the weight of each of their words, then the others, controlled by the
first. The second step commutes with the oracle, and in every reflection it meets its own inverse. So both are left out
there, and the qubits that it would fill stay zero.

The second step remains once, before the measurement. There it only draws one of the codewords that fit the word read,
all equally likely. This is done on the counts instead, so those qubits take no gate except as ancillas.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Gate, Ops
from gatesolve.circuit.ops import touched_qubits
from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.programs.reflection import price_block

Number = TypeVar("Number", int, float)
MOST_NAMES = 60
"""Letters up to which the variables of such qubits are named."""
MOST_READ = 6
"""Qubits of a block that are read, up to which their words are prepared by `real_state`."""


@dataclass(frozen=True)
class UnreadFill:
    """The words that qubits of a block take, which were not searched, once the others are known.

    For every word of ``read`` that is part of a codeword there are the words of ``unread``, first qubit lowest.
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
        whole = len(seen) == block.num_qubits or len(seen) > MOST_READ or block.parts
        found = None if whole else _narrow_block(block, seen)
        if found is None or price_block(found[0], metric) > price_block(block, metric):
            blocks.append(block)
            continue
        blocks.append(found[0])
        unread = tuple(q for place, q in enumerate(qubits) if place not in seen)
        fills.append(UnreadFill(tuple(qubits[place] for place in seen), unread, found[1]))
    return Space(tuple(blocks)), tuple(fills)


def _narrow_block(block: Block, seen: list[int]) -> tuple[Block, tuple[tuple[int, tuple[int, ...]], ...]]:
    """Return the block prepared on the qubits ``seen`` alone, and the words of the others."""
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
    """Return the bits of a word at these places, the first lowest."""
    return sum((word >> place & 1) << k for k, place in enumerate(places))


def scatter_bits(word: int, places: Sequence[int]) -> int:
    """Return the word that has these bits at these places and zeros elsewhere."""
    return sum((word >> k & 1) << place for k, place in enumerate(places))


def count_fits(fill: UnreadFill, state: int) -> int:
    """Return how many words fit what is read of a basis state; 1 where none is listed."""
    return len(dict(fill.words).get(gather_bits(state, fill.read), (0,)))


def fill_unread(states: dict[int, Number], fills: Sequence[UnreadFill], seed: int = 0) -> dict[int, Number]:
    """Return basis states with their unread qubits filled in, shots dealt out evenly among the words that fit.

    The rest after even dealing goes to one word after the other, from state to state; ``seed`` draws the first of these
    words. Shares (floats) are divided. A state that no word fits keeps its zeros.
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
                # The words that get one of the rest start at ``turn``, which moves on from state to state.
                share = each + ((k - turn) % len(choices) < rest)
                if share:
                    full = state | scatter_bits(word, fill.unread)
                    found[full] = found.get(full, 0) + share
            turn += rest
        states = found
    return states


def describe_unread(space: Space, fills: Sequence[UnreadFill]) -> str:
    """Return a note on the qubits that an oracle never reads, with the variables that they hold."""
    unread = {qubit for fill in fills for qubit in fill.unread}
    blocks = (block for number, block in enumerate(space.blocks) if unread & set(space.block_qubits(number)))
    names = ", ".join(name for block in blocks for name in block.variables)
    one = len(unread) == 1
    said, them, values = ("1 qubit", "it", "its value") if one else (f"{len(unread)} qubits", "them", "their values")
    return (
        f"the rules can be checked without {said} of {shorten(names, MOST_NAMES, placeholder=' ...')}: the circuit "
        f"leaves {them} at 0, and {values} {'is' if one else 'are'} filled in after the measurement; "
        f"qubits and states are counted with {them}"
    )


def real_state(amplitudes: NDArray[np.float64]) -> tuple[Gate, ...]:
    """Prepare a state of 2^n non-negative amplitudes from zeros; qubit 0 is the lowest bit of the index.

    Cost: at most 2^n - n - 1 CZ; none for a product of single-qubit states.
    Source: uniformly controlled rotations, Mottonen et al., quant-ph/0407010. The last CZ of each is not needed, since
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
            # Words that do not occur may take any angle: with the mean, angles depend on no more qubits than they must.
            angles[~alive] = angles[alive].mean()
        found.extend(_chosen_turn(angles, qubit, tuple(range(qubit + 1, count))))
    return tuple(found)


def _chosen_turn(angles: NDArray[np.float64], target: int, controls: tuple[int, ...]) -> list[Gate]:
    """Turn ``target``, zero before, about y by the angle that the word on ``controls`` chooses."""
    # With k controls the gates are ``Ry(a_n) CZ Ry(a_n-1) ... CZ Ry(a_0)``, n = 2^k - 1. Each CZ flips the sign of all
    # angles before it where its control is 1. The signs follow a Gray code, so the angles are a Walsh transform of
    # those wanted.
    steps = len(angles)
    gates: list[Gate] = []
    pending = 0
    # Masks of the controls whose CZ stand after each turn.
    for mask in (j ^ j >> 1 for j in reversed(range(steps))):
        signs = np.array([(-1) ** (word & mask).bit_count() for word in range(steps)])
        turn = float(np.dot(signs, angles)) / steps
        # A turn by nearly nothing is left out, and pairs of CZ around it cancel.
        if abs(turn) < 1e-12:
            continue
        if gates:
            gates.extend(_signs(pending ^ mask, target, controls))
        gates.append(Gate("ry", (target,), (turn,)))
        pending = mask
    return gates + _signs(pending, target, controls)


def _signs(mask: int, target: int, controls: tuple[int, ...]) -> list[Gate]:
    return [Gate("cz", (control, target)) for k, control in enumerate(controls) if mask >> k & 1]

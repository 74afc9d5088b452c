"""The form in which QAOA holds a block while its layers run.

A block of one qubit a value is prepared by decoding a binary number. Between preparation and measurement nothing
needs the decoded form: held as the number, on the same qubits, mixers and phases are often cheaper, and the decoding
comes once, at the end. Numbers are in Gray code where there are 2^n of them, so that a ring of four is two RX.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gatesolve.circuit import Op, Ops
from gatesolve.circuit.ops import rename_wires, shift_wires
from gatesolve.encodings import prepare
from gatesolve.encodings.block import Block
from gatesolve.encodings.mixer import is_unary
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.programs.unread import real_state

WIDEST = 10
"""Most qubits of a block that is given amplitudes of its own."""


@dataclass(frozen=True)
class WorkingForm:
    """A space to work in, and the way from it to the space asked for.

    Attributes:
        space: the same codewords in the same order, other bits.
        wires: the qubit of the space asked for that each of its qubits is.
        idle: qubits that are zero until ``finish``.
        finish: from its codewords to those of the space asked for, on the qubits of that.
    """

    space: Space
    wires: tuple[int, ...]
    idle: tuple[int, ...] = ()
    finish: Ops = ()


def keep_blocks(space: Space) -> WorkingForm:
    """Every block in its own form."""
    return WorkingForm(space, tuple(range(space.num_qubits)))


def number_blocks(space: Space) -> WorkingForm:
    """Every block of one qubit a value as a number; the others in their own form.

    Cost: of ``finish`` for a block of d values less than d ANDs and 2 d CX, as for its preparation.
    """
    blocks: list[Block] = []
    wires: list[int] = []
    idle: list[int] = []
    finish: list[Op] = []
    for block, first in zip(space.blocks, space.offsets, strict=True):
        if block.size == 1 or not is_unary(block):
            blocks.append(block)
            wires += range(first, first + block.num_qubits)
            continue
        power = block.size & (block.size - 1) == 0
        words = tuple(k ^ k >> 1 if power else k for k in range(block.size))
        place = {word: first + position for position, word in enumerate(words)}
        uniform = prepare.prepare_uniform(block.size)
        ops, roots = prepare.prepare_one_hot(block.size)
        used = [place[root] for root in roots]
        blocks.append(_number_block(block, words, uniform))
        wires += used
        idle += [qubit for qubit in place.values() if qubit not in used]
        finish += rename_wires(ops[len(uniform) :], place)
    return WorkingForm(Space(tuple(blocks)), tuple(wires), tuple(sorted(idle)), tuple(finish))


def _number_block(block: Block, words: tuple[int, ...], uniform: Ops) -> Block:
    width = (block.size - 1).bit_length()
    return replace(
        block,
        kind="binary" if len(block.variables) == 1 else "table",
        codewords=words,
        num_qubits=width,
        preparation=uniform,
        roots=tuple(range(width)),
        mirrors=(),
    )


def warm_start(space: Space, probabilities: Sequence[Sequence[float] | None]) -> Ops:
    """From zeros to a product over blocks of superpositions with positive amplitudes.

    For each block one probability a codeword, which are divided by their sum, or None for the uniform superposition.

    Raises:
        InputError: not one entry a block, or probabilities that are negative, no numbers, or too few.
        UnsupportedError: a block of more than ten qubits that is not one qubit a value.

    Cost: a block of n qubits at most 2^n - n - 1 CX; of one qubit a value as for the number, and the decoding.
    """
    if len(probabilities) != len(space.blocks):
        raise InputError(f"{len(probabilities)} starts for {len(space.blocks)} blocks: give one each, or None")
    ops: list[Op] = []
    for block, first, wanted in zip(space.blocks, space.offsets, probabilities, strict=True):
        ops += shift_wires(block.preparation if wanted is None else _prepare_block(block, wanted), first)
    return tuple(ops)


def _prepare_block(block: Block, wanted: Sequence[float]) -> Ops:
    """One block's start on its own qubits."""
    given = np.asarray(wanted, dtype=float)
    name = "/".join(block.variables)
    if given.shape != (block.size,):
        raise InputError(f"the start of {name} has {given.size} probabilities for {block.size} codewords")
    if not np.isfinite(given).all() or (given < 0).any() or not given.sum() > 0:
        raise InputError(f"the start of {name} needs probabilities that are finite, at least 0, and not all 0")
    inner = number_blocks(Space((block,)))
    numbered = inner.space.blocks[0]
    if numbered.num_qubits > WIDEST:
        raise UnsupportedError(f"a start of its own for {name} on {numbered.num_qubits} qubits: at most {WIDEST}")
    weights = np.zeros(1 << numbered.num_qubits)
    weights[list(numbered.codewords)] = given
    return (*rename_wires(real_state(np.sqrt(weights / weights.sum())), inner.wires), *inner.finish)

"""The same blocks under other codewords: which pattern stands for which tuple is free, and costs differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gatesolve.encodings.block import Block, make_coded
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.model import Variable


def recoded(block: Block, codewords: Sequence[int]) -> Block:
    """The block with other codewords, on as many qubits.

    Raises:
        InputError: as `shapes.make_coded`.
    """
    return make_coded(block.variables, block.tuples, codewords, block.num_qubits, block.kind)


def by_value(variable: Variable) -> Block:
    """Each value as its own binary digits, on as many qubits as the greatest takes.

    Measuring the block reads the value off without a decoder.

    Raises:
        InputError: a negative value, or a domain that `shapes.shape` cannot prepare.
    """
    if variable.domain[0] < 0:
        raise InputError(f"variable {variable.name} has the value {variable.domain[0]}: digits need values from 0 on")
    return make_coded((variable.name,), [(v,) for v in variable.domain], variable.domain, kind="binary")


def replaced(space: Space, number: int, block: Block) -> Space:
    """The space with block ``number`` replaced."""
    blocks = (*space.blocks[:number], block, *space.blocks[number + 1 :])
    return replace(space, blocks=blocks)

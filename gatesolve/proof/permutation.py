"""Permutation blocks in proofs: what they state, and that a shuffle makes all of their codewords from one-hot digits.

A block of n variables states the n values that they share. Cell i is a few qubits that hold the place of variable i's
value in binary; the digits follow, of 2 to n one-hot qubits. The operations of a shuffle change bits, and phases at
most, and no digit. So the search is the shuffle applied to a search whose cells are zero and whose digits are blocks of
their own. That holds whatever the phases are: the oracle commutes with them, and the reflection undoes them exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gatesolve.circuit import And, Gate, Ops, Xor, inverse
from gatesolve.encodings import Block, Space
from gatesolve.errors import UnsupportedError
from gatesolve.model import AllDifferent, Constraint, Model, NotEqual
from gatesolve.oracle.condition import Condition
from gatesolve.programs.unread import touched_qubits

PERMUTATION = "permutation"


def count_shuffles(space: Space) -> int:
    """Count the permutation blocks of a space."""
    return sum(block.kind == PERMUTATION for block in space.blocks)


def count_cells(block: Block) -> int:
    """The qubits of a permutation block's cells, which come first."""
    number = len(block.variables)
    return number * (number - 1).bit_length()


def list_digits(block: Block) -> list[tuple[int, ...]]:
    """The qubits of each digit of a permutation block, of 2, 3, ... values."""
    number, first = len(block.variables), count_cells(block)
    starts = [first + size * (size - 1) // 2 - 1 for size in range(2, number + 1)]
    return [tuple(range(start, start + size)) for start, size in zip(starts, range(2, number + 1), strict=True)]


def find_wrong_statement(model: Model, block: Block) -> str | None:
    """Return what is wrong with a permutation block's statement or its listed codewords; None if nothing is."""
    number = len(block.variables)
    domains = {model.domains[name] for name in block.variables}
    values = next(iter(domains))
    if number < 2 or len(set(block.variables)) < number or len(domains) > 1 or len(values) != number:
        return "its variables do not have the same values, as many as variables"
    if not any(
        isinstance(one, AllDifferent)
        and not any(one.offsets)
        and set(block.variables) <= set(one.variables)
        and len(set(one.variables)) == len(one.variables)
        for one in model.constraints
    ):
        return "no constraint says that its variables are all different"
    if block.num_qubits != list_digits(block)[-1][-1] + 1 or block.size != math.factorial(number):
        return "its qubits or its codewords are not as many as those of a permutation"
    if {*block.tuples[0]} != {*values} or (np.sort(block.values, axis=1) != np.array(values)).any():
        return "a codeword stands for values that are not all different"
    if len(np.unique(block.values, axis=0)) < block.size:
        return "two codewords stand for the same values"
    width = (number - 1).bit_length()
    cells = block.bits[:, : count_cells(block)].reshape(block.size, number, width)
    places = (cells << np.arange(width)).sum(axis=2)
    if (places >= number).any() or (np.array(values)[places] != block.values).any():
        return "the cells of a codeword do not hold the places of its values"
    return None


def take_apart(model: Model, space: Space) -> tuple[Model, Space]:
    """Return the constraints that permutation blocks do not hold, and the space with each of their cells a block.

    That space has more codewords, so what holds on it holds on the blocks' own.
    """
    blocks, held = list[Block](), list[set[str]]()
    for block in space.blocks:
        if block.kind != PERMUTATION:
            blocks.append(block)
            continue
        held.append(set(block.variables))
        size, width = len(block.variables), (len(block.variables) - 1).bit_length()
        for name in block.variables:
            rows = tuple((value,) for value in model.domains[name])
            blocks.append(Block("binary", (name,), rows, tuple(range(size)), width, (), ()))
        blocks.append(Block("digits", (), ((),), (0,), block.num_qubits - count_cells(block), (), ()))
    rest = tuple(one for one in model.constraints if not any(_is_held(one, names) for names in held))
    return Model(model.variables, rest, model.objective), Space(tuple(blocks))


def _is_held(constraint: Constraint, names: set[str]) -> bool:
    """Whether a constraint says no more than that some of these variables are different."""
    scope = constraint.scope
    if not set(scope) <= names or len(set(scope)) < len(scope):
        return False
    return (isinstance(constraint, AllDifferent) and not any(constraint.offsets)) or (
        isinstance(constraint, NotEqual) and constraint.offset == 0
    )


def reads_digits(conditions: Sequence[Condition], space: Space) -> bool:
    """Return whether a condition reads a digit, of which the space of cells says nothing."""
    digits = set[int]()
    for number, block in enumerate(space.blocks):
        if block.kind == PERMUTATION:
            digits |= set(space.block_qubits(number)[count_cells(block) :])
    return any(condition.qubits & digits for condition in conditions)


def split_shuffle(block: Block, before: Ops, after: Ops) -> tuple[Ops, Ops]:
    """Return what the preparation and the reflection do to a permutation block's digits, before one shuffle.

    Raises:
        UnsupportedError: there is no shuffle after that, or it does not make the block's codewords.
    """
    cells = set(range(count_cells(block)))
    first, then = (
        next((k for k, op in enumerate(ops) if cells & {*touched_qubits(op)}), len(ops)) for ops in (before, after)
    )
    shuffle = before[first:]
    if after[then:] != shuffle:
        raise UnsupportedError("the reflection does not undo the shuffle of the preparation")
    bits = block.bits.T.copy()
    every = np.ones(block.size, dtype=bool)
    for op in inverse(shuffle):
        match op:
            case Gate("x", (target,)):
                change = every
            case Gate("cx", (control, target)):
                change = bits[control]
            case Xor(source, target):
                change = source.value(bits.__getitem__, every)
            case And(left, right, target):
                change = left.value(bits.__getitem__, every) & right.value(bits.__getitem__, every)
            case _:
                raise UnsupportedError("a shuffle does more than to change bits")
        if target not in cells:
            raise UnsupportedError("a shuffle changes a digit")
        bits[target] = bits[target] ^ change
    # The codewords are different, and as many as words of the digits: each comes from another word.
    ones = [bits[list(own)].sum(axis=0) for own in list_digits(block)]
    if bits[sorted(cells)].any() or any((one != 1).any() for one in ones):
        raise UnsupportedError("the shuffle does not make the codewords")
    return before[:first], after[:then]

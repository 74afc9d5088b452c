"""Permutation blocks: variables that take as many values, each value once, prepared by a shuffle.

Cell i, the qubits of variable i, holds the place of a value in binary. It starts with place i. For i = 1, 2, ... a
one-hot digit of i + 1 values exchanges cell i with cell j where the digit is j. So every permutation comes from one
word of the digits. The digits keep that word, and belong to the codeword.

Source: the shuffle of Fisher and Yates; as a circuit arXiv:2504.17965.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from gatesolve.circuit import And, Gate, Op, Ops, Parity
from gatesolve.circuit.ops import shift_wires
from gatesolve.encodings import prepare
from gatesolve.encodings.block import Block, Mirror
from gatesolve.model import AllDifferent, Constraint, Model, NotEqual

KIND = "permutation"
FEWEST, MOST = 3, 9
"""Variables of a block: its codewords are listed, 362,880 for nine."""


def make_permutation(variables: Sequence[str], values: Sequence[int]) -> Block:
    """Lay out variables that take the given values, as many as there are variables, each once.

    Cost: for n variables n (n + 1) / 2 - 1 qubits for the digits. The shuffle takes 5 CX for each exchange of two bits:
    190, 385 and 545 CX for n = 6, 8 and 9. Each exchange is Margolus' gate between two CX, so a codeword's amplitude
    has a phase, which amplitude amplification does not see.
    """
    number, width = len(variables), (len(values) - 1).bit_length()
    held = number * width
    digits, shuffle = list_digits(number), _shuffle(number, width)
    cells = tuple(
        Block("binary", (name,), tuple((value,) for value in values), tuple(range(number)), width, (), ())
        for name in variables
    )
    others = digits[-1][-1] + 1 - held
    start = chain.from_iterable(shift_wires(prepare.split_one_hot(len(own)), own[0]) for own in digits)
    # The first digit has two values: to undo its preparation is cheaper.
    mirror = [shift_wires(prepare.split_one_hot(2), digits[0][0])]
    mirror += [shift_wires(prepare.mirror_one_hot(len(own)), own[0]) for own in digits[1:]]
    roots = (digits[0][1], *(own[0] for own in digits[1:]))
    return Block(
        KIND,
        tuple(variables),
        *_list_words(tuple(values)),
        held + others,
        (*start, *shuffle),
        tuple(qubit for own in digits for qubit in own[1:]),
        (Mirror((*chain.from_iterable(mirror), *shuffle), roots, tuple(range(held))),),
        (*cells, Block("digits", (), ((),), (0,), others, (), ())),
    )


def list_digits(number: int) -> list[tuple[int, ...]]:
    """The qubits of the digits, which follow the cells."""
    first, found = number * (number - 1).bit_length(), list[tuple[int, ...]]()
    for size in range(2, number + 1):
        found.append(tuple(range(first, first + size)))
        first += size
    return found


def _shuffle(number: int, width: int) -> Ops:
    """Return the exchanges that take cells at zero to a permutation by the digits."""
    ops: list[Op] = [
        Gate("x", (width * cell + bit,)) for cell in range(number) for bit in range(width) if cell >> bit & 1
    ]
    for cell, digit in enumerate(list_digits(number), start=1):
        for other in range(cell):
            # Where this exchange happens, cell i still holds i and cell j less: no higher bit is set in either.
            for bit in range(cell.bit_length()):
                high, low = width * cell + bit, width * other + bit
                move = Gate("cx", (low, high))
                ops += [move, And(Parity((digit[other],)), Parity((high,)), low), move]
    return tuple(ops)


@lru_cache(maxsize=8)
def _list_words(values: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return all permutations of some values, and the codeword of each; blocks of the same values share them."""
    number = len(values)
    width, size = (number - 1).bit_length(), math.factorial(number)
    cells = np.tile(np.arange(number), (size, 1))
    rows, drawn, step = np.arange(size), np.zeros(size, dtype=np.int64), 1
    first = number * width
    for cell, digit in enumerate(list_digits(number), start=1):
        other = rows // step % (cell + 1)
        step *= cell + 1
        drawn |= 1 << (digit[0] - first + other)
        cells[rows, cell], cells[rows, other] = cells[rows, other], cells[rows, cell]
    codes = (cells << width * np.arange(number)).sum(axis=1)
    words = (low | high << first for low, high in zip(codes.tolist(), drawn.tolist(), strict=True))
    return tuple(map(tuple, np.array(values)[cells].tolist())), tuple(words)


def is_shuffled(constraint: Constraint, block: Block) -> bool:
    """Return whether every codeword of a permutation block satisfies a constraint, as its values are all different."""
    if not set(constraint.scope) <= set(block.variables) or len(set(constraint.scope)) < len(constraint.scope):
        return False
    if isinstance(constraint, NotEqual):
        return constraint.offset == 0
    return isinstance(constraint, AllDifferent) and not any(constraint.offsets)


def find_permutations(model: Model) -> list[Block]:
    """Return disjoint permutation blocks, the largest first: of all-different constraints that use up one domain."""
    found, covered = list[Block](), set[str]()
    rules = (c for c in dict.fromkeys(model.constraints) if isinstance(c, AllDifferent) and c.variables)
    groups = [c for c in rules if not any(c.offsets)]
    for group in sorted(groups, key=lambda c: -len(c.variables)):
        names, values = group.variables, model.domains[group.variables[0]]
        same = len(values) == len(names) and all(model.domains[name] == values for name in names)
        if same and FEWEST <= len(names) <= MOST and covered.isdisjoint(names):
            found.append(make_permutation(names, values))
            covered |= set(names)
    return found

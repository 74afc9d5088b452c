"""Whether a condition is 1 on exactly the codewords on which some constraints hold.

Looked at are all combinations of codewords of the blocks that either reads. Few are listed, 64 to a machine word; of
many the condition becomes a decision diagram, and a sum or an all-different constraint an automaton.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.encodings import Block, Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Constraint, Linear, NotEqual
from gatesolve.oracle.condition import Condition
from gatesolve.proof.carries import check_carries
from gatesolve.proof.diagrams import TRUE, Diagrams, Node

LISTED = 1 << 20
"""Combinations of codewords up to which they are listed."""
Words = NDArray[np.uint64]
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
Shape = tuple[tuple[tuple[int, ...], int], ...]
V = TypeVar("V")


def compare_condition(condition: Condition, constraints: Sequence[Constraint], space: Space) -> tuple[str, int] | None:
    """How a condition was found to be the conjunction of constraints, and among how many combinations of codewords.

    Returns:
        ``listing``, ``carries`` or ``diagram`` with the number of combinations; None where the two differ.

    Raises:
        DoesNotFitError: too many combinations for constraints of these kinds.
    """
    homes = {space.home[name][0] for constraint in constraints for name in constraint.scope}
    homes |= {number for number in range(len(space.blocks)) if condition.qubits & set(space.block_qubits(number))}
    blocks = sorted(homes)
    rows = math.prod(space.blocks[number].size for number in blocks)
    if rows <= LISTED:
        same = _compare_rows(condition, constraints, space, blocks)
        return ("listing", rows) if same else None
    alone = constraints[0] if len(constraints) == 1 else None
    if isinstance(alone, Linear) and check_carries(condition, alone, space, blocks):
        return "carries", rows
    diagrams = Diagrams([space.blocks[number].size for number in blocks])
    wanted = TRUE
    for constraint in constraints:
        wanted = diagrams.conjoin(wanted, _read_constraint(constraint, space, blocks, diagrams))
    found = _read_condition(condition, space, blocks, diagrams)
    return ("diagram", rows) if found == wanted else None


def evaluate(condition: Condition, held: dict[int, V], one: V, conjoin: Callable[[V, V], V]) -> V:
    """The value of a condition, given what data qubits hold.

    Args:
        condition: flags and factors.
        held: by qubit; flags are added.
        one: the constant 1; values have an XOR by ``^``.
        conjoin: the AND of two values.
    """

    def read(parity: Parity) -> V:
        return parity.value(held.__getitem__, one)

    for number, flag in enumerate(condition.flags):
        value = read(flag.parity)
        for left, right in flag.products:
            value = value ^ conjoin(read(left), read(right))  # type: ignore[operator]
        held[-1 - number] = value
    product = one
    for factor in condition.factors:
        product = conjoin(product, read(factor))
    return product


def _compare_rows(condition: Condition, constraints: Sequence[Constraint], space: Space, blocks: list[int]) -> bool:
    members = [space.blocks[number] for number in blocks]
    words = _list_bits(tuple((block.codewords, block.num_qubits) for block in members))
    qubits = [qubit for number in blocks for qubit in space.block_qubits(number)]
    held = dict(zip(qubits, words, strict=True))
    rows = math.prod(block.size for block in members)
    one = np.full((rows + 63) // 64, FULL)
    found = np.unpackbits(evaluate(condition, held, one, np.bitwise_and).view(np.uint8), bitorder="little")[:rows]
    columns = _list_values(members)
    wanted = np.ones(rows, dtype=bool)
    for constraint in constraints:
        wanted &= constraint.holds({name: columns[name] for name in constraint.scope})
    return bool((found.view(bool) == wanted).all())


@lru_cache(maxsize=8)
def _list_bits(blocks: Shape) -> tuple[Words, ...]:
    """For each qubit its bits in all combinations of codewords, the first block's the fastest."""
    rows, step, found = math.prod(len(words) for words, _ in blocks), 1, list[Words]()
    for words, num_qubits in blocks:
        places = np.arange(rows) // step % len(words)
        for qubit in range(num_qubits):
            column = np.array([word >> qubit & 1 for word in words], dtype=np.uint8)[places]
            padded = np.zeros((rows + 63) // 64 * 64, dtype=np.uint8)
            padded[:rows] = column
            found.append(np.packbits(padded, bitorder="little").view(np.uint64))
        step *= len(words)
    return tuple(found)


def _list_values(blocks: Sequence[Block]) -> dict[str, NDArray[np.int64]]:
    rows, step = math.prod(block.size for block in blocks), 1
    columns = dict[str, NDArray[np.int64]]()
    for block in blocks:
        places = np.arange(rows) // step % block.size
        columns |= {name: block.values[places, k] for k, name in enumerate(block.variables)}
        step *= block.size
    return columns


class _Function:
    """A function with ``^``, as `evaluate` wants it."""

    def __init__(self, node: Node, diagrams: Diagrams) -> None:
        self.node, self._diagrams = node, diagrams

    def __xor__(self, other: _Function) -> _Function:
        return _Function(self._diagrams.xor(self.node, other.node), self._diagrams)

    def conjoin(self, other: _Function) -> _Function:
        return _Function(self._diagrams.conjoin(self.node, other.node), self._diagrams)


def _read_condition(condition: Condition, space: Space, blocks: list[int], diagrams: Diagrams) -> Node:
    held = {}
    for level, number in enumerate(blocks):
        for place, qubit in enumerate(space.block_qubits(number)):
            bits = (word >> place & 1 for word in space.blocks[number].codewords)
            held[qubit] = _Function(diagrams.branch(level, bits), diagrams)
    return evaluate(condition, held, _Function(TRUE, diagrams), _Function.conjoin).node


def _read_constraint(constraint: Constraint, space: Space, blocks: list[int], diagrams: Diagrams) -> Node:
    if isinstance(constraint, NotEqual):
        constraint = constraint.as_linear
    if isinstance(constraint, Linear):
        terms, compare = list(constraint.terms), constraint.compare
        sums = [_sum_words(space.blocks[number], terms) for number in blocks]
        return diagrams.accept(
            0, lambda level, word, total: total + sums[level][word], lambda total: bool(compare(total))
        )
    if isinstance(constraint, AllDifferent):
        taken = [_list_taken(space.blocks[number], constraint) for number in blocks]

        def step(level: int, word: int, used: frozenset[int]) -> frozenset[int] | None:
            new = taken[level][word]
            return None if len(set(new)) < len(new) or used & set(new) else used | set(new)

        return diagrams.accept(frozenset[int](), step, lambda used: True)
    rows = math.prod(diagrams.sizes)
    raise DoesNotFitError(f"'{constraint}' is read from {rows} combinations of codewords, up to {LISTED} are listed")


def _sum_words(block: Block, terms: list[tuple[int, str]]) -> list[int]:
    """Return the summand of each codeword of a block."""
    weights = Counter[str]()
    for weight, name in terms:
        weights[name] += weight
    return [sum(weights[n] * v for n, v in zip(block.variables, row, strict=True)) for row in block.tuples]


def _list_taken(block: Block, constraint: AllDifferent) -> list[tuple[int, ...]]:
    """The values that each codeword of a block takes from the others."""
    shifts = dict(constraint.shifted)
    return [
        tuple(v + shifts[n] for n, v in zip(block.variables, row, strict=True) if n in shifts) for row in block.tuples
    ]

"""Tables whose codewords are the variables' own binary digits, where the digits form an affine set.

The constraint needs no check, every variable still has its own qubits, and the preparation is a layer of H
and a few CX: `x != y` over bits is one H, one X and one CX.
"""

from __future__ import annotations

from collections.abc import Sequence

from gatesolve.circuit import Gate, Op, Parity, Xor
from gatesolve.circuit.gf2 import reduce_rows
from gatesolve.encodings.block import Block, make_binary
from gatesolve.encodings.choose import fill_space
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.model import Constraint, Model
from gatesolve.model.merge import tuples_of

MOST_TUPLES = 4096
"""Most tuples of one block."""


def digit_block(
    variables: Sequence[str], tuples: Sequence[tuple[int, ...]], domains: Sequence[tuple[int, ...]]
) -> Block | None:
    """The tuples, each variable in the binary encoding of its domain; None where the digits form no affine set.

    The first variable is on the lowest qubits, and the roots are the free digits.
    Cost: at most one CX a pair of a free and a dependent digit.
    """
    widths = [(len(domain) - 1).bit_length() for domain in domains]
    words = [_word(row, domains, widths) for row in tuples]
    span = reduce_rows(word ^ words[0] for word in words)
    if len(words) != 1 << len(span):
        return None
    # Each basis vector has its pivot in no other, so pivots are free and the other digits their parities.
    pivots = {vector & -vector: vector for vector in span}
    base = words[0]
    for pivot, vector in pivots.items():
        if base & pivot:
            base ^= vector
    total = sum(widths)
    ops: list[Op] = [Gate("h", (pivot.bit_length() - 1,)) for pivot in sorted(pivots)]
    for digit in range(total):
        sources = tuple(
            p.bit_length() - 1 for p, v in sorted(pivots.items()) if v >> digit & 1 and v & -v != 1 << digit
        )
        constant = bool(base >> digit & 1)
        if sources or constant:
            ops.append(Xor(Parity(sources, constant), digit))
    roots = tuple(sorted(p.bit_length() - 1 for p in pivots))
    return Block("table", tuple(variables), tuple(tuples), tuple(words), total, tuple(ops), roots)


def _word(row: Sequence[int], domains: Sequence[tuple[int, ...]], widths: Sequence[int]) -> int:
    word, place = 0, 0
    for value, domain, width in zip(row, domains, widths, strict=True):
        word |= domain.index(value) << place
        place += width
    return word


def digits_space(model: Model, prepared: Sequence[Sequence[Constraint]]) -> Space:
    """All variables in binary, with some constraints carried by the preparation.

    Args:
        model: the model.
        prepared: groups of its constraints, one block each; no variable in two groups.

    Raises:
        InputError: a group's solutions form no affine set of digits, are too many, or groups share a variable.
    """
    blocks = [_prepare_group(model, group) for group in prepared]
    names = [name for block in blocks for name in block.variables]
    if len(set(names)) != len(names):
        raise InputError("a variable is in two groups of prepared constraints: put those into one group")
    return fill_space(model, blocks, make_binary)


def _prepare_group(model: Model, group: Sequence[Constraint]) -> Block:
    reads = {name for constraint in group for name in constraint.scope}
    scope = tuple(v.name for v in model.variables if v.name in reads)
    tuples = tuples_of(scope, model.domains, group, MOST_TUPLES, 64 * MOST_TUPLES)
    block = digit_block(scope, tuples, [model.domains[name] for name in scope]) if tuples else None
    if block is None:
        raise InputError(
            f"constraints {', '.join(map(str, group))} have no affine set of at most {MOST_TUPLES} solutions: "
            "leave one to the oracle"
        )
    return block

"""Which basis-state operations at the end of a circuit can be done after its measurement, and what is known then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

from gatesolve.circuit import Mcx, Op, Ops, Planes, Write, run_ops
from gatesolve.encodings.space import Space

Action = Literal["z", "x", "other"]
"""What an operation does to a qubit: diagonal there, a polynomial of X there, or neither."""
MOST_STATES = 1 << 14
"""Codewords of blocks that the last operations join, up to which the bits before those are worked out."""
BitOp = Write | Mcx
"""What can be done on measured bits."""


def split_tail(ops: Ops) -> tuple[Ops, Ops]:
    """The operations that stay, and those that can be done after them and are basis-state maps.

    Whether an operation passes a later one is seen qubit by qubit: both diagonal there, or both polynomials of X.
    """
    after: defaultdict[int, set[Action]] = defaultdict(set)
    kept: list[Op] = []
    tail: list[Op] = []
    for op in reversed(ops):
        actions = _actions_of(op)
        if not op.is_mixing and all(after[q] <= ({a} - {"other"}) for q, a in actions.items()):
            tail.append(op)
            continue
        kept.append(op)
        for qubit, action in actions.items():
            after[qubit].add(action)
        for qubit in op.lent:
            # What is lent must be zero there, so nothing that was before it may come after it.
            after[qubit].add("other")
    return tuple(reversed(kept)), tuple(reversed(tail))


def _actions_of(op: Op) -> dict[int, Action]:
    """Return the action of an operation on each of its qubits."""
    if op.is_diagonal or op.is_mixing:
        return dict.fromkeys(op.wires, "z" if op.is_diagonal else "other")
    (target,) = op.changed
    # A relative phase may depend on the target.
    is_free = all(target not in factor.wires for _, factors in op.phases for factor in factors)
    return {**dict.fromkeys(op.wires, "z"), target: "x" if is_free else "other"}


def apply_to_bits(ops: Iterable[Op], bits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Basis-state operations on columns of bits, shape (qubits, states)."""
    planes = Planes.from_bits(bits)
    run_ops(ops, planes)
    return planes.unpack(planes.bits, bits.shape[1])


def find_constants(states: Sequence[BitOp], num_data: int, num_qubits: int, space: Space | None) -> dict[int, bool]:
    """Qubits that are constant before ``states`` if codewords and zeros come after, and their values."""
    if space is None or space.num_qubits != num_data:
        return {}
    found: dict[int, bool] = {}
    for numbers, ops in _group_blocks(states, space):
        blocks = Space(tuple(space.blocks[k] for k in numbers))
        if blocks.size > MOST_STATES:
            continue
        bits = np.zeros((num_qubits, blocks.size), dtype=bool)
        own = [q for k in numbers for q in space.block_qubits(k)]
        bits[own] = blocks.bits(np.arange(blocks.size))
        touched = sorted({*own, *(q for op in ops for q in op.wires)})
        # As basis-state maps these operations are their own inverse.
        before = apply_to_bits(reversed(ops), bits)
        found |= {q: bool(before[q, 0]) for q in touched if (before[q] == before[q, 0]).all()}
    return found


def _group_blocks(states: Sequence[BitOp], space: Space) -> Iterator[tuple[list[int], list[BitOp]]]:
    """Blocks that operations join, directly or by ancillas, with those operations in order."""
    blocks = len(space.blocks)
    home = {q: k for k in range(blocks) for q in space.block_qubits(k)}
    touched = [[home.get(q, blocks + q) for q in op.wires] for op in states]
    graph = rx.PyGraph()
    graph.add_nodes_from(range(1 + max([blocks - 1, *chain.from_iterable(touched)])))
    graph.add_edges_from_no_data([(nodes[0], node) for nodes in touched for node in nodes[1:]])
    for joined in rx.connected_components(graph):
        yield (
            sorted(k for k in joined if k < blocks),
            [op for op, nodes in zip(states, touched, strict=True) if nodes[0] in joined],
        )

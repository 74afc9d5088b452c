"""Any constraint as a decision diagram: one flag a node, XORed from mutually exclusive edges.

A node's flag is 1 on exactly the inputs whose path reaches it. Its incoming
edges exclude each other, so they are XORed into it: an AND an edge, never an OR.
The diagram's layers are whole blocks where every subset of the block's
codewords is a parity of its qubits (one-hot, domain-wall, two-bit codewords of
three values), and single qubits elsewhere.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.model import Linear
from gatesolve.oracle.condition import Condition, Flag, Product
from gatesolve.oracle.view import BlockProjection
from gatesolve.oracle.window import TruthTable, num_rows, unpack

State = Hashable
Node = tuple[tuple[int, int], ...]
"""The words that lead on from a node, by number, each with the number of its child."""
_DONE = "accepted"
"""The state of partial sums that are accepted whatever follows."""


def table_diagram(table: TruthTable, views: Sequence[BlockProjection]) -> Condition:
    """The diagram of a tabulated constraint, reduced (nodes with the same future are one)."""
    if not table.good:
        return Condition((), (Parity(()),), method="diagram")
    layers, ranks = _layers(views), list[list[int]]()
    rows, columns = np.flatnonzero(unpack(table.good, num_rows(views))), list[NDArray[np.int64]]()
    for view in views:
        rows, words = np.divmod(rows, len(view.words))
        if view.free:  # numbered as their bits are ordered: a view of hundreds of wires takes one number a row
            order = sorted(range(len(view.words)), key=view.words.__getitem__)
            ranks.append(np.argsort(order).tolist())
            columns.append(np.array(ranks[-1])[words])
        else:
            ranks += [[0, 1] for _ in view.wires]
            columns += list(np.array(view.words, dtype=np.int64)[words].T)
    accepted = np.unique(np.array(columns, dtype=np.int64).T, axis=0)
    future: dict[Node, int] = {}
    root = _reduce_trie(list(map(tuple, accepted.tolist())), 0, len(layers), future)
    children = {number: dict(node) for node, number in future.items()}

    def step(state: State, layer: int, word: int) -> State | None:
        assert isinstance(state, int)
        return children[state].get(ranks[layer][word])

    return _compile(layers, root, step)


def bound_diagram(table: TruthTable, views: Sequence[BlockProjection]) -> int:
    """CX that the diagram has at least: an AND for each node between two views that reads the next one."""
    good, before, ands = unpack(table.good, num_rows(views)), 1, 0
    for view, following in pairwise(views):
        before *= len(view.words)
        futures = {column.tobytes() for column in good.reshape(-1, before).T}
        for future in futures:
            column = np.frombuffer(future, dtype=bool).reshape(-1, len(following.words))
            ands += bool((column != column[:, :1]).any())
    return 3 * ands


def _layers(views: Sequence[BlockProjection]) -> list[BlockProjection]:
    """The reading steps: a whole view, or one wire after another."""
    layers: list[BlockProjection] = []
    for view in views:
        single = (BlockProjection((), (wire,), ((False,), (True,)), ((), ())) for wire in view.wires)
        layers.extend([view] if view.free else single)
    return layers


def _reduce_trie(rows: list[tuple[int, ...]], depth: int, end: int, future: dict[Node, int]) -> int:
    """Number of the node whose accepted continuations are ``rows`` from ``depth`` on; shared by content."""
    children: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    if depth < end:
        for row in rows:
            children[row[depth]].append(row)
    content = tuple((word, _reduce_trie(part, depth + 1, end, future)) for word, part in children.items())
    return future.setdefault(content, len(future))


def linear_diagram(constraint: Linear, views: Sequence[BlockProjection]) -> Condition | None:
    """The diagram of partial sums of a linear constraint too large to tabulate.

    None unless in every view each subset of words is a parity. Nodes that cannot reach the bound any more
    are left out.
    """
    if not all(view.free for view in views):
        return None
    coefficient = {name: c for c, name in constraint.terms}
    weights = [
        [
            sum(coefficient[n] * v for n, v in zip(view.names, row, strict=True) if n in coefficient)
            for row in view.values
        ]
        for view in views
    ]
    reach = _reachable_rests(weights)
    compare = {"==": operator.eq, "!=": operator.ne, "<=": operator.le}[constraint.relation]

    def step(state: State, layer: int, word: int) -> State | None:
        if state == _DONE:
            return _DONE
        assert isinstance(state, int)
        total = state + weights[layer][word]
        outcomes = {compare(total + rest, constraint.bound) for rest in reach[layer + 1]}
        if outcomes == {False}:
            return None
        return _DONE if outcomes == {True} else total

    return _compile(list(views), 0, step)


def _reachable_rests(weights: list[list[int]]) -> list[set[int]]:
    rests: list[set[int]] = [{0}]
    for row in reversed(weights):
        rests.append({r + w for r in rests[-1] for w in row})
    return rests[::-1]


def _compile(layers: list[BlockProjection], root: State, step: Callable[[State, int, int], State | None]) -> Condition:
    """Walk the layers from the root and give each reached node a flag."""
    flags: list[Flag] = []
    here: dict[State, Parity] = {root: Parity((), True)}
    for number, layer in enumerate(layers):
        edges: dict[State, list[Product]] = defaultdict(list)
        for state, reached in here.items():
            for child, indicator in _edges(layer, state, number, step):
                edges[child].append((reached, indicator))
        here = {child: _node(flags, incoming) for child, incoming in edges.items()}
    return Condition(tuple(flags), (Parity.xor_all(here.values()),), method="diagram")


def _edges(
    layer: BlockProjection, state: State, number: int, step: Callable[[State, int, int], State | None]
) -> Iterator[tuple[State, Parity]]:
    chosen: dict[State, set[int]] = defaultdict(set)
    for word in range(len(layer.words)):
        child = step(state, number, word)
        if child is not None:
            chosen[child].add(word)
    for child, words in chosen.items():
        indicator = layer.indicator(words)
        assert indicator is not None
        yield child, indicator


def _node(flags: list[Flag], incoming: list[Product]) -> Parity:
    """The parity that is 1 where the node is reached; a new flag unless no AND is needed."""
    products: list[Product] = []
    parity = Parity(())
    for reached, indicator in incoming:
        if not reached.wires or not indicator.wires:
            # A constant factor: reached always (or never), or an edge taken whatever the word.
            whole = indicator if not reached.wires else reached
            constant = reached.constant if not reached.wires else indicator.constant
            parity ^= whole if constant else Parity(())
        else:
            products.append((reached, indicator))
    if not products:
        return parity
    flags.append(Flag(tuple(products)))
    return parity ^ Parity((-len(flags),))

"""One synthesiser a constraint kind: constraint -> Condition; and decision diagrams for any constraint.

A diagram has one flag a node, 1 on exactly the inputs whose path reaches it. Its incoming edges exclude each other, so
they are XORed into it: an AND an edge, never an OR. The diagram's layers are whole blocks where every subset of the
block's codewords is a parity of its qubits (one-hot, domain-wall, two-bit codewords of three values), else single
qubits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan
from gatesolve.encodings.block import Block, make_one_hot
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, NotEqual, Table, Variable
from gatesolve.model.trees import Tree, list_rows
from gatesolve.oracle.algebraic import find_conjunction
from gatesolve.oracle.all_different import compile_injection, compile_permutation
from gatesolve.oracle.condition import ONE, ZERO, Condition, Flag, Product
from gatesolve.oracle.network import Network, span_functions
from gatesolve.oracle.sums import compile_clause, compile_sum, compile_unequal
from gatesolve.oracle.tree import compile_tree
from gatesolve.oracle.view import BlockProjection
from gatesolve.oracle.window import TruthTable, choose_projections, num_rows, tabulate_views, unpack

Node = tuple[tuple[int, int], ...]
"""The words that lead on from a node, by number, each with the number of its child."""
WINDOW_ROWS = 1 << 16
TABLE_ROWS = 1 << 12
"""Rows up to which a constraint that is arithmetic is tabulated too."""
LEAF_ROWS = 1 << 9
"""The same for one within another, of which there are many."""
ALGEBRAIC_ROWS = 1 << 12
ALGEBRAIC_WIRES = 24
MOST_VALUES = 16
"""Most values of a variable for which each gets a parity of its own."""


def table_diagram(table: TruthTable, views: Sequence[BlockProjection]) -> Condition:
    """Return the diagram of a tabulated constraint, reduced (nodes with the same future are one)."""
    if not table.good:
        return Condition((), (Parity(()),), method="diagram")
    # The reading steps: a whole view, or one wire after another.
    layers, ranks = list[BlockProjection](), list[list[int]]()
    rows, columns = np.flatnonzero(unpack(table.good, num_rows(views))), list[NDArray[np.int64]]()
    for view in views:
        rows, words = np.divmod(rows, len(view.words))
        # Numbered in the order of their bits: a view of hundreds of wires takes one number a row.
        if view.free:
            order = sorted(range(len(view.words)), key=view.words.__getitem__)
            layers.append(view)
            ranks.append(np.argsort(order).tolist())
            columns.append(np.array(ranks[-1])[words])
        else:
            layers += [BlockProjection((), (wire,), ((False,), (True,)), ((), ())) for wire in view.wires]
            ranks += [[0, 1] for _ in view.wires]
            columns += list(np.array(view.words, dtype=np.int64)[words].T)
    accepted = np.unique(np.array(columns, dtype=np.int64).T, axis=0)
    # Equal futures get one number, so that the trie becomes a reduced diagram.
    future: dict[Node, int] = {}
    root = _reduce_trie(list(map(tuple, accepted.tolist())), 0, len(layers), future)
    return _compile(layers, ranks, root, {number: dict(node) for node, number in future.items()})


def bound_diagram(table: TruthTable, views: Sequence[BlockProjection]) -> int:
    """Return the CX that the diagram has at least: an AND for each node between two views that reads the next one."""
    good, before, ands = unpack(table.good, num_rows(views)), 1, 0
    for view, following in pairwise(views):
        before *= len(view.words)
        futures = {column.tobytes() for column in good.reshape(-1, before).T}
        for future in futures:
            column = np.frombuffer(future, dtype=bool).reshape(-1, len(following.words))
            ands += bool((column != column[:, :1]).any())
    return 3 * ands


def _reduce_trie(rows: list[tuple[int, ...]], depth: int, end: int, future: dict[Node, int]) -> int:
    """Number of the node whose accepted continuations are ``rows`` from ``depth`` on; shared by content."""
    children: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    if depth < end:
        for row in rows:
            children[row[depth]].append(row)
    content = tuple((word, _reduce_trie(part, depth + 1, end, future)) for word, part in children.items())
    return future.setdefault(content, len(future))


def _compile(
    layers: list[BlockProjection], ranks: list[list[int]], root: int, children: dict[int, dict[int, int]]
) -> Condition:
    """Walk the layers from the root and give each reached node a flag; children are by the rank of a layer's word."""
    flags: list[Flag] = []
    here: dict[int, Parity] = {root: Parity((), True)}
    for layer, order in zip(layers, ranks, strict=True):
        edges: dict[int, list[Product]] = defaultdict(list)
        for state, reached in here.items():
            chosen: dict[int, set[int]] = defaultdict(set)
            for word, rank in enumerate(order):
                if rank in children[state]:
                    chosen[children[state][rank]].add(word)
            for child, words in chosen.items():
                indicator = layer.indicator(words)
                assert indicator is not None
                edges[child].append((reached, indicator))
        here = {child: _node(flags, incoming) for child, incoming in edges.items()}
    return Condition(tuple(flags), (Parity.xor_all(here.values()),), method="diagram")


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


def synthesise(constraint: Constraint, space: Space, listed: int = TABLE_ROWS) -> Condition:
    """Compile one constraint to flags and factors, right on every codeword of ``space``.

    The cheapest condition is taken. Sums, comparisons and clauses are arithmetic (`gatesolve.oracle.sums`).
    All-different is made of functions of a value or of pairs, trees part by part (`gatesolve.oracle.tree`). Where the
    blocks have few combinations (``listed``, or 2^16 without arithmetic), a conjunction of affine and quadratic forms
    and a decision diagram are tried too.

    Raises:
        DoesNotFitError: none of these applies; the message names the constraint and what would fit.
    """
    views = choose_projections(constraint, space)
    rows = num_rows(views)
    found: list[Condition] = []
    try:
        found = _from_arithmetic(constraint, views, space)
    except DoesNotFitError:
        if rows > WINDOW_ROWS:
            raise
    if rows <= (listed if found else WINDOW_ROWS):
        found = _from_table(constraint, views, min((one.cost for one in found), default=None)) + found
    condition = min(found, key=attrgetter("price"), default=None)
    if condition is None:
        raise DoesNotFitError(
            f"constraint '{constraint}' has {rows} combinations of codewords, more than {WINDOW_ROWS}: "
            "use encoding='one-hot', or presolve='propagate' to shrink the domains"
        )
    return replace(condition, label=str(constraint))


compile_once = lru_cache(maxsize=4096)(synthesise)
"""The condition of a constraint that several thresholds count or bound."""


def _from_table(constraint: Constraint, views: Sequence[BlockProjection], most: int | None) -> list[Condition]:
    table, wires = tabulate_views(constraint, views), [wire for view in views for wire in view.wires]
    small = num_rows(views) <= ALGEBRAIC_ROWS and len(wires) <= ALGEBRAIC_WIRES
    conjunction = find_conjunction(table) if small else None
    # On a tie the conjunction: its factors join the AND tree of all constraints and keep it shallow.
    found = [] if conjunction is None else [conjunction.over(wires)]
    least = min([one.cost for one in found] + ([] if most is None else [most]), default=None)
    # A diagram that must take more CX than what is found already is not made.
    if least is None or bound_diagram(table, views) <= least:
        found.append(table_diagram(table, views))
    return found


def _from_arithmetic(constraint: Constraint, views: Sequence[BlockProjection], space: Space) -> list[Condition]:
    homes = {name: view for view in views for name in view.names}
    leaf = partial(synthesise, space=space, listed=LEAF_ROWS)
    found: list[Condition | None] = []
    match constraint:
        case NotEqual():
            found = [compile_sum(constraint.as_linear, homes), compile_unequal(constraint, homes)]
        case Linear():
            found = [compile_sum(constraint, homes)]
        case Clause() if constraint.literals:
            found = [compile_clause(constraint, homes)]
        case AllDifferent():
            found = [_all_different(constraint, views, space)]
        case Tree():
            found = [compile_tree(constraint, homes, leaf), compile_by_values(constraint, views)]
        case Table():
            rule = list_rows(constraint) if num_rows(views) > WINDOW_ROWS else None
            if (rule := constraint.rule or rule) is not None:
                found = [compile_tree(rule, homes, leaf), compile_by_values(rule, views)]
    return [one for one in found if one is not None]


def _all_different(constraint: AllDifferent, views: Sequence[BlockProjection], space: Space) -> Condition:
    """Functions of a value where there are as many values as variables or more, or pairs of variables."""
    names, shifts = constraint.variables, dict(constraint.shifted)
    homes = {name: view.shifted(shifts) for view in views for name in view.names}
    domains = {n: {row[homes[n].names.index(n)] for row in homes[n].values} for n in names}
    values = sorted(set().union(*domains.values()))
    found: Condition | None = None
    if len(values) == len(names):
        literals = {(n, v): homes[n].where(n, {v}) for n in names for v in domains[n]}
        if all(p is not None for p in literals.values()):
            # If all values except one occur at least once, the last is left at most one variable. The parity of the
            # total decides about that, so the last value needs no factor: every other one an odd number of times.
            chosen = [[literals.get((name, v)) or ZERO for name in names] for v in values[:-1]]
            return Condition((), tuple(map(Parity.xor_all, chosen)), method="affine")
        found = compile_permutation(names, values, homes)
    elif len(names) > 2:
        found = compile_injection(names, values, homes)
    parts: list[Condition] = []
    for pair in constraint.pairs:
        if domains[pair.left] & domains[pair.right]:
            parts.append(synthesise(pair, space))
        # Pairs that cost more already cannot win.
        if found is not None and sum(part.cost for part in parts) > found.cost:
            return found
    return join_conditions(parts)


def join_conditions(parts: Sequence[Condition]) -> Condition:
    """Join several conditions into one, with flags renumbered."""
    flags: list[Flag] = []
    factors: list[Parity] = []
    for part in parts:
        moved = part.shifted(len(flags))
        flags.extend(moved.flags)
        factors.extend(moved.factors)
    return Condition(tuple(flags), tuple(factors), method="pairs")


def compile_by_values(constraint: Constraint, views: Sequence[BlockProjection]) -> Condition | None:
    """Compile a constraint as over one-hot codes, whose qubits are made of each variable's own.

    None where a variable shares its block or has too many values, or where every value is a parity as it is.

    Cost: for k values on n < k - 1 qubits k - 1 - n ANDs a variable, besides what one-hot codes take.
    """
    if all(view.free for view in views) or any(len(v.names) > 1 or len(v.words) > MOST_VALUES for v in views):
        return None
    network, wires, blocks = Network(), list[Parity](), list[Block]()
    for view in views:
        block = make_one_hot(Variable(view.names[0], tuple(sorted(row[0] for row in view.values))))
        values = [row[0] for row in view.values]
        every, functions = span_functions(network, view, {v: k for k, v in enumerate(values)})
        span = AffineSpan.of([function for function, _ in functions], every)
        # A fixed variable takes no qubit, so its one value gets no wire.
        for (v,), _ in zip(block.tuples, range(block.num_qubits), strict=False):
            # The function of value k alone is bit k; of its parities the shortest costs the fewest CX.
            shortest = min(span.parities(1 << values.index(v)), key=lambda one: len(one.wires))
            wires.append(shortest.value([parity for _, parity in functions].__getitem__, ONE))
        blocks.append(block)
    found = synthesise(constraint, Space(tuple(blocks))).shifted(len(network.flags)).over(wires)
    return replace(found, flags=(*network.flags, *found.flags))

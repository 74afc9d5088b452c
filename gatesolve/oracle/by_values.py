"""Constraints compiled as over one-hot codes: a few ANDs a variable make a parity that is 1 at each of its values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan
from gatesolve.encodings.block import Block, make_one_hot
from gatesolve.encodings.space import Space
from gatesolve.model import Constraint, Variable
from gatesolve.oracle.condition import ONE, Condition
from gatesolve.oracle.network import Network, span_functions
from gatesolve.oracle.view import BlockProjection

MOST_VALUES = 16
"""Most values of a variable for which each gets a parity of its own."""


def compile_by_values(
    constraint: Constraint, views: Sequence[BlockProjection], compile_in: Callable[[Constraint, Space], Condition]
) -> Condition | None:
    """Compile a constraint as over one-hot codes, whose qubits are made of each variable's own.

    None where a variable shares its block or has too many values, or where every value is a parity as it is.

    Args:
        constraint: over variables of the views.
        views: what is seen of each variable's block.
        compile_in: compiles a constraint in a space.

    Cost: for k values on n < k - 1 qubits k - 1 - n ANDs a variable, besides what one-hot codes take.
    """
    if all(view.free for view in views) or any(len(v.names) > 1 or len(v.words) > MOST_VALUES for v in views):
        return None
    network, wires, blocks = Network(), list[Parity](), list[Block]()
    for view in views:
        block = make_one_hot(Variable(view.names[0], tuple(sorted(row[0] for row in view.values))))
        told = _tell_values(network, view)
        # A fixed variable takes no qubit, so its one value gets no wire.
        wires += [told[v] for (v,), _ in zip(block.tuples, range(block.num_qubits), strict=False)]
        blocks.append(block)
    found = compile_in(constraint, Space(tuple(blocks))).shifted(len(network.flags)).over(wires)
    return replace(found, flags=(*network.flags, *found.flags))


def _tell_values(network: Network, view: BlockProjection) -> dict[int, Parity]:
    """Return, for each value of the view's one variable, the parity that is 1 there."""
    values = [row[0] for row in view.values]
    every, functions = span_functions(network, view, {v: k for k, v in enumerate(values)})
    span = AffineSpan.of([function for function, _ in functions], every)
    told: dict[int, Parity] = {}
    for k, v in enumerate(values):
        # The function of value k alone is bit k; of its parities the shortest costs the fewest CX.
        shortest = min(span.parities(1 << k), key=lambda one: len(one.wires))
        told[v] = shortest.value([parity for _, parity in functions].__getitem__, ONE)
    return told

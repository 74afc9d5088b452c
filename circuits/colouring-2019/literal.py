"""The strictest row: every district on its own, every edge its own AND, nothing of one edge used for another.

Both ends of an edge have the same colour where both binary digits agree, so an edge is one AND of two parities onto an
ancilla of its own. District 2 has two colours, 1 and 3, on one wire; of an edge to it one parity is a single digit. The
complements of all thirteen are ANDed, in three chains that one CCZ joins: the first edge of a chain is an AND, each
later one an `AndNot` with what the chain has so far. By hand are the order of the edges and that the XORs of an edge's
digits are made in place: the digits of 3 go onto those of its neighbours, and what they leave there serves the other
edges, one CX a digit and edge. A CX is undone only after the CCZ.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count

from qiskit import QuantumCircuit
from recode import by_value

from gatesolve.circuit import And, AndNot, Op, Ops, Parity, PhaseFlip, Xor, inverse
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.ops import rename_wires
from gatesolve.encodings import Space
from gatesolve.encodings.block import make_coded
from gatesolve.model import Model
from gatesolve.oracle import Oracle
from gatesolve.programs.program import Program
from gatesolve.simulate.order import narrow_order

TWO = "02 23 25 26"
"""Edges of district 2, before any CX."""
STEPS = "30 31 34 35 36 10 41 64 56"
"""The other edges in order; at each the wires of its first district are XORed onto those of its second.

With those of 3 on all others, two neighbours' wires XORed are their own edge again, as that of 3 cancels.
"""
ANCILLAS = 13
"""One an edge."""
CHAINS = 3
MERGED = 6
"""Ancillas lowered as one through all iterations; with another one a simulation takes over 2^20 terms."""


def literal_space(model: Model, names: str) -> Space:
    """Each district's colours in their own digits, those of 2 by the high one alone."""
    two = make_coded(("2",), [(1,), (3,)], (0, 1), kind="binary")
    return Space(tuple(two if v.name == "2" else by_value(v) for v in model.variables if v.name in names))


def literal_oracle(space: Space, without: str = "") -> Oracle:
    """Phase -1 where the ends of no edge have the same colour; ``without`` names an edge that is left out."""
    offsets = {block.variables[0]: first for block, first in zip(space.blocks, space.offsets, strict=True)}
    compute: list[Op] = []
    chains = deque[Parity]()
    ancilla = count(space.num_qubits)
    for edge, ops, left, right in _edges(offsets):
        compute += ops
        if edge == without:
            continue
        target = next(ancilla)
        if len(chains) < CHAINS:
            compute.append(And(left, right, target))
            chains.append(Parity((target,), True))
        else:
            compute.append(AndNot(chains.popleft(), left, right, target))
            chains.append(Parity((target,)))
    return Oracle((*compute, PhaseFlip(tuple(chains)), *inverse(compute)), space.num_qubits, ANCILLAS)


def _edges(offsets: dict[str, int]) -> Iterator[tuple[str, list[Op], Parity, Parity]]:
    """Each edge, what is XORed before it, and the parities that are both 1 where its ends have the same colour."""
    two = offsets["2"]
    for edge in TWO.split():
        low, high = (offsets[edge.replace("2", "")] + digit for digit in (0, 1))
        # 5 and 6 have no 3, so they agree with 2 where both are 1; 0 and 3 have no 0.
        same = Parity((two,), True) if edge in {"25", "26"} else Parity.of((two, high), True)
        yield edge, [], same, Parity((low,))
    for source, target in STEPS.split():
        digits = [(offsets[source] + digit, offsets[target] + digit) for digit in (0, 1)]
        ops: list[Op] = [Xor(Parity((source,)), target) for source, target in digits]
        yield "".join(sorted(source + target)), ops, *(Parity((target,), True) for _, target in digits)


def lower_apart(program: Program, end: Ops, *, merged: int) -> QuantumCircuit:
    """The search, then ``end``, in an order of few terms.

    Lowered as one, the H that ends an ancilla's use in one iteration cancels with the one that begins it in the next.
    That saves two gates, and leaves the ancilla in superposition all the while: more terms than sparse simulations
    follow. So only the first ``merged`` ancillas are lowered as one; the others are other wires in each iteration, and
    the same again afterwards.
    """
    width, kept = program.num_qubits, program.space.num_qubits + merged
    ops = list(program.section("preparation").ops)
    for number in range(program.iterations):
        wires = [q if q < kept else q + number * (width - kept) for q in range(width)]
        ops += rename_wires(program.section("iteration").ops, wires)
    apart = lower([*ops, *end], kept + program.iterations * (width - kept))
    circuit = QuantumCircuit(width)
    used = [0] * apart.num_qubits
    for step in apart.data:
        wires = [apart.find_bit(qubit).index for qubit in step.qubits]
        places = [q if q < kept else kept + (q - kept) % (width - kept) for q in wires]
        if any(q < used[place] for q, place in zip(wires, places, strict=True)):
            raise ValueError("an ancilla's uses overlap")
        for q, place in zip(wires, places, strict=True):
            used[place] = q
        circuit.append(step.operation, places)
    ordered = circuit.copy_empty_like()
    ordered.data = [circuit.data[place] for place in narrow_order(circuit)]
    return ordered

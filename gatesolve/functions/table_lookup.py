"""A table of whole numbers as one circuit (also called QROM): add the entry of an index to a register."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit, QuantumRegister

from gatesolve.circuit import And, Op, Ops, Planes, Xor, inverse, run_ops
from gatesolve.circuit.lowering import GATE_SETS, GateSet, lower
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.functions.lookup import (
    MOST_INDEX_BITS,
    LookupChain,
    drawn_lookup,
    monomial_lookup,
)

MOST_DRAWN = 5
"""Index bits up to which chains of ANDs are drawn; a longer table takes all products of index bits."""


def table_lookup(values: Sequence[int], *, gates: GateSet = "cx+u", tries: int = 20, seed: int = 1) -> QuantumCircuit:
    """Build a circuit that takes ``|i>|y>|0>`` to ``|i>|y XOR values[i]>|0>``.

    Args:
        values: whole numbers from 0 on, 2^n of them; entry i belongs to index i.
        gates: ``cx+u``, ``clifford+t`` or ``clifford+toffoli``.
        tries: chains of ANDs tried; the one of fewest CX is taken.
        seed: of the draw; the same arguments give the same circuit.

    Returns:
        Registers ``index`` (n qubits), ``value`` (as many as the greatest entry has bits, at least one) and
        ``ancilla`` (zero before and after), each with its lowest bit first. The operations were run on every index.

    Raises:
        InputError: the values are no table, or an option is not offered.
        DoesNotFitError: the table has more than 2^10 entries.
    """
    num_index = _index_bits(values)
    values = [int(value) for value in values]
    if gates not in GATE_SETS:
        raise InputError(f"unknown gate set '{gates}': use {', '.join(GATE_SETS)}")
    if not isinstance(tries, int) or tries < 1:
        raise InputError(f"tries must be a whole number from 1, not {tries!r}")
    num_bits = max(1, max(values).bit_length())
    columns = [sum((value >> bit & 1) << i for i, value in enumerate(values)) for bit in range(num_bits)]
    chains = [monomial_lookup(num_index)]
    if num_index <= MOST_DRAWN:
        draw = random.Random(seed)
        chains = [drawn_lookup(columns, num_index, draw) for _ in range(tries)]
    ops, width = min((_load(chain, columns) for chain in chains), key=lambda made: sum(op.counts.cx for op in made[0]))
    _check(ops, width, num_index, values)
    sizes = {"index": num_index, "value": num_bits, "ancilla": width - num_index - num_bits}
    circuit = QuantumCircuit(*(QuantumRegister(size, name) for name, size in sizes.items() if size))
    return circuit.compose(lower(ops, width, gates))


def _index_bits(values: Sequence[int]) -> int:
    for row, value in enumerate(values):
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 0:
            raise InputError(f"entry {row} of the table is {value!r}: give whole numbers from 0 on")
    num_index = len(values).bit_length() - 1
    if len(values) < 2 or len(values) != 1 << num_index:
        raise InputError(f"the table has {len(values)} entries: fill it up to a power of two, at least 2")
    if num_index > MOST_INDEX_BITS:
        raise DoesNotFitError(f"the table has {len(values)} entries: at most {1 << MOST_INDEX_BITS} are looked up")
    return num_index


def _load(chain: LookupChain, columns: Sequence[int]) -> tuple[Ops, int]:
    """Run the steps of the chain that are read, add each column to its qubit, undo the steps; and the width."""
    parities = [chain.parity(column) for column in columns]
    read = {wire for parity in parities for wire in parity.wires}
    for number in range(len(chain.steps) - 1, -1, -1):
        if chain.num_index + number in read:
            read.update(chain.steps[number].left.wires, chain.steps[number].right.wires)
    kept = [number for number in range(len(chain.steps)) if chain.num_index + number in read]
    place = dict(enumerate(range(chain.num_index)))
    first = chain.num_index + len(columns)
    place.update((chain.num_index + number, first + rank) for rank, number in enumerate(kept))
    wires = [place.get(wire, 0) for wire in range(chain.num_wires)]
    make: list[Op] = []
    for number in kept:
        step = chain.steps[number]
        make.append(And(step.left.renamed(wires), step.right.renamed(wires), wires[chain.num_index + number]))
    adds = [Xor(parity.renamed(wires), chain.num_index + bit) for bit, parity in enumerate(parities)]
    return (*make, *adds, *inverse(tuple(make))), first + len(kept)


def _check(ops: Ops, width: int, num_index: int, values: Sequence[int]) -> None:
    """Run the operations on every index: the entry arrives, everything else is as before."""
    size = len(values)
    bits = np.zeros((width, size), dtype=bool)
    bits[:num_index] = np.arange(size) >> np.arange(num_index)[:, None] & 1
    planes = Planes.from_bits(bits)
    run_ops(ops, planes)
    entries = [[value >> bit & 1 for value in values] for bit in range(width - num_index)]
    bits[num_index:] = entries
    if not np.array_equal(planes.unpack(planes.bits, size), bits) or planes.unpack(planes.phase, size).any():
        raise AssertionError("the lookup does not load its table: please report this as a bug")

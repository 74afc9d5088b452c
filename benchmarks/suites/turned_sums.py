"""Sums of bits in an oracle by turned wires, beside our adders: does it pay to build that in?

    python -m benchmarks turned-sums            # the table in docs/contributors/mcx.md

The condition is that n // 2 of n bits are 1. Each digit that is needed has a wire of its own that is turned by
pi / 2^k for each bit, so that it is surely 1 where the digit is right and all lower ones are; where a lower one is
wrong, that wire is surely 0, and whatever this one holds changes nothing. One multi-controlled Z marks, and the turns
are undone. Both circuits are lowered by gatesolve, and both are run on every input.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cpmpy as cp
import numpy as np
from qiskit import QuantumCircuit

import gatesolve
from benchmarks.core.suite import make_parser
from gatesolve.circuit import AffineSpan, Gate, Op, Parity, PhaseFlip, Xor, inverse, lower
from gatesolve.functions import bits_of
from gatesolve.programs import lower_part
from gatesolve.simulate import diagonal_phases

BITS = (4, 5, 6, 7, 8, 9, 10, 12)


def turned(bits: int, ones: int) -> tuple[QuantumCircuit, int]:
    """The oracle by turned wires, and its ancillas: the wires, and what the multi-controlled Z is lent."""
    digits = next(d for d in range(1, bits + 2) if sum((c - ones) % (1 << d) == 0 for c in range(bits + 1)) == 1)
    root, wires = bits // 2, range(bits, bits + digits - 1)
    edges = [(k + 1, k) if k < root else (k, k + 1) for k in range(bits - 1)]
    sums = [Xor(Parity((source,)), held) for source, held in [*edges[:root], *reversed(edges[root:])]]
    ops: list[Op] = []
    for place, wire in enumerate(wires, 1):
        # The last bit stays on the wire, which is a half turn where it is 1.
        unit = math.pi / (1 << place)
        start = unit * (bits / 2 - ones) + math.pi / 2
        ops.append(Gate("ry", (wire,), (start,)))
        if abs(math.cos(start)) > 1e-9:  # else a CX gives no more than a phase
            ops.append(Xor(Parity((0,)), wire))
        ops.append(Gate("ry", (wire,), (-unit / 2,)))
    ops += sums
    for step, (_, held) in enumerate(edges, 2):
        for place, wire in enumerate(wires, 1):
            angle = (math.pi / 2 if step == bits else 0) - math.pi / (1 << place) / 2
            ops += [Xor(Parity((held,)), wire), Gate("ry", (wire,), (angle,))]
    factors = (parity_of_all(bits, sums, ones), *(Parity((wire,)) for wire in wires))
    clean = tuple(range(wires.stop, wires.stop + max(0, len(factors) - 3)))
    width = wires.stop + len(clean)
    return lower((*ops, PhaseFlip(factors, clean), *inverse(ops)), width), width - bits


def parity_of_all(bits: int, sums: list[Xor], ones: int) -> Parity:
    """1 where the parity of all bits is that of ``ones``, by what the bits' wires hold after the sums."""
    held = [1 << wire for wire in range(bits)]
    for one in sums:
        held[one.target] ^= held[one.source.wires[0]]
    span = AffineSpan.of(held, (2 << bits) - 1)  # a bit more than there is, so that the constant is not used
    mask = span.express((1 << bits) - 1)
    assert mask is not None
    return span.parity(mask) ^ Parity((), not ones & 1)


def adders(bits: int, ones: int) -> tuple[QuantumCircuit, int]:
    """What `gatesolve.compile` makes of the model, and its ancillas."""
    model = cp.Model(cp.sum([cp.boolvar(name=f"x{k}") for k in range(bits)]) == ones)
    program = gatesolve.compile(model, presolve="none", encoding="binary").program
    return lower_part(program, "oracle"), program.num_qubits - bits


def is_right(circuit: QuantumCircuit, bits: int, ones: int) -> bool:
    """Whether just the inputs with so many ones have the phase -1, up to a global one."""
    inputs = np.zeros((circuit.num_qubits, 1 << bits), dtype=bool)
    inputs[:bits] = bits_of(bits)
    phases, signs = diagonal_phases(circuit, inputs), np.where(inputs[:bits].sum(axis=0) == ones, -1, 1)
    return phases is not None and np.allclose(phases * signs, phases[0] * signs[0], atol=1e-8)


def counts(circuit: QuantumCircuit, ancillas: int) -> tuple[int, int, int]:
    """CX, layers of CX, ancillas."""
    return circuit.count_ops()["cx"], circuit.depth(lambda gate: gate.operation.name == "cx"), ancillas


def row(bits: int) -> str:
    """A row of the table."""
    found = [way(bits, bits // 2) for way in (adders, turned)]
    assert all(is_right(circuit, bits, bits // 2) for circuit, _ in found)
    cells = [str(number) for one in found for number in counts(*one)]
    return f"| {bits // 2} of {bits} bits | {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    make_parser(__doc__).parse_args(arguments)
    print("| condition | adders: CX | layers of CX | ancillas | turned: CX | layers of CX | ancillas |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for number in BITS:
        print(row(number), flush=True)

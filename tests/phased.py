"""Runs circuits of reversible gates, phases and wires measured in the X basis on many inputs side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

Bits = NDArray[np.bool_]


class RefusedError(Exception):
    """A state that is no basis state, or an outcome that not all inputs have."""


def run_phased(circuit: QuantumCircuit, inputs: Bits, outcomes: Sequence[bool]) -> tuple[Bits, Bits]:
    """What the wires hold at the end, a row a wire and a column an input, and where the sign has turned.

    H is followed only right before a measurement of its wire; each outcome is then as likely for every input.

    Raises:
        RefusedError: a wire in superposition is used, an unwritten bit is read, or an outcome tells inputs apart.
    """
    bits, sign = inputs.copy(), np.zeros(inputs.shape[1], dtype=bool)
    given, written, turned = iter(outcomes), {}, set()

    def apply(name: str, wires: list[int]) -> None:
        nonlocal sign
        if turned & set(wires):
            raise RefusedError(f"{name} on a wire in superposition")
        *controls, target = wires
        if name == "h":
            turned.add(target)
        elif name in {"x", "cx", "ccx"}:
            bits[target] ^= np.all(bits[controls], axis=0) if controls else True
        elif name in {"z", "cz"}:
            sign = sign ^ np.all(bits[wires], axis=0)
        else:
            raise RefusedError(f"no gate {name}")

    for step in circuit.data:
        wires = [circuit.find_bit(qubit).index for qubit in step.qubits]
        if step.operation.name == "measure":
            outcome = written[step.clbits[0]] = next(given)
            if wires[0] not in turned and np.any(bits[wires[0]] != outcome):
                raise RefusedError("an outcome that not all inputs have")
            if wires[0] in turned:
                sign = sign ^ (bits[wires[0]] & outcome)
            turned.discard(wires[0])
            bits[wires[0]] = outcome
        elif step.operation.name == "if_else":
            bit, value = step.operation.condition
            if bit not in written:
                raise RefusedError("a bit read before it was written")
            if written[bit] == value:
                block = step.operation.blocks[0]
                for inner in block.data:
                    apply(inner.operation.name, [wires[block.find_bit(qubit).index] for qubit in inner.qubits])
        else:
            apply(step.operation.name, wires)
    if turned:
        raise RefusedError("a wire is left in superposition")
    return bits, sign


def draw_outcomes(circuit: QuantumCircuit, seed: int) -> list[bool]:
    """An outcome for each measurement."""
    number = int(circuit.count_ops().get("measure", 0))
    return list(map(bool, np.random.default_rng(seed).integers(0, 2, number)))

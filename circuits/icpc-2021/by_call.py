"""What public calls make of the tasks from a plain statement.

A digit is XORed onto its wire by a phase between two H there: -1 where the wire and the digit are both 1. The digit is
stated as a Python function that adds bits up, for `gatesolve.phase_oracle`; as a CPMpy model of a sum, for
`gatesolve.compile`; the highest one of four bits as an X under four controls, for `gatesolve.mcx`. A reflection is an
XOR onto a flag, the phase beta on the flag, and the XOR again.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import cpmpy as cp
from qiskit import QuantumCircuit
from qiskit.circuit import Parameter
from reflections import MARKED, WIRES

import gatesolve

MOST_BITS = 20
"""Of a function that `gatesolve.phase_oracle` takes."""


def popcounts(inputs: int, digits: Sequence[int]) -> Iterator[QuantumCircuit]:
    """What the calls give: inputs, digits, scratch wires.

    Args:
        inputs: how many bits are counted.
        digits: which digits of their popcount are wanted, lowest first.
    """
    yield without_idle(by_function(inputs, digits), inputs + len(digits))
    if len(digits) == 1:
        yield without_idle(by_model(inputs, digits[0]), inputs + 1)
    if (inputs, *digits) == (4, 2):
        yield gatesolve.mcx(4, clean=2)


def add_up(bits: Sequence[Any]) -> list[Any]:
    """The digits of how many of the bits are 1, lowest first, by full and half adders."""
    column, digits = list(bits), list[Any]()
    while column:
        carries = list[Any]()
        while len(column) > 1:
            first, second, *column = column
            carry = first & second
            if column:
                third, *column = column
                carry, second = ((first ^ second) & (first ^ third)) ^ first, second ^ third
            carries.append(carry)
            column = [*column, first ^ second]
        digits += column
        column = carries
    return digits


def by_function(inputs: int, digits: Sequence[int]) -> QuantumCircuit:
    """One phase for all digits; where that is a function of too many bits, the lowest digit has one of its own."""
    if inputs + len(digits) <= MOST_BITS:
        return as_xor(phase_of_adders(inputs, digits), range(inputs, inputs + len(digits)))
    low, high = by_function(inputs, digits[:1]), by_function(inputs, digits[1:])
    both = QuantumCircuit(max(low.num_qubits + len(digits) - 1, high.num_qubits + 1))
    counted, first = list(range(inputs)), inputs + len(digits)
    both.compose(low, [*counted, inputs, *range(first, low.num_qubits + len(digits) - 1)], inplace=True)
    both.compose(high, [*counted, *range(inputs + 1, high.num_qubits + 1)], inplace=True)
    return both


def phase_of_adders(inputs: int, digits: Sequence[int]) -> QuantumCircuit:
    """The phase -1 where an odd number of digits are 1 together with their wires."""

    def is_odd(*bits: Any) -> Any:
        counted, total = add_up(bits[:inputs]), bits[inputs] & False
        for wire, digit in zip(bits[inputs:], digits, strict=True):
            total = total ^ (wire & counted[digit])
        return total

    # `phase_oracle` reads the bits off the signature.
    named = [inspect.Parameter(f"x{k}", inspect.Parameter.POSITIONAL_OR_KEYWORD) for k in range(inputs + len(digits))]
    is_odd.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    return gatesolve.phase_oracle(is_odd).circuit


def by_model(inputs: int, digit: int) -> QuantumCircuit:
    """One digit by a model of the sum, with the digit's wire as one more condition."""
    wire, bits = cp.boolvar(name="wire"), [cp.boolvar(name=f"x{k}") for k in range(inputs)]
    model = cp.Model((cp.sum(bits) // (1 << digit)) % 2 == 1, wire)
    program = gatesolve.compile(model, presolve="none", encoding="binary").program
    (place,) = (
        program.space.block_qubits(number)[0]
        for number, block in enumerate(program.space.blocks)
        if block.variables == ("wire",)
    )
    counted = [qubit for qubit in range(inputs + 1) if qubit != place]  # in any order: they are only counted
    order = [*counted, place, *range(inputs + 1, program.num_qubits)]
    wires = [order.index(qubit) for qubit in range(program.num_qubits)]
    return as_xor(QuantumCircuit(program.num_qubits).compose(program.lowered_oracle, wires), [inputs])


def reflections() -> list[QuantumCircuit]:
    """The five circuits of problem 3, the flag on the wire after the three, scratch wires after it."""
    beta, found = Parameter("beta"), list[QuantumCircuit]()
    for marked in MARKED:
        table = [flag and state in marked for flag in (False, True) for state in range(1 << WIRES)]
        flag = as_xor(gatesolve.phase_oracle(table).circuit, [WIRES])
        circuit = flag.copy()
        circuit.p(beta, WIRES)
        circuit.compose(flag.inverse(), inplace=True)
        found.append(without_idle(circuit, WIRES) if marked else QuantumCircuit(WIRES))
    return found


def as_xor(phase: QuantumCircuit, wires: Sequence[int]) -> QuantumCircuit:
    """The phase between H on these wires."""
    circuit = QuantumCircuit(phase.num_qubits)
    circuit.h(wires)
    circuit.compose(phase, inplace=True)
    circuit.h(wires)
    return circuit


def without_idle(circuit: QuantumCircuit, kept: int) -> QuantumCircuit:
    """The circuit without scratch wires that no gate touches; the first ``kept`` wires stay."""
    touched = {circuit.find_bit(qubit).index for one in circuit.data for qubit in one.qubits}
    wires = [wire for wire in range(circuit.num_qubits) if wire < kept or wire in touched]
    found = QuantumCircuit(len(wires))
    for one in circuit.data:
        found.append(one.operation, [wires.index(circuit.find_bit(qubit).index) for qubit in one.qubits])
    return found

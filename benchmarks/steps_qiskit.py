"""Qiskit's side of constraint_peers.py: the steps of a recipe, ANDs by Margolus' gate."""

from __future__ import annotations

import peer_qiskit
from peer_recipes import Recipe
from qiskit import QuantumCircuit
from qiskit.circuit.library import RCCXGate


def circuit(recipe: Recipe) -> QuantumCircuit:
    """Steps, the phase, the steps undone, which undoes the relative phases of Margolus' gate too."""
    compute = QuantumCircuit(recipe.width)
    for name, wires in recipe.steps:
        if name == "and":
            compute.append(RCCXGate(), wires)
        else:
            getattr(compute, name)(*wires)
    found = compute.copy()
    if len(recipe.flags) == 2:
        found.cz(*recipe.flags)
    else:
        found.z(recipe.flags[0])
    return found.compose(compute.inverse())


def lowered(recipe: Recipe, gates: str) -> QuantumCircuit:
    """At Qiskit's highest level, in the gate set given."""
    return peer_qiskit.transpiled(circuit(recipe), recipe.data, gates)


def written(recipe: Recipe) -> QuantumCircuit:
    """In Clifford+T as Qiskit defines each gate, in the order of the steps.

    `transpile` saves no CX of a Sudoku, and sorts the gates so that a circuit of this length cannot be followed.
    """
    found = QuantumCircuit(recipe.width)
    flip = QuantumCircuit(2)
    flip.h(1)
    flip.cx(0, 1)
    flip.h(1)
    for instruction in circuit(recipe).data:
        operation = instruction.operation
        if operation.name in {"x", "cx"}:
            found.append(instruction)
        else:
            parts = flip if operation.name == "cz" else operation.definition
            found.compose(parts, [found.find_bit(qubit).index for qubit in instruction.qubits], inplace=True)
    return found

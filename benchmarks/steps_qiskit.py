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

"""Qiskit's circuits: constraints by MCX and by formulas, solutions by PhaseOracleGate, the steps of recipes."""

from __future__ import annotations

from collections.abc import Sequence

from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Gate
from qiskit.circuit.library import BitFlipOracleGate, MCXGate, PhaseOracleGate, RCCXGate

from benchmarks.peers.checks import Checks, Pattern
from benchmarks.peers.recipes import Recipe
from gatesolve.gate_sets import GATE_SETS

IDLE = 2
"""Idle qubits given to Qiskit's synthesis of multi-controlled X, the number from which its rules take no more."""
FORMULA_QUBITS = 8
"""Widest condition for which Qiskit's formula synthesis is asked; time doubles or worse with every qubit more."""


def by_mcx(checks: Checks, idle: int = IDLE) -> QuantumCircuit:
    """One flag a condition by the gates of `checks`, a multi-controlled Z over the flags, all undone."""
    circuit = QuantumCircuit(checks.data + len(checks.flags) + idle)
    compute = circuit.copy_empty_like()
    for controls, values, target in checks.gates:
        if controls:
            state = sum(value << k for k, value in enumerate(values))
            compute.append(MCXGate(len(controls), ctrl_state=state), [*controls, target])
        else:
            compute.x(target)
    return _conjugated(circuit, compute, checks)


def by_formulas(checks: Checks, idle: int = IDLE) -> QuantumCircuit | None:
    """The same with each flag by `BitFlipOracleGate` of its formula; None where a formula is too wide."""
    circuit = QuantumCircuit(checks.data + len(checks.flags) + idle)
    compute = circuit.copy_empty_like()
    for flag, condition in zip(checks.flags, checks.conditions, strict=True):
        qubits = sorted({qubit for pattern in condition.patterns for qubit, _ in pattern})
        if len(qubits) > FORMULA_QUBITS:
            return None
        gate = BitFlipOracleGate(formula(condition.patterns), [f"q{qubit}" for qubit in qubits])
        compute.append(gate, [*qubits, flag])
    return _conjugated(circuit, compute, checks)


def phase_oracle(solutions: Sequence[Pattern], data: int) -> Gate:
    """Qiskit's `PhaseOracleGate` of the solutions."""
    return PhaseOracleGate(formula(solutions), [f"q{qubit}" for qubit in range(data)])


def with_idle(gate: Gate, idle: int) -> QuantumCircuit:
    """A gate and idle qubits."""
    circuit = QuantumCircuit(gate.num_qubits + idle)
    circuit.append(gate, range(gate.num_qubits))
    return circuit


def formula(patterns: Sequence[Pattern]) -> str:
    """The OR of the patterns in Qiskit's syntax."""
    terms = (" & ".join(("" if value else "~") + f"q{qubit}" for qubit, value in pattern) for pattern in patterns)
    return " | ".join(f"({term})" for term in terms)


def _conjugated(circuit: QuantumCircuit, compute: QuantumCircuit, checks: Checks) -> QuantumCircuit:
    *others, last = checks.flags
    circuit.compose(compute, inplace=True)
    if others:
        circuit.h(last)
        circuit.mcx(others, last)
        circuit.h(last)
    else:
        circuit.z(last)
    circuit.compose(compute.inverse(), inplace=True)
    return circuit


def transpiled(circuit: QuantumCircuit, data: int, gates: str) -> QuantumCircuit:
    """Lowered by Qiskit at level 3.

    H on the data qubits stands before the oracle and is taken off afterwards: without it Qiskit takes data
    qubits for zeroed ancillas, and what comes out is wrong on all other inputs.
    """
    started = QuantumCircuit(circuit.num_qubits)
    started.h(range(data))
    started.barrier()
    started.compose(circuit, inplace=True)
    basis = sorted(GATE_SETS[gates].names)
    lowered = transpile(started, basis_gates=basis, optimization_level=3, seed_transpiler=1)
    kept, seen = lowered.copy_empty_like(), False
    for instruction in lowered.data:
        if seen:
            kept.append(instruction)
        seen = seen or instruction.operation.name == "barrier"
    return kept


def by_steps(recipe: Recipe) -> QuantumCircuit:
    """The steps, ANDs by Margolus' gate, the phase, the steps undone, which undoes relative phases too."""
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


def lower_steps(recipe: Recipe, gates: str) -> QuantumCircuit:
    """At Qiskit's highest level, in the gate set given."""
    return transpiled(by_steps(recipe), recipe.data, gates)

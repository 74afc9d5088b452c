"""Qiskit's circuits: constraints by MCX and by formulas, solutions by PhaseOracleGate, the steps of recipes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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


def transpiled(circuit: QuantumCircuit, data: int, gates: str | Sequence[str]) -> QuantumCircuit:
    """Lowered by Qiskit at level 3, to a gate set or to gates by name.

    H on the data qubits stands before the oracle and is taken off afterwards: without it Qiskit takes data
    qubits for zeroed ancillas, and what comes out is wrong on all other inputs.
    """
    started = QuantumCircuit(circuit.num_qubits)
    started.h(range(data))
    started.barrier()
    started.compose(circuit, inplace=True)
    basis = sorted(GATE_SETS[gates].names) if isinstance(gates, str) else list(gates)
    return after_barrier(transpile(started, basis_gates=basis, optimization_level=3, seed_transpiler=1))


def after_barrier(circuit: QuantumCircuit) -> QuantumCircuit:
    """What follows the first barrier."""
    names = [instruction.operation.name for instruction in circuit.data]
    kept = circuit.copy_empty_like()
    for instruction in circuit.data[names.index("barrier") + 1 :]:
        kept.append(instruction)
    return kept


def merged(circuit: QuantumCircuit) -> QuantumCircuit:
    """The circuit in CX and general one-qubit gates, neighbours of these merged."""
    return transpile(circuit, basis_gates=["cx", "u"], optimization_level=1, seed_transpiler=1)


def draw(gates: Sequence[Sequence[Any]], width: int) -> QuantumCircuit:
    """A gate list as a circuit.

    A third entry is a list of angles, or the number of the outcome that a gate depends on or that a measurement gives.
    """
    outcomes = 1 + max((gate[2] for gate in gates if len(gate) > 2 and isinstance(gate[2], int)), default=-1)
    circuit = QuantumCircuit(width, outcomes)
    for name, wires, *more in gates:
        given = more[0] if more else []
        if name == "measure":
            circuit.measure(wires[0], given)
        elif isinstance(given, int):
            with circuit.if_test((circuit.clbits[given], 1)):
                _apply(circuit, name, wires)
        else:
            _apply(circuit, name, wires, given)
    return circuit


def _apply(circuit: QuantumCircuit, name: str, wires: Sequence[int], angles: Sequence[float] = ()) -> None:
    """A gate; CZ as CX between two H."""
    if name != "cz":
        getattr(circuit, name)(*angles, *wires)
        return
    circuit.h(wires[1])
    circuit.cx(*wires)
    circuit.h(wires[1])


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

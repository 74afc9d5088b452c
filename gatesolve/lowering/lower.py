"""Lowering: reversible operations to a circuit in a stated gate set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Literal

from qiskit import QuantumCircuit
from qiskit.circuit import Gate as QiskitGate
from qiskit.circuit.library import get_standard_gate_name_mapping
from qiskit.synthesis import gridsynth_rz, synth_mcx_1_dirty_kg24, synth_mcx_noaux_hp24
from qiskit.transpiler import PassManager
from qiskit.transpiler.passes import (
    CommutativeCancellation,
    CommutativeInverseCancellation,
    InverseCancellation,
    Optimize1qGatesDecomposition,
)

from gatesolve.errors import DoesNotFitError
from gatesolve.lowering.emit import LowGate, emit
from gatesolve.reversible import Op

GateSet = Literal["cx+u", "clifford+t"]
GATE_SETS: tuple[GateSet, ...] = ("cx+u", "clifford+t")
ROTATION_ERROR = 1e-10
"""Operator-norm error allowed for each rotation that Clifford+T cannot express."""


def lower(ops: Iterable[Op], num_qubits: int, gates: GateSet = "cx+u") -> QuantumCircuit:
    """Lower operations to CX and one-qubit gates.

    Args:
        ops: the program's operations; ancillas named as clean must be zero there.
        num_qubits: width of the circuit.
        gates: ``cx+u`` (CX and the general one-qubit gate) or ``clifford+t``
            (cx, h, x, z, s, sdg, t, tdg; other rotations by Ross-Selinger, arXiv:1403.2975,
            each to 1e-10 in operator norm).

    Returns:
        A circuit over ``num_qubits`` qubits without classical bits, equal to ``ops`` up to a global phase
        (and the stated rotation error).

    Raises:
        DoesNotFitError: a multi-controlled gate spans every qubit and ``gates`` is ``clifford+t``.
    """
    low = _with_wide_gates(emit(ops), num_qubits, gates)
    if gates == "clifford+t":
        low = _exact_rotations(low)
    circuit = build(low, num_qubits)
    return _passes(gates).run(circuit)


def build(gates: Iterable[LowGate], num_qubits: int) -> QuantumCircuit:
    """The gates as a Qiskit circuit, as they are."""
    circuit = QuantumCircuit(num_qubits)
    fixed = {name: get_standard_gate_name_mapping()[name] for name in _FIXED}
    for name, qubits, angle in gates:
        gate = fixed.get(name)
        circuit.append(gate if gate is not None else _turned(name, angle), qubits, copy=False)
    return circuit


_FIXED = ("h", "x", "z", "s", "sdg", "t", "tdg", "cx")


def _turned(name: str, angle: float) -> QiskitGate:
    return type(get_standard_gate_name_mapping()[name])(angle)


def _passes(gates: GateSet) -> PassManager:
    if gates == "cx+u":
        basis = ["cx", "u"]
        return PassManager(
            [
                CommutativeInverseCancellation(),
                CommutativeCancellation(),
                Optimize1qGatesDecomposition(basis=basis),
                CommutativeInverseCancellation(),
                Optimize1qGatesDecomposition(basis=basis),
            ]
        )
    return PassManager([CommutativeInverseCancellation(), InverseCancellation()])


def _with_wide_gates(low: Iterable[LowGate], num_qubits: int, gates: GateSet) -> Iterator[LowGate]:
    """Replace multi-controlled Z gates that found no clean ancilla: borrow a busy qubit, or use none."""
    for name, qubits, angle in low:
        if name != "mcz_noaux":
            yield name, qubits, angle
            continue
        others = set(range(num_qubits)) - set(qubits)
        if others:
            # Source: Khattar and Gidney, arXiv:2407.17966, section 5.4, as built by Qiskit.
            yield from _mcz_by(synth_mcx_1_dirty_kg24(len(qubits) - 1), (*qubits, min(others)), len(qubits) - 1)
        elif gates == "cx+u":
            # Source: Huang and Palsberg, doi:10.1145/3656436, as built by Qiskit.
            yield from _mcz_by(synth_mcx_noaux_hp24(len(qubits) - 1), qubits, len(qubits) - 1)
        else:
            raise DoesNotFitError(
                f"a Z over all {len(qubits)} qubits has no exact Clifford+T circuit without a spare qubit: "
                "use --ancillas 1 or more, or --gates cx+u"
            )


def _mcz_by(mcx: QuantumCircuit, qubits: tuple[int, ...], target: int) -> Iterator[LowGate]:
    """Gates of a multi-controlled X circuit between two H on its target."""
    flat = mcx
    while set(flat.count_ops()) - {*_FIXED, "p", "ry", "rz", "u"}:
        flat = flat.decompose()
    yield "h", (qubits[target],), 0.0
    for instruction in flat.data:
        places = tuple(qubits[flat.find_bit(q).index] for q in instruction.qubits)
        params = [float(p) for p in instruction.operation.params]
        if len(params) > 1:
            theta, phi, lam = params
            yield from (("rz", places, lam), ("ry", places, theta), ("rz", places, phi))
        else:
            yield instruction.operation.name, places, params[0] if params else 0.0
    yield "h", (qubits[target],), 0.0


def _exact_rotations(low: Iterable[LowGate]) -> Iterator[LowGate]:
    """Rotations as Clifford+T: exactly for multiples of pi/4, else by Ross-Selinger."""
    for name, qubits, angle in low:
        if name == "ry":
            yield from (("sdg", qubits, 0.0), ("h", qubits, 0.0))
            yield from _rz(qubits, angle)
            yield from (("h", qubits, 0.0), ("s", qubits, 0.0))
        elif name in {"rz", "p"}:
            yield from _rz(qubits, angle)
        else:
            yield name, qubits, angle


_EIGHTHS: tuple[tuple[str, ...], ...] = ((), ("t",), ("s",), ("s", "t"), ("z",), ("z", "t"), ("sdg",), ("tdg",))


def _rz(qubits: tuple[int, ...], angle: float) -> Iterator[LowGate]:
    eighths = angle / (math.pi / 4)
    if abs(eighths - round(eighths)) < 1e-12:
        yield from ((name, qubits, 0.0) for name in _EIGHTHS[round(eighths) % 8])
        return
    for instruction in gridsynth_rz(angle, ROTATION_ERROR).data:
        yield instruction.operation.name, qubits, 0.0

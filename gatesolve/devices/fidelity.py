"""How likely a circuit is to run without an error on a device, by the device's own error rates, and what that is worth.

Everything here is known before a circuit is sent, and nothing here sends one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.circuit import CircuitInstruction
    from qiskit.transpiler import Target

SILENT = frozenset({"barrier", "delay", "snapshot"})
"""Instructions without an error of their own; a delay is time spent idle."""


@dataclass(frozen=True)
class FidelityEstimate:
    """The chance that no error happens, and its factors.

    Attributes:
        gates: no gate fails.
        readout: no measurement fails.
        idle: no qubit decays while it waits.
        duration: of the circuit in seconds, None where the device does not say how long gates take.
    """

    gates: float
    readout: float
    idle: float
    duration: float | None

    @property
    def fidelity(self) -> float:
        """All factors together."""
        return self.gates * self.readout * self.idle


def estimate(circuit: QuantumCircuit, target: Target) -> FidelityEstimate | None:
    """Estimated success of a circuit in a device's own gates and on its own qubits.

    ``F = prod_g (1 - e_g) * prod_m (1 - r_m) * prod_q D_q``: every gate g and measurement m at the error that the
    target reports for it on those qubits, and for every qubit q that waits a time t between its first and its last
    instruction ``D_q = (1 + exp(-t/T1) + 2 exp(-t/T2)) / 4``, the process fidelity of relaxation (the weight of the
    identity when it is twirled to Pauli errors). Waiting times are those of a schedule as late as possible, as IBM's
    is; before its first instruction a qubit rests in its ground state. Of a branch that depends on a measurement the
    worst case counts, and no time. None where the target has no error rates for two-qubit gates or measurements.

    Cost: linear in the circuit's instructions.
    Source: the product of gate reliabilities, Murali et al., arXiv:1901.11054; "estimated success probability",
    Nishio et al., arXiv:1903.10963, section 3.
    """
    survival = _find_survival(circuit, target, list(range(circuit.num_qubits)))
    if survival is None:
        return None
    gates, readout = survival
    waiting, duration = time_waits(circuit, target)
    idle = math.prod(decay(target, qubit, wait) for qubit, wait in waiting.items())
    return FidelityEstimate(gates, readout, idle, duration)


def _find_survival(circuit: QuantumCircuit, target: Target, places: list[int]) -> tuple[float, float] | None:
    """The chance that all gates work, and that all measurements do.

    None where there is no error rate for a two-qubit gate or a measurement.
    """
    gates, readout = 1.0, 1.0
    for instruction in circuit.data:
        name = instruction.operation.name
        qubits = tuple(places[circuit.find_bit(q).index] for q in instruction.qubits)
        if blocks := list_branches(instruction):
            found = [_find_survival(block, target, list(qubits)) for block in blocks]
            known = [one for one in found if one is not None]
            if len(known) < len(found):
                return None
            worst = min(known, key=math.prod)
            gates, readout = gates * worst[0], readout * worst[1]
        elif name not in SILENT:
            properties = target[name].get(qubits)
            error = None if properties is None else properties.error
            if error is None and (len(qubits) == 2 or name == "measure"):
                return None
            works = max(0.0, 1 - (error or 0.0))
            if name == "measure":
                readout *= works
            else:
                gates *= works
    return gates, readout


def time_waits(circuit: QuantumCircuit, target: Target) -> tuple[dict[int, float], float | None]:
    """For each qubit the seconds it waits after its first instruction, all as late as possible; and the duration."""
    clock: dict[int, float] = {}
    told: dict[int, float] = {}
    found: dict[int, float] = {}
    timed = False
    for instruction in reversed(circuit.data):
        name = instruction.operation.name
        qubits = [circuit.find_bit(q).index for q in instruction.qubits]
        # A branch comes after the measurement that it depends on.
        bits = [circuit.find_bit(c).index for c in instruction.clbits]
        start = max((*(clock.get(q, 0.0) for q in qubits), *(told.get(c, 0.0) for c in bits)), default=0.0)
        if name == "barrier":
            for q in qubits:
                if q in clock:
                    found[q] = found.get(q, 0.0) + start - clock[q]
                    clock[q] = start
            continue
        length = _seconds(instruction, target, tuple(qubits))
        timed = timed or length > 0
        for q in qubits:
            if q in clock:
                found[q] = found.get(q, 0.0) + start - clock[q] + (length if name == "delay" else 0.0)
            if q in clock or name != "delay":
                clock[q] = start + length
        told.update(dict.fromkeys(bits, start + length))
    return found, max(clock.values(), default=0.0) if timed else None


def _seconds(instruction: CircuitInstruction, target: Target, qubits: tuple[int, ...]) -> float:
    operation = instruction.operation
    if operation.name == "delay":
        length = float(operation.duration)
        return length * (target.dt or 0.0) if operation.unit == "dt" else length * _UNITS[operation.unit]
    if list_branches(instruction):
        return 0.0
    properties = target[operation.name].get(qubits)
    return float(properties.duration or 0.0) if properties is not None else 0.0


_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12}


def decay(target: Target, qubit: int, wait: float) -> float:
    """Process fidelity of a qubit that waits so many seconds; 1 where its T1 and T2 are not known."""
    known = target.qubit_properties[qubit] if target.qubit_properties else None
    if known is None or not wait:
        return 1.0
    t1, t2 = known.t1 or math.inf, known.t2 or math.inf
    # Reported T2 above 2 T1 is a slip of calibration: no channel has it.
    return (1 + math.exp(-wait / t1) + 2 * math.exp(-wait / min(t2, 2 * t1))) / 4


def list_branches(instruction: CircuitInstruction) -> tuple[QuantumCircuit, ...]:
    """The circuits of which an instruction runs one, by what was measured; none for an ordinary gate."""
    return tuple(getattr(instruction.operation, "blocks", ()))

"""Anyone's circuit as a few kinds of steps that planes of codewords can follow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Instruction
from qiskit.circuit import Gate as QiskitGate
from qiskit.circuit import library as gates
from qiskit.synthesis import OneQubitEulerDecomposer

from gatesolve.errors import UnsupportedError

FINEST = 16
"""Phases are multiples of a turn divided by 2 to at most this number."""
NEAR = 1e-9
"""Angles this near to a multiple count as that multiple."""
MOST_ROUNDED = 5e-9
"""Turns that may be rounded away in all."""
_TURNS = {
    gates.ZGate: 0.5,
    gates.CZGate: 0.5,
    gates.CCZGate: 0.5,
    gates.SGate: 0.25,
    gates.SdgGate: -0.25,
    gates.TGate: 0.125,
    gates.TdgGate: -0.125,
}
_ANGLES = {gates.PhaseGate, gates.U1Gate, gates.RZGate, gates.CPhaseGate, gates.CU1Gate, gates.MCPhaseGate}
_FLIPS = {gates.XGate, gates.CXGate, gates.CCXGate, gates.C3XGate, gates.C4XGate, gates.MCXGate}
_PLAIN = {gates.HGate: "h", gates.SwapGate: "swap"}
# Known by class, not by name: a text may define a gate of any name.
KNOWN = frozenset({*_TURNS, *_ANGLES, *_FLIPS, *_PLAIN, gates.RYGate})
"""Classes of gates that are taken without their definitions."""


@dataclass(frozen=True)
class Step:
    """One step: ``x`` on the last qubit where all others are 1, ``h``, ``swap``, or ``phase`` where all are 1.

    Attributes:
        kind: of these four.
        qubits: that it acts on.
        turn: of a phase, as a part of a whole turn.
        gate: the number of the instruction it comes from.
        rounded: parts of a turn that are left out of it.
        framed: its last qubit then waits for quarter turns about X, and holds something else than the circuit's.
    """

    kind: str
    qubits: tuple[int, ...]
    turn: float = 0.0
    gate: int = 0
    rounded: float = 0.0
    framed: bool = False


def list_steps(circuit: QuantumCircuit) -> list[Step]:
    """The steps of a circuit, equal to it up to a global phase; final measurements and barriers are left out.

    Gates that are not known are taken by their definition, general one-qubit gates by their Euler angles.

    Raises:
        UnsupportedError: a reset, a condition, a gate after a measurement of its qubit, or a gate without definition.
    """
    steps, frames = list[Step](), dict[int, int]()
    measured, rounded = set[int](), 0.0
    place = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    for number, instruction in enumerate(circuit.data):
        qubits = tuple(place[qubit] for qubit in instruction.qubits)
        name = instruction.operation.name
        if name == "measure":
            measured.add(qubits[0])
            continue
        if name == "barrier":
            continue
        if measured & set(qubits):
            raise UnsupportedError(f"gate {number + 1} ({name}) follows a measurement: give a circuit without it")
        for step in _take_apart(instruction.operation, qubits, number):
            rounded += step.rounded + _add_framed(step, frames, steps)
    if rounded > MOST_ROUNDED:
        raise UnsupportedError(f"angles that are nearly nothing are {rounded:.1e} turns in all")
    for qubit in list(frames):
        steps += _flush(qubit, frames, len(circuit.data))
    return steps


def _take_apart(operation: Instruction, qubits: tuple[int, ...], gate: int) -> Iterator[Step]:
    kind = operation.base_class
    zeros = list[Step]()
    if isinstance(operation, ControlledGate):
        controls = enumerate(qubits[: operation.num_ctrl_qubits])
        zeros = [Step("x", (q,), gate=gate) for k, q in controls if not operation.ctrl_state >> k & 1]
    if kind in _FLIPS:
        step = Step("x", qubits, gate=gate)
    elif kind in _TURNS:
        step = Step("phase", qubits, _TURNS[kind], gate)
    elif kind in _ANGLES:
        step = Step("phase", qubits, _turn_of(operation.params[0]), gate)
    elif kind is gates.RYGate:
        step = Step("ry", qubits, _turn_of(operation.params[0]), gate)
    elif kind in _PLAIN:
        step = Step(_PLAIN[kind], qubits, gate=gate)
    else:
        yield from _open_gate(operation, qubits, gate)
        return
    yield from (*zeros, step, *zeros)


def _turn_of(angle: float) -> float:
    """Return an angle as a part of a turn, exact for any number: multiples of a rounded pi are not.

    Raises:
        UnsupportedError: it is no finite number.
    """
    angle = float(angle)
    if not math.isfinite(angle):
        raise UnsupportedError(f"an angle is {angle}: give a number")
    return math.atan2(math.sin(angle), math.cos(angle)) / (2 * math.pi)


def _open_gate(operation: Instruction, qubits: tuple[int, ...], gate: int) -> Iterator[Step]:
    """A gate by its angles or by its definition."""
    if len(qubits) == 1 and hasattr(operation, "__array__"):
        theta, phi, lam = OneQubitEulerDecomposer("U").angles(np.asarray(operation.to_matrix()))
        yield from _general(float(theta), float(phi), float(lam), qubits[0], gate)
        return
    inner = getattr(operation, "definition", None)
    if inner is None or inner.num_clbits or not isinstance(operation, QiskitGate):
        raise UnsupportedError(f"gate {gate + 1} ({operation.name}) is not followed: give gates that permute and phase")
    for part in inner.data:
        yield from _take_apart(part.operation, tuple(qubits[inner.find_bit(q).index] for q in part.qubits), gate)


def _general(theta: float, phi: float, lam: float, qubit: int, gate: int) -> Iterator[Step]:
    """P(phi) RY(theta) P(lambda), with H where theta is a quarter turn and X where it is a half."""
    whole = 2 * math.pi
    quarters = theta / (math.pi / 2)
    left = abs(quarters - round(quarters))
    kind = {0: "", 1: "h", 2: "x"}.get(round(quarters), "ry") if left < NEAR else "ry"
    back = 0.5 if kind in {"h", "x"} else 0.0
    yield Step("phase", (qubit,), lam / whole - back, gate, 0.0 if kind == "ry" else left / 4)
    if kind:
        yield Step(kind, (qubit,), theta / whole if kind == "ry" else 0.0, gate)
    yield Step("phase", (qubit,), phi / whole, gate)


def _add_framed(step: Step, frames: dict[int, int], steps: list[Step]) -> float:
    """Keep a step, and return how much of a turn is lost where it is dropped.

    RY becomes a phase between two quarter turns about X, which pass X and are merged on the way. ``frames`` has, for
    each qubit, how many quarter turns are still to come before its next step.
    """
    if step.kind == "ry":
        (qubit,) = step.qubits
        frames[qubit] = (frames.get(qubit, 0) + 1) % 4
        steps += _flush(qubit, frames, step.gate)
        steps.append(Step("phase", step.qubits, step.turn, step.gate))
        frames[qubit] = 3
        return 0.0
    lost = abs(step.turn - round(step.turn))
    if step.kind == "phase" and lost <= NEAR:
        return lost
    for position, qubit in enumerate(step.qubits):
        if step.kind != "x" or position < len(step.qubits) - 1:
            steps += _flush(qubit, frames, step.gate)
    steps.append(replace(step, framed=True) if step.qubits[-1] in frames else step)
    return 0.0


def _flush(qubit: int, frames: dict[int, int], gate: int) -> list[Step]:
    """The quarter turns about X that a qubit has to come."""
    count = frames.pop(qubit, 0)
    if count in {0, 2}:
        return [Step("x", (qubit,), gate=gate)] * (count // 2)
    around = Step("h", (qubit,), gate=gate)
    return [replace(around, framed=True), Step("phase", (qubit,), count / 4, gate), around]

"""Anyone's circuit as a few kinds of steps that planes of codewords can follow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Instruction
from qiskit.circuit import Gate as QiskitGate
from qiskit.circuit import library as gates
from qiskit.synthesis import OneQubitEulerDecomposer

from gatesolve.errors import UnsupportedError

FINEST = 16
"""Phases are multiples of a turn divided by 2 to at most this number."""
HADAMARD = np.array([[1, 1], [1, -1]]) / math.sqrt(2)
NEAR = 1e-9
"""Angles this near to a multiple count as that multiple."""
MOST_ROUNDED = 5e-9
"""Turns that may be rounded away in all."""
_TURNS = {
    gates.ZGate: 0.5, gates.CZGate: 0.5, gates.CCZGate: 0.5,
    gates.SGate: 0.25, gates.SdgGate: -0.25, gates.TGate: 0.125, gates.TdgGate: -0.125,
}  # fmt: skip
_ANGLES = {gates.PhaseGate, gates.U1Gate, gates.RZGate, gates.CPhaseGate, gates.CU1Gate, gates.MCPhaseGate}
_FLIPS = {gates.XGate, gates.CXGate, gates.CCXGate, gates.C3XGate, gates.C4XGate, gates.MCXGate}
_PLAIN = {gates.HGate: "h", gates.SwapGate: "swap"}
# Known by class, not by name: a text may define a gate of any name.
KNOWN = frozenset({*_TURNS, *_ANGLES, *_FLIPS, *_PLAIN, gates.RYGate})
"""Classes of gates that are taken without their definitions."""


@dataclass(frozen=True)
class Step:
    """One step: ``x`` on the last qubit where all others are 1, ``h``, ``swap``, or ``phase`` where all are 1.

    A phase is a turn, a part of a whole one, of which ``rounded`` was rounded away. The step comes from the instruction
    number ``gate``. Where it is ``framed``, quarter turns about X are pending after it on its last qubit, which differs
    from the circuit's.
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
    steps, frames, late = list[Step](), dict[int, int](), dict[int, int]()
    measured, rounded = set[int](), 0.0
    place = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    for number, instruction in enumerate(circuit.data):
        # Instructions are numbered for error messages, which count gates from 1.
        qubits = tuple(place[qubit] for qubit in instruction.qubits)
        name = instruction.operation.name
        if name == "measure":
            measured.add(qubits[0])
            continue
        if name == "barrier":
            continue
        if measured & set(qubits):
            raise UnsupportedError(f"gate {number + 1} ({name}) follows a measurement: give a circuit without it")
        # Each step passes two filters: pending H (``late``) first, then pending quarter turns about X (``frames``).
        for part in _take_apart(instruction.operation, qubits, number):
            for step in _pass_late(part, late):
                rounded += step.rounded + _add_framed(step, frames, steps)
    if rounded > MOST_ROUNDED:
        raise UnsupportedError(f"angles that are nearly nothing are {rounded:.1e} turns in all")
    for qubit, number in late.items():
        _add_framed(Step("h", (qubit,), gate=number), frames, steps)
    for qubit in list(frames):
        steps += _flush(qubit, frames, len(circuit.data))
    return steps


def _take_apart(operation: Instruction, qubits: tuple[int, ...], gate: int) -> Iterator[Step]:
    kind = operation.base_class
    zeros = list[Step]()
    if isinstance(operation, ControlledGate):
        controls = enumerate(qubits[: operation.num_ctrl_qubits])
        zeros = [Step("x", (q,), gate=gate) for k, q in controls if not operation.ctrl_state >> k & 1]
    # Controls on 0 become controls on 1 between two X.
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
    elif len(qubits) == 1 and hasattr(operation, "__array__"):
        yield from _turn_qubit(np.asarray(operation.to_matrix()), qubits[0], gate)
        return
    else:
        inner = getattr(operation, "definition", None)
        if inner is None or inner.num_clbits or not isinstance(operation, QiskitGate):
            fault = f"gate {gate + 1} ({operation.name}) is not followed: give gates that permute and phase"
            raise UnsupportedError(fault)
        for part in inner.data:
            yield from _take_apart(part.operation, tuple(qubits[inner.find_bit(q).index] for q in part.qubits), gate)
        return
    yield from (*zeros, step, *zeros)


def _turn_of(angle: float) -> float:
    """Return a finite angle as a part of a turn, exact for any number: multiples of a rounded pi are not."""
    angle = float(angle)
    if not math.isfinite(angle):
        raise UnsupportedError(f"an angle is {angle}: give a number")
    # Sine and cosine reduce any angle exactly; a remainder modulo a rounded 2 pi would not.
    return math.atan2(math.sin(angle), math.cos(angle)) / (2 * math.pi)


def _turn_qubit(matrix: NDArray[np.complex128], qubit: int, gate: int) -> Iterator[Step]:
    """Yield the steps of a one-qubit gate, with an H before or after it if the rest is then simpler."""
    # Simpler means a Clifford rotation, or a rotation about X with phases on one side at most.
    angles = OneQubitEulerDecomposer("U").angles
    found = [tuple(map(float, angles(one))) for one in (matrix, matrix @ HADAMARD, HADAMARD @ matrix)]
    place = next((k for k, one in enumerate(found) if _find_kind(one[0]) != "ry" or _find_sign(*one)), 0)
    theta, phi, lam = found[place]
    if place == 1:
        yield Step("h", (qubit,), gate=gate, framed=True)
    yield from _general(theta, phi, lam, qubit, gate)
    if place == 2:
        yield Step("late", (qubit,), gate=gate)


def _find_kind(theta: float) -> str:
    """Return the kind of a rotation about Y by an angle, up to phases around it."""
    quarters = theta / (math.pi / 2)
    near = abs(quarters - round(quarters)) < NEAR
    return {0: "", 1: "h", 2: "x"}.get(round(quarters), "ry") if near else "ry"


def _find_sign(theta: float, phi: float, lam: float) -> int:
    """Return 1 or -1 where P(phi) RY(theta) P(lambda) turns about X by theta or back, phases on one side; else 0."""
    # RX(theta) is RY(theta) between P(-pi/2) and P(pi/2): one side must be just that.
    for sign in (1, -1):
        sides = (math.remainder(angle, 2 * math.pi) for angle in (lam - sign * math.pi / 2, phi + sign * math.pi / 2))
        if min(map(abs, sides)) < NEAR:
            return sign
    return 0


def _general(theta: float, phi: float, lam: float, qubit: int, gate: int) -> Iterator[Step]:
    """P(phi) RY(theta) P(lambda), with H where theta is a quarter turn and X where it is a half.

    Where that is a rotation about X with phases on one side at most, it is a phase between two H, the second one late.
    """
    whole, kind = 2 * math.pi, _find_kind(theta)
    left = abs(theta / (math.pi / 2) - round(theta / (math.pi / 2)))
    if kind == "ry" and (sign := _find_sign(theta, phi, lam)):
        yield Step("phase", (qubit,), math.remainder(lam / whole - sign / 4, 1), gate)
        yield Step("h", (qubit,), gate=gate, framed=True)
        yield Step("phase", (qubit,), sign * theta / whole, gate)
        yield Step("late", (qubit,), gate=gate)
        yield Step("phase", (qubit,), math.remainder(phi / whole + sign / 4, 1), gate)
        return
    back = 0.5 if kind in {"h", "x"} else 0.0
    yield Step("phase", (qubit,), lam / whole - back, gate, 0.0 if kind == "ry" else left / 4)
    if kind:
        yield Step(kind, (qubit,), theta / whole if kind == "ry" else 0.0, gate)
    yield Step("phase", (qubit,), phi / whole, gate)


def _pass_late(step: Step, late: dict[int, int]) -> Iterator[Step]:
    """Yield a step, or what it becomes before an H that is still to come on one of its qubits.

    Two such H cancel, and a CZ becomes a CX. ``late`` has for each qubit the number of the gate that the H is of.
    """
    waiting = [qubit for qubit in step.qubits if qubit in late]
    # Two H in a row cancel.
    if step.kind in {"h", "late"} and waiting:
        del late[waiting[0]]
    elif step.kind == "late":
        late[step.qubits[0]] = step.gate
    elif step.kind == "phase" and len(step.qubits) == 1 and abs(math.remainder(step.turn, 1)) < NEAR:
        yield step
    elif waiting and step.kind == "phase" and len(step.qubits) == 2 and abs(step.turn) == 0.5:
        # H on one side of a CZ makes it a CX, and the H still waits.
        *others, target = waiting
        yield from (Step("h", (qubit,), gate=late.pop(qubit)) for qubit in others)
        (control,) = {*step.qubits} - {target}
        yield Step("x", (control, target), gate=step.gate, framed=True)
    else:
        yield from (Step("h", (qubit,), gate=late.pop(qubit)) for qubit in waiting)
        yield step


def _add_framed(step: Step, frames: dict[int, int], steps: list[Step]) -> float:
    """Keep a step, and return how much of a turn is lost where it is dropped.

    ``frames`` has, for each qubit, how many quarter turns about X are still to come before its next step.
    """
    # RY is a phase between a quarter turn about X and three more; turns of neighbours merge on the way.
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
        # X on its target commutes with turns about X, so these need not be applied before it.
        if step.kind != "x" or position < len(step.qubits) - 1:
            steps += _flush(qubit, frames, step.gate)
    steps.append(replace(step, framed=True) if step.qubits[-1] in frames else step)
    return 0.0


def _flush(qubit: int, frames: dict[int, int], gate: int) -> list[Step]:
    """Return the quarter turns about X that are pending on a qubit, and remove them."""
    count = frames.pop(qubit, 0)
    if count in {0, 2}:
        return [Step("x", (qubit,), gate=gate)] * (count // 2)
    around = Step("h", (qubit,), gate=gate)
    return [replace(around, framed=True), Step("phase", (qubit,), count / 4, gate), around]

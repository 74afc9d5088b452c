"""Exact states of few terms: what a short circuit makes of a basis state, by basis state."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from typing import TypeAlias

from gatesolve.circuit import And, AndNot, Gate, Mcx, Op, Parity, PhaseFlip, Xor
from gatesolve.errors import DoesNotFitError, UnsupportedError

State: TypeAlias = dict[int, complex]
"""Amplitudes by basis state, qubit 0 the lowest bit."""
MOST_TERMS = 1 << 14
SMALL = 1e-12
"""Amplitudes up to this are left out."""
PHASES = {"z": 4, "s": 2, "sdg": -2, "t": 1, "tdg": -1}
AND_PHASES = {(1, 0, 1): -1, (1, 1, 0): 1j, (1, 1, 1): -1j}
"""What an `And` multiplies by: left, right and target before it."""


def run_state(ops: Iterable[Op], state: State) -> tuple[State, float]:
    """Apply operations to a state.

    Returns:
        The state, and how far it may be off, in norm, as small amplitudes were left out.

    Raises:
        UnsupportedError: an operation is not known.
        DoesNotFitError: more than `MOST_TERMS` terms.
    """
    lost = 0.0
    for op in ops:
        lent = sum(1 << wire for wire in getattr(op, "clean", ()))
        if lent and any(word & lent for word in state):
            raise UnsupportedError("a qubit is lent as a zero that may be one")
        match op:
            case Gate("h" | "ry", (wire,)):
                found = _turn(op, wire, state)
                state = {word: a for word, a in found.items() if abs(a) > SMALL}
                lost += math.hypot(*(abs(found[word]) for word in found.keys() - state.keys()))
            case Gate("cx", (control, target)):
                state = {word ^ ((word >> control & 1) << target): a for word, a in state.items()}
            case Gate("x", (wire,)):
                state = {word ^ 1 << wire: a for word, a in state.items()}
            case Xor(source, target):
                state = {word ^ _read(source, word) << target: a for word, a in state.items()}
            case Mcx(target=target):
                state = {word ^ _hold(op.literals, word) << target: a for word, a in state.items()}
            case And():
                state = dict(_conjoin(op, word, a) for word, a in state.items())
            case AndNot():
                raise UnsupportedError("a block's preparation has no such operation")
            case PhaseFlip(factors):
                state = {word: -a if _hold(factors, word) else a for word, a in state.items()}
            case Gate():
                state = {word: a * _phase(op, word) for word, a in state.items()}
        if len(state) > MOST_TERMS:
            raise DoesNotFitError(f"a block's state has more than {MOST_TERMS} terms")
    return state, lost


def _read(parity: Parity, word: int) -> int:
    return parity.value(lambda wire: word >> wire & 1, 1)


def _hold(factors: Iterable[Parity], word: int) -> int:
    return int(all(_read(factor, word) for factor in factors))


def _conjoin(op: And, word: int, amplitude: complex) -> tuple[int, complex]:
    left, right, target = _read(op.left, word), _read(op.right, word), word >> op.target & 1
    return word ^ (left & right) << op.target, amplitude * AND_PHASES.get((left, right, target), 1)


def _turn(gate: Gate, wire: int, state: State) -> State:
    """A Hadamard gate, or a rotation about Y."""
    half = math.pi / 4 if gate.name == "h" else gate.params[0] / 2
    cosine, sine = math.cos(half), math.sin(half)
    found: State = {}
    for word, amplitude in state.items():
        bit = word >> wire & 1
        down, up = (sine, -cosine) if bit and gate.name == "h" else (-sine, cosine) if bit else (cosine, sine)
        low = word & ~(1 << wire)
        found[low] = found.get(low, 0) + amplitude * down
        found[low | 1 << wire] = found.get(low | 1 << wire, 0) + amplitude * up
    return found


def _phase(gate: Gate, word: int) -> complex:
    """Return the factor of a diagonal gate."""
    bits = [word >> wire & 1 for wire in gate.qubits]
    match gate.name:
        case "cz":
            return -1 if all(bits) else 1
        case "p":
            return cmath.exp(1j * gate.params[0] * bits[0])
        case "rz":
            return cmath.exp(1j * gate.params[0] * (bits[0] - 0.5))
        case name if name in PHASES:
            return cmath.exp(1j * math.pi / 4 * PHASES[name] * bits[0])
        case name:
            raise UnsupportedError(f"gate {name} is not followed")

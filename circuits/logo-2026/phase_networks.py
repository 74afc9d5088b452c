"""Phase networks: CX gates that take wires from parity to parity, and a rotation wherever a phase asks for one.

A schedule is a text: ``3>5`` is a CX, ``4r`` a rotation on wire 4, ``7c1`` the end of label 1 on wire 7, and ``;`` ends
a layer. Which parity a rotation is of follows from the CX gates before it, and its angle from a linear system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from class_codes import Code, Ints
from numpy.typing import NDArray

from gatesolve.circuit import Gate

Reals = NDArray[np.float64]
SMALL = 1e-9
"""Angles below are none."""
GRID = np.pi / 64
"""Angles this near a multiple of it are taken as that, so that every machine's linear algebra gives the same text."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """A place where a parity, given as a mask of variables, stands on a wire."""

    wire: int
    parity: int


def label_network(code: Code, schedule: str, lifts: Mapping[int, int]) -> tuple[tuple[Gate, ...], list[int]]:
    """Gates that load the labels of a code; and the wires on which bits 0 to 3 of the code are then.

    The bits of the number are on wires 0, 1, ..., and one clean ancilla for each label follows. A Hadamard opens each
    ancilla; rotations of parities with it give its two branches the relative phase pi times the label; a Hadamard
    on the only wire that still has the ancilla's variable ends the label there. Parities of later labels can contain
    labels that have ended. The other wires are left with parities, and inputs with phases of their own: the inverse
    takes both back. Source: conditional loaders, M. Sharma, section 3.1 of docs/technical-report.md in
    github.com/MonitSharma/classiq-quantum-circuit-challenge.

    Args:
        code: the labels, and the parity that has to be on a wire at the end.
        schedule: see the head of this file. Labels end in order.
        lifts: for some numbers an even number, by which label 0 is taken larger: its phase stays what it was.

    Raises:
        ValueError: a label ends while other wires have its variable, or the rotations do not make it.

    Cost: the gates of the schedule and 2 Hadamards a label.
    """
    labels = len(code.labels)
    bits = code.labels.shape[1].bit_length() - 1
    rows = [1 << wire for wire in range(bits + labels)]
    gates: list[Gate | Rotation] = []
    for wire in range(bits, bits + labels):
        gates += [Gate("h", (wire,)), Rotation(wire, rows[wire])]
    for step in schedule.replace(";", " ").split():
        if ">" in step:
            gates.append(_cx(rows, step))
            continue
        wire = int(step.partition("c")[0].rstrip("r"))
        gates.append(Rotation(wire, rows[wire]))
        if "c" in step:
            gates.append(Gate("h", (wire,)))
            _end_label(rows, wire, 1 << bits + int(step.partition("c")[2]))
    ends = [rows.index(variable) for variable in (code.parity, *(1 << bits + label for label in range(labels)))]
    return _placed(gates, _label_angles(code, gates, lifts)), ends


def _cx(rows: list[int], step: str) -> Gate:
    control, target = map(int, step.split(">"))
    rows[target] ^= rows[control]
    return Gate("cx", (control, target))


def _end_label(rows: list[int], wire: int, variable: int) -> None:
    """After the Hadamard the wire has the label, which takes the place of the ancilla's variable."""
    if [bool(row & variable) for row in rows] != [place == wire for place in range(len(rows))]:
        raise ValueError(f"a label ends on wire {wire}, which is not the only one with it")
    rows[wire] = variable


def _label_angles(code: Code, gates: Sequence[Gate | Rotation], lifts: Mapping[int, int]) -> dict[int, float]:
    """The angle of each parity. The label that it serves is its last, as labels end in order."""
    numbers = code.labels.shape[1]
    bits = numbers.bit_length() - 1
    values: Ints = np.arange(numbers)
    for label, row in enumerate(code.labels):
        values = values | row << bits + label
    asked = {gate.parity for gate in gates if isinstance(gate, Rotation)}
    found: dict[int, float] = {}
    for label, row in enumerate(code.labels):
        own = 1 << bits + label
        served = sorted(parity for parity in asked if own <= parity < 2 * own)
        wanted = np.pi * row
        if label == 0:
            wanted = wanted + np.pi * np.array([lifts.get(number, 0) for number in range(numbers)])
        found |= zip(served, _solution(_signs([parity ^ own for parity in served], values), wanted), strict=True)
    return found


def phase_network(phase: Reals, words: Ints, num_bits: int, schedule: str) -> tuple[Gate, ...]:
    """Gates that give ``exp(i phase[k])`` to the word ``words[k]`` on wires 0, 1, ..., up to a global phase.

    Args:
        phase: shape (words,).
        words: the values that the wires can have; others get some phase.
        num_bits: wires.
        schedule: see the head of this file. Parities of one wire are rotated at the start and need no step.

    Raises:
        ValueError: the schedule does not take the wires back, or its rotations do not make the phase.

    Cost: the gates of the schedule, and one rotation for each wire.
    """
    start = [1 << wire for wire in range(num_bits)]
    rows = list(start)
    gates: list[Gate | Rotation] = [Rotation(wire, row) for wire, row in enumerate(rows)]
    for step in schedule.replace(";", " ").split():
        if ">" in step:
            gates.append(_cx(rows, step))
        else:
            wire = int(step.rstrip("r"))
            gates.append(Rotation(wire, rows[wire]))
    if rows != start:
        raise ValueError("the schedule does not take the wires back")
    asked = sorted({gate.parity for gate in gates if isinstance(gate, Rotation)})
    # A parity is (1 - sign) / 2, so its angle is minus twice the sign's coefficient.
    angles = [-2 * coefficient for coefficient in _solution(_signs([0, *asked], words), phase)[1:]]
    return _placed(gates, dict(zip(asked, angles, strict=True)))


def _signs(masks: Sequence[int], values: Ints) -> Reals:
    """-1 where a value has an odd number of bits in the mask, else 1; shape (values, masks)."""
    return np.array([[1.0 - 2 * ((int(value) & mask).bit_count() & 1) for mask in masks] for value in values])


def _solution(columns: Reals, wanted: Reals) -> list[float]:
    found = np.linalg.lstsq(columns, wanted, rcond=None)[0]
    if not np.allclose(columns @ found, wanted, rtol=0, atol=SMALL):
        raise ValueError("the parities of the schedule do not make the phase")
    return [float(coefficient) for coefficient in found]


def _placed(gates: Sequence[Gate | Rotation], angles: Mapping[int, float]) -> tuple[Gate, ...]:
    """The gates, with each parity rotated where it stands first."""
    left, found = dict(angles), []
    for gate in gates:
        if isinstance(gate, Gate):
            found.append(gate)
        elif abs(angle := left.pop(gate.parity, 0.0)) > SMALL:
            steps = round(angle / GRID)
            found.append(Gate("p", (gate.wire,), (steps * GRID if abs(angle - steps * GRID) < SMALL else angle,)))
    return tuple(found)

"""Which gates of a circuit put a qubit in superposition, and which take it back to basis states."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from qiskit.circuit import CircuitInstruction, Qubit

from gatesolve.circuit.gates import EIGHTHS

MOST_FLIPS = 6
"""Bits that flip a qubit in superposition, up to which it is followed; beyond, it counts as never closed."""


def find_spans(instructions: Sequence[CircuitInstruction]) -> dict[int, int]:
    """Places of gates that open a superposition of their qubit, and of those that close it: themselves if none does.

    Each qubit is followed by itself, for every value of the bits that flip it: controls of its CX and CCX. It is closed
    where all of these leave a basis state. So an AND of four rotations about y is one span, and so is one of two H.
    What it controls meanwhile is taken to leave it as it is.

    Cost: up to 2^`MOST_FLIPS` products of a matrix and a vector a gate.
    """
    draw = random.Random(0)
    spans: dict[int, int] = {}
    is_open: dict[Qubit, _Open] = {}
    # What a wire holds as a parity of unknown bits: each is a random even number, 1 is the constant.
    bits: dict[Qubit, int] = defaultdict(lambda: 2 * draw.getrandbits(64))
    products: dict[frozenset[int], int] = defaultdict(lambda: 2 * draw.getrandbits(64))
    for index, instruction in enumerate(instructions):
        name, wires = instruction.operation.name, instruction.qubits
        if name == "barrier" or not wires:
            continue
        qubit = wires[-1]
        if name in {"measure", "if_else"} or (len(wires) > 1 and name not in {"cx", "ccx"}):
            if name == "measure" and qubit in is_open:
                spans[is_open.pop(qubit).start] = index
            for wire in wires:
                bits.pop(wire, None)
            continue
        flips = len(wires) > 1
        by = bits[wires[0]] if len(wires) < 3 else products[frozenset(bits[wire] for wire in wires[:-1])]
        if not flips and qubit not in is_open and not is_turn(instruction, 0) and not is_turn(instruction, 1):
            is_open[qubit], spans[index] = _Open(index), index
        if held := is_open.get(qubit):
            bits.pop(qubit, None)
            if flips:
                held.flip(by)
            else:
                held.turn(instruction.operation.to_matrix())
            if held.is_closed():
                spans[is_open.pop(qubit).start] = index
        elif flips:
            bits[qubit] ^= by
        elif is_turn(instruction, 1):
            bits[qubit] ^= 1
    return spans


def is_turn(instruction: CircuitInstruction, half_turns: int) -> bool:
    """Whether a one-qubit gate is diagonal (0), or a flip up to phases (1)."""
    name = instruction.operation.name
    if name in {"u", "u3"}:
        return abs(math.sin((float(instruction.operation.params[0]) - half_turns * math.pi) / 2)) < 1e-12
    return name in (EIGHTHS, {"x"})[half_turns]


class _Open:
    """A qubit's states for both values that it may have had, and for every value of the bits that have flipped it."""

    def __init__(self, start: int) -> None:
        self.start = start
        self._flips: list[int] = []
        # Axes: the flips' values, the first value, amplitudes. None once it is not followed any more.
        self._states: NDArray[np.complex128] | None = np.eye(2, dtype=np.complex128)[None]

    def flip(self, by: int) -> None:
        """CX from a qubit that holds a bit."""
        if self._states is None:
            return
        if by & 1:
            self._states = self._states[..., ::-1]
        if by >> 1 << 1 not in self._flips:
            self._flips.append(by >> 1 << 1)
            self._states = np.concatenate([self._states, self._states])
        if len(self._flips) > MOST_FLIPS:
            self._states = None
            return
        is_set = np.arange(len(self._states)) >> self._flips.index(by >> 1 << 1) & 1 == 1
        self._states = np.where(is_set[:, None, None], self._states[..., ::-1], self._states)

    def turn(self, matrix: NDArray[np.complex128]) -> None:
        """A one-qubit gate."""
        if self._states is not None:
            self._states = self._states @ matrix.T

    def is_closed(self) -> bool:
        """Whether only basis states are left."""
        return self._states is not None and bool((np.abs(self._states).min(axis=-1) < 1e-9).all())

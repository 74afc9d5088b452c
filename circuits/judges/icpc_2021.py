"""ICPC x IBM Quantum Challenge 2021: popcounts with free phases, and five reflections for every angle.

Tasks 1a, 1b, 1c: a digit of the popcount of four inputs; 2a, 2b: the whole popcount of 15 and 16. Wires: inputs,
outputs (lowest digit first), scratch from zero to zero; each input may get any phase. Score: CX + depth in CX + n S / 2
for n inputs and S scratch wires. Task 3: five circuits diag(e^(i beta f)) on three wires and ancillas, ``beta`` free
in the angles; score: the sum of 10 CX + depth times wires, neighbouring one-qubit gates merged. Source:
github.com/qiskit-community/ICPC-Quantum-Challenge-2021.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from qiskit.circuit.library import get_standard_gate_name_mapping

from .base import NUMERIC, Contest, RefusedError, Verdict, count, need_wires, parse, read_circuit, read_text
from .basis import bits_of, check_action

POPCOUNTS = {"1a": (4, (0,)), "1b": (4, (1,)), "1c": (4, (2,)), "2a": (15, (0, 1, 2, 3)), "2b": (16, (0, 1, 2, 3, 4))}
"""Inputs, and which digits are wanted."""
MARKED = ((), (7,), (0, 7), (1, 2, 4), (1, 2, 4, 7))
"""Of each reflection, its numbers."""
STEP = 16
"""Angles are multiples of beta / 16, so that a finite number of betas settles all."""
MOST_FREQUENCY = 64.0
MOST_WIRES = 8


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """Check a popcount on all inputs, or the reflections for every beta."""
    if task == "3":
        return _judge_reflections(files)
    inputs, digits = POPCOUNTS[task]
    circuit = read_circuit(files[0], NUMERIC)
    need_wires(circuit, files[0], inputs + len(digits))
    numbers = np.arange(1 << inputs)
    before = bits_of(numbers, inputs + len(digits))
    after = before.copy()
    after[inputs:] = bits_of(before.sum(axis=0), digits[-1] + 1)[list(digits)]
    check_action(circuit, before, after, None, files[0])
    depth = circuit.depth(lambda step: step.operation.name == "cx")
    score = count(circuit)["cx"] + depth + inputs * (circuit.num_qubits - inputs - len(digits)) / 2
    return Verdict((score,), f"{score:g}", circuit.num_qubits)


@dataclass(frozen=True)
class _Gate:
    """A CX, or the matrices of a one-qubit gate, one for each beta."""

    wires: tuple[int, ...]
    matrices: np.ndarray | None


def _judge_reflections(files: Sequence[Path]) -> Verdict:
    total, widest = 0, 0
    for marked, path in zip(MARKED, files, strict=True):
        gates, width, betas = _read_gates(path)
        _check_reflection(gates, width, marked, betas, path)
        depth, cx = _merged(gates, width)
        total += 10 * cx + depth * width
        widest = max(widest, width)
    return Verdict((total,), str(total), widest)


def _read_gates(path: Path) -> tuple[list[_Gate], int, np.ndarray]:
    """The gates, how many wires, and betas enough to settle all others."""
    text = re.sub(r"\binput\s+\w+(\[\d+\])?\s+beta\s*;", "", read_text(path))
    for angle in re.finditer(r"[^,;]*beta[^,;]*", text):
        if angle[0].count("beta") > 1 or re.search(r"sin|cos|tan|exp|ln|log|sqrt|pow|\^|\*\*", angle[0]):
            line = text.count("\n", 0, angle.start() + angle[0].index("beta")) + 1
            raise RefusedError(f"{path}:{line}: an angle must be a number plus a multiple of beta, named once")
    # What +, -, *, / make of one beta has the form (a + b beta) / (c + d beta): three points on a line show it linear.
    at = [parse(re.sub(r"\bbeta\b", f"({beta!r})", text), path) for beta in (0.0, 1.0, 2.75)]
    need_wires(at[0], path, 3, MOST_WIRES)
    read, frequency = [], 0.0
    for steps in zip(*(circuit.data for circuit in at), strict=True):
        name, wires = steps[0].operation.name, tuple(at[0].find_bit(qubit).index for qubit in steps[0].qubits)
        if name not in NUMERIC:
            raise RefusedError(f"{path}: gate {name} is not allowed here (allowed: CX and one-qubit gates)")
        start, one, more = (np.array([float(p) for p in step.operation.params]) for step in steps)
        slopes = one - start
        if not np.allclose(more, start + 2.75 * slopes) or not np.allclose(STEP * slopes, np.round(STEP * slopes)):
            raise RefusedError(f"{path}: an angle must be a number plus a multiple of beta / {STEP}")
        frequency += float(np.abs(slopes).sum())
        if name != "barrier":
            read.append((name, wires, start, slopes))
    if frequency > MOST_FREQUENCY:
        raise RefusedError(f"{path}: the angles add up to {frequency:g} beta; at most {MOST_FREQUENCY:g} are taken")
    # An entry of the matrix is a trigonometric polynomial in beta / 32, its degree below half of the points.
    points = int(4 * STEP * (frequency + 1)) + 3
    betas = 4 * math.pi * STEP * np.arange(points) / points
    gates = [_Gate(wires, _matrices(name, start, slopes, betas)) for name, wires, start, slopes in read]
    return gates, at[0].num_qubits, betas


def _matrices(name: str, start: np.ndarray, slopes: np.ndarray, betas: np.ndarray) -> np.ndarray | None:
    if name == "cx":
        return None
    gate = get_standard_gate_name_mapping()[name].base_class
    if not slopes.any():
        return np.broadcast_to(gate(*start).to_matrix(), (len(betas), 2, 2))
    return np.array([gate(*(start + beta * slopes)).to_matrix() for beta in betas])


def _check_reflection(gates: Sequence[_Gate], width: int, marked: Sequence[int], betas: np.ndarray, path: Path) -> None:
    """Run the eight inputs at all betas side by side."""
    state = np.zeros((len(betas), 8, *[2] * width), dtype=complex)  # the last axis is wire 0
    for number in range(8):
        state[(slice(None), number, *(number >> wire & 1 for wire in reversed(range(width))))] = 1
    for gate in gates:
        axes = [1 + width - wire for wire in gate.wires]
        if gate.matrices is None:
            moved = np.moveaxis(state, axes, (0, 1))  # a view
            moved[1] = moved[1, ::-1].copy()
        else:
            moved = np.moveaxis(state, axes[0], -1)
            mixed = np.einsum("bij,b...j->b...i", gate.matrices, moved)
            state = np.moveaxis(mixed, -1, axes[0])
    matrix = state.reshape(len(betas), 8, -1)
    wanted = np.zeros_like(matrix)
    for number in range(8):
        wanted[:, number, number] = np.exp(1j * betas * (number in marked))
    wanted *= (matrix[:, 0, 0] / wanted[:, 0, 0])[:, None, None]
    if not np.allclose(matrix, wanted, atol=1e-7):
        raise RefusedError(f"{path}: not the reflection for every beta")


def _merged(gates: Sequence[_Gate], width: int) -> tuple[int, int]:
    """Depth and CX; a run of one-qubit gates on a wire is one gate, and none where it is a mere phase at every beta."""
    runs: dict[int, np.ndarray] = {}
    layers, cx = [0] * width, 0

    def close(wire: int) -> None:
        run = runs.pop(wire, None)
        if run is not None and (np.abs(np.abs(np.trace(run, axis1=1, axis2=2)) - 2) > 1e-9).any():
            layers[wire] += 1

    for gate in gates:
        if gate.matrices is None:
            for wire in gate.wires:
                close(wire)
            layers[gate.wires[0]] = layers[gate.wires[1]] = max(layers[wire] for wire in gate.wires) + 1
            cx += 1
        else:
            runs[gate.wires[0]] = gate.matrices @ runs.get(gate.wires[0], np.eye(2))
    for wire in range(width):
        close(wire)
    return max(layers), cx


CONTEST = Contest(
    "CX + depth + scratch",
    {"exact": "right on all inputs, with any phase for each input; task 3: right for every beta, with exact phases"},
    (*POPCOUNTS, "3"),
    judge,
    {"3": "f0, f1, f2, f3, f4"},
)

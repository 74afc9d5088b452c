"""X and Z carried to the end of a circuit, where one of each a qubit is left at most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gatesolve.circuit.gates import INVERSE_NAMES, TURNS, LowGate


def move_paulis_last(gates: Iterable[LowGate]) -> Iterator[LowGate]:
    """Move X and Z behind all gates on their qubits; the circuit stays equal up to a global phase.

    They are copied along CX and CZ, H swaps them, and rotations they pass turn the other way. Many meet their like on
    the way and vanish; a single one may also spread, so the caller compares the counts.

    Nothing is carried across gates other than cx, cz, h, x, z, s, sdg, t, tdg, p, rz, ry.
    """
    flips: set[int] = set()
    signs: set[int] = set()
    for name, qubits, angle in gates:
        first = qubits[0]
        if name == "x":
            flips ^= {first}
        elif name == "z":
            signs ^= {first}
        elif name == "h":
            if (first in flips) != (first in signs):
                flips ^= {first}
                signs ^= {first}
            yield name, qubits, angle
        elif name in {"cx", "cz"}:
            second = qubits[1]
            if first in flips:
                (flips if name == "cx" else signs).symmetric_difference_update({second})
            if (second in signs) if name == "cx" else (second in flips):
                signs ^= {first}
            yield name, qubits, angle
        elif name in INVERSE_NAMES:
            yield INVERSE_NAMES[name] if first in flips else name, qubits, angle
        elif name in TURNS:
            turned = (first in flips) != (name == "ry" and first in signs)
            yield name, qubits, -angle if turned else angle
        else:
            for qubit in qubits:
                yield from _emit_waiting(qubit, flips, signs)
            yield name, qubits, angle
    for qubit in sorted(flips | signs):
        yield from _emit_waiting(qubit, set(flips), set(signs))


def _emit_waiting(qubit: int, flips: set[int], signs: set[int]) -> Iterator[LowGate]:
    """The X and Z waiting on a qubit, which wait no more."""
    if qubit in flips:
        yield "x", (qubit,), 0.0
    if qubit in signs:
        yield "z", (qubit,), 0.0
    flips.discard(qubit)
    signs.discard(qubit)

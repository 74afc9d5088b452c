"""Gates of one to three qubits by Qiskit's names, facts about each, and the short circuits that operations consist of.

A gate is written as ``(name, qubits, angle)``; the angle is 0 where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from gatesolve.circuit.parity import Parity

LowGate = tuple[str, tuple[int, ...], float]

EIGHTHS = {"t": 1, "s": 2, "z": 4, "sdg": 6, "tdg": 7}
"""Diagonal gates on one qubit as multiples of a phase of pi/4."""
TURNS = frozenset({"p", "rz", "ry"})
"""Rotations by an angle."""
DIAGONAL = frozenset({*EIGHTHS, "p", "rz", "cz"})
"""Gates that change phases alone."""
FLIPS = frozenset({"x", "cx"})
"""Gates that flip a bit of basis states."""
CONTROLLED = {"cx": "x", "cz": "z", "ccx": "x", "ccz": "z"}
"""Gates on several qubits, and the gate that each applies to its last qubit where all others are 1."""
LETTERS = {
    **dict.fromkeys((*EIGHTHS, "p", "rz"), "z"),
    **{name: "z" * name.count("c") + inner for name, inner in CONTROLLED.items()},
    "x": "x",
}
"""One letter for each qubit of a gate that is diagonal (``z``) or a function of X (``x``) there."""
SHAPES = {
    **dict.fromkeys(("h", "x", *EIGHTHS), (1, 0)),
    **dict.fromkeys(("cx", "cz"), (2, 0)),
    **dict.fromkeys(sorted(TURNS), (1, 1)),
}
"""Qubits and angles of each gate."""
INVERSE_NAMES = {"s": "sdg", "sdg": "s", "t": "tdg", "tdg": "t"}
DRAWN = {"sdg": "S†", "tdg": "T†", "ry": "RY", "rz": "RZ", "p": "P", **{name: name.upper() for name in "hxzst"}}
"""Gates on one qubit, and the text in their box."""


ROTATION_T = 100
"""T of a rotation that Clifford+T only approximates: about what Ross-Selinger needs at 1e-10."""


def drop_turns(angle: float) -> float:
    """Return an angle without whole turns; an angle below 8 in absolute value is returned unchanged."""
    # Sine and cosine reduce a large angle exactly; division by a rounded pi would lose its fraction.
    return angle if abs(angle) < 8 else math.atan2(math.sin(angle), math.cos(angle))


def count_eighths(angle: float) -> float:
    """Return an angle in multiples of pi/4, reduced by `drop_turns`."""
    return drop_turns(angle) / (math.pi / 4)


def reverse_gates(gates: Sequence[LowGate]) -> list[LowGate]:
    """Return the inverse of gates without angles."""
    return [(INVERSE_NAMES.get(name, name), qubits, angle) for name, qubits, angle in reversed(gates)]


def name_gates(pairs: Iterable[tuple[str, tuple[int, ...]]]) -> list[LowGate]:
    """Return gates without angles, given by names and qubits."""
    return [(name, qubits, 0.0) for name, qubits in pairs]


def toggle(parity: Parity, target: int) -> list[LowGate]:
    """Return CX from each wire and X for the constant: the parity is XORed onto the target."""
    flip = [("x", (target,))] if parity.constant else []
    return name_gates([*(("cx", (wire, target)) for wire in parity.wires), *flip])


def margolus(left: Parity, right: Parity, target: int) -> list[LowGate]:
    """Return Margolus' gate with parities as controls; complements become signs of the T gates.

    Without complements: H T C(right) T' C(left) T C(right) T' H. A complement of ``right``
    flips the two middle signs; one of ``left`` flips the last two and leaves a Z.
    """
    signs = [1, -1, 1, -1]
    if right.constant:
        # A complement is an X before and after; pushed through the T gates, it inverts those in between.
        signs[1], signs[2] = -signs[1], -signs[2]
    if left.constant:
        signs[2], signs[3] = -signs[2], -signs[3]
    gates = name_gates([("h", (target,))])
    for sign, wires in zip(signs, (right.wires, left.wires, right.wires, ()), strict=True):
        gates += [("t" if sign > 0 else "tdg", (target,), 0.0), *toggle(Parity(wires), target)]
    return gates + name_gates([("h", (target,)), *([("z", (target,))] if left.constant else [])])


def margolus_in_one_layer(left: Parity, right: Parity, target: int) -> list[LowGate]:
    """Return Margolus' gate of single wires with 5 CX: one T on the target, then three T in one layer.

    The first T waits for no control, so a tree of ANDs on fresh targets has one layer of T for each level. Source: our
    own; the phase polynomial of `margolus`, with its last three parities on three wires at once.
    """
    # A wire's complement changes the sign of the phases that hold it, as in `margolus`.
    (first,), (second,) = left.wires, right.wires
    walk = ("cx", (target, second)), ("cx", (second, first))
    signed = {target: not left.constant, second: left.constant != right.constant, first: not right.constant}
    turns = [(("tdg" if turned else "t"), (wire,)) for wire, turned in signed.items()]
    ends = [("h", (target,)), *([("z", (target,))] if left.constant else [])]
    return name_gates((("h", (target,)), ("t", (target,)), ("cx", (first, target)), *walk, *turns, *walk[::-1], *ends))


def cz(first: int, second: int) -> list[LowGate]:
    """Return CZ as a CX between two H."""
    return name_gates((("h", (second,)), ("cx", (first, second)), ("h", (second,))))


def ccz(a: int, b: int, c: int) -> list[LowGate]:
    """Return Z over three qubits in six CX and seven T: the phase polynomial of a b c.

    Source: Nielsen and Chuang, figure 4.9.
    """
    # The T gates on single wires come first, where they merge with the gates that made a, b and c. The phase of a ^ b
    # is added between the uses of c: so b is held for five layers, and a, which may arrive one layer later, for six.
    return name_gates(
        (
            ("t", (a,)), ("t", (b,)), ("t", (c,)), ("cx", (b, c)), ("cx", (a, b)), ("tdg", (c,)), ("tdg", (b,)),
            ("cx", (a, c)), ("cx", (a, b)), ("t", (c,)), ("cx", (b, c)), ("tdg", (c,)), ("cx", (a, c)),
        )
    )  # fmt: skip


def count_controlled(qubits: int) -> tuple[int, int]:
    """Return CX and T of a multi-controlled Z over ``qubits``: 6 n - 6 and 8 n - 9 for n controls."""
    return (int(qubits == 2), 0) if qubits < 3 else (6 * qubits - 12, 8 * qubits - 17)


def price_phase(lengths: Iterable[int]) -> int:
    """Return the CX of a multi-controlled Z over independent parities, given their numbers of wires."""
    # Longer parities are made on one of their wires and undone. CZ and Z distribute over the longest parity instead.
    least, *others = sorted(lengths) or [0]
    if not others:
        return 0
    if len(others) == 1:
        return others[0] + 2 * (least - 1)
    return count_controlled(1 + len(others))[0] + 2 * sum(n - 1 for n in (least, *others))

"""Preparation circuits: exact uniform superpositions of codewords from zeros, without ancillas.

Qubit 0 is the least significant bit throughout.
"""

from __future__ import annotations

import math

from gatesolve.circuit import And, Gate, Op, Ops, Parity, Xor
from gatesolve.circuit.ops import rename_wires


def prepare_uniform(size: int) -> tuple[Gate, ...]:
    """Prepare ``sum_{i < size} |i> / sqrt(size)`` on ``(size - 1).bit_length()`` qubits.

    Every controlled rotation finds its target in a known basis state, so each takes one CZ.

    Cost: at most 2 n - 2 CZ for n qubits; none when ``size`` is a power of two.
    Source: Shukla and Vedula, arXiv:2306.11747, section 2 (the branch structure).
    """
    ones = [bit for bit in range(size.bit_length()) if size >> bit & 1]
    lowest = ones[0]
    ops = [Gate("h", (bit,)) for bit in range(lowest)]
    left, previous = size, lowest
    for rank, bit in enumerate(ones[1:]):
        # The branch of 2**previous states keeps this bit at one; all larger branches set it to zero.
        stay = (1 << previous) / left
        if rank == 0:
            ops.append(Gate("ry", (bit,), (2 * math.asin(math.sqrt(stay)),)))
        else:
            # |1> to sqrt(1-stay)|0> + sqrt(stay)|1> where ``previous`` is 0: Ry(a) Z Ry(-a) |1> is
            # sin(a)|0> - cos(a)|1>, so the angle is taken in the second quadrant.
            ops.append(Gate("x", (bit,)))
            ops.extend(_reflect_if_zero(previous, bit, math.pi - math.acos(math.sqrt(stay))))
        # |0> to |+> where ``bit`` is 0: Ry(a) Z^c Ry(-a) |0> = Ry(2a) |0>.
        ops.extend(gate for low in range(previous, bit) for gate in _reflect_if_zero(bit, low, math.pi / 4))
        left -= 1 << previous
        previous = bit
    return tuple(ops)


def _reflect_if_zero(control: int, target: int, angle: float) -> list[Gate]:
    turn_back, turn = Gate("ry", (target,), (-angle,)), Gate("ry", (target,), (angle,))
    return [turn_back, Gate("cz", (control, target)), Gate("z", (target,)), turn]


def prepare_one_hot(size: int) -> tuple[Ops, tuple[int, ...]]:
    """Prepare the W state of ``size`` qubits: a uniform index, decoded in place to unary.

    The index bit of weight 2**b sits on qubit 2**b. Doubling step b makes qubit
    2**b + j equal to (qubit j AND bit b), takes it off qubit j, and the bit's own
    qubit becomes (qubit 0 AND bit b) by XOR of the others.

    Returns:
        The gates, and the root qubits: inside the span of the codewords the inverse
        circuit brings every other qubit back to zero, so a reflection looks at roots alone.

    Cost: the index's ``prepare_uniform(size)``, and for each doubling with m new values m - 1 logical ANDs and 2 m CX.
    Source: the unary iteration of Babbush et al., arXiv:1805.03662, section III.A, done in place.
    """
    bits = (size - 1).bit_length()
    places = [1 << bit for bit in range(bits)]
    ops: list[Op] = [*rename_wires(prepare_uniform(size), places), Gate("x", (0,))]
    for bit in range(bits):
        base = 1 << bit
        new = min(size - base, base)
        for j in range(1, new):
            # RCCX leaves a phase i on the computed one; S-dagger takes it off, so amplitudes stay equal.
            ops.append(And(Parity((j,)), Parity((base,)), base + j))
            ops.append(Gate("sdg", (base + j,)))
        ops.extend(Xor(Parity((base + j,)), base) for j in range(1, new))
        ops.extend(Xor(Parity((base + j,)), j) for j in range(new))
    return tuple(ops), tuple(1 << bit for bit in range(bits))


def prepare_domain_wall(size: int) -> Ops:
    """Prepare the uniform superposition of 1^i 0^(size-1-i), i < size, qubit 0 leftmost.

    Cost: size - 2 CZ.
    Source: the encoding is Chancellor, arXiv:1903.05068; each step turns |0> by Ry(a) Z Ry(-a) = one CZ.
    """
    ops: list[Gate] = []
    for qubit in range(size - 1):
        angle = math.acos(math.sqrt(1 / (size - qubit)))
        if qubit == 0:
            ops.append(Gate("ry", (0,), (2 * angle,)))
        else:
            ops.append(Gate("ry", (qubit,), (-angle,)))
            ops.append(Gate("cz", (qubit - 1, qubit)))
            ops.append(Gate("ry", (qubit,), (angle,)))
    return tuple(ops)


THIRD = math.asin(1 / math.sqrt(3))


def prepare_three_words(missing: int) -> tuple[Gate, ...]:
    """Prepare the uniform superposition of all words of two qubits but one so that one root tells it apart.

    The states with qubit 0 at zero go to the span of that superposition and the missing word, all others to its
    complement. So inside the words' span, undoing this leaves qubit 0 at zero for the superposition alone, where
    `prepare_uniform` needs to look at both qubits. Qubit 1 holds some state of its own; it does not start at zero.

    Cost: 2 CX.
    """
    flips = [Gate("x", (q,)) for q in range(2) if not missing >> q & 1]
    turns = [Gate("ry", (0,), (THIRD,)), Gate("cx", (0, 1)), Gate("ry", (0,), (THIRD,)), Gate("cx", (1, 0))]
    return (*turns, Gate("ry", (0,), (math.pi / 4,)), Gate("ry", (1,), (math.pi / 4,)), *flips)

"""Preparation circuits: exact uniform superpositions of codewords from zeros, without ancillas.

Qubit 0 is the least significant bit throughout.
"""

from __future__ import annotations

import math

from gatesolve.circuit import And, Gate, Op, Ops, Parity, Xor, inverse
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

    Returns:
        The gates, and the root qubits: inside the span of the codewords the inverse circuit brings every other qubit
            back to zero, so a reflection acts on the roots alone.

    Cost: the index's ``prepare_uniform(size)``, and for each doubling with m new values m - 1 logical ANDs and 2 m CX.
    Source: the unary iteration of Babbush et al., arXiv:1805.03662, section III.A, done in place.
    """
    bits = (size - 1).bit_length()
    places = [1 << bit for bit in range(bits)]
    # The index bit of weight 2^b is on qubit 2^b, which in the end is the flag of value 2^b.
    ops: list[Op] = [*rename_wires(prepare_uniform(size), places), Gate("x", (0,))]
    for bit in range(bits):
        # Only indices below ``size`` occur, so the last doubling makes fewer new values.
        base = 1 << bit
        new = min(size - base, base)
        for j in range(1, new):
            # RCCX leaves a phase i on the computed one; S-dagger takes it off, so amplitudes stay equal.
            # Doubling step b sets qubit 2^b + j to (qubit j AND bit b).
            ops.append(And(Parity((j,)), Parity((base,)), base + j))
            ops.append(Gate("sdg", (base + j,)))
        # XOR of the others leaves (qubit 0 AND bit b) on the bit's own qubit; then qubit j loses what moved on.
        ops.extend(Xor(Parity((base + j,)), base) for j in range(1, new))
        ops.extend(Xor(Parity((base + j,)), j) for j in range(new))
    return tuple(ops), tuple(1 << bit for bit in range(bits))


def split_one_hot(size: int) -> Ops:
    """Prepare the W state of ``size`` qubits: one qubit stands for all values and is split until each has its own.

    Inside the span of the codewords the inverse brings qubit 0 back to zero.

    Cost: 2 size - 3 CX. Source: Diker, arXiv:1606.09290, for powers of two; here for every size.
    """
    if size == 1:
        return (Gate("x", (0,)),)
    most = 1 << (size - 1).bit_length() - 1
    angle = math.asin(math.sqrt((size - most) / size))
    ops = [Gate("ry", (most,), (2 * angle,)), Gate("x", (0,)), Gate("cx", (most, 0))]
    return (*ops, *_split(0, most), *_split(most, size - most))


def _split(first: int, size: int) -> list[Gate]:
    """Return gates that share the one of qubit ``first`` evenly among ``size`` qubits from it on."""
    if size == 1:
        return []
    most = 1 << (size - 1).bit_length() - 1
    # Qubit ``second`` turns by the share of its part where ``first`` is 1; a CX then takes it off ``first``.
    second, angle = first + most, math.asin(math.sqrt((size - most) / size))
    ops = [Gate("ry", (second,), (-angle,)), Gate("cz", (first, second)), Gate("ry", (second,), (angle,))]
    return [*ops, Gate("cx", (second, first)), *_split(first, most), *_split(second, size - most)]


def mirror_one_hot(size: int) -> Ops:
    """Prepare the W state of ``size`` qubits by a circuit whose inverse marks it on one qubit.

    Inside the span of the codewords the inverse leaves qubit 0 at zero for the W state, and at one for every state
    orthogonal to it.

    Cost: 2 size - 2 CX, one less for 3 and 4 qubits; one root, while `prepare_one_hot` has one per bit of the index.
    Source: the rotation by two CZ, Landman et al., arXiv:2109.01831, section II. The circuits of 3 and 4 qubits are
    from a numerical search over all arrangements of as many CZ; they rely on exactly one qubit being set.
    """
    if size in {3, 4}:
        return inverse(_GATHER_THREE if size == 3 else _GATHER_FOUR)
    return (Gate("x", (0,)), *_gather(0, size))


def _gather(first: int, size: int) -> list[Gate]:
    """Return the inverse of gathering: the one of qubit ``first`` shared evenly by Givens rotations."""
    if size == 1:
        return []
    most = 1 << (size - 1).bit_length() - 1
    second, angle = first + most, math.asin(math.sqrt((size - most) / size))
    around = [Gate("h", (first,)), Gate("h", (second,))]
    # A Givens rotation in the span of 01 and 10 by two CZ; 00 is unchanged, and 11 never occurs.
    cz, turns = Gate("cz", (first, second)), [Gate("ry", (first,), (angle,)), Gate("ry", (second,), (-angle,))]
    return [*around, cz, *turns, cz, *around, *_gather(first, most), *_gather(second, size - most)]


def _turn(name: str, qubit: int, eighths: float) -> Gate:
    return Gate(name, (qubit,), (eighths * math.pi / 4,))


THIRD = math.asin(1 / math.sqrt(3))
_LESS, _MORE = 2 - THIRD / (math.pi / 4), 2 + THIRD / (math.pi / 4)
_GATHER_THREE = (
    *(_turn("ry", 0, _LESS), _turn("ry", 1, -_MORE), _turn("rz", 2, 4 / 3), _turn("ry", 2, -_LESS)),
    *(Gate("cz", (1, 2)), _turn("rz", 1, -1), _turn("ry", 1, -2), _turn("rz", 2, -1), _turn("ry", 2, -2)),
    *(Gate("cz", (0, 1)), _turn("rz", 0, 1), _turn("ry", 0, -2)),
    *(Gate("cz", (0, 2)), _turn("rz", 0, 1), _turn("ry", 0, _MORE)),
)
_GATHER_FOUR = (
    *(_turn("ry", 0, -2), _turn("ry", 1, -2), Gate("cz", (0, 1)), _turn("ry", 0, -1), _turn("ry", 1, -1)),
    *(Gate("sdg", (2,)), _turn("ry", 2, -2), Gate("sdg", (3,)), _turn("ry", 3, -2)),
    *(Gate("cz", (2, 3)), _turn("ry", 2, 1), _turn("ry", 3, 1)),
    *(Gate("cz", (0, 2)), _turn("ry", 0, -2), Gate("cz", (1, 3)), Gate("sdg", (1,)), _turn("ry", 1, -1)),
    *(Gate("cz", (0, 1)), _turn("rz", 0, 1), _turn("ry", 0, 2)),
)
"""Circuits that leave qubit 0 at zero for the W state of three or four qubits, and at one for orthogonal states."""


def prepare_domain_wall(size: int) -> Ops:
    """Prepare the uniform superposition of 1^i 0^(size-1-i), i < size, qubit 0 leftmost.

    Cost: size - 2 CZ.
    Source: the encoding is Chancellor, arXiv:1903.05068; each step turns |0> by Ry(a) Z Ry(-a) = one CZ.
    """
    ops: list[Gate] = []
    for qubit in range(size - 1):
        # Of the values not yet decided, one stops at this qubit and all others go on.
        angle = math.acos(math.sqrt(1 / (size - qubit)))
        if qubit == 0:
            ops.append(Gate("ry", (0,), (2 * angle,)))
        else:
            ops.append(Gate("ry", (qubit,), (-angle,)))
            ops.append(Gate("cz", (qubit - 1, qubit)))
            ops.append(Gate("ry", (qubit,), (angle,)))
    return tuple(ops)


def prepare_three_words(missing: int) -> tuple[Gate, ...]:
    """Prepare the uniform superposition of all words of two qubits except ``missing``, with one root.

    The states with qubit 0 at zero go to the span of that superposition and the missing word, all others to its
    complement. So inside the words' span, the inverse leaves qubit 0 at zero for the superposition alone, while
    `prepare_uniform` has two roots. Qubit 1 is in some other state; it does not start at zero.

    Cost: 2 CX.
    """
    flips = [Gate("x", (q,)) for q in range(2) if not missing >> q & 1]
    turns = [Gate("ry", (0,), (THIRD,)), Gate("cx", (0, 1)), Gate("ry", (0,), (THIRD,)), Gate("cx", (1, 0))]
    return (*turns, Gate("ry", (0,), (math.pi / 4,)), Gate("ry", (1,), (math.pi / 4,)), *flips)


def list_digits(number: int) -> list[tuple[int, ...]]:
    """The qubits of the digits, which follow the cells."""
    first, found = number * (number - 1).bit_length(), list[tuple[int, ...]]()
    for size in range(2, number + 1):
        found.append(tuple(range(first, first + size)))
        first += size
    return found


def shuffle_cells(number: int, width: int) -> Ops:
    """Return the exchanges that take cells at zero to a permutation by one-hot digits.

    Cell i holds the place of a value in binary, and starts with place i. For i = 1, 2, ... a digit of i + 1 values
    exchanges cell i with cell j where the digit is j. So every permutation comes from one word of the digits.

    Cost: 5 CX for each exchange of two bits: 190, 385 and 545 CX for 6, 8 and 9 cells. An exchange is Margolus' gate
    between two CX, so a codeword's amplitude has a phase, which amplitude amplification does not see.
    Source: the shuffle of Fisher and Yates; as a circuit arXiv:2504.17965.
    """
    ops: list[Op] = [Gate("x", (width * k + bit,)) for k in range(number) for bit in range(width) if k >> bit & 1]
    for cell, digit in enumerate(list_digits(number), start=1):
        for other in range(cell):
            # Where this exchange happens, cell i still holds i and cell j less: no higher bit is set in either.
            for bit in range(cell.bit_length()):
                high, low = width * cell + bit, width * other + bit
                move = Gate("cx", (low, high))
                ops += [move, And(Parity((digit[other],)), Parity((high,)), low), move]
    return tuple(ops)

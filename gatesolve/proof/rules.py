"""Proof that the circuits into which lowering splits multi-controlled Zs are such Zs, each shape once.

Value numbering follows what qubits hold; the phase is a sum of eighths of a turn. Relative phases of an AND cancel
those of its mirror image. So do those of a small circuit between Hadamard gates that maps basis states to basis states.

The remaining phase depends on a few values. Over all of these together it has to be half a turn where some of them are
1, and nothing elsewhere. Those values have to be the qubits of the gate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import And, Gate, Mcx, Op, Ops, PhaseFlip, Xor
from gatesolve.circuit.gf2 import list_bits
from gatesolve.errors import UnsupportedError
from gatesolve.proof.values import ONE, Conjunction, Value, Values, read_parity

EIGHTHS = {"z": 4, "s": 2, "sdg": -2, "t": 1, "tdg": -1}
MOST_FREE = 12
"""Independent values that what is left of the phase may depend on."""
MOST_WIRES = 5
MOST_GATES = 24
"""Qubits and gates of a small circuit with Hadamard gates."""


def is_multi_controlled_z(ops: Ops, qubits: Sequence[int], clean: Sequence[int], num_qubits: int) -> bool:
    """Return whether operations of a rule are a Z on ``qubits``, each the others' control, and leave all as it was.

    Qubits that are ``clean`` are zero before, and have to be after; all others may hold anything.

    Cost: one lookup an operation, and 2^m numbers for m values that the phase depends on.
    """
    borrowed = set(range(num_qubits)) - {*qubits, *clean}
    values = Values(num_qubits, sum(2 << qubit for qubit in borrowed))
    start = [0 if qubit in clean else values.input(qubit) for qubit in range(num_qubits)]
    held, phase = list(start), _Phase(values)
    try:
        for op in _gather_hadamards(ops):
            _apply(op, held, phase)
        marked = phase.find_factors()
    except UnsupportedError:
        return False
    if held != start or marked is None:
        return False
    found, wanted = Conjunction(values, marked), Conjunction(values, [start[qubit] for qubit in qubits])
    return found.implies(wanted, values) and wanted.implies(found, values)


def has_phases_of(settled: Ops, ops: Ops, num_qubits: int) -> bool:
    """Return whether operations whose ANDs have no relative phases do what the others do, whose ANDs have theirs.

    Gates that mix basis states, and phases other than eighths of a turn, have to be the same in both. What such a gate
    leaves on its qubit is an input of its own.
    """
    others = [[op for op in one if _is_opaque(op)] for one in (settled, ops)]
    if others[0] != others[1]:
        return False
    values = Values(num_qubits + len(others[0]))
    ends = [_follow(one, values, num_qubits, is_exact) for one, is_exact in ((settled, True), (ops, False))]
    (held, phase), (wanted, full) = ends
    phase.terms.subtract(full.terms)
    return held == wanted and not any(number % 8 for number in phase.terms.values())


def _is_opaque(op: Op) -> bool:
    return isinstance(op, Gate) and op.name not in {"cx", "x", *EIGHTHS}


def _follow(ops: Ops, values: Values, num_qubits: int, is_exact: bool) -> tuple[list[tuple[Value, ...]], _Phase]:
    """Return the values of each opaque gate's qubits before it, those of all qubits in the end, and the phase."""
    held, seen, phase = [values.input(qubit) for qubit in range(num_qubits)], list[tuple[Value, ...]](), _Phase(values)
    for op in ops:
        if isinstance(op, Gate) and _is_opaque(op):
            seen.append(tuple(held[qubit] for qubit in op.qubits))
            if op.name in {"h", "ry"}:
                held[op.qubits[0]] = values.input(num_qubits + len(seen) - 1)
        elif is_exact and isinstance(op, And):
            held[op.target] ^= values.conjoin(read_parity(op.left, held), read_parity(op.right, held))
        else:
            _apply(op, held, phase)
    return [*seen, tuple(held)], phase


@dataclass(frozen=True)
class _Small:
    """A circuit with Hadamard gates that maps basis states to basis states: ``wires[-1] ^= products`` of the others.

    Its operations are on qubits 0, 1, ..., and the wires are where these are.
    """

    ops: Ops
    wires: tuple[int, ...]


class _Phase:
    """A phase as a sum over products of values, in eighths of a turn."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.terms = Counter[tuple[object, ...]]()

    def add(self, eighths: int, *factors: Value) -> None:
        """Add ``eighths`` of a turn where all factors are 1."""
        if 0 in factors:
            return
        self.terms[tuple(sorted(factor for factor in set(factors) if factor != ONE))] += eighths

    def add_and(self, left: Value, right: Value, target: Value) -> None:
        """Add the phase of an `And`."""
        product = self.values.conjoin(left, right)
        # Of the target with and without the product the lower one is taken, so that mirror images meet.
        bare = min(target, target ^ product)
        self.add(2 if target == bare else -2, left, right)
        for bit in list_bits(bare):
            self.add(4, left, 1 << bit)

    def find_factors(self) -> list[Value] | None:
        """Return values that are all 1 exactly where the phase is half a turn; None if it is no such phase."""
        left = {key: number % 8 for key, number in self.terms.items() if number % 8}
        # Text stands for a small circuit that met no mirror image.
        if any(isinstance(factor, str) for key in left for factor in key):
            return None
        factors = {factor & ~ONE for key in left for factor in key if isinstance(factor, int)}
        basis = _find_basis(factors)
        if len(basis) > MOST_FREE:
            return None
        rows = np.arange(1 << len(basis))
        bits = {value: (rows >> k & 1).astype(bool) for k, value in enumerate(basis)}
        total = np.zeros(len(rows), dtype=np.int64)
        for key, eighths in left.items():
            total += eighths * np.logical_and.reduce([_read(f, bits) for f in key if isinstance(f, int)], axis=0)
        # A phase that all rows have is global.
        return _read_and((total - total[0]) % 8, basis)


def _find_basis(values: set[Value]) -> list[Value]:
    """Return some of the values, of which all others are XORs; single atoms first."""
    basis, rows = list[Value](), dict[int, Value]()
    for value in sorted(values, key=lambda one: (one.bit_count(), one)):
        row = value
        while row and row.bit_length() in rows:
            row ^= rows[row.bit_length()]
        if row:
            rows[row.bit_length()] = row
            basis.append(value)
    return basis


def _read(value: Value, bits: dict[Value, NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Return a value on all rows, as an XOR of the basis."""
    names, rows = list(bits), dict[int, tuple[Value, int]]()
    for k, name in enumerate(names):
        row, made = _reduce(name, 1 << k, rows)
        rows[row.bit_length()] = row, made
    _, chosen = _reduce(value & ~ONE, 0, rows)
    found = np.full(len(next(iter(bits.values()))), bool(value & ONE))
    for k in list_bits(chosen):
        found ^= bits[names[k]]
    return found


def _reduce(row: Value, made: int, rows: dict[int, tuple[Value, int]]) -> tuple[Value, int]:
    while row and (other := rows.get(row.bit_length())) is not None:
        row, made = row ^ other[0], made ^ other[1]
    return row, made


def _read_and(eighths: NDArray[np.int64], basis: list[Value]) -> list[Value] | None:
    """Return the factors of a function over all rows that is 4 on an affine subspace and 0 elsewhere."""
    marked = [int(row) for row in np.flatnonzero(eighths)]
    if not marked or set(eighths[marked].tolist()) != {4}:
        return None
    size, factors = len(basis), list[Value]()
    # Every parity that is constant on the marked rows is a factor. There may be no further rows on which all factors
    # are 1.
    for mask in range(1, 1 << size):
        parities = {(row & mask).bit_count() & 1 for row in marked}
        if len(parities) == 1:
            value = 0
            for k in list_bits(mask):
                value ^= basis[k]
            factors.append(value ^ ONE ^ parities.pop())
    free = size - len(_find_basis({factor & ~ONE for factor in factors}))
    return factors if len(marked) == 1 << free else None


def _apply(op: Op | _Small, held: list[Value], phase: _Phase) -> None:
    match op:
        case Xor(source, target):
            held[target] ^= read_parity(source, held)
        case And(left, right, target):
            sides = read_parity(left, held), read_parity(right, held)
            phase.add_and(*sides, held[target])
            held[target] ^= phase.values.conjoin(*sides)
        case Mcx(target=target):
            held[target] ^= phase.values.conjoin_all(read_parity(one, held) for one in op.literals)
        case PhaseFlip(factors):
            phase.add(4, *(read_parity(one, held) for one in factors))
        case Gate("cx", (control, target)):
            held[target] ^= held[control]
        case Gate("x", (target,)):
            held[target] ^= ONE
        case Gate(name, (wire,)) if name in EIGHTHS:
            phase.add(EIGHTHS[name], held[wire])
        case _Small(ops, wires):
            _apply_small(ops, [held[wire] for wire in wires], wires, held, phase)
        case _:
            raise UnsupportedError(f"{op} is not followed")


def _apply_small(ops: Ops, inputs: list[Value], wires: tuple[int, ...], held: list[Value], phase: _Phase) -> None:
    table, is_inverse = _tabulate(ops, len(wires))
    target, product = inputs[-1], phase.values.conjoin_all(inputs[:-1])
    # A circuit and its inverse are named alike: by the target before the one, and after the other, which is its mirror.
    before = target ^ product if is_inverse else target
    phase.terms["small", table, *map(str, inputs[:-1]), str(before)] += -1 if is_inverse else 1
    held[wires[-1]] = target ^ product


@lru_cache(maxsize=64)
def _tabulate(ops: Ops, num_qubits: int) -> tuple[tuple[int, ...], bool]:
    """Return the phases of a small circuit, or of its inverse, on each basis state, and whether it is the inverse."""
    size = 1 << num_qubits
    matrix = np.eye(size, dtype=complex)
    for op in ops:
        if not isinstance(op, Gate):
            raise UnsupportedError("an operation between Hadamard gates is not followed")
        matrix = _dense(op, num_qubits) @ matrix
    rows = np.arange(size)
    # All qubits but the last are 1 on two basis states, which the AND exchanges.
    most = size // 2 - 1
    images = np.where(rows & most == most, rows ^ size // 2, rows)
    entries = matrix[images, rows]
    turns = np.angle(entries) * 4 / np.pi
    eighths = np.rint(turns).astype(int)
    if not np.allclose(abs(entries), 1, rtol=0, atol=1e-9) or abs(turns - eighths).max() > 1e-9:
        raise UnsupportedError("a circuit between Hadamard gates is no AND up to phases")
    forward = tuple(int(e) % 8 for e in eighths - eighths[0])
    backward = tuple(int(-e) % 8 for e in (eighths - eighths[0])[images])
    # The smaller table of the two names both the circuit and its inverse.
    return min(forward, backward), forward > backward


def _dense(gate: Gate, num_qubits: int) -> NDArray[np.complex128]:
    size = 1 << num_qubits
    rows = np.arange(size)
    if gate.name == "cx":
        control, target = gate.qubits
        found: NDArray[np.complex128] = np.eye(size, dtype=complex)[rows ^ ((rows >> control & 1) << target)]
        return found
    (wire,) = gate.qubits
    if gate.name == "h":
        signs = np.where(rows >> wire & 1, -1, 1)
        matrix = np.diag(signs.astype(complex))
        matrix[rows, rows ^ 1 << wire] = 1
        found = matrix / np.sqrt(2)
        return found
    if gate.name not in EIGHTHS:
        raise UnsupportedError(f"gate {gate.name} is not followed")
    return np.diag(np.exp(1j * np.pi / 4 * EIGHTHS[gate.name] * (rows >> wire & 1)))


def _gather_hadamards(ops: Ops) -> list[Op | _Small]:
    """Return the operations, each stretch from a Hadamard gate to the one that closes it as one small circuit."""
    found, place = list[Op | _Small](), 0
    while place < len(ops):
        op = ops[place]
        if not (isinstance(op, Gate) and op.name == "h"):
            found.append(op)
            place += 1
            continue
        small, place = _find_small(ops, place)
        found.append(small)
    return found


def _find_small(ops: Ops, start: int) -> tuple[_Small, int]:
    """Return the shortest stretch from a Hadamard gate on that maps basis states to basis states, and its end."""
    gates = list[Gate]()
    for op in ops[start : start + MOST_GATES]:
        if not isinstance(op, Gate):
            break
        gates.append(op)
    (target,), controls = gates[0].qubits, list[int]()
    for stop, gate in enumerate(gates):
        controls += [wire for wire in gate.qubits if wire != target and wire not in controls]
        if len(controls) >= MOST_WIRES:
            break
        if gate.name == "h" and controls:
            wires = (*sorted(controls), target)
            small = tuple(Gate(g.name, tuple(map(wires.index, g.qubits)), g.params) for g in gates[: stop + 1])
            try:
                _tabulate(small, len(wires))
            except UnsupportedError:
                continue
            return _Small(small, wires), start + stop + 1
    raise UnsupportedError("Hadamard gates that are not closed")

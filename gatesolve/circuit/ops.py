"""The operations oracles are written in.

Every operation maps a basis state to a basis state times a power of i, so a
list of them is checked on many inputs at once with bitwise operations
(`gatesolve.circuit.simulate`). Qubits are integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import xor
from typing import Any, TypeVar

V = TypeVar("V", bound=Any)


@dataclass(frozen=True, slots=True, order=True)
class Parity:
    """XOR of some wires and a constant: ``constant ^ wires[0] ^ wires[1] ^ ...``.

    ``wires`` is sorted and without repeats. An empty ``wires`` is the constant itself.
    """

    wires: tuple[int, ...]
    constant: bool = False

    @staticmethod
    def of(wires: Iterable[int], constant: bool = False) -> Parity:
        """The parity of ``wires``; a wire given twice cancels."""
        kept: set[int] = set()
        for wire in wires:
            kept ^= {wire}
        return Parity(tuple(sorted(kept)), bool(constant))

    @staticmethod
    def xor_all(parities: Iterable[Parity]) -> Parity:
        """The XOR of all of them."""
        return reduce(xor, parities, Parity(()))

    def __xor__(self, other: Parity) -> Parity:
        return Parity.of((*self.wires, *other.wires), self.constant ^ other.constant)

    def negated(self) -> Parity:
        """The complement."""
        return Parity(self.wires, not self.constant)

    def renamed(self, wires: dict[int, int] | Sequence[int]) -> Parity:
        """Return the parity with each wire ``w`` replaced by ``wires[w]``."""
        return Parity.of((wires[w] for w in self.wires), self.constant)

    def value(self, held: Callable[[int], V], one: V) -> V:
        """The XOR of what the wires hold, and of ``one`` for the constant: of bits, words, arrays or parities."""
        total: V = one if self.constant else one ^ one
        for wire in self.wires:
            total = total ^ held(wire)
        return total


@dataclass(frozen=True, slots=True)
class Xor:
    """``target ^= source``: CX from every wire of the parity, X for its constant."""

    source: Parity
    target: int


@dataclass(frozen=True, slots=True)
class And:
    """``target ^= left & right`` up to the relative phase of Margolus' gate.

    With L, R the controls' values and t the target's on entry, the state gains
    -1 at (L, R, t) = (1, 0, 1), i at (1, 1, 0), -i at (1, 1, 1). The operation is its
    own inverse, so a compute/uncompute pair leaves no phase. ``undo`` marks the
    uncomputing one; it only mirrors the gate order, so that neighbours cancel.

    Cost: 3 CX and 4 T, plus one CX for each further wire of ``left`` and two for each of ``right``.
    Source: Barenco et al., quant-ph/9503016, section VI.B; Maslov, 1508.03273, section III.
    """

    left: Parity
    right: Parity
    target: int
    undo: bool = False


@dataclass(frozen=True, slots=True)
class AndNot:
    """``target ^= head & ~(left & right)`` up to a relative phase, without an ancilla for the inner AND.

    Where ``head`` is 1, the target gets X, -X, Y or Z for (left, right) = (0, 0), (0, 1), (1, 0), (1, 1): it is turned
    so that the X that ``head`` controls acts about that axis, and turned back. The operation is its own inverse.

    Cost: 5 CX and 8 T, plus one CX for each further wire of ``head`` and two for each of ``left`` and ``right``; two
    ANDs take 6 CX and 8 T. Source: our own; with four CX onto the target numerical search finds none
    (`python -m benchmarks fewest-cx`).
    """

    head: Parity
    left: Parity
    right: Parity
    target: int


@dataclass(frozen=True, slots=True)
class Mcx:
    """``target ^= 1`` where every control has its value; exact, no relative phase.

    Attributes:
        controls: ``(qubit, value)`` pairs.
        target: the qubit flipped.
        clean: ancillas that are zero at this point and may be borrowed (returned zero).
    """

    controls: tuple[tuple[int, bool], ...]
    target: int
    clean: tuple[int, ...] = ()

    @property
    def literals(self) -> tuple[Parity, ...]:
        """The controls as parities: the target is flipped where all are 1."""
        return tuple(Parity((qubit,), not value) for qubit, value in self.controls)


@dataclass(frozen=True, slots=True)
class PhaseFlip:
    """Phase -1 where every factor is 1 (no factors: a global -1).

    Attributes:
        factors: parities over qubits.
        clean: ancillas that are zero at this point and may be borrowed (returned zero).
    """

    factors: tuple[Parity, ...]
    clean: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Gate:
    """A standard gate of a preparation circuit, by its Qiskit name; not a basis-state map in general."""

    name: str
    qubits: tuple[int, ...]
    params: tuple[float, ...] = field(default=())


Write = Xor | And | AndNot
"""What changes one wire by a function of others."""
Op = Write | Mcx | PhaseFlip | Gate
Ops = tuple[Op, ...]

INVERSE_NAMES = {"s": "sdg", "sdg": "s", "t": "tdg", "tdg": "t"}
_SELF_INVERSE = {"h", "x", "z", "cx", "cz"}


def inverse(ops: Iterable[Op]) -> Ops:
    """The inverse list: reversed, each operation inverted."""
    return tuple(_inverse_op(op) for op in reversed(tuple(ops)))


def _inverse_op(op: Op) -> Op:
    if isinstance(op, And):
        return And(op.left, op.right, op.target, not op.undo)
    if not isinstance(op, Gate) or op.name in _SELF_INVERSE:
        return op
    if op.name in INVERSE_NAMES:
        return Gate(INVERSE_NAMES[op.name], op.qubits)
    if op.name in {"ry", "rz", "p"}:
        return Gate(op.name, op.qubits, (-op.params[0],))
    raise ValueError(f"no inverse known for gate {op.name}")


def read_parities(op: Op) -> tuple[Parity, ...]:
    """The parities that an operation reads, in the order of its fields; none of a gate."""
    match op:
        case Xor(source):
            return (source,)
        case And(left, right):
            return left, right
        case AndNot(head, left, right):
            return head, left, right
        case Mcx():
            return op.literals
        case PhaseFlip(factors):
            return factors
        case Gate():
            return ()


def independent_parities(factors: tuple[Parity, ...]) -> list[Parity] | None:
    """Return an equal conjunction with each parity's first wire in no other; None if it is never 1.

    The parities are over mutually independent wires afterwards, so each can be made in place
    on its first wire: later ones do not hold that wire.
    """
    result: list[Parity] = []
    for factor in factors:
        for kept in result:
            if kept.wires[0] in factor.wires:
                # kept is 1 where it counts, so XORing its complement changes nothing there.
                factor = factor ^ kept.negated()
        if not factor.wires:
            if not factor.constant:
                return None
            continue
        for k, kept in enumerate(result):
            if factor.wires[0] in kept.wires:
                result[k] = _lead(kept ^ factor.negated(), kept.wires[0])
        result.append(factor)
    return result


def _lead(parity: Parity, wire: int) -> Parity:
    """Return the parity with ``wire`` written first (parities are sorted otherwise)."""
    return Parity((wire, *(w for w in parity.wires if w != wire)), parity.constant)


def make_in_place(parities: Iterable[Parity]) -> Ops:
    """XORs that put each of some `independent_parities` on its first wire."""
    return tuple(Xor(Parity(p.wires[1:], p.constant), p.wires[0]) for p in parities if len(p.wires) > 1 or p.constant)


def rename_wires(ops: Sequence[Op], wires: Sequence[int] | dict[int, int]) -> Ops:
    """Return the operations with each qubit ``q`` replaced by ``wires[q]``."""
    return tuple(_rename_op(op, wires) for op in ops)


def shift_wires(ops: Ops, by: int) -> Ops:
    """Return the operations on qubits ``by`` further on."""
    return rename_wires(ops, range(by, by + 1_000_000)) if by else ops


def _rename_op(op: Op, wires: Sequence[int] | dict[int, int]) -> Op:
    match op:
        case Gate(name, qubits, params):
            return Gate(name, tuple(wires[q] for q in qubits), params)
        case Xor(source, target):
            return Xor(source.renamed(wires), wires[target])
        case And(left, right, target, undo):
            return And(left.renamed(wires), right.renamed(wires), wires[target], undo)
        case AndNot(head, left, right, target):
            return AndNot(head.renamed(wires), left.renamed(wires), right.renamed(wires), wires[target])
        case PhaseFlip(factors, clean):
            return PhaseFlip(tuple(factor.renamed(wires) for factor in factors), tuple(wires[q] for q in clean))
        case Mcx(controls, target, clean):
            return Mcx(tuple((wires[q], v) for q, v in controls), wires[target], tuple(wires[q] for q in clean))

"""Reversible operations as kickmix text, for simulators that follow basis states, measured erasure included.

Format: ``.kmx``, version 2: https://github.com/quantumlib/Qualtran/blob/main/docs/kickmix/kickmix_format.md. Its AND is
CCX; an AND is erased by ``HMR`` (measure in the X basis, reset) and a phase that depends on the outcome.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from gatesolve.circuit.lowering.measured.plan import KnownState, follow_values, product_of, run_end
from gatesolve.circuit.ops import (
    And,
    AndNot,
    Gate,
    Mcx,
    Op,
    Parity,
    PhaseFlip,
    Xor,
    independent_parities,
    inverse,
    make_in_place,
)
from gatesolve.errors import UnsupportedError

_PHASES = {"z": "1.0", "s": "0.5", "sdg": "1.5", "t": "0.25", "tdg": "1.75"}


def kickmix_text(ops: Sequence[Op], num_qubits: int, zeros: Iterable[int]) -> str:
    """The operations in kickmix, ANDs erased by measurement wherever that is right.

    Args:
        ops: operations on basis states.
        num_qubits: their qubits; AND ladders of larger gates take further ones, at zero before and after.
        zeros: qubits that are zero at the start.

    Returns:
        The text: equal to ``ops`` on every state in which ``zeros`` are zero, global phase included.

    Raises:
        UnsupportedError: a gate that mixes basis states, or an AND whose relative phase nothing takes back.
    """
    ops, more = _split_and_nots(ops, num_qubits)
    zeros = (*zeros, *range(num_qubits, num_qubits + more))
    num_qubits += more
    seen = follow_values(ops, num_qubits, zeros)
    writer = _KickmixWriter(num_qubits)
    index = 0
    while index < len(ops):
        op, end = ops[index], run_end(ops, seen, index)
        if end is not None and isinstance(op, And | Xor):
            _check_phases(ops[index : end + 1], seen[index : end + 1])
            writer.erase(op.target, [product_of(one) for one in ops[index : end + 1]])
            index = end
        else:
            _check_phases([op], seen[index:])
            writer.write(op)
        index += 1
    return "\n".join([*writer.lines, ""])


def count_kickmix(text: str) -> str:
    """Return the cost of a text in words: qubits, CCX, CCZ and erasures by measurement."""
    qubits = {name for line in text.splitlines() for name in line.split() if re.fullmatch(r"q\d+", name)}
    names = Counter(line.partition(" ")[0] for line in text.splitlines())
    return f"{len(qubits)} qubits, {names['CCX']} CCX, {names['CCZ']} CCZ, {names['HMR']} HMR"


def _split_and_nots(ops: Sequence[Op], num_qubits: int) -> tuple[list[Op], int]:
    """The operations with each `AndNot` as two ANDs, and how many further qubits hold the inner ones.

    The inner one is kept until the same `AndNot` comes again, which undoes both.
    """
    found, held, free, more = list[Op](), dict[AndNot, int](), list[int](), 0
    for op in ops:
        if not isinstance(op, AndNot):
            found.append(op)
            continue
        is_undone = op in held
        if not is_undone and not free:
            free.append(num_qubits + more)
            more += 1
        wire = held.pop(op) if is_undone else free.pop()
        both = And(op.left, op.right, wire), And(op.head, Parity((wire,), True), op.target)
        found += inverse(both) if is_undone else both
        if is_undone:
            free.append(wire)
        else:
            held[op] = wire
    if held:
        raise UnsupportedError("kickmix has no AND with a phase of its own, and nothing takes this one's back")
    return found, more


def _check_phases(ops: Sequence[Op], seen: Sequence[KnownState]) -> None:
    """CCX has no relative phase, so those of ANDs must be inverse to each other in pairs."""
    if any(isinstance(op, And) and state.partner < 0 for op, state in zip(ops, seen, strict=False)):
        raise UnsupportedError("kickmix has no AND with a phase of its own, and nothing takes this one's back")


class _KickmixWriter:
    """Lines so far; ``num_qubits`` and later ones are free, and so are bits not yet written."""

    def __init__(self, num_qubits: int) -> None:
        self.lines: list[str] = []
        self._num_qubits, self._num_bits = num_qubits, 0

    def write(self, op: Op) -> None:
        """One operation."""
        match op:
            case Xor(source, target):
                for wire in source.wires:
                    self._line("CX", wire, target)
                if source.constant:
                    self._line("X", target)
            case And(left, right, target):
                self._multiply((left, right), (target,))
            case Mcx(target=target):
                self._multiply(op.literals, (target,))
            case PhaseFlip(factors):
                self._multiply(factors)
            case Gate("x" | "cx" | "cz" as name, qubits):
                self._line(name.upper(), *qubits)
            case Gate(name, (qubit,)) if name in _PHASES:
                self.lines.append(f"Z_POW q{qubit} {_PHASES[name]}")
            case Gate(name):
                raise UnsupportedError(f"kickmix has no gate {name}: write the oracle alone, with part='oracle'")

    def erase(self, target: int, products: Sequence[tuple[Parity, ...]]) -> None:
        """Set the target, which holds the sum of the products, to zero: where the outcome is 1, each gives -1."""
        bit = self._measure(target)
        self.lines.append(f"PUSH_CONDITION if b{bit}")
        for factors in products:
            self._multiply(factors)
        self.lines.append("POP_CONDITION")

    def _measure(self, target: int) -> int:
        self._num_bits += 1
        self.lines.append(f"HMR q{target} b{self._num_bits - 1}")
        return self._num_bits - 1

    def _line(self, name: str, *qubits: int) -> None:
        self.lines.append(" ".join([name, *(f"q{qubit}" for qubit in qubits)]))

    def _multiply(self, factors: tuple[Parity, ...], target: tuple[int, ...] = ()) -> None:
        """Flip the target where all factors are 1, or without one the phase, over a ladder of ANDs."""
        kept = independent_parities(factors)
        if kept is None:
            return
        make = make_in_place(kept)
        for op in make:
            self.write(op)
        wires, made = [parity.wires[0] for parity in kept], list[tuple[int, int, int]]()
        while len(wires) > 3 - len(target):
            made.append((wires[0], wires[1], self._num_qubits + len(made)))
            self._line("CCX", *made[-1])
            wires = [*wires[2:], made[-1][2]]
        last = [*wires, *target]
        self._line("C" * (len(last) - 1) + ("X" if target else "Z") if last else "NEG", *last)
        for first, second, fresh in reversed(made):
            bit = self._measure(fresh)
            self.lines.append(f"CZ q{first} q{second} if b{bit}")
        for op in reversed(make):
            self.write(op)

"""Reversible operations as kickmix text, for simulators of basis states with measured erasure.

Format: ``.kmx``, version 2: https://github.com/quantumlib/Qualtran/blob/main/docs/kickmix/kickmix_format.md. Its AND is
CCX. An AND is erased by ``HMR`` (measure in the X basis, reset) and a phase that depends on the outcome.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from gatesolve.circuit.gates import EIGHTHS, FLIPS
from gatesolve.circuit.lowering.lower import emit
from gatesolve.circuit.lowering.measured.plan import follow_values, run_end
from gatesolve.circuit.ops import Mcx, Op, PhaseFlip, Write, inverse, make_in_place
from gatesolve.circuit.parity import Parity, independent_parities
from gatesolve.errors import UnsupportedError

NOT_UNDONE = "kickmix has no AND with a phase of its own, and nothing takes this one's back"


def kickmix_text(ops: Sequence[Op], num_qubits: int, zeros: Iterable[int]) -> str:
    """Return operations on basis states in kickmix, with ANDs erased by measurement wherever that is correct.

    The text equals ``ops`` on every state in which the qubits ``zeros`` are zero, global phase included. Qubits after
    ``num_qubits`` serve AND ladders of larger gates, and are zero before and after.

    Raises:
        UnsupportedError: a gate mixes basis states, or the relative phase of an AND is never undone.
    """
    ops, more = _split_into_ands(ops, num_qubits)
    zeros = (*zeros, *range(num_qubits, num_qubits + more))
    num_qubits += more
    seen = follow_values(ops, num_qubits, zeros)
    writer = _KickmixWriter(num_qubits)
    index = 0
    while index < len(ops):
        last = run_end(ops, seen, index)
        end = index + 1 if last is None else last + 1
        run = ops[index:end]
        # CCX has no relative phase, so that of an AND needs an inverse partner.
        if any(op.is_and and state.partner < 0 for op, state in zip(run, seen[index:end], strict=True)):
            raise UnsupportedError(NOT_UNDONE)
        if last is None:
            run[0].export(writer)
        else:
            writer.erase(run[0].changed[0], [op.product for op in run])
        index = end
    return "\n".join([*writer.lines, ""])


def count_kickmix(text: str) -> str:
    """Return the cost of a text in words: qubits, CCX, CCZ and erasures by measurement."""
    qubits = {name for line in text.splitlines() for name in line.split() if re.fullmatch(r"q\d+", name)}
    names = Counter(line.partition(" ")[0] for line in text.splitlines())
    return f"{len(qubits)} qubits, {names['CCX']} CCX, {names['CCZ']} CCZ, {names['HMR']} HMR"


def _split_into_ands(ops: Sequence[Op], num_qubits: int) -> tuple[list[Op], int]:
    """Return the operations as ANDs (`Operation.as_ands`), and the number of further qubits for inner ones."""
    found, held, free, more = list[Op](), dict[Op, int](), list[int](), 0
    # An inner AND is kept until the inverse of its operation comes, which undoes both. Its wire is then reused.
    for op in ops:
        undone = op.inverse()
        wire = held[undone] if undone in held else free[-1] if free else num_qubits + more
        parts = inverse(undone.as_ands(wire)) if undone in held else op.as_ands(wire)
        found += parts
        if parts == (op,):
            continue
        if undone in held:
            free.append(held.pop(undone))
            continue
        held[op] = wire
        if free:
            free.pop()
        else:
            more += 1
    if held:
        raise UnsupportedError(NOT_UNDONE)
    return found, more


class _KickmixWriter:
    """The lines written so far; qubits from ``num_qubits`` on and bits not yet written are free."""

    def __init__(self, num_qubits: int) -> None:
        self.lines: list[str] = []
        self._num_qubits, self._num_bits = num_qubits, 0

    def write_gates(self, op: Op) -> None:
        for name, qubits, _ in emit([op]):
            if name in EIGHTHS:
                self.lines.append(f"Z_POW q{qubits[0]} {EIGHTHS[name] / 4}")
            elif name in FLIPS:
                self._line(name.upper(), *qubits)
            else:
                raise UnsupportedError(f"kickmix has no gate {name}: write the oracle alone, with part='oracle'")

    def write_whole(self, op: Write) -> None:
        """Write an AND, whose relative phase another AND undoes."""
        if not op.product:
            raise UnsupportedError(f"kickmix has no gate {op.title}: it is written as ANDs")
        self._multiply(op.product, (op.target,))

    def write_mcx(self, op: Mcx) -> None:
        self._multiply(op.literals, (op.target,))

    def write_flip(self, op: PhaseFlip) -> None:
        self._multiply(op.factors)

    def erase(self, target: int, products: Sequence[tuple[Parity, ...]]) -> None:
        """Reset the target, which holds the sum of the products, to zero by measurement."""
        bit = self._measure(target)
        self.lines.append(f"PUSH_CONDITION if b{bit}")
        # On outcome 1 the state gained -1 for each product that is 1; a phase flip for each removes it.
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
        """Flip the target where all factors are 1, or the phase if there is no target, by a ladder of ANDs."""
        kept = independent_parities(factors)
        if kept is None:
            return
        make = make_in_place(kept)
        for op in make:
            self.write_gates(op)
        wires, made = [parity.wires[0] for parity in kept], list[tuple[int, int, int]]()
        # CCZ has three factors; of CCX two are factors and the third is the target.
        while len(wires) > 3 - len(target):
            made.append((wires[0], wires[1], self._num_qubits + len(made)))
            self._line("CCX", *made[-1])
            # The product goes to the end, so that the ladder is a balanced tree.
            wires = [*wires[2:], made[-1][2]]
        last = [*wires, *target]
        self._line("C" * (len(last) - 1) + ("X" if target else "Z") if last else "NEG", *last)
        # The fresh qubits hold plain ANDs, so each is erased by one CZ that depends on its outcome.
        for first, second, fresh in reversed(made):
            bit = self._measure(fresh)
            self.lines.append(f"CZ q{first} q{second} if b{bit}")
        for op in reversed(make):
            self.write_gates(op)

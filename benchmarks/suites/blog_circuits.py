"""The two circuits of Uotila's 2022 blog post on the contest Kakuro, rebuilt from their description.

"Studies on Solving Kakuro Puzzle with Grover's Algorithm", sections 1 and 2. The
first marks states found classically; the second checks the constraints. Both
are rebuilt as they stand, faults included, so that they can be measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from benchmarks.core.problems import K7, Kakuro
from gatesolve.circuit import Mcx, Op, Ops, Parity, Planes, Xor, run_ops

QUERY = 5
TARGET = 5
HELPERS = (6, 7, 8, 9, 10)
WORK_WIRES = 10

#: A Toffoli on (first, second, target) with seven CX: phases of the seven parities of a b t, target between two H.
_TOFFOLI: tuple[tuple[str, str], ...] = (
    ("h", "t"), ("cx", "bt"), ("tdg", "t"), ("cx", "at"), ("t", "t"), ("cx", "ab"), ("cx", "bt"), ("cx", "at"),
    ("tdg", "b"), ("tdg", "t"), ("cx", "at"), ("cx", "ab"), ("t", "t"), ("t", "b"), ("t", "a"), ("h", "t")
)  # fmt: skip


def marked_values(kakuro: Kakuro = K7) -> list[int]:
    """The states his first oracle marks: number 4 i + j for each ``x_i = j`` of the solution."""
    (solution,) = kakuro.solutions
    return [4 * i + value for i, value in enumerate(solution)]


def classical_circuit(*, target_h: bool = True, measured: bool = False, whole: bool = False) -> QuantumCircuit:
    """His first circuit: one Grover iteration over 32 "variable = value" states, 7 of them marked.

    Args:
        target_h: put H on the target around the diffuser's reflection, as he does; False is the repair.
        measured: measure the query qubits at the end, as he does before he counts.
        whole: use his X with five controls in the diffuser too, where he leaves one ``mcx`` as it is.
    """
    circuit = QuantumCircuit(QUERY + 1 + len(HELPERS), QUERY)
    query = range(QUERY)
    circuit.h(query)
    circuit.x(TARGET)
    circuit.h(TARGET)
    for value in marked_values():
        circuit.barrier()
        zeros = [q for q in query if not value >> q & 1]
        circuit.x(zeros)
        _five_controls(circuit)
        circuit.x(zeros)
    circuit.barrier()
    circuit.h([*query, TARGET] if target_h else query)
    circuit.x(query)
    if whole:
        _five_controls(circuit)
    else:
        circuit.mcx(list(query), TARGET)
    circuit.x(query)
    circuit.h([*query, TARGET] if target_h else query)
    if measured:
        circuit.measure(query, query)
    return circuit


def _five_controls(circuit: QuantumCircuit) -> None:
    """His X with five controls: pairs into helpers, two copies by CX, seven Toffolis in all."""
    pair, other, copy, copied_pair, rest = HELPERS
    _toffoli(circuit, 0, 1, pair)
    _toffoli(circuit, 2, 3, other)
    circuit.cx(4, copy)
    circuit.cx(pair, copied_pair)
    _toffoli(circuit, other, copy, rest)
    _toffoli(circuit, copied_pair, rest, TARGET)
    _toffoli(circuit, other, copy, rest)
    circuit.cx(pair, copied_pair)
    circuit.cx(4, copy)
    _toffoli(circuit, 2, 3, other)
    _toffoli(circuit, 0, 1, pair)


def _toffoli(circuit: QuantumCircuit, first: int, second: int, target: int) -> None:
    place = {"a": first, "b": second, "t": target}
    for name, letters in _TOFFOLI:
        getattr(circuit, name)(*(place[letter] for letter in letters))


@dataclass(frozen=True)
class CheckCircuit:
    """His second circuit's layout: one-hot variables, one flag an inequality and value, one a sum option, main last."""

    kakuro: Kakuro = K7

    @property
    def data(self) -> int:
        """One-hot qubits; qubit 4 i + j says ``x_i = j``."""
        return 4 * self.kakuro.cells

    @cached_property
    def compute(self) -> Ops:
        """Flags: XOR of both variables' qubits a value, and one AND a sum option."""
        ops: list[Op] = []
        flag = self.data
        for first, second in self.kakuro.unequal:
            for value in range(4):
                ops.append(Xor(Parity((4 * first + value,)), flag))
                ops.append(Xor(Parity((4 * second + value,)), flag))
                flag += 1
        for run_cells, total in self.kakuro.sums:
            for option in self.kakuro.options(run_cells, total):
                pairs = zip(run_cells, option, strict=True)
                ops.append(Mcx(tuple((4 * cell + value, True) for cell, value in pairs), flag, self.work))
                flag += 1
        return tuple(ops)

    @cached_property
    def flags(self) -> tuple[int, ...]:
        """All flags, in order."""
        sums = sum(len(self.kakuro.options(*one)) for one in self.kakuro.sums)
        return tuple(range(self.data, self.data + 4 * len(self.kakuro.unequal) + sums))

    @property
    def main(self) -> int:
        """The qubit flipped where every flag is 1."""
        return self.data + len(self.flags)

    @property
    def qubits(self) -> int:
        """Width without work wires."""
        return self.main + 1

    @property
    def work(self) -> tuple[int, ...]:
        """The clean work wires he declares beside the circuit."""
        first = self.main + 1
        return tuple(range(first, first + WORK_WIRES))

    @cached_property
    def oracle(self) -> Ops:
        """Flags, the AND of all of them onto main, flags undone."""
        join = Mcx(tuple((flag, True) for flag in self.flags), self.main, self.work)
        return (*self.compute, join, *reversed(self.compute))

    @property
    def reflection(self) -> Mcx:
        """The multi-controlled gate of his diffuser."""
        return Mcx(tuple((q, False) for q in range(self.data)), self.main, self.work)

    def qiskit_circuit(self, *, diffuser: bool) -> QuantumCircuit:
        """The oracle between his start and (optionally) his diffuser, as a Qiskit circuit with native MCX."""
        circuit = QuantumCircuit(self.qubits + WORK_WIRES)
        circuit.x(self.main)
        circuit.h([*range(self.data), self.main])
        circuit.barrier()
        for op in self.oracle:
            _append(circuit, op)
        if diffuser:
            circuit.h([*range(self.data), self.main])
            _append(circuit, self.reflection)
            circuit.h([*range(self.data), self.main])
        return circuit

    def flips(self, columns: NDArray[np.bool_]) -> int:
        """How many of the given values of the variables' qubits, shape (qubits, states), flip main.

        Raises:
            AssertionError: a flag is not returned to zero or a variable changes.
        """
        states = columns.shape[1]
        return self._run(self._planes(columns), states)

    def all_ones(self, columns: NDArray[np.bool_]) -> tuple[int, int]:
        """On how many of the given values all inequality flags are 1, and on how many all sum-option flags are."""
        states = columns.shape[1]
        planes = self._planes(columns)
        run_ops(self.compute, planes)
        flags = planes.unpack(planes.bits[self.data : self.main], states)
        unequal = 4 * len(self.kakuro.unequal)
        return int(flags[:unequal].all(axis=0).sum()), int(flags[unequal:].all(axis=0).sum())

    def _planes(self, columns: NDArray[np.bool_]) -> Planes:
        before = np.zeros((self.qubits, columns.shape[1]), dtype=bool)
        before[: self.data] = columns
        return Planes.from_bits(before)

    def _run(self, planes: Planes, states: int) -> int:
        start = planes.bits[: self.main].copy()
        run_ops(self.oracle, planes)
        if not np.array_equal(planes.bits[: self.main], start):
            raise AssertionError("flags are not clean or variables change")
        return int(planes.unpack(planes.bits[self.main], states).sum())

    def flips_everywhere(self) -> int:
        """How many of all 2^28 values of the variables' qubits flip main, in chunks of 2^20."""
        return sum(self._run(planes, 1 << _CHUNK) for planes in self._chunks())

    def _chunks(self) -> Iterator[Planes]:
        words = 1 << (_CHUNK - 6)
        bits = np.zeros((self.qubits, words), dtype=np.uint64)
        low = np.arange(64, dtype=np.uint64)
        for q in range(6):
            bits[q] = np.packbits((low >> np.uint64(q) & np.uint64(1)).astype(bool), bitorder="little").view(np.uint64)
        number = np.arange(words)
        for q in range(6, _CHUNK):
            bits[q] = np.where(number >> (q - 6) & 1, np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0))
        for chunk in range(1 << (self.data - _CHUNK)):
            for q in range(_CHUNK, self.data):
                bits[q] = 0xFFFFFFFFFFFFFFFF if chunk >> (q - _CHUNK) & 1 else 0
            yield Planes(bits.copy(), np.zeros((2, words), dtype=np.uint64))


_CHUNK = 20


def _append(circuit: QuantumCircuit, op: Op) -> None:
    if isinstance(op, Xor):
        for wire in op.source.wires:
            circuit.cx(wire, op.target)
    elif isinstance(op, Mcx):
        state = sum(value << k for k, (_, value) in enumerate(op.controls))
        circuit.mcx([q for q, _ in op.controls], op.target, ctrl_state=state)
    else:
        raise TypeError(f"{op} does not occur in his circuit")

"""gatesolve's own oracles for the benchmark problems, each checked on every codeword before it is counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from problems import Kakuro
from sparse import marked

from gatesolve.encodings.space import Space
from gatesolve.lowering import lower
from gatesolve.model import merge_constraints
from gatesolve.oracle import assemble, classical_oracle, synthesise
from gatesolve.resources import Resources, count
from gatesolve.reversible import Op, Planes, run

GATE_SETS = ("cx+u", "clifford+t")


@dataclass(frozen=True)
class Built:
    """A checked oracle and its counts.

    Attributes:
        ops: the reversible operations.
        qubits: width, ancillas included.
        marks: number of codewords whose phase it turns; exactly the solutions, or it would not have been built.
        counts: measured counts by gate set.
    """

    ops: tuple[Op, ...]
    qubits: int
    marks: int
    counts: dict[str, Resources]


def constraint_oracle(kakuro: Kakuro, space: Space, ancillas: int | None = None) -> Built:
    """Constraints merged, synthesised, joined under the ancilla budget, lowered, checked and counted."""
    merged = merge_constraints(kakuro.model)
    oracle = assemble([synthesise(c, space) for c in merged.constraints], space.num_qubits, ancillas)
    return _built(kakuro, space, oracle.ops, oracle.num_qubits)


def classical_style_oracle(kakuro: Kakuro, space: Space, ancillas: int | None = None) -> Built:
    """The solutions, found beforehand, marked; lowered, checked and counted."""
    numbers = [space.number({f"x{i}": v for i, v in enumerate(solution)}) for solution in kakuro.solutions]
    oracle = classical_oracle([n for n in numbers if n is not None], space, ancillas)
    return _built(kakuro, space, oracle.ops, oracle.num_qubits)


def _built(kakuro: Kakuro, space: Space, ops: tuple[Op, ...], qubits: int) -> Built:
    wanted = kakuro.model.holds(space.values(np.arange(space.size)))
    if not np.array_equal(marked_by_ops(ops, qubits, space), wanted):
        raise AssertionError(f"the oracle of {kakuro.name} marks other codewords than the solutions")
    counts = {}
    for gates in GATE_SETS:
        circuit = lower(ops, qubits, gates)
        if not np.array_equal(marked(circuit, states(space)), wanted):
            raise AssertionError(f"the lowered oracle of {kakuro.name} marks other codewords than the solutions")
        counts[gates] = count(circuit, gates)
    return Built(ops, qubits, int(wanted.sum()), counts)


def marked_by_ops(ops: tuple[Op, ...], qubits: int, space: Space) -> NDArray[np.bool_]:
    """Which codewords the operations turn by -1; ancillas must come back clean and codewords unmoved."""
    before = np.zeros((qubits, space.size), dtype=bool)
    before[: space.num_qubits] = space.bits(np.arange(space.size))
    planes = Planes.from_bits(before)
    run(ops, planes)
    if not np.array_equal(planes.unpack(planes.bits, space.size), before):
        raise AssertionError("ancillas are not clean or codewords move")
    low, high = planes.unpack(planes.phase, space.size)
    if low.any():
        raise AssertionError("phases other than +1 and -1")
    return high


def states(space: Space) -> NDArray[np.uint64]:
    """Every codeword as a basis state, ancillas zero."""
    bits = space.bits(np.arange(space.size)).astype(np.uint64)
    return np.sum(bits << np.arange(space.num_qubits, dtype=np.uint64)[:, None], axis=0, dtype=np.uint64)

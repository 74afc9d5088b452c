"""gatesolve's own oracles for the benchmark problems, each checked on every codeword before it is counted."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gatesolve
from benchmarks.core.checked import check
from benchmarks.core.problems import Kakuro
from benchmarks.suites import records
from benchmarks.suites.cases import Case
from benchmarks.suites.records import OURS, Row
from gatesolve.api import about
from gatesolve.circuit import Op, Planes, run_ops
from gatesolve.circuit.counting import Resources, count
from gatesolve.circuit.lowering import GateSet, lower
from gatesolve.circuit.lowering.measured.lower import lower_measured
from gatesolve.encodings.space import Space
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.model import merge_constraints
from gatesolve.oracle import assemble, synthesise

GATE_SETS: tuple[GateSet, ...] = ("cx+u", "clifford+t")
LITERAL = "each constraint alone"
COMMON: dict[str, dict[str, Any]] = {
    LITERAL: {"level": "literal"},
    "merged": {"level": "merged"},
    "minimised": {"level": "minimised"},
    "minimised, encoding chosen": {"level": "minimised", "encoding": "auto"},
    "solutions known": {"oracle": "classical"},
}
"""Options of our rows, by the name of the row."""
SMALL: dict[str, dict[str, Any]] = {
    **COMMON,
    f"{LITERAL}, measured erasure": {"level": "literal", "measured": True, "objective": "t", "gates": "clifford+t"},
    "minimised, 4 ancillas at most": {"level": "minimised", "ancillas": 4},
    "minimised, for T": {"level": "minimised", "objective": "t", "gates": "clifford+t"},
    "minimised, for depth": {"level": "minimised", "objective": "depth"},
    "minimised, measured erasure": {
        "level": "minimised", "measured": True, "objective": "t", "gates": "clifford+t",
    },
    "solutions known, 1 ancilla at most": {"oracle": "classical", "ancillas": 1},
}  # fmt: skip


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


def _built(kakuro: Kakuro, space: Space, ops: tuple[Op, ...], qubits: int) -> Built:
    wanted = kakuro.model.holds(space.values(np.arange(space.size)))
    if not np.array_equal(marked_by_ops(ops, qubits, space), wanted):
        raise AssertionError(f"the oracle of {kakuro.name} marks other codewords than the solutions")
    counts = {}
    for gates in GATE_SETS:
        circuit = lower(ops, qubits, gates)
        check(circuit, kakuro.model, space)
        counts[gates] = count(circuit, gates)
    return Built(ops, qubits, int(wanted.sum()), counts)


def marked_by_ops(ops: tuple[Op, ...], qubits: int, space: Space) -> NDArray[np.bool_]:
    """Which codewords the operations turn by -1; ancillas must come back clean and codewords unmoved."""
    before = np.zeros((qubits, space.size), dtype=bool)
    before[: space.num_qubits] = space.bits(np.arange(space.size))
    planes = Planes.from_bits(before)
    run_ops(ops, planes)
    if not np.array_equal(planes.unpack(planes.bits, space.size), before):
        raise AssertionError("ancillas are not clean or codewords move")
    low, high = planes.unpack(planes.phase, space.size)
    if low.any():
        raise AssertionError("phases other than +1 and -1")
    return high


def rows(case: Case, note: Callable[[str], None]) -> list[Row]:
    """The rows of gatesolve: each constraint alone first, in the peers' binary space, and at Qiskit's width.

    Then merged and minimised, in the peers' encoding and in the one it takes by itself, and with the solutions known;
    for K4, K7, S4 and Q4 also within few ancillas, by other objectives and erased by measurement. A row that is in
    nothing different from an earlier one is left out.
    """
    wanted = dict(SMALL if case.small else COMMON)
    found: list[Row] = []
    for variant, options in wanted.items():
        try:
            made = _row(case, variant, options)
        except DoesNotFitError as error:
            note(f"{case.name}: no row '{variant}': {error}")
            continue
        if variant == "solutions known" or _differs(made, found):
            found.append(made)
        if variant == LITERAL and (narrow := _narrow(case, made)) is not None:
            found.append(narrow)
    return found


def _differs(made: Row, found: list[Row]) -> bool:
    return (made.level, made.encoding, made.counts) not in [(row.level, row.encoding, row.counts) for row in found]


def _narrow(case: Case, wide: Row) -> Row | None:
    """Each constraint alone within the ancillas of Qiskit's recorded circuit, or the fewest that it takes."""
    theirs = [row for row in records.read() if (row.puzzle, row.library, row.level) == (case.name, "Qiskit", "literal")]
    width = min((row.qubits for row in theirs), default=wide.qubits)
    if width >= wide.qubits:
        return None
    options: dict[str, Any] = {"level": "literal", "ancillas": width - case.space.num_qubits}
    try:
        return _row(case, f"{LITERAL}, at Qiskit's width", options)
    except AncillaBudgetError as error:
        return _row(case, f"{LITERAL}, as narrow as it gets", {**options, "ancillas": error.least})


def _row(case: Case, variant: str, options: dict[str, Any]) -> Row:
    start = time.perf_counter()
    compiled = gatesolve.compile(case.declared, presolve=case.presolve, **{"encoding": "binary", **options})
    space, oracle = compiled.program.space, compiled.program.oracle
    zeros = range(oracle.num_data, oracle.num_qubits)
    lowered = {}
    for gates in GATE_SETS:
        if options.get("measured"):
            lowered[gates] = lower_measured(oracle.ops, oracle.num_qubits, gates, zeros=zeros)
        else:
            lowered[gates] = lower(oracle.ops, oracle.num_qubits, gates)
    seconds = round(time.perf_counter() - start, 1)
    checked = min(check(circuit, compiled.model, space, case.most) for circuit in lowered.values())
    exact, general = (count(lowered[gates], gates) for gates in ("clifford+t", "cx+u"))
    return Row(
        case.name, case.presolve, space.size, OURS, about.version(), variant, compiled.level, compiled.encoding,
        oracle.num_qubits, exact.cx, exact.t, exact.depth, general.cx, general.depth, checked, seconds,
    )  # fmt: skip

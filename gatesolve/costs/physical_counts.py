"""Logical counts of operations: what an error-corrected machine pays for, in three ways of doing the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from gatesolve.circuit import Op, Ops, PhaseFlip, independent_parities
from gatesolve.circuit.gates import LowGate, count_eighths
from gatesolve.circuit.lowering.lower import emit
from gatesolve.circuit.lowering.measured.mcz import CZ_ROOT, MOST_AT_ROOT, Measure
from gatesolve.circuit.lowering.measured.plan import plan_erasures, widen_roots
from gatesolve.circuit.lowering.passes.peephole import LARGE_FOR_T, cancel_gates
from gatesolve.circuit.lowering.rules.mcz import expand_mcz
from gatesolve.circuit.lowering.target import LoweringTarget, check_metric
from gatesolve.costs.estimate import LogicalCounts
from gatesolve.errors import DoesNotFitError
from gatesolve.programs.program import Program

UNITARY, MEASURED, ANDS = "T", "T measured", "AND measured"
WAYS = (UNITARY, MEASURED, ANDS)
MOST_LOWERED = 200
"""ANDs of one iteration above which only `ANDS` is counted: no passes over gates, and the cheapest of the three."""


def count_logical(program: Program, calls: int) -> dict[str, LogicalCounts]:
    """Counts of a whole run by the way they were made: its start, ``calls`` iterations, its final measurement.

    - `UNITARY`: T gates of the circuit lowered to Clifford+T.
    - `MEASURED`: the same with logical ANDs erased by measurement.
    - `ANDS`: the same circuit, its logical ANDs counted whole. Up to Clifford gates, an AND is i X with two controls.
      It takes 3 logical operations and 4 T states; as four T gates it takes 4 operations.

    Rotations are never approximated here: the estimator does it, to the precision that the budget asks for.
    """
    end = LogicalCounts(program.num_qubits, measurements=program.space.num_qubits)
    found = {}
    for way in WAYS if num_ands(program) <= MOST_LOWERED else (ANDS,):
        start = _count_part(program, program.section("preparation").ops, range(program.num_qubits), way)
        inner = program.section("early")
        # Each iteration contains its own rounds of an early check; these come before the first iteration.
        if inner.times:
            ancillas = range(program.space.num_qubits, program.num_qubits)
            start = start.then(_count_part(program, inner.ops, ancillas, way), inner.times)
        found[way] = end.then(start).then(count_iteration(program, way), calls)
    return found


def count_iteration(program: Program, way: str = ANDS) -> LogicalCounts:
    """Counts of one iteration."""
    ancillas = range(program.space.num_qubits, program.num_qubits)
    return _count_part(program, program.section("iteration").ops, ancillas, way)


def count_section(program: Program, name: str) -> LogicalCounts:
    """Count T gates and rotations of a section done once."""
    ops = program.section(name).ops
    try:
        # Only the ways that measure need to know which qubits are zero before.
        return _count_part(program, ops, (), UNITARY)
    except DoesNotFitError:
        # A Z over all qubits has no exact Clifford+T circuit without a spare qubit.
        return _count_part(replace(program, num_ancillas=program.num_ancillas + 1), ops, (), UNITARY)


def num_ands(program: Program) -> int:
    """Logical ANDs of one iteration, those made to erase others too."""
    return sum(op.is_and for op in program.section("iteration").ops)


def _count_part(program: Program, ops: Ops, zeros: Iterable[int], way: str) -> LogicalCounts:
    """Count operations, with ``zeros`` at zero before them."""
    width, metric = program.num_qubits, check_metric(program.lowering.metric)
    aim = LoweringTarget(metric, "clifford+t", width)
    tally = _Tally()
    if way == UNITARY:
        tally.gates(cancel_gates(emit(ops, aim), large=LARGE_FOR_T))
        return LogicalCounts(width, **tally.counts)
    clean, shallow = tuple(zeros), metric in {"depth", "t_depth"}
    listed = ops if shallow else widen_roots(ops, width, clean, whatever_cx=metric == "t")
    add = tally.ops if way == ANDS else lambda part, aim: tally.gates(cancel_gates(emit(part, aim)))
    # Operations between two measurements are lowered together, so that gates cancel among them.
    run: list[Op] = []
    for step in plan_erasures(listed, width, clean, CZ_ROOT if shallow else MOST_AT_ROOT):
        if not isinstance(step, Measure):
            run.append(step)
            continue
        add(tuple(run), aim)
        run = []
        tally.counts["measurements"] += 1
        # Only one outcome occurs, but both are counted, as in all counts of gatesolve.
        add(step.on_one, aim)
        add(step.on_zero, aim)
    add(tuple(run), aim)
    return LogicalCounts(width, **tally.counts)


@dataclass
class _Tally:
    """Counts so far, and for each qubit the layers of rotations before it."""

    counts: Counter[str] = field(default_factory=Counter)
    layer: dict[int, int] = field(default_factory=dict)

    def gates(self, gates: Iterable[LowGate]) -> None:
        for name, qubits, angle in gates:
            if name == "mcz_noaux":
                raise _refuse_width()
            if name in {"t", "tdg"}:
                self.counts["t"] += 1
            elif name in {"rz", "ry", "p"}:
                eighths = count_eighths(angle)
                # A multiple of pi/4 is exact: a Clifford gate, with one T where it is odd.
                if abs(eighths - round(eighths)) < 1e-12:
                    self.counts["t"] += round(eighths) % 2
                    continue
                layer = self.layer[qubits[0]] = self.layer.get(qubits[0], 0) + 1
                self.counts["rotations"] += 1
                self.counts["rotation_depth"] = max(self.counts["rotation_depth"], layer)
            else:
                self._join(qubits)

    def ops(self, ops: Ops, aim: LoweringTarget) -> None:
        for op in ops:
            self._join(op.wires)
            flip = op.as_flip()
            if op.is_and:
                self.counts["ccix"] += 1
            elif flip is not None:
                self._flip(flip[1], aim)
            else:
                self.gates(op.gates(aim, expand_mcz))

    def _flip(self, flip: PhaseFlip, aim: LoweringTarget) -> None:
        parities = independent_parities(flip.factors)
        # Contradictory factors never flip a phase, and fewer than three make a Clifford gate.
        if parities is None or len(parities) < 3:
            return
        if len(parities) == 3:
            self.counts["ccz"] += 1
            return
        qubits = tuple(parity.wires[0] for parity in parities)
        parts = expand_mcz(qubits, flip.clean, aim.others((*qubits, *flip.clean)), aim)
        if parts is None:
            raise _refuse_width()
        self.ops(parts, aim)

    def _join(self, qubits: tuple[int, ...]) -> None:
        # A gate makes its qubits wait for each other: all are as late as the latest.
        reached = max((self.layer.get(q, 0) for q in qubits), default=0)
        if reached:
            self.layer |= dict.fromkeys(qubits, reached)


def _refuse_width() -> DoesNotFitError:
    return DoesNotFitError("a Z over all qubits has no exact circuit without a spare one: use ancillas=1 or more")

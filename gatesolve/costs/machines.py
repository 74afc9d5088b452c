"""The machines of `gatesolve.costs.physical` in the words of ``qdk.qre``, which only this module imports."""

from __future__ import annotations

import contextlib
import functools
import io
import operator
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from qdk import qre
from qdk.qre.instruction_ids import CCX, CNOT, LATTICE_SURGERY, MEAS_Z, RZ, H, T
from qdk.qre.models import Majorana, RoundBasedFactory, SurfaceCode, ThreeAux
from qdk.qre.property_keys import DISTANCE, LOGICAL_COMPUTE_QUBITS, PHYSICAL_FACTORY_QUBITS

from gatesolve.costs.estimate import Estimate, LogicalCounts
from gatesolve.errors import DoesNotFitError

MOST_DISTANCE = 201
"""Largest code distance looked at."""
NEGLIGIBLE = 1e-3
"""Share of the budget below which a kind of error is left as it is: to make it rarer costs more than it saves."""
MOST_T_STATES = 400
"""Largest number of T states looked at for one rotation."""
SLOWER = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""How much longer than its operations take a run may last, to wait for T states: tiny ones have to."""
FEW_CYCLES = 10_000
"""Operations above which waiting is not tried: in about a thousand random runs it saved 3 % at most."""
EARLY_DISTANCES = list(range(3, 16, 2))
"""Distances of the rounds before further ones; larger distances there made no better machine where tried."""


@dataclass
class Gates(qre.Architecture):
    """Qubits with gates and single-qubit measurements, times in nanoseconds."""

    gate_time: int
    measurement_time: int
    error_rate: float
    t_error_rate: float

    def provided_isa(self, ctx: qre.ISAContext) -> qre.ISA:
        """The instructions that a surface code and its factories need."""
        gate = {"time": self.gate_time, "error_rate": self.error_rate}
        return ctx.make_isa(
            ctx.add_instruction(H, **gate),
            ctx.add_instruction(CNOT, arity=2, **gate),
            ctx.add_instruction(MEAS_Z, time=self.measurement_time, error_rate=self.error_rate),
            ctx.add_instruction(T, time=self.gate_time, error_rate=self.t_error_rate),
        )


MACHINES: Mapping[str, qre.Architecture] = {
    "qubit_gate_ns_e3": Gates(50, 100, 1e-3, 1e-3),
    "qubit_gate_ns_e4": Gates(50, 100, 1e-4, 1e-4),
    "qubit_gate_us_e3": Gates(100_000, 100_000, 1e-3, 1e-6),
    "qubit_gate_us_e4": Gates(100_000, 100_000, 1e-4, 1e-6),
    "qubit_maj_ns_e4": Majorana(time=100, error_rate=1e-4),
    "qubit_maj_ns_e6": Majorana(time=100, error_rate=1e-6),
}


Code = Callable[..., qre.ISAQuery]
CODES: Mapping[str, Code] = {
    "surface_code": SurfaceCode.q,
    "three_aux": functools.partial(ThreeAux.q, single_rail=[False]),  # the faster of its two layouts
}


class FurtherRounds(RoundBasedFactory):
    """Rounds after those of another factory, for more than the three of one."""

    @staticmethod
    def required_isa() -> qre.ISARequirements:
        """T states of the other factory."""
        return qre.ISARequirements(qre.constraint(T, encoding=qre.LOGICAL))


class Runs(qre.Application[None]):
    """Runs that do the same, laid out for lattice surgery."""

    def __init__(self, traces: Sequence[qre.Trace]) -> None:
        self.traces = traces

    def get_trace(self, parameters: None = None) -> qre.Trace:
        """The first."""
        return self.traces[0]

    def enumerate_traces(self, **_: Any) -> Iterator[qre.Trace]:
        """All of them."""
        yield from self.traces


def find_machine(ways: Mapping[str, LogicalCounts], model: str, code: str, budget: float) -> Estimate:
    """Return the machine that does the run in the fewest qubit-seconds, of all ways to count it."""
    runs = {way: [*_lay_out(counts, budget)] for way, counts in ways.items()}
    traces = [trace for several in runs.values() for trace in several]
    machine, make = MACHINES[model], CODES[code]
    found = []
    if distances := _choose_distances(machine, make, traces, budget):
        query = make(distance=distances) * _choose_factory(machine, make, distances, traces, budget)
        # The estimator keeps any of several entries of equal cost, so each way has a table of its own.
        for way, several in runs.items():
            # The estimator prints a page where it finds nothing.
            with contextlib.redirect_stdout(io.StringIO()):
                table = qre.estimate(Runs(several), machine, query, Runs.q(), max_error=budget)
            found += [(entry.qubits * entry.runtime, entry, way) for entry in table]
    if found:
        _, best, way = min(found, key=operator.itemgetter(0))
        return _read(best, model, code, way)
    raise DoesNotFitError(
        f"the resource estimator finds no machine of {model} up to code distance {MOST_DISTANCE}: "
        "raise the budget, or choose other machines"
    )


def _lay_out(counts: LogicalCounts, budget: float) -> Iterator[qre.Trace]:
    """Yield the run with each number of T states per rotation and each delay that can be the best."""
    run = qre.Trace(counts.qubits)
    ands = counts.ccz + counts.ccix
    for times, gate, qubits in ((counts.t, T, [0]), (ands, CCX, [0, 1, 2]), (counts.measurements, MEAS_Z, [0])):
        if times:
            run.add_block(times).add_operation(gate, qubits)
    if counts.rotations:
        # Rotations do not divide evenly into layers: ``wider`` layers have one rotation more than the others.
        width, wider = divmod(counts.rotations, counts.rotation_depth)
        for turns, layers in ((width + 1, wider), (width, counts.rotation_depth - wider)):
            if turns and layers:
                block = run.add_block(layers)
                for qubit in range(turns):
                    block.add_operation(RZ, [qubit])
    waits = SLOWER if counts.cycles < FEW_CYCLES else SLOWER[:1]
    for t in range(1, MOST_T_STATES + 1):
        rotated = qre.PSSPC(num_ts_per_rotation=t).transform(run)
        if rotated.base_error < budget:
            for slower in waits:
                yield qre.LatticeSurgery(slow_down_factor=slower).transform(rotated)
        # More T states per rotation only lengthen the run once the error of approximation is negligible.
        if rotated.base_error <= NEGLIGIBLE * budget:
            return


def _choose_distances(machine: qre.Architecture, code: Code, traces: Sequence[qre.Trace], budget: float) -> list[int]:
    """Distances up to one that makes the code's errors negligible; none where that one is too large."""
    # Each qubit may fail in each layer, so the volume of the run bounds the number of logical errors.
    operations = max((trace.depth * trace.total_qubits for trace in traces), default=inf)
    distances: list[int] = []
    for isa in code(distance=list(range(3, MOST_DISTANCE + 1, 2))).enumerate(machine.context()):
        distances.append(isa[LATTICE_SURGERY][DISTANCE])
        if operations * isa[LATTICE_SURGERY].expect_error_rate(1) < NEGLIGIBLE * budget:
            return distances
    return []


def _choose_factory(
    machine: qre.Architecture, code: Code, distances: list[int], traces: Sequence[qre.Trace], budget: float
) -> qre.ISAQuery:
    """Up to three rounds of distillation where these leave few enough errors, else up to five."""

    def make(kind: type[RoundBasedFactory], some: list[int], **source: qre.ISAQuery) -> qre.ISAQuery:
        return kind.q(
            code_query=code(distance=some),
            physical_qubit_calculation=max,  # rounds follow each other on the same qubits, as in arXiv:2211.07629
            use_cache=False,
            cache_dir=Path(tempfile.gettempdir()),  # nothing is written there, but a folder is made in any case
            **source,
        )

    # Three rounds are enough if their best T state, at the largest distance, is ten times better than the run needs.
    best = make(RoundBasedFactory, distances[-1:]).enumerate(machine.context())
    error = min(isa[T].expect_error_rate() for isa in best)
    if 10 * error * max(trace.resource_states.get(T, 0) for trace in traces) < budget:
        return make(RoundBasedFactory, distances)
    return make(FurtherRounds, distances, source=make(RoundBasedFactory, EARLY_DISTANCES))


def _read(entry: qre.EstimationTableEntry, model: str, code: str, counted: str) -> Estimate:
    patch, factory = entry.source[LATTICE_SURGERY].instruction, entry.factories.get(T)
    return Estimate(
        model,
        code,
        patch[DISTANCE],
        counted,
        entry.properties[LOGICAL_COMPUTE_QUBITS],
        entry.runtime // patch.expect_time(1),
        factory.states if factory else 0,
        factory.copies if factory else 0,
        entry.properties[PHYSICAL_FACTORY_QUBITS],
        entry.qubits,
        entry.runtime / 1e9,
    )

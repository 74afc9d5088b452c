"""K4 and K7 on fake devices with their noise: ours beside Qiskit's own transpilation of the same programs.

    python -m benchmarks hardware [--only fake_torino ...] [--seeds N] [--shots N] [--write]

Table blocks, no presolve. ``Qiskit`` is ``transpile(program.circuit, backend, optimization_level=3)``, the circuit of
named operations; ``Qiskit, lowered by gatesolve`` the same of ``program.lowered``; both with so many seeds, and the
circuit of the highest estimated success is run. All are run by the SDK's sampler in local mode. A case is a problem, a
pipeline, a depth and a device.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from qiskit import QuantumCircuit, transpile

import gatesolve
from benchmarks.core import problems
from benchmarks.core.rows import OURS, Row, Table
from benchmarks.core.suite import Asked, Suite
from gatesolve.devices import JobRequest, compile_isa, fake_backend, measure_isa
from gatesolve.devices.ibm import run_local
from gatesolve.model import Model
from gatesolve.pipelines.device import IsaCircuit, accepted_share
from gatesolve.programs import success_probability
from gatesolve.programs.postprocess import Postprocessing, shorten_program
from gatesolve.programs.program import Program

DEVICES = ("fake_manila", "fake_torino", "fake_fez")
ITERATIONS = {"K4": (0, 1), "K7": (0, 1, 2, 3)}
LAYERS = (1, 2, 3)
SHOTS, SEEDS, SEED = 4096, 10, 7
QISKIT, LOWERED = "Qiskit", "Qiskit, lowered by gatesolve"
WAYS = (OURS, QISKIT, LOWERED)
GROVER, QAOA = "Grover", "QAOA"
BOARDS = {"K4": problems.K4, "K7": problems.K7}
TABLE = Table(
    "hardware",
    """
    device           key      the fake device
    problem          key      K4 or K7
    pipeline         key      Grover or QAOA
    depth            key-int  iterations or layers
    way              key      how the program was compiled for the device
    qubits           int      that the circuit uses; empty where it does not fit, and then all that follows is too
    readouts         int      qubits measured
    seeds            int      compilations; the circuit is the one of the highest estimated success
    two_qubit        int      its gates on two qubits
    two_qubit_depth  int      layers of those
    median           float    median two-qubit gates of the compilations, of plain Qiskit
    fewest           int      fewest of them
    estimated        float    chance that nothing fails, from the device's error rates
    ideal            float    share of accepted shots without noise
    chance           float    share of accepted shots among random bits
    expected         float    share of accepted shots by the estimate
    shots            int      of the run
    accepted         float    share of shots that are a solution by the rules
    right            int      1 where the most frequent outcome among the codewords is a solution; empty at depth 0
    """,
)


@dataclass(frozen=True)
class Case:
    """A program with what it is to give.

    Attributes:
        problem: K4 or K7.
        model: its rules.
        pipeline: Grover or QAOA.
        depth: iterations or layers.
        program: the circuit.
        ideal: probability that a measurement is a solution.
    """

    problem: str
    model: Model
    pipeline: str
    depth: int
    program: Program
    ideal: float

    @property
    def solutions(self) -> list[int]:
        """Their basis states."""
        space = self.program.space
        return [space.state(n) for n in range(space.size) if self.model.holds(space.assignment(n))]


def cases(names: Sequence[str] = tuple(BOARDS), layers: Sequence[int] = LAYERS) -> Iterator[Case]:
    """The programs of boards, once for all devices: Grover's and those of QAOA with so many layers."""
    for board in (BOARDS[name] for name in names):
        compiled = gatesolve.compile(board.model, presolve="none", encoding="table", level="minimised")
        program, marked = compiled.program, int(compiled.marks.sum())
        for count in ITERATIONS[board.name]:
            ideal = success_probability(program.space.size, marked, count)
            yield Case(board.name, board.model, GROVER, count, program.with_iterations(count), ideal)
        for depth in layers:
            found = gatesolve.compile(board.model, pipeline="qaoa", presolve="none", encoding="table", layers=depth)
            ideal = found.details.success_probability
            yield Case(board.name, board.model, QAOA, depth, found.program, ideal)


def measure_case(case: Case, backend: Any, seeds: int, shots: int) -> Iterator[Row]:
    """The rows of a program on a device."""
    short = shorten_program(case.program)
    plain = Postprocessing(
        case.program.num_qubits, tuple(range(case.program.space.num_qubits)), (), case.program.space.num_qubits
    )
    named = TABLE.row(backend.name, case.problem, case.pipeline, case.depth, OURS)
    if short.named.num_qubits <= backend.num_qubits or short.lowered.num_qubits <= backend.num_qubits:
        isa = compile_isa(short.circuits, backend, seeds=range(seeds))
        yield _run(named, case, isa, short.postprocessing, backend, seeds, shots)
    else:
        yield named
    for way, circuit in ((QISKIT, case.program.circuit), (LOWERED, case.program.lowered)):
        if circuit.num_qubits > backend.num_qubits:
            yield named.replace(way=way)
            continue
        found = [_plain(circuit, backend, seed) for seed in range(seeds)]
        counts = [isa.two_qubit for isa in found]
        row = _run(named.replace(way=way), case, min(found, key=lambda isa: isa.rank), plain, backend, seeds, shots)
        yield row.replace(median=statistics.median(counts), fewest=min(counts))


def _plain(circuit: QuantumCircuit, backend: Any, seed: int) -> IsaCircuit:
    made = transpile(circuit, backend, optimization_level=3, seed_transpiler=seed)
    return measure_isa(made, backend, "plain", 0, seed)


def _run(row: Row, case: Case, isa: IsaCircuit, finish: Postprocessing, backend: Any, seeds: int, shots: int) -> Row:
    """The row of a compiled circuit, run with the device's noise."""
    (counts,) = run_local(backend, [isa.circuit], shots, SEED, JobRequest(backend.name))
    states = finish.states(counts)
    accepted, right = _judged(states, case)
    chance = finish.chance(case.solutions)
    estimated = isa.fidelity
    assert estimated is not None
    return row.replace(
        qubits=len({q for i in isa.circuit.data if i.operation.name != "barrier" for q in i.qubits}),
        readouts=len(finish.measured),
        seeds=seeds,
        two_qubit=isa.two_qubit,
        two_qubit_depth=isa.two_qubit_depth,
        fewest=isa.two_qubit,
        estimated=estimated,
        ideal=case.ideal,
        chance=chance,
        expected=accepted_share(estimated, case.ideal, chance),
        shots=shots,
        accepted=accepted / shots,
        right=int(right) if case.depth else None,
    )


def _judged(states: Mapping[int, int], case: Case) -> tuple[int, bool]:
    """Shots that are a solution by the model's own rules, and whether the most frequent board is one."""
    solved = {state: shots for state, shots in states.items() if _holds(state, case)}
    boards = {state: shots for state, shots in states.items() if case.program.space.decode(state) is not None}
    top = max(boards, key=lambda state: (boards[state], -state))
    return sum(solved.values()), top in solved


def _holds(state: int, case: Case) -> bool:
    board = case.program.space.decode(state)
    return board is not None and bool(case.model.holds(board))


@cache
def programs() -> dict[str, Case]:
    """The programs of all boards by name, compiled once."""
    return {f"{case.problem} {case.pipeline} {case.depth}": case for case in cases()}


def list_cases() -> list[str]:
    """Return the names of all cases, in the order of the file."""
    depths = [(board, GROVER, count) for board in BOARDS for count in ITERATIONS[board]]
    depths += [(board, QAOA, layers) for board in BOARDS for layers in LAYERS]
    return [f"{board} {pipeline} {depth} {device}" for board, pipeline, depth in sorted(depths)
            for device in sorted(DEVICES)]  # fmt: skip


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make the rows of a program on a device."""
    program, device = name.rsplit(" ", 1)
    return measure_case(programs()[program], fake_backend(device), asked.seeds, asked.shots)


def show(rows: Sequence[Row]) -> tuple[Sequence[str], list[list[object]]]:
    """Return the cells that are printed; a circuit that does not fit is named as such."""
    names = [name for name in TABLE.kinds if name != "qubits"]
    cells = [["does not fit" if row.qubits is None else row.qubits, *(getattr(row, n) for n in names)] for row in rows]
    return ["qubits", *names], cells


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the numbers of compilations and shots."""
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--shots", type=int, default=SHOTS)


SUITE = Suite(
    TABLE,
    list_cases=list_cases,
    measure=measure,
    show=show,
    add_options=add_options,
    case_of=lambda row: f"{row.problem} {row.pipeline} {row.depth} {row.device}",
)

"""K4 and K7 on fake devices with their noise: ours beside Qiskit's own transpilation of the same programs.

    python -m benchmarks hardware [--device NAME ...] [--seeds N] [--shots N] [--write]
    python -m benchmarks hardware --table

Table blocks, no presolve. ``Qiskit`` is ``transpile(program.circuit, backend, optimization_level=3)``, the circuit of
named operations; ``Qiskit, lowered by gatesolve`` the same of ``program.lowered``; both with so many seeds, and the
circuit of the highest estimated success is run. All are run by the SDK's sampler in local mode. ``--write`` replaces
the rows measured in hardware.csv; ``--table`` prints them as Markdown without measuring.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qiskit import QuantumCircuit, transpile

import gatesolve
from benchmarks.core import problems, report
from benchmarks.suites import hardware_rows
from benchmarks.suites.hardware_rows import GROVER, LOWERED, OURS, QAOA, QISKIT, Row
from gatesolve.devices.ibm.service import run_local
from gatesolve.devices.isa import compile_isa, measure_isa
from gatesolve.devices.plan import JobPlan
from gatesolve.devices.providers import fake_backend
from gatesolve.model import Model
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.device import IsaCircuit, accepted_share
from gatesolve.pipelines.postprocess import Postprocessing, shorten_program
from gatesolve.pipelines.program import Program

DEVICES = ("fake_manila", "fake_torino", "fake_fez")
ITERATIONS = {"K4": (0, 1), "K7": (0, 1, 2, 3)}
LAYERS = (1, 2, 3)
SHOTS = 4096
SEEDS = 10
SEED = 7


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


BOARDS = {"K4": problems.K4, "K7": problems.K7}


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


def measure(case: Case, backend: Any, seeds: int, shots: int) -> Iterator[Row]:
    """The rows of a program on a device."""
    short = shorten_program(case.program)
    plain = Postprocessing(
        case.program.num_qubits, tuple(range(case.program.space.num_qubits)), (), case.program.space.num_qubits
    )
    named = Row(backend.name, case.problem, case.pipeline, case.depth, OURS)
    if short.named.num_qubits <= backend.num_qubits or short.lowered.num_qubits <= backend.num_qubits:
        isa = compile_isa(short.circuits, backend, seeds=range(seeds))
        yield _run(named, case, isa, short.postprocessing, backend, seeds, shots)
    else:
        yield named
    for way, circuit in ((QISKIT, case.program.circuit), (LOWERED, case.program.lowered)):
        if circuit.num_qubits > backend.num_qubits:
            yield replace(named, way=way)
            continue
        found = [_plain(circuit, backend, seed) for seed in range(seeds)]
        counts = [isa.two_qubit for isa in found]
        row = _run(replace(named, way=way), case, min(found, key=lambda isa: isa.rank), plain, backend, seeds, shots)
        yield replace(row, median=statistics.median(counts), fewest=min(counts))


def _plain(circuit: QuantumCircuit, backend: Any, seed: int) -> IsaCircuit:
    made = transpile(circuit, backend, optimization_level=3, seed_transpiler=seed)
    return measure_isa(made, backend, "plain", 0, seed)


def _run(row: Row, case: Case, isa: IsaCircuit, finish: Postprocessing, backend: Any, seeds: int, shots: int) -> Row:
    """The row of a compiled circuit, run with the device's noise."""
    (counts,) = run_local(backend, [isa.circuit], shots, SEED, JobPlan(backend.name))
    states = finish.states(counts)
    accepted, right = _judged(states, case)
    chance = finish.chance(case.solutions)
    estimated = isa.fidelity
    assert estimated is not None
    return replace(
        row,
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


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", action="append", help="only this one; may be repeated")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--shots", type=int, default=SHOTS)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--write", action="store_true", help="replace what was measured in hardware.csv")
    how.add_argument("--table", action="store_true", help="measure nothing; hardware.csv as Markdown")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measure and print, device by device."""
    chosen = parsed(arguments)
    if chosen.table:
        _say(report.markdown_table(hardware_rows.HEADER, hardware_rows.lines(hardware_rows.read())))
        return 0
    programs = list(cases())
    for name in chosen.device or DEVICES:
        backend = fake_backend(name)
        for case in programs:
            fresh = list(measure(case, backend, chosen.seeds, chosen.shots))
            _say(report.text_table(hardware_rows.HEADER, hardware_rows.lines(fresh)))
            if chosen.write:
                hardware_rows.write(hardware_rows.merged(fresh, hardware_rows.read()))
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()

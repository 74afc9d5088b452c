"""Rows of the peers: Qiskit in this interpreter, PennyLane and Qrisp in their own."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

from qiskit import QuantumCircuit, transpile

from benchmarks.core.checked import check
from benchmarks.core.peers import Note, ask
from benchmarks.peers import checks as literal_checks
from benchmarks.peers import qiskit as peer_qiskit
from benchmarks.peers.checks import Checks
from benchmarks.suites.cases import Case, patterns
from benchmarks.suites.records import Row
from gatesolve.circuit.counting import count

SECONDS = 120
QRISP_WORK = (0, 10, 20)
QRISP_BOARD_WORK = 10
MOST_WORK = 20
MOST_CHECKED = 1 << 14
"""Codewords on which a peer's circuit is followed one and all; ours of Q4 is followed on 65,536."""
EXACT, GENERAL = "clifford+t", "cx+u"


def row(case: Case, library: str, version: str, variant: str, level: str, circuits: dict[str, QuantumCircuit]) -> Row:
    """Check and count one oracle in the gate sets given.

    Raises:
        AssertionError: it is wrong; also ValueError and OverflowError, as `check`.
    """
    checked = min(check(circuit, case.model, case.space, min(case.most, MOST_CHECKED)) for circuit in circuits.values())
    counts = {gates: count(circuit, gates) for gates, circuit in circuits.items()}
    exact, general = counts.get(EXACT), counts.get(GENERAL)
    width = max(circuit.num_qubits for circuit in circuits.values())
    return Row(
        case.name, case.presolve, case.space.size, library, version, variant, level, "binary", width,
        *((exact.cx, exact.t, exact.depth) if exact else (None, None, None)),
        *((general.cx, general.depth) if general else (None, None)),
        checked=checked,
    )  # fmt: skip


def kept(case: Case, library: str, makers: list[Callable[[], Row]], note: Note) -> list[Row]:
    """The rows that could be made and shown right; a note for each other."""
    rows = []
    for make in makers:
        start = time.perf_counter()
        try:
            made = make()
        except (AssertionError, ValueError, OverflowError) as error:
            note(f"{case.name}: a circuit of {library} is left out, not shown to be right: {error}")
        except (ImportError, subprocess.TimeoutExpired) as error:
            note(f"{case.name}: {library} made no circuit: {error}")
        else:
            rows.append(Row(**{**vars(made), "seconds": round(made.seconds or time.perf_counter() - start, 1)}))
    return rows


def best(rows: list[Row]) -> list[Row]:
    """The row of fewest CX, where a peer has several."""
    return sorted(rows, key=lambda r: (r.cx if r.cx is not None else r.cx_u or 0, r.qubits))[:1]


def checks(case: Case) -> Checks:
    """The flags every peer computes."""
    return literal_checks.checks((case.model, case.merged), case.space)


def qiskit_rows(case: Case, note: Note) -> list[Row]:
    """Qiskit: constraints by MCX and by formulas (the better for a board); solutions by PhaseOracleGate."""
    written, idle = checks(case), peer_qiskit.IDLE
    drawn = {f"MCX, {idle} idle": peer_qiskit.by_mcx(written)}
    if (formulas := peer_qiskit.by_formulas(written)) is not None:
        drawn[f"BitFlipOracleGate a flag, {idle} idle"] = formulas
    rows = kept(case, "Qiskit", [_by_qiskit(case, name, "literal", c) for name, c in drawn.items()], note)
    return [*rows, *_phase_oracles(case, note)] if case.small else best(rows)


def _by_qiskit(
    case: Case, variant: str, level: str, circuit: QuantumCircuit, sets: tuple[str, ...] = (EXACT, GENERAL)
) -> Callable[[], Row]:
    def make() -> Row:
        start = time.perf_counter()
        data = case.space.num_qubits
        lowered = {gates: peer_qiskit.transpiled(circuit, data, gates) for gates in sets}
        seconds = time.perf_counter() - start
        made = row(case, "Qiskit", metadata.version("qiskit"), variant, level, lowered)
        return Row(**{**vars(made), "seconds": round(seconds, 1)})

    return make


def _phase_oracles(case: Case, note: Note) -> list[Row]:
    """Without idle qubits only in {cx,u}: Clifford+T needs one."""
    start = time.perf_counter()
    gate = peer_qiskit.phase_oracle(patterns(case.model, case.space), case.space.num_qubits)
    note(f"{case.name}: Qiskit's PhaseOracleGate was made in {time.perf_counter() - start:.1f} s")
    makers = [
        _by_qiskit(case, f"PhaseOracleGate, {idle} idle", "classical", peer_qiskit.with_idle(gate, idle), sets)
        for idle, sets in ((0, (GENERAL,)), (peer_qiskit.IDLE, (EXACT, GENERAL)))
    ]
    return kept(case, "Qiskit", makers, note)


def ask_checks(library: str, python: str, written: Checks, work: int, **more: str) -> Any:
    """The answer of a peer that runs in an interpreter of its own, as `ask`."""
    first = written.data + len(written.flags)
    wires = list(range(first, first + work))
    request = {"data": written.data, "gates": written.gates, "phase": written.flags, "work": wires, **more}
    return ask(python, library, {"what": "checks", **request}, SECONDS)


def pennylane_rows(case: Case, python: str, note: Note) -> list[Row]:
    """PennyLane: the flags by MultiControlledX, with as many zeroed wires as its widest gate can use."""
    written = checks(case)
    used = written.data + len(written.flags)
    widest = max(len(written.flags) - 1, *(len(controls) for controls, _, _ in written.gates))
    work = min(max(widest - 2, 0), MOST_WORK)

    def make() -> Row:
        answer = ask_checks("pennylane", python, written, work)
        circuit = QuantumCircuit(used + work)
        for name, wires in answer["cancelled"]:
            getattr(circuit, name)(*wires)
        variant = f"MultiControlledX, {work} zeroed wires, cancel_inverses"
        return row(case, "PennyLane", answer["version"], variant, "literal", {EXACT: circuit})

    return kept(case, "PennyLane", [make], note)


def qrisp_rows(case: Case, python: str, note: Note) -> list[Row]:
    """Qrisp: the flags by its mcx; one-qubit gates merged by Qiskit, as some are pi/8 rotations."""
    return kept(case, "Qrisp", list(_by_qrisp(case, python)), note)


def _by_qrisp(case: Case, python: str) -> Iterator[Callable[[], Row]]:
    written = checks(case)
    for work in QRISP_WORK if case.small else (QRISP_BOARD_WORK,):

        def make(work: int = work) -> Row:
            answer = ask_checks("qrisp", python, written, work, method="balauca")
            circuit = QuantumCircuit(answer["qubits"])
            for name, wires, angles in answer["plain"]:
                getattr(circuit, name)(*angles, *wires)
            merged = transpile(circuit, basis_gates=["cx", "u"], optimization_level=1, seed_transpiler=1)
            variant = f"mcx balauca, workspace {work}"
            return row(case, "Qrisp", answer["version"], variant, "literal", {GENERAL: merged})

        yield make

"""One oracle call for K7 and K4 by Qiskit, PennyLane, Qrisp and gatesolve: same puzzle, same counter, same check.

    python benchmarks/peers_oracles.py [--peer-python PATH] [--qrisp-python PATH] [--json | --markdown | --write]

Full domains 0..3, no presolve, two qubits a cell. Every circuit, ours too, is
simulated after lowering on all codewords before its numbers count.
``--peer-python`` and ``--qrisp-python`` name interpreters that have PennyLane and Qrisp.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import report
from ours import Built, classical_style_oracle, constraint_oracle, states
from problems import K4, K7, Kakuro
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.library import MCXGate
from sparse import marked

from gatesolve.resources import count
from gatesolve.resources.count import GATE_NAMES

PENNYLANE_WORK = {"K7": 4, "K4": 2}
QRISP_WORK = (0, 10)
QISKIT_IDLE = 2
SECONDS = 300
HEADER = ["puzzle", "oracle", "style", "qubits", "CX", "depth", "T", "CX in {cx,u}", "depth in {cx,u}",
          "CX / ours", "depth / ours", "T / ours"]  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One checked circuit. Counts are for Clifford+T; ``cx_u`` and ``depth_u`` for CX and general one-qubit gates."""

    puzzle: str
    name: str
    style: str
    qubits: int
    cx: int | None = None
    depth: int | None = None
    t: int | None = None
    cx_u: int | None = None
    depth_u: int | None = None


def mcx_gates(kakuro: Kakuro) -> list[tuple[list[int], list[bool], int]]:
    """One MCX a way of filling a run, onto the run's flag: ways exclude each other, so the flag is their OR."""
    gates = []
    for number, (run, total) in enumerate(kakuro.sums):
        for option in kakuro.options(run, total):
            controls = [2 * cell + bit for cell in run for bit in (0, 1)]
            values = [bool(value >> bit & 1) for value in option for bit in (0, 1)]
            gates.append((controls, values, 2 * kakuro.cells + number))
    return gates


def flags(kakuro: Kakuro) -> list[int]:
    """The runs' flag qubits."""
    return [2 * kakuro.cells + number for number in range(len(kakuro.sums))]


def checked(kakuro: Kakuro, circuit: QuantumCircuit, name: str) -> QuantumCircuit:
    """The circuit itself, after simulating it on every codeword."""
    space = kakuro.binary_space
    wanted = kakuro.model.holds(space.values(np.arange(space.size)))
    if not np.array_equal(marked(circuit, states(space)), wanted):
        raise AssertionError(f"{name} of {kakuro.name} marks other codewords than the solutions")
    return circuit


def row(kakuro: Kakuro, name: str, style: str, circuits: dict[str, QuantumCircuit]) -> Row:
    """Check and count one oracle in the gate sets given."""
    counts = {gates: count(checked(kakuro, circuit, name), gates) for gates, circuit in circuits.items()}
    exact, general = counts.get("clifford+t"), counts.get("cx+u")
    width = max(circuit.num_qubits for circuit in circuits.values())
    return Row(
        kakuro.name,
        name,
        style,
        width,
        *((exact.cx, exact.depth, exact.t) if exact else (None, None, None)),
        *((general.cx, general.depth) if general else (None, None)),
    )


def our_row(kakuro: Kakuro, name: str, style: str, built: Built) -> Row:
    """Ours: already checked when built."""
    exact, general = built.counts["clifford+t"], built.counts["cx+u"]
    return Row(kakuro.name, name, style, built.qubits, exact.cx, exact.depth, exact.t, general.cx, general.depth)


def transpiled(circuit: QuantumCircuit, data: int, gates: str) -> QuantumCircuit:
    """Lowered by Qiskit at level 3.

    H on the data qubits stands before the oracle and is taken off afterwards: without it Qiskit takes data
    qubits for zeroed ancillas, and what comes out is wrong on all other inputs.
    """
    started = QuantumCircuit(circuit.num_qubits)
    started.h(range(data))
    started.barrier()
    started.compose(circuit, inplace=True)
    basis = sorted(GATE_NAMES[gates])
    lowered = transpile(started, basis_gates=basis, optimization_level=3, seed_transpiler=1)
    kept, seen = lowered.copy_empty_like(), False
    for instruction in lowered.data:
        if seen:
            kept.append(instruction)
        seen = seen or instruction.operation.name == "barrier"
    return kept


def qiskit_row(kakuro: Kakuro) -> Row:
    """Qiskit: MCX an option, MCX over the flags, uncompute; idle qubits for its MCX synthesis."""
    circuit = QuantumCircuit(2 * kakuro.cells + len(kakuro.sums) + QISKIT_IDLE)
    compute = circuit.copy_empty_like()
    for controls, values, target in mcx_gates(kakuro):
        state = sum(value << k for k, value in enumerate(values))
        compute.append(MCXGate(len(controls), ctrl_state=state), [*controls, target])
    *others, last = flags(kakuro)
    circuit.compose(compute, inplace=True)
    circuit.h(last)
    circuit.mcx(others, last)
    circuit.h(last)
    circuit.compose(compute.inverse(), inplace=True)
    name = f"Qiskit, a flag a sum, {QISKIT_IDLE} idle, level 3"
    data = 2 * kakuro.cells
    return row(kakuro, name, "constraints", {g: transpiled(circuit, data, g) for g in ("clifford+t", "cx+u")})


def phase_oracle_rows(kakuro: Kakuro) -> Iterator[Row]:
    """Qiskit's `PhaseOracleGate` of the solutions, without and with idle qubits; without, only in {cx,u}."""
    from qiskit.circuit.library import PhaseOracleGate

    terms = [
        " & ".join(("" if v >> b & 1 else "~") + f"{'abcdefg'[i]}{b}" for i, v in enumerate(solution) for b in (0, 1))
        for solution in kakuro.solutions
    ]
    gate = PhaseOracleGate(" | ".join(f"({term})" for term in terms))
    for idle, gate_sets in ((0, ("cx+u",)), (QISKIT_IDLE, ("clifford+t", "cx+u"))):
        circuit = QuantumCircuit(gate.num_qubits + idle)
        circuit.append(gate, range(gate.num_qubits))
        lowered = {gates: transpiled(circuit, gate.num_qubits, gates) for gates in gate_sets}
        yield row(kakuro, f"Qiskit PhaseOracleGate, {idle} idle, level 3", "classical", lowered)


def asked(script: str, kakuro: Kakuro, work: int, python: str) -> dict[str, Any]:
    """The answer of a peer that runs in an interpreter of its own.

    Raises:
        ImportError: it did not run; the message says why.
    """
    first = 2 * kakuro.cells + len(kakuro.sums)
    wires = list(range(first, first + work))
    request = json.dumps({"gates": mcx_gates(kakuro), "phase": flags(kakuro), "work": wires})
    command = [python, "-W", "ignore", str(Path(__file__).with_name(script))]
    done = subprocess.run(command, input=request, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        raise ImportError(done.stderr.strip().splitlines()[-1])
    return dict(json.loads(done.stdout.splitlines()[-1]))


def pennylane_rows(kakuro: Kakuro, python: str) -> Iterator[Row]:
    """PennyLane: the same oracle by MultiControlledX with zeroed work wires."""
    work = PENNYLANE_WORK[kakuro.name]
    answer = asked("peer_pennylane.py", kakuro, work, python)
    for key, suffix in (("plain", ""), ("cancelled", ", cancel_inverses")):
        circuit = QuantumCircuit(2 * kakuro.cells + len(kakuro.sums) + work)
        for name, wires in answer[key]:
            getattr(circuit, name)(*wires)
        title = f"PennyLane {answer['version']}, a flag a sum, {work} zeroed wires{suffix}"
        yield row(kakuro, title, "constraints", {"clifford+t": circuit})


def qrisp_rows(kakuro: Kakuro, python: str) -> Iterator[Row]:
    """Qrisp: the same oracle by its mcx; one-qubit gates merged by Qiskit, as some are pi/8 rotations."""
    for work in QRISP_WORK:
        answer = asked("peer_qrisp.py", kakuro, work, python)
        circuit = QuantumCircuit(answer["qubits"])
        for name, wires, angles in answer["plain"]:
            getattr(circuit, name)(*angles, *wires)
        merged = transpile(circuit, basis_gates=["cx", "u"], optimization_level=1, seed_transpiler=1)
        yield row(kakuro, f"Qrisp {answer['version']}, a flag a sum, workspace {work}", "constraints", {"cx+u": merged})


def our_rows(kakuro: Kakuro) -> Iterator[Row]:
    """Ours: as many ancillas as it likes, and within few; then the classical style likewise."""
    space = kakuro.binary_space
    yield our_row(kakuro, "gatesolve", "constraints", constraint_oracle(kakuro, space))
    yield our_row(kakuro, "gatesolve, 4 ancillas at most", "constraints", constraint_oracle(kakuro, space, 4))
    yield our_row(kakuro, "gatesolve", "classical", classical_style_oracle(kakuro, space))
    yield our_row(kakuro, "gatesolve, 1 ancilla at most", "classical", classical_style_oracle(kakuro, space, 1))


def measure(kakuros: list[Kakuro], pennylane: str, qrisp: str) -> tuple[list[Row], list[str]]:
    """All rows, and a notice for each peer that is missing."""
    rows: list[Row] = []
    notices: list[str] = []
    for kakuro in kakuros:
        rows += our_rows(kakuro)
        rows.append(qiskit_row(kakuro))
        start = time.perf_counter()
        rows += phase_oracle_rows(kakuro)
        notices.append(f"{kakuro.name}: PhaseOracleGate rows took {time.perf_counter() - start:.1f} s")
        for peer, make, python in (("PennyLane", pennylane_rows, pennylane), ("Qrisp", qrisp_rows, qrisp)):
            try:
                rows += make(kakuro, python)
            except (ImportError, OSError, subprocess.TimeoutExpired) as error:
                notices.append(f"{kakuro.name}: {peer} skipped: {error}")
            except (AssertionError, ValueError) as error:
                notices.append(f"{kakuro.name}: a circuit of {peer} is left out, not shown to be right: {error}")
    return rows, notices


def cells(one: Row, rows: list[Row]) -> list[object]:
    """A table line, with ratios to our row of the same puzzle and style (the first)."""
    own = next(r for r in rows if (r.puzzle, r.style) == (one.puzzle, one.style))
    pairs = [(one.cx, own.cx), (one.depth, own.depth), (one.t, own.t)]
    if one.cx is None:
        pairs = [(one.cx_u, own.cx_u), (one.depth_u, own.depth_u), (None, None)]
    ratios = [f"{a / b:.2f}" if a is not None and b else None for a, b in pairs]
    return [one.puzzle, one.name, one.style, one.qubits, one.cx, one.depth, one.t, one.cx_u, one.depth_u, *ratios]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter that has PennyLane")
    parser.add_argument("--qrisp-python", default=sys.executable, help="interpreter that has Qrisp")
    parser.add_argument("--puzzle", choices=["K4", "K7"], action="append", help="only this one")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    parser.add_argument("--write", action="store_true", help="replace the measured section of benchmarks/README.md")
    chosen = parser.parse_args()
    kakuros = [k for k in (K7, K4) if k.name in (chosen.puzzle or ["K7", "K4"])]
    rows, notices = measure(kakuros, chosen.peer_python, chosen.qrisp_python)
    found = report.versions("qiskit", "numpy")
    lines = [cells(one, rows) for one in rows]
    table = "\n\n".join([report.heading(found), report.markdown_table(HEADER, lines), *notices])
    if chosen.json:
        print(json.dumps({"versions": found, "rows": [vars(r) for r in rows], "notices": notices}, indent=2))
    elif chosen.markdown:
        print(table)
    else:
        print("\n\n".join([report.heading(found), report.text_table(HEADER, lines), *notices]))
    if chosen.write:
        report.write_section("peers_oracles", table)


if __name__ == "__main__":
    main()

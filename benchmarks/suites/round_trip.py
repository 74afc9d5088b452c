"""Circuits written to OpenQASM 2, OpenQASM 3 and QPY and read back: ours, and Qiskit's exporters on the same circuits.

python -m benchmarks round-trip               1,000 seeded circuits
python -m benchmarks round-trip --number 50   fewer
python -m benchmarks round-trip --write       the table of docs/contributors/mcx.md

Each circuit has multi-controlled X and Z of five to seven controls, open and closed, logical ANDs and rotations, on two
registers, the second named `ancilla`. Ours is lowered and written by gatesolve. Qiskit's has the gates whole and is
written by `dumps` or `qpy.dump`. Qiskit reads both; `legacy gates`: with its `LEGACY_CUSTOM_INSTRUCTIONS`. A circuit
comes back equal if its registers have their names and sizes and it takes a random state to the same state, up to a
global phase.
"""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
from qiskit import QuantumCircuit, QuantumRegister, qasm2, qasm3, qpy
from qiskit.circuit import AncillaRegister
from qiskit.quantum_info import Statevector

from benchmarks.core import report
from benchmarks.core.places import DOCS
from benchmarks.core.suite import Asked, PageSuite
from gatesolve.circuit import And, Gate, Mcx, Op, Parity, PhaseFlip, lower, named_circuit, strict_qasm2
from gatesolve.circuit.qasm import encode_qpy

PAGE = DOCS / "contributors" / "mcx.md"
NUMBER = 1000
ANCILLAS = 2
Trip = Callable[[QuantumCircuit], QuantumCircuit]


def _through_qpy(circuit: QuantumCircuit) -> QuantumCircuit:
    written = io.BytesIO()
    qpy.dump(circuit, written)
    written.seek(0)
    return qpy.load(written)[0]


OURS: dict[str, Trip] = {
    "OpenQASM 2": lambda circuit: qasm2.loads(strict_qasm2(circuit)),
    "OpenQASM 3": lambda circuit: qasm3.loads(qasm3.dumps(circuit)),
    "QPY": lambda circuit: qpy.load(io.BytesIO(encode_qpy(circuit)))[0],
}
QISKIT: dict[str, Trip] = {
    "OpenQASM 2": lambda circuit: qasm2.loads(qasm2.dumps(circuit)),
    "OpenQASM 2, legacy gates": lambda circuit: qasm2.loads(
        qasm2.dumps(circuit), custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS
    ),
    "OpenQASM 3": lambda circuit: qasm3.loads(qasm3.dumps(circuit)),
    "QPY": _through_qpy,
}


def drawn_ops(seed: int) -> tuple[list[Op], int]:
    """Operations on so many qubits, of which the last `ANCILLAS` are in the register `ancilla`."""
    draw = random.Random(seed)
    controls = draw.randint(5, 7)
    total = controls + 1 + ANCILLAS
    ops: list[Op] = []
    for _ in range(draw.randint(2, 4)):
        wires = draw.sample(range(total), controls + 1)
        literals = tuple((wire, draw.random() < 0.5) for wire in wires[:-1])
        first, second, third = draw.sample(range(total), 3)
        ops.append(Gate("ry", (wires[-1],), (draw.uniform(0, 3),)))
        if draw.random() < 0.7:
            ops.append(Mcx(literals, wires[-1]))
        else:
            ops.append(PhaseFlip((*(Parity((wire,), not value) for wire, value in literals), Parity((wires[-1],)))))
        ops.append(And(Parity((first,)), Parity((second,), draw.random() < 0.5), third))
        ops.append(Gate(draw.choice(("h", "t", "s")), (draw.randrange(total),)))
    return ops, total


def registers(total: int) -> QuantumCircuit:
    """An empty circuit on the two registers."""
    return QuantumCircuit(QuantumRegister(total - ANCILLAS, "q"), AncillaRegister(ANCILLAS, "ancilla"))


def circuits(seed: int) -> tuple[QuantumCircuit, QuantumCircuit]:
    """Ours, lowered, and the one of whole gates."""
    ops, total = drawn_ops(seed)
    return registers(total).compose(lower(ops, total), range(total)), named_circuit(ops, registers(total))


def is_equal(before: QuantumCircuit, after: QuantumCircuit, seed: int) -> bool:
    """Registers by name and size, and the action on a random state."""
    if [(r.name, r.size) for r in before.qregs] != [(r.name, r.size) for r in after.qregs]:
        return False
    draw = np.random.default_rng(seed)
    amplitudes = draw.normal(size=1 << before.num_qubits) + 1j * draw.normal(size=1 << before.num_qubits)
    start = Statevector(amplitudes / np.linalg.norm(amplitudes))
    return bool(abs(start.evolve(before).inner(start.evolve(after))) > 1 - 1e-9)


def outcome(trip: Trip, circuit: QuantumCircuit, seed: int) -> str:
    """``equal``, ``different``, or the kind of error that stops it."""
    try:
        after = trip(circuit)
    except Exception as error:
        return type(error).__name__
    return "equal" if is_equal(circuit, after, seed) else "different"


def count_outcomes(numbers: Iterable[int]) -> dict[str, dict[str, Counter[str]]]:
    """For both exporters and each format."""
    found = {"gatesolve": {f: Counter[str]() for f in OURS}, "Qiskit": {f: Counter[str]() for f in QISKIT}}
    for seed in numbers:
        for (who, trips), circuit in zip((("gatesolve", OURS), ("Qiskit", QISKIT)), circuits(seed), strict=True):
            for name, trip in trips.items():
                found[who][name][outcome(trip, circuit, seed)] += 1
    return found


def table(found: dict[str, dict[str, Counter[str]]]) -> str:
    """A line for each format and exporter."""
    lines = [["written by", "format", "circuits", "equal", "different", "not read or written"]]
    for who, formats in found.items():
        for name, counts in formats.items():
            equal, different = counts["equal"], counts["different"]
            numbers = (counts.total(), equal, different, counts.total() - equal - different)
            lines.append([who, name, *map(str, numbers)])
    return report.markdown_table(lines[0], lines[1:], aligned=True)


def make_table(asked: Asked) -> str:
    """The table; a failure unless all of ours come back equal."""
    found = count_outcomes(range(asked.number))
    for name, counts in found["Qiskit"].items():
        report.say(f"Qiskit, {name}: {dict(counts)}")
    asked.failed |= any(counts["equal"] < counts.total() for counts in found["gatesolve"].values())
    return table(found)


SUITE = PageSuite(
    PAGE, {"round-trip": make_table}, lambda parser: parser.add_argument("--number", type=int, default=NUMBER)
)

"""Our passes beside PyZX, pytket and Qiskit, on the gates our compiler emits and on what our passes leave of them.

    python -m benchmarks optimisers [--peer-python PATH] [--only WORD ... | --write]

Every optimised circuit is followed exactly on every codeword (an X with controls: on every input) before its counts are
shown; only one of more CX than were emitted is not, and stands in brackets. ``--peer-python`` names an interpreter that
has PyZX and pytket; what is missing there is left out with a notice. ``--write`` replaces the measured section of
docs/contributors/passes.md.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, qasm2, transpile
from qiskit.transpiler import PassManager
from qiskit.transpiler.passes import Optimize1qGatesDecomposition

import gatesolve
from benchmarks.core import report
from benchmarks.core.places import DOCS
from benchmarks.core.problems import K4, K7, sudoku_s4
from benchmarks.core.processes import ask
from benchmarks.core.suite import make_parser
from benchmarks.peers.qiskit import transpiled
from gatesolve.circuit import Mcx, Op, build, emit
from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering.passes.euler import merge_rotations
from gatesolve.circuit.lowering.passes.peephole import cancel_gates
from gatesolve.circuit.lowering.passes.phase_folding import EIGHTHS, phase_gates
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Model
from gatesolve.simulate import diagonal_phases

PAGE = DOCS / "contributors" / "passes.md"
CHUNK = 1024
"""Inputs followed at once."""
SECONDS = 1200
REBUILDING = ("PyZX full_reduce", "pytket PauliSimp", "pytket GreedyPauliSimp")
"""Those that write the circuit anew; what came before makes no difference, so they are run once."""


@dataclass(frozen=True)
class Case:
    """A circuit as emitted, and what it must do.

    Attributes:
        name: as the tables show it.
        gates: as emitted, rotations exact.
        width: qubits.
        inputs: basis states to check, one column each; the qubits past these rows are ancillas at zero.
        flipped: which of them gain -1.
        turned: a qubit that stands between two H when the phases are looked at; -1 for none.
    """

    name: str
    gates: list[LowGate]
    width: int
    inputs: NDArray[np.bool_]
    flipped: NDArray[np.bool_]
    turned: int = -1

    def holds(self, circuit: QuantumCircuit) -> bool:
        """Whether the circuit gives every input its phase, up to a common one, and ancillas come back zero."""
        whole = QuantumCircuit(self.width)
        if self.turned >= 0:
            whole.h(self.turned)
        whole.compose(circuit, range(self.width), inplace=True)
        if self.turned >= 0:
            whole.h(self.turned)
        bits = np.zeros((self.width, self.inputs.shape[1]), dtype=bool)
        bits[: len(self.inputs)] = self.inputs
        found = []
        for start in range(0, bits.shape[1], CHUNK):
            phases = diagonal_phases(whole, bits[:, start : start + CHUNK])
            if phases is None:
                return False
            found.append(phases)
        relative = np.concatenate(found) * np.where(self.flipped, -1, 1)
        return bool(np.allclose(relative, relative[0], atol=1e-7))


@dataclass(frozen=True)
class Counted:
    """CX, T and depth in Clifford+T, where the circuit is in it, and CX, gates and depth in {cx, u}."""

    cx: int
    t: int | None
    depth: int | None
    gates_u: int
    depth_u: int
    seconds: float
    followed: bool = True


def cases() -> list[Case]:
    """The circuits of the tables."""
    found = [
        oracle_case("K7 binary", K7.model, "binary"),
        oracle_case("K7 binary, 3 ancillas", K7.model, "binary", 3),
        oracle_case("K7 one-hot", K7.model, "one-hot"),
        oracle_case("K7 table", K7.model, "table"),
        oracle_case("K4 binary", K4.model, "binary"),
        oracle_case("S4 binary", sudoku_s4(), "binary"),
    ]
    return [*found, literal_case(), mcx_case(5, 1), mcx_case(14, 5)]


def oracle_case(name: str, model: Model, encoding: str, ancillas: int | None = None) -> Case:
    """One oracle call as we compile it, declared domains only."""
    program = gatesolve.compile(model, encoding=encoding, presolve="none", level="minimised", ancillas=ancillas).program
    return _case(name, program.oracle.ops, program.oracle.num_qubits, program.space, model)


def literal_case() -> Case:
    """K4 as its constraints read: one multi-controlled X a way of filling a run, onto the run's flag."""
    from gatesolve.circuit import Parity, PhaseFlip, inverse

    data, flags = 2 * K4.cells, len(K4.sums)
    clean = tuple(range(data + flags, data + flags + 2))
    compute: list[Op] = []
    for number, (run, total) in enumerate(K4.sums):
        for way in K4.options(run, total):
            values = zip(run, way, strict=True)
            literals = tuple((2 * cell + bit, bool(value >> bit & 1)) for cell, value in values for bit in (0, 1))
            compute.append(Mcx(literals, data + number, clean))
    join = PhaseFlip(tuple(Parity((data + k,)) for k in range(flags)), clean)
    return _case("K4 literal", (*compute, join, *inverse(compute)), data + flags + 2, K4.binary_space, K4.model)


def mcx_case(controls: int, clean: int) -> Case:
    """An X with controls on clean ancillas; its target between two H is a phase."""
    width = controls + 1 + clean
    ops = (Mcx(tuple((k, True) for k in range(controls)), controls, tuple(range(controls + 1, width))),)
    states = np.arange(1 << controls + 1)
    inputs = states >> np.arange(controls + 1)[:, None] & 1 == 1
    name = f"X with {controls} controls, {clean} ancilla{'s' * (clean > 1)}"
    return Case(name, list(emit(ops)), width, inputs, inputs.all(axis=0), controls)


def _case(name: str, ops: tuple[Op, ...], width: int, space: object, model: Model) -> Case:
    numbers = np.arange(space.size)
    marks = np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)
    return Case(name, list(emit(ops)), width, space.bits(numbers), marks)


def exact(circuit: QuantumCircuit) -> list[LowGate] | None:
    """A circuit as our gates; None where it is not Clifford+T."""
    gates: list[LowGate] = []
    for instruction in circuit.data:
        name, qubits = instruction.operation.name, tuple(circuit.find_bit(q).index for q in instruction.qubits)
        if name in {"cx", "h", "x", *EIGHTHS}:
            gates.append((name, qubits, 0.0))
        elif name in {"rz", "p", "u1"}:
            gates += phase_gates(qubits, 4 * float(instruction.operation.params[0]) / math.pi)
            if gates and gates[-1][0] == "p":
                return None
        elif name == "cz":
            gates += [("h", qubits[1:], 0.0), ("cx", qubits, 0.0), ("h", qubits[1:], 0.0)]
        elif name == "swap":
            gates += [("cx", q, 0.0) for q in (qubits, qubits[::-1], qubits)]
        else:
            return None
    return without_h_pairs(gates)


def without_h_pairs(gates: list[LowGate]) -> list[LowGate]:
    """H next to H on a qubit left out: those that writing CZ as CX brings in are no fault of the peer's."""
    kept: list[LowGate | None] = []
    last: dict[int, int] = {}
    for name, qubits, angle in gates:
        before = last.get(qubits[0], -1)
        earlier = kept[before] if before >= 0 else None
        if name == "h" and earlier is not None and earlier[0] == "h":
            kept[before] = None
            last[qubits[0]] = max((k for k, g in enumerate(kept) if g is not None and qubits[0] in g[1]), default=-1)
            continue
        last.update(dict.fromkeys(qubits, len(kept)))
        kept.append((name, qubits, angle))
    return [gate for gate in kept if gate is not None]


def counted(circuit: QuantumCircuit, gates: list[LowGate] | None, seconds: float, followed: bool = True) -> Counted:
    """Counts of a checked circuit; in {cx, u} neighbouring one-qubit gates are merged."""
    general = PassManager([Optimize1qGatesDecomposition(basis=["u"])]).run(circuit)
    if set(general.count_ops()) - {"cx", "u"}:
        general = transpile(circuit, basis_gates=["cx", "u"], optimization_level=1)
    plain = None if gates is None else build(gates, circuit.num_qubits)
    names = [] if gates is None else [name for name, _, _ in gates]
    return Counted(
        general.count_ops().get("cx", 0),
        None if plain is None else names.count("t") + names.count("tdg"),
        None if plain is None else plain.depth(),
        general.size(),
        general.depth(),
        seconds,
        followed,
    )


def checked(case: Case, circuit: QuantumCircuit, seconds: float) -> Counted | str:
    """Counts, or why there are none; a circuit of more CX than was emitted is not followed."""
    gates = exact(circuit)
    if circuit_cx(circuit, gates) > sum(name == "cx" for name, _, _ in case.gates):
        return counted(circuit if gates is None else build(gates, case.width), gates, seconds, False)
    try:
        right = case.holds(build(gates, case.width) if gates is not None else general_circuit(circuit))
    except DoesNotFitError:
        return "not checked"
    return counted(circuit if gates is None else build(gates, case.width), gates, seconds) if right else "wrong"


def circuit_cx(circuit: QuantumCircuit, gates: list[LowGate] | None) -> int:
    """CX of a circuit, or of the same as our gates."""
    if gates is None:
        return int(general_circuit(circuit).count_ops().get("cx", 0))
    return sum(name == "cx" for name, _, _ in gates)


def general_circuit(circuit: QuantumCircuit) -> QuantumCircuit:
    """The same in CX and one-qubit gates."""
    return transpile(circuit, basis_gates=["cx", "u"], optimization_level=0)


def our_passes(case: Case, gates: list[LowGate]) -> Counted | str:
    """Our passes: one list of gates in Clifford+T, another in {cx, u}, both checked."""
    start = time.perf_counter()
    plain = build(cancel_gates(gates), case.width)
    general = QuantumCircuit(case.width)
    for name, qubits, angles in merge_rotations(cancel_gates(gates)):
        getattr(general, name)(*(angles or ()), *qubits)
    seconds = time.perf_counter() - start
    if not (case.holds(plain) and case.holds(general)):
        return "wrong"
    ours = counted(plain, exact(plain), seconds)
    return Counted(ours.cx, ours.t, ours.depth, general.size(), general.depth(), seconds)


def qiskit_passes(case: Case, gates: list[LowGate], basis: list[str]) -> Counted | str:
    """Qiskit at level 3; H on every qubit stands in front, so that no qubit is taken for a zeroed one."""
    start = time.perf_counter()
    kept = transpiled(build(gates, case.width), case.width, basis)
    return checked(case, kept, time.perf_counter() - start)


def peers(
    found: list[Case], inputs: list[list[LowGate]], python: str, left_out: tuple[str, ...] = ()
) -> tuple[dict[str, list[Counted | str]], str]:
    """What PyZX and pytket make of the circuits, and a notice."""
    texts = [qasm2.dumps(build(gates, case.width)) for case, gates in zip(found, inputs, strict=True)]
    rows: dict[str, list[Counted | str]] = {}
    notices = []
    for library in ("pyzx", "pytket"):
        try:
            reply = ask(python, library, {"circuits": texts, "left_out": list(left_out)}, SECONDS)
        except (OSError, ImportError, subprocess.SubprocessError) as error:
            notices.append(f"{library} skipped: {error}")
            continue
        notices.append(f"{library} {reply['version']}")
        for name, answers in reply["found"].items():
            rows[name] = [read_answer(case, answer) for case, answer in zip(found, answers, strict=True)]
    return rows, "; ".join(notices)


def read_answer(case: Case, answer: dict[str, Any]) -> Counted | str:
    """Return the counts of a peer's circuit, or why there are none."""
    if "error" in answer:
        return "failed"
    circuit = qasm2.loads(answer["qasm"], custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    return checked(case, circuit, answer["seconds"])


def measure(found: list[Case], python: str) -> tuple[dict[str, dict[str, list[Counted | str]]], str]:
    """Every optimiser on the emitted gates and on what our passes leave."""
    tables: dict[str, dict[str, list[Counted | str]]] = {}
    notice = ""
    for start, prepare in (("as emitted", list), ("after our passes", cancel_gates)):
        inputs = [prepare(case.gates) for case in found]
        rows: dict[str, list[Counted | str]] = {}
        plain = [build(gates, case.width) for case, gates in zip(found, inputs, strict=True)]
        rows["nothing"] = [checked(case, circuit, 0.0) for case, circuit in zip(found, plain, strict=True)]
        rows["gatesolve"] = [our_passes(case, gates) for case, gates in zip(found, inputs, strict=True)]
        more, notice = peers(found, inputs, python, () if start == "as emitted" else REBUILDING)
        rows.update(more)
        for label, basis in (("Clifford+T", ["cx", "h", "x", *EIGHTHS]), ("{cx,u}", ["cx", "u"])):
            pairs = zip(found, inputs, strict=True)
            rows[f"Qiskit level 3 to {label}"] = [qiskit_passes(case, gates, basis) for case, gates in pairs]
        tables[start] = rows
    return tables, notice


Cell = Callable[[Counted], str]
CLIFFORD: Cell = lambda c: "-" if c.t is None else f"{c.cx} / {c.t} / {c.depth}"  # noqa: E731
GENERAL: Cell = lambda c: f"{c.cx} / {c.gates_u} / {c.depth_u}"  # noqa: E731


def table(found: list[Case], rows: dict[str, list[Counted | str]], cell: Cell) -> str:
    """One line an optimiser, one column a circuit, and the seconds in all; lines that say nothing are left out."""
    lines = []
    for name, counts in rows.items():
        shown = [c if isinstance(c, str) else cell(c) if c.followed else f"({cell(c)})" for c in counts]
        if any(isinstance(c, Counted) and cell(c) != "-" for c in counts):
            lines.append([name, *shown, f"{sum(c.seconds for c in counts if isinstance(c, Counted)):.1f}"])
    return report.markdown_table(["then", *(case.name for case in found), "s"], lines)


def section(found: list[Case], tables: dict[str, dict[str, list[Counted | str]]], notice: str) -> str:
    """The measured section of docs/contributors/passes.md."""
    heading = report.heading(report.versions("gatesolve", "qiskit", "numpy"))
    parts = [f"{heading[:-1]}; {notice}."]
    for start, rows in tables.items():
        parts += [f"**{start.capitalize()}, to Clifford+T: CX / T / depth**", table(found, rows, CLIFFORD)]
        parts += [f"**{start.capitalize()}, to {{cx,u}}: CX / gates / depth**", table(found, rows, GENERAL)]
    return "\n\n".join(parts)


def main(arguments: Sequence[str]) -> None:
    """Measure and print the section of the page, and perhaps put it there."""
    parser = make_parser(__doc__)
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter that has PyZX and pytket")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="circuits with one of these words")
    how.add_argument("--write", action="store_true", help="replace the measured section of docs/contributors/passes.md")
    asked = parser.parse_args(arguments)
    found = [case for case in cases() if any(word.lower() in case.name.lower() for word in asked.only)]
    text = section(found, *measure(found, asked.peer_python))
    report.say(text)
    if asked.write:
        report.write_pages(report.fill(PAGE, {"optimisers": text}))

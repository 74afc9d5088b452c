"""Other people's oracles judged by `gatesolve.judge`: peers' circuits, the blog's, contest entries, a large one.

    python -m benchmarks referee [--only Qiskit ...] [--write | --check]

Every circuit is written to a file and judged from there. Seconds are wall time with all processes that it starts. The
table is in docs/proofs.md.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qiskit import QuantumCircuit, qasm2, transpile
from qiskit.circuit.library import MCXGate

from benchmarks.core import report, rows
from benchmarks.core.places import CIRCUITS, DOCS
from benchmarks.core.problems import K7, patterns
from benchmarks.core.rows import Row
from benchmarks.core.suite import Asked, Suite
from benchmarks.peers import checks as literal_checks
from benchmarks.peers import qiskit as peer_qiskit
from benchmarks.suites.blog_2022 import WORK_WIRES, CheckCircuit
from benchmarks.suites.gate_counts import ask_checks
from gatesolve.api.judge_file import judge
from gatesolve.circuit import Ops, lower
from gatesolve.model import Linear, Model, NotEqual, Table, Variable
from gatesolve.programs.section import describe_size

PAGE = DOCS / "proofs.md"
BASIS = ["cx", "h", "x", "z", "s", "sdg", "t", "tdg"]
LARGE, LONG = 14, 100
"""Cells of the largest board that is run, of two qubits each: 2^28 codewords; and of one that is not."""
TABLE = rows.Table(
    "referee",
    """
    circuit    key      and who made it
    qubits     int      of the circuit
    codewords  int      of the problem
    gates      int      in the file
    cx         int      of those
    status     str      the verdict
    detail     str      of the verdict
    seconds    seconds  of judging
    """,
)


@dataclass(frozen=True)
class Entry:
    """A circuit to judge."""

    name: str
    make: Callable[[], QuantumCircuit | Path]
    model: Callable[[], Model]
    encoding: str = "binary"
    layout: dict[str, Any] | None = None


def entries() -> Iterator[Entry]:
    """All circuits."""
    work = K7.one_hot_space.num_qubits
    yield Entry("K7, Qiskit MCX", _qiskit_checks, lambda: K7.model)
    yield Entry("K7, Qiskit PhaseOracleGate", _qiskit_phase_oracle, lambda: K7.model)
    yield Entry("K7, PennyLane MultiControlledX", _pennylane, lambda: K7.model)
    blog = CheckCircuit()
    yield Entry("K7, the 2022 blog's constraint checks", lambda: _lowered(blog.oracle, blog.qubits + WORK_WIRES),
                lambda: K7.model, "one-hot", {"data": list(range(work)), "output": blog.main})  # fmt: skip
    kakuro = _load(CIRCUITS / "kakuro-2022/make.py")
    for name in ("entry", "entry_literal", "entry_prepared"):
        path = CIRCUITS / f"kakuro-2022/{name}.qasm"
        yield Entry(f"Classiq 2022 Kakuro, {name}", lambda path=path: path, kakuro.problem)  # type: ignore[misc]
    yield Entry("Classiq 2022 X under 14 controls", lambda: CIRCUITS / "mcx14-2022/entry.qasm", _all_ones,
                layout={"data": list(range(14)), "output": 14})  # fmt: skip
    yield Entry("Classiq 2026 bitmap", lambda: CIRCUITS / "logo-2026/entry.qasm", _bitmap)
    for name in ("colouring-2019", "asteroids-2020"):
        yield Entry(f"{name}, a whole search", lambda path=CIRCUITS / f"{name}/entry.qasm": path, _four_bits,
                    layout={"data": list(range(4))})  # type: ignore[misc]  # fmt: skip
    yield Entry(f"a ring of {LARGE} cells, Qiskit CCX and MCX", _ring_circuit, _ring)
    yield Entry(f"a ring of {LARGE} cells, one gate dropped", lambda: _drop(_ring_circuit()), _ring)
    yield Entry(f"a ring of {LONG} cells, CCX", lambda: _ring_circuit(LONG, chain=True), lambda: _ring(LONG))
    dropped = f"a ring of {LONG} cells, one gate dropped"
    yield Entry(dropped, lambda: _drop(_ring_circuit(LONG, chain=True)), lambda: _ring(LONG))


def _qiskit_checks() -> QuantumCircuit:
    return transpile(peer_qiskit.by_mcx(_checks()), basis_gates=BASIS, optimization_level=2)


def _checks() -> literal_checks.Checks:
    return literal_checks.checks((K7.model,), K7.binary_space)


def _qiskit_phase_oracle() -> QuantumCircuit:
    gate = peer_qiskit.phase_oracle(patterns(K7.model, K7.binary_space), K7.binary_space.num_qubits)
    return transpile(peer_qiskit.with_idle(gate, peer_qiskit.IDLE), basis_gates=["cx", "u"], optimization_level=2)


def _pennylane() -> QuantumCircuit:
    written = _checks()
    width = written.data + len(written.flags) + 20
    return peer_qiskit.draw(ask_checks("pennylane", sys.executable, written, 20)["cancelled"], width)


def _lowered(ops: Ops, width: int) -> QuantumCircuit:
    return lower(ops, width, "clifford+t")


def _all_ones() -> Model:
    variables = tuple(Variable(f"x{k}", (0, 1)) for k in range(14))
    return Model(variables, (Linear(tuple((1, v.name) for v in variables), "==", 14),))


def _four_bits() -> Model:
    return Model(tuple(Variable(f"x{k}", (0, 1)) for k in range(4)))


def _bitmap() -> Model:
    logo = _load(CIRCUITS / "logo-2026/make.py")
    size = range(64)
    rows = tuple((x, y) for x in size for y in size if logo.marked(x, y))
    return Model((Variable("x", tuple(size)), Variable("y", tuple(size))), (Table(("x", "y"), rows),))


def _ring(cells: int = LARGE) -> Model:
    variables = tuple(Variable(f"x{k}", (0, 1, 2, 3)) for k in range(cells))
    return Model(variables, tuple(NotEqual(f"x{k}", f"x{(k + 1) % cells}") for k in range(cells)))


def _ring_circuit(cells: int = LARGE, chain: bool = False) -> QuantumCircuit:
    """Neighbours differ: a flag each, an AND of all flags by Qiskit's MCX or by a chain of Toffolis, all undone."""
    data = 2 * cells
    compute = QuantumCircuit(data + cells + cells)
    for cell in range(cells):
        first, second, flag = 2 * cell, 2 * ((cell + 1) % cells), data + cell
        for bit in range(2):
            compute.cx(first + bit, second + bit)
        compute.append(MCXGate(2, ctrl_state=0), [second, second + 1, flag])
        compute.x(flag)
        for bit in range(2):
            compute.cx(first + bit, second + bit)
    flags, ancillas = list(range(data, data + cells)), list(range(data + cells, data + 2 * cells))
    if chain:
        for left, right, target in zip([flags[0], *ancillas], flags[1:-1], ancillas, strict=False):
            compute.ccx(left, right, target)
        flags = [ancillas[cells - 3], flags[-1]]
    circuit = compute.copy()
    circuit.h(flags[-1])
    circuit.mcx(flags[:-1], flags[-1], None if chain else ancillas[: cells - 3], "noancilla" if chain else "v-chain")
    circuit.h(flags[-1])
    return circuit.compose(compute.inverse())


def _drop(circuit: QuantumCircuit) -> QuantumCircuit:
    place = next(k for k, one in enumerate(circuit.data) if one.operation.name.startswith("ccx"))
    del circuit.data[place]
    return circuit


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.parent.name.replace("-", "_"), path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    return module


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Judge one circuit from its file."""
    entry = next(entry for entry in entries() if entry.name == name)
    with tempfile.TemporaryDirectory() as folder:
        made = entry.make()
        path = made if isinstance(made, Path) else Path(folder) / "entry.qasm"
        if not isinstance(made, Path):
            path.write_text(qasm2.dumps(made))
        start = time.perf_counter()
        found = judge(path, entry.model(), encoding=entry.encoding, layout=entry.layout)
        seconds = time.perf_counter() - start
    gates = sum(number for name, number in found.gates.items() if name not in {"measure", "barrier"})
    yield TABLE.row(entry.name, found.qubits, found.codewords, gates, found.gates.get("cx", 0), found.status,
                    found.claim.detail, round(seconds, 2))  # fmt: skip


def table(rows: Sequence[Row]) -> str:
    """The table of docs/proofs.md."""
    header = ["circuit", "qubits", "codewords", "gates in the file", "CX", "seconds", "verdict"]
    cells = [
        [r.circuit, r.qubits, _tell(r.codewords), r.gates, r.cx, r.seconds, f"{r.status}: {_shorten(r.detail)}"]
        for r in rows
    ]
    lines = report.markdown_table(header, cells).splitlines()
    return "\n".join([lines[0], "| --- | --: | --: | --: | --: | --: | --- |", *lines[2:]])


def _shorten(detail: str) -> str:
    """Return a verdict with at most seven of the values that it lists."""
    return re.sub(r"((?:x\d+=\d+, ){7})x[^)]*\)", r"\1...)", detail)


def _tell(number: int) -> int | str:
    return number if number < 10**10 else describe_size(number)


SUITE = Suite(
    TABLE,
    list_cases=lambda: [entry.name for entry in entries()],
    measure=measure,
    make_pages=lambda rows: report.fill(PAGE, {"referee": table(rows)}),
)

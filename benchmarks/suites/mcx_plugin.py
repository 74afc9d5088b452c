"""The plugin beside Qiskit's default: 250 seeded circuits with multi-controlled gates, through plain `transpile`.

The tables are in docs/contributors/mcx.md.

    python -m benchmarks mcx-plugin                  all tables; 1 if the plugin takes more CX anywhere
    python -m benchmarks mcx-plugin --only times     seconds at 40 and 60 controls beside Qiskit's
    python -m benchmarks mcx-plugin --only choices   other choices on the routed circuits

A circuit has two to four multi-controlled X, open and closed controls, between random rotations. `plain`: all to all.
`routed`: on a line, a grid or a heavy hexagon at optimisation level 0. `nested`: controls around gates that have some.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from unittest.mock import patch

from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Gate
from qiskit.circuit.library import MCXGate
from qiskit.synthesis import synth_mcx_noaux_hp24, synth_mcx_noaux_sp22
from qiskit.transpiler import CouplingMap
from qiskit.transpiler.passes import HLSConfig
from qiskit.transpiler.passes.synthesis.hls_plugins import MCXSynthesisDefault

from benchmarks.core import report
from benchmarks.core.places import DOCS
from benchmarks.core.suite import Asked, PageSuite
from benchmarks.suites.mcx_rules import counted
from gatesolve.adapters import qiskit_plugin
from gatesolve.circuit.mcx import mcx

PAGE = DOCS / "contributors" / "mcx.md"
NUMBER = 250
BASIS = ["cx", "u"]
KINDS = ("plain", "routed", "nested")
METHODS = {"gatesolve": HLSConfig(mcx=["gatesolve", "default"]), "default": HLSConfig(mcx=["default"])}


@dataclass(frozen=True)
class Case:
    """One circuit of the sweep: ``coupling`` None where every pair of qubits may meet."""

    kind: str
    circuit: QuantumCircuit
    level: int
    coupling: CouplingMap | None = None

    def cx(self, method: str) -> int:
        """CX after `transpile` by a method."""
        made = transpile(
            self.circuit,
            basis_gates=BASIS,
            coupling_map=self.coupling,
            optimization_level=self.level,
            hls_config=METHODS[method],
            seed_transpiler=1,
        )
        return int(made.count_ops().get("cx", 0))


def cases(numbers: range = range(NUMBER)) -> Iterator[Case]:
    """The circuits, each from its own seed."""
    for number in numbers:
        draw = random.Random(number)
        kind = KINDS[number % len(KINDS)]
        qubits = draw.randint(6, 24)
        circuit = QuantumCircuit(qubits)
        # Few idle qubits in half of them: where all are, both take clean ancillas.
        busy = draw.choice((draw.randint(5, qubits), qubits))
        for qubit in range(busy):
            circuit.ry(draw.uniform(0.3, 2.8), qubit)
        for qubit in range(1, busy):
            circuit.cx(qubit - 1, qubit)
        for _ in range(draw.randint(2, 4)):
            width = draw.randint(4, min(busy, 12 if kind == "nested" else 20))
            wires = draw.sample(range(busy), width)
            circuit.append(_gate(kind, width, draw), wires)
            circuit.ry(draw.uniform(0.3, 2.8), wires[-1])
        level = 0 if kind == "routed" else draw.randint(0, 2)
        yield Case(kind, circuit, level, _coupling(qubits, draw) if kind == "routed" else None)


def _gate(kind: str, width: int, draw: random.Random) -> Gate:
    """A multi-controlled X, or controls around gates that have some."""
    if kind != "nested":
        return MCXGate(width - 1, ctrl_state=draw.getrandbits(width - 1))
    outer = draw.randint(1, width - 3)
    inner = QuantumCircuit(width - outer)
    inner.mcx(list(range(width - outer - 1)), width - outer - 1)
    inner.x(0)
    return inner.to_gate().control(outer, annotated=draw.random() < 0.7)


def _coupling(qubits: int, draw: random.Random) -> CouplingMap:
    """A map of at least so many qubits."""
    shape = draw.choice(("line", "grid", "hexagons"))
    if shape == "line":
        return CouplingMap.from_line(qubits)
    if shape == "grid":
        return CouplingMap.from_grid(-(-qubits // 4), 4)
    return CouplingMap.from_heavy_hex(3 if qubits <= 19 else 5)


def sweep(numbers: range = range(NUMBER)) -> dict[str, list[tuple[int, int]]]:
    """CX by the plugin and by the default, for each circuit of each kind."""
    found: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    for case in cases(numbers):
        found[case.kind].append((case.cx("gatesolve"), case.cx("default")))
    return found


def sweep_table(found: dict[str, list[tuple[int, int]]]) -> str:
    """How often fewer, as many and more."""
    lines = [["circuits", "number", "fewer CX", "as many", "more", "CX in all", "CX in all, default"]]
    for kind, pairs in found.items():
        signs = [(ours > theirs) - (ours < theirs) for ours, theirs in pairs]
        counts = [len(pairs), *(signs.count(sign) for sign in (-1, 0, 1))]
        lines.append([kind, *map(str, (*counts, sum(p[0] for p in pairs), sum(p[1] for p in pairs)))])
    return report.markdown_table(lines[0], lines[1:], aligned=True)


SAVED = {"never, as it is": None, "always": 0.0, "where it saves 15 % of the CX before routing": 0.15}
"""Choices on circuits that are routed, each with the share of Qiskit's CX that ours has to save; None for never."""


def choices_table(numbers: range = range(NUMBER)) -> str:
    """CX of the routed circuits where the plugin gives our circuit never, always, or where it saves much."""
    lines = [["our circuit is taken", "fewer CX than Qiskit", "more", "CX in all"]]
    routed = [case for case in cases(numbers) if case.kind == "routed"]
    theirs = [case.cx("default") for case in routed]
    for name, saved in SAVED.items():
        found = theirs if saved is None else [_cx_by_choice(case, saved) for case in routed]
        pairs = [*zip(found, theirs, strict=True)]
        lines.append([name, *map(str, (sum(a < b for a, b in pairs), sum(a > b for a, b in pairs), sum(found)))])
    return report.markdown_table(lines[0], lines[1:], aligned=True)


def _cx_by_choice(case: Case, saved: float) -> int:
    """CX where the plugin gives our circuit for a gate if it saves that share, or always if that is 0."""

    def choose(controls: int, clean: int, dirty: int, _: bool) -> QuantumCircuit | None:
        theirs: QuantumCircuit = MCXSynthesisDefault().run(
            MCXGate(controls), num_clean_ancillas=clean, num_dirty_ancillas=dirty
        )
        enough = qiskit_plugin._least_cx(controls, clean, dirty) <= (1 - saved) * theirs.count_ops()["cx"]
        return None if enough or not saved else theirs

    with patch.object(qiskit_plugin, "_fewest_cx", choose):
        return case.cx("gatesolve")


TIMED = [
    (k, name, extra)
    for k in (40, 60)
    for name, extra in (
        ("1 clean", 1),
        ("k-2 clean", k - 2),
        ("1 borrowed", 1),
        ("2 borrowed", 2),
        ("k/2-2 borrowed", k // 2 - 2),
    )
]


def seconds(controls: int, ancillas: str, extra: int, method: str, rounds: int = 5) -> tuple[float, int, int]:
    """Least time of `transpile` for one gate, nothing remembered from before; CX and depth."""
    width = controls + 1 + extra
    circuit = QuantumCircuit(width)
    if "borrowed" in ancillas:
        for qubit in range(controls + 1, width):
            circuit.ry(0.7, qubit)
            circuit.cx(qubit, 0)
    circuit.mcx(list(range(controls)), controls)
    times = []
    for _ in range(rounds):
        qiskit_plugin._made.cache_clear()
        qiskit_plugin._fewest_cx.cache_clear()
        start = time.perf_counter()
        made = transpile(circuit, basis_gates=BASIS, optimization_level=1, hls_config=METHODS[method])
        times.append(time.perf_counter() - start)
    return min(times), int(made.count_ops()["cx"]), int(made.depth())


def times_table() -> str:
    """Milliseconds, CX and depth of both, for large gates."""
    lines = [["k", "ancillas", "ms", "ms, default", "CX", "CX, default", "depth", "depth, default"]]
    for controls, ancillas, extra in TIMED:
        both = [seconds(controls, ancillas, extra, method) for method in METHODS]
        cells = [f"{1000 * one[0]:.0f}" for one in both] + [str(one[k]) for k in (1, 2) for one in both]
        lines.append([str(controls), ancillas, *cells])
    return report.markdown_table(lines[0], lines[1:], aligned=True)


def without_table(shown: tuple[int, ...] = (20, 28, 33, 40, 64)) -> str:
    """CX and depth without ancillas, beside both of Qiskit's constructions."""
    lines = [["k", "CX", "CX, sp22", "CX, hp24", "depth", "depth, sp22", "depth, hp24"]]
    for controls in shown:
        theirs = [counted(make(controls)) for make in (synth_mcx_noaux_sp22, synth_mcx_noaux_hp24)]
        made = mcx(controls)
        both = [(made.count_ops()["cx"], made.depth()), *((one["cx"], one["depth"]) for one in theirs)]
        lines.append([str(controls), *(str(one[k]) for k in (0, 1) for one in both)])
    return report.markdown_table(lines[0], lines[1:], aligned=True)


def sweep_part(asked: Asked) -> str:
    """The table of the sweep; a failure where the default takes fewer CX."""
    found = sweep()
    asked.failed |= any(ours > theirs for pairs in found.values() for ours, theirs in pairs)
    return sweep_table(found)


SUITE = PageSuite(
    PAGE,
    {
        "choices": lambda asked: choices_table(),
        "without": lambda asked: without_table(),
        "times": lambda asked: times_table(),
        "sweep": sweep_part,
    },
)

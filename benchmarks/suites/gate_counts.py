"""One call of a constraint-checking Grover oracle: gatesolve beside Qiskit, PennyLane and Qrisp.

    python -m benchmarks gate-counts [--peer-python PATH] [--qrisp-python PATH] [--library NAME] [--write | --check]

The same model at the same presolve setting for all; every lowered circuit, ours too, is followed exactly on all
codewords, or on a sample of a large board's, before its numbers count. Rows of peers that are missing stay as they are.
The tables are in benchmarks/README.md. Qiskit runs in this interpreter, PennyLane and Qrisp in their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import metadata
from typing import Any

from qiskit import QuantumCircuit

import gatesolve
from benchmarks.core import problems, report
from benchmarks.core.follow import Codewords
from benchmarks.core.places import README
from benchmarks.core.problems import Case, patterns
from benchmarks.core.processes import add_options, ask, find_missing
from benchmarks.core.report import say
from benchmarks.core.rows import OURS, Row, Table
from benchmarks.core.suite import Asked, Suite, attempt
from benchmarks.peers import checks as literal_checks
from benchmarks.peers import qiskit as peer_qiskit
from benchmarks.peers.checks import Checks
from gatesolve.api import about
from gatesolve.circuit import count, lower, lower_measured
from gatesolve.errors import AncillaBudgetError, DoesNotFitError

LIBRARIES = (OURS, "Qiskit", "PennyLane", "Qrisp")
TABLE = Table(
    "gate_counts",
    """
    puzzle     key      name of the case
    presolve   str      setting, the same for all
    states     int       codewords of the row's own space
    library    key      gatesolve, Qiskit, PennyLane or Qrisp
    version    version  of the library
    variant    key      how the oracle was made, within the library
    level      key      literal (each constraint alone), minimised or classical (solutions known)
    encoding   str      of the variables
    qubits     int      width, ancillas included
    cx         int      in Clifford+T, as t and depth; empty where there is no exact such circuit
    t          int      T and T-dagger
    depth      int      all gates
    cx_u       int      in CX and general one-qubit gates, as depth_u
    depth_u    int      all gates
    checked    int      codewords on which the lowered circuits were followed and found right
    seconds    seconds  to compile
    """,
)
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
        AssertionError: it is wrong; also ValueError and DoesNotFitError, as `Codewords.follow`.
    """
    tried = Codewords.draw(case.model, case.space, min(case.most, MOST_CHECKED))
    checked = min(map(tried.follow, circuits.values()))
    counts = {gates: count(circuit, gates) for gates, circuit in circuits.items()}
    exact, general = counts.get(EXACT), counts.get(GENERAL)
    width = max(circuit.num_qubits for circuit in circuits.values())
    return TABLE.row(
        case.name, case.presolve, case.space.size, library, version, variant, level, "binary", width,
        *((exact.cx, exact.t, exact.depth) if exact else (None, None, None)),
        *((general.cx, general.depth) if general else (None, None)),
        checked=checked
    )  # fmt: skip


def attempt_all(case: Case, library: str, makers: Iterable[Callable[[], Row]]) -> list[Row]:
    """The rows that could be made and shown right."""
    return [row for make in makers for row in attempt(f"{case.name}: a circuit of {library}", make)]


def best(rows: list[Row]) -> list[Row]:
    """The row of fewest CX, where a peer has several."""
    return sorted(rows, key=lambda r: (r.cx if r.cx is not None else r.cx_u or 0, r.qubits))[:1]


def checks(case: Case) -> Checks:
    """The flags every peer computes."""
    return literal_checks.checks((case.model, case.merged), case.space)


def qiskit_rows(case: Case) -> list[Row]:
    """Qiskit: constraints by MCX and by formulas (the better for a board); solutions by PhaseOracleGate."""
    written, idle = checks(case), peer_qiskit.IDLE
    drawn = {f"MCX, {idle} idle": peer_qiskit.by_mcx(written)}
    if (formulas := peer_qiskit.by_formulas(written)) is not None:
        drawn[f"BitFlipOracleGate a flag, {idle} idle"] = formulas
    rows = attempt_all(case, "Qiskit", [_by_qiskit(case, name, "literal", c) for name, c in drawn.items()])
    return [*rows, *_phase_oracles(case)] if case.small else best(rows)


def _by_qiskit(
    case: Case, variant: str, level: str, circuit: QuantumCircuit, sets: tuple[str, ...] = (EXACT, GENERAL)
) -> Callable[[], Row]:
    def make() -> Row:
        start = time.perf_counter()
        data = case.space.num_qubits
        lowered = {gates: peer_qiskit.transpiled(circuit, data, gates) for gates in sets}
        seconds = time.perf_counter() - start
        made = row(case, "Qiskit", metadata.version("qiskit"), variant, level, lowered)
        return made.replace(seconds=round(seconds, 1))

    return make


def _phase_oracles(case: Case) -> list[Row]:
    """Without idle qubits only in {cx,u}: Clifford+T needs one."""
    start = time.perf_counter()
    gate = peer_qiskit.phase_oracle(patterns(case.model, case.space), case.space.num_qubits)
    say(f"{case.name}: Qiskit's PhaseOracleGate was made in {time.perf_counter() - start:.1f} s")
    makers = [
        _by_qiskit(case, f"PhaseOracleGate, {idle} idle", "classical", peer_qiskit.with_idle(gate, idle), sets)
        for idle, sets in ((0, (GENERAL,)), (peer_qiskit.IDLE, (EXACT, GENERAL)))
    ]
    return attempt_all(case, "Qiskit", makers)


def ask_checks(library: str, python: str, written: Checks, work: int, **more: str) -> Any:
    """The answer of a peer that runs in an interpreter of its own, as `ask`."""
    first = written.data + len(written.flags)
    wires = list(range(first, first + work))
    request = {"data": written.data, "gates": written.gates, "phase": written.flags, "work": wires, **more}
    return ask(python, library, {"what": "checks", **request}, SECONDS)


def pennylane_rows(case: Case, python: str) -> list[Row]:
    """PennyLane: the flags by MultiControlledX, with as many zeroed wires as its widest gate can use."""
    written = checks(case)
    used = written.data + len(written.flags)
    widest = max(len(written.flags) - 1, *(len(controls) for controls, _, _ in written.gates))
    work = min(max(widest - 2, 0), MOST_WORK)

    def make() -> Row:
        answer = ask_checks("pennylane", python, written, work)
        circuit = peer_qiskit.draw(answer["cancelled"], used + work)
        variant = f"MultiControlledX, {work} zeroed wires, cancel_inverses"
        return row(case, "PennyLane", answer["version"], variant, "literal", {EXACT: circuit})

    return attempt_all(case, "PennyLane", [make])


def qrisp_rows(case: Case, python: str) -> list[Row]:
    """Qrisp: the flags by its mcx; one-qubit gates merged by Qiskit, as some are pi/8 rotations."""
    return attempt_all(case, "Qrisp", _by_qrisp(case, python))


def _by_qrisp(case: Case, python: str) -> Iterator[Callable[[], Row]]:
    written = checks(case)
    for work in QRISP_WORK if case.small else (QRISP_BOARD_WORK,):

        def make(work: int = work) -> Row:
            answer = ask_checks("qrisp", python, written, work, method="balauca")
            merged = peer_qiskit.merged(peer_qiskit.draw(answer["plain"], answer["qubits"]))
            variant = f"mcx balauca, workspace {work}"
            return row(case, "Qrisp", answer["version"], variant, "literal", {GENERAL: merged})

        yield make


LITERAL = "each constraint alone"
COMMON: dict[str, dict[str, Any]] = {
    LITERAL: {"level": "literal"},
    "merged": {"level": "merged"},
    "minimised": {"level": "minimised"},
    "minimised, encoding chosen": {"level": "minimised", "encoding": "auto"},
    "solutions known": {"oracle": "classical"},
}
"""Options of our rows, by the name of the row."""
SMALL: dict[str, dict[str, Any]] = {
    **COMMON,
    f"{LITERAL}, measured erasure": {"level": "literal", "measured": True, "optimize": "t", "gates": "clifford+t"},
    "minimised, 4 ancillas at most": {"level": "minimised", "ancillas": 4},
    "minimised, for T": {"level": "minimised", "optimize": "t", "gates": "clifford+t"},
    "minimised, for depth": {"level": "minimised", "optimize": "depth"},
    "minimised, measured erasure": {
        "level": "minimised", "measured": True, "optimize": "t", "gates": "clifford+t"
    },
    "solutions known, 1 ancilla at most": {"oracle": "classical", "ancillas": 1}
}  # fmt: skip


def our_rows(case: Case) -> list[Row]:
    """The rows of gatesolve: each constraint alone first, in the peers' binary space, and at Qiskit's width.

    Then merged and minimised, in the peers' encoding and in the one it takes by itself, and with the solutions known;
    for K4, K7, S4 and Q4 also within few ancillas, by other objectives and erased by measurement. A row that is in
    nothing different from an earlier one is left out.
    """
    wanted = dict(SMALL if case.small else COMMON)
    found: list[Row] = []
    for variant, options in wanted.items():
        try:
            made = _our_row(case, variant, options)
        except DoesNotFitError as error:
            say(f"{case.name}: no row '{variant}': {error}")
            continue
        if variant == "solutions known" or _differs(made, found):
            found.append(made)
        if variant == LITERAL and (narrow := _narrow(case, made)) is not None:
            found.append(narrow)
    return found


def _differs(made: Row, found: list[Row]) -> bool:
    return (made.level, made.encoding, made.figures) not in [(row.level, row.encoding, row.figures) for row in found]


def _narrow(case: Case, wide: Row) -> Row | None:
    """Each constraint alone within the ancillas of Qiskit's recorded circuit, or the fewest that it takes."""
    theirs = [row for row in TABLE.read() if (row.puzzle, row.library, row.level) == (case.name, "Qiskit", "literal")]
    width = min((row.qubits for row in theirs), default=wide.qubits)
    if width >= wide.qubits:
        return None
    options: dict[str, Any] = {"level": "literal", "ancillas": width - case.space.num_qubits}
    try:
        return _our_row(case, f"{LITERAL}, at Qiskit's width", options)
    except AncillaBudgetError as error:
        return _our_row(case, f"{LITERAL}, as narrow as it gets", {**options, "ancillas": error.least})


def _our_row(case: Case, variant: str, options: dict[str, Any]) -> Row:
    start = time.perf_counter()
    compiled = gatesolve.compile(case.declared, presolve=case.presolve, **{"encoding": "binary", **options})
    space, oracle = compiled.program.space, compiled.program.oracle
    zeros = range(oracle.num_data, oracle.num_qubits)
    lowered = {}
    for gates in (GENERAL, EXACT):
        if options.get("measured"):
            lowered[gates] = lower_measured(oracle.ops, oracle.num_qubits, gates, zeros=zeros, whatever_cx=True)
        else:
            lowered[gates] = lower(oracle.ops, oracle.num_qubits, gates)
    seconds = round(time.perf_counter() - start, 1)
    checked = min(map(Codewords.draw(compiled.model, space, case.most).follow, lowered.values()))
    exact, general = (count(lowered[gates], gates) for gates in (EXACT, GENERAL))
    return TABLE.row(
        case.name, case.presolve, space.size, OURS, about.version(), variant, compiled.level, compiled.encoding,
        oracle.num_qubits, exact.cx, exact.t, exact.depth, general.cx, general.depth, checked, seconds
    )  # fmt: skip


HEADER = ["puzzle", "oracle", "level", "encoding", "qubits", "CX", "T", "depth", "CX in {cx,u}", "depth in {cx,u}",
          "CX / ours", "T / ours", "depth / ours", "checked", "seconds"]  # fmt: skip
PEERS = tuple(library for library in LIBRARIES if library != OURS)
PEER_COLUMNS = ("qubits", "CX / ours", "T / ours", "depth / ours")
RATIO_HEADER = ["puzzle", "presolve", "states", "qubits", "CX", "T", "depth", "narrow: qubits", "narrow: CX",
                *(f"{peer}: {what}" for peer in PEERS for what in PEER_COLUMNS)]  # fmt: skip


def reference(row: Row, rows: Sequence[Row]) -> Row | None:
    """Our row that does the work of ``row`` in binary: each constraint alone, or (beyond that) the solutions known."""
    level = "literal" if row.level == "literal" else "classical"
    ours = (r for r in rows if (r.puzzle, r.library, r.level, r.encoding) == (row.puzzle, OURS, level, "binary"))
    return next((r for r in ours if level == "literal" or r.variant == "solutions known"), None)


def ratios(row: Row, own: Row) -> dict[str, float | None]:
    """What ``row`` takes of each, over ours; in {cx,u} where it has no exact Clifford+T circuit."""
    pairs = {"CX": (row.cx, own.cx), "T": (row.t, own.t), "depth": (row.depth, own.depth)}
    if row.cx is None:
        pairs = {"CX": (row.cx_u, own.cx_u), "T": (None, None), "depth": (row.depth_u, own.depth_u)}
    return {what: a / b if a is not None and b else None for what, (a, b) in pairs.items()}


def lines(rows: Sequence[Row]) -> list[list[object]]:
    """One line a row under `HEADER`."""
    found = []
    for row in rows:
        name = f"{row.library}, {row.variant}" if row.variant else row.library
        counts = [row.qubits, row.cx, row.t, row.depth, row.cx_u, row.depth_u]
        own = reference(row, rows)
        compared = [None] * 3 if own is None else [_two(ratio) for ratio in ratios(row, own).values()]
        found.append([row.puzzle, name, row.level, row.encoding, *counts, *compared, row.checked, f"{row.seconds:.1f}"])
    return found


def summary(rows: Sequence[Row]) -> list[list[object]]:
    """One line a puzzle under `RATIO_HEADER`: our counts, each peer's width, and how many times as much it takes.

    Everyone compiles each constraint alone. Of each peer the row of fewest CX is taken.
    """
    found = []
    for puzzle in dict.fromkeys(row.puzzle for row in rows):
        here = [row for row in rows if row.puzzle == puzzle and row.level == "literal"]
        own = next(row for row in here if row.library == OURS)
        line: list[object] = [puzzle, own.presolve, own.states, own.qubits, own.cx, own.t, own.depth]
        narrow = next((row for row in here if row.variant.endswith(("at Qiskit's width", "as narrow as it gets"))), own)
        line += [narrow.qubits, narrow.cx]
        for peer in PEERS:
            theirs = [row for row in here if row.library == peer]
            best = min(theirs, key=lambda row: ratios(row, own)["CX"] or 0, default=None)
            line += [None] * 4 if best is None else [best.qubits, *map(_two, ratios(best, own).values())]
        found.append(line)
    return found


def section(rows: Sequence[Row]) -> str:
    """The tables in Markdown: each constraint alone, ours beside the peers'; then what knew more, apart from them."""
    versions = {row.library: row.version for row in rows}
    heading = "Measured with " + ", ".join(f"{name} {version}" for name, version in versions.items()) + "."
    shown = lines(rows)
    literal = [line for line, row in zip(shown, rows, strict=True) if row.level == "literal"]
    known = [line for line, row in zip(shown, rows, strict=True) if row.level != "literal"]
    return "\n\n".join(
        [
            heading,
            report.markdown_table(RATIO_HEADER, summary(rows)),
            "**Each constraint alone**",
            report.markdown_table(HEADER, literal),
            "**More was worked out classically**: the last ratios are to ours with the solutions known",
            report.markdown_table(HEADER, known),
        ]
    )


def _two(ratio: float | None) -> str | None:
    return None if ratio is None else f"{ratio:.2f}"


def measure(name: str, asked: Asked) -> list[Row]:
    """Make the rows of a puzzle by all libraries that were asked; a note for each circuit that is left out."""
    case = problems.case(name)
    makers: dict[str, Callable[[], list[Row]]] = {
        OURS: lambda: our_rows(case),
        "Qiskit": lambda: qiskit_rows(case),
        "PennyLane": lambda: pennylane_rows(case, asked.peer_python),
        "Qrisp": lambda: qrisp_rows(case, asked.qrisp_python),
    }
    return [row for library, make in makers.items() if library not in find_missing(asked, LIBRARIES) for row in make()]


SUITE = Suite(
    TABLE,
    list_cases=lambda: problems.NAMES,
    measure=measure,
    show=lambda rows: (HEADER, lines(rows)),
    make_pages=lambda rows: report.fill(README, {"gate_counts": section(rows)}),
    add_options=lambda parser: add_options(parser, LIBRARIES),
    stays=lambda row, asked: row.library in find_missing(asked, LIBRARIES),
    order=lambda row: (problems.NAMES.index(row.puzzle), LIBRARIES.index(row.library)),
)

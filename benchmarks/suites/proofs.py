"""Full boards with nothing deduced: compiled, exported, proved layer by layer, and verified again from the files.

    python -m benchmarks proofs [--only inkala-2012 ...] [--level merged] [--write | --check]

A row is made in a process of its own, so that its memory is its own. Seconds are processor time. The tables are in
docs/proofs.md and docs/contributors/tables.md.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import gatesolve
from benchmarks.core import report
from benchmarks.core.places import CIRCUITS, DOCS, EXAMPLES
from benchmarks.core.processes import call_alone
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite
from gatesolve.errors import GatesolveError
from gatesolve.programs.section import describe_size

PAGE = DOCS / "proofs.md"
TABLES = DOCS / "contributors" / "tables.md"
RECHECK = CIRCUITS / "recheck.py"
SUDOKU = "sudoku/inkala-2012.txt"
BOARDS = {
    SUDOKU: ("one-hot", "binary", "table"),
    "kakuro/newspaper-17x17.txt": ("one-hot", "binary"),
    "starbattle/krazydad-10x10-2.txt": ("binary",),
    "queens/linkedin-8x8.txt": ("binary",),
    "queens/linkedin-18x18.txt": ("binary",),
    "tents/sgt-15x15dt-2.txt": ("binary",),
    "sudoku/royle17-0.txt": ("one-hot",),
    "kakuro/minizinc-8x8-hard.txt": ("one-hot",),
    "takuzu/sgt-14x14.txt": ("binary",),
    "galaxies/sgt-7x7du-1.txt": ("binary",),
    "tango/brohit-2025-04-20.txt": ("binary",),
    "queens-8-all-different": ("one-hot", "binary"),
}
MACHINE = "qubit_gate_ns_e3"
PATIENCE = 200
"""Seconds that compiling the whole search for few T, and estimating it, may take."""
YEAR = 365.25 * 24 * 3600
LEVELS = ("literal", "merged", "minimised")
TABLE = Table(
    "proofs",
    """
    board            key    file of examples/, or a name of this module
    encoding         key    of the variables
    level            key    of the oracle
    status           str    of verifying; none where it does not compile
    states           str    of the space
    iterations       str    of the whole search
    qubits           int    of one iteration, as the counts that follow
    cx               int    in cx+u
    t                int    in Clifford+T
    depth            int    in cx+u
    compile_seconds  seconds  with the proofs
    verify_seconds   seconds  by `gatesolve verify`
    recheck_seconds  seconds  by the standalone script
    left             str    layers that the standalone script leaves open or refuses
    megabytes        note   largest memory
    physical_qubits  int    of the whole search
    runtime          str    of the whole search
    open             str    claims that are not proved
    """,
)


def queens() -> object:
    """Eight queens as columns, by all-different constraints over affine expressions."""
    import cpmpy as cp

    columns = cp.intvar(1, 8, shape=8, name="q")
    shifts = [[column + sign * k for k, column in enumerate(columns)] for sign in (0, 1, -1)]
    return cp.Model([cp.AllDifferent(one) for one in shifts])


def tell_time(seconds: float) -> str:
    """A time in seconds or years."""
    amount, unit = (seconds, "s") if seconds < YEAR else (seconds / YEAR, "years")
    return f"{amount:.0e} {unit}".replace("e+", "e") if amount >= 1e4 else f"{float(f'{amount:.2g}'):g} {unit}"


def measure_board(board: str, encoding: str, level: str) -> Row:
    """Compile, export and verify one board."""
    source = queens() if board == "queens-8-all-different" else str(EXAMPLES / board)
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        try:
            whole = gatesolve.compile(source, presolve="none", encoding=encoding, level=level)
            made = replace(whole, program=whole.program.with_iterations(1))
            written = gatesolve.export(made, Path(folder) / "board.qasm")
        except GatesolveError as error:
            return TABLE.row(board, encoding, level, "none", open=str(error)[:150])
        between = time.process_time()
        found = gatesolve.verify(written.circuit)
        done = time.process_time()
        again, left = recheck_file(written.circuit)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    counts, program = made.program.resources("iteration"), made.program
    open_ = "; ".join(str(claim) for claim in found.claims if claim.status != "proved")
    return TABLE.row(
        board,
        encoding,
        made.level or "",
        found.status if found.claims == written.claims or found.status != "proved" else "differs",
        describe_size(program.space.size),
        describe_size(whole.program.iterations),
        counts.qubits,
        counts.cx,
        program.with_lowering(gates="clifford+t").resources("iteration").t,
        counts.depth,
        round(between - start, 1),
        round(done - between, 1),
        again,
        left,
        megabytes,
        None,
        "",
        open_,
    )


def recheck_file(circuit: Path) -> tuple[float, str]:
    """Processor seconds of the standalone script, and the layers that it leaves open or refuses."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([sys.executable, RECHECK, circuit], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    lines = [line.split(": ") for line in done.stdout.splitlines()[:-1]]
    return round(after - before, 1), ", ".join(f"{words[0]} {words[1]}" for words in lines if words[1] != "proved")


def run_row(board: str, encoding: str, level: str) -> Row:
    """Make the same row in a process of its own, and estimate the whole search in another one."""
    names = (board, encoding, level)
    try:
        row = TABLE.row(*call_alone(measure_cells, *names))
    except ImportError as error:
        return TABLE.row(*names, "failed", open=str(error)[-150:])
    try:
        qubits, seconds = call_alone(estimate, *names, seconds=PATIENCE)
    except (subprocess.TimeoutExpired, ImportError):
        return row
    return row.replace(physical_qubits=qubits, runtime=tell_time(seconds))


def measure_cells(board: str, encoding: str, level: str) -> list[object]:
    """Return the cells of a row."""
    return [*measure_board(board, encoding, level).cells]


def estimate(board: str, encoding: str, level: str) -> tuple[int, float]:
    """Physical qubits and seconds of the whole search."""
    source = queens() if board == "queens-8-all-different" else str(EXAMPLES / board)
    options = {"presolve": "none", "encoding": encoding, "level": level}
    (found,) = gatesolve.estimate(source, machines=[MACHINE], **options).estimates
    return found.physical_qubits, found.seconds


def make_pages(rows: Sequence[Row]) -> dict[Path, str]:
    """Return docs/proofs.md with each board's first row, and docs/contributors/tables.md with all rows."""
    counts = ["states", "qubits", "CX", "T", "depth", "iterations", "physical qubits", "runtime"]
    lines = [
        [
            *(r.board.removesuffix(".txt"), r.encoding, r.level, *list_counts(r)),
            *(r.compile_seconds, r.verify_seconds, r.megabytes, r.status),
            f"{r.recheck_seconds}; {r.left}" if r.left else r.recheck_seconds,
        ]
        for r in rows
        if r.status != "none"
    ]
    header = ["board", "encoding", "level", *counts, "compile, s", "verify, s", "MB", "status", "recheck, s"]
    first = {r.board: r for r in reversed(rows) if r.level == "literal" and r.encoding == BOARDS[r.board][0]}
    short = [
        [r.board.removesuffix(".txt"), r.encoding, *list_counts(r), r.compile_seconds, r.verify_seconds]
        for r in reversed(first.values())
    ]
    whole = report.markdown_table(header, lines)
    part = report.markdown_table(["board", "encoding", *counts, "compile, s", "verify, s"], short)
    return report.fill(PAGE, {"proofs": part}) | report.fill(TABLES, {"proofs-all": whole})


def list_counts(row: Row) -> list[object]:
    """States, counts of one iteration, and what the whole search would take."""
    states, iterations = (int(word) if word.isdigit() else word for word in (row.states, row.iterations))
    return [states, row.qubits, row.cx, row.t, row.depth, iterations, row.physical_qubits, row.runtime or "-"]


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make the rows of a board, each in a process of its own."""
    return (run_row(name, encoding, level) for encoding in BOARDS[name] for level in asked.level or LEVELS)


SUITE = Suite(
    TABLE,
    list_cases=lambda: BOARDS,
    measure=measure,
    make_pages=make_pages,
    add_options=lambda parser: parser.add_argument("--level", action="append", choices=LEVELS),
    stays=lambda row, asked: row.level not in (asked.level or LEVELS),
    order=lambda row: ([*BOARDS].index(row.board), BOARDS[row.board].index(row.encoding), LEVELS.index(row.level)),
)

"""Full boards with nothing deduced: compiled, exported, proved layer by layer, and verified again from the files.

python -m benchmarks proofs                      print every row
python -m benchmarks proofs --board inkala-2012  only boards whose file has this in its name; may be repeated
python -m benchmarks proofs --level merged       only this level; may be repeated
python -m benchmarks proofs --write              also replace those rows in proofs.csv and both tables
python -m benchmarks proofs --tables             measure nothing; both tables from proofs.csv

A row is made in a process of its own, so that its memory is its own. Seconds are processor time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import gatesolve
from benchmarks.core import report
from benchmarks.core.csv_rows import read_rows, write_rows
from benchmarks.core.places import DOCS, RESULTS, ROOT, own_command
from gatesolve.errors import GatesolveError
from gatesolve.pipelines.section import describe_size

FILE = RESULTS / "proofs.csv"
PAGE = DOCS / "proofs.md"
RECHECK = ROOT / "circuits/recheck.py"
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


@dataclass(frozen=True)
class Row:
    """One board, encoding and level; counts of one iteration, seconds of compiling with its proofs and of verifying."""

    board: str
    encoding: str
    level: str
    status: str
    states: str
    iterations: str
    qubits: int | None
    cx: int | None
    t: int | None
    depth: int | None
    compile_seconds: float | None
    verify_seconds: float | None
    recheck_seconds: float | None
    left: str
    megabytes: int | None
    physical_qubits: int | None
    runtime: str
    open: str


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


def measure(board: str, encoding: str, level: str) -> Row:
    """Compile, export and verify one board."""
    source = queens() if board == "queens-8-all-different" else str(ROOT / "examples" / board)
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        try:
            whole = gatesolve.compile(source, presolve="none", encoding=encoding, level=level)
            made = replace(whole, program=whole.program.with_iterations(1))
            written = gatesolve.export(made, Path(folder) / "board.qasm")
        except GatesolveError as error:
            return Row(board, encoding, level, "none", "", "", *(None,) * 7, "", *(None,) * 2, "", str(error)[:150])
        between = time.process_time()
        found = gatesolve.verify(written.circuit)
        done = time.process_time()
        again, left = recheck_file(written.circuit)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    counts, program = made.program.section_resources("iteration"), made.program
    open_ = "; ".join(str(claim) for claim in found.claims if claim.status != "proved")
    return Row(
        board,
        encoding,
        made.level or "",
        found.status if found.claims == written.claims or found.status != "proved" else "differs",
        describe_size(program.space.size),
        describe_size(whole.program.iterations),
        counts.qubits,
        counts.cx,
        replace(program, gates="clifford+t").section_resources("iteration").t,
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
    """The same in a process of its own."""
    command = own_command("proofs", "--one", board, encoding, level)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        return Row(
            board, encoding, level, "failed", "", "", *(None,) * 7, "", *(None,) * 2, "", done.stderr.strip()[-150:]
        )
    row = Row(**json.loads(done.stdout))
    command = own_command("proofs", "--estimate", board, encoding, level)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=ROOT)
        qubits, seconds = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return row
    return replace(row, physical_qubits=qubits, runtime=tell_time(seconds))


def estimate(board: str, encoding: str, level: str) -> tuple[int, float]:
    """Physical qubits and seconds of the whole search."""
    source = queens() if board == "queens-8-all-different" else str(ROOT / "examples" / board)
    options = {"presolve": "none", "encoding": encoding, "level": level}
    (found,) = gatesolve.estimate(source, machines=[MACHINE], **options).estimates
    return found.physical_qubits, found.seconds


def write_tables(rows: Sequence[Row]) -> None:
    """Replace the tables of docs/proofs.md and, each board's first encoding at level literal, of docs/numbers.md."""
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
    replace_table(PAGE, header, lines)
    first = {r.board: r for r in reversed(rows) if r.level == "literal" and r.encoding == BOARDS[r.board][0]}
    short = [
        [r.board.removesuffix(".txt"), r.encoding, *list_counts(r), r.compile_seconds, r.verify_seconds]
        for r in reversed(first.values())
    ]
    replace_table(ROOT / "docs" / "numbers.md", ["board", "encoding", *counts, "compile, s", "verify, s"], short)


def list_counts(row: Row) -> list[object]:
    """States, counts of one iteration, and what the whole search would take."""
    states, iterations = (int(word) if word.isdigit() else word for word in (row.states, row.iterations))
    return [states, row.qubits, row.cx, row.t, row.depth, iterations, row.physical_qubits, row.runtime or "-"]


def replace_table(page: Path, header: Sequence[str], lines: Sequence[Sequence[object]]) -> None:
    """Put a table in the place that a page has for it."""
    start, end = "<!-- table:proofs -->\n", "<!-- end -->"
    before, rest = page.read_text(encoding="utf-8").split(start)
    after = rest.split(end, 1)[1]
    page.write_text(f"{before}{start}{report.markdown_table(header, lines)}\n{end}{after}", encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """The command of the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--one", nargs=3)
    parser.add_argument("--estimate", nargs=3)
    parser.add_argument("--board", action="append")
    parser.add_argument("--level", action="append", choices=LEVELS)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tables", action="store_true")
    taken = parser.parse_args(arguments)
    if taken.estimate:
        print(json.dumps(estimate(*taken.estimate)))
        return 0
    if taken.one:
        print(json.dumps(asdict(measure(*taken.one))))
        return 0
    rows = {(row.board, row.encoding, row.level): row for row in read_rows(Row, FILE)}
    wanted = [
        (board, encoding, level)
        for board, encodings in BOARDS.items()
        if not taken.board or any(part in board for part in taken.board)
        for encoding in encodings
        for level in taken.level or LEVELS
    ]
    for board, encoding, level in [] if taken.tables else wanted:
        row = rows[board, encoding, level] = run_row(board, encoding, level)
        print(*asdict(row).values(), sep="  ", flush=True)
    if taken.write or taken.tables:
        order = [key for key in rows if key[0] in BOARDS]
        write_rows([rows[key] for key in order], Row, FILE)
        write_tables([rows[key] for key in order])
    return 0

"""Fault-tolerant estimates of whole searches, from a Kakuro of four cells to the hardest Sudokus.

    python -m benchmarks physical [--only K7 ...] [--write | --check]

Every circuit is made and counted whole; of spaces above 2^24 codewords the oracle is checked on a sample with a
solution in it. The estimates are those of qdk's resource estimator, ``qdk.qre``.
The tables are in docs/physical.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import gatesolve
from benchmarks.core import problems, report
from benchmarks.core.places import DOCS, EXAMPLES
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite
from gatesolve.api.physical import PhysicalReport
from gatesolve.cli.report import format_count, format_duration
from gatesolve.model import Model
from gatesolve.puzzles import Puzzle, parse

PAGE = DOCS / "physical.md"
NORVIG = "....14....3....2...7..........9...3.6.1.............8.2.....1.4....5.6.....7.8..."
"""17 clues, one solution: the fifth of `top95.txt` of norvig/pytudes (MIT)."""
SHOWN = {"qubit_gate_ns_e3": "gate ns 1e-3", "qubit_gate_us_e4": "gate us 1e-4", "qubit_maj_ns_e6": "Majorana 1e-6"}
TABLE = Table(
    "physical",
    """
    case          key    its name
    presolve      key    the setting used
    encoding      str    of the space
    states        float  log2 of the codewords
    marked        int    solutions counted; empty where one is assumed
    iterations    str    of the run, a whole number that may be longer than a machine word
    qubits        int    logical, before the layout
    ccix          int    logical ANDs counted whole
    t             int    other T gates
    measurements  int    in all
    rotations     int    left to the estimator
    checked       int    codewords on which the oracle was run
    model         key    of the physical qubits
    counted       str    the way of counting that was cheapest
    distance      int    of the code
    factories     int    T factories
    physical      int    qubits
    seconds       float  of the run
    budget        float  error budget
    """,
)
Source = Model | Puzzle | Path


@cache
def cases() -> dict[str, tuple[Source, str]]:
    """What is searched, and after which presolve setting."""
    sudoku, queens = EXAMPLES / "sudoku", EXAMPLES / "queens"
    norvig = parse(NORVIG, "sudoku", "top95")
    found: dict[str, tuple[Source, str]] = {
        "Kakuro K4": (problems.K4.model, "none"),
        "Kakuro K7": (problems.K7.model, "none"),
        "Sudoku 4x4": (sudoku / "small.txt", "none"),
        "Queens 8x8, LinkedIn": (queens / "linkedin-8x8.txt", "none"),
        "Sudoku 9x9, sgt 3x3de5": (sudoku / "sgt-3x3de5.txt", "propagate"),
    }
    for setting in ("propagate", "none"):
        found |= {f"Sudoku, Inkala {y}, {setting}": (sudoku / f"inkala-{y}.txt", setting) for y in (2006, 2010, 2012)}
        found[f"Sudoku, 17 clues, {setting}"] = (norvig, setting)
    return found


def measure(name: str, asked: Asked) -> list[Row]:
    """All machines of a case."""
    source, setting = cases()[name]
    found = gatesolve.estimate(source, presolve=setting, level="minimised")
    return list(rows(name.removesuffix(f", {setting}"), found))


def rows(name: str, found: PhysicalReport) -> Iterable[Row]:
    """The estimates of a search as rows."""
    compiled, space = found.compiled, found.compiled.program.space
    for e in found.estimates:
        c = found.counts[e.counted]
        counts = (c.qubits, c.ccix, c.t, c.measurements, c.rotations, compiled.certificate.checked)
        states = round(math.log2(space.size), 1)
        machine = (e.model, e.counted, e.distance, e.factories, e.physical_qubits, e.seconds, found.budget)
        search = (
            name,
            compiled.presolve,
            compiled.encoding,
            states,
            compiled.certificate.marked,
            str(compiled.oracle_calls),
        )
        yield TABLE.row(*search, *counts, *machine)


SEARCH = ["search", "presolve"]
HEADER = [*SEARCH, "encoding", "states", "iterations", "logical qubits", "physical qubits", "run time", "distance"]
OTHER = [*SEARCH, *(f"{kind}: {what}" for kind in SHOWN.values() for what in ("qubits", "time"))]


def lines(found: Sequence[Row], model: str = "qubit_gate_ns_e3") -> list[list[object]]:
    """One line a search on one machine, under `HEADER`."""
    return [
        [r.case, f"`{r.presolve}`", f"`{r.encoding}`", f"2^{r.states:.1f}", _times(int(r.iterations)), r.qubits,
         format_count(r.physical), format_duration(r.seconds), r.distance]
        for r in found if r.model == model
    ]  # fmt: skip


def _times(iterations: int) -> str:
    return str(iterations) if iterations < 10_000 else f"2^{math.log2(iterations):.1f}"


def others(found: Sequence[Row]) -> list[list[object]]:
    """One line a search on three machines, under `OTHER`."""
    made = []
    for key in dict.fromkeys((r.case, r.presolve) for r in found):
        here = {r.model: r for r in found if (r.case, r.presolve) == key}
        machines = [cell for m in SHOWN for cell in (format_count(here[m].physical), format_duration(here[m].seconds))]
        made.append([key[0], f"`{key[1]}`", *machines])
    return made


def make_pages(found: Sequence[Row]) -> dict[Path, str]:
    """Return the page with both tables."""
    parts = {"physical": (HEADER, lines(found)), "physical-machines": (OTHER, others(found))}
    return report.fill(PAGE, {name: report.markdown_table(*table) for name, table in parts.items()})


SUITE = Suite(
    TABLE,
    list_cases=cases,
    measure=measure,
    show=lambda rows: (HEADER, lines(rows)),
    make_pages=make_pages,
    case_of=lambda row: name if (name := f"{row.case}, {row.presolve}") in cases() else row.case,
)

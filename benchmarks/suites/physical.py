"""Fault-tolerant estimates of whole searches, from a Kakuro of four cells to the hardest Sudokus.

python -m benchmarks physical                    print every estimate
python -m benchmarks physical --case K7          only this one; may be repeated
python -m benchmarks physical --write            also replace physical.csv and the tables of docs/physical.md
python -m benchmarks physical --tables           measure nothing; the tables from physical.csv

Every circuit is made and counted whole; of spaces above 2^24 codewords the oracle is checked on a sample with a
solution in it. The estimates are those of qdk's resource estimator, ``qdk.qre``.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import gatesolve
from benchmarks.core import problems, report
from benchmarks.core.csv_rows import read_rows, write_rows
from benchmarks.core.places import DOCS, RESULTS, ROOT
from gatesolve.api.physical import PhysicalReport
from gatesolve.cli.report import format_count, format_duration
from gatesolve.model import Model
from gatesolve.puzzles import Puzzle, parse

FILE = RESULTS / "physical.csv"
PAGE = DOCS / "physical.md"
NORVIG = "....14....3....2...7..........9...3.6.1.............8.2.....1.4....5.6.....7.8..."
"""17 clues, one solution: the fifth of `top95.txt` of norvig/pytudes (MIT)."""
SHOWN = {
    "qubit_gate_ns_e3": "gate ns 1e-3",
    "qubit_gate_us_e4": "gate us 1e-4",
    "qubit_maj_ns_e6": "Majorana 1e-6",
}


@dataclass(frozen=True)
class Row:
    """One search on one machine.

    Attributes:
        case: its name.
        presolve: the setting used.
        encoding: of the space.
        states: log2 of the codewords.
        marked: solutions counted; None where one is assumed.
        iterations: of the run, as a whole number in text, which may be longer than a machine word.
        qubits: logical, before the layout.
        ccix: logical ANDs counted whole.
        t: other T gates.
        measurements: in all.
        rotations: left to the estimator.
        checked: codewords on which the oracle was run.
        model: of the physical qubits.
        counted: the way of counting that was cheapest.
        distance: of the code.
        factories: T factories.
        physical: qubits.
        seconds: of the run.
        budget: error budget.
    """

    case: str
    presolve: str
    encoding: str
    states: float
    marked: int | None
    iterations: str
    qubits: int
    ccix: int
    t: int
    measurements: int
    rotations: int
    checked: int
    model: str
    counted: str
    distance: int
    factories: int
    physical: int
    seconds: float
    budget: float


Source = Model | Puzzle | Path


def cases() -> dict[str, tuple[Source, str]]:
    """What is searched, and after which presolve setting."""
    sudoku, queens = ROOT / "examples/sudoku", ROOT / "examples/queens"
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


def measured(name: str) -> list[Row]:
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
        yield Row(*search, *counts, *machine)


def read() -> list[Row]:
    """The recorded rows."""
    return read_rows(Row, FILE)


HEADER = ["search", "presolve", "states", "iterations", "logical qubits", "physical qubits", "run time", "distance"]
OTHER = ["search", "presolve", *(f"{kind}: {what}" for kind in SHOWN.values() for what in ("qubits", "time"))]


def lines(found: Sequence[Row], model: str = "qubit_gate_ns_e3") -> list[list[object]]:
    """One line a search on one machine, under `HEADER`."""
    return [
        [r.case, f"`{r.presolve}`", f"2^{r.states:.1f}", _times(int(r.iterations)), r.qubits,
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


def write_page(found: Sequence[Row]) -> None:
    """Replace the tables of docs/physical.md."""
    text = PAGE.read_text(encoding="utf-8")
    for name, header, body in (("physical", HEADER, lines(found)), ("physical-machines", OTHER, others(found))):
        start, end = f"<!-- table:{name} -->\n", "<!-- end -->"
        before, rest = text.split(start)
        text = f"{before}{start}{report.markdown_table(header, body)}\n{end}{rest.split(end, 1)[1]}"
    PAGE.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Estimate and print, case by case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", choices=list(cases()), action="append", help="only this one; may be repeated")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--write", action="store_true", help="replace physical.csv and the tables")
    how.add_argument("--tables", action="store_true", help="measure nothing; tables from physical.csv")
    chosen = parser.parse_args(arguments)
    if chosen.tables:
        write_page(read())
        return 0
    found: list[Row] = []
    for name in chosen.case or cases():
        fresh = measured(name)
        sys.stdout.write(report.text_table(HEADER, lines(fresh)) + "\n")
        sys.stdout.flush()
        found += fresh
    if chosen.write:
        fresh_keys = {(r.case, r.presolve) for r in found}
        kept = [r for r in read() if (r.case, r.presolve) not in fresh_keys]
        write_rows([*kept, *found] if chosen.case else found, Row, FILE)
        write_page(read())
    return 0

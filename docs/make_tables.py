"""Remakes what README.md and docs/*.md show of measured numbers and printed output.

python docs/make_tables.py                  rewrite every table and every output of a command
python docs/make_tables.py --only k7        only these tables
python docs/make_tables.py --only notebooks run the notebooks again and keep what they show
python docs/make_tables.py --check          write nothing; exit 1 if something differs

The tables `blog-known`, `blog` and `families-peers` are taken from benchmarks/README.md, which the benchmarks
`blog-2022` and `gate-counts` write, `front`, `peers` and `comparison` from what `constraint-peers` writes, `hardware`,
`fractional`, `anneal`, `phase-oracles`, `cpmpy-suite` and `estimators` from what the benchmark of that name writes;
all others are measured here.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import Field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

import comparison_rows
import contest_rows
import notebook_pages
import pages

import gatesolve
from gatesolve import encodings as codes
from gatesolve.api.options import FIELDS, pipelines_of
from gatesolve.circuit.counting import count
from gatesolve.circuit.lowering import lower
from gatesolve.costs.estimate import format_duration
from gatesolve.devices.job_request import JOB_FIELDS
from gatesolve.encodings import make_spaces
from gatesolve.formats.sources import as_problem
from gatesolve.model import Model, Variable
from gatesolve.pipelines.options import choices, spec
from gatesolve.pipelines.registry import PIPELINES
from gatesolve.programs.reflection import find_mirror

ROOT = pages.ROOT
BOARDS = tuple(sorted((ROOT / "examples/kakuro").glob("*.txt")))
CONTEST = ROOT / "examples/kakuro/contest.txt"
DEVICE_ROW = ("device", "problem", "pipeline", "depth", "way")
SHOWN = (("Grover", "1"), ("Grover", "2"), ("Grover", "3"), ("QAOA", "2"))
"""Circuits of `hardware`; the file has more."""


RUN = ("outputs", "notebooks")
"""What is no table: the examples of the pages, and the notebooks."""
K7_LEVELS = ("literal", "merged", "minimised", "classical")


def k7() -> str:
    """The contest Kakuro: every encoding at every level of its oracle, where it keeps to it, no presolve."""
    header = ["level", "encoding", "states", "iterations", "success probability", "qubits"]
    header += ["oracle CX", "oracle T", "oracle T measured", "oracle depth", "whole CX"]
    kinds = [kind for kind in codes.encodings() if kind != "permutation"]
    rows = {level: [k7_row(level, kind) for kind in kinds] for level in K7_LEVELS}
    return table(header, [row for level in K7_LEVELS for row in rows[level] if row[0] == level])


def k7_row(level: str, kind: str) -> list[object]:
    """One line of `k7`: the oracle in Clifford+T, the whole circuit in CX and general one-qubit gates."""
    how = {"oracle": "classical"} if level == "classical" else {"level": level}
    result = gatesolve.solve(CONTEST, encoding=kind, presolve="none", **how)
    if result.compiled is None or result.resources is None or result.status != "solved":
        raise SystemExit(f"contest.txt, {level}, {kind}: {result.message}")
    oracle = result.compiled.program.with_lowering(gates="clifford+t").resources("oracle")
    erasing = gatesolve.compile(CONTEST, encoding=kind, presolve="none", gates="clifford+t", measured=True, **how)
    measured = erasing.program.resources("oracle")
    found = [
        result.level,
        kind,
        result.space_size,
        result.iterations,
        result.success_probability,
        result.resources.qubits,
    ]
    return [*found, oracle.cx, oracle.t, measured.t, oracle.depth, result.resources.cx]


def blog() -> str:
    """The second table of `python -m benchmarks blog-2022`, without the columns of one iteration."""
    header, *rows = recorded("blog_2022")[1]
    kept = [k for k, name in enumerate(header) if not name.startswith("iteration ")]
    return table([header[k] for k in kept], [[row[k] for k in kept] for row in rows])


def blog_known() -> str:
    """The first table of `python -m benchmarks blog-2022`."""
    header, *rows = recorded("blog_2022")[0]
    return table(header, rows)


def peers() -> str:
    """Every board of `python -m benchmarks constraint-peers`: ours in both encodings beside the best peer."""
    return table(comparison_rows.SHORT, comparison_rows.short())


def front() -> str:
    """README's table: the largest boards of `python -m benchmarks constraint-peers` in binary beside the best peer."""
    return table(comparison_rows.FRONT, comparison_rows.front())


def comparison() -> str:
    """Every row of `python -m benchmarks constraint-peers`."""
    return table(comparison_rows.LONG, comparison_rows.long())


def families_peers() -> str:
    """Our counts of every case of `python -m benchmarks gate-counts`, and each peer's best as a ratio."""
    header, *rows = recorded("gate_counts")[0]
    return table(header, rows)


def contests() -> str:
    """Every circuit in circuits/ made for a public contest or table, beside the best published score."""
    return table(contest_rows.HEADER, contest_rows.rows())


def mutants() -> str:
    """How many single gates of the contest entries cannot be left out."""
    return table(contest_rows.MUTANTS_HEADER, contest_rows.mutants())


def boards() -> str:
    """Every board: what propagation leaves, and what the circuit takes without it."""
    header = ["board", "cells", "`propagate` leaves", "its states", "its qubits"]
    header += ["`none`: states", "qubits", "oracle CX", "iterations"]
    return table(header, [board_row(path) for path in BOARDS])


def board_row(path: Path) -> list[object]:
    """One line of `boards`."""
    compiled = gatesolve.compile(path, presolve="propagate", level="minimised")
    left = len(compiled.model.variables)
    small = compiled.program.space
    cells = len(as_problem(path).model.variables)
    return [path.stem, cells, f"{left} variables", small.size, compiled.program.num_qubits, *_without_presolve(path)]


def _without_presolve(path: Path) -> list[object]:
    program = gatesolve.compile(path, presolve="none", level="minimised").program
    oracle_cx = program.resources("oracle").cx
    return [_shorten(program.space.size), program.num_qubits, oracle_cx, _shorten(program.iterations)]


def _shorten(number: int) -> int | str:
    """A number that a cell of a table has room for: above a billion as a power of two."""
    return number if number <= 10**9 else f"2^{math.log2(number):.1f}"


def encodings() -> str:
    """One variable of 2 to 9 values in each encoding: width, cost of its preparation, roots of its reflection."""
    kinds = [kind for kind in codes.encodings() if kind not in {"table", "permutation"}]
    header = ["values", *(f"{kind}: {what}" for kind in kinds for what in ("qubits", "CX", "roots"))]
    rows: list[list[object]] = []
    for size in range(2, 10):
        row: list[object] = [size]
        for kind in kinds:
            space = make_spaces(Model((Variable("x", tuple(range(size))),)), kind)[0]
            made = count(lower(space.preparation, space.num_qubits, "cx+u"), "cx+u")
            row += [space.num_qubits, made.cx, len(find_mirror(space, "cx").roots)]
        rows.append(row)
    return table(header, rows)


def hardware() -> str:
    """Circuits on fake devices, ours beside Qiskit's own, as `python -m benchmarks hardware` measured them."""
    rows = {tuple(row[k] for k in DEVICE_ROW): row for row in written("hardware")}
    header = ["board", "circuit", "device", "2q gates: ours", "2q gates: Qiskit", "2q gates: our lowering, Qiskit"]
    header += [f"{share}: {whose}" for share in ("no error", "solutions") for whose in ("ours", "Qiskit")]
    header += ["noise", "right board on top"]
    places = sorted({key[:4] for key in rows if key[2:4] in SHOWN}, key=lambda key: (key[1], key[2], key[3], key[0]))
    return table(header, [_device_row(rows, place) for place in places])


def _device_row(rows: dict[tuple[str, ...], dict[str, str]], place: tuple[str, ...]) -> list[object]:
    ours, qiskit, lowered = (rows[*place, way] for way in ("gatesolve", "Qiskit", "Qiskit, lowered by gatesolve"))
    counted = [row["two_qubit"] or "does not fit" for row in (ours, qiskit, lowered)]
    shares = [row[name] for name in ("estimated", "accepted") for row in (ours, qiskit)]
    short = [f"{float(share):.3f}" if share else None for share in (*shares, ours["chance"])]
    what = f"{place[2]}, {place[3]} {'layers' if place[2] == 'QAOA' else 'iteration' + 's' * (place[3] != '1')}"
    on_top = {"1": "yes", "0": "no"}.get(ours["right"])
    return [place[1], what, place[0], *counted, *short, on_top]


def written(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file in benchmarks/results/."""
    with (ROOT / f"benchmarks/results/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def whole(name: str) -> str:
    """A CSV file in benchmarks/results/ as it is."""
    rows = written(name)
    return table([*rows[0]], [[*row.values()] for row in rows])


def anneal() -> str:
    """Simulated annealing of published Qubos, a line a board of `python -m benchmarks anneal`."""
    lines = []
    for board, rows in groupby((r for r in written("anneal") if r["sampler"] == "sa"), lambda row: row["board"]):
        found = [*rows]
        hits, reads = (sum(int(row[name]) for row in found) for name in ("hits", "reads"))
        answers, seconds = (", ".join(row[name] for row in found) for name in ("to answer", "seconds"))
        sizes = [int(found[0][name]) for name in ("variables", "couplings")]
        lines.append([f"`{board}`", *sizes, f"{hits:,} of {reads:,}", answers, seconds])
    header = ["board", "free variables", "couplings", "reads that hit", "reads to an answer (seeds 0, 1, 2)"]
    return table([*header, "seconds of processor time"], lines)


def estimators() -> str:
    """Both resource estimators of Microsoft's qdk on machines of nanosecond gates."""
    lines = []
    for row in written("estimators"):
        if row["machine"].startswith("qubit_gate_ns"):
            qubits = [int(row["qubits, old"]), int(row["qubits"])]
            seconds = [format_duration(float(row[name])) for name in ("seconds, old", "seconds")]
            lines.append([f"`{row['board']}`", f"`{row['machine']}`", *qubits, *seconds])
    old = "`qdk.estimator`"
    return table(["board", "machine", f"physical qubits, {old}", "here", f"run time, {old}", "here"], lines)


def options() -> str:
    """The options of a search, as `gatesolve.pipelines` declares them."""
    rows = []
    for name, one in FIELDS.items():
        takers = pipelines_of(name)
        of = "all" if len(takers) == len(PIPELINES) else ", ".join(f"`{taker}`" for taker in takers)
        rows.append([*_option_row(name, one, spec(one).help), of, SCOPES[spec(one).scope]])
    return table(["option", "values", "default", "meaning", "pipelines", "commands"], rows)


def job_options() -> str:
    """The options of `submit` that only devices have."""
    rows = [_option_row(name, one, spec(one).help) for name, one in JOB_FIELDS.items()]
    return table(["option of `submit`", "values", "default", "meaning"], rows)


def _option_row(name: str, one: Field[Any], meaning: str) -> list[str]:
    """The flag of an option, its values, its default and its meaning."""
    known, words, kinds = spec(one), choices(one), get_args(one.type) or (one.type,)
    flag = f"`--{name.replace('_', '-')}`"
    if bool in kinds:
        return [flag, "", "off", meaning]
    default = "none" if one.default is None else f"`{one.default}`" if words else str(one.default)
    if words:
        values = ", ".join(f"`{word}`" for word in words)
    elif float in kinds:
        low, high = known.between
        values = "a number" if low == -math.inf else f"above {low:g}" if high == math.inf else f"{low:g} to {high:g}"
    else:
        values = f"from {known.least}" if known.most == math.inf else f"{known.least} to {known.most:,}"
    return [flag, values + (", also written `2^20`" if known.power else ""), default, meaning]


SCOPES = {"search": "all", "sweep": "all but `submit`", "circuit": "all but `submit`", "run": "`solve`"}
"""The commands of `solve`, `compile`, `resources` and `submit` whose outcome depends on an option, by its scope."""
TABLES: dict[str, tuple[Path, Callable[[], str]]] = {
    "front": (ROOT / "README.md", front),
    "k7": (ROOT / "docs/oracles.md", k7),
    "blog-known": (ROOT / "docs/comparison.md", blog_known),
    "blog": (ROOT / "docs/comparison.md", blog),
    "peers": (ROOT / "docs/comparison.md", peers),
    "comparison": (ROOT / "docs/contributors/tables.md", comparison),
    "families-peers": (ROOT / "docs/contributors/tables.md", families_peers),
    "contests": (ROOT / "docs/comparison.md", contests),
    "mutants": (ROOT / "docs/contributors/tables.md", mutants),
    "boards": (ROOT / "docs/contributors/tables.md", boards),
    "encodings": (ROOT / "docs/encodings.md", encodings),
    "hardware": (ROOT / "docs/hardware.md", hardware),
    "fractional": (ROOT / "docs/hardware.md", partial(whole, "fractional")),
    "anneal": (ROOT / "docs/anneal.md", anneal),
    "phase-oracles": (ROOT / "docs/functions.md", partial(whole, "phase_oracles")),
    "cpmpy-suite": (ROOT / "docs/cpmpy.md", partial(whole, "cpmpy_suite")),
    "estimators": (ROOT / "docs/physical.md", estimators),
    "options": (ROOT / "docs/cli.md", options),
    "job-options": (ROOT / "docs/cli.md", job_options),
}


def recorded(name: str) -> list[list[list[str]]]:
    """The tables of one measured section of benchmarks/README.md, each with its header first."""
    text = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    section = text.split(f"<!-- {name}: begin -->")[1].split(f"<!-- {name}: end -->")[0]
    found: list[list[list[str]]] = []
    for part in section.split("\n\n"):
        lines = [line.strip("| ").split(" | ") for line in part.strip().splitlines() if line.startswith("|")]
        if lines:
            found.append([lines[0], *lines[2:]])
    return found


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table, numbers to the right."""
    numeric = [all(_is_number(row[k]) for row in rows) for k in range(len(header))]
    lines = [list(header), ["--:" if right else "---" for right in numeric]]
    lines += [[_cell(cell) for cell in row] for row in rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _cell(cell: object) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.7f}" if cell > 0.9995 else f"{cell:.4f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _is_number(cell: object) -> bool:
    numbers = str(cell).removeprefix("2^").replace(",", "").replace(".", "").split(" / ")
    return cell is None or isinstance(cell, int | float) or all(number.isdigit() for number in numbers)


def main() -> int:
    """Rewrite, or compare and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*TABLES, *RUN], help="these tables, or what is run")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something differs")
    chosen = parser.parse_args()
    wanted = chosen.only or [*TABLES, "outputs"]
    stale = []
    for page in pages.PAGES:
        before = after = page.read_text(encoding="utf-8")
        for name in (n for n in wanted if n not in RUN and TABLES[n][0] == page):
            after = pages.with_section(after, name, TABLES[name][1]())
        if "outputs" in wanted:
            after = pages.fresh(after)
        if after != before:
            stale.append(page.relative_to(ROOT))
            if not chosen.check:
                page.write_text(after, encoding="utf-8")
    for path in notebook_pages.NOTEBOOKS if "notebooks" in wanted else ():
        kept = notebook_pages.read(path)
        found = notebook_pages.fresh(kept)
        if notebook_pages.shown(found) != notebook_pages.shown(kept):
            stale.append(path.relative_to(ROOT))
            if not chosen.check:
                notebook_pages.write(found, path)
    for name in stale:
        sys.stdout.write(f"{name}: {'differs' if chosen.check else 'written'}\n")
    return 1 if chosen.check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""The models of CPMpy's own examples: compiled at the level literal, and solved where they fit.

    python -m benchmarks cpmpy-models --cpmpy CHECKOUT              # all 45
    python -m benchmarks cpmpy-models --cpmpy CHECKOUT golomb tsp   # those whose name has one of these words

CHECKOUT is a checkout of https://github.com/CPMpy/cpmpy at v1.0.0. Each example runs as a script in a process of its
own until it first asks for a solution; the model that it has built by then is read by from_cpmpy, compiled
(``--presolve none``, ``--encoding binary`` unless told) and, up to 2^24 states after presolve, solved. An answer counts
only if OR-Tools agrees: with the same optimum, or that there is none.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import resource
import runpy
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock, patch

import cpmpy as cp
from cpmpy.transformations.normalize import toplevel_list

import gatesolve.errors
import gatesolve.formats
from benchmarks.core.processes import call_alone
from benchmarks.core.suite import make_parser
from benchmarks.suites.cpmpy_compare import core_of, shorten

WHERE = "give --cpmpy a checkout: git clone --branch v1.0.0 --depth 1 https://github.com/CPMpy/cpmpy"

MEMORY = 10 << 30
"""Bytes that one example may take."""
ONLY_FOR_SHOW = ("requests", "geopandas", "plotly", "faker", "natsort")
"""Packages by which examples draw or download: what they give is never looked at."""


@dataclass(frozen=True)
class Example:
    """A file below ``examples/`` and the arguments it is started with."""

    file: str
    arguments: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's name without its folder and ending."""
        return Path(self.file).stem


CSPLIB = """
    001_car_sequence; 002_template_design; 005_auto_correlation -length 7; 006_golomb -size 4;
    007_all_interval -length 5; 008_vessel_loading; 009_perfect_squares; 010_social_golfers; 011_basketball_schedule;
    012_nonogram; 013_progressive_party; 015_shur_lemma -balls 6; 019_magic_sequence -length 4; 024_langford -k 3;
    026_sport_scheduling; 028_bibd; 033_word_design; 044_steiner; 049_number_partitioning -n 8; 050_diamond_free;
    053_gracefull_graphs; 054_n_queens -n 5; 076_costas_arrays -size 4; 084_hadamard_matrix
"""
OTHERS = """
    bibd.py blocks_world.py bus_schedule.py flexible_jobshop.py frietkot.py jobshop.py knapsack.py
    map_coloring_oz.ipynb minesweeper.py npuzzle.py nqueens.py nurserostering.py pareto_optimal.py rcpsp.py
    send_more_money.py sudoku.py tsp.py vrp.py who_killed_agatha.py wolf_goat_cabbage.py zebra.py
"""
EXAMPLES = (
    *(Example(f"csplib/prob{name}.py", tuple(words)) for name, *words in map(str.split, CSPLIB.split(";"))),
    *map(Example, OTHERS.split()),
)


class Captured(BaseException):
    """The example asked for a solution; nothing it catches itself stops this."""

    def __init__(self, model: Any) -> None:
        super().__init__("a model was captured")
        self.model = model


def capture(example: Example, checkout: Path) -> Any:
    """The ``cpmpy.Model`` that an example has built when it first asks for a solution."""

    def stop(model: Any, *_: Any, **__: Any) -> None:
        raise Captured(model)

    path = checkout.resolve() / "examples" / example.file
    missing = [name for name in ONLY_FOR_SHOW if importlib.util.find_spec(name) is None]
    with (
        patch.multiple(cp.Model, solve=stop, solveAll=stop),
        patch.dict(sys.modules, {name: MagicMock() for name in missing}),
        patch.object(sys, "argv", [str(path), *example.arguments]),
        patch.object(sys, "path", [str(path.parent), *sys.path]),
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        open(os.devnull, "w") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        try:
            start_example(example.name, path)
        except Captured as found:
            return found.model
    raise RuntimeError(f"{example.file} never asked for a solution")


def start_example(name: str, path: Path) -> None:
    """Run a script or a notebook as its author would; of two only the functions, see `BUILDERS`."""
    if name in BUILDERS:
        BUILDERS[name](runpy.run_path(str(path), run_name="example"), path).solve()
    elif path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
        lines = [line for cell in cells for line in [*cell["source"], "\n"] if not line.startswith(("!", "%"))]
        exec("".join(lines), {"__name__": "__main__"})
    else:
        runpy.run_path(str(path), run_name="__main__")


def build_nonogram(functions: dict[str, Any], path: Path) -> Any:
    """The example's board and automata; it hands them to OR-Tools past CPMpy, here each is a ``Regular``."""
    data = next(one for one in json.loads(path.with_suffix(".json").read_text()) if one["name"] == "turing")
    rules = [*data["row_rules"], *data["col_rules"]]
    board = cp.boolvar(shape=(len(data["row_rules"]), len(data["col_rules"])), name="board")
    model = cp.Model()
    for line, rule in zip([*board, *board.T], rules, strict=True):
        edges, finals = functions["transition_function"](rule)
        known = {state for edge in edges for state in (edge[0], edge[2])}
        model += cp.Regular(line, edges, 0, [state for state in finals if state in known])
    return model


def build_roster(functions: dict[str, Any], _: Path) -> Any:
    """The example's model of a week of our own: it downloads its data."""
    return functions["nurserostering_model"](**make_roster())[0]


BUILDERS: Mapping[str, Callable[[dict[str, Any], Path], Any]] = {
    "prob012_nonogram": build_nonogram,
    "nurserostering": build_roster,
}


def make_roster() -> dict[str, Any]:
    """A week of two nurses and two shifts."""
    import pandas as pd

    nurse = {"MaxTotalMinutes": 2400, "MinTotalMinutes": 960, "MaxConsecutiveShifts": 3, "MinConsecutiveShifts": 1}
    nurse |= {"MinConsecutiveDaysOff": 1, "MaxWeekends": 1, "max_shifts_D": 4, "max_shifts_N": 3}
    cover = {"ShiftID": "D", "Requirement": 1, "Weight for under": 5, "Weight for over": 1}
    return {
        "horizon": 7,
        "shifts": pd.DataFrame({"Length": [480, 480], "cannot follow": [[], ["D"]]}, index=["D", "N"]),
        "staff": pd.DataFrame([{"ID": "A", **nurse}, {"ID": "B", **nurse}]),
        "days_off": pd.DataFrame([{"EmployeeID": "A", "DayIndex": 0}]),
        "shift_on": pd.DataFrame([{"EmployeeID": "A", "Day": 2, "ShiftID": "D", "Weight": 2}]),
        "shift_off": pd.DataFrame([{"EmployeeID": "B", "Day": 4, "ShiftID": "N", "Weight": 3}]),
        "cover": pd.DataFrame([{"Day": day, **cover} for day in range(7)]),
    }


def measure(example: Example, cpmpy: Path, presolve: str, encoding: str, say: Callable[[dict[str, Any]], None]) -> None:
    """All stages of one example; what each found out is said at once, so that a late stage may be stopped."""
    source = capture(example, cpmpy)
    has_objective = source.objective_ is not None
    say({"stage": "captured", "constraints": len(source.constraints), "objective": has_objective})
    try:
        model = gatesolve.formats.from_cpmpy(source)
    except gatesolve.errors.UnsupportedError:
        say({"refused": dict(list_refused(source).most_common(12))})
        raise
    kinds = Counter(type(one).__name__ for one in model.constraints)
    bits = round(math.log2(model.num_assignments), 1)
    say({"stage": "read", "variables": len(model.variables), "bits": bits, "kinds": dict(kinds)})
    start = time.perf_counter()
    try:
        compiled = gatesolve.compile(source, presolve=presolve, encoding=encoding, level="literal")
    except gatesolve.errors.InfeasibleError as error:
        agrees = not source.solve(solver="ortools", time_limit=20, num_workers=1)
        verdict = "solved: none exists" if agrees else "WRONG: OR-Tools has a solution"
        say({"stage": "compiled", "level": "no answer", "verdict": verdict, "why": str(error)})
        return
    took = round(time.perf_counter() - start, 1)
    oracle = compiled.program.resources("oracle")
    say({"stage": "compiled", "level": compiled.level, "qubits": oracle.qubits, "cx": oracle.cx, "took": took})
    result = gatesolve.solve(source, pipeline="gas" if has_objective else "grover")
    say({"stage": "searched", "status": result.status, "verdict": compare_answer(source, result)})


def list_refused(source: Any) -> Counter[str]:
    """Every constraint, and the objective, that is refused by itself, by core and form: the error names only one."""
    found: Counter[str] = Counter()
    for one in toplevel_list(source.constraints):
        try:
            gatesolve.formats.from_cpmpy(cp.Model(one))
        except gatesolve.errors.GatesolveError:
            core, form = core_of(one)
            found[core if form == "_" else f"{core} in {form}"] += 1
    if source.objective_ is not None:
        try:
            gatesolve.formats.from_cpmpy(cp.Model(maximize=source.objective_))
        except gatesolve.errors.GatesolveError:
            found[f"objective {core_of(source.objective_)[0]}"] += 1
    return found


def compare_answer(source: Any, result: Any) -> str:
    """``solved`` if OR-Tools agrees."""
    can = source.solve(solver="ortools", time_limit=20, num_workers=1)
    if result.status == "infeasible":
        return "WRONG: OR-Tools has a solution" if can else "solved: none exists"
    if result.status != "solved":
        return f"not solved: {result.message}"
    if not can:
        return "WRONG: OR-Tools has none"
    if source.objective_ is None or result.energy == source.objective_value():
        return "solved"
    return f"not the optimum: {result.energy}, OR-Tools {source.objective_value()}"


def run_example(example: Example, options: argparse.Namespace) -> dict[str, Any]:
    """One example in a process of its own, every stage in its time; what the stages said, together."""
    given = (example.name, str(options.cpmpy), options.presolve, options.encoding)
    with tempfile.NamedTemporaryFile("r") as said:
        row: dict[str, Any] = {"name": example.name, "stage": "started"}
        why = {}
        try:
            call_alone(run_alone, said.name, *given, seconds=options.seconds)
        except subprocess.TimeoutExpired:
            why = {"why": "too slow after '{stage}': " + f"{options.seconds} s"}
        except ImportError as error:
            why = {"why": str(error)[:200]}
        for line in said.read().splitlines():
            row |= json.loads(line)
    return {"why": why["why"].format_map(row)} | row if why else row


def print_row(row: dict[str, Any]) -> None:
    numbers = [row.get(key, "-") for key in ("variables", "bits", "qubits", "cx", "took")]
    is_compiled, verdict = "yes" if "level" in row else "no", str(row.get("verdict", "-"))
    shown = " ".join(f"{number!s:>8}" for number in numbers)
    kind = "objective" if row.get("objective") else ""
    print(f"{row['name']:28} {kind:9} {shown} {row.get('level', '-')!s:10} {is_compiled:8} {verdict:20}", end=" ")
    print(str(row.get("why", ""))[:230], flush=True)


def main(arguments: Sequence[str]) -> int:
    """A line a model; 1 if fewer compile than are aimed at, or an answer is wrong."""
    parser = make_parser(__doc__)
    parser.add_argument("words", nargs="*", help="only examples whose name has one of these")
    parser.add_argument("--cpmpy", type=Path, help="a checkout of CPMpy/cpmpy at v1.0.0")
    parser.add_argument("--presolve", default="none")
    parser.add_argument("--encoding", default="binary")
    parser.add_argument("--seconds", type=int, default=90, help="for one example, all stages")
    parser.add_argument("--aim", type=int, default=36, help="how many of all should compile")
    parser.add_argument("--out", type=Path, help="a file with a JSON line an example")
    options = parser.parse_args(arguments)
    if options.cpmpy is None or not (options.cpmpy / "examples" / "csplib").is_dir():
        sys.exit(WHERE)
    options.cpmpy = options.cpmpy.resolve()
    chosen = [one for one in EXAMPLES if not options.words or any(word in one.name for word in options.words)]
    heads = " ".join(f"{head:>8}" for head in ("vars", "log2", "qubits", "CX", "seconds"))
    print(f"{'example':28} {'':9} {heads} {'level':10} {'compiled':8} {'solved':20} why not")
    rows = []
    for example in chosen:
        rows.append(run_example(example, options))
        print_row(rows[-1])
    return summarise(rows, options)


def run_alone(out: str, name: str, cpmpy: str, presolve: str, encoding: str) -> None:
    """In the process of one example: a JSON line a stage into a file, and why it ended if it was refused."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    example = next(one for one in EXAMPLES if one.name == name)
    with open(out, "w") as own:

        def say(row: dict[str, Any]) -> None:
            print(json.dumps(row), file=own, flush=True)

        try:
            measure(example, Path(cpmpy), presolve, encoding, say)
        except gatesolve.errors.GatesolveError as error:
            say({"why": f"{type(error).__name__}: {error}"})
        except Exception as error:
            say({"why": f"CRASHED {type(error).__name__}: {error}".splitlines()[0]})


def summarise(rows: list[dict[str, Any]], options: argparse.Namespace) -> int:
    """What all rows come to; 1 if that is less than is aimed at."""
    compiled = [row for row in rows if "level" in row]
    solved = [row for row in rows if str(row.get("verdict")).startswith("solved")]
    wrong = [row for row in rows if str(row.get("verdict")).startswith("WRONG")]
    print(f"\n{len(compiled)} of {len(rows)} compiled, {len(solved)} solved, {len(wrong)} wrong")
    reasons = Counter(f"{row['stage']}: {shorten(str(row['why']))[:160]}" for row in rows if "why" in row)
    print("\nwhy not further, after which stage:")
    for reason, count in reasons.most_common():
        print(f"{count:4}  {reason}")
    kinds: Counter[str] = Counter()
    for row in rows:
        kinds.update(row.get("refused", {}).keys())
    if kinds:
        print("\nkinds of constraints refused, in how many models:")
    for kind, count in kinds.most_common():
        print(f"{count:4}  {kind}   ({', '.join(row['name'] for row in rows if kind in row.get('refused', {}))})"[:200])
    if options.out:
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return int(bool(wrong) or (not options.words and len(compiled) < options.aim))

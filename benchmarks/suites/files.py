"""Files of other solvers: read, solved, and compared with SCIP's own reading of the same file, or with all assignments.

    python -m benchmarks files FOLDER ...      # the files in folders
    python -m benchmarks files                 # 50 CNF and 30 OPB files made from seeds

A file is right where neither finds a solution, or where both do, the best objectives are the same, and the other
takes our solution too: what it reads is solved again with our values fixed. SCIP reads CNF, LP
and MPS (``pip install ".[peers]"``); XCSP3, WCNF and OPB are read by CPMpy and solved by OR-Tools; SCIP is asked for
the OPB files that CPMpy's reader cannot read. FlatZinc is read by MiniZinc and solved by Gecode (Debian's packages
``minizinc`` and ``flatzinc``), with Choco's names explained in ``flatzinc_peers.mzn``; by SCIP where SCIP wrote it.
Graphs and matrices as sparse text are tried on all assignments. What is refused is listed with its reason.
"""

from __future__ import annotations

import collections
import io
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np

import gatesolve
from benchmarks.core.places import ROOT
from benchmarks.core.processes import TooSlow, time_limit
from benchmarks.core.suite import make_parser
from gatesolve.errors import DoesNotFitError, GatesolveError
from gatesolve.files import suffix_of

sys.path.insert(0, str(ROOT / "tests"))
from foreign_files import bits, random_opb, uniform_cnf

SCIP = {".cnf", ".lp", ".mps"}
CPMPY = {".xml": "xcsp3", ".wcnf": "wcnf", ".opb": "opb"}
SPARSE = {".mc", ".sparse", ".bqp"}
Best = float | bool
"""The best objective; without one, whether there is a solution."""
Values = Mapping[str, int]
"""What variables are fixed to, by the names in the file."""


def ours(path: Path) -> tuple[Best, Values]:
    """And the solution."""
    result = gatesolve.solve(path, progress=False)
    if result.status == "infeasible":
        return False, {}
    if result.solution is None:
        raise GatesolveError("no solution was found, and none ruled out")
    assert not result.problem.complaints(result.solution)
    energy = result.problem.energy(result.solution)
    return True if energy is None else float(energy), result.solution


def by_scip(path: Path, fixed: Values) -> Best:
    from pyscipopt import Model

    model = Model()
    model.hideOutput()
    model.setParam("limits/time", 60)
    with tempfile.NamedTemporaryFile("w", suffix=path.suffix) as file:
        # SCIP's reader of CNF knows no line '%' either
        file.write(path.read_text().partition("\n%")[0] + "\n" if path.suffix == ".cnf" else path.read_text())
        file.flush()
        model.readProblem(file.name)
    for variable in model.getVars():
        if variable.name in fixed:
            model.chgVarLb(variable, fixed[variable.name])
            model.chgVarUb(variable, fixed[variable.name])
    model.optimize()
    if model.getStatus() not in {"optimal", "infeasible", "gaplimit"}:
        raise TimeoutError(f"SCIP: {model.getStatus()}")
    if model.getStatus() == "infeasible":
        return False
    # an objective that is 0 everywhere may be none
    return model.getObjVal() if list(model.getObjective().terms) else True


def by_cpmpy(path: Path, fixed: Values) -> Best:
    from cpmpy.tools.io import load
    from cpmpy.transformations.get_variables import get_variables_model

    text = path.read_text()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are other variables
        model = load(io.StringIO(text.replace("\nmax:", "\nmin:")), CPMPY[path.suffix])
    if "\nmax:" in text:  # CPMpy's reader knows no such thing
        model.maximize(model.objective_)
    model += [one == fixed[one.name] for one in get_variables_model(model) if one.name in fixed]
    found = model.solve(solver="ortools", time_limit=60)
    return bool(found) if model.objective_ is None or not found else float(model.objective_value())


def printed_entries(text: str) -> dict[str, str]:
    """By its place in an array that is printed, as ``q[2]``, what stands there."""
    found: dict[str, str] = {}
    for name, said, entries in re.findall(
        r"\barray\b[^:;]*:\s*(\w+)[^;=]*output_array\((.*?)\)[^;=]*=\s*\[(.*?)\]", text
    ):
        spans = [range(int(low), int(high) + 1) for low, high in re.findall(r"(-?\d+)\.\.(-?\d+)", said)]
        places = (",".join(map(str, place)) for place in product(*spans))
        found |= {f"{name}[{place}]": entry.strip() for place, entry in zip(places, entries.split(","), strict=False)}
    return found


def by_minizinc(path: Path, fixed: Values) -> Best:
    """FlatZinc is MiniZinc but for the predicates of other solvers."""
    text = path.read_text()
    if "int_float_lin" in text:
        return by_scip(path, fixed)
    named, truths = printed_entries(text), set(re.findall(r"\bvar\s+bool\s*:\s*(\w+)", text))
    for shown, value in fixed.items():
        name = named.get(shown, shown)
        text += f"\nconstraint {name} = {str(bool(value)).lower() if name in truths else value};"
    goal = re.search(r"\b(?:minimize|maximize)\s+(\w+)", text)
    text = re.sub(r"^predicate[^;]*;", "", text, flags=re.MULTILINE)
    text += f'\noutput ["goal ", show({goal[1] if goal else 0}), "\\n"];\n'
    with tempfile.NamedTemporaryFile("w", suffix=".mzn") as file:
        file.write(f'include "{ROOT / "benchmarks" / "peers" / "flatzinc.mzn"}";\n{text}')
        file.flush()
        # in the Debian package the library that the solver names does not fit MiniZinc
        command = ["minizinc", "--solver", "gecode", "-G", "gecode_presolver", "--time-limit", "60000", file.name]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    if "=UNSATISFIABLE=" in run.stdout:
        return False
    found = re.findall(r"^goal (-?\d+)", run.stdout, re.MULTILINE)
    if not found or (goal and "==========" not in run.stdout):
        raise TimeoutError(f"MiniZinc: {(run.stderr.strip() or run.stdout.strip() or 'nothing')[-200:]}")
    return float(found[-1]) if goal else True


def by_all_assignments(path: Path, fixed: Values) -> Best:
    rows = [line.split() for line in path.read_text().split("\n") if line.strip() and not line.startswith("#")]
    rows = rows[1:] if len(rows[0]) == 1 else rows
    columns = bits(int(rows[0][0])).astype(float)
    total = np.zeros(columns.shape[1])
    for i, j, weight in rows[1:]:
        left, right = columns[int(i) - 1], columns[int(j) - 1]
        part = (left != right) if path.suffix == ".mc" else left * right * (1 if i == j else 2)
        total += float(weight) * part
    return float(total.min() if path.suffix == ".sparse" else total.max())


def agree(mine: Best, theirs: Best) -> bool:
    if isinstance(mine, bool) or isinstance(theirs, bool):
        return (mine is not False) == (theirs is not False)
    return abs(mine - theirs) <= 1e-6 * max(1, abs(theirs))


def reference(suffix: str) -> Callable[[Path, Values], Best]:
    if suffix == ".fzn":
        return by_minizinc
    return by_scip if suffix in SCIP else by_cpmpy if suffix in CPMPY else by_all_assignments


def verdict(path: Path, seconds: int) -> tuple[str, str]:
    """In a word, and the reason."""
    suffix = suffix_of(path)
    try:
        with time_limit(seconds, processor=True):
            mine, solution = ours(path)
    except DoesNotFitError as error:
        return "too large", str(error)
    except TooSlow as error:
        return "too slow", str(error)
    except GatesolveError as error:
        return "refused", str(error)
    ask = reference(suffix)
    try:
        try:
            theirs = ask(path, {})
        except Exception:
            if suffix != ".opb" or "\nmax:" in path.read_text():
                raise
            ask = by_scip  # which misreads some products, so it comes second
            theirs = ask(path, {})
        again = ask(path, solution)
    except Exception as error:  # a peer fails in ways of its own
        return "unchecked", f"{type(error).__name__}: {error}"
    if not agree(mine, theirs):
        return "WRONG", f"{path}: {mine}, not {theirs}"
    return ("right", "") if agree(mine, again) else ("WRONG", f"{path}: the other does not take {solution}")


def make(folder: Path) -> None:
    for seed in range(50):
        (folder / f"uf20-seed{seed}.cnf").write_text(uniform_cnf(seed)[0])
    for seed in range(30):
        (folder / f"random-seed{seed}.opb").write_text(random_opb(seed, 10)[0])


def main(arguments: Sequence[str]) -> None:
    parser = make_parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--seconds", type=int, default=60, help="of processor time, most for one file [60]")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as made:
        if not asked.folders:
            make(Path(made))
        report(asked.folders or [Path(made)], asked.seconds)


def report(folders: list[Path], seconds: int) -> None:
    known = SCIP | SPARSE | CPMPY.keys() | {".fzn"}
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    reasons: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for path in sorted(path for folder in folders for path in folder.iterdir() if suffix_of(path) in known):
        word, reason = verdict(path, seconds)
        counts[suffix_of(path)][word] += 1
        if reason:
            reasons[suffix_of(path)][f"{word}: {reason if word == 'WRONG' else plain(reason, path)}"] += 1
    words = ("right", "WRONG", "too large", "too slow", "refused", "unchecked")
    print("format", "files", *words, sep="\t")
    for suffix, found in counts.items():
        print(suffix, found.total(), *(found[word] for word in words), sep="\t")
        for reason, times in reasons[suffix].most_common():
            print(f"    {times} x {reason}")


def plain(reason: str, path: Path) -> str:
    """A reason without what differs from file to file."""
    return re.sub(r"variable \S+|\d+", "...", reason.replace(str(path), "FILE"))[:160]

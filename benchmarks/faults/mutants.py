"""How many small faults in core modules the tests let through.

One fault each is put on sampled lines , in a copy of the source tree, and the tests that mirror the
module are run: first those named after it, then those that import it. What they let through may be tried on the whole
suite.

    python -m benchmarks mutants                     # 60 lines of the core modules, the mirror tests alone
    python -m benchmarks mutants --whole             # the survivors on the whole suite, then on its slow tier
    python -m benchmarks mutants --modules gatesolve.model.constraints --sample 5 --seed 2
"""

from __future__ import annotations

import ast
import os
import queue
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from benchmarks.core.places import ROOT
from benchmarks.core.suite import make_parser

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutation:
    """One fault: the characters from ``start`` to ``end`` of a source are replaced.

    Attributes:
        line: the line the fault is on, counted from one.
        start: where the replaced text starts in the source.
        end: where it ends.
        before: the text that was there.
        after: the text that is there now.
    """

    line: int
    start: int
    end: int
    before: str
    after: str

    def apply(self, source: str) -> str:
        """The source with the fault in it."""
        return source[: self.start] + self.after + source[self.end :]


def find_mutations(source: str) -> tuple[Mutation, ...]:
    """Every fault that can be put into a source, in the order of its lines.

    Passed over are imports, annotations, decorators, docstrings, f-strings and what an error says.
    """
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    lines = source.splitlines()

    def offset(line: int, column: int) -> int:
        """The place of a column, which the syntax tree counts in bytes."""
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    found = []
    for node, after in _walk(ast.parse(source)):
        start = offset(node.lineno, node.col_offset)
        end = offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        found.append(Mutation(node.lineno, start, end, source[start:end], after))
    return tuple(sorted(set(found), key=lambda m: (m.line, m.start, m.end, m.after)))


def sample_mutations(sources: Sequence[str], count: int, seed: int) -> tuple[tuple[int, Mutation], ...]:
    """One fault each on ``count`` lines, shared out evenly among the sources; (source number, fault) in order."""
    rng = random.Random(seed)
    waiting = []
    for source in sources:
        by_line: dict[int, list[Mutation]] = {}
        for mutation in find_mutations(source):
            by_line.setdefault(mutation.line, []).append(mutation)
        lines = list(by_line.values())
        rng.shuffle(lines)
        waiting.append([rng.choice(choices) for choices in lines])
    taken: list[tuple[int, Mutation]] = []
    while len(taken) < count and any(waiting):
        taken += [(number, left.pop()) for number, left in enumerate(waiting) if left]
    return tuple(sorted(taken[:count], key=lambda item: (item[0], item[1].line)))


def _walk(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Every node below that can be changed, with the text it is changed to."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return
    if isinstance(node, ast.Raise):
        yield node, "pass"
        return
    if isinstance(node, ast.stmt):
        yield from _of_statement(node)
    if isinstance(node, ast.expr):
        yield from ((node, f"({ast.unparse(changed)})") for changed in _of_expression(node))
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(
        node.test, ast.Compare | ast.BoolOp | ast.UnaryOp
    ):
        yield node.test, f"(not {ast.unparse(node.test)})"
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def _of_statement(node: ast.stmt) -> Iterator[tuple[ast.stmt, str]]:
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield node, "return None"
    elif isinstance(node, ast.AugAssign | ast.Continue | ast.Break) or _acts_in_place(node):
        yield node, "pass"


def _acts_in_place(node: ast.stmt) -> bool:
    """Whether a statement is a call, a yield, or writes into an object, so that no later line needs a name from it."""
    if isinstance(node, ast.Assign):
        return not isinstance(node.targets[0], ast.Name | ast.Tuple)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)


def _of_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, [operator], [right]):
            yield ast.Compare(left, [_COMPARISONS[type(operator)]()], [right])
        case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
            yield ast.BinOp(left, _ARITHMETIC[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)


CORE = (
    "gatesolve.model.constraints",
    "gatesolve.formats.from_cpmpy",
    "gatesolve.model.presolve.propagate",
    "gatesolve.encodings.prepare",
    "gatesolve.encodings.space",
    "gatesolve.oracle.synthesise",
    "gatesolve.oracle.assemble",
    "gatesolve.simulate.certificate",
    "gatesolve.circuit.lowering.rules.mcz",
    "gatesolve.simulate.space",
    "gatesolve.qubo.penalties",
    "gatesolve.circuit.counting",
)
MOST_BYTES = 16 * 2**30
"""What a test process may allocate: some faults never stop asking for memory."""
PATIENCE = 60.0, 6.0
"""A run is stopped, and its fault counted as found, after so many seconds and so many times the run without a fault."""
TIERS = ((), ("-m", "slow"))
"""Arguments for the whole suite, and for its slow tier."""


@dataclass(frozen=True)
class Trial:
    """A fault, the file it is put in, and the test that found it (None: no test did)."""

    path: str
    mutation: Mutation
    killer: str | None = None

    def row(self) -> str:
        """The trial as a line of the table."""
        before, after = (" ".join(text.split()) for text in (self.mutation.before, self.mutation.after))
        verdict = f"killed by {self.killer}" if self.killer else "survived"
        return f"{self.path}:{self.mutation.line}  {before[:60]}  ->  {after[:60]}  {verdict}"


def find_mirror_tests(root: Path, module: str) -> list[str]:
    """The test files of a module: named after it, importing it, of its room and using its names, or others that do."""
    room, stem = module.split(".")[1:-1], module.split(".")[-1]
    folder = root.joinpath("tests", *room)
    while not folder.is_dir():
        folder = folder.parent
    names = _exported_names(root, module)
    by_name, by_import, by_room, elsewhere = [], [], [], []
    for path in sorted((root / "tests").rglob("test_*.py")):
        imported = _imported_names(path)
        if path.stem.startswith(f"test_{stem}") and path.parent == folder:
            by_name.append(str(path.relative_to(root)))
        elif any(name == module or name.startswith(f"{module}.") for name in imported):
            by_import.append(str(path.relative_to(root)))
        elif names & imported:
            (by_room if path.is_relative_to(folder) else elsewhere).append(str(path.relative_to(root)))
    return by_name + by_import + by_room or elsewhere


def run_mirror_tests(root: Path, trials: Sequence[Trial], jobs: int) -> Iterator[Trial]:
    """Each fault against the mirror tests of its module, in ``jobs`` copies of the tree.

    Raises:
        SystemExit: a module has no tests, or they fail without a fault.
    """
    with ExitStack() as stack:
        copies: queue.Queue[Path] = queue.Queue()
        for _ in range(jobs):
            copies.put(_copy_tree(root, Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mutants-")))))
        pool = stack.enter_context(ThreadPoolExecutor(jobs))

        def time_module(path: str) -> float:
            copy = copies.get()
            try:
                return _time_without_fault(copy, path)
            finally:
                copies.put(copy)

        def attempt(trial: Trial) -> Trial:
            copy = copies.get()
            try:
                tests = find_mirror_tests(copy, _module_of(trial.path))
                return _try_fault(copy, trial, ("-n", "0", *tests), seconds[trial.path])
            finally:
                copies.put(copy)

        paths = sorted({trial.path for trial in trials})
        seconds = dict(zip(paths, pool.map(time_module, paths), strict=True))
        yield from pool.map(attempt, trials)


def run_whole_suite(root: Path, survivors: Sequence[Trial], patience: float = 3600.0) -> Iterator[Trial]:
    """Each survivor against the whole suite, and then against its slow tier, for so many seconds each."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = _copy_tree(root, Path(folder))
        for trial in survivors:
            for tier in TIERS:
                trial = _try_fault(copy, trial, tier, patience)
                if trial.killer:
                    break
            yield trial


def _module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _path_of(root: Path, module: str) -> str:
    path = module.replace(".", "/")
    for name in (f"{path}.py", f"{path}/__init__.py"):
        if (root / name).is_file():
            return name
    raise SystemExit(f"mutants: no module {module}: name one of {root} with --modules")


def _copy_tree(root: Path, folder: Path) -> Path:
    """The tree without what is hidden or built, made in ``folder``."""
    return shutil.copytree(
        root, folder / "tree", ignore=shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build")
    )


@cache
def _imported_names(path: Path) -> set[str]:
    """What a file imports, by its full dotted name."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_PUBLIC":  # a room's names, loaded late
            names |= {f"{where}.{name}" for where, own in ast.literal_eval(node.value).items() for name in own}
    return names


def _exported_names(root: Path, module: str) -> set[str]:
    """The names of a module as the packages above it offer them."""
    names = set()
    package = module.rpartition(".")[0]
    while "." in package:
        imported = _imported_names(root / package.replace(".", "/") / "__init__.py")
        own = {name for name in imported if name.startswith(f"{module}.")}
        names |= {f"{package}.{name.rpartition('.')[2]}" for name in own}
        package = package.rpartition(".")[0]
    return names


def _time_without_fault(copy: Path, path: str) -> float:
    """Seconds of the mirror tests of a file."""
    tests = find_mirror_tests(copy, _module_of(path))
    if not tests:
        raise SystemExit(f"mutants: no test is named after {_module_of(path)} or imports it")
    start = time.monotonic()
    killer = _find_failure(copy, ("-n", "0", *tests), 3600.0, {})
    if killer:
        raise SystemExit(f"mutants: without any fault the tests of {_module_of(path)} fail: {killer}")
    return PATIENCE[0] + PATIENCE[1] * (time.monotonic() - start)


def _try_fault(copy: Path, trial: Trial, arguments: Sequence[str], patience: float) -> Trial:
    """The trial with what found its fault; the copy is as before afterwards."""
    file = copy / trial.path
    source = file.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="numba-") as kernels:
        # a kernel that numba kept is not compiled anew where only what it calls has changed
        extra = {"PYTHONDONTWRITEBYTECODE": "1"} | ({"NUMBA_CACHE_DIR": kernels} if "numba" in source else {})
        try:
            file.write_text(trial.mutation.apply(source), encoding="utf-8")
            return replace(trial, killer=_find_failure(copy, arguments, patience, extra))
        finally:
            file.write_text(source, encoding="utf-8")


def _find_failure(copy: Path, arguments: Sequence[str], patience: float, extra: dict[str, str]) -> str | None:
    """The first test that fails in a copy, or what else ended the run; None where all passed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *arguments]
    process = subprocess.Popen(
        command,
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), **extra},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "the clock"
    if process.returncode == 0:
        return None
    failed = [line.split(" - ")[0] for line in printed.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if not failed and process.returncode in (4, 5):
        raise SystemExit(f"mutants: pytest ran no test:\n{printed}")
    return failed[0].split(" ", 1)[1] if failed else f"exit status {process.returncode}"


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Runs the campaign and prints its table; returns the number of survivors."""
    parser = make_parser(__doc__)
    parser.add_argument("--modules", nargs="+", default=CORE, metavar="MODULE", help="dotted names")
    parser.add_argument("--sample", type=int, default=60, help="lines in all (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="which lines and which faults (default 1)")
    parser.add_argument("--jobs", type=int, default=2, help="runs at once (default 2)")
    parser.add_argument("--whole", action="store_true", help="survivors also against the whole suite")
    given = parser.parse_args(arguments)
    paths = [_path_of(root, module) for module in given.modules]
    sources = [(root / path).read_text(encoding="utf-8") for path in paths]
    drawn = [Trial(paths[number], fault) for number, fault in sample_mutations(sources, given.sample, given.seed)]
    if root is ROOT:  # no test of this campaign, so the limit is on its own process and what it starts
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    trials = []
    for trial in run_mirror_tests(root, drawn, given.jobs):
        trials.append(trial)
        print(trial.row(), flush=True)
    survivors = [trial for trial in trials if not trial.killer]
    if given.whole and survivors:
        print("\nThe survivors on the whole suite:")
        for number, trial in enumerate(run_whole_suite(root, survivors)):
            survivors[number] = trial
            print(trial.row(), flush=True)
        survivors = [trial for trial in survivors if not trial.killer]
    print(
        f"\n{len(survivors)} of {len(trials)} survived ({len(survivors) / max(1, len(trials)):.0%}), seed {given.seed}"
    )
    return len(survivors)

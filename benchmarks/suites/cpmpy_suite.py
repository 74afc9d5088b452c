"""CPMpy's own tests with gatesolve as their solver: passed, excluded, failed.

    python -m benchmarks cpmpy-suite                       # fetches the sources of the CPMpy installed, with pip
    python -m benchmarks cpmpy-suite --cpmpy CHECKOUT      # a checkout or an unpacked source distribution
    python -m benchmarks cpmpy-suite --share 0.02 --seed 1 # of the generated expressions so many
    python -m benchmarks cpmpy-suite -- -k solveAll -n 2   # what follows is for pytest
    python -m benchmarks cpmpy-suite --share 0.03 --seed 1 --write  # into cpmpy_suite.csv, which docs/cpmpy.md shows

The tests that ask for a solver are run as they are, but for ``test_constraints.py``: its domains are made smaller
(``make_smaller``), and up to 100 solutions are checked (its own ``ALL_SOLS``), not one. What is left out is
in ``cpmpy_excluded.csv``, a pattern and a reason a line. Tests that skip themselves are counted apart: of what a solver
does not offer, such as hints, they say so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.core.places import ROOT
from benchmarks.core.rows import Table
from benchmarks.core.suite import make_parser

MOST = 100
"""Solutions of an expression that are checked."""
ASKING = re.compile(r'def test\w*\(.*\bsolver\b|usefixtures\("solver"\)')
"""What a file has of whose tests one asks for a solver."""
OUTCOMES = ("passed", "excluded", "failed", "skipped")
TABLE = Table(
    "cpmpy_suite",
    """
    cpmpy     key      its version
    share     float    of the generated expressions
    seed      int      of the expressions drawn
    passed    int      tests
    excluded  int      tests, by cpmpy_excluded.csv
    failed    int      tests
    skipped   int      tests, by themselves
    """,
)
SMALLER = (
    "import types, cpmpy\nfrom benchmarks.suites.cpmpy_plugin import make_smaller\n"
    'cp = types.SimpleNamespace(**{**vars(cpmpy), "intvar": make_smaller})\n'
)


def fetch_sources(folder: Path) -> Path:
    """The source distribution of the CPMpy installed, unpacked."""
    named = f"cpmpy=={metadata.version('cpmpy')}"
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder, named]
    subprocess.run(command, check=True)
    (archive,) = folder.glob("cpmpy-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return archive.with_name(archive.name.removesuffix(".tar.gz"))


def copy_tests(checkout: Path, folder: Path) -> Path:
    """A copy of the tests, the generated ones over small domains."""
    tests = folder / "tests"
    shutil.copytree(checkout / "tests", tests)
    path = tests / "test_constraints.py"
    source = re.sub(r"^import cpmpy as cp$", SMALLER, path.read_text(), count=1, flags=re.MULTILINE)
    # What has a solution over the domains of CPMpy must have one over these.
    source = re.sub(r"\bdur = \[1, ?4, ?3\]", "dur = [1, 1, 1]", source)
    source = source.replace("dur = [1, 4, 3, 2]", "dur = [1, 1, 2, 1]").replace(
        "NValueExcept(NUM_ARGS, 3)", "NValueExcept(NUM_ARGS, 2)"
    )
    source = re.sub(r"\.solveAll\(", f".solveAll(solution_limit={MOST}, ", source)
    path.write_text(source.replace("ALL_SOLS = False", "ALL_SOLS = True"))
    return tests


def run_tests(tests: Path, given: Sequence[str]) -> Counter[str]:
    """How many tests ended how."""
    report = tests.with_name("report.xml")
    files = [path.name for path in sorted(tests.glob("test_*.py")) if ASKING.search(path.read_text())]
    options = ["--noconftest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    options += ["--disable-warnings", "-p", "benchmarks.suites.cpmpy_plugin"]
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, f"--rootdir={tests}", *options, *given, *files]
    subprocess.run(command, cwd=tests, env={**os.environ, "PYTHONPATH": paths}, check=False)
    return Counter(map(find_outcome, ElementTree.parse(report).iter("testcase")))


def find_outcome(case: ElementTree.Element) -> str:
    """One test's, in a word."""
    skipped = case.find("skipped")
    if skipped is not None:
        return "excluded" if (skipped.get("message") or "").startswith("excluded") else "skipped"
    return "failed" if case.find("failure") is not None or case.find("error") is not None else "passed"


def main(arguments: Sequence[str]) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--cpmpy", type=Path, help="a checkout of CPMpy; its sources are fetched if not given")
    parser.add_argument("--share", type=float, default=1.0, help="how many of the generated expressions are tried")
    parser.add_argument("--seed", type=int, default=0, help="of the expressions drawn")
    parser.add_argument("--write", action="store_true", help="replace cpmpy_suite.csv")
    parser.add_argument("pytest", nargs="*", help="options of pytest, after --")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tests = copy_tests(chosen.cpmpy or fetch_sources(folder), folder)
        counts = run_tests(tests, [f"--share={chosen.share}", f"--seed={chosen.seed}", *chosen.pytest])
    print(", ".join(f"{counts[word]} {word}" for word in OUTCOMES))
    if chosen.write:
        how = (metadata.version("cpmpy"), chosen.share, chosen.seed)
        TABLE.write([TABLE.row(*how, *(counts[word] for word in OUTCOMES))])
    return int(counts["failed"] > 0 or not counts["passed"])

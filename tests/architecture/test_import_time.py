"""Importing gatesolve loads no optional or slow library."""

import doctest
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import gatesolve

ROOT = Path(__file__).parents[2]
HEAVY = (
    "qiskit_aer",
    "qiskit_ibm_runtime",
    "pennylane",
    "qdk",
    "mthree",
    "matplotlib",
    "cpmpy",
    "qiskit_optimization",
    "dimod",
    "dwave",
    "numba",
    "ommx",
    "networkx",
    "openqasm3",
)


QUICK = ("qiskit", "numpy", "scipy", "numba")
"""Libraries for which the version, the help and Ctrl-C do not wait."""


def loaded_by(*modules: str) -> list[set[str]]:
    """The libraries that a fresh interpreter has loaded after each module, imported one after the other."""
    look = f"print(*(m for m in {HEAVY + QUICK!r} if m in sys.modules))"
    code = "import sys\n" + "".join(f"import {module}\n{look}\n" for module in modules)
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return [{*line.split()} for line in run.stdout.splitlines()]


def test_imports_load_nothing_heavy():
    command_line, package, puzzles, api, drawing = loaded_by(
        "gatesolve.cli.app", "gatesolve", "gatesolve.puzzles", "gatesolve.api.public", "matplotlib"
    )
    assert command_line == set()
    assert not {*HEAVY} & (package | puzzles)
    assert {*HEAVY} & api <= {"qiskit_aer", "cpmpy"}, "what a plain install has"
    assert "matplotlib" in drawing, "a heavy import would be seen"


def test_the_package_shows_its_public_names_and_nothing_else():
    """Whatever was imported before, and as whatever module."""
    code = (
        "import gatesolve.circuit.mcx, gatesolve.costs.front, gatesolve.functions.phase_oracle, gatesolve.api.calls\n"
        "import gatesolve, gatesolve.api.public\n"
        "public = gatesolve.api.public\n"
        "assert all(getattr(gatesolve, name) is getattr(public, name) for name in public.__all__)\n"
        "assert dir(gatesolve) == sorted({*public.__all__, *gatesolve._ADAPTERS})\n"
        "assert not hasattr(gatesolve, 'nothing')"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_help_of_the_package_is_one_screen_or_two():
    lines = pydoc.render_doc(gatesolve, renderer=pydoc.plaintext).splitlines()
    assert len(lines) < 80
    assert lines[3].strip().startswith("gatesolve - Compile integer constraint problems")
    assert ">>> import gatesolve" in "\n".join(lines[:12])


def test_the_docstring_of_the_package_names_everything_and_its_example_runs():
    listed = re.findall(r"\w+", "".join(re.findall(r"^- .*$", gatesolve.__doc__, re.MULTILINE)))
    assert [name for name in dir(gatesolve) if name not in listed] == []
    tried = doctest.DocTestRunner()
    tried.run(doctest.DocTestParser().get_doctest(gatesolve.__doc__, {}, "gatesolve", None, None))
    assert (tried.tries, tried.failures) == (3, 0)

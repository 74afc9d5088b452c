"""Importing gatesolve loads no optional or slow library."""

import doctest
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

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


def loaded_by(statement: str) -> list[str]:
    """The heavy libraries that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.split()


@pytest.mark.parametrize("module", ["gatesolve", "gatesolve.puzzles"])
def test_import_loads_nothing_heavy(module):
    assert loaded_by(f"import {module}") == []


def test_the_api_loads_nothing_that_a_plain_install_lacks():
    assert {*loaded_by("import gatesolve.api.public")} <= {"qiskit_aer", "cpmpy"}


def test_a_heavy_import_would_be_seen():
    assert loaded_by("import matplotlib") == ["matplotlib"]


def test_the_command_line_is_quick_to_start():
    """The version, the help and Ctrl-C do not wait for Qiskit."""
    code = (
        "import gatesolve.cli.app, sys\nprint(*(m for m in ('qiskit', 'numpy', 'scipy', 'numba') if m in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


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

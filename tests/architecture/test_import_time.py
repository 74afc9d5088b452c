"""Importing gatesolve loads no optional or slow library."""

import subprocess
import sys
from pathlib import Path

import pytest

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
)


def loaded_by(statement: str) -> list[str]:
    """The heavy libraries that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.split()


@pytest.mark.parametrize("module", ["gatesolve", "gatesolve.puzzles"])
def test_import_loads_nothing_heavy(module):
    assert loaded_by(f"import {module}") == []


def test_a_heavy_import_would_be_seen():
    assert loaded_by("import matplotlib") == ["matplotlib"]

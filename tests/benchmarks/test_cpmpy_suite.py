"""CPMpy's own tests with gatesolve as their solver, and that a test that fails is seen."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONSTRAINTS = """
import cpmpy as cp
import pytest
from cpmpy import Model, SolverLookup
from utils import skip_on_missing_pblib

ALL_SOLS = False
X = cp.intvar(-3, 5, name="x")
dur = [1, 4, 3]

def exprs(solver):
    yield X == 2
    yield X == 3

@pytest.mark.generate_constraints.with_args(exprs)
@skip_on_missing_pblib(skip_on_exception_only=True)
def test_comparison_constraints(solver, constraint):
    assert ALL_SOLS and dur == [1, 1, 1]
    assert SolverLookup.get(solver, Model(constraint)).solveAll(display=lambda: None) >= 1
"""
SOLVERS = """
import cpmpy as cp
import pytest

@pytest.mark.usefixtures("solver")
class TestSolveAll:
    def test_status_solveall(self, solver):
        assert False

    def test_other(self, solver):
        assert cp.Model(cp.boolvar()).solve(solver=self.solver)

    def test_skipped(self, solver):
        pytest.skip("does not support that")

@pytest.mark.requires_solver("gurobi")
def test_of_one_solver(solver):
    assert False

def test_without_a_solver():
    assert False
"""


def run_suite(*given):
    command = [sys.executable, "-m", "benchmarks", "cpmpy-suite", *given]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return run.returncode, run.stdout.splitlines()


@pytest.mark.sampled(0.3)
def test_what_passes_is_left_out_and_fails_is_counted(tmp_path):
    """Over the smaller domain ``x == 3`` has no solution; what is for one solver, or for none, is not run."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_constraints.py").write_text(CONSTRAINTS)
    (tmp_path / "tests" / "test_solveAll.py").write_text(SOLVERS)
    code, lines = run_suite("--cpmpy", tmp_path)
    assert (code, lines[-1]) == (1, "2 passed, 1 excluded, 1 failed, 1 skipped")
    assert any("FAILED test_constraints.py" in line and "x == 3" in line for line in lines)


def test_each_exclusion_has_a_reason_and_they_are_few():
    with (ROOT / "benchmarks" / "results" / "cpmpy_excluded.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) <= 5
    assert all(re.compile(row["test"]) and len(row["reason"]) > 20 for row in rows)


@pytest.mark.sampled(0.3)
def test_a_sample_of_cpmpys_own_tests_passes():
    """Its sources come from the package index."""
    code, lines = run_suite("--share", "0.003", "--seed", "5", "--", "-k", "not TestMUS")
    if not lines:
        pytest.skip("the sources of CPMpy cannot be fetched here")
    assert code == 0, "\n".join(lines[-40:])
    passed, excluded, *_ = map(int, re.findall(r"\d+", lines[-1]))
    assert passed > 80
    assert excluded == 1

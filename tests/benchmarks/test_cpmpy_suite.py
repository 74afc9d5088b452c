"""CPMpy's own tests with gatesolve as their solver, and that a test that fails is seen."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run_suite(*given):
    command = [sys.executable, "-m", "benchmarks", "cpmpy-suite", *given]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return run.returncode, run.stdout.splitlines()


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

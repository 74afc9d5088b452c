"""No input is worth a traceback: hostile and damaged files of every kind, through the command line."""

import sys
import warnings
from pathlib import Path

import pytest

from benchmarks.faults import fuzz


@pytest.mark.slow
def test_hostile_files(tmp_path):
    found = {str(case)[:200]: fuzz.faults(case, tmp_path) for case in fuzz.hostile()}
    assert len(found) > 80
    assert {case: faults for case, faults in found.items() if faults} == {}


@pytest.mark.quick("0")
@pytest.mark.parametrize("seed", range(4))
def test_damaged_files(tmp_path, seed):
    found = {str(case): fuzz.faults(case, tmp_path) for case in fuzz.damage(seed, 50)}
    assert {case: faults for case, faults in found.items() if faults} == {}


def crash():
    raise OverflowError("int too large to convert to float")


def exit_with(status, out="", err="", warn=""):
    def main():
        sys.stdout.write(out)
        sys.stderr.write(err)
        if warn:
            warnings.warn(warn, RuntimeWarning, stacklevel=1)
        raise SystemExit(status)

    return main


def half_written():
    Path(sys.argv[-1]).write_text("half")
    exit_with(2, err="gatesolve: disk full\n")()


@pytest.mark.parametrize(
    ("main", "fault"),
    [
        (exit_with(0, out="fine\n"), None),
        (exit_with(2, err="gatesolve: row 1: no\n"), None),
        (crash, "OverflowError: int too large"),
        (exit_with(3), "status 3"),
        (exit_with(2), "status 2 with"),
        (exit_with(2, err="gatesolve: two\nlines\n"), "status 2 with"),
        (exit_with(2, out="{}", err="gatesolve: no\n"), "status 2 with"),
        (half_written, "and ['out.txt']"),
        (exit_with(0, warn="overflow"), "warns: RuntimeWarning: overflow"),
        (exit_with(0, out="\x1b[2J"), "prints"),
    ],
)
def test_every_fault_would_be_seen(monkeypatch, tmp_path, main, fault):
    monkeypatch.setattr(fuzz.app, "main", main)
    found = fuzz.faults(fuzz.Case("in.txt", b"", ["show", "-o", "out.txt"]), tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert len(found) == (fault is not None)
    assert all(fault in one for one in found)

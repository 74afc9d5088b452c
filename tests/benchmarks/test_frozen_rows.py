"""Rows of the CSV files that pages quote, measured again."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def rows(name):
    with (ROOT / f"benchmarks/results/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("case", "maker"),
    [("kakuro-like", "ours"), ("3-cnf", "ours"), ("kakuro-like", "narrow"),
     pytest.param("logo-2026", "bitmap", marks=pytest.mark.slow)],
)  # fmt: skip
def test_phase_oracles(benchmark_module, case, maker):
    script = benchmark_module("suites.phase_oracles")
    name, _, *counts = getattr(script, maker)(script.CASES[case])
    (row,) = (row for row in rows("phase_oracles") if (row["case"], row["oracle"]) == (case, name))
    assert [row[what] for what in ("qubits", "CX", "depth")] == [str(count) for count in counts]


@pytest.mark.parametrize(
    "number", [0, pytest.param(3, marks=pytest.mark.slow), pytest.param(-1, marks=pytest.mark.slow)]
)
def test_reads_of_annealing(benchmark_module, number):
    script = benchmark_module("suites.anneal")
    name, sampler, reads, seed = script.WRITTEN[number]
    puzzle = script.load(script.EXAMPLES / name)
    found = script._measure(name, puzzle, script._formula(puzzle, False), sampler, 1000, reads if number else 0, seed)
    made = dict(zip(script.HEADER, map(str, found), strict=False))
    row = rows("anneal")[number]
    assert {what: row[what] for what in made if "seconds" not in what} == {
        what: cell for what, cell in made.items() if "seconds" not in what
    }


@pytest.mark.slow
def test_fractional_gates(benchmark_module, monkeypatch, tmp_path):
    script = benchmark_module("suites.fractional")
    monkeypatch.setattr(script, "DEVICES", ("fake_torino",))
    monkeypatch.setattr(script, "FILE", tmp_path / "fractional.csv")
    assert script.main(["--write"]) == 0
    with script.FILE.open(encoding="utf-8") as file:
        assert list(csv.DictReader(file)) == [row for row in rows("fractional") if row["device"] == "fake_torino"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["choices", "without"])
def test_tables_of_the_plugin(benchmark_module, name):
    script = benchmark_module("suites.mcx_plugin")
    page = script.PAGE.read_text(encoding="utf-8")
    assert script.with_section(page, name, getattr(script, f"{name}_table")()) == page


@pytest.mark.slow
def test_estimators(benchmark_module, monkeypatch, tmp_path, capsys):
    script = benchmark_module("suites.estimators")
    monkeypatch.setattr(script, "BOARDS", script.BOARDS[:3])
    monkeypatch.setattr(script, "FILE", tmp_path / "estimators.csv")
    script.main(["--write"])
    with script.FILE.open(encoding="utf-8") as file:
        assert list(csv.DictReader(file)) == rows("estimators")[:18]


@pytest.mark.slow
def test_pennylanes_graph():
    """In a process of its own, as rules stay registered."""
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks", "pennylane-rules", "--most", "5"],
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    found = [line.split() for line in run.stdout.decode().splitlines()[1:-2]]
    names = ("controls", "work wires", "kind", "cx", "our cx", "t", "our t")
    assert found
    assert [line[:5] + line[6:] for line in found] == [
        [row[name] for name in names] for row in rows("pennylane_rules") if int(row["controls"]) <= 5
    ]


@pytest.mark.slow
def test_size_of_an_install(benchmark_module):
    """Packages of other versions and platforms differ in size, but not by a quarter."""
    script = benchmark_module("suites.install_size")
    for row in rows("install_size"):
        found = script.requirements("gatesolve-circuits", tuple(row["extras"].split()), {})
        megabytes = sum(script.size(one) for one in found.values()) / 1e6
        assert abs(megabytes / int(row["MB"]) - 1) < 0.25

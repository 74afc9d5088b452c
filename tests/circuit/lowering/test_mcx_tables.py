"""docs/mcx.md and the contest folders show what the code makes; the contests' circuits are right."""

import csv
from pathlib import Path

import numpy as np
import pytest
from qiskit import qasm2
from scripts import load_script

from benchmarks.core.report import fill
from benchmarks.suites import mcx_rules
from gatesolve.simulate.sparse import basis_terms, run_sparse

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/mcx.md").read_text(encoding="utf-8")

CONTEST, TABLES = (load_script(ROOT / f"circuits/{name}/make.py") for name in ("mcx14-2022", "toffoli-t-counts"))


def test_table_of_rules_is_up_to_date():
    assert fill(mcx_rules.PAGE, {"rules": mcx_rules.rules_table()}) == {mcx_rules.PAGE: PAGE}


@pytest.mark.parametrize("budget", mcx_rules.BUDGETS, ids=lambda b: b.name)
def test_rows_beside_others_are_up_to_date(budget):
    """Without the peers that are not installed here, which are no better anywhere."""
    made = mcx_rules.row(5, budget)
    assert not mcx_rules.worse(made)
    (shown,) = (line for line in PAGE.splitlines() if line.startswith(f"| 5 | {budget.name} |"))
    assert shown.strip("| ").split(" | ")[2::2] == made[2::2]


def test_no_peer_is_better_anywhere():
    rows = [line.strip("| ").split(" | ") for line in PAGE.split("<!-- peers: begin -->")[1].splitlines()[3:-1]]
    assert len(rows) == 36
    assert not [row for row in rows if mcx_rules.worse(row)]


def test_what_is_worse_is_seen():
    assert mcx_rules.worse(["5", "none", "9", "8", "-", "-"])
    assert mcx_rules.worse(["5", "none", "8", "8", "-", "7"])
    assert not mcx_rules.worse(["5", "none", "8", "8", "3", "-"])


def assert_flips(circuit, controls, target, free):
    """X on ``target`` under ``controls`` for every state of ``free``, the other qubits zero before and after."""
    for block in np.array_split(np.arange(1 << len(free)), max(1, len(free) - 12)):
        before = np.zeros((circuit.num_qubits, len(block)), dtype=bool)
        for k, qubit in enumerate(free):
            before[qubit] = block >> k & 1
        after = before.copy()
        after[target] ^= before[controls].all(axis=0)
        found, wanted = run_sparse(circuit, basis_terms(before)), basis_terms(after)
        order = np.argsort(found.keys[:, 0], kind="stable")
        assert np.array_equal(found.keys[order], wanted.keys)
        first = found.amplitudes[order][0]
        assert np.abs(found.amplitudes[order] / first - 1).max() < 1e-9


@pytest.mark.slow
def test_the_contest_entry(tmp_path):
    made = CONTEST.remake(tmp_path)
    folder = ROOT / "circuits/mcx14-2022"
    for name in ("entry.qasm", "results.csv"):
        assert (tmp_path / name).read_text() == (folder / name).read_text()
    (row,) = csv.DictReader((folder / "results.csv").read_text().splitlines())
    assert (made.num_qubits, made.depth(), made.count_ops()["cx"]) == (20, int(row["depth"]), int(row["cx"]))
    assert made.depth() <= 41
    assert f"| this one | {made.depth()} | {made.count_ops()['cx']} |" in (folder / "README.md").read_text()
    assert_flips(made, list(range(14)), 14, list(range(15)))


def test_the_circuits_of_few_t(tmp_path):
    TABLES.remake(tmp_path)
    folder = ROOT / "circuits/toffoli-t-counts"
    for path in tmp_path.iterdir():
        assert path.read_text() == (folder / path.name).read_text()
    readme = (folder / "README.md").read_text()
    for row in csv.DictReader((folder / "results.csv").read_text().splitlines()):
        assert int(row["t"]) <= int(row["published_t"])
        assert f"| {row['name']} | {row['t']} | {row['published_t']} | {row['cx']} |" in readme


@pytest.mark.parametrize("controls", [3, 4, 5])
def test_the_circuits_of_few_t_are_exact(controls):
    folder, target = ROOT / "circuits/toffoli-t-counts", 2 * controls - 2
    every = list(range(target + 1))
    assert_flips(qasm2.load(folder / f"barenco_tof_{controls}.qasm"), every[:controls], target, every)
    assert_flips(qasm2.load(folder / f"tof_{controls}.qasm"), every[:controls], target, [*every[:controls], target])

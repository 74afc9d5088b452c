"""What the three commands print, to people and as JSON, and the status they end with."""

from __future__ import annotations

import shlex
import socket
import sys

import pytest
from cli_runs import CONTEST, SMALL
from qiskit import qasm2

KEYS = {
    "status", "solution", "board", "pipeline", "oracle", "encoding", "presolve", "backend", "iterations", "space_size",
    "marked", "success_probability", "resources", "oracle_resources", "certificate", "seed", "versions",
}  # fmt: skip
COUNTS = {"gates", "qubits", "cx", "t", "depth", "two_qubit_depth", "total"}
CELLS = {"r2c2": 2, "r2c3": 1, "r3c2": 3, "r3c3": 2, "r3c4": 0, "r4c3": 0, "r4c4": 1}
IMPOSSIBLE = b"values 0..3\n#  1\\ 5\\\n\\1 . .\n\\5 . .\n"
"""Propagation sees that the left column, of 0 and 1, cannot meet a row of 2 and 3."""


def test_solve_prints_its_certainty_its_cost_its_check_and_its_time(gatesolve):
    run = gatesolve("solve", CONTEST)
    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[0] == "Kakuro 4x4: 7 cells, 6 runs, values 0..3"
    assert lines[1].startswith("solved: accepted by the puzzle's own rules")
    assert "1 of 24 states marked, 3 iterations, success probability 0.982726 (exact)" in run.out
    for row in ("oracle  │ cx+u", "whole   │ cx+u"):
        assert sum(row in line for line in lines) == 1
    assert "clifford+t" not in run.out
    assert "on all 24 states, the oracle marks" in run.out
    assert lines[-1].startswith("time: ")
    assert max(map(len, lines)) <= 110
    assert "\x1b" not in run.out


def test_json_is_one_object_with_every_key(gatesolve):
    run = gatesolve("solve", CONTEST, "--json", "--presolve", "none", "--seed", "5")
    assert (run.status, run.err) == (0, "")
    data = run.json
    assert set(data) >= KEYS
    assert data["status"] == "solved"
    assert data["solution"] == CELLS
    assert data["board"] == [["#", "#", "#", "#"], ["#", "2", "1", "#"], ["#", "3", "2", "0"], ["#", "#", "0", "1"]]
    names = ("pipeline", "oracle", "encoding", "presolve", "backend", "space_size", "marked", "seed")
    assert [data[k] for k in names] == ["grover", "constraints", "table", "none", "space", 24, 1, 5]
    assert data["success_probability"] == pytest.approx(0.98272551583219, abs=1e-9)
    for part in ("resources", "oracle_resources"):
        assert set(data[part]) >= COUNTS
        assert data[part]["gates"] == "cx+u"
        assert data[part]["t"] is None
        assert all(type(data[part][k]) is int for k in COUNTS - {"gates", "t"})
    certificate = data["certificate"]
    assert (certificate["checked"], certificate["of"], certificate["ancillas_clean"]) == (24, 24, True)
    assert certificate["method"] == "every codeword"
    assert {"gatesolve", "qiskit", "qiskit-aer"} <= set(data["versions"])


@pytest.mark.quick("unknown")
@pytest.mark.parametrize("schedule", ["known", "unknown"])
def test_the_same_seed_gives_the_same_output(gatesolve, schedule):
    def told(seed):
        run = gatesolve("solve", SMALL, "--schedule", schedule, "--seed", seed, "--encoding", "binary", "--json")
        return {k: v for k, v in run.json.items() if k not in {"seconds", "seed"}}

    assert told(3) == told(3)
    assert len({str(told(seed)) for seed in range(3)}) > 1


def test_aer_measures(gatesolve):
    run = gatesolve("solve", CONTEST, "--backend", "aer", "--json", "--shots", "200")
    data = run.json
    assert run.status == 0
    assert data["backend"] == "aer"
    assert data["solution"] == CELLS
    assert data["success_probability"] == pytest.approx(0.98, abs=0.06)
    assert (data["success_probability"] * 200) % 1 == 0
    shown = gatesolve("solve", CONTEST, "--backend", "aer", "--schedule", "unknown", "--encoding", "table")
    assert shown.status == 0
    assert "backend: aer" in shown.out
    assert "each run drew its iterations at random" in shown.out


def test_infeasible_by_presolve(gatesolve):
    run = gatesolve("solve", "-", "--presolve", "propagate", stdin=IMPOSSIBLE)
    assert (run.status, run.err) == (1, "")
    assert run.out.splitlines()[1].startswith("infeasible: no solution: ")
    data = gatesolve("solve", "-", "--presolve", "propagate", "--json", stdin=IMPOSSIBLE).json
    assert data["status"] == "infeasible"
    for key in ("solution", "board", "space_size", "marked", "resources", "oracle_resources", "certificate"):
        assert data[key] is None


@pytest.mark.parametrize("command", [["resources"], ["compile", "--output", "x.qasm"]])
@pytest.mark.parametrize("oracle", ["constraints", "classical"])
def test_nothing_is_compiled_for_an_infeasible_board(gatesolve, tmp_path, monkeypatch, command, oracle):
    monkeypatch.chdir(tmp_path)
    run = gatesolve(*command, "-", "--presolve", "propagate", "--oracle", oracle, stdin=IMPOSSIBLE)
    assert "infeasible: " in run.refusal(1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.qasm", "x.qasm3", "x.qpy"])
def test_compile(gatesolve, tmp_path, name):
    run = gatesolve("compile", CONTEST, "-o", tmp_path / name)
    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    written = next(line for line in lines if line.startswith("written: "))
    assert written.startswith(f"written: {tmp_path / name}")
    is_text = name != "x.qpy"
    assert lines[-1].startswith("text: proved by normal form" if is_text else "text: unchecked: QPY is no text")
    data = gatesolve("compile", CONTEST, "--output", tmp_path / name, "--json").json
    assert data["output"] == str(tmp_path / name)
    assert data["claims"][-1]["status"] == ("proved" if is_text else "unchecked")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.cert.json", name]
    if name == "x.qasm":
        circuit = qasm2.load(str(tmp_path / name), strict=True)
        assert circuit.count_ops()["cx"] == data["resources"]["cx"]
        assert circuit.num_qubits == data["resources"]["qubits"]


def test_resources_counts_what_solve_counts(gatesolve):
    options = [CONTEST, "--json", "--presolve", "none", "--encoding", "table"]
    solved, counted = gatesolve("solve", *options).json, gatesolve("resources", *options).json
    for key in ("resources", "oracle_resources", "iterations", "space_size", "marked", "encoding", "presolve"):
        assert counted[key] == solved[key]
    shown = gatesolve("resources", CONTEST)
    assert shown.status == 0
    assert "24 states, 3 iterations" in shown.out
    assert ", 1 iteration\n" in gatesolve("resources", SMALL).out


def test_iterations_count_the_one_with_matched_phases(gatesolve):
    options = (CONTEST, "--exact", "--json")
    solved, counted = gatesolve("solve", *options).json, gatesolve("resources", *options).json
    assert solved["iterations"] == counted["iterations"] == solved["oracle_calls"] == 4
    assert solved["success_probability"] == 1
    assert "4 iterations, the first with matched phases" in gatesolve("solve", CONTEST, "--exact").out


def test_a_circuit_without_qubits_is_told_and_what_would_leave_one(gatesolve, tmp_path):
    board = b"box 2x2\n1234\n3412\n21.3\n4.21\n"
    said = "nothing was left to search after presolve propagate, so the circuit has no qubits"
    said += ": use --presolve none and --encoding one-hot for one that searches"
    for command in (["compile", "-", "--output", tmp_path / "empty.qasm"], ["resources", "-"]):
        run = gatesolve(*command, "--presolve", "propagate", "--json", stdin=board)
        assert (run.status, run.err) == (0, f"gatesolve: {said}\n")
        assert run.json["notes"] == [said]
    searched = gatesolve("resources", "-", "--presolve", "none", "--encoding", "one-hot", "--json", stdin=board)
    assert searched.err == ""
    assert searched.json["resources"]["qubits"] > 0


@pytest.mark.parametrize(
    "command",
    [
        ("solve", SMALL),
        ("resources", SMALL),
        ("qubo", SMALL),
        ("jobs",),
        ("pareto", SMALL, "--sweep", "encoding=table", "--jobs", "1"),
        ("submit", SMALL, "--backend", "fake_manila", "--presolve", "none", "--dry-run"),
    ],
    ids=lambda command: command[0],
)
def test_every_json_object_says_its_version_first(gatesolve, command, monkeypatch, tmp_path):
    monkeypatch.setenv("GATESOLVE_HOME", str(tmp_path))
    data = gatesolve(*command, "--json").json
    assert next(iter(data.items())) == ("schema_version", 2)


def test_a_missing_package_is_named_with_the_mend(gatesolve, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastapi", None)
    for name in [one for one in sys.modules if one.startswith("gatesolve.web.server")]:
        monkeypatch.delitem(sys.modules, name)
    line = gatesolve("web", "--no-browser").refusal()
    assert line == 'the page needs packages that are not installed: run pip install "gatesolve-circuits[web]"'


def test_a_port_that_is_taken_is_named(gatesolve):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = gatesolve("web", "--no-browser", "--port", str(port)).refusal()
    assert line.startswith(f"port {port} cannot be used")


def test_three_examples_without_a_command(gatesolve, tmp_path, monkeypatch):
    run = gatesolve()
    assert (run.status, run.out) == (2, "")
    examples = [line for line in run.err.splitlines() if line.startswith("  gatesolve ")]
    assert len(examples) == 3
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(CONTEST.parents[1])
    for example in examples:
        _, *words = shlex.split(example)
        assert gatesolve(*words).status == 0
    assert (tmp_path / "contest.qasm3").exists()

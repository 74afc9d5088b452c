"""``gatesolve pareto``: what it prints and writes, one-line refusals, and an interruption."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_runs import CONTEST, SMALL

COMMAND = Path(sys.executable).with_name("gatesolve")
QUICK = ["--presolve", "none", "--jobs", "1", "--sweep", "encoding=table", "--sweep", "level=classical"]
QUICK += ["--sweep", "gates=cx+u", "--sweep", "optimize=cx"]


def test_the_front_the_best_and_the_command_that_remakes_it(gatesolve, tmp_path, monkeypatch):
    run = gatesolve("pareto", CONTEST, *QUICK, "--optimize", "cx", "--max-qubits", 20, "--min-success", 0.9)
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("Kakuro 4x4: 7 cells, 6 runs, values 0..3\n")
    assert max(map(len, run.out.splitlines()[1:6])) <= 110
    (line,) = (line for line in run.out.splitlines() if line.startswith("gatesolve compile"))
    best = re.search(r"best by cx: (\d+) qubits, (\d+) CX, depth (\d+), success ([0-9.]+) in (\d+) iteration", run.out)
    assert float(best[4]) >= 0.9
    monkeypatch.chdir(tmp_path)
    remade = gatesolve(*line.split()[1:], "--json").json["resources"]
    assert [remade[name] for name in ("qubits", "cx", "depth")] == [int(best[k]) for k in (1, 2, 3)]
    assert (tmp_path / "best.qasm3").exists()


@pytest.mark.slow
def test_json_csv_and_plots(gatesolve, tmp_path):
    table, png, svg = tmp_path / "f.csv", tmp_path / "f.png", tmp_path / "f.svg"
    run = gatesolve("pareto", SMALL, *QUICK, "--json", "--csv", table, "--plot", png, "--optimize", "expected_cx")
    data = run.json
    lines = list(csv.DictReader(table.read_text().splitlines()))
    assert len(lines) == len(data["front"]) >= 1
    assert [int(line["cx"]) for line in lines] == [row["cx"] for row in data["front"]]
    assert data["best"] in data["front"]
    assert data["command"].startswith(f"gatesolve compile {SMALL} --output best.qasm3")
    assert png.read_bytes().startswith(b"\x89PNG")
    gatesolve("pareto", SMALL, *QUICK, "--plot", svg)
    assert "qubits, ancillas included" in svg.read_text() or svg.stat().st_size > 10_000


REFUSALS = [
    (["--sweep", "colour=red"], "unknown sweep 'colour=red': write AXIS=VALUE,..."),
    (["--sweep", "gates=cz"], "'cz' on axis gates: choose among cx+u, clifford+t"),
    (["--optimize", "speed"], "unknown metric 'speed': choose one of cx, t,"),
    (["--min-success", "2"], "--min-success is 2.0: give a probability from 0 to 1"),
    (["--max-qubits", "-2"], "--max-qubits is -2: give 0 or more"),
    (["--max-qubits", "1"], "nothing within the limits: the nearest takes 3 qubits and 8 CX at success 1.0000"),
    (["--optimize", "t"], "no row counts t: sweep the gates clifford+t too"),
    (["--plot", "front.pdf"], "name a .png or .svg file"),
    (["--plot", "nowhere/front.png"], "nowhere/front.png: cannot be written: no folder nowhere"),
    (["--csv", "nowhere/front.csv"], "nowhere/front.csv: cannot be written: no folder nowhere"),
    (["--csv", "."], "cannot be written: name a file in a folder of yours"),
    (["--store", "nowhere/s.jsonl"], "nowhere/s.jsonl: cannot be written: No such file"),
    (["--presolve", "all"], "unknown presolve 'all'"),
    (["--jobs", "0"], "Invalid value for '--jobs'"),
]


@pytest.mark.parametrize(("options", "message"), REFUSALS, ids=str)
def test_bad_options(gatesolve, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    assert message in gatesolve("pareto", SMALL, *QUICK, *options).refusal()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_ctrl_c_leaves_a_store_to_go_on_from(tmp_path):
    """Processes and all: interrupted once something is stored, the rest is done by the next run."""
    store = tmp_path / "s.jsonl"
    words = [COMMAND, "pareto", SMALL, "--presolve", "none", "--jobs", "2", "--sweep", "gates=cx+u", "--store", store]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (store.exists() and store.stat().st_size):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "gatesolve: interrupted\n")
    lines = [json.loads(line) for line in store.read_text().splitlines()]
    assert lines
    assert all({"key", "settings", "plain"} <= set(line) for line in lines)

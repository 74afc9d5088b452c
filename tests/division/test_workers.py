"""Leaves searched in processes, by Dask, and by several runs one after another: the answer is the same."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from divided_boards import hard, infeasible

import gatesolve
from gatesolve import Result
from gatesolve.api import Division

BOARD = {"max_space": 128, "encoding": "binary"}


def division(found: Result) -> Division:
    """The account, without what a clock says."""
    assert isinstance(found.division, Division)
    leaves = tuple(replace(leaf, seconds=0.0) for leaf in found.division.leaves)
    return replace(found.division, leaves=leaves, backtracking=replace(found.division.backtracking, seconds=0.0))


@pytest.fixture(scope="module")
def alone() -> Result:
    return gatesolve.solve(infeasible(5), **BOARD)


def same(found: Result, wanted: Result) -> bool:
    return (found.status, found.solution, division(found)) == (wanted.status, wanted.solution, division(wanted))


@pytest.mark.slow
def test_processes_find_the_same(alone: Result) -> None:
    assert len(division(alone).leaves) > 3
    assert same(gatesolve.solve(infeasible(5), jobs=2, **BOARD), alone)


@pytest.mark.sampled(0.3)
def test_a_script_that_workers_cannot_import_is_told_in_one_line(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import gatesolve\ntry:\n    gatesolve.solve('examples/sudoku/inkala-2010.txt', max_space=4096, jobs=2)\n"
        "except gatesolve.InputError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert "must start below \"if __name__ == '__main__':\"" in done.stdout


@pytest.mark.sampled(0.3)
def test_dask_finds_the_same_and_a_lost_worker_costs_no_leaf(alone: Result) -> None:
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        address = cluster.scheduler_address
        assert same(gatesolve.solve(infeasible(5), dask=address, **BOARD), alone)
        lost: list[int] = []

        def kill_one(stage: str, done: int, total: int) -> None:
            if not lost and stage.startswith("leaves searched"):
                lost.extend(client.run(os.getpid).values())
                os.kill(lost[0], signal.SIGKILL)

        assert same(gatesolve.solve(infeasible(5), dask=address, progress=kill_one, **BOARD), alone)
        assert lost


@pytest.mark.slow
def test_a_solution_found_ahead_of_its_turn_waits_for_it() -> None:
    wanted = gatesolve.solve(hard(), max_space=64, encoding="one-hot")
    assert same(gatesolve.solve(hard(), max_space=64, encoding="one-hot", jobs=2), wanted)


@pytest.mark.sampled(0.5)
def test_a_search_goes_on_where_it_stopped(alone: Result, tmp_path: Path, monkeypatch) -> None:
    kept, stopped = tmp_path / "leaves.jsonl", len(division(alone).leaves) // 2

    def stop(stage: str, done: int, total: int) -> None:
        if stage.startswith(f"leaves searched: {stopped}"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gatesolve.solve(infeasible(5), resume=kept, progress=stop, **BOARD)
    before = kept.read_text().splitlines()
    assert len(before) == stopped
    assert same(gatesolve.solve(infeasible(5), resume=kept, **BOARD), alone)
    after = kept.read_text().splitlines()
    assert after[:stopped] == before
    assert len(after) == len({json.loads(line)["key"] for line in after}) == len(division(alone).leaves)
    # All are known now: nothing is searched again, whatever else would be asked for.
    monkeypatch.setattr("gatesolve.division.run.search_leaf", None)
    again = gatesolve.solve(infeasible(5), resume=kept, **BOARD)
    assert same(again, alone)
    assert again.compiled is None


def test_a_solution_of_an_earlier_run_is_judged_again(tmp_path: Path) -> None:
    kept = tmp_path / "leaves.jsonl"
    first = gatesolve.solve(hard(), max_space=64, encoding="one-hot", resume=kept)
    again = gatesolve.solve(hard(), max_space=64, encoding="one-hot", resume=kept)
    assert same(again, first)
    assert "by an earlier run" in again.message


def test_a_file_that_keeps_no_search_is_left_alone(tmp_path: Path) -> None:
    kept = tmp_path / "notes.txt"
    kept.write_text("milk, bread\n")
    with pytest.raises(gatesolve.InputError, match="no kept search: name another file"):
        gatesolve.solve(infeasible(), resume=kept, **BOARD | {"max_space": 16})
    assert kept.read_text() == "milk, bread\n"


@pytest.mark.sampled(0.3)
def test_a_killed_search_loses_no_leaf_and_searches_none_twice(alone: Result, tmp_path: Path) -> None:
    kept, draw = tmp_path / "leaves.jsonl", random.Random(0)
    script = (
        "import gatesolve, sys; sys.path.insert(0, 'tests'); from divided_boards import infeasible\n"
        f"gatesolve.solve(infeasible(5), resume={str(kept)!r}, max_space=128, encoding='binary')"
    )
    for _ in range(6):
        process = subprocess.Popen([sys.executable, "-c", script])
        time.sleep(draw.uniform(0.5, 3.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert same(gatesolve.solve(infeasible(5), resume=kept, **BOARD), alone)
    whole = [json.loads(line)["key"] for line in kept.read_text().splitlines() if line.endswith("}")]
    assert len(whole) == len(set(whole)) == len(division(alone).leaves)

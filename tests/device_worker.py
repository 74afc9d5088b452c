"""Runs submit and fetch in forked processes that tests kill: everything slow is imported and compiled before.

Started as ``python device_worker.py FOLDER``; reads one JSON command a line and answers one a line.
``{"do": "submit" | "fetch", "name": ..., "kill": seconds | null, "hold": true}``: with ``kill`` the child is killed
after so many seconds; with ``hold`` it waits for a line ``go`` so that the test can arm the stub with its process id.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

from contest_kakuro import K4

from gatesolve.api import Options, find_pipeline
from gatesolve.api import jobs as calls
from gatesolve.devices import JobRequest, Pace, Store

PACE = Pace(settle=0.15, poll=0.02)
DEVICE = "ibm_manila"


def asked(name: str) -> calls.DeviceSearch:
    """Searches that differ in their seed alone."""
    options = Options(encoding="table", presolve="none", seed=int(name))
    return calls.DeviceSearch(K4, JobRequest(DEVICE, shots=64, seeds=1), options)


def warm(folder: Path) -> None:
    """Import all that is needed, and compile once for all: killing a compilation shows nothing."""
    import qiskit_ibm_runtime  # noqa: F401

    found = find_pipeline("grover")
    kept: dict[int, Any] = {}

    def once(*given: Any) -> Any:
        if given[-1]:  # rounds that are done
            return found.send(*given)
        if not kept:
            kept[0] = found.send(*given)
        return kept[0]

    # Here and not in a child: Qiskit's threads do not outlive a fork.
    calls.find_pipeline = lambda _: replace(found, send=once)  # type: ignore[assignment]
    desk = calls.Desk(Store(folder), pace=PACE)
    calls.fetch_search(calls.submit_search(asked("0"), desk).key, desk, wait=True)


def run(command: dict[str, Any], folder: Path) -> dict[str, Any]:
    """One call, as the commands make it."""
    desk = calls.Desk(Store(folder), pace=PACE)
    if command["do"] == "submit":
        found = calls.submit_search(asked(command["name"]), desk)
    else:
        found = calls.fetch_search(command["name"], desk, wait=True)
    return {"key": found.key, "status": found.status, "new": found.new, "jobs": [job.remote for job in found.jobs]}


def child(command: dict[str, Any], folder: Path, start: int, out: int) -> None:
    os.read(start, 1)
    try:
        answer = run(command, folder)
    except BaseException as error:
        answer = {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
    os.write(out, json.dumps(answer).encode())
    os._exit(0)


def main() -> None:
    folder = Path(sys.argv[1])
    warm(folder)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        start_read, start_write = os.pipe()
        out_read, out_write = os.pipe()
        pid = os.fork()
        if pid == 0:
            child(command, folder, start_read, out_write)
        os.close(out_write)
        if command.get("hold"):
            print(json.dumps({"pid": pid}), flush=True)
            sys.stdin.readline()
        began = time.perf_counter()
        os.write(start_write, b"x")
        if command.get("kill") is not None:
            time.sleep(command["kill"])
            os.kill(pid, signal.SIGKILL)
        said = b""
        while part := os.read(out_read, 1 << 16):
            said += part
        _, status = os.waitpid(pid, 0)
        for end in (start_read, start_write, out_read):
            os.close(end)
        killed = os.WIFSIGNALED(status)
        answer = json.loads(said) if said else {}
        print(json.dumps({**answer, "killed": killed, "seconds": time.perf_counter() - began}), flush=True)


if __name__ == "__main__":
    main()

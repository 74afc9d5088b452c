"""SIGKILL at random moments of submit and fetch, and at every request: no job is lost, none is sent twice."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from filelock import FileLock
from ibm_stub import Stub

from gatesolve.devices import Store

TESTS = Path(__file__).parents[1]


class Worker:
    """The forking process, the stub it talks to, and the folder of its jobs."""

    def __init__(self, stub, folder):
        self.stub, self.folder = stub, folder
        environment = {
            **os.environ,
            **stub.environment(),
            "PYTHONPATH": os.pathsep.join(map(str, (TESTS, TESTS.parent))),
        }
        self.process = subprocess.Popen(
            [sys.executable, str(TESTS / "device_worker.py"), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self.read() == {"ready": True}

    def read(self):
        line = self.process.stdout.readline()
        assert line, "the worker ended"
        return json.loads(line)

    def write(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def ask(self, do, name, kill=None):
        self.write(json.dumps({"do": do, "name": name, "kill": kill}))
        return self.read()

    def ask_killed(self, do, name, action, **rule):
        """Run it, killed by the stub when a request of ``rule`` comes."""
        self.write(json.dumps({"do": do, "name": name, "hold": True}))
        pid = self.read()["pid"]
        self.stub.rule(action, value=pid, **rule)
        self.write("go")
        answer = self.read()
        self.stub.rules.clear()
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    with Stub() as stub:
        running = Worker(stub, tmp_path_factory.mktemp("jobs"))
        yield running
        running.close()


def tags(stub):
    return Counter(tag for job in stub.jobs for tag in job.payload["tags"])


def finish(worker, name):
    """What a user does after a crash: the same command again, then fetch."""
    again = worker.ask("submit", name)
    assert len(again.get("jobs", ())) == 1, again
    done = worker.ask("fetch", again["key"])
    assert done.get("status") == "solved", done
    assert done["jobs"] == again["jobs"]
    return again["key"]


def check_all(worker, keys):
    """Each search was sent once, its id is known, its counts are kept."""
    sent = tags(worker.stub)
    assert [sent[f"gatesolve-{key}-0"] for key in keys] == [1] * len(keys)
    store = Store(worker.folder)
    for key in keys:
        (job,) = store.jobs(key)
        assert job.status == "done"
        assert sum(job.counts[0].values()) == 64
        assert job.remote in {each.id for each in worker.stub.jobs if job.tag in each.payload["tags"]}


@pytest.mark.slow
@pytest.mark.parametrize("kills", [5])
def test_killed_at_random_moments_of_submit_and_of_fetch(worker, kills):
    """So many random moments of each of the two commands."""
    moments = random.Random(7)
    trials = [worker.ask("submit", "1000"), worker.ask("fetch", worker.ask("submit", "1000")["key"])]
    submitting, fetching = (trial["seconds"] for trial in trials)
    killed, keys = 0, []
    for k in range(kills):
        name = str(2000 + 100 * kills + k)
        killed += worker.ask("submit", name, kill=moments.uniform(0, submitting))["killed"]
        again = worker.ask("submit", name)
        assert len(again.get("jobs", ())) == 1, again
        killed += worker.ask("fetch", again["key"], kill=moments.uniform(0, fetching))["killed"]
        keys.append(finish(worker, name))
    check_all(worker, keys)
    assert killed >= kills


@pytest.mark.sampled(2)
@pytest.mark.parametrize("action", ["kill_before", "kill_after", "kill_sent"])
def test_killed_around_the_request_that_sends(worker, action):
    name = str(4000 + len(action))
    assert worker.ask_killed("submit", name, action, method="POST", path="/jobs$")["killed"]
    check_all(worker, [finish(worker, name)])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("action", ["drop_before", "drop_after"])
def test_a_connection_that_breaks_while_sending_is_told_and_mended(worker, action):
    name = str(5000 + len(action))
    worker.stub.rule(action, method="POST", path="/jobs$")
    broken = worker.ask("submit", name)
    worker.stub.rules.clear()
    assert "look" in broken["error"], broken
    check_all(worker, [finish(worker, name)])


@pytest.mark.slow
def test_a_job_that_is_listed_late_is_not_sent_twice(worker):
    worker.stub.faults.listing_lag = 0.1
    try:
        assert worker.ask_killed("submit", "6000", "kill_after", method="POST", path="/jobs$")["killed"]
        key = finish(worker, "6000")
    finally:
        worker.stub.faults.listing_lag = 0.0
    check_all(worker, [key])


@pytest.mark.slow
def test_two_processes_do_not_send_at_once(worker):
    name = "7000"
    first = worker.ask("submit", name)
    with FileLock(worker.folder / f"{first['key']}.lock"):
        assert "another process is working" in worker.ask("submit", name)["error"]
        assert "another process is working" in worker.ask("fetch", first["key"])["error"]
    check_all(worker, [finish(worker, name)])

"""The commands about jobs, as users type them, against a stub of IBM's service; the planted key appears nowhere."""

import json
import os
import socket
import stat
import subprocess
import sys
import zlib
from pathlib import Path

import ibm_stub
import pytest
from cli_runs import CONTEST, EXAMPLES
from ibm_stub import Stub, save_account

ACCOUNT_FILE = "qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE"
QUICK = (
    "--presolve", "none", "--encoding", "table", "--level", "minimised", "--iterations", "1", "--seeds", "1",
    "--shots", "256",
)  # fmt: skip
MANILA = (EXAMPLES / "small.txt", "--backend", "ibm_manila", *QUICK)


@pytest.fixture(scope="module")
def stub():
    with Stub() as stub:
        yield stub


@pytest.fixture
def service(stub):
    """The stub without the faults that the test before it asked for."""
    stub.faults, stub.rules = ibm_stub.Faults(), []
    return stub


@pytest.fixture
def home(service, monkeypatch, tmp_path):
    """The stub as the service, an account with the planted key, a folder of jobs of its own."""
    for name, value in service.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(ACCOUNT_FILE, str(tmp_path / "qiskit-ibm.json"))
    monkeypatch.setattr("urllib3.util.retry.Retry.sleep", lambda *_, **__: None)
    monkeypatch.setenv("GATESOLVE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def asked(request):
    """Words that submit a small board, with a seed that no other test has: what was asked is not sent again."""
    return (*MANILA, "--seed", zlib.crc32(request.node.nodeid.encode()) & 0xFFFFFF)


@pytest.fixture
def quiet(gatesolve, home):
    """Runs a command and looks for the key in what it printed, kept, and sent to the device."""

    def run(*words, **more):
        ran = gatesolve(*words, **more)
        assert "PLANTED" not in ran.out + ran.err
        for path in home.rglob("*") if home.exists() else ():
            assert b"PLANTED" not in path.read_bytes()
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        if home.exists():
            assert stat.S_IMODE(home.stat().st_mode) == 0o700
        return ran

    return run


def test_submit_jobs_fetch(quiet, service, home, tmp_path, asked):
    posted = len(service.jobs)
    service.faults.behaviour = {"queued_polls": 2}
    sent = quiet("submit", *asked, "--json").json
    assert (sent["status"], sent["new"], sent["device"]) == ("sent", True, "ibm_manila")
    assert sent["jobs"][0]["remote"] == service.jobs[-1].id
    assert service.jobs[-1].payload["tags"][0] == sent["jobs"][0]["tag"]
    assert "PLANTED" not in json.dumps(service.jobs[-1].payload)
    repeated = quiet("submit", *asked)
    assert (repeated.status, len(service.jobs)) == (0, posted + 1)
    assert "not sent again" in repeated.out
    assert f"gatesolve fetch {sent['key']}" in repeated.out
    waiting = quiet("fetch", sent["key"])
    assert (waiting.status, "is queued" in waiting.out) == (3, True)
    assert quiet("jobs").out.count("ibm_manila") == 1
    fetched = quiet("fetch", sent["jobs"][0]["remote"], "--wait", "-o", tmp_path / "board.txt")
    assert fetched.status == 0
    assert "solved: " in fetched.out
    assert (tmp_path / "board.txt").read_text().split()
    assert quiet("fetch", sent["key"], "--json").json["result"]["board"][1][1:] in (["0", "3"], ["2", "1"])
    assert quiet("jobs", "--json").json["jobs"][0]["status"] == "solved"
    assert quiet("submit", *asked).out.count("solved: ") == 1
    assert quiet("fetch", sent["key"], "-o", tmp_path / "all.json").status == 0
    assert json.loads((tmp_path / "all.json").read_text())["status"] == "solved"


def test_a_dry_run_sends_and_keeps_nothing(quiet, service, home, asked):
    posted = len(service.jobs)
    dry = quiet("submit", *asked, "--dry-run")
    assert (dry.status, len(service.jobs)) == (0, posted)
    assert "grover" in dry.out
    assert "nothing was sent or kept" in dry.out
    assert not home.exists()
    assert quiet("submit", *asked, "--dry-run", "--json").json["sent"] is False


def test_options_reach_the_service(quiet, service, asked):
    quiet("submit", *asked, "--decoupling", "XY4", "--twirl-measure", "--json")
    assert '"sequence_type": "XY4"' in json.dumps(service.jobs[-1].payload)
    assert quiet("jobs", "--json").json["jobs"][-1]["status"] == "sent"


REFUSALS = {
    "no account": ({"QISKIT_IBM_TOKEN": ""}, {}, "account"),
    "wrong key": ({"QISKIT_IBM_TOKEN": "PLANTED-but-wrong-key"}, {}, "key"),
    "closed": ({}, {"status": {"ibm_manila": [False, "maintenance"]}}, "ibm_manila"),
    "too many shots": ({}, {"max_shots": 100}, "shots"),
}


@pytest.mark.parametrize(("environment", "faults", "said"), REFUSALS.values(), ids=REFUSALS)
def test_what_the_service_refuses_is_one_line(quiet, service, monkeypatch, environment, faults, said, asked):
    posted = len(service.jobs)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    vars(service.faults).update(faults)
    ran = quiet("submit", *asked)
    line = ran.refusal(ran.status)
    assert ran.status in {1, 2}
    assert said in line
    assert len(service.jobs) == posted


def test_no_network_is_one_line(quiet, monkeypatch, asked):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
    line = quiet("submit", *asked).refusal(1)
    assert "network" in line or "reach" in line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fetch", "0123"), "no job is called '0123': gatesolve jobs lists them"),
        (("fetch", "0123", "-o", "board.doc"), "unknown format"),
        (("submit", CONTEST, "--backend", "fake_torino", "--token", "x"), "--token"),
        (("submit", CONTEST, "--backend", "fake_manila", "--decoupling", "ZZ"), "unknown decoupling"),
        (("submit", CONTEST, "--backend", "fake_manila", "--pipeline", "anneal"), "no circuit to send"),
        (("submit", CONTEST, "--backend", "fake_manila", "--encoding", "one-hot", "--presolve", "none"), "5 would"),
    ],
)
def test_what_is_refused_here(quiet, words, said):
    assert said in quiet(*words).refusal()


TRIANGLE = EXAMPLES.parent / "qubo" / "triangle.qubo"


@pytest.mark.parametrize("name", ["[red]a[blue].qubo", "\udcff.qubo"])
def test_names_of_files_are_text_not_markup(quiet, tmp_path, name):
    (tmp_path / name).write_bytes(TRIANGLE.read_bytes())
    words = ("--backend", "fake_manila", "--pipeline", "qaoa", "--layers", "1", "--seeds", "1", "--shots", "64")
    sent = quiet("submit", tmp_path / name, *words)
    assert sent.status == 0
    shown = name.replace("\udcff", "\\udcff")
    assert shown in sent.out
    assert shown in quiet("jobs").out.replace("\n", "")
    # The same under another name is the same.
    (tmp_path / "other.qubo").write_bytes(TRIANGLE.read_bytes())
    assert "not sent again" in quiet("submit", tmp_path / "other.qubo", *words).out


def test_waiting_that_is_interrupted_has_said_how_to_go_on(quiet, service, monkeypatch, asked):
    def interrupt(_):
        raise KeyboardInterrupt

    service.faults.behaviour = {"queued_polls": 9}
    monkeypatch.setattr("gatesolve.api.jobs.time.sleep", interrupt)
    ran = quiet("submit", *asked, "--wait")
    assert (ran.status, ran.err) == (130, "gatesolve: interrupted\n")
    assert "next: gatesolve fetch" in ran.out
    assert quiet("jobs", "--json").json["jobs"][-1]["status"] == "sent"


@pytest.mark.sampled(0.3)
def test_a_process_of_its_own_with_a_saved_account(service, tmp_path, asked):
    """The whole way: account file, submit and fetch as processes, nothing on standard error."""
    account = save_account(tmp_path)
    given = service.environment(token="") | {"HOME": str(tmp_path), "GATESOLVE_HOME": str(tmp_path / "jobs")}
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE", "QISKIT_IBM_CHANNEL", "QISKIT_IBM_URL"):
        given.pop(name, None)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("QISKIT_IBM")} | given

    def run(*words):
        command = [str(Path(sys.executable).with_name("gatesolve")), *map(str, words)]
        ran = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=120)
        assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
        assert "PLANTED" not in ran.stdout
        return ran.stdout

    key = json.loads(run("submit", *asked, "--json"))["key"]
    assert "solved: " in run("fetch", key)
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and path != account]
    assert kept
    assert all(b"PLANTED" not in path.read_bytes() for path in kept)


@pytest.mark.quick("fault0")
@pytest.mark.parametrize("fault", [{"retired": ["ibm_manila"]}, {"status": {"ibm_manila": [False, "maintenance"]}}])
def test_results_of_a_device_that_is_gone_are_fetched(quiet, service, asked, fault):
    key = quiet("submit", *asked, "--json").json["key"]
    vars(service.faults).update(fault)
    assert quiet("fetch", key).status == 0


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    "words",
    [
        ("solve", CONTEST, "--json"),
        ("compile", CONTEST, "-o", "home/circuit.qasm3"),
        ("compile", CONTEST, "-o", "home/circuit.qpy"),
        ("resources", CONTEST),
        ("resources", CONTEST, "--physical", "--machine", "qubit_gate_ns_e3"),
        ("show", CONTEST),
        ("families",),
        ("qubo", CONTEST, "-o", "home/board.json"),
        ("solve", CONTEST, "--encoding", "gray"),
    ],
)
def test_no_other_command_looks_at_the_key(gatesolve, home, monkeypatch, words):
    home.mkdir()
    monkeypatch.chdir(home.parent)
    ran = gatesolve(*words)
    assert ran.status == (2 if "gray" in words else 0)
    assert "PLANTED" not in ran.out + ran.err
    assert all(b"PLANTED" not in path.read_bytes() for path in home.iterdir())

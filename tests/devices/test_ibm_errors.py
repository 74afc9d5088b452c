"""Trouble in connecting to IBM and with its backends is one line with its remedy: the real SDK, the stub service.

A key is planted in the account. It must be in no message, cause, traceback (variables printed too) or output.
"""

import json
import socket
import sys

import pytest
from ibm_stub import INSTANCE, OTHER_INSTANCE, TOKEN, network, save_account
from ibm_stub_answers import access_token
from ibm_stub_jobs import circuit, fake
from paper import suppress
from qiskit import ClassicalRegister, QuantumCircuit, transpile

from gatesolve.devices import UnconfirmedError, ibm, ibm_errors, job_request
from gatesolve.errors import BackendError, GatesolveError, InputError, UnsupportedError

pytestmark = pytest.mark.usefixtures("fresh")


def account(monkeypatch, **values):
    for name, value in values.items():
        monkeypatch.setenv(f"QISKIT_IBM_{name}", value)


# --- connecting -------------------------------------------------------------------------------------------------------


def test_no_account(monkeypatch, says):
    account(monkeypatch, TOKEN="")
    with says(InputError, r"no IBM account: save one .* or set QISKIT_IBM_TOKEN; gatesolve itself takes no token"):
        ibm.connect()


@pytest.mark.parametrize(
    ("content", "pattern"),
    [
        (
            f'{{"default-ibm-quantum-platform": {{"token": "{TOKEN}", ',
            "is not as the SDK writes it: delete it and save",
        ),
        (
            json.dumps({"a": {"token": [TOKEN], "channel": "ibm_quantum_platform"}}),
            "the IBM account is not valid: check QISKIT_IBM_CH",
        ),
        (None, "cannot be read: check its owner and mode"),
    ],
)
def test_a_broken_account_file(content, pattern, fresh, monkeypatch, says):
    account(monkeypatch, TOKEN="")
    if content is None:
        fresh.mkdir()
    else:
        fresh.write_text(content)
    with says(InputError, pattern):
        ibm.connect()


@pytest.mark.parametrize("saved", [False, True])
def test_a_wrong_key(saved, fresh, monkeypatch, says, tmp_path):
    wrong = "PLANTEDwrongKey_" + "7" * 28
    account(monkeypatch, TOKEN="" if saved else wrong)
    if saved:
        save_account(tmp_path, token=wrong).rename(fresh)
    with says(InputError, r"IBM does not know the account's API key: make a new one at https://cloud.ibm.com"):
        ibm.connect()


def test_a_wrong_key_in_the_experimental_mode(world, monkeypatch, says):
    """There the SDK swallows the error, and the next request would block for a minute."""
    for name, value in world[0].environment(token="PLANTED-wrong", direct=True).items():
        monkeypatch.setenv(name, value)
    with says(InputError, "IBM does not know the account's API key"):
        ibm.connect()
    # Nor is the key itself sent in place of an access token, as the SDK would.
    assert "PLANTED-wrong" not in json.dumps(world[0].requests)


@pytest.mark.parametrize("instance", [OTHER_INSTANCE, "no-such-name"])
def test_a_wrong_instance(instance, monkeypatch, says):
    account(monkeypatch, INSTANCE=instance)
    with says(InputError, r"the IBM account has no such instance: check the instance .*QISKIT_IBM_INSTANCE"):
        ibm.connect()


@pytest.mark.parametrize("instance", [INSTANCE, ""])
def test_an_instance_that_refuses(instance, world, monkeypatch, says):
    account(monkeypatch, INSTANCE=instance)
    world[0].faults.forbidden = [INSTANCE]
    with says(InputError, r"the account may not use this instance: check .*IBM error 1200"):
        ibm.connect()


@pytest.mark.parametrize(
    ("iam", "proxy", "pattern"),
    [
        ("http://127.0.0.1:{closed}", "", "IBM's service cannot be reached: check the network, VPN and firewall"),
        ("http://iam.gatesolve.invalid", "", "the network cannot be reached: .* does not resolve; check DNS, VPN"),
        ("http://iam.stub.test", "http://127.0.0.1:{closed}", "the proxy cannot be reached: check HTTPS_PROXY"),
        ("https://127.0.0.1:{stub}", "", r"could not be reached securely \(TLS\)"),
    ],
)
def test_no_network(iam, proxy, pattern, world, monkeypatch, says):
    """The SDK says that the API token is wrong in all these cases."""
    ports = {"closed": 1, "stub": world[0].port}  # nobody listens at port 1
    for name, value in (network(proxy.format(**ports)) | {"IAM_URL": iam.format(**ports)}).items():
        monkeypatch.setenv(name, value)
    with says(BackendError, pattern):
        ibm.connect()


def test_a_silent_network(monkeypatch, says):
    """A firewall that drops what it does not like; the SDK alone waits for a minute."""
    monkeypatch.setattr("gatesolve.devices.ibm.CONNECT_SECONDS", 0.2)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        address = deaf.getsockname()
        with socket.create_connection(address):  # fills its queue: who comes next is not answered
            for name, value in (network("") | {"IAM_URL": f"http://127.0.0.1:{address[1]}"}).items():
                monkeypatch.setenv(name, value)
            with says(BackendError, "did not answer in time: check the network"):
                ibm.connect()


def test_the_sdk_is_not_installed(monkeypatch, says):
    for name in [name for name in sys.modules if name.partition(".")[0] == "qiskit_ibm_runtime"]:
        monkeypatch.setitem(sys.modules, name, None)
    with says(UnsupportedError, r"""^backend ibm needs IBM's SDK: run pip install "gatesolve-circuits\[ibm\]"$"""):
        ibm.connect()


@pytest.mark.parametrize("path", ["/backends$", "/v3/resources/search", "/identity/token"])
@pytest.mark.parametrize(
    ("status", "pattern"),
    [
        (500, r"IBM's service failed \(500\): try again later"),
        (503, r"IBM's service is down, as in a planned maintenance \(503\)"),
        (429, "refuses more requests or jobs for now: wait"),
    ],
)
def test_the_service_fails(status, pattern, path, world, says):
    world[0].rule("status_before", path=path, value=status, times=99)
    with says(BackendError, pattern):
        ibm.connect()


# --- backends ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["retired", "no_configuration"])
def test_a_retired_backend(how, world, monkeypatch, says):
    stub = world[0]
    setattr(stub.faults, how, ["ibm_torino"])
    service = ibm.connect()
    with says(InputError, r"^no backend 'ibm_torino' in this account \(misspelt, retired, .* there are ibm_manila$"):
        ibm.find("ibm_torino", service)


@pytest.mark.parametrize("state", [[False, "maintenance"], [False, "\x1b[2J" + TOKEN]])
def test_a_closed_backend(state, world, says):
    stub, service, *_ = world
    stub.faults.status = {"ibm_manila": state}
    with says(
        BackendError, r"ibm_manila runs no jobs at the moment \(its status: .+\): try again later, or use ibm_torino"
    ):
        ibm.find("ibm_manila", service)


# --- words ------------------------------------------------------------------------------------------------------------


def test_anything_else_is_scrubbed(monkeypatch):
    monkeypatch.setenv("QISKIT_IBM_TOKEN", "short-one")
    problem = ibm_errors.explain_error(RuntimeError(f"odd\nshort-one Authorization: Bearer {TOKEN} \x07"))
    assert isinstance(problem, BackendError)
    assert str(problem) == "IBM's SDK failed: RuntimeError: odd [hidden] [hidden]"


@pytest.mark.parametrize(
    "secret",
    [
        f"Bearer {TOKEN}",
        f"apikey {TOKEN}",
        f'{{"token": "{TOKEN}"}}',
        f"api_key={TOKEN}&x",
        f"password: '{TOKEN}'",
        TOKEN,
        access_token(),
    ],
)
def test_scrub(secret):
    assert "PLANTED" not in ibm_errors.scrub(f"before {secret} after")
    assert ibm_errors.scrub(f"before {secret} after").startswith("before")
    assert ibm_errors.scrub("a job on ibm_torino with 4096 shots failed: d0stub00000000000001") == (
        "a job on ibm_torino with 4096 shots failed: d0stub00000000000001"
    )
    assert len(ibm_errors.scrub("word " * 100)) <= 200


def test_chains_of_any_shape():
    first, second = ValueError("a"), KeyError("b")
    first.__cause__, second.__context__ = second, first
    assert list(ibm_errors.list_causes(first)) == [first, second]
    assert ibm_errors.explain_error(ibm_errors.explain_no_job("x")) is not None
    inner = InputError("mine")
    outer = RuntimeError("theirs")
    outer.__context__ = inner
    assert ibm_errors.explain_error(outer) is inner


# --- Trouble with a job at IBM, from what cannot be sent to what cannot be read, is one line with its remedy ---


PLAIN = suppress()


# --- sending ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("local", [False, True])
def test_circuits_that_a_backend_cannot_run(local, world, says):
    stub, _, manila, _ = world
    manila = fake("manila") if local else manila
    wide = QuantumCircuit(6)
    wide.add_register(ClassicalRegister(6, "measured"))
    raw = QuantumCircuit(3)
    raw.add_register(ClassicalRegister(3, "measured"))
    raw.ccx(0, 1, 2)
    elsewhere = QuantumCircuit(5)
    elsewhere.add_register(ClassicalRegister(1, "measured"))
    elsewhere.cx(0, 4)
    for made, pattern in ((wide, "6 qubits"), (raw, "ccx"), (elsewhere, "cx")):
        with says(InputError, rf"not compiled for \S+: .*{pattern}.*; compile it again"):
            if local:
                ibm.run_local(manila, [made], 10, 1, PLAIN)
            else:
                ibm.send(manila, [made], 10, [], PLAIN)
    assert stub.jobs == []


@pytest.mark.parametrize("shots", [0, -1, 201])
def test_shots_over_the_limit(shots, world, says):
    stub = world[0]
    stub.faults.max_shots = 200
    backend = ibm.find("ibm_manila", ibm.connect())
    with says(InputError, rf"^{shots} shots: ibm_manila takes 1 to 200 in a job: use shots=200 or fewer$"):
        job_request.check_shots(backend, shots)


@pytest.mark.parametrize(
    "usage",
    [
        {"usage_limit_reached": True, "usage_consumed_seconds": 600},
        {"usage_limit_reached": True, "usage_limit_seconds": None},
    ],
)
def test_the_time_of_the_plan_is_spent(usage, world, says):
    stub, _, manila, _ = world
    stub.faults.usage = usage
    before = len(stub.jobs)
    with says(
        BackendError, "has used up its time on the quantum computers, so the job would never start: wait for the"
    ):
        ibm.send(manila, [circuit(manila)], 10, [], PLAIN)
    assert len(stub.jobs) == before


@pytest.mark.parametrize(
    ("status", "code", "pattern"),
    [
        (400, 3211, "has used up its time on the quantum computers"),
        (400, 4317, "has used up its time on the quantum computers"),
        (400, 1002, r"refused the request \(400\) \(IBM error 1002: https://quantum.cloud.ibm.com/docs/errors\)"),
        (400, None, r"refused the request \(400\): update qiskit-ibm-runtime"),
        (401, 1201, "IBM does not know the account's API key"),
        (403, 1200, "the account may not use this instance"),
        (409, None, r"refused the request \(409\)"),
        (429, 3458, r"refuses more requests or jobs for now: wait, then try again \(IBM error 3458"),
    ],
)
def test_a_job_that_is_refused(status, code, pattern, world, says):
    """The answer says that there is no job: nothing uncertain."""
    stub, _, manila, _ = world
    body = {"errors": [{"code": code or status, "message": f"no\nBearer {TOKEN}"}]}
    stub.rule("status_before", method="POST", path="/jobs$", value=status, body=body)
    with says(GatesolveError, pattern):
        try:
            ibm.send(manila, [circuit(manila)], 10, [], PLAIN)
        except UnconfirmedError as error:
            pytest.fail(f"uncertain: {error}")


def test_uncertain_sending(world, says):
    stub, _, manila, _ = world
    stub.rule("drop_after", method="POST", path="/jobs$")
    with says(
        UnconfirmedError,
        r"it is not known whether the job was sent \(the connection to IBM's service broke\): repeat the command",
    ):
        ibm.send(manila, [circuit(manila)], 10, [], PLAIN)


# --- jobs -------------------------------------------------------------------------------------------------------------


def sent(world, **behaviour):
    stub, _, manila, _ = world
    stub.faults.behaviour = behaviour
    return ibm.send(manila, [circuit(manila)], 10, ["t"], PLAIN)


@pytest.mark.parametrize(
    ("reason", "code", "pattern"),
    [
        ("Calibration lost.", 9999, r"failed on IBM's side: Error code 9999; Calibration lost; submit it with again"),
        (
            f"Traceback\n\x1b[31m apikey={TOKEN}\n",
            1,
            r"failed on IBM's side: Error code 1; Traceback \[31m \[hidden\]; ",
        ),
        ("Ran too long", 1305, r"ran longer than allowed and was stopped \(IBM error 1305\): use fewer shots"),
    ],
)
def test_a_failed_job(reason, code, pattern, world, says):
    job = sent(world, end="Failed", reason=reason, reason_code=code)
    assert ibm.state(world[1], job)[0] == "failed"
    with says(BackendError, f"^job {job} {pattern}"):
        ibm.results(world[1], job)


def test_a_cancelled_job(world, says):
    job = sent(world, queued_polls=99)
    world[1].job(job).cancel()
    with says(BackendError, f"^job {job} was cancelled and has no results: submit it once more with again=True$"):
        ibm.results(world[1], job)


@pytest.mark.parametrize("ask", [ibm.state, ibm.results])
def test_no_such_job(ask, world, says):
    with says(InputError, "IBM's service has no job 'd0nothing': it was deleted, or belongs to another account"):
        ask(world[1], "d0nothing")


@pytest.mark.parametrize(
    ("action", "pattern"),
    [("garbage", "gave an answer that cannot be read"), ("drop_before", "connection .* broke: try")],
)
@pytest.mark.parametrize("path", ["/jobs/[^/]*$", "/jobs/.*/results", "/jobs$"])
def test_answers_that_break(action, pattern, path, world, says):
    job = sent(world)
    world[0].rule(action, method="GET", path=path, times=99)
    with says(BackendError, pattern):
        if path == "/jobs$":
            ibm.look_up(world[1], "t")
        else:
            ibm.results(world[1], job)


def test_results_without_the_register(world, says):
    """Somebody else's job."""
    made = QuantumCircuit(1, 1)
    made.measure(0, 0)
    job = sent(world)
    from qiskit_ibm_runtime.executor_sampler import Sampler

    job = Sampler(mode=world[2]).run([transpile(made, world[2])], shots=5).job_id()
    with says(BackendError, f"job {job}: circuit 0 has no register 'measured'; gatesolve did not send it"):
        ibm.results(world[1], job)


@pytest.mark.parametrize("instance", [INSTANCE, ""])
def test_a_service_that_never_answers(instance, world, monkeypatch, says):
    """The SDK would wait for ever."""
    stub = world[0]
    monkeypatch.setenv("QISKIT_IBM_INSTANCE", instance)
    service = ibm.connect()
    monkeypatch.setattr("gatesolve.devices.ibm.READ_SECONDS", 0.1)
    stub.rule("slow", path="/jobs$", value=0.4, times=9)
    with says(BackendError, "did not answer in time: check the network"):
        ibm.look_up(service, "t")

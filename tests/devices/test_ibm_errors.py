"""Trouble in connecting to IBM and with its backends is one line with its mend: the real SDK against the stub service.

A key is planted in the account. It must be in no message, cause, traceback (variables printed too) or output.
"""

import json
import socket
import sys

import pytest
from ibm_stub import INSTANCE, OTHER_INSTANCE, TOKEN, network, save_account
from ibm_stub_answers import access_token

from gatesolve.devices.ibm import errors as ibm_errors
from gatesolve.devices.ibm import service as ibm
from gatesolve.devices.ibm.errors import explain_error, list_causes, scrub
from gatesolve.errors import BackendError, InputError, UnsupportedError

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
    monkeypatch.setattr("gatesolve.devices.ibm.http.CONNECT_SECONDS", 0.2)
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
    with says(
        UnsupportedError, r"""^backend ibm needs IBM's SDK: run pip install "\.\[ibm\]" in gatesolve's checkout$"""
    ):
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


def test_no_such_backend(world, says):
    service = world[1]
    with says(InputError, r"^no backend 'ibm_nowhere' in this account .*; there are ibm_manila, ibm_torino$"):
        ibm.find("ibm_nowhere", service)


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
    problem = explain_error(RuntimeError(f"odd\nshort-one Authorization: Bearer {TOKEN} \x07"))
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
    assert "PLANTED" not in scrub(f"before {secret} after")
    assert scrub(f"before {secret} after").startswith("before")
    assert scrub("a job on ibm_torino with 4096 shots failed: d0stub00000000000001") == (
        "a job on ibm_torino with 4096 shots failed: d0stub00000000000001"
    )
    assert len(scrub("word " * 100)) <= 200


def test_chains_of_any_shape():
    first, second = ValueError("a"), KeyError("b")
    first.__cause__, second.__context__ = second, first
    assert list(list_causes(first)) == [first, second]
    assert explain_error(ibm_errors.explain_no_job("x")) is not None
    inner = InputError("mine")
    outer = RuntimeError("theirs")
    outer.__context__ = inner
    assert explain_error(outer) is inner

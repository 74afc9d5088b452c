"""A stub of IBM's service and a connection to it, and a check that an error gives nothing away."""

import traceback
import warnings
from contextlib import contextmanager

import ibm_stub
import pytest
from ibm_stub import Stub

from gatesolve.devices.ibm import service as ibm
from gatesolve.devices.ibm.errors import list_causes

ACCOUNT_FILE = "qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE"


@pytest.fixture(scope="module")
def world():
    """A stub, a connection for all tests that do not connect themselves, and its two backends."""
    with Stub() as stub, pytest.MonkeyPatch.context() as patch:
        for name, value in stub.environment().items():
            patch.setenv(name, value)
        service = ibm.connect()
        yield stub, service, ibm.find("ibm_manila", service), ibm.find("ibm_torino", service)


@pytest.fixture
def fresh(world, monkeypatch, tmp_path):
    """No faults, no account file but the one at the returned path, and the SDK's retries do not wait."""
    stub = world[0]
    stub.faults, stub.rules = ibm_stub.Faults(), []
    for name, value in stub.environment().items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "qiskit-ibm.json"
    monkeypatch.setattr(ACCOUNT_FILE, str(path))
    monkeypatch.setattr("urllib3.util.retry.Retry.sleep", lambda *_, **__: None)
    return path


@pytest.fixture
def says(capfd):
    """``with says(kind, pattern)``: raises this, on one line, alone, silently and without a secret."""

    @contextmanager
    def check(kind, pattern):
        with warnings.catch_warnings(record=True) as warned, pytest.raises(kind, match=pattern) as caught:  # noqa: PT012
            warnings.simplefilter("always")
            yield
        problem = caught.value
        assert len(str(problem).splitlines()) == 1
        assert len(str(problem)) < 350
        assert list(list_causes(problem)) == [problem]
        assert warned == []
        seen = traceback.TracebackException.from_exception(problem, capture_locals=True)
        # The variables of this test hold the key themselves; those of gatesolve must not.
        ours = [
            line for frame in seen.stack if "/gatesolve/" in frame.filename for line in (frame.locals or {}).values()
        ]
        assert "PLANTED" not in "".join([*ours, *traceback.format_exception(problem), repr(problem.__dict__)])
        assert capfd.readouterr() == ("", "")

    return check

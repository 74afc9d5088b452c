"""Whose device a name is: ours, and those that other packages add."""

import pytest
from contest_kakuro import K4
from packages import install
from qiskit.providers.fake_provider import GenericBackendV2

import gatesolve
from gatesolve.devices import LocalDevice, ibm
from gatesolve.devices import providers as devices
from gatesolve.errors import InputError

LAB = """
from gatesolve.devices import LocalDevice

class Lab:
    def recognises(self, name):
        return name.startswith("lab_")

    def open(self, name, *, seed, any_status):
        return LocalDevice((name, any_status), seed)

PROVIDER = Lab()
NONE = 3
"""


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """Installs a package with one entry point, whose target it returns."""

    def installed(target):
        return target.replace("MODULE", install(monkeypatch, tmp_path, LAB, backends=f"lab = {target}"))

    return installed


def test_another_packages_device_is_found_by_its_name(offer):
    offer("MODULE:PROVIDER")
    assert devices.open_device("lab_chip", 7, any_status=True) == LocalDevice(("lab_chip", True), 7)
    assert devices.open_device("fake_manila", 7).backend.name == "fake_manila"


def test_a_provider_is_named_before_a_colon(offer, monkeypatch):
    offer("MODULE:PROVIDER")
    assert devices.open_device("lab:fake_manila", 7).backend == ("fake_manila", False)
    assert devices.open_device("fake:manila", 7).backend.name == "fake_manila"
    monkeypatch.setattr(devices, "IbmDevice", lambda name, any_status: name)
    assert devices.open_device("ibm:lab_chip", 7) == "lab_chip"
    assert devices.open_device("nobody:lab_chip", 7) == "nobody:lab_chip"


@pytest.mark.parametrize("name", ["fake_manila", "FakeManilaV2", "manila fake", "fake_nothing"])
def test_the_sdks_fake_devices_are_known_by_the_word_at_either_end(name):
    assert devices.FakeProvider().recognises(name)
    assert not devices.FakeProvider().recognises("ibm_fakery")


@pytest.mark.parametrize("name", ["braket_sv", "braket_dm", "braket:braket_sv"])
@pytest.mark.filterwarnings("ignore:You are running a noise-free circuit")
def test_brakets_simulators_run_here(name, tmp_path):
    pytest.importorskip("qiskit_braket_provider")
    asked = {"presolve": "none", "encoding": "table", "shots": 100, "seeds": 1, "folder": tmp_path}
    sent = gatesolve.submit(K4, name, **asked)
    # Nothing was spent yet: another process simulates it.
    done = gatesolve.fetch(sent.key, folder=tmp_path)
    assert done.search.result["readout"]["accepted"] == 100
    assert gatesolve.submit(K4, name, **asked).as_dict() == {**done.as_dict(), "new": False}
    with pytest.raises(InputError, match="is run with its own settings: leave out decoupling"):
        gatesolve.submit(K4, name, **asked, decoupling="XX")


def test_a_name_that_nobody_else_knows_is_ibms(monkeypatch):
    monkeypatch.setattr(devices, "IbmDevice", lambda name, any_status: (name, any_status))
    assert devices.open_device("somewhere", 0) == ("somewhere", False)


@pytest.mark.parametrize("target", ["MODULE:MISSING", "MODULE:NONE", "no_such_module:PROVIDER"])
def test_a_broken_provider_stops_nobody_elses_devices(offer, monkeypatch, target):
    offer(target)
    assert devices.open_device("fake_manila", 0).backend.name == "fake_manila"
    monkeypatch.setattr(devices, "IbmDevice", lambda name, any_status: (name, any_status))
    assert devices.open_device("somewhere", 0) == ("somewhere", False)


def _unknown(*_, **__):
    raise InputError("not known here")


@pytest.mark.parametrize("target", ["MODULE:MISSING", "MODULE:NONE", "no_such_module:PROVIDER"])
@pytest.mark.parametrize(
    ("fails", "ask"),
    [
        ("connect", lambda device: device),
        ("find", lambda device: device.backend),
        ("state", lambda device: device.state("a job")),
    ],
)
def test_a_broken_provider_is_named_where_nobody_knows_the_device(offer, monkeypatch, target, fails, ask):
    target = offer(target)
    monkeypatch.setattr(ibm, "connect", lambda: None)
    monkeypatch.setattr(ibm, fails, _unknown)
    broken = rf"the backend 'lab' \({target}\) cannot be used: .*: correct its package, or uninstall it"
    with pytest.raises(InputError, match=f"^not known here; {broken}$"):
        ask(devices.open_device("lab_chip", 0))


def test_where_none_is_broken_none_is_named(offer, monkeypatch):
    offer("MODULE:PROVIDER")
    monkeypatch.setattr(ibm, "connect", _unknown)
    with pytest.raises(InputError, match=r"^not known here$"):
        devices.open_device("somewhere", 0)


def test_a_local_device_runs_any_backend_of_qiskit():
    device = LocalDevice(GenericBackendV2(2, seed=1), 5)
    assert device.state(device.send(None, None)) == ("done", "")
    assert device.look_up("a tag") == ()

"""A backend or sampler in Python in the place of a device's name."""

import pytest
from contest_kakuro import K4
from qiskit.primitives import BackendSamplerV2, StatevectorSampler
from qiskit.providers import JobStatus
from qiskit.providers.fake_provider import GenericBackendV2
from qiskit_aer import AerSimulator

import gatesolve
from gatesolve.api import preview
from gatesolve.devices import IbmDevice, OwnDevice, Store, open_own_device
from gatesolve.errors import BackendError, InputError
from gatesolve.model import Model, NotEqual, Objective, Variable

ASKED = {"presolve": "none", "encoding": "table", "shots": 200, "seeds": 1}
MAXIMISED = Model(
    tuple(Variable(name, (0, 1, 2)) for name in "ab"), (NotEqual("a", "b"),), Objective(((2, "a"), (1, "b")), 3, "max")
)


def chip(**settings):
    return GenericBackendV2(6, coupling_map=[[k, k + 1] for k in range(5)], seed=3, **settings)


class Service(AerSimulator):
    """A backend whose jobs are found by their ids."""

    kept = {}  # noqa: RUF012

    def run(self, circuits, shots, **settings):
        job = super().run(circuits, shots=shots, **settings)
        self.kept[job.job_id()] = job
        return job

    def retrieve_job(self, remote):
        return self.kept[remote]


@pytest.fixture
def ask(tmp_path):
    return lambda device, problem=K4, **more: gatesolve.submit(problem, device, **{**ASKED, "folder": tmp_path, **more})


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [chip(), AerSimulator(), StatevectorSampler(seed=2), BackendSamplerV2(backend=chip())],
    ids=["GenericBackendV2", "AerSimulator", "StatevectorSampler", "BackendSamplerV2"],
)
def test_an_object_is_sent_jobs_and_its_counts_are_judged(ask, tmp_path, given):
    sent = ask(given)
    assert sent.new
    done = gatesolve.fetch(sent, wait=True, folder=tmp_path)
    assert done.status == "solved"
    assert K4.check(done.solution)
    readout = done.search.result["readout"]
    assert readout["shots"] == 200
    assert readout["accepted"] > 150
    assert done.jobs[0].remote
    # What was judged is on disk, and needs the object no more.
    assert gatesolve.fetch(done.key, folder=tmp_path).as_dict() == {**done.as_dict(), "new": False}


@pytest.mark.sampled(0.5)
def test_a_backend_that_reports_errors_is_estimated_by_them(ask):
    assert 0.25 < ask(chip()).shares.expected < 1
    assert ask(AerSimulator()).shares.expected is None
    (circuit,) = preview(K4, chip(), presolve="none", encoding="table", seeds=1)
    assert 0 < circuit["estimate"]["fidelity"] < 1


@pytest.mark.sampled(0.5)
def test_each_call_asks_an_object_anew(ask, tmp_path):
    """Two objects of one name may be two devices: the answer of one is not the other's."""
    first, second = ask(chip()), ask(chip())
    assert first.key != second.key
    assert second.new
    assert {one.search.device.rpartition("#")[0] for one in gatesolve.jobs(folder=tmp_path)} == {chip().name}


def test_what_cannot_be_promised_is_said_in_one_line(ask, tmp_path):
    sent = ask(chip(), wait=False)
    assert "is an object in Python: give fetch what submit returned" in sent.message
    with pytest.raises(InputError, match="generic_backend_6q, an object in Python, which cannot be found by its name"):
        gatesolve.fetch(sent.key, folder=tmp_path)
    with pytest.raises(BackendError, match=r"has ended, and cannot find it again .*: submit the problem anew"):
        gatesolve.fetch(sent.key, device=chip(), folder=tmp_path)
    with pytest.raises(InputError, match="was not sent to aer_simulator: give generic_backend_6q as device"):
        gatesolve.fetch(sent.key, device=AerSimulator(), folder=tmp_path)
    with pytest.raises(InputError, match=r"^'ibm_x' is neither a BackendV2 nor a V2 sampler"):
        gatesolve.fetch(sent.key, device="ibm_x", folder=tmp_path)
    assert gatesolve.fetch(sent, wait=True, folder=tmp_path).status == "solved"


@pytest.mark.sampled(0.5)
def test_an_object_that_finds_jobs_by_their_ids_goes_on_in_another_process(ask, tmp_path):
    sent = ask(Service())
    assert "after that its job is found by its id" in sent.message
    assert gatesolve.fetch(sent.key, device=Service(), wait=True, folder=tmp_path).status == "solved"


def test_a_job_that_may_have_been_sent_is_not_sent_again(ask, tmp_path, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    backend = Service()
    monkeypatch.setattr(OwnDevice, "send", killed)
    with pytest.raises(KeyboardInterrupt):
        ask(backend)
    monkeypatch.undo()
    ((search,), before) = Store(tmp_path).searches(), dict(Service.kept)
    with pytest.raises(BackendError, match=r"aer_simulator may have been given job gatesolve-.* already"):
        gatesolve.fetch(search.key, device=backend, folder=tmp_path)
    assert Service.kept == before


def test_adaptive_search_sends_its_next_job_to_the_same_object(ask):
    found = ask(AerSimulator(), MAXIMISED, pipeline="gas", wait=True, shots=2, seed=3)
    assert found.status == "solved"
    assert len(found.jobs) > 1
    assert found.search.result["energy"] == 8


def test_a_job_that_fails_says_why(ask, tmp_path):
    class Failing(Service):
        def run(self, circuits, shots, **settings):
            job = super().run(circuits, shots, **settings)
            job.status = lambda: JobStatus.ERROR
            return job

    done = gatesolve.fetch(ask(Failing()), folder=tmp_path)
    assert done.status == "failed"
    assert "aer_simulator was failed" not in done.message
    assert done.message.endswith("of aer_simulator failed")


def test_what_an_object_raises_is_one_line_and_the_job_can_be_sent_again(ask, tmp_path, monkeypatch):
    class Broken(AerSimulator):
        def run(self, circuits, shots, **settings):
            raise ValueError("no power\nat all")

    with pytest.raises(BackendError, match=r"^aer_simulator failed: ValueError: no power at all$"):
        ask(Broken())
    ((search,),) = (Store(tmp_path).searches(),)
    assert gatesolve.fetch(search.key, device=AerSimulator(), wait=True, folder=tmp_path).status == "solved"


@pytest.mark.parametrize("given", [None, 3, object(), AerSimulator])
def test_what_is_no_device_is_refused(ask, given):
    with pytest.raises(InputError, match=r"no device: name one, .* or give a BackendV2 or a V2 sampler"):
        ask(given)


def test_a_device_given_as_backend_is_pointed_to_device():
    with pytest.raises(InputError, match="give device="):
        gatesolve.submit(K4, backend=chip())
    with pytest.raises(InputError, match=r"^no device: name one"):
        gatesolve.submit(K4)


def test_an_object_of_ibms_service_is_the_device_of_that_name(world, fresh, ask, tmp_path):
    """Its jobs are found by their tags and fetched by their key, in any process."""
    stub, service, backend, _ = world
    sent = ask(backend)
    assert (sent.search.device, sent.device, sent.new) == ("ibm_manila", None, True)
    again = ask("ibm_manila")
    assert (again.key, again.new) == (sent.key, False)
    assert gatesolve.fetch(sent.key, folder=tmp_path).jobs[0].remote == sent.jobs[0].remote
    opened = open_own_device(backend, 0)
    assert isinstance(opened, IbmDevice)
    assert (opened.backend, opened.service) == (backend, service)
    with pytest.raises(InputError, match="was not sent to ibm_manila: give ibm_torino as device"):
        open_own_device(backend, 0, kept="ibm_torino")
    stub.faults.status = {"ibm_manila": [True, "internal"]}
    with pytest.raises(BackendError, match="ibm_manila runs no jobs"):
        ask(backend, seed=1)

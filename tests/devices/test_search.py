"""Submitting and fetching on a device on paper: what is kept, sent and judged, whatever comes in between."""

import json
import sqlite3
from contextlib import closing

import pytest
from contest_kakuro import K4, K7
from paper import Paper, fetch, submit_on_paper
from qiskit_aer.primitives import SamplerV2

import gatesolve
from gatesolve.api import jobs as calls
from gatesolve.devices import DamagedError, Store, UnconfirmedError
from gatesolve.errors import BackendError, DoesNotFitError, InfeasibleError, InputError, UnsupportedError
from gatesolve.model import Linear, Model, NotEqual, Objective, Variable

MAXIMISED = Model(
    tuple(Variable(name, (0, 1, 2)) for name in "ab"), (NotEqual("a", "b"),), Objective(((2, "a"), (1, "b")), 3, "max")
)


def exact(job, form, circuit):
    """What the device's circuit gives without noise, sampled."""
    result = SamplerV2(seed=5).run([circuit], shots=job.shots).result()
    return result[0].data.measured.get_counts()


@pytest.fixture
def desk(monkeypatch, tmp_path):
    """A paper device under every name, and the store."""
    device = Paper(exact)
    monkeypatch.setattr(calls, "open_device", lambda name, seed, any_status=False: device)
    return device, Store(tmp_path)


def submit(desk, problem=K4, chosen=(), **options):
    return submit_on_paper(desk, problem, {"shots": 200, **dict(chosen)}, **options)


def test_a_search_is_sent_waited_for_and_judged(desk):
    device = desk[0]
    sent = submit(desk)
    assert (sent.status, sent.new, sent.solution) == ("sent", True, None)
    assert sent.jobs[0].remote == "paper-1"
    device.states["paper-1"] = ("queued", "")
    assert fetch(desk, sent.key).status == "sent"
    device.states.clear()
    done = fetch(desk, sent.key[:6])
    assert done.status == "solved"
    assert K4.check(done.solution)
    assert done.search.result["readout"]["accepted"] > 150
    # It is kept: asked again, neither the device nor its counts are needed.
    device.answer = None
    assert fetch(desk, "paper-1").as_dict() == done.as_dict()
    assert json.loads(json.dumps(done.as_dict())) == done.as_dict()


@pytest.mark.sampled(0.5)
def test_what_was_asked_is_asked_once(desk):
    device, _ = desk
    first = submit(desk)
    second = submit(desk)
    assert (second.key, second.new, len(device.jobs)) == (first.key, False, 1)
    fetch(desk, first.key)
    assert submit(desk).status == "solved"
    forced = submit(desk, chosen={"force": True})
    assert (forced.key, len(device.jobs)) == (first.key, 1)
    again = submit(desk, again=True)
    assert again.key != first.key
    assert len(device.jobs) == 2
    assert submit(desk, seed=1).key not in {first.key, again.key}
    assert submit(desk, chosen={"shots": 201}).new


def test_a_lost_file_of_jobs_is_made_up_for_by_the_tag(desk, tmp_path):
    device, _ = desk
    first = submit(desk)
    other = (device, Store(tmp_path / "other"))
    assert submit(other).jobs[0].remote == first.jobs[0].remote
    assert len(device.jobs) == 1


def test_a_refused_job_is_sent_when_asked_again(desk):
    device, store = desk
    device.fails = [BackendError("the queue is closed: try again later")]
    with pytest.raises(BackendError, match="queue is closed"):
        submit(desk)
    assert store.jobs(store.searches()[0].key)[0].status == "prepared"
    assert submit(desk).status == "sent"


def test_a_job_whose_fate_is_unknown_is_looked_for(desk):
    device, store = desk
    device.fails = [UnconfirmedError("the connection broke")]
    with pytest.raises(BackendError, match="connection broke"):
        submit(desk)
    (job,) = store.jobs(store.searches()[0].key)
    assert job.status == "sending"
    device.jobs.append(job)  # it had arrived
    assert submit(desk).jobs[0].remote == "paper-1"
    assert len(device.jobs) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("state", ["cancelled", "failed"])
def test_a_job_that_ends_without_counts_says_why(desk, state):
    sent = submit(desk)
    desk[0].states["paper-1"] = (state, "job paper-1: calibration went wrong: try again")
    done = fetch(desk, sent.key)
    assert done.status == "failed"
    assert done.search.result["message"] == "job paper-1: calibration went wrong: try again"
    assert fetch(desk, sent.key).status == "failed"
    assert submit(desk, again=True).new


def test_noise_alone_is_not_called_a_solution(desk):
    """All bits at random: boards are found, as by guessing, and the verdict says so."""

    def noise(job, form, circuit):
        width = circuit.cregs[0].size
        return {format(k, f"0{width}b"): job.shots // 2**width for k in range(2**width)}

    desk[0].answer = noise
    done = fetch(desk, submit(desk, K4, chosen={"shots": 320}).key)
    assert done.status == "solved"
    assert "luck" in done.search.result["message"]
    assert done.search.result["readout"]["p_value"] > 0.05


@pytest.mark.sampled(0.5)
def test_adaptive_search_goes_down_job_by_job(desk):
    sent = submit(desk, MAXIMISED, pipeline="gas", encoding="binary", seed=1)
    done = fetch(desk, sent.key, wait=True)
    assert len(done.jobs) > 1
    assert done.solution == {"a": 2, "b": 1}
    assert done.search.result["energy"] == 8
    assert [job.status for job in done.jobs] == ["done"] * len(done.jobs)
    thresholds = [job.records[0]["threshold"] for job in done.jobs]
    assert thresholds == sorted(set(thresholds), reverse=True)
    assert done.search.result["notes"]


@pytest.mark.slow
def test_what_cannot_be_sent_is_refused_before_anything_is_kept(desk):
    device, store = desk
    impossible = Model((Variable("a", (0, 1)), Variable("b", (0, 1))), (Linear(((1, "a"), (1, "b")), "==", 5),))
    for error, pattern, problem, options in (
        (InfeasibleError, "no solution", impossible, {}),
        (InputError, "leaves nothing to search", K7, {"presolve": "propagate"}),
        (DoesNotFitError, "6 would", K7, {"encoding": "one-hot"}),
        (UnsupportedError, "no circuit to send", K4, {"pipeline": "anneal"}),
        (InputError, "leave out gates", K4, {"gates": "clifford+t"}),
        (InputError, "use pipeline='gas' or 'qaoa'", MAXIMISED, {"pipeline": "grover"}),
    ):
        with pytest.raises(error, match=pattern):
            submit(desk, problem, **options)
    assert store.searches() == ()
    assert device.jobs == []


def test_a_circuit_that_drowns_in_noise_is_refused_unless_forced(desk, monkeypatch):
    monkeypatch.setattr("gatesolve.devices.isa.signal_z", lambda *_: 0.5)
    with pytest.raises(DoesNotFitError, match=r"no signal on .*: \d+ two-qubit gates .* force=True"):
        submit(desk)
    assert submit(desk, chosen={"force": True}).status == "sent"


def test_a_circuit_without_iterations_is_chosen_where_they_do_not_help(desk):
    most, half = "x, y in 0..2; x + y <= 2; x > y", "a, b, c in 0..1; a + b == 1; a != b"
    (form,) = submit(desk, most).jobs[0].forms
    assert (form.marked, form.size, form.iterations) == (2, 3, 0)
    assert any("no Grover iteration" in note and "use exact=True" in note for note in form.notes)
    exact = submit(desk, most, exact=True).jobs[0].forms[0].estimate
    assert form.estimate.chance < form.estimate.expected < exact.expected
    with pytest.raises(DoesNotFitError, match=r"give 50 % solutions, and noise alone 50 %: use .* exact=True or more"):
        submit(desk, half, encoding="binary")
    assert submit(desk, half, encoding="binary", exact=True).jobs[0].forms[0].estimate.ideal == 1


@pytest.mark.parametrize(
    ("choices", "pattern"),
    [
        ({"shots": 0}, "shots is 0"),
        ({"shots": True}, "shots is True"),
        ({"seeds": 0}, "seeds is 0"),
        ({"decoupling": "YY"}, "unknown decoupling 'YY': choose one of XX"),
        ({"projection": "guess"}, "unknown projection"),
        ({"mitigate": "yes"}, "mitigate is 'yes'"),
        ({"layers": 8}, "layers=8 belongs to pipeline='qaoa': leave out layers"),
    ],
)
def test_bad_choices(tmp_path, choices, pattern):
    with pytest.raises(InputError, match=pattern):
        gatesolve.api.jobs.submit(K4, "fake_manila", folder=tmp_path, **choices)


def test_a_damaged_record_is_not_built_on_and_asked_for_anew(desk):
    device, store = desk
    first, other = submit(desk), submit(desk, seed=1)
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute("UPDATE jobs SET records = '[{}]' WHERE search = ?", (first.key,))
    for call in (lambda: submit(desk), lambda: fetch(desk, first.key)):
        with pytest.raises(DamagedError, match=rf"jobs\.sqlite3: the record of job {first.key} .* again=True"):
            call()
    assert len(device.jobs) == 2
    assert fetch(desk, other.key).status == "solved"
    anew = submit(desk, again=True)
    assert (anew.new, anew.search.request["repeat"], len(device.jobs)) == (True, 1, 3)
    assert fetch(desk, anew.key).status == "solved"
    assert [one.status for one in calls.jobs(folder=store.folder)] == ["damaged", "solved", "solved"]


@pytest.mark.sampled(0.5)
def test_a_search_that_becomes_too_much_keeps_what_it_has(desk, monkeypatch):
    sent = submit(desk, MAXIMISED, pipeline="gas", encoding="binary", seed=1)

    def refuse(*_):
        raise DoesNotFitError("no signal on paper: use a smaller problem")

    monkeypatch.setattr("gatesolve.devices.isa.DeviceBench.require_signal", refuse)
    done = fetch(desk, sent.key, wait=True)
    assert done.search.status == "solved"
    assert done.search.result["notes"] == ["ended early: no signal on paper: use a smaller problem"]

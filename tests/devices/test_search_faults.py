"""What goes wrong around a search on a device: crashes, other machines, odd answers, and choices that do not fit."""

import time
from dataclasses import replace

import pytest
from contest_kakuro import K4
from paper import Paper, fetch, submit_on_paper
from qiskit_aer.primitives import SamplerV2

import gatesolve
from gatesolve.api import jobs as calls
from gatesolve.devices import JobRequest, Pace, Store, UnconfirmedError, decoding_key, isa
from gatesolve.errors import BackendError, InputError
from gatesolve.model import Model, NotEqual, Objective, Variable
from gatesolve.planning import Clock

FREE = Model((Variable("a", (0, 1)), Variable("b", (0, 1))), ())
LARGEST = replace(FREE, objective=Objective(((2, "a"), (1, "b")), 0, "max"))


def zeros(job, form, circuit):
    """A device that is stuck."""
    return {"0" * next(r.size for r in circuit.cregs if r.name == "measured"): job.shots}


@pytest.fixture
def desk(monkeypatch, tmp_path):
    """A paper device under every name, and the store."""
    device = Paper(zeros)
    monkeypatch.setattr(calls, "open_device", lambda name, seed, any_status=False: device)
    return device, Store(tmp_path)


def submit(desk, problem=K4, chosen=(), **options):
    return submit_on_paper(desk, problem, {"shots": 64, "force": True, **dict(chosen)}, **options)


def elsewhere(desk, tmp_path):
    """Another machine with the same account."""
    return desk[0], Store(tmp_path / "elsewhere")


@pytest.mark.parametrize("arrived", [True, False])
def test_again_that_was_interrupted_is_not_sent_twice(desk, arrived):
    device, store = desk
    submit(desk)
    device.fails = [UnconfirmedError("the connection broke")]
    with pytest.raises(BackendError, match="connection broke"):
        submit(desk, again=True)
    if arrived:
        device.jobs.append(store.jobs(store.pick_search(None).key)[0])
    mended = submit(desk, again=True)
    assert (len(device.jobs), len(store.searches())) == (2, 2)
    assert mended.jobs[0].remote == "paper-2"
    assert mended.new == (not arrived)


def test_again_sends_one_more_from_another_machine(desk, tmp_path):
    other = elsewhere(desk, tmp_path)
    first = submit(desk)
    found = submit(other)
    assert (found.jobs[0].remote, found.new) == (first.jobs[0].remote, False)
    assert submit(elsewhere(desk, tmp_path / "third"), again=True).jobs[0].remote == "paper-2"


def test_a_job_of_other_circuits_is_not_decoded_by_this_record(desk, tmp_path):
    device = desk[0]
    submit(desk)
    (job,) = device.jobs
    device.jobs = [replace(job, decoding=decoding_key([{**record, "postprocessing": {}} for record in job.records]))]
    with pytest.raises(InputError, match=r"paper-1, but of other circuits.*again=True"):
        submit(elsewhere(desk, tmp_path))
    assert len(device.jobs) == 1


def test_a_clock_that_was_set_back_does_not_stop_it(desk):
    device, store = desk
    device.fails = [UnconfirmedError("the connection broke")]
    with pytest.raises(BackendError):
        submit(desk)
    store.mark(store.jobs(store.pick_search(None).key)[0], "sending", sending_at=time.time() + 1e6)
    assert submit(desk, pace=Pace(settle=0.05, poll=0.0)).status == "sent"


def test_a_job_with_too_few_results_is_left_open(desk, monkeypatch):
    sent = submit(desk)
    monkeypatch.setattr(Paper, "results", lambda *_: ())
    with pytest.raises(BackendError, match="0 results for 1 circuits"):
        fetch(desk, sent.key)
    assert desk[1].jobs(sent.key)[0].status == "sent"


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        ({"backend": "aer"}, "leave out backend"),
        ({"pipeline": "qaoa", "iterations": 1}, "iterations=1 belongs to pipeline='grover' or 'gas'"),
        ({"pipeline": "gas", "threshold": -5.0}, "nothing can lie below that threshold"),
        ({"pipeline": "gas", "threshold": 100.0}, "nothing to search"),
    ],
)
def test_choices_that_would_be_ignored_are_refused(desk, options, pattern):
    with pytest.raises(InputError, match=pattern):
        submit(desk, **options)


@pytest.mark.parametrize("pipeline", ["grover", "gas"])
def test_a_space_of_solutions_alone_needs_no_device(desk, pipeline):
    with pytest.raises(InputError, match="nothing to search: gatesolve solve"):
        submit(desk, FREE, pipeline=pipeline)


def test_adaptive_search_ends_where_nothing_is_marked(desk):
    """Below the lowest cost, which is above the bound that is known, the oracle is empty: there is nothing to run."""
    unequal = replace(FREE, constraints=(NotEqual("a", "b"),), objective=Objective(((3, "a"), (1, "b")), 0, "min"))
    desk[0].answer = lambda job, form, circuit: dict.fromkeys(("00", "01", "10", "11"), 16)
    done = fetch(desk, submit(desk, unequal, pipeline="gas", level="minimised", encoding="binary").key)
    assert (done.search.result["energy"], len(done.jobs)) == (1, 1)
    assert done.search.result["notes"] == ["nothing lower can exist: the lowest possible cost was measured"]


def test_a_failed_mitigation_hides_nothing(desk, monkeypatch):
    def fail(*_):
        raise BackendError("mthree failed: singular")

    monkeypatch.setattr("gatesolve.devices.readout.mitigate_states", fail)
    done = fetch(desk, submit(desk, chosen={"mitigate": True}).key)
    assert done.search.result["readout"]["shots"] == 64
    assert done.search.result["notes"] == ["not mitigated: mthree failed: singular"]


def test_nearest_codewords_are_those_of_the_spaces_own_bits(desk, monkeypatch):
    domains = {"a": range(5), "b": range(3)}
    board = Model(tuple(Variable(name, tuple(d)) for name, d in domains.items()), (NotEqual("a", "b"),))
    program = gatesolve.compile(board, encoding="one-hot", presolve="none").program
    monkeypatch.setattr(isa, "compile_isa", lambda circuits, *_, **__: circuits["lowered"])
    made = {}
    for projection in ("discard", "nearest"):
        chosen = JobRequest("paper", projection=projection)
        made[projection] = isa.DeviceBench(chosen, desk[0], 0, Clock()).prepare(program)
    assert made["discard"].postprocessing.ops
    assert (made["nearest"].postprocessing.ops, made["nearest"].postprocessing.measured) == ((), tuple(range(8)))
    # Without errors both give the same states.
    shares = []
    for one in made.values():
        counts = SamplerV2(seed=5).run([one.isa], shots=4000).result()[0].data.measured.get_counts()
        shares.append({state: shots / 4000 for state, shots in one.postprocessing.states(counts).items()})
    assert set(shares[0]) | set(shares[1]) <= set(map(program.space.state, range(program.space.size)))
    assert all(abs(shares[0][state] - share) < 0.05 for state, share in shares[1].items())


def test_a_search_on_a_device_that_is_gone_keeps_what_it_has(desk, monkeypatch):
    sent = submit(desk, LARGEST, pipeline="gas", encoding="binary", seed=1)
    desk[0].answer = lambda job, form, circuit: {"11": 64}

    class Gone(Paper):
        @property
        def backend(self):
            raise InputError("no backend 'paper' in this account")

    gone = Gone.__new__(Gone)
    vars(gone).update({name: value for name, value in vars(desk[0]).items() if name != "backend"})
    monkeypatch.setattr("gatesolve.pipelines.gas.pipeline.next_threshold", lambda *_: 1)
    monkeypatch.setattr(calls, "open_device", lambda *_: gone)
    done = fetch(desk, sent.key)
    assert done.status == "solved"
    assert done.search.result["notes"] == ["ended early: no backend 'paper' in this account"]

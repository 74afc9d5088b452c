"""Stores that former versions left: every job in them is listed, fetched, and known when it is asked for again."""

import lzma
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gatesolve.api import jobs as calls
from gatesolve.api.problem_record import restore_problem
from gatesolve.devices.jobs.record import Damaged
from gatesolve.devices.jobs.store import FILE, Store
from gatesolve.devices.jobs.upgrade import FORM
from gatesolve.errors import InputError

STORES = Path(__file__).parent / "stores"
sys.path.append(str(STORES))

from asked_problems import DECODED, ELIMINATED, MODEL, QUBO  # noqa: E402

VERSIONS = [path.name for path in sorted(STORES.iterdir()) if (path / f"{FILE}.xz").exists()]
COMMON = {"device": "fake_lagos", "seeds": 1, "shots": 256, "force": True, "seed": 3}
ONE_HOT = {"encoding": "one-hot", "level": "minimised", "iterations": 1}
GROVER = (str(STORES / "board.txt"), {"presolve": "none", "level": "minimised", "mitigate": True})
REMOVED = (ELIMINATED, {**ONE_HOT, "presolve": "affine"})
GAS = (MODEL, {"pipeline": "gas", "level": "minimised"})
QAOA = (QUBO, {"pipeline": "qaoa", "layers": 1})
ASKED = [
    *(GROVER, GROVER, REMOVED, REMOVED, GAS, GAS, QAOA, QAOA),
    (DECODED, {**ONE_HOT, "presolve": "none", "device": "fake_guadalupe"}),
    (MODEL, {"pipeline": "qaoa", "layers": 1, "rounds": 1}),
    (MODEL, {"pipeline": "gas", "level": "minimised", "seed": 4}),
]
"""In the order of the store; the second of two equal ones was asked for with ``again``."""
STATUSES = [*["solved", "sent"] * 4, "sent", "sent", "done"]
SOLUTIONS = {
    0: {"r2c2": 2, "r2c3": 1, "r3c2": 1, "r3c3": 3},
    2: {"a": 1, "b": 0, "f": 1, "e": 1, "g": 2},
    4: {"a": 2, "b": 1, "c": 0, "d": 5},
    6: {"u": 1, "v": 0, "w": 1},
}
BEST = {4: 8, 5: 8, 6: -11 / 3, 7: -11 / 3}


@pytest.fixture(params=VERSIONS)
def folder(request, tmp_path):
    (tmp_path / FILE).write_bytes(lzma.decompress((STORES / request.param / f"{FILE}.xz").read_bytes()))
    return tmp_path


def test_every_form_is_kept():
    forms = set()
    for name in VERSIONS:
        data = lzma.decompress((STORES / name / f"{FILE}.xz").read_bytes())
        forms.add(int.from_bytes(data[60:64], "big"))  # SQLite's user version
    assert forms == set(range(1, FORM + 1))


def test_all_jobs_are_listed_with_what_came_of_them(folder):
    found = calls.jobs(folder=folder)
    assert [one.status for one in found] == STATUSES
    assert {k: one.solution for k, one in enumerate(found) if one.solution} == SOLUTIONS
    for k, one in enumerate(found):
        problem = restore_problem(one.search.problem)
        assert one.solution is None or not problem.complaints(one.solution)
        assert one.search.result is None or one.search.result["energy"] == BEST.get(k)
        assert {"presolve", "encoding", "notes"} <= set(one.as_dict()["jobs"][0]["circuits"][0])


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3, 7, 8])
def test_what_was_waited_for_is_fetched_and_judged(folder, number):
    key = calls.jobs(folder=folder)[number].key
    done = calls.fetch(key, wait=True, folder=folder)
    assert (done.key, done.status) == (key, "solved")
    assert not restore_problem(done.search.problem).complaints(done.solution)
    assert done.search.result["readout"]["shots"] == 256
    assert done.search.result["energy"] == BEST.get(number)
    assert calls.fetch(key, folder=folder).search == done.search


def test_what_was_measured_so_far_is_kept_whatever_comes_next(folder, monkeypatch):
    """Another version may lay the problem out otherwise: then nothing more is sent, and what was paid for is judged."""
    monkeypatch.setattr("gatesolve.pipelines.gas.device.fingerprint", lambda *_: "another")
    done = calls.fetch(calls.jobs(folder=folder)[-1].key, wait=True, folder=folder)
    assert (done.status, len(done.jobs)) == ("solved", 1)
    (note,) = done.search.result["notes"]
    assert note.startswith(f"ended early: job {done.key} was begun by another version of gatesolve")
    assert not restore_problem(done.search.problem).complaints(done.solution)


@pytest.mark.quick("31a1022")
def test_tuning_that_another_version_began_ends_with_its_first_round(folder):
    key = calls.jobs(folder=folder)[9].key
    done = calls.fetch(key, wait=True, folder=folder)
    assert (done.key, done.status, len(done.jobs), done.search.result["energy"]) == (key, "solved", 1, 8)
    assert done.search.result["notes"] == ["ended early: angles are no longer tuned on devices"]


def test_the_same_request_is_known_again(folder):
    before = calls.jobs(folder=folder)
    for number in (0, 2, 4, 6, 8):
        problem, options = ASKED[number]
        found = calls.submit(problem, folder=folder, **{**COMMON, **options})
        assert (found.key, found.new, found.status) == (before[number].key, False, STATUSES[number])
    assert len(calls.jobs(folder=folder)) == len(before)


@pytest.mark.quick("31a1022", "form3")
def test_again_is_a_third_time(folder):
    problem, options = GROVER
    keys = {one.key for one in calls.jobs(folder=folder)}
    found = calls.submit(problem, folder=folder, again=True, **{**COMMON, **options})
    assert (found.new, found.search.plan["repeat"], found.key in keys) == (True, 2, False)


def test_jobs_keep_the_tags_that_they_were_sent_under(folder, request):
    store = Store(folder)
    tags = [job.decoding_tag for search in store.searches() for job in store.jobs(search.key)]
    with closing(sqlite3.connect(folder / FILE)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if "5bea42f" in request.node.callspec.id:
        assert all(tag.count("-") == 2 for tag in tags)  # the first versions sent one tag alone
    else:
        assert all(tag.count("-") == 3 for tag in tags)
    # The former rows stay beside the new ones.
    assert len(tables) == (2 if "form3" in request.node.callspec.id else 4)


@pytest.mark.parametrize("version", ["5bea42f", "39afa42"])
@pytest.mark.parametrize(
    ("spoil", "bad"),
    [
        ("UPDATE searches SET problem = '[1' WHERE rowid = 3", 2),
        ("UPDATE searches SET problem = '{}' WHERE rowid = 3", 2),
        ("UPDATE jobs SET forms = '[' WHERE search = (SELECT key FROM searches WHERE rowid = 2)", 1),
        ("UPDATE jobs SET forms = '[{}]' WHERE search = (SELECT key FROM searches WHERE rowid = 2)", 1),
    ],
)
def test_a_former_record_that_is_damaged_hides_no_other(tmp_path, version, spoil, bad):
    (tmp_path / FILE).write_bytes(lzma.decompress((STORES / version / f"{FILE}.xz").read_bytes()))
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        database.execute(spoil)
    found = calls.jobs(folder=tmp_path)
    assert [one.status for one in found] == ["damaged" if k == bad else status for k, status in enumerate(STATUSES)]
    with pytest.raises(InputError, match="is not as it was written"):
        calls.fetch(found[bad].key, folder=tmp_path)
    assert isinstance(found[bad], Damaged)


def test_an_upgrade_that_is_cut_short_leaves_the_former_file(tmp_path, monkeypatch):
    data = lzma.decompress((STORES / "39afa42" / f"{FILE}.xz").read_bytes())
    (tmp_path / FILE).write_bytes(data)

    def fail(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr("gatesolve.devices.jobs.database.upgrade", fail)
        with pytest.raises(KeyboardInterrupt):
            Store(tmp_path)
    assert [one.status for one in calls.jobs(folder=tmp_path)] == STATUSES

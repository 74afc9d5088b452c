"""The file of jobs: modes, durability, several processes, damage."""

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gatesolve.devices import Store
from gatesolve.devices.advance import lock_search
from gatesolve.devices.jobs import database
from gatesolve.devices.jobs.record import Job, Search
from gatesolve.devices.jobs.store import FILE
from gatesolve.errors import InputError

SEARCH = Search("ab12", "2026-01-01T00:00:00Z", "a title", "ibm_x", {"kind": "model"}, {"seed": 1}, {"shots": 3}, {})
JOB = Job("ab12", 0, 100, b"\x00QPY", ({"iterations": 1},))


def test_a_search_and_its_job_come_back_as_they_were(tmp_path):
    store = Store(tmp_path)
    store.add_search(SEARCH)
    store.add_job(JOB)
    assert store.search("ab12") == SEARCH
    assert Store(tmp_path).jobs("ab12") == (JOB,)
    assert store.search("none") is None


def test_a_job_goes_through_its_states(tmp_path):
    store = Store(tmp_path)
    store.add_search(SEARCH)
    store.add_job(JOB)
    sending = store.mark(JOB, "sending", sending_at=12.5)
    sent = store.mark(sending, "sent", remote="d123")
    assert store.jobs("ab12") == (sent,)
    assert (sent.status, sent.remote, sent.sending_at) == ("sent", "d123", 12.5)
    waiting = store.mark(sent, "sent", reason="queued")
    assert (waiting.status, waiting.reason) == ("sent", "queued")
    kept = store.path.read_bytes()
    assert store.mark(waiting, "sent", reason="queued") == waiting
    assert store.path.read_bytes() == kept  # nothing is written for nothing, however often it is asked
    done = store.mark(sent, "done", counts=({"01": 60, "10": 40},), reason="")
    assert store.jobs("ab12") == (done,)
    assert (done.status, done.counts, done.reason) == ("done", ({"01": 60, "10": 40},), "")
    ended = store.mark(done, "failed", reason="ran too long")
    assert (ended.status, store.jobs("ab12")[0].reason) == ("failed", "ran too long")
    closed = store.close_search(SEARCH, "solved", {"board": [["1"]]})
    assert store.search("ab12") == closed
    assert (closed.status, closed.result) == ("solved", {"board": [["1"]]})


def test_adding_again_changes_nothing(tmp_path):
    store = Store(tmp_path)
    store.add_search(SEARCH)
    store.add_job(JOB)
    sent = store.mark(JOB, "sent", remote="d1")
    store.add_search(replace(SEARCH, title="other"))
    store.add_job(replace(JOB, shots=7))
    assert store.searches() == (SEARCH,)
    assert store.jobs("ab12") == (sent,)


def test_a_search_is_named_by_the_start_of_its_key_or_by_the_services_id(tmp_path):
    store = Store(tmp_path)
    store.add_search(SEARCH)
    store.add_search(replace(SEARCH, key="ab99"))
    store.add_job(JOB)
    store.mark(JOB, "sent", remote="d123")
    assert store.pick_search("ab1").key == store.pick_search("d123").key == "ab12"
    for name, fault in (("ab", "more than one job"), ("zz", "no job"), ("b1", "no job"), ("", "no job")):
        with pytest.raises(InputError, match=f"{fault} is called '{name}'.*gatesolve jobs"):
            store.pick_search(name)
    assert store.pick_search(None).key == "ab99"
    with pytest.raises(InputError, match="there are no jobs: submit a problem"):
        Store(tmp_path / "empty").pick_search(None)


def test_folder_and_file_are_closed_to_others(tmp_path):
    folder = tmp_path / "deep" / "gatesolve"
    folder.parent.mkdir()
    folder.mkdir(mode=0o755)
    (folder / FILE).touch(mode=0o644)
    before = os.umask(0)
    try:
        store = Store(folder)
        store.add_search(SEARCH)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(p.stat().st_mode) for p in folder.iterdir()] == [0o600]


def test_a_folder_that_cannot_be_closed_is_refused(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(InputError, match=r"not permitted\): set GATESOLVE_HOME to a folder of your own"):
        Store(tmp_path)


@pytest.mark.parametrize("fault", [OSError(37, "No locks available"), NotImplementedError("no flock here")])
def test_files_that_cannot_be_locked_are_one_line(tmp_path, monkeypatch, fault):
    def refuse(*_, **__):
        raise fault

    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    with pytest.raises(InputError, match=r"cannot be locked.*GATESOLVE_HOME"), lock_search(Store(tmp_path), "ab12"):
        pass


def test_jobs_are_those_of_their_search_in_order(tmp_path):
    store = Store(tmp_path)
    store.add_search(SEARCH)
    store.add_search(replace(SEARCH, key="cd34"))
    every = [replace(JOB, step=step) for step in range(3)]
    for job in (every[1], every[0], every[2], replace(JOB, search="cd34")):
        store.add_job(job)
    assert store.jobs("ab12") == tuple(every)
    changed = store.mark(every[1], "sent", remote="d1")
    assert store.jobs("ab12") == (every[0], changed, every[2])
    assert store.jobs("cd34") == (replace(JOB, search="cd34"),)
    assert store.close_search(SEARCH, "solved", {}) == store.search("ab12") != store.search("cd34")


def test_a_change_starts_from_what_is_kept(tmp_path):
    """Not from what the caller last saw."""
    store = Store(tmp_path)
    store.add_search(SEARCH)
    store.add_job(JOB)
    store.mark(JOB, "sending", sending_at=5.0)
    assert (
        store.mark(JOB, "sent", remote="d1")
        == store.jobs("ab12")[0]
        == replace(JOB, status="sent", remote="d1", sending_at=5)
    )
    assert store.mark(JOB, "prepared", sending_at=None).sending_at is None
    assert store.mark(JOB, "sent", reason="queued").reason == "queued"


def test_the_latest_is_the_one_kept_last_whatever_the_clock_says(tmp_path):
    store = Store(tmp_path)
    for key, created in (("ff", "2026-01-02"), ("bb", "2026-01-01"), ("aa", "2026-01-01")):
        store.add_search(replace(SEARCH, key=key, created=created))
    assert store.pick_search(None).key == "aa"
    assert [search.key for search in store.searches()] == ["ff", "bb", "aa"]


def test_a_locked_or_full_file_is_one_line(tmp_path, monkeypatch):
    store = Store(tmp_path)
    monkeypatch.setattr("gatesolve.devices.jobs.database.PATIENCE", 0.01)
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(InputError, match=r"database is locked.*try again"):
        store.add_search(SEARCH)
    other.close()


@pytest.fixture
def meanwhile(monkeypatch):
    """Lets a test do something between a store's look for a row and its reading of it."""
    listed = database._find_numbers

    def between(act):
        monkeypatch.setattr(database, "_find_numbers", lambda *given: (listed(*given), act())[0])

    monkeypatch.setattr(database, "PATIENCE", 0.01)
    return between


def test_a_file_that_another_process_takes_is_not_taken_for_a_damaged_one(tmp_path, meanwhile):
    store = Store(tmp_path)
    store.add_search(SEARCH)
    other = sqlite3.connect(store.path, isolation_level=None)
    meanwhile(lambda: other.execute("BEGIN EXCLUSIVE"))
    with pytest.raises(InputError, match=r"database is locked.*try again"):
        store.search("ab12")
    other.close()


def test_a_change_leaves_no_other_process_a_moment_in_between(tmp_path, meanwhile):
    store = Store(tmp_path)
    store.add_search(SEARCH)
    store.add_job(JOB)

    def write():
        with closing(sqlite3.connect(store.path, timeout=0)) as other:
            other.execute("UPDATE jobs SET shots = 1")

    meanwhile(write)
    with pytest.raises(InputError, match="database is locked"):
        store.mark(JOB, "sent", remote="d1")


def test_tables_are_made_all_or_none(tmp_path, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(database, "_TABLES", f"{database._TABLES}; CREATE nothing")
        with pytest.raises(InputError, match="no readable file"):
            Store(tmp_path)
    assert Store(tmp_path).searches() == ()

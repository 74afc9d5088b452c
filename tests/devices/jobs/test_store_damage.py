"""A damaged file of jobs: each fault is one line that names the file, and the other jobs stay readable."""

import sqlite3
from contextlib import closing
from dataclasses import fields

import pytest

from gatesolve.api import jobs as calls
from gatesolve.devices import DamagedError, Store
from gatesolve.devices.jobs.record import Damaged, Job, Search
from gatesolve.devices.jobs.store import FILE
from gatesolve.errors import InputError

OPTIONS = {"pipeline": "grover"}
SEARCHES = [
    Search(
        key, "2026-01-01T00:00:00Z", "a title", "ibm_x", {"kind": "model"}, OPTIONS, {"shots": 3}, {"gatesolve": "1"}
    )
    for key in ("ab12", "cd34", "ef56")
]
FORM = {"pipeline": "grover", "estimate": {"z": 1.5}}
SHAPES = (
    "null",
    "[]",
    "{}",
    "3",
    "[[1]]",
    '{"a": 1}',
    '"x"',
    "[1",
    "[" * 100_000,
    " ",
    "caf\xe9",
    b"\xff\xfe{}",
    b"{}",
)
COLUMNS = [("searches", f.name) for f in fields(Search)] + [("jobs", f.name) for f in fields(Job)]


@pytest.fixture
def store(tmp_path):
    """Three searches of two jobs each; the second is finished."""
    made = Store(tmp_path)
    for search in SEARCHES:
        made.add_search(search)
        for step in range(2):
            made.add_job(Job(search.key, step, 100, b"\x00QPY" * 500, (FORM,)))
    made.mark(made.mark(made.jobs("cd34")[0], "sent", remote="d7"), "done", counts=({"01": 3},), reason="")
    made.close_search(SEARCHES[1], "solved", {"solution": {"x": 1}})
    return made


def spoil(store, table, column, value, where="rowid = 2"):
    """Write something into a row as another program would; whether the table could hold it."""
    with closing(sqlite3.connect(store.path)) as database, database:
        try:
            mark = "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"
            database.execute(f"UPDATE {table} SET {column} = {mark} WHERE {where}", (value,))
        except sqlite3.IntegrityError:
            return False
    return True


def one_line(store, call, *words):
    with pytest.raises(DamagedError) as caught:
        call()
    said = str(caught.value)
    assert said.startswith(f"{store.path}: ")
    assert "\n" not in said
    assert all(word in said for word in (*words, "again=True"))


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_whatever_a_field_holds_the_others_stay_readable(store, table, column):
    data = store.path.read_bytes()
    others = {key: (store.search(key), store.jobs(key)) for key in ("ab12", "ef56")}
    for value in SHAPES:
        store.path.write_bytes(data)
        where = "key = 'cd34'" if table == "searches" else "search = 'cd34' AND step = 0"
        if not spoil(store, table, column, value, where):
            continue  # a number of the table that takes no text
        found = calls.jobs(folder=store.folder)
        whole = [one for one in found if not isinstance(one, Damaged)]
        assert {one.key: (one.search, one.jobs) for one in whole} == others
        assert {key: (store.pick_search(key), store.jobs(key)) for key in others} == others
        (bad,) = [one for one in found if isinstance(one, Damaged)]
        assert bad.message.startswith(f"{store.path}: the record of job {bad.key} is not as it was written")
        assert (bad.status, "\n" in bad.message) == ("damaged", False)
        if column != "key":  # by which it would be found
            assert bad.key == "cd34"
            one_line(store, lambda: calls.fetch("cd34", folder=store.folder), "cd34")


def test_a_damaged_record_is_not_changed(store):
    done = store.jobs("ab12")[0]
    spoil(store, "jobs", "reason", "x", "search = 'ab12'")
    spoil(store, "searches", "title", "x", "key = 'ab12'")
    kept = store.path.read_bytes()
    one_line(store, lambda: store.mark(done, "sent", remote="d1"), "ab12")
    one_line(store, lambda: store.close_search(SEARCHES[0], "solved", {}), "ab12")
    assert store.path.read_bytes() == kept


def test_the_latest_and_the_services_id_name_a_damaged_one_too(store):
    spoil(store, "jobs", "records", "[]", "remote = 'd7'")
    assert store.pick_search("d7") == store.search("cd34")
    spoil(store, "searches", "plan", "[]", "key = 'ef56'")
    one_line(store, lambda: store.pick_search(None), "ef56")
    one_line(store, lambda: store.pick_search("ef"), "ef56")


def page_of(store, name):
    """Where the first page of a table or an index starts, and how long a page is."""
    with closing(sqlite3.connect(store.path)) as database:
        (number,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    return (number - 1) * size, size


def test_an_index_that_leads_to_another_row_is_noticed(store):
    start, size = page_of(store, "sqlite_autoindex_searches_1")
    data = store.path.read_bytes()
    page = data[start : start + size].replace(b"cd34\x02", b"cd34\x03")  # the key, and the number of its row
    store.path.write_bytes(data[:start] + page + data[start + size :])
    one_line(store, lambda: store.search("cd34"), "cd34")
    assert (store.search("ab12"), store.search("ef56")) == (SEARCHES[0], SEARCHES[2])


def test_a_broken_page_of_one_job_hides_no_other(store):
    """Its circuits go on in pages of their own, each of which starts with the number of the next."""
    store.add_job(Job("ef56", 2, 100, b"Q" * 50_000, (FORM,)))
    _, size = page_of(store, "jobs")
    data = bytearray(store.path.read_bytes())
    pages = [at for at in range(0, len(data), size) if data[at + 4 : at + size] == b"Q" * (size - 4)]
    data[pages[1] : pages[1] + 4] = b"\xff" * 4
    store.path.write_bytes(data)
    one_line(store, lambda: store.jobs("ef56"), "ef56")
    assert [one.status for one in calls.jobs(folder=store.folder)] == ["prepared", "solved", "damaged"]


@pytest.mark.parametrize("data", [b"this is no database" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_what_is_no_file_of_jobs_is_refused_and_kept(tmp_path, data):
    (tmp_path / FILE).write_bytes(data)
    with pytest.raises(InputError, match=r"jobs\.sqlite3: no readable file of jobs: move it away"):
        Store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == data


def test_a_file_that_is_cut_short_is_refused(store):
    data = store.path.read_bytes()
    for size in (100, 4096, len(data) // 2):
        store.path.write_bytes(data[:size])
        with pytest.raises(InputError, match=r"jobs\.sqlite3: .*(move it away|not as it was written)"):
            [store.jobs(search.key) for search in Store(store.folder).searches() if isinstance(search, Search)]


@pytest.mark.parametrize(("version", "said"), [(0, "no readable file of jobs"), (2, "form 2"), (9, "form 9")])
def test_a_file_of_another_version_is_refused(store, version, said):
    with closing(sqlite3.connect(store.path)) as database:
        database.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(InputError, match=said) as caught:
        Store(store.folder)
    assert str(caught.value).startswith(str(store.path))

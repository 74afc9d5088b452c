"""The file of jobs: modes, durability, several processes, damage."""

import json
import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import kept
import pytest
from contest_kakuro import K7
from hypothesis import given, settings
from strategies import models

from gatesolve.api import as_problem
from gatesolve.api import jobs as calls
from gatesolve.devices import Damaged, DamagedError, Job, SearchRecord, Store, lock_search
from gatesolve.devices import store as database
from gatesolve.encodings import Space, converter
from gatesolve.errors import GatesolveError, InputError
from gatesolve.formats import problem_record
from gatesolve.model import Fixed, Looked, Recovery, Weighted
from gatesolve.puzzles import examples, parse
from gatesolve.qubo import Qubo

SEARCH = SearchRecord(
    "ab12", "2026-01-01T00:00:00Z", "a title", "ibm_x", {"kind": "model"}, {"seed": 1}, {"shots": 3}, {}
)
JOB = Job("ab12", 0, 100, b"\x00QPY", ({"iterations": 1},))


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
    (folder / database.FILE).touch(mode=0o644)
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
        with pytest.raises(InputError, match="not a readable file"):
            Store(tmp_path)
    assert Store(tmp_path).searches() == ()


# --- A damaged file of jobs: each fault is one line that names the file, and the other jobs stay readable ---


OPTIONS = {"pipeline": "grover"}
SEARCHES = [
    SearchRecord(
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
COLUMNS = [("searches", f.name) for f in fields(SearchRecord)] + [("jobs", f.name) for f in fields(Job)]


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


@pytest.mark.quick(7)
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
        assert bad.message.startswith(f"{store.path}: the record of job {bad.key} is damaged")
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
    spoil(store, "searches", "request", "[]", "key = 'ef56'")
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
    (tmp_path / database.FILE).write_bytes(data)
    with pytest.raises(InputError, match=r"jobs\.sqlite3: not a readable file of jobs: move it away"):
        Store(tmp_path)
    assert (tmp_path / database.FILE).read_bytes() == data


def test_a_file_that_is_cut_short_is_refused(store):
    data = store.path.read_bytes()
    for size in (100, 4096, len(data) // 2):
        store.path.write_bytes(data[:size])
        with pytest.raises(InputError, match=r"jobs\.sqlite3: .*(move it away|is damaged)"):
            [store.jobs(search.key) for search in Store(store.folder).searches() if isinstance(search, SearchRecord)]


@pytest.mark.parametrize(("version", "said"), [(0, "not a readable file of jobs"), (2, "form 2"), (9, "form 9")])
def test_a_file_of_another_version_is_refused(store, version, said):
    with closing(sqlite3.connect(store.path)) as database:
        database.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(InputError, match=said) as caught:
        Store(store.folder)
    assert str(caught.value).startswith(str(store.path))


# --- Problems and spaces as JSON: they come back equal, and damage is refused in one line ---


def through_json(data):
    return json.loads(json.dumps(data))


def read_again(value):
    """Recorded and read again."""
    data = converter.unstructure(value)
    assert through_json(data) == data
    return converter.structure(through_json(data), type(value))


@given(models())
@settings(max_examples=40)
def test_a_model_comes_back(model):
    assert read_again(model) == model


@pytest.mark.parametrize("encoding", ["one-hot", "binary", "domain-wall", "table"])
def test_a_space_decodes_as_before(encoding):
    space = kept.compiled(K7, encoding=encoding, presolve="none", iterations=0).program.space
    again = read_again(space)
    for number in range(0, space.size, max(1, space.size // 50)):
        state = space.state(number)
        assert again.decode(state) == space.decode(state) == again.assignment(number)
    assert (again.size, again.num_qubits) == (space.size, space.num_qubits)


def test_a_recovery_comes_back():
    steps = (
        Fixed("a", 3),
        Weighted("b", ((2, "c"), (-1, "d")), 1),
        Looked("e", ("c", "d"), (((1, 2), 3), ((0, 0), -1))),
    )
    recovery = Recovery(("a", "b", "c", "d", "e"), steps)
    again = read_again(recovery)
    assert again == recovery
    assert again.recover({"c": 1, "d": 2}) == {"a": 3, "b": 1, "c": 1, "d": 2, "e": 3}


@pytest.mark.parametrize(("family", "text"), [(name, text) for name, _, text in examples()])
def test_a_puzzle_comes_back_with_its_rules(family, text):
    problem = as_problem(parse(text, family))
    again = problem_record.restore_problem(through_json(problem_record.record_problem(problem)))
    assert again.puzzle == problem.puzzle
    assert again.model == problem.model


def test_a_qubo_comes_back_exactly():
    qubo = Qubo.of(("a", "b"), {(): 0.1, (0,): -3, (0, 1): Fraction(1, 3), (1,): 2.5e-7})
    problem = as_problem(qubo)
    assert problem_record.restore_problem(through_json(problem_record.record_problem(problem))) == type(problem)(
        problem.model, qubo=problem.qubo, name=problem.title
    )


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d["blocks"][0].pop("kind"),
        lambda d: d["blocks"][0].update(kind=3),
        lambda d: d["blocks"][0].update(codewords=["zz"]),
        lambda d: d["blocks"][0].update(codewords=["0"] * len(d["blocks"][0]["tuples"])),
        lambda d: d["blocks"][0].update(num_qubits=0),
        lambda d: d["blocks"][0].update(tuples=[1]),
        lambda d: d.update(blocks=None),
    ],
)
def test_a_damaged_space_is_refused(spoil):
    data = through_json(converter.unstructure(kept.compiled(K7, encoding="table", presolve="none").program.space))
    spoil(data)
    with pytest.raises(InputError, match="the record of a job"):
        converter.structure(data, Space)


@pytest.mark.parametrize("data", [{}, {"kind": "x"}, {"kind": "model", "model": {}}, {"kind": "puzzle", "text": 3}, []])
def test_a_damaged_problem_is_refused(data):
    with pytest.raises(GatesolveError):
        problem_record.restore_problem(data)

"""The file of jobs under any order of writing, reading and damage: what is read is what was written, or refused."""

import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gatesolve.devices import Damaged, DamagedError, Job, SearchRecord, Store, store
from gatesolve.errors import InputError

KEYS = ("ab12", "cd34", "ef56")
keys = st.sampled_from(KEYS)
COLUMNS = {
    "searches": ("created", "title", "device", "problem", "options", "request", "versions", "status", "result", "seal"),
    "jobs": ("shots", "circuits", "records", "decoding", "status", "remote", "sending_at", "counts", "reason", "seal"),
}
fields = st.sampled_from([(table, column) for table, columns in COLUMNS.items() for column in columns])
values = st.sampled_from([b"\xff", "", "[]", "null", "{", "[" * 5000, 0, 7, 2.5, None])


class Damage(RuleBasedStateMachine):
    """``searches`` and ``jobs`` are what was written; ``damaged`` the keys of which a field was changed since."""

    @initialize()
    def begin(self):
        self.folder = Path(tempfile.mkdtemp())
        self.store = Store(self.folder)
        self.searches, self.jobs, self.damaged = {}, {}, set()
        self.whole = None  # the file as it was before bytes of it flipped

    def teardown(self):
        shutil.rmtree(self.folder)

    flipped = precondition(lambda self: self.whole is not None)
    sound = precondition(lambda self: self.whole is None)

    @sound
    @rule(key=keys, title=st.text(st.characters(codec="utf-8"), max_size=3))
    def add_search(self, key, title):
        made = SearchRecord(key, "2026", title, "ibm_x", {"kind": "model"}, {"seed": 1}, {"shots": 3}, {})
        self.store.add_search(made)
        self.searches.setdefault(key, made)
        self.jobs.setdefault(key, [])

    @sound
    @rule(key=keys, circuits=st.binary(max_size=5000))
    def add_job(self, key, circuits):
        if key in self.searches:
            made = Job(key, len(self.jobs[key]), 100, circuits, ({"z": 1.5, "notes": ["caf\xe9"]},))
            self.store.add_job(made)
            self.jobs[key].append(made)

    @sound
    @rule(key=keys, kind=st.sampled_from(["sending", "sent", "waiting", "done", "ended", "prepared"]))
    def update_job(self, key, kind):
        if not self.jobs.get(key):
            return
        before = self.jobs[key][-1]
        new = {
            "sending": {"status": "sending", "sending_at": 1.5},
            "sent": {"status": "sent", "remote": "d1"},
            "waiting": {"status": "sent", "reason": "held"},
            "done": {"status": "done", "counts": ({"0": 9},), "reason": ""},
            "ended": {"status": "failed", "reason": "why"},
            "prepared": {"status": "prepared", "sending_at": None},
        }[kind]
        after = replace(before, **new)
        try:
            assert self.store.mark(before, **new) == after
            self.jobs[key][-1] = after
        except DamagedError:
            assert key in self.damaged

    @sound
    @rule(key=keys, status=st.sampled_from(["solved", "failed"]))
    def close(self, key, status):
        if key not in self.searches:
            return
        try:
            self.searches[key] = self.store.close_search(self.searches[key], status, {"solution": {"x": 3}})
        except DamagedError:
            assert key in self.damaged

    @sound
    @rule(key=keys, field=fields, value=values)
    def corrupt_field(self, key, field, value):
        table, column = field
        name = "key" if table == "searches" else "search"
        read = f"SELECT {column}, typeof({column}) FROM {table} WHERE {name} = ? ORDER BY rowid DESC LIMIT 1"
        with closing(sqlite3.connect(self.store.path)) as database:
            database.text_factory = bytes
            before = database.execute(read, (key,)).fetchall()
            with suppress(sqlite3.IntegrityError), database:
                mark = "CAST(? AS TEXT)" if isinstance(value, bytes) and column != "circuits" else "?"
                last = f"(SELECT max(rowid) FROM {table} WHERE {name} = ?)"
                database.execute(f"UPDATE {table} SET {column} = {mark} WHERE rowid = {last}", (value, key))
            if before != database.execute(read, (key,)).fetchall():
                self.damaged.add(key)

    @rule(place=st.floats(0, 1, exclude_max=True), mask=st.integers(1, 255))
    def corrupt_byte(self, place, mask):
        data = bytearray(self.store.path.read_bytes())
        self.whole = bytes(data) if self.whole is None else self.whole
        data[int(place * len(data))] ^= mask
        self.store.path.write_bytes(data)

    @flipped
    @rule()
    def mend_bytes(self):
        self.store.path.write_bytes(self.whole)
        self.whole = None

    def check_line(self, error):
        assert str(error).startswith(f"{self.folder / store.FILE}: ")
        assert "\n" not in str(error)

    @invariant()
    def what_is_read_is_what_was_written(self):
        for key in KEYS:
            try:
                search, jobs = self.store.search(key), self.store.jobs(key)
            except InputError as error:
                self.check_line(error)
                told = isinstance(error, DamagedError) and key in self.damaged
                assert told or self.whole is not None
                continue
            if self.whole is None:
                assert key not in self.damaged
                assert (search, list(jobs)) == (self.searches.get(key), self.jobs.get(key, []))
            else:  # a byte may hide a row from the file itself, but never change one
                assert search in (None, self.searches.get(key))
                assert list(jobs) == self.jobs.get(key, [])[: len(jobs)]

    @invariant()
    def the_list_has_all_the_others(self):
        try:
            found = Store(self.folder).searches()
        except InputError as error:
            self.check_line(error)
            assert self.whole is not None
            return
        whole = [one for one in found if not isinstance(one, Damaged)]
        assert all(one == self.searches[one.key] for one in whole)
        if self.whole is None:
            assert [one.key for one in found] == list(self.searches)
            assert {*self.searches} - {one.key for one in whole} <= self.damaged


TestDamage = Damage.TestCase
TestDamage.settings = settings(max_examples=8, stateful_step_count=25, deadline=None, derandomize=True)

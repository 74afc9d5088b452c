"""What users had stays whole until what they asked for is written whole."""

import errno
import os
import re
import signal
import stat
import threading
from pathlib import Path

import pytest

import gatesolve
from gatesolve.api import write_qubo
from gatesolve.errors import InputError
from gatesolve.files import append_bytes, read_kept, read_start, replace_file, replace_files
from gatesolve.puzzles import load
from gatesolve.qubo import Qubo

SMALL = Path(__file__).parents[1] / "examples" / "kakuro" / "small.txt"


@pytest.fixture
def full_disk(monkeypatch):
    """A disk that takes what is written and has no room for it in the end."""

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_picture_on_a_full_disk_leaves_the_old_one(tmp_path, full_disk, suffix):
    path = tmp_path / f"board{suffix}"
    path.write_text("old")
    with pytest.raises(InputError, match=r"board.*: cannot be written: No space left on device; choose another place"):
        load(SMALL).draw(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_qubo_and_its_sidecar_are_replaced_together(tmp_path, monkeypatch):
    path, beside = tmp_path / "p.coo", tmp_path / "p.coo.json"
    write_qubo(Qubo(("a",), {(0,): 1}), path)
    before = path.read_text(), beside.read_text()
    synced = []

    def full_at_the_second(handle):
        synced.append(handle)
        if len(synced) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_at_the_second)
    with pytest.raises(InputError, match=r"p\.coo: cannot be written"):
        write_qubo(Qubo(("b",), {(0,): 2}), path)
    assert (path.read_text(), beside.read_text()) == before
    assert len(list(tmp_path.iterdir())) == 2


def test_ctrl_c_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace_file(tmp_path / "new", b"x")
    assert list(tmp_path.iterdir()) == []


def test_modes_and_links_are_kept(tmp_path):
    path, link = tmp_path / "real", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o600)
    link.symlink_to(path)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    replace_files({tmp_path / "fresh": b"1"})
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o644


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    replace_file(pipe, b"through")
    reader.join()
    assert got == [b"through"]
    assert pipe.is_fifo()


@pytest.fixture
def pipe(tmp_path):
    """A pipe that nobody writes to; whoever waits for it fails."""

    def fail(*_):
        pytest.fail("waited for a pipe")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(20)
    os.mkfifo(tmp_path / "pipe")
    yield tmp_path / "pipe"
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_nothing_is_kept_in_a_pipe(pipe):
    fault = rf"^{re.escape(str(pipe))}: a pipe or a device, which cannot store anything: name a file$"
    with pytest.raises(InputError, match=fault):
        gatesolve.solve(SMALL, pipeline="gas", resume=pipe)
    with pytest.raises(InputError, match=fault):
        gatesolve.pareto(SMALL, store=pipe)
    for place in ("-", os.devnull):
        with pytest.raises(InputError, match=rf"^{place}: a pipe or a device"):
            read_kept(Path(place))


def test_a_puzzle_comes_through_a_pipe_once(pipe):
    writer = threading.Thread(target=lambda: pipe.write_bytes(SMALL.read_bytes()))
    writer.start()
    assert gatesolve.solve(pipe).status == "solved"
    writer.join()


def test_what_is_kept_is_read_if_it_is_there(tmp_path, monkeypatch):
    path = tmp_path / "kept"
    assert read_kept(path) is None
    append_bytes(path, b"")
    assert read_kept(path) == b""
    append_bytes(path, b"ab")
    append_bytes(path, b"cd")
    assert read_kept(path) == b"abcd"
    with pytest.raises(InputError, match="none"):
        append_bytes(tmp_path / "none" / "kept", b"ab")
    assert read_start(path, 3) == b"abc"
    assert read_start(tmp_path, 3) == read_start(tmp_path / "none", 3) == b""
    with pytest.raises(InputError, match="a directory: name a file inside it"):
        read_kept(tmp_path)
    monkeypatch.setattr("gatesolve.files.MOST_KEPT", 3)
    with pytest.raises(InputError, match="kept: more than 0 MiB: name another file"):
        read_kept(path)

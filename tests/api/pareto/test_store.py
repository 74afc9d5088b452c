"""A store outlives interruptions, and refuses to grow into a file that is something else."""

import errno
import json
import os
from dataclasses import replace

import pytest
from conformance.known import k4

from gatesolve.api.pareto.measure import Measured, measure
from gatesolve.api.pareto.sweep import MeasuredStore, candidate_key
from gatesolve.errors import InputError

SETTINGS = {"encoding": "table", "presolve": "none"}


@pytest.fixture(scope="module")
def found():
    return measure(k4(), SETTINGS)


def test_what_is_put_is_read_again(tmp_path, found):
    path = tmp_path / "s.jsonl"
    refused = Measured({"ancillas": 0}, refused="needs 3", least=3)
    MeasuredStore(path).put("a", found)
    MeasuredStore(path).put("b", refused)
    again = MeasuredStore(path)
    assert again.get("a") == found
    assert again.get("b") == refused
    assert again.get("c") is None
    assert again.get("a").rows((0.5,), (False, True)) == found.rows((0.5,), (False, True))
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "b"]


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_line_cut_short_is_lost_alone(tmp_path, found, cut):
    path = tmp_path / "s.jsonl"
    store = MeasuredStore(path)
    store.put("a", found)
    store.put("b", found)
    path.write_bytes(path.read_bytes()[:-cut])
    again = MeasuredStore(path)
    assert again.get("a") == found
    again.put("c", replace(found, ancillas=7))
    last = MeasuredStore(path)
    assert last.get("a") == found
    assert last.get("c").ancillas == 7
    # Without its newline alone, the record is whole.
    assert last.get("b") == (found if cut == 1 else None)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data | {"marked": data["marked"] + 1},
        lambda data: data | {"marked": "many"},
        lambda data: data | {"plain": 3},
        lambda data: data | {"plain": [{}]},
        lambda data: data | {"novelty": 1},
        lambda data: data | {"key": "c"},
        lambda data: data | {"seal": None},
        lambda data: {"key": "a"},
        lambda data: [[]],
    ],
)
def test_a_line_that_is_not_as_it_was_written_is_passed_over(tmp_path, found, spoil):
    path = tmp_path / "s.jsonl"
    for key in "ab":
        MeasuredStore(path).put(key, found)
    first, second = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(spoil(json.loads(first))), "[" * 100_000, second, ""]))
    again = MeasuredStore(path)
    assert (again.get("a"), again.get("c"), again.get("b")) == (None, None, found)


def test_a_full_disk_is_told_and_loses_one_line(tmp_path, found, monkeypatch):
    """Such a disk takes a part of the line first."""
    path, real, room = tmp_path / "s.jsonl", os.write, [100]

    def write(handle, data):
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        done = real(handle, data[: room[0]])
        room[0] -= done
        return done

    store = MeasuredStore(path)
    monkeypatch.setattr(os, "write", write)
    with pytest.raises(InputError, match=r"s\.jsonl: cannot be written: No space left on device"):
        store.put("a", found)
    monkeypatch.undo()
    store.put("b", found)
    assert MeasuredStore(path).get("a") is None
    assert MeasuredStore(path).get("b") == found


@pytest.mark.parametrize("text", ["# 3\\ 4\\\n", "[" * 100_000, '{"key": 1}\n', "[]\n", "\0\0\n"])
def test_another_file_is_left_alone(tmp_path, text):
    path = tmp_path / "s.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=r"s\.jsonl: not a store of a sweep: use another store"):
        MeasuredStore(path)
    assert path.read_text() == text


def test_keys_tell_problems_and_candidates_apart():
    keys = {
        candidate_key(k4(), SETTINGS),
        candidate_key(k4(merged=False), SETTINGS),
        candidate_key(k4(), {**SETTINGS, "ancillas": 1}),
    }
    assert len(keys) == 3
    assert candidate_key(k4(), dict(reversed(SETTINGS.items()))) in keys

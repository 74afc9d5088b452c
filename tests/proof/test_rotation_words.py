"""Words of Clifford+T: a certificate holds those of its text, and each is compared with its rotation."""

import json
from importlib import import_module

import numpy as np
import pytest
from kept import exported
from qiskit.synthesis import gridsynth_rz

import gatesolve
from gatesolve.circuit.lowering.lower import ROTATION_ERROR, find_share_word
from gatesolve.errors import InputError
from gatesolve.model import Linear, Model, Variable
from gatesolve.proof.words import MATRICES, find_distance, read_words, write_words

THREE = Model(tuple(Variable(name, (0, 1, 2)) for name in "xy"), (Linear(((1, "x"), (1, "y")), "==", 3),))


@pytest.fixture
def written(tmp_path):
    return exported(tmp_path, THREE, presolve="none", encoding="binary", gates="clifford+t", iterations=1)


def find_other(angle, error=ROTATION_ERROR):
    return tuple(one.operation.name for one in gridsynth_rz(angle, error / 1000).data)


def test_words_that_another_search_found_are_proved(written, monkeypatch):
    monkeypatch.setattr(import_module("gatesolve.circuit.lowering.lower"), "approximate_rotation", find_other)
    found = gatesolve.verify(written)
    assert (found.status, found.claims[-1].method) == ("proved", "normal form")
    assert "rotations as words of Clifford+T" in found.claims[-1].detail


@pytest.mark.parametrize("word", ["", "t", "h t h"])
def test_a_word_far_from_its_rotation_proves_nothing(written, word):
    place = written.with_suffix(".cert.json")
    data = json.loads(place.read_text())
    data["words"] = dict.fromkeys(data["words"], word)
    place.write_text(json.dumps(data))
    assert gatesolve.verify(written).status == "sampled"


@pytest.mark.parametrize("damaged", [[1], {"x": "h"}, {"0.1": "h q"}, {"0.1": "h " * 20_000}, "ht"])
def test_damaged_words_are_named(damaged):
    with pytest.raises(InputError, match="words of the certificate are damaged"):
        read_words(damaged)


def test_words_come_back_and_their_distances_add_up():
    words = {angle: find_other(angle) for angle in (0.3, -1.1)}
    assert read_words(write_words(words)) == words
    assert all(0 < find_distance(word, angle) <= ROTATION_ERROR / 7 for angle, word in words.items())
    assert find_distance(("x",), 0.0) == 2.0


def test_the_word_of_a_share_has_the_fewest_t():
    assert find_share_word(1 / 3, 1e-3).count("t") == 11
    assert find_share_word(1 / 3, 1e-2).count("t") == 7
    assert find_share_word(1 / 3, 1e-12) is None
    word = find_share_word(0.8, 3e-6)
    assert word.count("t") == 23
    state = np.array([1, 0])
    for name in word:
        state = MATRICES[name] @ state
    assert abs(abs(state[0]) ** 2 - 0.8) < 3e-6


@pytest.mark.parametrize("fault", ["not undone", "uneven", "over 0.01"])
def test_words_that_do_not_repeat_a_start_are_not_proved(tmp_path, monkeypatch, fault):
    room = import_module("gatesolve.programs.reflection")
    if fault == "not undone":
        monkeypatch.setattr(room, "invert_word", lambda word: (*(g for g in word[::-1] if g != "h"), "h"))
    if fault == "uneven":
        monkeypatch.setattr(room, "find_share_word", lambda share, error: ("h",))
    monkeypatch.setattr(room, "_find_range", lambda part, words: (1.0, 1.0))
    error = 0.9 if fault == "over 0.01" else 1e-3
    path = exported(
        tmp_path, THREE, presolve="none", encoding="binary", gates="clifford+t", iterations=1, rotation_error=error
    )
    found = gatesolve.verify(path).claims[-1]
    assert (found.status, found.layer) == ("unchecked", "text")
    assert "words of Clifford+T are" in found.detail


def test_a_missing_word_is_not_looked_for(written):
    place = written.with_suffix(".cert.json")
    place.write_text(json.dumps({**json.loads(place.read_text()), "words": {}}))
    found = gatesolve.verify(written)
    assert found.status == "sampled"
    assert "no word" in found.claims[-1].detail

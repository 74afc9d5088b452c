"""Quantum counting: intervals hold the number as often as they say, on every backend, and refuse what chooses runs."""

import math
from itertools import pairwise

import numpy as np
import pytest
from qiskit_aer import AerSimulator

import gatesolve
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.programs import estimate_marked

SUM = "x, y, z in 0..7; x + y + z == 9"
"""46 of 512 assignments."""


def count_drawn(size, marked, accuracy, confidence, seed):
    """An estimate from shots drawn with the exact probabilities."""
    draw, theta = np.random.default_rng(seed), math.asin(math.sqrt(marked / size))
    return estimate_marked(
        lambda k, shots: int(draw.binomial(shots, math.sin((2 * k + 1) * theta) ** 2)), size, accuracy, confidence
    )


@pytest.mark.parametrize(
    ("size", "marked"), [(1, 0), (1, 1), (3, 1), (5, 5), (64, 16), (1000, 1), (2**20, 3), (2**20, 0)]
)
@pytest.mark.parametrize("accuracy", [0, 0.2])
def test_an_interval_is_as_narrow_as_asked_and_wrong_no_oftener(size, marked, accuracy):
    wrong = 0
    for seed in range(20):
        found, runs = count_drawn(size, marked, accuracy, 0.9, seed)
        low, high = found.numbers
        assert high - low <= accuracy * (high + low)
        assert all(after.iterations > 2 * before.iterations for before, after in pairwise(runs))
        wrong += not low <= marked <= high
    # Of 20 intervals two may be wrong; that five are has a probability of 0.04.
    assert wrong <= 4


def test_calls_grow_as_the_root_of_the_space():
    calls = []
    for size in (2**10, 2**16, 2**22):
        _, runs = count_drawn(size, 1, 0.5, 0.99, 0)
        calls.append(sum(run.shots * run.iterations for run in runs))
        assert calls[-1] <= 200 * math.sqrt(size)
    assert calls[0] < calls[1] < calls[2]


@pytest.mark.parametrize("options", [{}, {"encoding": "binary"}, {"encoding": "one-hot", "level": "literal"}])
def test_it_agrees_with_the_classical_count(options):
    found = gatesolve.count(SUM, accuracy=0, presolve="none", **options)
    assert found.low == found.high == found.counted == 46
    assert found.oracle_calls == sum(run.shots * run.iterations for run in found.runs)
    assert found.as_dict()["level"] == found.compiled.level
    assert found.as_dict()["runs"][0]["iterations"] == 0


def test_circuits_on_aer_give_it_too():
    found = gatesolve.count("x, y in 0..3; x + y == 2", backend="aer", encoding="binary", presolve="none", accuracy=0)
    assert (found.low, found.high, found.size) == (3, 3, 16)
    assert found.compiled.program.with_iterations(found.runs[-1].iterations).circuit.num_qubits >= 4


@pytest.mark.parametrize(
    ("text", "number"), [("x in 1..1; y in 2..2; x == y", 0), ("x in 3..3", 1), ("x in 2..2; x == 3", 0)]
)
@pytest.mark.parametrize("presolve", ["none", "propagate"])
def test_a_single_state_needs_no_shot(text, number, presolve):
    found = gatesolve.count(text, presolve=presolve)
    assert (found.low, found.high, found.runs, found.counted) == (number, number, (), number)


def test_no_confidence_is_too_high():
    found, runs = count_drawn(2, 1, 0, 1 - 2**-52, 0)
    assert found.numbers == (1, 1)
    assert sum(run.shots for run in runs) < 10_000


def test_notes_say_what_the_number_leaves_out():
    found = gatesolve.count("x in 0..3; y in 0..60; x > 1", max_space=8)
    assert any("each marked state stands for 61 solutions" in note for note in found.notes)
    found = gatesolve.count("x in 0..3; x == 9", presolve="propagate")
    assert (found.high, found.title != "", "x == 9" in found.notes[0]) == (0, True, True)
    noisy = gatesolve.count("x, y in 0..1; x < y", backend=AerSimulator(), presolve="none", encoding="binary")
    assert any("errors" in note for note in noisy.notes)


def test_an_objective_is_left_out_of_account():
    found = gatesolve.count("x in 0..3; x > 0; maximize x", presolve="none", accuracy=0)
    assert (found.counted, "objective" in found.notes[0]) == (3, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"accuracy": 1}, "accuracy is 1"),
        ({"accuracy": -0.1}, "accuracy is"),
        ({"accuracy": "0.1"}, "accuracy is"),
        ({"confidence": 1.0}, "confidence"),
        ({"iterations": 3}, "leave out iterations"),
        ({"pipeline": "qaoa"}, "pipeline='qaoa'"),
        ({"max_spac": 3}, "max_space"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, said):
    with pytest.raises((InputError, UnsupportedError), match=said):
        gatesolve.count(SUM, **options)
    with pytest.raises(UnsupportedError, match="Qubo"):
        gatesolve.count({(0, 1): 1})

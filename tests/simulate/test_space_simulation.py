"""The simulation in the space is Grover's search: a dense vector, the closed form, and Aer all agree with it."""

import math

import kept
import numpy as np
import pytest
from aer_state import amplitudes_on_aer, equal_up_to_a_phase
from conformance.known import k4
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import models

import gatesolve
from gatesolve.errors import DoesNotFitError, InfeasibleError
from gatesolve.model import AllDifferent, Linear, Model, Variable
from gatesolve.programs import success_probability
from gatesolve.simulate import list_marked, run_grover

ENCODINGS = ("one-hot", "binary", "domain-wall", "table")
STYLES = ("constraints", "classical")
MOST_QUBITS = 16


def dense(marks, iterations):
    vector = np.full(len(marks), 1 / math.sqrt(len(marks)))
    start = vector.copy()
    for _ in range(iterations):
        vector = np.where(marks, -vector, vector)
        vector = 2 * start * (start @ vector) - vector
    return vector


@given(st.lists(st.booleans(), min_size=1, max_size=200).map(np.array), st.integers(0, 40))
def test_equals_a_dense_vector_and_the_closed_form(marks, iterations):
    found, chance = run_grover(list_marked(marks), iterations), success_probability(len(marks), marks.sum(), iterations)
    assert np.abs(found.amplitudes() - dense(marks, iterations)).max() < 1e-9
    assert found.success_probability == pytest.approx(chance, abs=1e-9)


def test_samples_are_drawn_from_the_state():
    marks = np.zeros(24, dtype=bool)
    marks[[3, 17]] = True
    state = run_grover(list_marked(marks), 1)
    shots = 200_000
    counts = state.sample(shots, 5)
    assert sum(counts.values()) == shots
    assert counts == state.sample(shots, 5) != state.sample(shots, 6)
    expected = shots * state.amplitudes() ** 2
    drawn = np.array([counts.get(n, 0) for n in range(24)])
    assert (np.abs(drawn - expected) < 5 * np.sqrt(expected)).all()


@pytest.mark.parametrize(("marks", "states"), [((True,), {0}), ((True, True), {0, 1}), ((False, False), {0, 1})])
def test_all_or_nothing_marked_is_sampled_too(marks, states):
    counts = run_grover(list_marked(np.array(marks)), 2).sample(1000, 0)
    assert set(counts) == states
    assert sum(counts.values()) == 1000


def agrees_with_aer(compiled, iterations):
    """Codeword by codeword, sign included, with one global phase; nothing outside the space, ancillas at zero."""
    found = amplitudes_on_aer(compiled.program.with_iterations(iterations))
    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-9)
    assert equal_up_to_a_phase(found, run_grover(list_marked(compiled.marks), iterations).amplitudes())


@pytest.mark.quick("binary-*", "one-hot-classical")
@pytest.mark.parametrize("oracle", STYLES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_k4_agrees_with_aer(encoding, oracle):
    budget = {"one-hot": 0} if oracle == "classical" else {"one-hot": 5, "domain-wall": 5}
    options = {"encoding": encoding, "oracle": oracle, "presolve": "none", "ancillas": budget.get(encoding)}
    compiled = kept.compiled(k4(), **options)
    # Alternating between the marked and the other states, the sign is wrong by one reflection at once.
    whole = compiled.program.iterations if compiled.program.num_qubits <= MOST_QUBITS else 2
    for iterations in sorted({0, 1, 2, whole}):
        agrees_with_aer(compiled, iterations)


@pytest.mark.parametrize("iterations", [0, 1, 2])
def test_a_permutation_block_agrees_with_aer_up_to_a_phase_for_each_codeword(iterations):
    names = ("a", "b", "c")
    rules = (AllDifferent(names), Linear(((1, "a"), (-1, "b")), "<=", 0))
    model = Model(tuple(Variable(name, (-1, 2, 5)) for name in names), rules)
    compiled = gatesolve.compile(model, encoding="permutation", presolve="none", ancillas=4)
    found = amplitudes_on_aer(compiled.program.with_iterations(iterations))
    expected = run_grover(list_marked(compiled.marks), iterations).amplitudes()
    assert np.allclose(np.abs(found), np.abs(expected), atol=1e-9)
    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-9)


@pytest.mark.more_examples(40)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(models(), st.sampled_from(ENCODINGS), st.sampled_from(STYLES), st.integers(0, 3))
def test_any_small_model_agrees_with_aer(model, encoding, oracle, iterations):
    try:
        compiled = gatesolve.compile(model, encoding=encoding, oracle=oracle, presolve="none", ancillas=4)
    except (DoesNotFitError, InfeasibleError):
        assume(False)
    assume(0 < compiled.program.num_qubits <= MOST_QUBITS)
    agrees_with_aer(compiled, iterations)


def test_a_space_of_one_state():
    compiled = gatesolve.compile(Model((Variable("x", (5,)),)), presolve="none")
    state = run_grover(list_marked(compiled.marks), 0)
    assert state.amplitudes().tolist() == [1.0]
    assert state.sample(10, 0) == {0: 10}

"""QAOA in the space beside dense linear algebra."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from dense_qaoa import dense
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gatesolve.encodings import Mixer, complete_mixer, ring_mixer, x_mixer
from gatesolve.errors import InputError
from gatesolve.simulate import cvar, expectation, gibbs, make_diagonal, make_qaoa, qaoa
from gatesolve.simulate.qaoa import sample
from gatesolve.simulate.qaoa_kernels import WIDTH
from gatesolve.simulate.qaoa_loss import Loss
from gatesolve.simulate.qaoa_tables import DEPTH

State = NDArray[np.complex128]
Case = tuple[Sequence[int], Sequence[Mixer]]

CASES: dict[str, Case] = {
    "nothing to mix": ([1], [ring_mixer(1)]),
    "two blocks of one codeword": ([1, 1], [Mixer("grover"), ring_mixer(1)]),
    "ring of four": ([4, 4], [ring_mixer(4)] * 2),
    "awkward sizes": ([1, 2, 3, 5], [ring_mixer(1), x_mixer((0, 1)), Mixer("grover"), complete_mixer(5)]),
    "one of each": ([2, 3, 1, 4], [x_mixer((0, 1)), Mixer("grover"), ring_mixer(1), complete_mixer(4)]),
    "mixed": ([5, 4, 1, 3, 2], [ring_mixer(5), x_mixer((0, 2, 1, 3)), Mixer("grover"), ring_mixer(3), ring_mixer(2)]),
    "first block of one row": ([1, 7, 3, 4], [ring_mixer(1), Mixer("grover"), ring_mixer(3), complete_mixer(4)]),
    "bits": ([2] * 9, [x_mixer((0, 1))] * 9),
    "deeper than a group": ([3, DEPTH + 5], [ring_mixer(3), Mixer("grover")]),
    "wide ragged tiles": ([19, int(WIDTH) + 1], [complete_mixer(19), ring_mixer(int(WIDTH) + 1)]),
    "three groups": (
        [3, 5, 7, 4, 5],
        [ring_mixer(3), Mixer("grover"), ring_mixer(7), ring_mixer(4), complete_mixer(5)],
    ),
    "K4's size": ([4] * 6, [ring_mixer(4)] * 6),
    "starts of their own": (
        [3, 2, 1, 18],
        [
            Mixer("grover", start=(0.2, 0.5, 0.3)),
            Mixer("grover", start=(0.9, 0.1)),
            ring_mixer(1),
            Mixer("grover", start=(0.15, *[0.05] * 17)),
        ],
    ),
    "the whole space": ([3, 4, 2], [Mixer("grover-global")]),
}


# Compiling takes numba eight seconds.
@pytest.fixture(autouse=True, scope="module", params=["numpy", pytest.param("numba", marks=pytest.mark.slow)])
def kernels(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(qaoa, "COMPILED", 0 if request.param == "numba" else math.inf)
        yield


def setting(case: Case, layers: int = 2) -> tuple[NDArray[np.int64], NDArray, NDArray, State]:
    rng = np.random.default_rng(7)
    size = math.prod(case[0])
    costs = rng.integers(-2, 9, size)
    start = rng.normal(size=size) + 1j * rng.normal(size=size)
    gammas, betas = rng.normal(size=layers), rng.normal(size=(layers, len(case[1])))
    return costs, gammas, betas, start / np.linalg.norm(start)


# Its dense matrices take eight seconds.
WIDE = "wide ragged tiles"


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", [*(one for one in CASES if one != WIDE), pytest.param(WIDE, marks=pytest.mark.slow)])
def test_equals_dense_matrices(name: str) -> None:
    costs, gammas, betas, start = setting(CASES[name])
    ansatz = make_qaoa(costs, *CASES[name])
    found = ansatz.run(gammas, betas, start)
    assert found.dtype == np.complex128
    np.testing.assert_allclose(found, dense(costs, *CASES[name], gammas, betas, start), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(found), 1, atol=1e-12)
    expected = dense(costs, *CASES[name], gammas, betas)
    np.testing.assert_allclose(ansatz.run(gammas, betas), expected, atol=1e-12)
    np.testing.assert_allclose(ansatz.weights(found).sum(), 1, atol=1e-12)


@pytest.mark.quick(30)
@pytest.mark.parametrize("loss", [expectation, gibbs(0.7), cvar(0.3)])
@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_differences(name: str, loss: Loss) -> None:
    costs, gammas, betas, start = setting(CASES[name])
    ansatz = make_qaoa(costs, *CASES[name])
    step = 1e-5
    for state in (start, None):
        slope = ansatz.slope(gammas, betas, loss, state)
        assert slope.value == pytest.approx(ansatz.value(gammas, betas, loss, state), abs=1e-12)
        for angles, exact in ((gammas, slope.gammas), (betas, slope.betas)):
            assert exact.shape == angles.shape
            for place in np.ndindex(angles.shape):
                kept = angles[place]
                ends = []
                for value in (kept + step, kept - step):
                    angles[place] = value
                    ends.append(ansatz.value(gammas, betas, loss, state))
                angles[place] = kept
                assert exact[place] == pytest.approx((ends[0] - ends[1]) / 2 / step, abs=1e-6)


def test_one_beta_a_layer_is_the_same_beta_for_every_block() -> None:
    case = CASES["mixed"]
    costs, gammas, betas, start = setting(case)
    ansatz = make_qaoa(costs, *case)
    together = ansatz.slope(gammas, betas[:, 0], expectation, start)
    apart = ansatz.slope(gammas, np.repeat(betas[:, :1], len(case[0]), axis=1), expectation, start)
    assert together.value == apart.value
    np.testing.assert_allclose(together.betas, apart.betas.sum(axis=1), atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_blocks_keep_the_norm_and_equal_dense(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    choices = [
        [ring_mixer(d), complete_mixer(d), Mixer("grover")] + ([x_mixer(tuple(range(d)))] if d & (d - 1) == 0 else [])
        for d in sizes
    ]
    case = sizes, [data.draw(st.sampled_from(choice)) for choice in choices]
    costs, gammas, betas, start = setting(case)
    found = make_qaoa(costs, *case).run(gammas, betas, start)
    np.testing.assert_allclose(found, dense(costs, *case, gammas, betas, start), atol=1e-12)


@pytest.mark.parametrize("costs", [np.linspace(0, 1, 48), np.arange(48) * 10**9, np.arange(48.0) % 3 / 2])
def test_costs_need_not_be_few_or_whole(costs: NDArray) -> None:
    case: Case = ([4, 3, 4], [ring_mixer(4), Mixer("grover"), complete_mixer(4)])
    _, gammas, betas, start = setting(case)
    np.testing.assert_allclose(
        make_qaoa(costs, *case).run(gammas, betas, start), dense(costs, *case, gammas, betas, start), atol=1e-9
    )


@pytest.mark.slow
def test_more_than_32767_classes_take_a_longer_index() -> None:
    costs = np.random.default_rng(0).normal(size=1 << 16)
    assert make_diagonal(costs).index.dtype == np.int32
    case: Case = ([4] * 8, [ring_mixer(4)] * 8)
    found = make_qaoa(costs, *case).run([0.4], [0.0])
    np.testing.assert_allclose(found, np.exp(-0.4j * costs) / 256, atol=1e-14)


@pytest.mark.parametrize("name", ["mixed", "the whole space"])
def test_following_stops_after_each_layer(name: str) -> None:
    sizes, mixers = CASES[name]
    rng = np.random.default_rng(5)
    costs = rng.integers(0, 9, math.prod(sizes))
    gammas, betas = rng.normal(size=(2, 4))
    simulator = make_qaoa(costs, sizes, mixers)
    states = list(simulator.follow(gammas, betas))
    assert len(states) == 5
    for k, state in enumerate(states):
        assert np.allclose(state, simulator.run(gammas[:k], betas[:k]), rtol=0, atol=1e-12)


def test_no_layers_leave_the_start() -> None:
    for mixers in ([ring_mixer(4)] * 2, [Mixer("grover-global")]):
        ansatz = make_qaoa(np.arange(16), [4, 4], mixers)
        np.testing.assert_allclose(ansatz.run([], []), np.full(16, 0.25))
        slope = ansatz.slope([], [])
        assert slope.value == pytest.approx(7.5)
        assert len(slope.gammas) == len(slope.betas) == 0


def test_the_start_given_is_left_alone() -> None:
    start = np.full(16, 0.25, dtype=complex)
    make_qaoa(np.arange(16), [4, 4], [ring_mixer(4)] * 2).slope([0.3], [0.4], expectation, start)
    np.testing.assert_array_equal(start, 0.25)


def test_samples_follow_the_probabilities() -> None:
    state = np.sqrt(np.array([0.5, 0, 0.25, 0.25])) * np.exp(1j * np.arange(4))
    counts = sample(state, 4000, seed=3)
    assert sum(counts.values()) == 4000
    assert set(counts) == {0, 2, 3}
    assert counts[0] == pytest.approx(2000, abs=150)
    assert counts == sample(state, 4000, seed=3)
    assert sample(state, 0, seed=1) == {}


def test_bad_input_says_what_would_mend_it() -> None:
    ansatz = make_qaoa(np.arange(16), [4, 4], [ring_mixer(4)] * 2)
    calls = {
        r"one row of numbers": lambda: ansatz.run([[0.1]], [0.1]),
        r"not \(1,\) or \(1, 2\)": lambda: ansatz.run([0.1], [[0.1, 0.2, 0.3]]),
        r"angle is not a finite": lambda: ansatz.run([math.nan], [0.1]),
        r"start has shape": lambda: ansatz.run([0.1], [0.1], [1.0]),
        r"codeword 2 is not a finite": lambda: make_diagonal([0.0, 1.0, math.nan]),
        r"one row of numbers, one a codeword": lambda: make_diagonal([]),
        r"2 blocks and 1 mixers": lambda: make_qaoa(np.arange(16), [4, 4], [ring_mixer(4)]),
        r"outside its 3 codewords": lambda: make_qaoa(np.arange(3), [3], [ring_mixer(4)]),
        r"stands alone": lambda: make_qaoa(np.arange(16), [4, 4], [ring_mixer(4), Mixer("grover-global")]),
        r"at least one codeword": lambda: make_qaoa(np.arange(16), [4, 0], [ring_mixer(4)] * 2),
        r"15 costs were given for 16": lambda: make_qaoa(np.arange(15), [4, 4], [ring_mixer(4)] * 2),
        r"must not be negative": lambda: sample(np.ones(1, complex), -1, 0),
    }
    for message, call in calls.items():
        with pytest.raises(InputError, match=message):
            call()

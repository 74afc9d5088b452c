"""QAOA by whole arrays: the numbers of the compiled kernels, by NumPy everywhere and by CuPy where there is a GPU."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gatesolve.encodings import Mixer, complete_mixer, ring_mixer, x_mixer
from gatesolve.simulate import cvar, make_qaoa, qaoa

CASES: dict[str, tuple[Sequence[int], Sequence[Mixer]]] = {
    "nothing to mix": ([1], [ring_mixer(1)]),
    "one of each": ([2, 3, 1, 4], [x_mixer((0, 1)), Mixer("grover"), ring_mixer(1), complete_mixer(4)]),
    "three groups": (
        [3, 5, 7, 4, 5],
        [ring_mixer(3), Mixer("grover"), ring_mixer(7), ring_mixer(4), complete_mixer(5)],
    ),
    "bits": ([2] * 9, [x_mixer((0, 1))] * 9),
    "the whole space": ([3, 4, 2], [Mixer("grover-global")]),
}


@pytest.fixture(params=["numpy", "cupy"])
def arrays(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A space of any size is taken to the library."""
    library: Any = np
    if request.param == "cupy" and (library := qaoa.find_gpu()) is None:
        pytest.skip("needs a GPU, and CuPy")
    monkeypatch.setattr(qaoa, "LARGE", 1)
    monkeypatch.setattr(qaoa, "find_gpu", lambda: library)


@pytest.mark.parametrize("name", CASES)
def test_states_weights_and_gradients_are_those_of_the_kernels(
    name: str, arrays: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, mixers = CASES[name]
    draw = np.random.default_rng(7)
    size = math.prod(sizes)
    start = draw.normal(size=size) + 1j * draw.normal(size=size)
    start /= np.linalg.norm(start)
    angles = draw.normal(size=3), draw.normal(size=(3, len(mixers)))
    ansatz = make_qaoa(draw.integers(-2, 9, size), sizes, mixers)
    state = ansatz.run(*angles, start)
    weights, slope = ansatz.weights(state), ansatz.slope(*angles, cvar(0.4), start)
    uniform = ansatz.value(*angles)
    monkeypatch.setattr(qaoa, "find_gpu", lambda: None)
    np.testing.assert_allclose(state, ansatz.run(*angles, start), atol=1e-9)
    np.testing.assert_allclose(weights, ansatz.weights(state), atol=1e-9)
    wanted = ansatz.slope(*angles, cvar(0.4), start)
    np.testing.assert_allclose(slope.value, wanted.value, atol=1e-9)
    np.testing.assert_allclose(slope.gammas, wanted.gammas, atol=1e-9)
    np.testing.assert_allclose(slope.betas, wanted.betas, atol=1e-9)
    np.testing.assert_allclose(uniform, ansatz.value(*angles), atol=1e-9)


class NoDriverError(Exception):
    """What CuPy says without a driver."""


def _count_none() -> int:
    raise NoDriverError


@pytest.mark.parametrize("count", [_count_none, lambda: 0])
def test_cupy_without_a_gpu_is_not_used(count: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = SimpleNamespace(getDeviceCount=count, CUDARuntimeError=NoDriverError)
    library = SimpleNamespace(cuda=SimpleNamespace(runtime=runtime), __spec__=object())
    monkeypatch.setitem(sys.modules, "cupy", library)  # type: ignore[arg-type]
    qaoa.find_gpu.cache_clear()
    try:
        assert qaoa.find_gpu() is None
    finally:
        qaoa.find_gpu.cache_clear()

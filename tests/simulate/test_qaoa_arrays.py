"""QAOA by whole arrays: NumPy, and CuPy where there is a GPU, give the numbers of the compiled kernels."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.encodings import Mixer, complete_mixer, ring_mixer, x_mixer
from gatesolve.simulate import cvar, make_qaoa, qaoa

SIZES = st.one_of(st.integers(1, 6), st.sampled_from([16, 17, 64, 65]))


@pytest.fixture(scope="module", params=["numpy", "cupy"])
def library(request: pytest.FixtureRequest) -> Any:
    if request.param == "cupy" and qaoa.find_gpu() is None:
        pytest.skip("needs a GPU, and CuPy")
    return np if request.param == "numpy" else qaoa.find_gpu()


@pytest.mark.slow  # numba compiles
@settings(max_examples=60)
@given(st.lists(SIZES, min_size=1, max_size=5).filter(lambda sizes: math.prod(sizes) <= 5_000), st.data())
def test_states_weights_and_gradients_are_those_of_numba(library: Any, sizes: list[int], data: st.DataObject) -> None:
    made = [[ring_mixer(d), complete_mixer(d), Mixer("grover"), x_mixer(range(d & -d))] for d in sizes]
    mixers = data.draw(st.one_of(st.just([Mixer("grover-global")]), st.tuples(*map(st.sampled_from, made))))
    draw, size = np.random.default_rng(data.draw(st.integers(0, 99))), math.prod(sizes)
    start = draw.normal(size=size) + 1j * draw.normal(size=size)
    start /= np.linalg.norm(start)
    angles = draw.normal(size=3), draw.normal(size=(3, len(mixers)))
    ansatz = make_qaoa(draw.integers(-2, 9, size), sizes, mixers)
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(qaoa, "LARGE", 1)
        patch.setattr(qaoa, "COMPILED", 0)
        for used in (library, None):
            patch.setattr(qaoa, "find_gpu", lambda used=used: used)
            state = ansatz.run(*angles, start)
            slope = ansatz.slope(*angles, cvar(0.4), start)
            found.append((state, ansatz.weights(state), slope.value, slope.gammas, slope.betas))
    for mine, numba in zip(*found, strict=True):
        np.testing.assert_allclose(mine, numba, rtol=0, atol=1e-12)


def test_numba_is_used_for_much_work_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (make_qaoa(np.arange(4), [4], [ring_mixer(4)], layers) for layers in (1, 10**7))
    assert isinstance(few._kernels(), qaoa.ArrayKernels)
    assert many._kernels().__name__.endswith("qaoa_kernels")
    monkeypatch.setitem(sys.modules, "numba", None)
    qaoa.has_numba.cache_clear()
    assert many._kernels() == qaoa.ArrayKernels(np)
    qaoa.has_numba.cache_clear()


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

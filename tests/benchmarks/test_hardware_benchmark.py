"""The suite `hardware`: the bars on the recorded rows, and a row measured again."""

import pytest

from benchmarks.suites import hardware
from gatesolve.devices import fake_backend


@pytest.fixture(scope="module")
def recorded():
    return {row.key: row for row in hardware.TABLE.read()}


@pytest.mark.slow
def test_a_row_measured_again(recorded):
    """Gates and estimates are the same everywhere; a run draws the same shots from one version of the simulator."""
    case = next(case for case in hardware.cases(("K4",), layers=()) if case.depth == 1)
    (ours, *_) = hardware.measure_case(case, fake_backend("fake_manila"), 10, 4096)
    kept = recorded[ours.key]
    assert ours.two_qubit <= kept.two_qubit
    assert ours.estimated == pytest.approx(kept.estimated, abs=0.01)
    assert ours.accepted == pytest.approx(kept.accepted, abs=0.05)

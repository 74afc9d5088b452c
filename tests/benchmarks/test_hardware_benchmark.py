"""The suite `hardware`: the bars on the recorded rows, and a row measured again."""

import math

import pytest

from benchmarks.suites import fractional, hardware
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


def test_gates_are_left_out():
    made = fractional.leave_out(fake_backend("fake_fractional")).target
    assert {"cx", "sx"} < set(made.operation_names)
    assert not {"rzz", "rx"} & set(made.operation_names)


def test_a_device_has_its_own_gates_or_is_given_them():
    own = fake_backend("fake_fractional")
    assert fractional.give(own).target is own.target
    backend = fake_backend("fake_torino")
    made = fractional.give(backend).target
    assert set(made.operation_names) == {*backend.target.operation_names, "rzz", "rx"}
    assert made["rzz"] == made["cz"] == backend.target["cz"]
    assert made["rx"] == backend.target["sx"]
    assert made.supported_angle_bound("rzz", [math.pi / 2])
    assert not made.supported_angle_bound("rzz", [-0.1])

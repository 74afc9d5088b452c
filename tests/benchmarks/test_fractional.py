"""The suite `fractional`: devices without and with RZZ and RX."""

import math

from benchmarks.suites import fractional
from gatesolve.devices import fake_backend


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

"""Schedules of ANDs: the depths that the search reaches, and what the ANDs make of basis states."""

import random

import pytest

from gatesolve.circuit.lowering.rules.mcx_schedule import LAYERS, T_LAYERS, plan_schedule
from gatesolve.circuit.mcx import mcx


def run_schedule(schedule, bits):
    """The product of the roots after the steps, from a state of all wires."""
    bits = list(bits)
    for step in schedule.steps:
        bits[step.target] ^= step.flipped
        bits[step.target] ^= bits[step.middle] & bits[step.outer] & (step.third is None or bits[step.third])
    return all(bits[root] for root in schedule.roots)


@pytest.mark.parametrize(
    ("controls", "clean", "timing", "width", "triple", "depth"),
    [
        (9, 1, LAYERS, 30, False, 49),
        (12, 3, T_LAYERS, 8, True, 20),
        (40, 5, T_LAYERS, 4, False, 28),
        (60, 1, T_LAYERS, 4, True, 64),
        (101, 1, LAYERS, 4, False, None),
    ],
)
def test_schedules_are_as_shallow_as_known_and_right(controls, clean, timing, width, triple, depth):
    schedule = plan_schedule(controls, clean, timing, width, triple)
    if depth is None:
        assert schedule is None
        return
    assert schedule.depth <= depth
    draw = random.Random(controls)
    for zeros in (0, 1, 1, 1, 2, 3, 5, controls // 2):
        bits = [1] * controls + [0] * clean
        for wire in draw.sample(range(controls), zeros):
            bits[wire] = 0
        assert run_schedule(schedule, bits) == (zeros == 0)


@pytest.mark.slow
def test_a_hundred_controls():
    made = mcx(100, clean=1)
    assert made.depth() <= 180
    assert made.count_ops()["cx"] <= 594


@pytest.mark.parametrize("controls", [24, 40, 100])
def test_for_depth_none_is_deeper_than_for_cx(controls):
    assert mcx(controls, clean=1).depth() <= 4 * controls
    assert mcx(controls, clean=1, objective="depth").depth() <= mcx(controls, clean=1).depth()

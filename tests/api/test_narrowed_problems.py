"""Circuits of one part of a problem, or for a better objective: neither is certified as the whole problem's."""

import itertools
import json

import pytest
from both_checkers import OPEN, PROVED, recheck, verify

import gatesolve
from gatesolve.model import Linear, Model, NotEqual, Objective, Variable

BITS = tuple(f"v{k}" for k in range(8))
FOUR_OF_EIGHT = Model(
    tuple(Variable(name, (0, 1)) for name in BITS),
    (
        Linear(tuple((1, name) for name in BITS), "==", 4),
        Linear(((1, "v0"), (2, "v1"), (3, "v2"), (1, "v5"), (2, "v7")), "<=", 6),
        Linear(((1, "v3"), (-1, "v4")), "!=", -1),
    ),
)
SOLUTIONS = [
    dict(zip(BITS, values, strict=True))
    for values in itertools.product((0, 1), repeat=8)
    if FOUR_OF_EIGHT.check(dict(zip(BITS, values, strict=True)))
]
BEST = Model(
    tuple(Variable(name, tuple(range(8))) for name in "xy"),
    (NotEqual("x", "y"), Linear(((1, "x"), (1, "y")), "<=", 9)),
    Objective(((1, "x"), (2, "y")), 0, "max"),
)
EMPTY_4X4 = "box 2x2\n....\n....\n....\n....\n"


def write(found, folder, part="whole"):
    written = gatesolve.export(found.compiled, folder / "found.qasm", part)
    data = json.loads(written.certificate.read_text())
    for is_open in (not written.is_proved, verify(written.circuit) == OPEN, recheck(written.circuit) == OPEN):
        assert is_open, written.claims
    return written, data


@pytest.mark.parametrize(("part", "machines"), [("whole", {}), ("oracle", {}), ("whole", {"jobs": 2})])
@pytest.mark.quick("whole-machines0")
def test_a_part_of_a_model_is_not_certified_as_the_model(tmp_path, part, machines):
    found = gatesolve.solve(FOUR_OF_EIGHT, max_space=16, encoding="binary", **machines)
    assert found.division is not None
    assert found.compiled.certificate.marked < len(SOLUTIONS)
    written, data = write(found, tmp_path, part)
    assert "branched on" in written.claims[0].detail
    assert written.extent.endswith("of one part of the problem")
    assert {one["name"]: one["domain"] for one in data["problem"]["model"]["variables"]} == {
        name: [0, 1] for name in BITS
    }


def test_a_part_of_a_board_is_not_certified_as_the_board(tmp_path):
    board = tmp_path / "empty.txt"
    board.write_text(EMPTY_4X4)
    found = gatesolve.solve(board, max_space=64, encoding="binary")
    assert found.division is not None
    written, _ = write(found, tmp_path)
    assert "branched on" in gatesolve.verify(written.circuit).claims[0].detail


@pytest.mark.slow
def test_a_bound_on_the_objective_is_none_of_the_problems_constraints(tmp_path):
    found = gatesolve.solve(BEST, pipeline="grover", presolve="none", encoding="binary")
    assert found.optimal
    written, data = write(found, tmp_path)
    assert "objective was bounded" in written.claims[0].detail
    assert len(data["problem"]["model"]["constraints"]) == 2


@pytest.mark.sampled(0.5)
def test_the_whole_problem_is_proved_beside_them(tmp_path):
    for model in (FOUR_OF_EIGHT, BEST):
        compiled = gatesolve.compile(model, pipeline="grover", presolve="none", encoding="binary")
        written = gatesolve.export(compiled, tmp_path / "whole.qasm")
        assert (verify(written.circuit), recheck(written.circuit)) == (PROVED, PROVED)

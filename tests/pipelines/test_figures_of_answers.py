"""A figure of an answer that means nothing is None: in the result, and so in its JSON."""

import cpmpy as cp
import pytest

import gatesolve
from gatesolve.model import AllDifferent, Linear

FIGURES = ("iterations", "oracle_calls", "success_probability", "miss_probability", "optimal")


def figures(model, **options):
    result = gatesolve.solve(model, seed=0, **options)
    said = result.as_dict()
    assert [said[name] for name in FIGURES[:3]] == [getattr(result, name) for name in FIGURES[:3]]
    return {name for name in FIGURES if getattr(result, name) is None}, result


def boards():
    x, y = (cp.intvar(0, 3, name=name) for name in "xy")
    return {
        "found": cp.Model(x + y == 5, x < y),
        "best": cp.Model(x + y <= 5, maximize=x + 2 * y),
        "refuted": cp.Model(x + y == 9),
        "none": cp.Model(x != y, x + y == 2 * y),
    }


@pytest.mark.sampled(2)
@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("board", "pipeline", "without"),
    [
        ("found", "grover", {"miss_probability", "optimal"}),
        ("found", "qaoa", {"miss_probability", "optimal", "oracle_calls"}),
        ("found", "anneal", set(FIGURES)),
        ("best", "qaoa", {"miss_probability", "oracle_calls"}),
        ("best", "anneal", set(FIGURES) - {"optimal"}),
        ("none", "grover", {"success_probability", "miss_probability", "optimal"}),
        ("none", "gas", {"success_probability", "miss_probability", "optimal"}),
    ],
)
def test_figures_without_a_meaning_are_none(board, pipeline, without):
    assert figures(boards()[board], pipeline=pipeline, presolve="none")[0] == without


@pytest.mark.parametrize("pipeline", ["grover", "gas", "qaoa", "anneal"])
def test_what_presolve_refutes_has_no_figures(pipeline):
    without, result = figures(boards()["refuted"], pipeline=pipeline, presolve="propagate")
    assert (result.status, without) == ("infeasible", set(FIGURES))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"schedule": "unknown"},
        {"backend": "aer", "encoding": "binary"},
        {"pipeline": "gas"},
        {"pipeline": "qaoa", "layers": 1, "angles": "ramp"},
    ],
)
def test_measured_bits_decode_to_the_answer(options):
    model = gatesolve.Model(
        tuple(gatesolve.Variable(name, (0, 1, 2)) for name in "abc"),
        (AllDifferent(("a", "b", "c")), Linear(((1, "a"), (-1, "b")), "<=", -1)),
    )
    found = gatesolve.solve(model, presolve="none", **options)
    decoded = [values for values, _ in found.program.decode(found.counts) if values is not None]
    assert found.solution in decoded
    several = "schedule" not in options and options.get("pipeline") != "gas"
    assert sum(found.counts.values()) == (found.options.shots if several else 1)


def test_without_a_circuit_nothing_was_measured():
    assert gatesolve.solve(gatesolve.Model((gatesolve.Variable("a", (0, 1)),)), pipeline="anneal").counts is None

"""The suite `qaoa`: the bars, rows measured again, the page."""

import dataclasses

import numpy as np
import pytest

from benchmarks.suites import qaoa, qaoa_peers
from benchmarks.suites import qaoa_transfer as maker
from gatesolve.pipelines.qaoa.angles import load_table
from gatesolve.planning import Clock


@pytest.fixture(scope="module")
def recorded():
    return qaoa.TABLE.read()


def case(name):
    return qaoa.CASES[qaoa.NAMES.index(name)]


def one(recorded, problem, way, betas, depth):
    key = (problem, way, betas, depth)
    (found,) = (row for row in recorded if (row.problem, row.way, row.betas, row.depth) == key)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depths"), [("galaxies pzpr-5x5", (1, 2)), ("chess max-2x2-kings", (1,))])
def test_rows_are_the_recorded_ones(recorded, name, depths):
    board = dataclasses.replace(case(name), depths=depths)
    for way, problem, options in qaoa.ways(board):
        for row in qaoa.qaoa_rows(board, way, problem, options):
            old = one(recorded, row.problem, row.way, row.betas, row.depth)
            assert (row.cx, row.qubits, row.best, row.followed) == (old.cx, old.qubits, old.best, old.followed)
            assert row.probability == pytest.approx(old.probability, abs=1e-3)


def test_another_state_than_the_circuits_is_noticed():
    _, problem, options = next(iter(qaoa.ways(case("galaxies pzpr-5x5"))))
    made = qaoa.compile_problem(problem, dataclasses.replace(options, layers=1, evaluations=30), Clock())
    assert qaoa.follow(made)
    other = dataclasses.replace(made.details, state=np.roll(made.details.state, 1))
    with pytest.raises(AssertionError, match="other probabilities"):
        qaoa.follow(dataclasses.replace(made, details=other))


def test_transferred_angles_are_as_good_as_a_ramp_and_fixed_ones_and_optimised_ones_as_any_package():
    ratios = {(row.problem, row.layers, row.way): row.ratio for row in qaoa_peers.TABLE.read()}
    keys = {key[:2] for key in ratios}
    assert len(keys) == len(qaoa_peers.make_cases()) * len(qaoa_peers.DEPTHS)
    for key in keys:
        assert ratios[*key, "transfer"] >= max(ratios[*key, way] for way in ("ramp", "fixed")) - 1e-6
        assert ratios[*key, "optimised"] >= max(ratios[*key, peer] for peer in qaoa_peers.PEERS) - 0.002


@pytest.mark.parametrize("kind", ["grover-global", "grover"])
def test_the_table_is_made_again(kind, capsys):
    again = maker.fitted(kind, 1, (1, 2, 3))
    assert all(np.allclose(again[layers], load_table("table")[kind][layers], atol=0.011) for layers in again)
    assert capsys.readouterr().out.startswith(f"# {kind} 1 ")


def test_angles_transfer_to_other_instances():
    others = maker.ensemble("xy-ring", 2)
    schedule = load_table("table")["xy-ring"][4]
    assert maker.chance(others, schedule) > 20 * maker.chance(others, schedule[:0])

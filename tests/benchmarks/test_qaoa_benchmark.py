"""benchmarks/qaoa.py: the bars, rows measured again, the page."""

import dataclasses

import numpy as np
import pytest

from gatesolve.api.request import make_request
from gatesolve.encodings import mixers_for
from gatesolve.pipelines import Clock, qaoa_plan
from gatesolve.pipelines.qaoa.compile import prepare_ansatz

FAMILIES = ("K", "sudoku", "takuzu", "tango", "queens", "starbattle", "tents", "galaxies", "chess")


@pytest.fixture(scope="module")
def rows(benchmark_module):
    return benchmark_module("qaoa_rows")


@pytest.fixture(scope="module")
def cases(benchmark_module):
    return benchmark_module("qaoa_cases")


@pytest.fixture(scope="module")
def ours(benchmark_module):
    return benchmark_module("qaoa_ours")


@pytest.fixture(scope="module")
def tables(benchmark_module):
    return benchmark_module("qaoa_tables")


@pytest.fixture(scope="module")
def recorded(rows):
    return rows.read()


def silent(line):
    pass


def one(recorded, problem, way, betas, depth):
    key = (problem, way, betas, depth)
    (found,) = (row for row in recorded if (row.problem, row.way, row.betas, row.depth) == key)
    return found


@pytest.mark.parametrize("betas", ["shared", "own"])
def test_the_bars_are_met_with_one_beta_a_layer_and_with_more(recorded, rows, betas):
    k4 = one(recorded, "K4", rows.XY, betas, 8)
    assert (k4.states, k4.best) == (4**4, 2)
    assert k4.probability >= 0.95
    assert rows.best(recorded, "K4", rows.XY, betas=betas).price <= 400
    k7 = one(recorded, "K7", rows.XY, betas, 10)
    assert (k7.states, k7.best) == (4**7, 1)
    assert k7.probability >= 0.20
    assert rows.best(recorded, "K7", rows.XY, betas=betas).price <= 8_000
    assert k7.price <= 8_000
    blocks = one(recorded, "K7", rows.BLOCKS, betas, 8)
    assert blocks.probability >= 0.9
    assert blocks.price <= 2_000


def test_every_circuit_was_checked(recorded, rows, ours):
    for row in recorded:
        assert 0 < row.probability <= 1 + 1e-9, row.key
        assert row.checked > 0, row.key
        if row.way in rows.QAOA:
            assert row.followed == (row.states <= ours.FOLLOWED), row.key
            assert row.checked == min(row.states, 4096), row.key


def test_every_family_has_two_boards(recorded):
    for family in FAMILIES:
        assert len({row.problem for row in recorded if row.problem.startswith(family)}) >= 2, family


def test_energies_have_ratios_that_rise(recorded, rows):
    named = {row.problem for row in recorded if row.ratio is not None}
    assert {"chess max-2x2-kings", "chess max-3x3-types", "independent-12.qubo", "partition-12.coo"} <= named
    for name in named:
        shown = [row for row in recorded if row.problem == name and row.betas == rows.SHARED and row.way == rows.X]
        assert shown[-1].ratio > shown[0].ratio
        assert all(0 < row.ratio <= 1 + 1e-9 for row in shown)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depths"), [("galaxies pzpr-5x5", (1, 2)), ("chess max-2x2-kings", (1,))])
def test_rows_are_the_recorded_ones(cases, ours, recorded, name, depths):
    case = dataclasses.replace(cases.case(name), depths=depths)
    for way, problem, options in ours.ways(case, silent):
        for row in ours.qaoa_rows(case, way, problem, options, silent):
            old = one(recorded, row.problem, row.way, row.betas, row.depth)
            assert (row.cx, row.qubits, row.best, row.followed) == (old.cx, old.qubits, old.best, old.followed)
            assert row.probability == pytest.approx(old.probability, abs=1e-3)


def test_grover_and_gas_are_the_recorded_ones(cases, ours, recorded, rows):
    case = cases.case("galaxies pzpr-5x5")
    fresh = [*ours.grover_rows(case, "table", silent), ours.gas_row(case, "table", silent)]
    assert {row.way for row in fresh} == {rows.GROVER, rows.GAS}
    assert all(row in recorded for row in fresh)


def test_another_state_than_the_circuits_is_noticed(cases, ours):
    case = cases.case("galaxies pzpr-5x5")
    _, problem, options = next(iter(ours.ways(case, silent)))
    ranked = prepare_ansatz(make_request(problem, options, Clock()))
    plan = qaoa_plan(ranked.space, ranked.cost, mixers_for(ranked.space, "x"), layers=1)
    made = ours.ansatz(ranked, plan, 1, False, 0)
    assert ours.follow(made)
    with pytest.raises(AssertionError, match="other probabilities"):
        ours.follow(dataclasses.replace(made, state=np.roll(made.state, 1)))


def test_the_price_of_a_search_is_its_mean(rows):
    row = rows.Row("K4", "none", rows.GAS, "one-hot", 8, 256, 2, 20, 0.5, 100)
    assert row.price == 100
    assert dataclasses.replace(row, way=rows.GROVER).price == 200
    assert rows.best([row, dataclasses.replace(row, cx=7)], "K4", rows.GAS).cx == 7
    assert rows.best([row], "K4", rows.GROVER) is None


def test_rows_survive_the_file_and_merge_by_problem_and_way(cases, rows, recorded, tmp_path):
    rows.write(recorded, tmp_path / "qaoa.csv")
    assert rows.read(tmp_path / "qaoa.csv") == recorded
    changed = dataclasses.replace(recorded[0], cx=1)
    after = rows.merged([changed], recorded, cases.NAMES)
    assert after[0] == changed
    kept = [row for row in recorded if (row.problem, row.way) != (changed.problem, changed.way)]
    assert len(after) == 1 + len(kept)


def test_the_page_shows_the_recorded_rows(tables, recorded):
    text = tables.PAGE.read_text(encoding="utf-8")
    assert tables.with_tables(text, recorded) == text


@pytest.mark.slow
def test_the_picture_is_drawn(tables, recorded, tmp_path):
    tables.draw(recorded, tmp_path / "qaoa.png")
    assert tables.PICTURE.read_bytes().startswith(b"\x89PNG")
    assert tables.PICTURE.stat().st_size < 150_000

"""benchmarks/hardware.py: the bars on the recorded rows, and a row measured again."""

import dataclasses

import pytest

from gatesolve.devices import fake_backend


@pytest.fixture(scope="module")
def rows(benchmark_module):
    return benchmark_module("hardware_rows")


@pytest.fixture(scope="module")
def hardware(benchmark_module):
    return benchmark_module("hardware")


@pytest.fixture(scope="module")
def recorded(rows):
    return {row.key: row for row in rows.read()}


@pytest.mark.parametrize("device", ["fake_torino", "fake_fez"])
@pytest.mark.parametrize("iterations", [1, 2, 3])
def test_k7_takes_at_least_30_percent_fewer_gates(rows, recorded, device, iterations):
    ours, qiskit, lowered = (recorded[device, "K7", rows.GROVER, iterations, way] for way in rows.WAYS)
    for other in (qiskit, lowered):
        assert ours.two_qubit <= 0.7 * other.fewest <= 0.7 * other.median
        assert ours.estimated > other.estimated
        assert ours.accepted > other.accepted
    assert ours.right


def test_the_right_board_is_on_top_wherever_grover_was_run(rows, recorded):
    ours = [row for row in recorded.values() if row.way == rows.OURS and row.depth and row.pipeline == rows.GROVER]
    assert {row.device for row in ours} == {"fake_manila", "fake_torino", "fake_fez"}
    assert all(row.right for row in ours)
    assert all(row.accepted > 2 * row.chance for row in ours)


@pytest.mark.slow
def test_a_row_measured_again(hardware, rows, recorded):
    """Gates and estimates are the same everywhere; a run draws the same shots from one version of the simulator."""
    case = next(case for case in hardware.cases(("K4",), layers=()) if case.depth == 1)
    (ours, *_) = hardware.measure(case, fake_backend("fake_manila"), 10, 4096)
    kept = recorded[ours.key]
    assert ours.two_qubit <= kept.two_qubit
    assert ours.estimated == pytest.approx(kept.estimated, abs=0.01)
    assert ours.accepted == pytest.approx(kept.accepted, abs=0.05)


def test_rows_are_replaced_by_their_key(rows, tmp_path):
    first = rows.Row("d", "K4", rows.GROVER, 1, rows.OURS, two_qubit=9, median=1.5)
    other = rows.Row("d", "K4", rows.GROVER, 1, rows.QISKIT)
    fresh = dataclasses.replace(first, two_qubit=8)
    merged = rows.merged([fresh], [other, first])
    assert merged == [fresh, other]
    rows.write(merged, tmp_path / "rows.csv")
    assert rows.read(tmp_path / "rows.csv") == merged
    assert [line[4] for line in rows.lines(merged)] == ["does not fit", "does not fit"]


def test_the_table_needs_no_measurement(hardware, capsys):
    assert hardware.main(["--table"]) == 0
    assert capsys.readouterr().out.startswith("| problem | circuit | device | compiled by |")

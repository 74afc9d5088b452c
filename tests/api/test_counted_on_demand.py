"""Counting a circuit can take longer than its search, so a `Result` counts what it is asked for, when it is asked."""

from pathlib import Path

import pytest

import gatesolve
from gatesolve.cli import report
from gatesolve.programs import program

KAKURO = Path(__file__).parents[2] / "examples" / "kakuro" / "small.txt"


@pytest.fixture
def counted(monkeypatch):
    """The gate sets counted, in order."""
    seen = []
    real = program.count
    monkeypatch.setattr(program, "count", lambda circuit, gates: seen.append(gates) or real(circuit, gates))
    return seen


@pytest.mark.parametrize(
    ("pipeline", "options"), [("grover", {}), ("gas", {}), ("qaoa", {"layers": 1, "angles": "ramp"})]
)
def test_a_solve_counts_nothing(counted, pipeline, options):
    result = gatesolve.solve(KAKURO, pipeline=pipeline, **options)
    assert result.status == "solved"
    assert counted == []
    assert result.resources.total > 0
    assert (result.oracle_resources is None) == (pipeline == "qaoa")


def test_what_was_counted_is_not_counted_again(counted):
    result = gatesolve.solve(KAKURO)
    assert result.resources is result.resources
    assert result.oracle_resources is result.oracle_resources
    assert result.as_dict()["resources"] == result.resources.as_dict()
    report.result_report(result)
    assert counted == ["cx+u"] * 3, "the oracle, the one it is compared with, the whole"


@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
@pytest.mark.parametrize("pipeline", ["grover", "gas"])
def test_a_report_counts_the_gate_set_asked_for(counted, gates, pipeline):
    report.result_report(gatesolve.solve(KAKURO, gates=gates, pipeline=pipeline))
    assert set(counted) == {gates}
    assert len(counted) == {"grover": 3, "gas": 4}[pipeline], "one of them is what the oracle is compared with"

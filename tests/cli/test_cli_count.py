"""``gatesolve count`` on the command line."""

import json


def test_it_prints_the_interval_the_shots_and_the_known_number(gatesolve):
    run = gatesolve("count", "--model", "x, y in 0..3; x + y == 2", "--encoding", "binary", "--presolve", "none")
    assert "counted classically: 3" in run.out
    assert "shots marked" in run.out
    shown = gatesolve("count", "--model", "x in 3..3", "--json")
    assert json.loads(shown.out)["low"] == 1

"""Adaptive searches: circuits of the peers as they should be, and the bar that the recorded runs keep."""

import pytest

from benchmarks.core.rows import OURS
from benchmarks.suites import gas, gas_cases
from gatesolve.qubo import Qubo


def test_one_value_qubit_too_few_is_noticed():
    qubo = Qubo.of("ab", {(0,): 7, (1,): -7})
    for width, right in ((gas.value_qubits(-7, 7), True), (3, False)):
        prepare, _ = gas.operators(qubo, width, -6)
        if right:
            assert gas.check(qubo, prepare, 2, -6) == 4
            continue
        with pytest.raises(AssertionError):
            gas.check(qubo, prepare, 2, -6)


def test_runs_of_peers_take_more_cx_than_ours():
    bars = dict.fromkeys(gas_cases.NAMES, 5) | {"independent-12.qubo": 4}
    rows = gas.TABLE.read()
    ours = {name: min(row.run for row in rows if (row.problem, row.method) == (name, OURS)) for name in gas_cases.NAMES}
    theirs = [row for row in rows if row.method != OURS and row.run]
    assert {row.problem for row in theirs if row.method == gas.QAMOMILE} == set(ours)
    assert all(row.run >= bars[row.problem] * ours[row.problem] for row in theirs)

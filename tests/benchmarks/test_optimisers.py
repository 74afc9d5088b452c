"""The comparison with other optimisers counts only what it has followed, and says what is missing."""

import pytest
from qiskit import QuantumCircuit

from benchmarks.suites import optimisers
from gatesolve.circuit import build


@pytest.fixture(scope="module")
def toffoli():
    return optimisers.mcx_case(2, 1)


@pytest.fixture(scope="module")
def literal():
    return optimisers.literal_case()


def test_the_emitted_circuits_are_right(literal, toffoli):
    for case in (literal, toffoli, optimisers.mcx_case(4, 1)):
        assert case.holds(build(case.gates, case.width))


def test_wrong_circuits_have_no_counts(toffoli):
    assert not toffoli.holds(QuantumCircuit(toffoli.width))
    assert optimisers.checked(toffoli, QuantumCircuit(toffoli.width), 0.0) == "wrong"
    moved = build([*toffoli.gates, ("x", (0,), 0.0)], toffoli.width)
    assert optimisers.checked(toffoli, moved, 0.0) == "wrong"
    left = build([*toffoli.gates, ("cx", (0, 3), 0.0)], toffoli.width)
    assert not toffoli.holds(left)


@pytest.mark.slow
def test_ours_on_a_literal_oracle_beats_what_was_emitted(literal):
    before = optimisers.checked(literal, build(literal.gates, literal.width), 0.0)
    after = optimisers.our_passes(literal, literal.gates)
    assert after.cx <= 290 < before.cx
    assert after.t <= 203 < before.t
    assert after.depth < before.depth

"""Multi-controlled Z with measured erasure: every input, every outcome, at the declared cost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And, Gate, Mcx, Parity, PhaseFlip, Planes, count, lower_measured, run_ops
from gatesolve.circuit.lowering import GATE_SETS
from gatesolve.circuit.lowering.measured.mcz import compute_target, erase_target, flip_phase, flip_phase_of_four
from gatesolve.simulate import check_branches, count_measurements


def inputs(num_data, num_qubits):
    states = np.arange(1 << num_data)
    bits = np.zeros((num_qubits, len(states)), dtype=bool)
    for qubit in range(num_data):
        bits[qubit] = states >> qubit & 1
    return bits


def marks(factors, bits):
    planes = Planes.from_bits(bits)
    run_ops([PhaseFlip(tuple(factors))], planes)
    return planes.unpack(planes.phase, bits.shape[1])[1]


def assert_flips(factors, num_data, num_free, objective="cx", gates="clifford+t"):
    """Every input of the data qubits, ancillas zero; gives the counts."""
    width = num_data + num_free
    free = range(num_data, width)
    circuit = lower_measured([PhaseFlip(tuple(factors))], width, gates, objective, zeros=free)
    bits = inputs(num_data, width)
    assert check_branches(circuit, bits, marks(factors, bits), seed=1) >= 1
    return count(circuit, gates)


def singles(n):
    return [Parity((q,), q % 3 == 1) for q in range(n)]


def expected_t(factors, free, shallow):
    """As declared at `flip_phase`."""
    if factors <= 2:
        return 0
    if free == 0:
        return 7 if factors == 3 else None
    if factors == 3:
        return 4
    if shallow and free >= factors - 2:
        return 4 * factors - 8
    if free >= factors - 3:
        return 4 * factors - 10
    if free == 1:
        return 4 + 8 * (factors - 4) + 7
    return 4 * (free - 2) + 4 + 8 * (factors - free + 2 - 5) + 6


CASES = [(n, free) for n in range(1, 9) for free in range(n)]


@pytest.mark.quick("[1-6]-*", "8-0-*", "8-3-*")
@pytest.mark.parametrize("objective", ["cx", "t", "depth"])
@pytest.mark.parametrize(("n", "free"), CASES)
def test_every_number_of_factors_and_ancillas(n, free, objective):
    if n > 3 and free == 0:
        # One more data qubit, in any state, for the rule that borrows it.
        factors = singles(n)
        assert assert_flips(factors, n + 1, 0, objective).measurements == 0
        return
    counted = assert_flips(singles(n), n, free, objective)
    assert counted.t == expected_t(n, free, objective == "depth")


@pytest.mark.parametrize(("n", "free"), [(n, free) for n, free in CASES if free or n <= 3])
def test_toffoli_gates_of_every_number_of_factors_and_ancillas(n, free):
    """One less than two factors need; two more for each AND that finds no free qubit, as it is undone by a gate."""
    counted = assert_flips(singles(n), n, free, "t", "clifford+toffoli")
    joins = max(n - 3, 0)
    assert counted.toffoli == max(n - 2, 0) + max(joins - free, 0)
    assert counted.measurements == min(joins, free)


@pytest.mark.parametrize(("controls", "ladder"), [(3, 8), (5, 16), (10, 36), (14, 52), (20, 76)])
def test_controlled_x_beats_the_ladder_of_ands(controls, ladder):
    """4 n - 6 T for n controls where the AND ladder takes 4 (n - 1)."""
    width = 2 * controls - 1
    ops = [Mcx(tuple((q, True) for q in range(controls)), controls, tuple(range(controls + 1, width)))]
    circuit = lower_measured(ops, width, "clifford+t", "t", zeros=range(controls + 1, width))
    counted = count(circuit, "clifford+t")
    assert counted.t == 4 * controls - 6 == ladder - 2
    assert counted.measurements == controls - 2
    assert counted.cx == 4 * controls - 3
    shallow = lower_measured(ops, width + 1, "clifford+t", "depth", zeros=range(controls + 1, width + 1))
    assert count(shallow, "clifford+t").t == ladder
    draw = np.random.default_rng(controls)
    bits = np.zeros((width, 200), dtype=bool)
    bits[: controls + 1] = draw.random((controls + 1, 200)) < 0.9
    bits[:controls, :2] = True
    bits[controls, :2] = [False, True]
    bits = np.unique(bits, axis=1)
    # An X on the target between two H is a phase; that circuit is checked.
    phase = [Gate("h", (controls,)), *ops, Gate("h", (controls,))]
    circuit = lower_measured(phase, width, "clifford+t", "t", zeros=range(controls + 1, width))
    assert check_branches(circuit, bits, bits[: controls + 1].all(axis=0), seed=controls) >= 2


@st.composite
def parities(draw, num_wires, most, least=1):
    number = draw(st.integers(least, most))
    return [
        Parity.of(draw(st.lists(st.integers(0, num_wires - 1), min_size=1, max_size=num_wires)), draw(st.booleans()))
        for _ in range(number)
    ]


@settings(max_examples=60, deadline=None)
@given(parities(5, 6), st.integers(1, 5), st.sampled_from(["cx", "t", "depth"]), st.sampled_from(tuple(GATE_SETS)))
def test_parities_with_complements(factors, free, objective, gates):
    assert_flips(factors, 5, free, objective, gates)


@settings(max_examples=40, deadline=None)
@given(parities(4, 4, least=4))
def test_the_gadget_of_six_t(factors):
    steps = flip_phase_of_four(factors, 4)
    names = [s.name for s in steps if isinstance(s, Gate)]
    assert names.count("t") + names.count("tdg") == 6
    # Factors need not be independent, nor different.
    counted = assert_flips(factors, 4, 1)
    assert counted.t <= 6


def test_contradictions_and_constants_vanish():
    assert flip_phase([Parity((0,)), Parity((0,), True)], [3]) == ()
    assert flip_phase([Parity((), True)], [3]) == ()
    assert flip_phase([Parity(())], [3]) == ()
    assert flip_phase([Parity((0,)), Parity((0,)), Parity((1,))], []) == (PhaseFlip((Parity((0,)), Parity((1,)))),)
    assert flip_phase(singles(3), []) is None


def test_an_and_is_erased_whatever_its_parities():
    left, right = Parity((0, 1), True), Parity((1, 2))
    ops = [And(left, right, 3), PhaseFlip((Parity((3,)),)), And(left, right, 3, True)]
    circuit = lower_measured(ops, 4, "clifford+t", zeros=[3])
    bits = inputs(3, 4)
    assert check_branches(circuit, bits, marks([left, right], bits), seed=0) == 2
    assert (count(circuit, "clifford+t").t, count_measurements(circuit)) == (4, 1)
    assert compute_target(left, right, 3)[0] == And(left, right, 3)
    assert erase_target(3, [(left, right)])[1].on_one == (PhaseFlip((left, right)),)

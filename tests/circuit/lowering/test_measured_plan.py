"""Measured lowering of whole operation lists equals unitary lowering, on every input and every outcome."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And, Gate, Mcx, Parity, PhaseFlip, Xor, count, inverse, lower_measured
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.lowering.measured.lower import REGISTER
from gatesolve.circuit.lowering.measured.root import widen_roots
from gatesolve.simulate import basis_terms, count_measurements, run_sparse
from gatesolve.simulate.branches import outcome_sequences, run_branch

DATA, ANCILLAS = 4, 4
WIDTH = DATA + ANCILLAS


def states():
    numbers = np.arange(1 << DATA)
    bits = np.zeros((WIDTH, len(numbers)), dtype=bool)
    for qubit in range(DATA):
        bits[qubit] = numbers >> qubit & 1
    return basis_terms(bits)


def columns(terms):
    matrix = np.zeros((1 << WIDTH, 1 << DATA), dtype=complex)
    matrix[terms.keys[:, 1].astype(int), terms.keys[:, 0].astype(int)] = terms.amplitudes
    return matrix


def assert_same(ops, objective="cx", gates="clifford+t"):
    """One matrix up to a global phase on every branch; gives T and measurements."""
    wanted = columns(run_sparse(lower(ops, WIDTH, gates), states()))
    circuit = lower_measured(ops, WIDTH, gates, objective, zeros=range(DATA, WIDTH))
    for outcomes in outcome_sequences(count_measurements(circuit), seed=3, samples=2):
        found = columns(run_branch(circuit, states(), outcomes))
        overlap = np.vdot(wanted, found)
        assert abs(overlap) == pytest.approx(1 << DATA, abs=1e-6)
        assert np.abs(found * np.conj(overlap) / abs(overlap) - wanted).max() < 1e-7
    counted = count(circuit, gates)
    return counted.t, counted.measurements


@st.composite
def parity(draw, without, most=3):
    wires = [q for q in range(WIDTH - 1) if q != without]
    return Parity.of(draw(st.lists(st.sampled_from(wires), min_size=1, max_size=most)), draw(st.booleans()))


@st.composite
def operation(draw, mixing, most_gates=7):
    kind = draw(st.sampled_from(["and", "and", "and", "xor", "flip", "mcx", *(["gate"] if mixing else [])]))
    target = draw(st.integers(0, WIDTH - 2))
    if kind == "and":
        return And(draw(parity(target)), draw(parity(target)), target)
    if kind == "xor":
        return Xor(draw(parity(target)), target)
    if kind == "flip":
        # The last qubit is in no operation, so it may be lent.
        lent = draw(st.sampled_from([(), (WIDTH - 1,)]))
        return PhaseFlip(tuple(draw(st.lists(parity(-1), max_size=4))), lent)
    if kind == "mcx":
        qubits = draw(st.permutations([q for q in range(WIDTH - 1) if q != target]))
        controls = tuple((q, draw(st.booleans())) for q in qubits[: draw(st.integers(1, 3))])
        return Mcx(controls, target, (WIDTH - 1,))
    name = draw(st.sampled_from(["h", "x", "s", "z", "cx", "cz", "t"][:most_gates]))
    return Gate(name, (target, (target + 1) % (WIDTH - 1))) if name in {"cx", "cz"} else Gate(name, (target,))


@st.composite
def programs(draw, mixing, most_gates=7):
    """Lists with undone parts inside, as oracles have them, and parts that are never undone."""
    ops = draw(st.lists(operation(mixing, most_gates), max_size=5))
    between = draw(st.lists(operation(mixing, most_gates), max_size=3))
    tail = draw(st.sampled_from([(), inverse(ops), inverse(ops[len(ops) // 2 :])]))
    return (*ops, *between, *tail)


@pytest.mark.more_examples(120)
@settings(max_examples=40, deadline=None)
@given(programs(mixing=False), st.sampled_from(["cx", "t", "depth"]))
def test_any_basis_state_operations(ops, objective):
    assert_same(ops, objective)


@pytest.mark.more_examples(80)
@settings(max_examples=25, deadline=None)
@given(programs(mixing=True))
def test_any_operations_with_superpositions(ops):
    assert_same(ops)


@settings(max_examples=60, deadline=None)
@given(programs(mixing=True, most_gates=6), st.sampled_from(["cx", "t", "depth"]))
def test_toffoli_gates(ops, objective):
    """No T among the gates drawn; ANDs that are never undone keep their phases."""
    assert_same(ops, objective, "clifford+toffoli")


def single(*wires, constant=False):
    return Parity(wires, constant)


def around(compute, *middle):
    return (*compute, *middle, *inverse(compute))


def test_a_pair_costs_four_t():
    ops = around([And(single(0), single(1), 4)], Xor(single(4), 2))
    assert assert_same(ops) == (4, 1)


def test_an_and_never_undone_keeps_its_phase():
    assert assert_same([And(single(0), single(1), 4)]) == (4, 0)
    assert assert_same([And(single(0), single(1), 4), Gate("h", (0,)), And(single(0), single(1), 4)])[1] == 0


def test_an_and_undone_with_another_phase_keeps_it():
    """Controls swapped: the value is erased all the same, the phase is the second AND's own."""
    ops = [And(single(0), single(1), 4), Xor(single(4), 2), And(single(1), single(0), 4, True)]
    assert assert_same(ops) == (4, 1)


def test_a_control_changed_in_between_prevents_erasure():
    ops = [And(single(0), single(1), 4), Xor(single(4), 2), Xor(single(3), 0), And(single(0), single(1), 4, True)]
    assert assert_same(ops) == (8, 0)
    back = [*ops[:3], Xor(single(3), 0), ops[3]]
    assert assert_same(back) == (4, 1)


def test_a_control_moved_to_another_wire_does_not():
    swap = [Xor(single(0), 5), Xor(single(5), 0)]
    ops = [And(single(0), single(1), 4), Xor(single(4), 2), *swap, And(single(5), single(1), 4, True)]
    assert assert_same(ops) == (4, 1)


def test_roots_are_widened_only_where_that_is_right():
    compute = [And(single(0), single(1), 4), And(single(2), single(3), 5)]
    pair = PhaseFlip((single(4), single(5)))
    assert assert_same(around(compute, pair)) == (6, 1)
    assert assert_same(around(compute, pair), "depth") == (8, 2)
    # Used elsewhere in between, complemented, or twice in the phase: the AND stays.
    for middle in (
        [pair, Xor(single(4), 6), PhaseFlip((single(6), single(0))), Xor(single(4), 6)],
        [PhaseFlip((single(4, constant=True), single(5)))],
        [PhaseFlip((single(4), single(4, 5)))],
    ):
        assert assert_same(around(compute, *middle))[0] >= 8
    moved = [Xor(single(3), 0), pair, Xor(single(3), 0)]
    assert assert_same(around(compute, *moved))[0] >= 8
    assert widen_roots(around(compute, pair), WIDTH, range(WIDTH)) != around(compute, pair)
    assert widen_roots(around(compute, pair), WIDTH, ()) == around(compute, pair)


def test_the_register_has_a_bit_for_each_erased_qubit():
    compute = [And(single(0), single(1), 4), And(single(2), single(3), 5)]
    circuit = lower_measured(2 * around(compute, Xor(single(4), 6)), WIDTH, zeros=range(DATA, WIDTH))
    assert [(r.name, r.size) for r in circuit.cregs] == [(REGISTER, 2)]
    assert count_measurements(circuit) == 4
    assert lower_measured([], WIDTH, zeros=()).cregs == []

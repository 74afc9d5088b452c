"""Measured lowering of whole operation lists equals unitary lowering, on every input and every outcome."""

import random

import numpy as np
import pytest
from every_state import every_state
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit

from gatesolve.circuit import (
    And,
    Gate,
    Mcx,
    Parity,
    PhaseFlip,
    Planes,
    Resources,
    Xor,
    count,
    inverse,
    lower,
    lower_measured,
    run_ops,
)
from gatesolve.circuit.lowering.measured.lower import REGISTER
from gatesolve.circuit.lowering.measured.mcz import compute_target, erase_target, flip_phase, flip_phase_of_four
from gatesolve.circuit.lowering.measured.plan import widen_roots
from gatesolve.gate_sets import GATE_SETS
from gatesolve.simulate import basis_terms, check_branches, run_outcomes, run_sparse

DATA, ANCILLAS = 4, 4
WIDTH = DATA + ANCILLAS


STATES = basis_terms(every_state(DATA, WIDTH))


def columns(terms):
    matrix = np.zeros((1 << WIDTH, 1 << DATA), dtype=complex)
    matrix[terms.keys[:, 1].astype(int), terms.keys[:, 0].astype(int)] = terms.amplitudes
    return matrix


def assert_same(ops, metric="cx", gates="clifford+t"):
    """One matrix up to a global phase on every branch; gives T and measurements."""
    wanted = columns(run_sparse(lower(ops, WIDTH, gates), STATES))
    circuit = lower_measured(ops, WIDTH, gates, metric, zeros=range(DATA, WIDTH))
    for branch in run_outcomes(circuit, STATES, seed=3)[0]:
        found = columns(branch.scaled)
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
def operation(draw, most_gates):
    kind = draw(st.sampled_from(["and", "and", "and", "xor", "flip", "mcx", *draw(st.sampled_from([[], ["gate"]]))]))
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
def programs(draw, most_gates=7):
    """Lists with undone parts inside, as oracles have them, and parts that are never undone."""
    ops = draw(st.lists(operation(most_gates), max_size=5))
    between = draw(st.lists(operation(most_gates), max_size=3))
    tail = draw(st.sampled_from([(), inverse(ops), inverse(ops[len(ops) // 2 :])]))
    return (*ops, *between, *tail)


@pytest.mark.more_examples(100)
@settings(max_examples=50, deadline=None)
@given(programs(), st.sampled_from(["cx", "t", "depth"]))
def test_any_operations(ops, metric):
    assert_same(ops, metric)


@pytest.mark.sampled(0.5)
@settings(max_examples=60, deadline=None)
@given(programs(most_gates=6), st.sampled_from(["cx", "t", "depth"]))
def test_toffoli_gates(ops, metric):
    """No T among the gates drawn; ANDs that are never undone keep their phases."""
    assert_same(ops, metric, "clifford+toffoli")


def single(*wires, constant=False):
    return Parity(wires, constant)


def around(compute, *middle):
    return (*compute, *middle, *inverse(compute))


PAIR = And(single(0), single(1), 4)
READ, CHANGED = Xor(single(4), 2), Xor(single(3), 0)
BACK = And(single(0), single(1), 4, True)


@pytest.mark.parametrize(
    ("ops", "counted"),
    {
        "a pair": ([PAIR, READ, BACK], (4, 1)),
        "never undone": ([PAIR], (4, 0)),
        "not in the same state": ([PAIR, Gate("h", (0,)), PAIR], (4, 0)),
        "undone by the other phase": ([PAIR, READ, And(single(1), single(0), 4, True)], (4, 1)),
        "a control has changed": ([PAIR, READ, CHANGED, BACK], (8, 0)),
        "and back": ([PAIR, READ, CHANGED, CHANGED, BACK], (4, 1)),
        "a control on another wire": (
            [PAIR, READ, Xor(single(0), 5), Xor(single(5), 0), And(single(5), single(1), 4, True)],
            (4, 1),
        ),
    }.values(),
)
def test_an_and_is_erased_where_its_controls_have_their_values(ops, counted):
    assert assert_same(ops) == counted


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
    assert circuit.count_ops()["measure"] == 4
    assert lower_measured([], WIDTH, zeros=()).cregs == []


# --- Multi-controlled Z with measured erasure: every input, every outcome, at the declared cost ---


def marks(factors, bits):
    planes = Planes.from_bits(bits)
    run_ops([PhaseFlip(tuple(factors))], planes)
    return planes.unpack(planes.phase, bits.shape[1])[1]


def assert_flips(factors, num_data, num_free, metric="cx", gates="clifford+t"):
    """Every input of the data qubits, ancillas zero; gives the counts."""
    width = num_data + num_free
    free = range(num_data, width)
    circuit = lower_measured([PhaseFlip(tuple(factors))], width, gates, metric, zeros=free)
    bits = every_state(num_data, width)
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


@pytest.mark.sampled(14)
@pytest.mark.quick("[1-6]-*", "8-0-*", "8-3-*")
@pytest.mark.parametrize("metric", ["cx", "t", "depth"])
@pytest.mark.parametrize(("n", "free"), CASES)
def test_every_number_of_factors_and_ancillas(n, free, metric):
    if n > 3 and free == 0:
        # One more data qubit, in any state, for the rule that borrows it.
        factors = singles(n)
        assert assert_flips(factors, n + 1, 0, metric).measurements == 0
        return
    counted = assert_flips(singles(n), n, free, metric)
    assert counted.t == expected_t(n, free, metric == "depth")


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
def test_parities_with_complements(factors, free, metric, gates):
    assert_flips(factors, 5, free, metric, gates)


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
    bits = every_state(3, 4)
    assert check_branches(circuit, bits, marks([left, right], bits), seed=0) == 2
    assert (count(circuit, "clifford+t").t, circuit.count_ops()["measure"]) == (4, 1)
    assert compute_target(left, right, 3)[0] == And(left, right, 3)
    assert erase_target(3, [(left, right)])[1].on_one == (PhaseFlip((left, right)),)


# --- Counting circuits with measurements and gates that depend on them ---


def test_a_measured_circuit_counted_by_hand():
    circuit = QuantumCircuit(3, 3)
    circuit.h(0)
    circuit.t(0)
    circuit.measure(0, 0)
    circuit.t(1)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.x(0)
        circuit.cx(1, 2)
        circuit.tdg(2)
    with otherwise:
        circuit.cx(2, 1)
    circuit.measure([1, 2], [1, 2])
    # h, t, measurement, then cx, tdg and the other outcome's cx: both outcomes count, final measurements do not.
    assert count(circuit, "clifford+t") == Resources(
        "clifford+t", 3, cx=2, t=3, depth=6, two_qubit_depth=2, total=7, measurements=1, t_depth=2
    )


def test_foreign_gates_inside_a_condition_are_refused():
    circuit = QuantumCircuit(2, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.cz(0, 1)
    with pytest.raises(ValueError, match=r"gates outside clifford.t: \['cz'\]"):
        count(circuit, "clifford+t")


@pytest.mark.parametrize("seed", range(5))
def test_without_measurement_as_qiskit_counts(seed):
    draw = random.Random(seed)
    circuit = QuantumCircuit(5, 5)
    for _ in range(80):
        name = draw.choice(["cx", "h", "t", "tdg", "s", "barrier"])
        wires = draw.sample(range(5), 2 if name in {"cx", "barrier"} else 1)
        circuit.barrier(wires) if name == "barrier" else getattr(circuit, name)(*wires)
    circuit.measure(range(5), range(5))
    counted = count(circuit, "clifford+t")
    assert counted.depth == circuit.depth(lambda i: i.operation.name not in {"measure", "barrier"})
    assert counted.two_qubit_depth == circuit.depth(lambda i: i.operation.name == "cx")
    assert counted.t_depth == circuit.depth(lambda i: i.operation.name in {"t", "tdg"})
    assert counted.measurements == 0

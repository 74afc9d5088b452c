"""Exact amplification succeeds with certainty: in the plane, in the space, on dense vectors and on Aer."""

import cmath
import math

import kept
import numpy as np
import pytest
from conformance.known import k4
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator, Statevector
from searched_states import searched_states
from strategies import models

import gatesolve
from gatesolve.circuit import Gate, Parity, PhaseFlip
from gatesolve.circuit.lowering import lower
from gatesolve.encodings import Space, make_binary
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InfeasibleError
from gatesolve.model import Variable
from gatesolve.oracle import Oracle
from gatesolve.pipelines import best_iterations, cheapest_iterations, exact_plan, exact_program, success_probability
from gatesolve.pipelines.amplification import grover_program
from gatesolve.pipelines.exact import expected_cost
from gatesolve.pipelines.phase import one_flip_at_most, phase_ops, with_phase
from gatesolve.simulate import list_marked, run_grover
from gatesolve.simulate.space import amplify

MOST_QUBITS = 14


@st.composite
def size_and_marked(draw, most=1 << 24):
    size = draw(st.integers(1, most))
    return size, draw(st.integers(1, size))


def failure(size, marked, phases):
    """Probability of a state that is no solution, with one amplitude a group."""
    good = bad = 1 / math.sqrt(size)
    for oracle, reflection in phases:
        good *= cmath.exp(1j * oracle)
        change = (1 - cmath.exp(1j * reflection)) * (marked * good + (size - marked) * bad) / size
        good, bad = good - change, bad - change
    assert marked * abs(good) ** 2 + (size - marked) * abs(bad) ** 2 == pytest.approx(1, abs=1e-10)
    return (size - marked) * abs(bad) ** 2


@given(size_and_marked())
def test_success_is_certain(case):
    plan = exact_plan(*case)
    assert failure(*case, plan.phases) < 1e-12
    assert len(plan.phases) == plan.iterations


@given(size_and_marked())
def test_no_fewer_iterations_could_be_certain(case):
    """The least number at which the plain rotation has reached the peak, at most one past the likeliest number."""
    plan, best = exact_plan(*case), best_iterations(*case)
    angle = math.atan2(math.sqrt(case[1]), math.sqrt(case[0] - case[1]))
    assert (2 * plan.iterations + 1) * angle >= math.pi / 2 - 1e-6
    assert plan.iterations == 0 or (2 * plan.iterations - 1) * angle < math.pi / 2
    assert best <= plan.iterations <= best + 1


@pytest.mark.parametrize(("size", "marked"), [(4, 0), (0, 0), (4, 5)])
def test_a_number_of_solutions_that_cannot_be(size, marked):
    with pytest.raises(DoesNotFitError, match=f"{marked} of {size} states are solutions"):
        exact_plan(size, marked)


@given(st.lists(st.booleans(), min_size=1, max_size=300), st.integers(0, 12))
def test_plain_phases_are_the_plain_search(marks, iterations):
    marks = np.array(marks)
    found = amplify(list_marked(marks), [(math.pi, math.pi)] * iterations).amplitudes()
    plain = run_grover(list_marked(marks), iterations).amplitudes()
    assert np.abs(found - (-1) ** iterations * plain).max() < 1e-12


@given(st.lists(st.booleans(), min_size=1, max_size=300))
def test_the_space_simulation_is_certain(marks):
    marks = np.array(marks)
    assume(marks.any())
    state = amplify(list_marked(marks), exact_plan(len(marks), int(marks.sum())).phases)
    assert state.success_probability == pytest.approx(1, abs=1e-12)
    assert set(state.sample(50, 0)) <= set(np.flatnonzero(marks).tolist())


FACTORS = [
    [Parity((0, 2), True)],
    [Parity((0,)), Parity((3,), True)],
    [Parity((0, 1)), Parity((1, 2), True)],
    [Parity((0,)), Parity((1,), True), Parity((2, 3))],
    [Parity((0,)), Parity((1,)), Parity((2,)), Parity((3,), True)],
    [],
]


@pytest.mark.quick("*-1-*", "*-3-*")
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
@pytest.mark.parametrize("ancillas", [1, 2, 3, 4])
@pytest.mark.parametrize("factors", FACTORS, ids=str)
def test_a_phase_on_a_conjunction(factors, ancillas, gates):
    """On every input, ancillas zero before and after."""
    angle, num_data = 0.7, 4
    ops = phase_ops(factors, range(num_data, num_data + ancillas), angle, gates)
    matrix = Operator(lower(ops, num_data + ancillas, gates)).data
    expected = [
        cmath.exp(1j * angle)
        if all(f.constant ^ bool(sum(s >> w & 1 for w in f.wires) % 2) for f in factors) and factors
        else 1
        for s in range(1 << num_data)
    ]
    block = matrix[: 1 << num_data, : 1 << num_data]
    assert np.abs(block * (expected[0] / block[0, 0]) - np.diag(expected)).max() < 1e-8
    rotations = sum(isinstance(op, Gate) for op in ops)
    if gates == "clifford+t" and ancillas >= 3:
        assert rotations <= 1
    plain = lower([PhaseFlip(tuple(factors), tuple(range(num_data, num_data + ancillas)))], num_data + ancillas)
    ours = lower(phase_ops(factors, range(num_data, num_data + ancillas), angle), num_data + ancillas)
    if len(factors) > 2:
        assert ours.count_ops()["cx"] == plain.count_ops()["cx"]


def measured_weight(circuit, program, marks):
    """Probability of measuring a solution with every ancilla at zero."""
    vector = Statevector(circuit.remove_final_measurements(inplace=False)).data
    states = searched_states(program)
    return sum(abs(vector[state]) ** 2 for state in {states[n] for n in np.flatnonzero(marks)})


@pytest.mark.quick("1-classical-cx+u")
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
@pytest.mark.parametrize("oracle", ["constraints", "classical"])
@pytest.mark.parametrize("ancillas", [1, 4])
def test_the_circuit_is_certain_and_leaves_its_ancillas_clean(oracle, gates, ancillas):
    compiled = kept.compiled(k4(), encoding="binary", presolve="none", oracle=oracle, gates=gates, ancillas=ancillas)
    plan = exact_plan(compiled.program.space.size, compiled.certificate.marked)
    program = exact_program(compiled.program, compiled.certificate.marked, ancillas=ancillas)
    assert program.iterations + 1 == plan.iterations == 9
    assert program.num_ancillas <= ancillas
    for circuit in (program.circuit, program.lowered):
        assert measured_weight(circuit, program, compiled.marks) == pytest.approx(1, abs=1e-9)
    plain = compiled.program.with_iterations(plan.iterations)
    assert success_probability(256, 2, plan.iterations) < 0.99
    if gates == "cx+u":
        assert program.resources().cx == plain.resources().cx


def overlapping(complement):
    """Marks x0 xor x1 x2 by two flips that overlap, or its complement by one more on everything."""
    space = Space((make_binary(Variable("x", tuple(range(8)))),))
    flips = [PhaseFlip((Parity((0,)),)), PhaseFlip((Parity((1,)), Parity((2,))))]
    ops = (*flips, PhaseFlip(())) if complement else tuple(flips)
    marks = np.array([bool((s & 1) ^ (s >> 1 & s >> 2 & 1)) ^ complement for s in range(8)])
    return Oracle(ops, 3, 0), space, marks


@pytest.mark.parametrize("complement", [False, True])
def test_flips_that_overlap_are_counted_first(complement):
    oracle, space, marks = overlapping(complement)
    assert not one_flip_at_most(oracle.ops, 3, space)
    ops = with_phase(oracle.ops, 0.9, (3,), "cx+u", exclusive=False)
    diagonal = Operator(lower(ops, 4)).data[:8, :8]
    expected = np.where(marks, cmath.exp(0.9j), 1)
    assert np.abs(diagonal * (expected[0] / diagonal[0, 0]) - np.diag(expected)).max() < 1e-9
    program = exact_program(grover_program(space, oracle, 0), int(marks.sum()))
    assert measured_weight(program.lowered, program, marks) == pytest.approx(1, abs=1e-9)
    with pytest.raises(AncillaBudgetError):
        with_phase(oracle.ops, 0.9, (), "cx+u", exclusive=False)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(
    models(),
    st.sampled_from(["one-hot", "binary", "domain-wall", "table"]),
    st.sampled_from(["constraints", "classical"]),
)
def test_any_small_model(model, encoding, oracle):
    try:
        compiled = gatesolve.compile(model, encoding=encoding, oracle=oracle, presolve="none", ancillas=4)
    except (DoesNotFitError, InfeasibleError):
        assume(False)
    program = exact_program(compiled.program, compiled.certificate.marked)
    assume(0 < program.num_qubits <= MOST_QUBITS)
    assert measured_weight(program.lowered, program, compiled.marks) == pytest.approx(1, abs=1e-9)


@given(st.integers(2, 1 << 16), st.integers(1, 8), st.integers(0, 2000), st.integers(1, 500))
def test_cheapest_iterations_has_the_least_expected_cost(size, marked, start, iteration):
    marked = min(marked, size)
    best = best_iterations(size, marked)
    chosen = cheapest_iterations(size, marked, start, iteration)
    assert min(best, 1) <= chosen <= best

    def cost(k):
        return expected_cost(start + k * iteration, success_probability(size, marked, k))

    assert all(cost(chosen) <= cost(k) * (1 + 1e-12) for k in range(min(best, 1), best + 1))

"""The counter, adding counts, and counts of runs too long to lower whole."""

from dataclasses import replace

import kept
import pytest
from conformance.known import k7
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit

from gatesolve.circuit import And, Mcx, Parity, PhaseFlip, Resources, count, lower
from gatesolve.costs import physical_counts
from gatesolve.programs import find_reflection, find_words_used
from gatesolve.programs import program as program_module


def small():
    circuit = QuantumCircuit(3, 3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.t(1)
    circuit.cx(1, 2)
    circuit.tdg(0)
    circuit.barrier()
    circuit.measure(range(3), range(3))
    return circuit


def test_a_circuit_counted_by_hand():
    assert count(small(), "clifford+t") == Resources("clifford+t", 3, 2, 2, 4, 2, 5, t_depth=1)
    assert count(QuantumCircuit(4), "cx+u") == Resources("cx+u", 4, 0, None, 0, 0, 0)


def test_t_of_an_iteration_are_those_of_its_circuit():
    program = kept.compiled(k7(), presolve="none", encoding="binary").program
    counted = physical_counts.count_section(program, "iteration")
    assert counted.rotations == 0
    assert counted.t == program.with_lowering(gates="clifford+t").resources("iteration").t > 0
    assert physical_counts.count_section(replace(program, num_ancillas=0), "preparation").t == 0


def test_toffoli_gates_counted_by_hand():
    circuit = QuantumCircuit(5)
    circuit.ccx(0, 1, 2)
    circuit.ccx(2, 3, 4)
    circuit.cx(0, 1)
    circuit.ccx(0, 1, 3)
    found = count(circuit, "clifford+toffoli")
    assert found == Resources("clifford+toffoli", 5, 1, None, 3, 1, 4, toffoli=3, toffoli_depth=3)
    assert (found.costly, count(small(), "clifford+t").costly) == (("Toffoli", 3), ("T", 2))
    assert found.then(found, 2).toffoli == 9


@pytest.mark.parametrize(("gates", "name"), [("cx+u", "h"), ("cx+u", "t"), ("clifford+t", "u"), ("clifford+t", "cz")])
def test_foreign_gates_are_refused(gates, name):
    circuit = QuantumCircuit(2)
    arguments = {"u": (0.1, 0.2, 0.3, 0), "cz": (0, 1)}.get(name, (0,))
    getattr(circuit, name)(*arguments)
    with pytest.raises(ValueError, match=rf"gates outside {gates.replace('+', '.')}: \['{name}'\]"):
        count(circuit, gates)
    with pytest.raises(KeyError):
        count(circuit, "other")


KNOWN = {
    "and": ([And(Parity((0,)), Parity((1,)), 2)], 3, 4),
    "ccz": ([PhaseFlip((Parity((0,)), Parity((1,)), Parity((2,))))], 6, 7),
    "cz": ([PhaseFlip((Parity((0,)), Parity((1,))))], 1, 0),
    "ccx": ([Mcx(((0, True), (1, False)), 2)], 6, 7),
    "and pair": ([And(Parity((0,)), Parity((1,)), 2), And(Parity((0,)), Parity((1,)), 2, True)], 0, 0),
}


@pytest.mark.parametrize(("ops", "cx", "t"), KNOWN.values(), ids=KNOWN)
def test_known_costs(ops, cx, t):
    counted = count(lower(ops, 3, "clifford+t"), "clifford+t")
    assert (counted.cx, counted.t) == (cx, t)
    assert count(lower(ops, 3, "cx+u"), "cx+u").cx == cx


numbers = st.integers(0, 1000)
counts = st.builds(Resources, st.just("clifford+t"), numbers, numbers, numbers, numbers, numbers, numbers)


@given(counts, counts, numbers)
def test_then_adds_counts_and_bounds_depths(first, second, times):
    both = first.then(second, times)
    for name in ("cx", "t", "depth", "two_qubit_depth", "total"):
        assert getattr(both, name) == getattr(first, name) + times * getattr(second, name)
    assert both.qubits == max(first.qubits, second.qubits)
    assert both.gates == "clifford+t"
    assert both.method == f"one iteration, times {times}"


@pytest.mark.quick("cx+u")
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t"])
def test_a_long_run_is_counted_by_its_iteration(monkeypatch, gates):
    program = kept.compiled(k7(), encoding="table", presolve="none", gates=gates).program
    assert program.iterations == 3
    whole = program.resources()
    monkeypatch.setattr(program_module, "LONG_RUN", 1)
    pieced = replace(program).resources()
    how = program.num_qubits, gates, "cx", find_words_used(program)
    start = count(lower(program.section("preparation").ops, *how), gates)
    once = count(lower(program.oracle.ops + find_reflection(program), *how), gates)
    assert pieced == start.then(once, 3)
    assert (whole.method, pieced.method) == ("whole circuit", "one iteration, times 3")
    # Gates cancel where the pieces meet, so what is put together is an upper bound, and a close one.
    for name in ("cx", "total", "depth"):
        assert getattr(whole, name) <= getattr(pieced, name) <= 1.25 * getattr(whole, name)
    # no bound by itself: fewer gates may be ordered into a layer more
    assert 0.98 * whole.two_qubit_depth <= pieced.two_qubit_depth <= 1.25 * whole.two_qubit_depth
    assert pieced.qubits == whole.qubits == program.num_qubits


def test_a_very_long_run_is_counted_quickly_without_its_circuit():
    program = kept.compiled(k7(), encoding="table", presolve="none").program.with_iterations(10**9)
    one = program.with_iterations(1).resources()
    assert program.resources().method == "one iteration, times 1000000000"
    assert program.resources().cx == pytest.approx(10**9 * one.cx, rel=0.2)

"""Multi-controlled gates taken apart for few neighbours, against the gates themselves."""

import math

import numpy as np
import pytest
from exact_counts import distribution
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit

from gatesolve.circuit import Gate, Mcx, Parity, PhaseFlip, named_circuit
from gatesolve.programs import measure_qubits
from gatesolve.programs.postprocess import IsaShape, list_shapes, write_shape


def turned(num_qubits):
    """A product state without symmetry, then H afterwards: phases show."""
    return tuple(Gate("ry", (q,), (0.4 + 0.3 * q,)) for q in range(num_qubits))


def assert_same(ops, num_qubits, keep, shape):
    inner, at = write_shape(ops, num_qubits, keep, shape)
    found = distribution(measure_qubits(inner, [at[q] for q in range(num_qubits)]))
    expected = distribution(measure_qubits(named_circuit(ops, QuantumCircuit(num_qubits)), range(num_qubits)))
    assert max(abs(found.get(key, 0) - expected.get(key, 0)) for key in {*found, *expected}) < 1e-9
    # New ancillas are zero in the end.
    extra = list(range(num_qubits, inner.num_qubits))
    if extra:
        assert set(distribution(measure_qubits(inner, extra))) == {"0" * len(extra)}
    return inner, at


@pytest.mark.parametrize("size", [3, 4, 5, 6])
@pytest.mark.parametrize("chain", [False, True])
@pytest.mark.parametrize("crossed", [False, True])
def test_counts_and_states(size, chain, crossed):
    order = tuple(np.random.default_rng(size).permutation(size).tolist())
    zero = PhaseFlip(tuple(Parity((q,), q % 2 == 0) for q in range(size)))
    ops = (*turned(size), zero, *turned(size))
    inner, at = assert_same(ops, size, range(size), IsaShape(order, crossed, chain))
    # Two ancillas at the ends hold their places.
    held = 0 if size == 3 else 1 if size == 4 or chain else 2
    crosses = crossed and held < 2
    assert inner.count_ops()["cx"] == 6 * (size - 3) + (7 if crosses else 8)
    assert sorted(at) == list(range(size))
    assert (at != tuple(range(size))) == crosses
    assert inner.num_qubits == size + max(0, size - 3)


@st.composite
def gates(draw):
    qubits = draw(st.permutations(range(5)))
    size = draw(st.integers(2, 4))
    flags = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    if draw(st.booleans()):
        return Mcx(tuple(zip(qubits[:size], flags, strict=True)), qubits[-1])
    parities = [Parity((q,), flag) for q, flag in zip(qubits[:size], flags, strict=True)]
    if draw(st.booleans()):
        parities[0] = Parity.of((qubits[0], qubits[4]), flags[0])
    return PhaseFlip(tuple(parities))


@settings(max_examples=40)
@given(st.lists(gates(), min_size=1, max_size=3), st.permutations(range(5)), st.booleans(), st.booleans())
def test_any_gates(found, order, crossed, chain):
    ops = turned(5)
    for op in found:
        ops += (op, *turned(5))
    assert_same(ops, 5, range(4), IsaShape(tuple(order), crossed, chain))


def test_the_list_of_arrangements():
    wide = (PhaseFlip(tuple(Parity((q,)) for q in range(4))),)
    listed = list(list_shapes(wide, 6, 1000))
    assert len(listed) == 2 * math.factorial(4) == len(set(listed))
    assert all(shape.order[4:] == (4, 5) for shape in listed)
    assert len(list(list_shapes(wide, 6, 7))) == 7
    wider = (PhaseFlip(tuple(Parity((q,)) for q in range(7))),)
    assert list(list_shapes(wider, 7, 9)) == list(list_shapes(wider, 7, 9))
    assert list(list_shapes((Gate("h", (0,)),), 1, 9)) == []

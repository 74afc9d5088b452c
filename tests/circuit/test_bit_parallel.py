"""Bit-parallel simulation against one state at a time; inversion."""

import numpy as np
import pytest
from conformance.dense import act_all, basis_ops
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import Gate, Parity, Planes, inverse, run_ops

STATES = (1, 63, 64, 65, 200)


def planes_of(states, num_qubits):
    return Planes.from_bits(np.array([[bool(s >> q & 1) for s in states] for q in range(num_qubits)]))


def read(planes, count):
    """Basis state and power of i of each state."""
    bits, phase = planes.unpack(planes.bits, count), planes.unpack(planes.phase, count)
    states = [int(sum(1 << q for q in range(len(bits)) if bits[q, k])) for k in range(count)]
    return list(zip(states, (phase[0] + 2 * phase[1].astype(int)).tolist(), strict=True))


def random_states(count, num_qubits, seed):
    return np.random.default_rng(seed).integers(0, 1 << num_qubits, count).tolist()


@settings(deadline=None, max_examples=60)
@given(basis_ops(7), st.sampled_from(STATES), st.integers(0, 1000))
def test_run_is_the_operations_one_state_at_a_time(ops, count, seed):
    states = random_states(count, 7, seed)
    planes = planes_of(states, 7)
    run_ops(ops, planes)
    assert read(planes, count) == [act_all(ops, s) for s in states]


@settings(deadline=None, max_examples=60)
@given(basis_ops(7), st.sampled_from(STATES), st.integers(0, 1000))
def test_inverse_restores_bits_and_phase(ops, count, seed):
    planes = planes_of(random_states(count, 7, seed), 7)
    bits = planes.bits.copy()
    run_ops((*ops, *inverse(ops)), planes)
    # Whole words, the unused tail of the last one included.
    assert np.array_equal(planes.bits, bits)
    assert not planes.phase.any()


def test_what_cannot_be_inverted_or_run_is_refused():
    with pytest.raises(ValueError, match="no gate sx on 1 qubits"):
        inverse([Gate("sx", (0,))])
    with pytest.raises(TypeError, match="does not map basis states"):
        run_ops([Gate("h", (0,))], planes_of([0], 1))


@given(st.lists(st.integers(0, 5)), st.lists(st.integers(0, 5)), st.booleans(), st.integers(0, 63))
def test_parities_are_a_vector_space(first, second, constant, state):
    def value(parity):
        return (sum(state >> w & 1 for w in parity.wires) + parity.constant) % 2

    a, b = Parity.of(first, constant), Parity.of(second)
    assert a.wires == tuple(sorted(set(a.wires)))
    assert value(a) == (sum(state >> w & 1 for w in first) + constant) % 2
    assert value(a ^ b) == value(a) ^ value(b)
    assert value(a.negated()) == 1 - value(a)
    assert (a ^ a) == Parity(())
    assert a.renamed({w: 5 - w for w in range(6)}) == Parity.of((5 - w for w in first), constant)

"""Phase networks load the labels that they say, and give the phases that they say."""

import numpy as np
import pytest
from class_codes import Code
from hypothesis import given, settings
from hypothesis import strategies as st
from phase_networks import label_network, phase_network

from gatesolve.circuit import Gate, inverse
from gatesolve.circuit.lowering import lower
from gatesolve.oracle.boolean import bits_of
from gatesolve.simulate.sparse import diagonal_phases

ONE_LABEL = "0>2 ; 2r ; 1>2 ; 2r ; 0>2 ; 2r ; 1>2 ; 2c0"
"""All parities of two bits and the ancilla."""
TWO_WIRES = "0>1 ; 1r ; 0>1"


def _phases(ops, bits, width):
    inputs = np.zeros((width, 1 << bits), dtype=bool)
    inputs[:bits] = bits_of(bits)
    return diagonal_phases(lower(ops, width, "cx+u", "depth"), inputs)


@settings(max_examples=16, deadline=None)
@given(
    st.lists(st.integers(0, 1), min_size=4, max_size=4), st.lists(st.sampled_from((-2, 0, 2)), min_size=4, max_size=4)
)
def test_a_label_is_loaded_and_taken_back(label, lifts):
    gates, wires = label_network(Code(0b01, np.array([label])), ONE_LABEL, dict(enumerate(lifts)))
    assert wires == [0, 2]
    marked = _phases((*gates, Gate("z", (wires[1],)), *inverse(gates)), 2, 3)
    assert np.allclose(marked / marked[0], np.where(np.array(label) == label[0], 1, -1))


def test_what_a_schedule_lacks_is_told():
    conjunction = Code(0b01, np.array([[0, 0, 0, 1]]))
    with pytest.raises(ValueError, match="do not make the phase"):
        label_network(conjunction, "0>2 ; 2c0", {})
    with pytest.raises(ValueError, match="not the only one"):
        label_network(conjunction, "2>0 ; 2c0", {})


@settings(max_examples=16, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_a_phase_is_given_up_to_a_global_one(phase):
    found = _phases(phase_network(np.array(phase), np.arange(4), 2, TWO_WIRES), 2, 2) * np.exp(-1j * np.array(phase))
    assert np.allclose(found, found[0])

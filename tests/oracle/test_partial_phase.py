"""Phases of any angle where a function is true."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.circuit import Parameter
from qiskit.quantum_info import Operator

import gatesolve
from gatesolve.api import partial_phase
from gatesolve.circuit import CertificateError
from gatesolve.errors import InputError

tables = st.integers(1, 5).flatmap(lambda n: st.lists(st.booleans(), min_size=1 << n, max_size=1 << n))


def is_phase(circuit, table, angle):
    found, wanted = Operator(circuit).data, np.exp(1j * angle * np.array(table))
    return np.allclose(found * np.conj(found[0, 0]) * wanted[0], np.diag(wanted), atol=1e-8)


@settings(max_examples=20, deadline=None)
@given(tables, st.floats(-7, 7))
def test_any_table_and_angle(table, angle):
    oracle = gatesolve.phase_oracle(table, angle=angle)
    assert is_phase(oracle.circuit, table, angle)
    assert oracle.num_ancillas == 0
    assert oracle.certificate.marked == sum(table)


@pytest.mark.parametrize(
    ("marked", "cx", "depth"), [((7,), 6, 8), ((0, 7), 5, 6), ((1, 2, 4), 6, 8), ((1, 2, 4, 7), 4, 5), ((), 0, 0)]
)
def test_an_angle_left_open(marked, cx, depth):
    """The CX and depth of the ICPC challenge's best."""
    table, beta = [state in marked for state in range(8)], Parameter("beta")
    oracle = gatesolve.phase_oracle(table, angle=beta)
    assert (oracle.resources.cx, oracle.resources.depth) == (cx, depth)
    for value in (0.3, 2.0, -5.0):
        bound = oracle.circuit.assign_parameters([value]) if marked else oracle.circuit
        assert is_phase(bound, table, value)
        assert not is_phase(bound, [not one for one in table[:1]] + table[1:], value)


@pytest.mark.parametrize(
    ("angle", "options", "words"),
    [
        ("a", {}, "number or a Qiskit parameter"),
        (True, {}, "number or a Qiskit parameter"),
        (math.nan, {}, "finite"),
        (10**400, {}, "finite"),
        (np.inf, {}, "finite"),
        (1j, {}, "number or a Qiskit parameter"),
        (1j * Parameter("beta"), {}, "real"),
        (0.5, {"gates": "clifford+t"}, "use gates='cx.u'"),
    ],
)
def test_what_is_no_angle_is_refused(angle, options, words):
    with pytest.raises(InputError, match=words):
        gatesolve.phase_oracle("a & b", angle=angle, **options)


def test_a_wrong_rotation_is_refused(monkeypatch):
    monkeypatch.setattr(partial_phase, "rotations", lambda table: [("p", (0,), math.pi)])
    with pytest.raises(CertificateError):
        gatesolve.phase_oracle("a & b", angle=0.5)

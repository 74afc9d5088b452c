"""Diagonal operators have our energies on every basis state."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import SparsePauliOp
from random_qubos import MILD, energies, near, qubos, same

from gatesolve.errors import InputError
from gatesolve.qubo import Qubo, from_ising, to_ising


def diagonal(operator):
    return operator.to_matrix(sparse=True).diagonal().real


@settings(max_examples=60)
@given(qubos(degree=3, weights=st.integers(-40, 40).map(lambda n: n / 2)))
def test_diagonal_is_the_energies(qubo):
    found = diagonal(to_ising(qubo))
    for bits, energy in energies(qubo).items():
        assert found[sum(bit << k for k, bit in enumerate(bits))] == energy
    assert same(from_ising(to_ising(qubo), qubo.names), qubo)


@settings(max_examples=40)
@given(qubos(degree=3, weights=MILD))
def test_and_back(qubo):
    assert near(from_ising(to_ising(qubo), qubo.names), qubo)


def test_the_offset_is_the_identity():
    assert to_ising(Qubo(("a",), {}, 2.5)).to_list() == [("I", 2.5)]
    assert to_ising(Qubo(("a",), {})).to_list() == [("I", 0)]
    assert to_ising(Qubo(("a",), {(0,): 2}, -1)).to_list() == [("Z", -1)]


def test_terms_of_an_operator_add_up():
    operator = SparsePauliOp(["ZZI", "ZZI", "III", "IIZ"], [0.1, 0.2, 1, -2])
    qubo = from_ising(operator)
    assert qubo.names == ("x0", "x1", "x2")
    for bits, energy in energies(qubo).items():
        z = [1 - 2 * bit for bit in bits]
        assert float(energy) == pytest.approx(0.3 * z[1] * z[2] + 1 - 2 * z[0])


@pytest.mark.parametrize(
    ("label", "coefficient", "message"),
    [
        ("XZ", 1, r"term ZX on qubits \[0, 1\] is not diagonal"),
        ("IZ", 1j, r"coefficient 1j: give a real number"),
        ("IZ", float("nan"), "give a real number"),
    ],
)
def test_bad_operators(label, coefficient, message):
    with pytest.raises(InputError, match=message):
        from_ising(SparsePauliOp([label], [coefficient]))

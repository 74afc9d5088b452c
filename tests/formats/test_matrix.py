"""Pairs of numbers with weights, and matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import SparsePauliOp
from random_qubos import MILD, energies, near, qubos, same

from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.formats import from_dict, from_ising, from_matrix, to_dict, to_ising, to_matrix
from gatesolve.qubo import Qubo


@given(qubos())
def test_weights_by_number_and_by_name_and_back(qubo):
    for by_name in (False, True):
        weights, offset = to_dict(qubo, by_name=by_name)
        assert same(from_dict(weights, offset, qubo.names), qubo)


@given(qubos())
def test_matrix_and_back(qubo):
    matrix, offset = to_matrix(qubo)
    assert not np.tril(matrix, -1).any()
    floats = Qubo(qubo.names, {m: float(c) for m, c in qubo.terms.items()}, float(qubo.offset))
    assert same(from_matrix(matrix, offset, qubo.names), floats)
    if max(map(abs, matrix.flat)) < 100:
        for bits, energy in energies(floats).items():
            assert np.array(bits) @ matrix @ np.array(bits) + offset == pytest.approx(float(energy))


def test_pairs_either_way_round_add_up():
    qubo = from_dict({(0, 1): 1, (1, 0): 2.5, (2, 2): 0.1, (0, 0): 0}, -3)
    assert qubo == Qubo(("x0", "x1", "x2"), {(2,): 0.1, (0, 1): 3.5}, -3)
    assert from_dict({("b", "a"): 1, ("a", "a"): 2}) == Qubo(("b", "a"), {(1,): 2, (0, 1): 1})
    assert from_dict({(np.int64(0), 1): np.float64(2.0)}).terms == {(0, 1): 2}
    assert from_dict({}, 2, ["a"]) == Qubo(("a",), {}, 2)


def test_a_symmetric_matrix_is_both_halves():
    assert from_matrix([[1, 2], [2, 0]]) == from_matrix([[1, 4], [0, 0]]) == Qubo(("x0", "x1"), {(0,): 1, (0, 1): 4})
    assert from_matrix(np.array([[1, 2], [2, 0]], dtype=object)) == from_matrix([[1, 2], [2, 0]])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({(0, 1, 2): 1}, r"key \(0, 1, 2\) is not a pair: write \(i, j\)"),
        ({"ab": 1}, "key 'ab' is not a pair"),
        ({("a",): 1}, r"key \('a',\) is not a pair"),
        ({(0, -1): 1}, "variable -1 is negative"),
        ({(0, 10**6): 1}, "1000001 variables, and at most 65536 are supported"),
        ({(0, 1): float("nan")}, r"coefficient of x0 \* x1 is nan: give a finite number"),
        ({(0, 1): "much"}, r"weight of \(0, 1\) is 'much': give a number"),
    ],
)
def test_bad_weights(weights, message):
    with pytest.raises(InputError, match=message):
        from_dict(weights)


def test_bad_names():
    with pytest.raises(InputError, match="variable 2, but there are 2 names"):
        from_dict({(0, 2): 1}, names=["a", "b"])
    with pytest.raises(InputError, match="variable 'c' is not among the names"):
        from_dict({("a", "c"): 1}, names=["a", "b"])
    with pytest.raises(InputError, match="names used twice: a"):
        from_dict({(0, 1): 1}, names=["a", "a"])
    with pytest.raises(InputError, match="matrix: 1 names for 2 variables"):
        from_matrix(np.eye(2), names=["a"])


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 2], [3, 4]], "matrix, row 2, column 1: asymmetric: 3 here, 2 at row 1 column 2: give an upper"),
        ([[1, float("nan")], [0, 1]], "matrix, row 1, column 2: nan: give a finite number"),
        ([[1, "x"], [0, 1]], "row 1, column 2: 'x' is not a number"),
        ([[1, 2, 3], [4, 5, 6]], "matrix: shape 2 x 3: give a square matrix"),
        ([[1, 2], [3]], "rows of different lengths"),
        (np.zeros((0, 0)), "matrix: empty: give a matrix of at least one variable"),
        (np.broadcast_to(0.0, (10**6, 10**6)), "matrix: 1000000 variables, and at most 65536 are supported"),
    ],
)
def test_bad_matrices(matrix, message):
    with pytest.raises(InputError, match=message):
        from_matrix(matrix)


def test_what_a_matrix_cannot_hold():
    cubic = Qubo(("a", "b", "c"), {(0, 1, 2): 1})
    for write in (to_dict, to_matrix):
        with pytest.raises(UnsupportedError, match="a term has 3 variables, here at most 2"):
            write(cubic)
    with pytest.raises(DoesNotFitError, match="a matrix of 10000 variables: at most 8192"):
        to_matrix(Qubo(tuple(map(str, range(10_000))), {}))


@pytest.mark.parametrize("terms", [{("a", "b"): 1}, {"ab": 1}, {(0, "b"): 1, (0, 1): 1}, {0: 1}])
def test_terms_of_names_say_what_to_write(terms):
    for make in (Qubo, Qubo.of):
        with pytest.raises(InputError, match=r"write a tuple of the variables' numbers \(0 for a, 1 for b\), or"):
            make(("a", "b"), terms)


# --- Diagonal operators have our energies on every basis state ---


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

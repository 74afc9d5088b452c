"""Qubo to and from Ising Hamiltonians as Qiskit writes them.

Bit x of a variable is measured on its qubit, so Z = 1 - 2x: Z is +1 for bit 0 and -1 for bit 1. Variable k is
qubit k, the k-th letter from the right of a Pauli label. (dimod's spins have the other sign, s = 2x - 1.)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.qubo.numerals import add_to, as_written
from gatesolve.qubo.polynomial import Monomial, Number
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.to_dimod import from_variables

if TYPE_CHECKING:
    from qiskit.quantum_info import SparsePauliOp

MAX_DEGREE = 16
"""Highest degree written out: a term of n variables becomes 2^n products of Z."""


def to_ising(qubo: Qubo) -> SparsePauliOp:
    """The diagonal Hamiltonian whose value on a basis state is the energy of its bits.

    Args:
        qubo: of degree up to 16; terms of more than two variables give products of more than two Z.

    Returns:
        One term a product of Z, the offset with the identity; coefficients are exact sums, rounded once to floats.

    Raises:
        UnsupportedError: a higher degree.
        InputError: no variables.
    """
    from qiskit.quantum_info import SparsePauliOp

    if qubo.degree > MAX_DEGREE:
        raise UnsupportedError(f"a term has {qubo.degree} variables: at most {MAX_DEGREE} are multiplied out")
    if not qubo.num_variables:
        raise InputError("no variables: an operator needs at least one qubit")
    total: dict[Monomial, Number] = {(): Fraction(0)}
    for monomial, coefficient in qubo.polynomial.items():
        share = as_written(coefficient) / 2 ** len(monomial)
        for size in range(len(monomial) + 1):
            for chosen in combinations(monomial, size):
                add_to(total, chosen, -share if size % 2 else share)
    kept = {m: float(c) for m, c in sorted(total.items(), key=lambda item: (len(item[0]), item[0])) if c or not m}
    terms = [("Z" * len(m), list(m), c) for m, c in kept.items() if c or len(kept) == 1]
    return SparsePauliOp.from_sparse_list(terms, num_qubits=qubo.num_variables)


def from_ising(operator: SparsePauliOp, names: Sequence[str] | None = None) -> Qubo:
    """The energy that a diagonal operator has on basis states.

    Args:
        operator: products of I and Z with real coefficients.
        names: of the qubits, qubit 0 first; ``x0, x1, ...`` where None.

    Raises:
        InputError: an X or Y, a coefficient that is not real and finite, or too few names.
    """
    every = [f"x{k}" for k in range(operator.num_qubits)] if names is None else list(names)
    if len(every) != operator.num_qubits:
        raise InputError(f"{len(every)} names for {operator.num_qubits} qubits: give as many")
    terms: list[tuple[Monomial, float]] = []
    for word, qubits, coefficient in operator.to_sparse_list():
        value = complex(coefficient)
        if set(word) - {"Z"}:
            raise InputError(f"term {word} on qubits {qubits} is not diagonal: give products of Z alone")
        if value.imag:
            raise InputError(f"term {word} on qubits {qubits} has coefficient {value}: give a real number")
        terms.append((tuple(qubits), value.real))
    return from_variables(every, terms, spin=True, sign=-1)

"""Fields and couplings of spins have the energy of the bits in every state, and dimod's up to the sign of ``h``."""

import pytest
from hypothesis import given
from random_qubos import MILD, energies, qubos

from gatesolve.errors import UnsupportedError
from gatesolve.formats import to_bqm, to_ising
from gatesolve.qubo import Qubo


def spin_energy(ising, spins):
    pairs = (value * spins[i] * spins[j] for (i, j), value in ising.J.items())
    return ising.offset + sum(value * spins[name] for name, value in ising.h.items()) + sum(pairs)


@given(qubos(weights=MILD))
def test_spins_have_the_energy_of_their_bits(qubo):
    ising = qubo.to_ising()
    assert tuple(ising.h) == qubo.names
    for bits, energy in energies(qubo).items():
        spins = {name: 1 - 2 * bit for name, bit in zip(qubo.names, bits, strict=True)}
        assert spin_energy(ising, spins) == pytest.approx(float(energy), abs=1e-9)


@given(qubos(weights=MILD))
def test_dimod_has_the_other_sign_of_fields(qubo):
    h, couplings, offset = to_bqm(qubo).to_ising()
    ising = qubo.to_ising()
    assert {name: -value for name, value in ising.h.items()} == pytest.approx(h)
    assert ising.offset == pytest.approx(offset)
    theirs = {frozenset(pair): value for pair, value in couplings.items()}
    assert {pair: theirs[frozenset(pair)] for pair in ising.J} == pytest.approx(ising.J)
    assert all(value == 0 or pair in map(frozenset, ising.J) for pair, value in theirs.items())


def test_the_operator_has_the_same_sign():
    qubo = Qubo(("a", "b"), {(0,): -1, (0, 1): 3}, 4)
    assert qubo.to_ising() == ({"a": -0.25, "b": -0.75}, {("a", "b"): 0.75}, 4.25)
    assert dict(to_ising(qubo).to_list()) == {"II": 4.25, "IZ": -0.25, "ZI": -0.75, "ZZ": 0.75}


def test_higher_terms_name_the_way_out():
    with pytest.raises(UnsupportedError, match=r"a term has 3 variables, .*: use gatesolve\.formats\.to_ising, or add"):
        Qubo(("a", "b", "c"), {(0, 1, 2): 1}).to_ising()

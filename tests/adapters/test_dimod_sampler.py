"""The samplers pass dimod's own suite, and their samples are right and accounted for."""

import json
import unittest
from itertools import product

import dimod
import dimod.testing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve import GroverAdaptiveSampler, QAOASampler
from gatesolve.errors import InputError, UnsupportedError

SAMPLERS = (GroverAdaptiveSampler, QAOASampler)


@dimod.testing.load_sampler_bqm_tests(GroverAdaptiveSampler)
class TestGroverAdaptiveSampler(unittest.TestCase):
    """dimod's tests of a sampler; none is left out."""


@dimod.testing.load_sampler_bqm_tests(QAOASampler, max_num_variables=1)
class TestQAOASamplerOnOneVariable(unittest.TestCase):
    """Those of its tests that choose angles quickly."""


@pytest.mark.slow
@dimod.testing.load_sampler_bqm_tests(QAOASampler)
class TestQAOASampler(unittest.TestCase):
    """All of them."""


def test_dimod_s_suite_is_there():
    for case in (TestGroverAdaptiveSampler, TestQAOASampler):
        assert sum(name.startswith("test_sample") for name in dir(case)) == 32


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_interface(sampler):
    made = sampler()
    dimod.testing.assert_sampler_api(made)
    assert isinstance(made, dimod.PolySampler)
    assert {"num_reads", "seed", "backend"} <= set(made.parameters)
    assert made.properties == {"pipeline": "gas" if sampler is GroverAdaptiveSampler else "qaoa"}
    with made as entered:
        assert entered.sample_ising({"a": 1}, {}).first.sample == {"a": -1}


BQM = dimod.BinaryQuadraticModel({"a": 1, ("b", 2): -2}, {("a", ("b", 2)): 3}, 0.5, "SPIN")


def test_reads_of_an_adaptive_search():
    found = GroverAdaptiveSampler().sample(BQM, num_reads=3, seed=5)
    assert (len(found), found.record.num_occurrences.sum(), found.first.energy) == (1, 3, -5.5)
    searches = found.info["searches"]
    assert [one["seed"] for one in searches] == [5, 6, 7]
    assert found.info["oracle_calls"] == sum(one["oracle_calls"] for one in searches) > 0
    assert found.info["qubits"] == max(one["resources"]["qubits"] for one in searches)
    assert all({"descent", "certificate", "seconds", "versions"} <= set(one) for one in searches)
    again = dimod.SampleSet.from_serializable(json.loads(json.dumps(found.to_serializable())))
    assert again.info == found.info


@st.composite
def polynomials(draw):
    terms = st.sets(st.integers(0, 3), max_size=3).map(lambda term: tuple(sorted(term)))
    weights = draw(st.dictionaries(terms, st.integers(-6, 6).map(lambda n: n / 2), min_size=1, max_size=5))
    return dimod.BinaryPolynomial(weights, draw(st.sampled_from(("SPIN", "BINARY"))))


@pytest.mark.sampled(0.5)
@settings(max_examples=10)
@given(polynomials())
def test_polynomials(poly):
    found = GroverAdaptiveSampler().sample_poly(poly, confidence=0.999999)
    dimod.testing.assert_sampleset_energies(found, poly)
    if poly.variables:
        labels, values = list(poly.variables), sorted(poly.vartype.value)
        states = (dict(zip(labels, row, strict=True)) for row in product(values, repeat=len(labels)))
        assert found.first.energy == min(map(poly.energy, states))


@pytest.mark.sampled(0.5)
def test_dimod_s_composites_take_one():
    poly = dimod.BinaryPolynomial({"abc": -2.0, "a": 1.0}, "SPIN")
    for composite in (dimod.HigherOrderComposite, dimod.PolyScaleComposite):
        found = composite(GroverAdaptiveSampler()).sample_poly(poly)
        assert found.first.energy == poly.energy({v: found.first.sample[v] for v in "abc"}) == -3
    assert dimod.TrackingComposite(GroverAdaptiveSampler()).sample(BQM).first.energy == -5.5


def constrained():
    cqm = dimod.ConstrainedQuadraticModel()
    count, pick, spin = dimod.Integer("i", upper_bound=4), dimod.Binary(("b", 1)), dimod.Spin(7)
    cqm.set_objective(-count * count + 2 * pick + spin * count)
    cqm.add_constraint(count + pick + spin <= 2, label="load")
    return cqm


@pytest.mark.quick(1)
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_constrained_models(sampler):
    cqm = constrained()
    found = sampler().sample_cqm(cqm)
    dimod.testing.assert_sampleset_energies_cqm(found, cqm)
    kept = found.filter(lambda one: one.is_feasible)
    assert all(cqm.check_feasible(one.sample) == one.is_feasible for one in found.data())
    best = dimod.ExactCQMSolver().sample_cqm(cqm).filter(lambda one: one.is_feasible).first
    assert kept.first.energy == best.energy


def test_samples_that_break_a_constraint_say_so():
    found = QAOASampler().sample_cqm(
        constrained(), encoding="binary", presolve="none", layers=1, angles=((0.1,), (0.1,))
    )
    assert {bool(one.is_feasible) for one in found.data()} == {True, False}


def test_what_is_refused():
    sampler = GroverAdaptiveSampler()
    for number in (0, 1.5, True, "2", 10**9):
        with pytest.raises(InputError, match=f"num_reads is {number!r}: give a whole number from 1 to 10000$"):
            sampler.sample(BQM, num_reads=number)
    with pytest.raises(InputError, match=r"num_reads is 10000000000: give a whole number from 1 to 10000000$"):
        QAOASampler().sample(BQM, num_reads=10**10)
    for call in (sampler.sample, sampler.sample_poly):
        with pytest.raises(
            InputError, match="no model of dimod's but an object of type dict: give a dict to sample_qubo"
        ):
            call({("a", "b"): 1})
    with pytest.raises(InputError, match="no constrained quadratic model but an object of type BinaryQuadraticModel"):
        sampler.sample_cqm(BQM)
    with pytest.raises(InputError, match="unknown value_oracle 'sums'"):
        sampler.sample(BQM, value_oracle="sums")
    with pytest.raises(InputError, match="coefficient of a is nan"):
        sampler.sample_ising({"a": float("nan")}, {})
    real = dimod.ConstrainedQuadraticModel.from_quadratic_model(1 * dimod.Real("r"))
    with pytest.raises(UnsupportedError, match="variable r is real"):
        sampler.sample_cqm(real)
    with pytest.warns(dimod.exceptions.SamplerUnknownArgWarning, match="chain_strength"):
        sampler.sample(BQM, chain_strength=2)

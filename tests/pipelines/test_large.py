"""Circuits of objectives whose codewords are too many to list: as those of small spaces, but checked on a sample."""

import numpy as np
import pytest

import gatesolve
from gatesolve.errors import DoesNotFitError, InputError

SMALL = [
    "x in -1..1; y in 0..1; z in 1..2; x != y; x + y <= z; maximize 3*x - 2*y + x*z",
    "a, b, c, d in 0..1; 5*a + 4*b + 3*c + 2*d <= 8; maximize 7*a + 6*b + 2*c + 3*d",
    "a, b, c in 0..2; minimize 2*a*b - 3*b*c - a + c",
]


def make_qubo(size):
    """A chain of products, whose energies are whole numbers."""
    return {(k, k): 2 * (k % 3) - 2 for k in range(size)} | {(k, k + 1): k % 5 - 2 for k in range(size - 1)}


@pytest.mark.sampled(2)
@pytest.mark.quick(1)
@pytest.mark.parametrize("model", SMALL)
@pytest.mark.parametrize("style", ["counter", "fourier"])
def test_gas_makes_the_circuit_of_a_listed_space(monkeypatch, model, style):
    options = {"pipeline": "gas", "presolve": "none", "value_oracle": style, "iterations": 1, "threshold": 1.5}
    listed = gatesolve.compile(model, **options)
    monkeypatch.setattr("gatesolve.pipelines.gas.pipeline.SPACE_LIMIT", 1)
    large = gatesolve.compile(model, **options)
    assert large.program.qasm2() == listed.program.qasm2()
    assert (large.certificate.of, large.certificate.marked) == (listed.certificate.of, None)
    assert large.certificate.lowered > 0


@pytest.mark.sampled(1)
@pytest.mark.quick(1)
@pytest.mark.parametrize("model", SMALL)
def test_the_threshold_is_above_the_best_that_is_found(monkeypatch, model):
    listed = gatesolve.compile(model, pipeline="gas", presolve="none", iterations=1)
    monkeypatch.setattr("gatesolve.pipelines.gas.pipeline.SPACE_LIMIT", 1)
    large = gatesolve.compile(model, pipeline="gas", presolve="none", iterations=1)
    # OR-Tools proves the optimum of so small a model.
    assert large.program.qasm2() == listed.program.qasm2()
    assert any("OR-Tools" in note for note in large.notes)


@pytest.mark.sampled(2)
@pytest.mark.quick(1)
@pytest.mark.parametrize("model", SMALL)
@pytest.mark.parametrize("mixer", ["auto", "grover-global"])
def test_qaoa_makes_the_circuit_of_a_listed_space(monkeypatch, model, mixer):
    options = {"pipeline": "qaoa", "presolve": "none", "mixer": mixer, "angles": ([0.3, 0.1], [-0.4, -0.2])}
    listed = gatesolve.compile(model, **options)
    monkeypatch.setattr("gatesolve.pipelines.qaoa.compile.SPACE_LIMIT", 1)
    large = gatesolve.compile(model, **options)
    assert large.program.qasm2() == listed.program.qasm2()
    assert large.certificate.of == listed.certificate.of


@pytest.mark.sampled(1)
@pytest.mark.parametrize("options", [{"pipeline": "gas", "value_oracle": "fourier"}, {"pipeline": "qaoa"}], ids=str)
def test_a_space_of_any_size_is_compiled_and_verified(tmp_path, options):
    made = gatesolve.compile(make_qubo(60), **options)
    assert made.certificate.of == 2**60
    assert made.certificate.checked > 0
    assert made.certificate.marked is None
    if options["pipeline"] == "gas":  # one solution is assumed
        assert made.program.iterations == pytest.approx(np.pi / 4 * 2**30)
    written = gatesolve.export(made, tmp_path / "made.qasm")
    found = gatesolve.verify(written.circuit)
    assert {claim.layer: claim.status for claim in found.claims}["text"] == "proved"
    assert found.status != "refused"


@pytest.fixture
def none_is_listed(monkeypatch):
    monkeypatch.setattr("gatesolve.pipelines.qaoa.compile.SPACE_LIMIT", 1)


@pytest.mark.usefixtures("none_is_listed")
def test_angles_and_layers_of_a_large_space():
    made = gatesolve.compile(make_qubo(8), pipeline="qaoa", angles="ramp", layers=3)
    assert [len(section.ops) > 0 for section in made.program.sections].count(True) >= 4
    with pytest.raises(DoesNotFitError, match="layers=1000 or fewer"):
        gatesolve.compile(make_qubo(8), pipeline="qaoa", layers=2000)


@pytest.mark.usefixtures("none_is_listed")
@pytest.mark.parametrize("option", [{"betas": "own"}, {"evaluations": 9}, {"angle_loss": "mean"}], ids=str)
def test_options_of_a_simulation_are_refused_where_there_is_none(option):
    with pytest.raises(InputError, match=f"too many to simulate: leave out {next(iter(option))}"):
        gatesolve.compile(make_qubo(8), pipeline="qaoa", **option)


@pytest.mark.quick(1)
@pytest.mark.parametrize("size", [21, 24])
def test_a_search_that_max_space_allows_is_told_so(size):
    with pytest.raises(DoesNotFitError, match=rf"max_space={2**size}"):
        gatesolve.solve(make_qubo(size), pipeline="qaoa", presolve="none", max_space=2**10)


def test_a_search_that_cannot_be_simulated_names_other_ways():
    with pytest.raises(DoesNotFitError, match=r"with pipeline='gas' and .* it is searched in parts"):
        gatesolve.solve(make_qubo(40), pipeline="qaoa")
    with pytest.raises(DoesNotFitError, match=r"anneal"):
        gatesolve.solve(make_qubo(300), pipeline="gas")

"""Backends and samplers of the user's own in the place of a simulator's name."""

import json

import pytest
from contest_kakuro import K4
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.primitives import BackendSamplerV2, StatevectorSampler
from qiskit.providers.fake_provider import GenericBackendV2
from qiskit_aer import AerSimulator
from qiskit_aer.primitives import SamplerV2

import gatesolve
from gatesolve.errors import BackendError, InputError
from gatesolve.simulate.own_sampler import _cut, read_own_sampler

OBJECTS = {
    "StatevectorSampler": StatevectorSampler(seed=1),
    "SamplerV2": SamplerV2(seed=1),
    "aer_simulator": AerSimulator(),
    "generic_backend_8q": GenericBackendV2(8, seed=1),
    "BackendSamplerV2 on generic_backend_8q": BackendSamplerV2(backend=GenericBackendV2(8, seed=1)),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_grovers_search_takes_its_counts_from_the_object(name):
    found = gatesolve.solve(K4, backend=OBJECTS[name], presolve="none", encoding="table", shots=200)
    assert found.status == "solved"
    assert found.success_probability > 0.8
    assert json.loads(json.dumps(found.as_dict()))["backend"] == name
    assert f"backend: {name}" in found.report().lines[0]


@pytest.mark.parametrize("schedule", ["unknown", "assumed"])
def test_each_run_of_an_unknown_number_is_measured_by_the_object(schedule):
    found = gatesolve.solve(K4, backend=StatevectorSampler(seed=3), presolve="none", schedule=schedule)
    assert found.status == "solved"


@pytest.mark.slow
@pytest.mark.parametrize("pipeline", ["gas", "qaoa"])
def test_other_pipelines_take_it_too(pipeline, tmp_path):
    found = gatesolve.solve(
        K4, backend=StatevectorSampler(seed=3), presolve="none", encoding="table", pipeline=pipeline
    )
    assert found.status == "solved"


def test_what_the_object_raises_is_one_line():
    class Broken(StatevectorSampler):
        def run(self, pubs, *, shots=None):
            raise ValueError("no power\nat all")

    with pytest.raises(BackendError, match=r"^Broken failed: ValueError: no power at all$"):
        gatesolve.solve(K4, backend=Broken(), presolve="none")


def test_a_backend_that_is_too_narrow_says_so():
    with pytest.raises(BackendError, match=r"generic_backend_2q failed: .*qubits"):
        gatesolve.solve(K4, backend=GenericBackendV2(2, seed=1), presolve="none", encoding="table")


@pytest.mark.parametrize("given", [5, None, AerSimulator, object()])
def test_what_is_none_is_refused_as_a_word_is(given):
    assert read_own_sampler(given) is None
    with pytest.raises(InputError, match=r"unknown backend .*: choose one of space, aer, pennylane"):
        gatesolve.solve(K4, backend=given)


def test_the_sampler_of_annealing_is_another():
    with pytest.raises(InputError, match="give a backend or sampler of Qiskit's as backend"):
        gatesolve.solve(K4, sampler=StatevectorSampler())


@pytest.mark.parametrize(("register", "counts"), [("left", {"01": 5}), ("measured", {"110": 5}), ("right", {"1": 5})])
@pytest.mark.parametrize("word", ["1 110 01", "111001"])
def test_counts_of_one_register_are_cut_out(register, counts, word):
    sizes = {"left": 2, "measured": 3, "right": 1}
    circuit = QuantumCircuit(QuantumRegister(1), *(ClassicalRegister(size, name) for name, size in sizes.items()))
    assert _cut({word: 5}, circuit, register) == counts


def test_zeros_that_a_backend_leaves_out_are_put_back():
    circuit = QuantumCircuit(QuantumRegister(1), ClassicalRegister(4, "measured"))
    assert _cut({"1": 2, "01": 3}, circuit, "measured") == {"0001": 5}

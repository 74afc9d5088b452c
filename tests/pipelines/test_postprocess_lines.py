"""The ways a shortened program is written for few neighbours: every arrangement that is another one, each the same."""

from dataclasses import replace

import pytest
from contest_kakuro import K4, K7
from exact_counts import distribution

import gatesolve
from gatesolve.circuit import Gate
from gatesolve.pipelines import measure_qubits, postprocess
from gatesolve.pipelines.isa_shapes import list_shapes, write_shape
from gatesolve.pipelines.postprocess import LINE_TRIES, shorten_program


def short_of(model, encoding):
    program = gatesolve.compile(model, presolve="none", encoding=encoding).program
    return shorten_program(program.with_iterations(1))


def places(circuit):
    """Which qubits meet in which order, by names given when they first meet; measurements of two are no meeting."""
    met = {}
    pairs = [[circuit.find_bit(q).index for q in i.qubits] for i in circuit.data if len(i.qubits) > 1]
    return tuple(tuple(met.setdefault(q, len(met)) for q in pair) for pair in pairs)


def written(short, tries=LINE_TRIES):
    """One circuit for each arrangement that is no renaming of one before."""
    found = {}
    for shape in list_shapes(short.ops, short.num_qubits, tries):
        inner, at = write_shape(short.ops, short.num_qubits, short.reads, shape)
        made = measure_qubits(inner, [at[q] for q in short.reads])
        found.setdefault(places(made), made)
    return list(found.values())


@pytest.mark.quick("model0-12")
@pytest.mark.parametrize(("model", "number"), [(K4, 12), (K7, 21)])
def test_every_arrangement_is_a_line_and_measures_the_same(model, number):
    short = short_of(model, "table")
    circuits = short.circuits
    assert list(circuits) == ["named", "lowered", *(f"line {k}" for k in range(1, number + 1))]
    lines = list(circuits.values())[2:]
    assert lines == written(short)
    expected = distribution(circuits["named"])
    for made in (circuits["lowered"], *lines[:4]):
        counts = distribution(made)
        assert max(abs(counts.get(key, 0) - expected.get(key, 0)) for key in {*counts, *expected}) < 1e-9
    assert all({i.operation.name for i in made.data if len(i.qubits) > 1} == {"cx"} for made in lines)


@pytest.fixture(scope="module")
def many():
    """More arrangements than are written."""
    return short_of(K4, "one-hot")


def test_no_more_lines_than_are_wanted(many, monkeypatch):
    monkeypatch.setattr(postprocess, "MOST_LINES", 3)
    made = replace(many)  # its circuits are kept once made
    assert list(made.circuits) == ["named", "lowered", "line 1", "line 2", "line 3"]
    first = written(many, 12)
    assert len(first) > 3
    assert list(made.circuits.values())[2:] == first[:3]


def test_a_program_without_gates_of_three_qubits_has_no_lines(many):
    plain = replace(many, ops=(Gate("h", (0,)), Gate("cx", (0, 1))), num_qubits=2, reads=(0, 1))
    assert list(plain.circuits) == ["named", "lowered"]
    assert list(replace(plain, measured=True).circuits) == ["named", "lowered", "measured"]
    assert replace(many, ops=(), num_qubits=1, reads=(0,)).named.num_qubits == 1
    assert list(replace(many, ops=(), num_qubits=1, reads=(0,)).circuits) == ["named", "lowered"]


def test_a_qubit_that_only_gains_phases_is_zero_and_not_measured():
    ops = (Gate("h", (0,)), Gate("cz", (0, 1)), Gate("h", (0,)))
    kept, made = postprocess.split_postprocessing(ops, 2, 2)
    assert (kept, made.measured) == (ops, (0,))
    assert made.states({"1": 5}) == {1: 5}

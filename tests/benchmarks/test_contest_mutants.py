"""Gates left out of contest entries: the short way says what the judge says, and the table is that of today's files."""

import re
from pathlib import Path

import numpy as np
import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Statevector

from benchmarks.faults import contest_mutants as module
from benchmarks.faults import search_mutants
from benchmarks.faults.search_mutants import Finding

SAMPLE = 6
DEAR = {f"colouring-2019/{name}.qasm" for name in ("whole", "whole-minimised", "literal", "districts")}
"""A judge takes some ten seconds for each."""


ENTRIES = {(module._name(entry), entry.class_): entry for entry in module.our_entries()}


@pytest.fixture(scope="module")
def rows():
    return {(row.circuit, row.class_): row for row in module.TABLE.read()}


def test_the_table_is_that_of_todays_entries(rows):
    """A circuit that was remade otherwise has no row: python -m benchmarks contest-mutants --write --circuit NAME."""
    assert list(rows) == list(ENTRIES)
    for name, entry in ENTRIES.items():
        row = rows[name]
        assert row.sha256 == module.digest(entry), name
        every = len(module.places_of(entry))
        assert row.gates == row.refused + row.accepted == every, name


# An X that puts a wire back to zero after it was measured, which no class asks, or a CZ whose phase all inputs share.
FREE = re.compile(r" (x|cz|z) ")


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", ENTRIES, ids="-".join)
def test_a_sample_of_an_entry_goes_as_the_table_says(name, rows):
    entry = ENTRIES[name]
    places = module.places_of(entry, 1 if name[0] in DEAR else SAMPLE, 7)
    refused, _, accepted = module.run_share(entry, places, None)
    assert refused + len(accepted) == len(places)
    assert rows[name].accepted or not accepted
    assert entry.contest != "toffoli-measured" or all(map(FREE.search, accepted)), accepted


@pytest.mark.sampled(0.5)
def test_findings_are_those_of_every_outcome(monkeypatch):
    """A search among eight ways, one of which is the solution; one more gate beside it changes nothing."""
    gates = QuantumCircuit(5, 3)
    gates.h(range(3))
    gates.p(0.4, 4)
    for pair in ((0, 1), (0, 1), (1, 2), (1, 2)):
        gates.rccx(*pair, 3)
    for _ in range(2):
        gates.rccx(0, 1, 3)
        gates.cp(np.pi, 3, 2)
        gates.rccx(0, 1, 3)
        gates.h(range(3))
        gates.x(range(3))
        gates.rccx(0, 1, 3)
        gates.cp(np.pi, 3, 2)
        gates.rccx(0, 1, 3)
        gates.x(range(3))
        gates.h(range(3))
    circuit = transpile(gates, basis_gates=["u", "p", "cx"], optimization_level=0)
    circuit.measure(range(3), range(3))
    monkeypatch.setattr(search_mutants, "APART", 1)
    search = search_mutants.read_search(circuit, solutions=1, iterations=2, fewest=2)
    cuts, usual = search_mutants.find_cuts(search, seed=1)
    assert {cut.left for cut in cuts} == {1, 2}
    found = search_mutants.findings(search, cuts, usual, range(len(search.steps)))
    assert len(found) == len(search.steps)
    for number, finding in found.items():
        less = circuit.remove_final_measurements(inplace=False)
        del less.data[number]
        outcomes = Statevector(less).probabilities(range(3))
        assert (finding is Finding.SAME) == is_taken(outcomes, usual > 0.2), number
    assert list(found.values()).count(Finding.SAME) > 1


def is_taken(outcomes, marked):
    try:
        search_mutants.basis.check_ideal(outcomes, marked, 2, 2, Path("entry.qasm"))
    except search_mutants.basis.RefusedError:
        return False
    return True


def test_a_search_that_is_none_is_refused():
    circuit = QuantumCircuit(2, 2)
    circuit.ry(0.3, 0)
    circuit.cx(0, 1)
    circuit.measure(range(2), range(2))
    with pytest.raises(ValueError, match="not the outcomes of an ideal search"):
        search_mutants.find_cuts(search_mutants.read_search(circuit, 1, 1, 2), seed=1)

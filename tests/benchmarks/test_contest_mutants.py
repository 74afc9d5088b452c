"""Gates left out of contest entries: the short ways say what the judges say, and the table is that of today's files."""

import random
import re

import pytest
from qiskit import QuantumCircuit, qasm3
from qiskit.quantum_info import Statevector

SAMPLE = 12
SAMPLED = {f"colouring-2019/{name}.qasm" for name in ("whole", "literal", "districts")}
"""Too dear to judge once for each gate."""


@pytest.fixture(scope="module")
def module(benchmark_module):
    return benchmark_module("contest_mutants")


@pytest.fixture(scope="module")
def entries(module):
    return {(module._name(entry), entry.class_): entry for entry in module.our_entries()}


def test_the_table_is_that_of_todays_entries(module, entries):
    """A circuit that was remade otherwise has no row: python benchmarks/contest_mutants.py --write --circuit NAME."""
    rows = {(row.circuit, row.class_): row for row in module.read_rows()}
    assert list(rows) == list(entries)
    for name, entry in entries.items():
        row = rows[name]
        assert row.sha256 == module.digest(entry), name
        every = len(module.places_of(entry))
        assert row.gates == row.refused + row.accepted <= every, name
        assert row.gates == every or name[0] in SAMPLED, name


# An X that puts a wire back to zero after it was measured, which no class asks, or a CZ whose phase all inputs share.
FREE = re.compile(r" (x|cz|z) ")


@pytest.mark.slow
def test_a_sample_of_every_entry_goes_as_the_table_says(module, entries):
    rows = {(row.circuit, row.class_): row for row in module.read_rows()}
    for name, entry in entries.items():
        places = module.places_of(entry, 2 if name[0] in SAMPLED else SAMPLE, 7)
        refused, accepted = module.run_share(entry, places, None)
        assert refused + len(accepted) == len(places)
        assert rows[name].accepted or not accepted
        assert entry.contest != "toffoli-measured" or all(map(FREE.search, accepted)), accepted


def test_a_statement_is_left_out_as_the_parser_would(module, entries, benchmark_module, tmp_path):
    """In an entry with measurement, gates under conditions too."""
    quick = benchmark_module("quick_judging")
    entry = entries["toffoli-measured/entry-tof_3.qasm", "unitary"]
    parser = quick.Parser(entry.files)
    places = module.places_of(entry)
    assert len(places) > SAMPLE
    for _, (path,) in module.mutants(entry, places, tmp_path):
        text = quick.base.read_text(path)
        assert qasm3.dumps(parser(text, path)) == qasm3.dumps(quick.base.parse(text, path))


def test_another_text_is_parsed(entries, benchmark_module, tmp_path):
    quick = benchmark_module("quick_judging")
    entry = entries["toffoli-measured/entry-tof_3.qasm", "unitary"]
    path = tmp_path / entry.files[0].name
    path.write_text('OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\ncx q[0], q[1];\n')
    made = quick.Parser(entry.files)(path.read_text(), path)
    assert (made.num_qubits, [step.operation.name for step in made.data]) == (2, ["cx"])


@pytest.mark.parametrize(
    "name", [("asteroids-2020/entry.qasm", "exact"), ("kakuro-2022/entry_prepared.qasm", "prepared")]
)
def test_quick_verdicts_are_the_judges(module, entries, benchmark_module, name, tmp_path):
    entry = entries[name]
    files = [files for _, files in module.mutants(entry, module.places_of(entry, 1, 1), tmp_path)]
    wanted = [module.is_accepted(entry, one) for one in [*files, entry.files]]
    with benchmark_module("quick_judging").quick_judging(entry.files):
        found = [module.is_accepted(entry, one) for one in [*files, entry.files]]
    assert found == wanted == [False, True]


def test_probabilities_without_a_gate(benchmark_module):
    draw, circuit = random.Random(1), QuantumCircuit(6)
    for _ in range(30):
        circuit.u(*(draw.uniform(0, 3) for _ in range(3)), draw.randrange(6))
        circuit.p(draw.uniform(0, 3), draw.randrange(6))
        circuit.cx(*draw.sample(range(6), 2))
    usual, changed = benchmark_module("outcome_mutants").shift_of_likeliest(circuit, [0, 2])
    outcome = int(abs(Statevector(circuit).data ** 2).argmax())
    at = (outcome & 1) + (outcome >> 2 & 1) * 2
    assert usual == pytest.approx(Statevector(circuit).probabilities([0, 2])[at])
    for place, found in enumerate(changed):
        less = circuit.copy()
        del less.data[place]
        assert found == pytest.approx(Statevector(less).probabilities([0, 2])[at], abs=1e-12)

"""Programs with measured erasure: the circuits, their counts, their files, and a run on Aer."""

import io
from dataclasses import replace

import kept
import numpy as np
import pytest
from conformance.known import k4, k7
from qiskit import qasm3, qpy
from qiskit_aer import AerSimulator

from gatesolve.api import write_circuit
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.pipelines import success_probability
from gatesolve.simulate import check_branches, count_measurements


def program_of(model, encoding, iterations=None, **changes):
    compiled = kept.compiled(
        model, presolve="none", encoding=encoding, level="minimised", gates="clifford+t", iterations=iterations
    )
    return replace(compiled.program, measured=True, **changes), compiled.marks


def all_inputs(program):
    space = program.space
    bits = np.zeros((program.num_qubits, space.size), dtype=bool)
    bits[: space.num_qubits] = space.bits(np.arange(space.size))
    return bits


#: The most T and CX of one oracle call, and the measurements, by problem and encoding.
MOST = {
    ("k7", "binary"): (50, 55),
    ("k7", "one-hot"): (48, 90),
    ("k7", "domain-wall"): (20, 32),
    ("k7", "table"): (6, 9),
    ("k4", "binary"): (20, 30),
    ("k4", "one-hot"): (23, 38),
}


@pytest.mark.quick("*-k4-*", "*-k7-table")
@pytest.mark.parametrize(("name", "encoding"), MOST)
@pytest.mark.parametrize("objective", ["cx", "t", "depth"])
def test_every_codeword_on_every_or_many_outcomes(name, encoding, objective):
    program, marks = program_of({"k7": k7, "k4": k4}[name](), encoding, objective=objective)
    counted = program.oracle_resources()
    samples = 1 if program.space.size > 1000 else 8
    assert check_branches(program.lowered_oracle, all_inputs(program), marks, seed=5, samples=samples) >= 2
    assert counted.measurements == count_measurements(program.lowered_oracle)
    if objective != "depth":
        most_t, most_cx = MOST[name, encoding]
        assert counted.t <= most_t
        assert objective == "t" or counted.cx <= most_cx
    unitary = replace(program, measured=False).oracle_resources()
    assert counted.t < unitary.t
    assert objective == "t" or counted.cx < unitary.cx
    assert counted.qubits == unitary.qubits


@pytest.mark.quick("0-*", "1-*")
@pytest.mark.parametrize("gates", ["cx+u", "clifford+t", "clifford+toffoli"])
@pytest.mark.parametrize("iterations", [0, 1, 2])
def test_the_whole_search_on_aer(gates, iterations):
    """All shots come with different outcomes in between; what is measured at the end is Grover's distribution."""
    program, marks = program_of(k4(), "binary", gates=gates, iterations=iterations)
    space = program.space
    circuit = program.lowered
    assert [r.name for r in circuit.cregs] == ["measured", *(["erased"] if iterations else [])]
    simulator = AerSimulator(method="statevector", seed_simulator=3, max_parallel_threads=1)
    shots = 60
    counts = simulator.run(circuit, shots=shots).result().get_counts()
    answers = {space.state(int(n)) for n in np.flatnonzero(marks)}
    # The register added last stands leftmost.
    hits = sum(n for key, n in counts.items() if int(key.split()[-1], 2) in answers)
    chance = success_probability(space.size, len(answers), iterations)
    assert abs(hits - shots * chance) <= 4 * np.sqrt(shots * chance * (1 - chance)) + 1


def test_openqasm_2_is_refused_and_the_others_read_back(tmp_path):
    program, _ = program_of(k4(), "binary", gates="cx+u", iterations=1)
    with pytest.raises(UnsupportedError, match=r"write a measured circuit as \.qasm3 or \.qpy"):
        program.qasm2()
    with pytest.raises(InputError, match="OpenQASM 2 has no gates that depend on one measured bit"):
        write_circuit(program, tmp_path / "circuit.qasm", "oracle")
    assert not list(tmp_path.iterdir())
    text = program.qasm3("oracle")
    assert "if (erased[0])" in text
    back = qasm3.loads(text)
    assert back.num_qubits == program.num_qubits
    assert count_measurements(back) == program.oracle_resources().measurements
    write_circuit(program, tmp_path / "circuit.qpy")
    (read,) = qpy.load(io.BytesIO((tmp_path / "circuit.qpy").read_bytes()))
    assert read == program.lowered


def test_a_program_that_erases_nothing_is_written_as_openqasm_2():
    program, _ = program_of(k4(), "table", gates="cx+u")
    assert program.oracle_resources().measurements == 0
    assert "creg erased" not in program.qasm2("oracle")

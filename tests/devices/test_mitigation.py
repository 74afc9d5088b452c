"""Readout mitigation through mthree, offline: reported and measured errors, bit order, and what cannot be mended."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, transpile
from qiskit.transpiler import InstructionProperties, Target

from gatesolve.devices import ReadoutErrors, find_measured_qubits, mitigate, read_reported_errors
from gatesolve.errors import BackendError, InputError, UnsupportedError


def errors_of(*flips):
    return ReadoutErrors(tuple(range(len(flips))), flips, "test")


def read(shares, flips):
    """Exact shares after readout errors."""
    bits = len(flips)
    result = np.zeros(1 << bits)
    for word, share in shares.items():
        for seen in range(1 << bits):
            chance = share
            for bit, (up, down) in enumerate(flips):
                true, got = int(word, 2) >> bit & 1, seen >> bit & 1
                wrong = down if true else up
                chance *= wrong if true != got else 1 - wrong
            result[seen] += chance
    return {format(seen, f"0{bits}b"): result[seen] for seen in range(1 << bits)}


def test_exact_shares_are_recovered():
    flips = ((0.02, 0.2), (0.1, 0.05), (0.0, 0.3))
    true = {"001": 0.5, "110": 0.3, "100": 0.2}
    counts = {word: round(1e7 * share) for word, share in read(true, flips).items()}
    found = mitigate(counts, errors_of(*flips))
    assert all(abs(found.get(word, 0) - share) < 1e-4 for word, share in true.items())
    assert abs(sum(found.values()) - 1) < 1e-6


def test_shares_are_probabilities_where_counts_contradict_the_errors():
    found = mitigate({"0": 500, "1": 500}, errors_of((0.0, 0.6)))
    assert found == {"1": 1.0}


@pytest.fixture(scope="module")
def manila():
    from qiskit_ibm_runtime.fake_provider import FakeManilaV2

    return FakeManilaV2()


def circuit():
    """Half 1011, half 0100, on four of five qubits that are not in the order of the bits."""
    made = QuantumCircuit(QuantumRegister(4, "q"), ClassicalRegister(4, "measured"))
    made.h(2)
    made.cx(2, 3)
    made.cx(2, 1)
    made.cx(1, 0)
    made.x([0, 1, 3])
    made.measure(range(4), range(4))
    return made


IDEAL = {"1011", "0100"}


@pytest.fixture(scope="module")
def run(manila):
    """Counts with the device's noise, and the transpiled circuit."""
    ready = transpile(circuit(), manila, initial_layout=[4, 3, 2, 1], optimization_level=1, seed_transpiler=1)
    return manila.run(ready, shots=20_000, seed_simulator=3).result().get_counts(), ready


def accepted(shares):
    return sum(shares.get(word, 0) for word in IDEAL) / sum(shares.values())


def test_a_noisy_device_comes_nearer_the_ideal(manila, run):
    counts, ready = run
    qubits = find_measured_qubits(ready)
    assert sorted(qubits) == [1, 2, 3, 4]
    errors = read_reported_errors(manila, qubits)
    raw, mended = accepted(counts), accepted(mitigate(counts, errors))
    assert raw < 0.9
    assert 1 - mended < 0.5 * (1 - raw)
    # With the qubits in the wrong order it corrects less.
    turned = ReadoutErrors(qubits, errors.flips[::-1], "test")
    assert accepted(mitigate(counts, turned)) < mended - 0.01


def test_without_properties_the_target_gives_the_mean(manila):
    found = read_reported_errors(SimpleNamespace(target=manila.target), (2,))
    assert np.allclose(found.flips, [(0.0964, 0.0964)])
    bare = Target(num_qubits=1)
    with pytest.raises(UnsupportedError, match="no readout error of qubit 0"):
        read_reported_errors(SimpleNamespace(target=bare), (0,))
    from qiskit.circuit import Measure

    bare.add_instruction(Measure(), {(0,): InstructionProperties()})
    with pytest.raises(UnsupportedError, match="leave out mitigate"):
        read_reported_errors(SimpleNamespace(target=bare, properties=lambda: None), (0,))


def test_without_mthree_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mthree", None)
    with pytest.raises(
        UnsupportedError,
        match=r"""^readout mitigation needs mthree: run pip install "gatesolve-circuits\[mitigate\]"$""",
    ):
        mitigate({"0": 1}, errors_of((0.1, 0.1)))


def test_what_cannot_be_mended():
    with pytest.raises(BackendError, match="qubit 0 is read wrongly as often as rightly"):
        errors_of((0.5, 0.5))
    with pytest.raises(InputError, match="must be probabilities"):
        errors_of((float("nan"), 0.1))
    with pytest.raises(InputError, match="one for each is needed"):
        ReadoutErrors((0, 1), ((0.1, 0.1),), "test")
    with pytest.raises(InputError, match="no counts"):
        mitigate({"0": 0}, errors_of((0.1, 0.1)))
    with pytest.raises(InputError, match="no counts"):
        mitigate({}, errors_of((0.1, 0.1)))
    with pytest.raises(InputError, match="not a string of 1 bits"):
        mitigate({"0 1": 3}, errors_of((0.1, 0.1)))

"""The published contest oracles: made again they are the same files, and they mark what the rules say."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from qiskit import qasm2

from gatesolve.simulate.sparse import diagonal_phases

FOLDER = Path(__file__).parents[2] / "circuits" / "kakuro-2022"


def is_solution(bits):
    """The contest's rules, written down again."""
    x0, x1, x2, low, high, x4, x5, x6 = (int(b) for b in bits)
    x3 = low + 2 * high
    pairs = [(x0, x1), (x2 + 2, x3), (x3, x4), (x1, x3), (x3, x5), (x5, x6), (x0, x2), (x1, x5), (x4, x6)]
    return all(a != b for a, b in pairs) and x3 == 2 and x2 + x4 + x3 == 3


ALL = np.arange(256)[None, :] >> np.arange(8)[:, None] & 1 == 1
PREPARED = ALL[:, (ALL[0] != ALL[2]) & (ALL[1] != ALL[6]) & (ALL[5] != ALL[7]) & ALL[4] & ~ALL[3]]


@pytest.mark.parametrize(
    ("name", "inputs", "most_cx"),
    [
        ("entry", ALL, 80),
        ("entry_literal", ALL, 141),
        ("entry_prepared", PREPARED, 50),
        ("entry_prepared_minimised", PREPARED, 50),
    ],
)
def test_the_file_marks_what_the_rules_say(name, inputs, most_cx):
    circuit = qasm2.load(FOLDER / f"{name}.qasm")
    bits = np.zeros((circuit.num_qubits, inputs.shape[1]), dtype=bool)
    bits[:8] = inputs
    phases = diagonal_phases(circuit, bits)
    wanted = np.where([is_solution(row) for row in inputs.T], -1, 1)
    assert sorted(set(wanted)) == [-1, 1]
    assert phases is not None
    assert np.allclose(phases * wanted, phases[0] * wanted[0], atol=1e-9)
    assert circuit.count_ops()["cx"] <= most_cx


def test_made_again(tmp_path):
    spec = importlib.util.spec_from_file_location("make_kakuro_2022", FOLDER / "make.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    module.remake(tmp_path)
    for path in tmp_path.iterdir():
        assert path.read_text() == (FOLDER / path.name).read_text(), path.name

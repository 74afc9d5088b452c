"""The plugin never takes more CX than Qiskit's default, and is not slow: samples of the sweep."""

from importlib.metadata import entry_points

import pytest
from qiskit import transpile
from qiskit.quantum_info import Statevector

from benchmarks.suites import mcx_plugin as sweep

pytestmark = pytest.mark.skipif(
    "mcx.gatesolve" not in entry_points(group="qiskit.synthesis").names,
    reason="installed before the plugin was added: run pip install -e .",
)


@pytest.mark.parametrize("numbers", [range(18, 24), pytest.param(range(120), marks=pytest.mark.slow)])
def test_never_above_the_default(numbers):
    found = sweep.sweep(numbers)
    assert sum(map(len, found.values())) == len(numbers)
    assert all(ours <= theirs for pairs in found.values() for ours, theirs in pairs)
    assert any(ours < theirs for pairs in found.values() for ours, theirs in pairs)


def test_the_circuits_are_right():
    small = [case for case in sweep.cases(range(60)) if case.circuit.num_qubits <= 10 and case.coupling is None]
    assert {case.kind for case in small} == {"plain", "nested"}
    for case in small[:8]:
        made = transpile(case.circuit, basis_gates=sweep.BASIS, hls_config=sweep.METHODS["gatesolve"])
        assert abs(Statevector(made).inner(Statevector(case.circuit))) > 1 - 1e-9

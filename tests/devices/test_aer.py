"""Aer: counts of a measured circuit, native multi-controlled gates, and clear words where it fails."""

import os

import pytest
from conformance.known import k7
from qiskit import QuantumCircuit
from qiskit_aer import AerSimulator

import gatesolve
from gatesolve.errors import DoesNotFitError
from gatesolve.simulate import aer


def ghz(width):
    circuit = QuantumCircuit(width, width)
    circuit.h(0)
    for qubit in range(width - 1):
        circuit.cx(qubit, qubit + 1)
    circuit.measure(range(width), range(width))
    return circuit


def test_too_wide_is_refused_before_anything_is_built():
    most = aer.largest_width()
    with pytest.raises(DoesNotFitError, match=rf"60 qubits do not fit .*, {most} would: use backend='space'"):
        aer.run_circuit(ghz(60), 1, 0)


def test_the_widest_that_fits_follows_the_memory(monkeypatch):
    pages = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**10}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    assert aer.largest_width() == 18
    pages["SC_PHYS_PAGES"] -= 1
    assert aer.largest_width() == 17
    assert sum(aer.run_circuit(ghz(17), 2, 0).values()) == 2
    with pytest.raises(DoesNotFitError, match=r"18 qubits do not fit .*, 17 would"):
        aer.run_circuit(ghz(18), 2, 0)


def test_out_of_memory_inside_aer_is_explained(monkeypatch):
    """Aer's own refusal, by a memory limit of 1 MiB: 16 qubits take just that, 20 take sixteen times as much."""
    import qiskit_aer.primitives

    real = qiskit_aer.primitives.SamplerV2

    def small(*, seed, options):
        options["backend_options"] |= {"max_memory_mb": 1}
        return real(seed=seed, options=options)

    monkeypatch.setattr(qiskit_aer.primitives, "SamplerV2", small)
    assert sum(aer.run_circuit(ghz(10), 5, 0).values()) == 5
    with pytest.raises(DoesNotFitError, match=r"20 qubits do not fit .*, 19 would: use backend='space'") as caught:
        aer.run_circuit(ghz(20), 5, 0)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", [0, 2**31 - 1])
def test_solve_through_aer(seed):
    result = gatesolve.solve(k7(), encoding="table", presolve="none", backend="aer", shots=300, seed=seed)
    assert result.status == "solved"
    assert tuple(result.solution[f"x{k}"] for k in range(7)) == (2, 1, 3, 2, 0, 0, 1)
    # Measured, so a fraction of the shots: 0.98 within five standard deviations.
    assert (result.success_probability * 300) % 1 == pytest.approx(0, abs=1e-9)
    assert result.success_probability == pytest.approx(0.9827, abs=0.04)


def test_a_gpu_that_aer_can_use_is_used(monkeypatch):
    asked = []

    def build(self, configuration=None, **options):
        asked.append(options.pop("device", None))
        real(self, configuration, **options)

    real = AerSimulator.__init__
    monkeypatch.setattr(AerSimulator, "__init__", build)
    monkeypatch.setattr(AerSimulator, "available_devices", lambda self: ("CPU", "GPU"))
    assert sum(aer.run_circuit(ghz(3), 10, 5).values()) == 10
    assert "GPU" in asked


def test_a_wide_circuit_is_announced_before_it_is_simulated(monkeypatch):
    monkeypatch.setattr(aer, "SLOW_WIDTH", 6)
    assert aer.run_circuit(ghz(5), 1, 0)
    with pytest.warns(UserWarning, match=r"Aer takes minutes or hours to simulate 6 qubits: use max_qubits=16"):
        aer.run_circuit(ghz(6), 1, 0)

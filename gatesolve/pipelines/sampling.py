"""Sampling a program's whole circuit: on a simulator, by name, or on a backend or sampler of the user's own."""

from __future__ import annotations

from gatesolve.pipelines.options import Backend
from gatesolve.programs.program import Program
from gatesolve.simulate.own_sampler import OwnSampler


def sample(program: Program, backend: Backend, shots: int, seed: int) -> dict[str, int]:
    """Run a program and measure its data qubits.

    Where the program erases ANDs by measurement, its lowered circuit is run. The counts are what the program's
    ``decode`` takes; raises as `run_circuit`, `run_function` and `OwnSampler.run`.
    """
    if isinstance(backend, OwnSampler):
        return backend.run(program.lowered, shots, seed)
    if backend == "pennylane":
        from gatesolve.simulate import pennylane

        circuit = program.to_pennylane(lowered=program.measured)
        return pennylane.run_function(circuit, program.num_qubits, program.space.num_qubits, shots, seed)
    from gatesolve.simulate import aer

    aer.require_width(program.num_qubits)
    return aer.run_circuit(program.lowered if program.measured else program.circuit, shots, seed)

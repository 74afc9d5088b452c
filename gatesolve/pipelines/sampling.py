"""Sampling a program's whole circuit on a simulator, by name."""

from __future__ import annotations

from gatesolve.pipelines.program import Program

CIRCUIT_BACKENDS = ("aer", "pennylane")
"""Backends that simulate the whole circuit."""


def sample(program: Program, backend: str, shots: int, seed: int) -> dict[str, int]:
    """Run a program and measure its data qubits.

    Where the program erases ANDs by measurement, its lowered circuit is run. The counts are what the program's
    ``decode`` takes; raises as `run_circuit` and `run_function`.
    """
    if backend == "pennylane":
        from gatesolve.simulate import pennylane

        circuit = program.to_pennylane(lowered=program.measured)
        return pennylane.run_function(circuit, program.num_qubits, program.space.num_qubits, shots, seed)
    from gatesolve.simulate import aer

    aer.require_width(program.num_qubits)
    return aer.run_circuit(program.lowered if program.measured else program.circuit, shots, seed)

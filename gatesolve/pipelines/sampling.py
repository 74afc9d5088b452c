"""Sampling a program's whole circuit on a simulator, by name."""

from __future__ import annotations

from gatesolve.pipelines.program import Program

CIRCUIT_BACKENDS = ("aer", "pennylane")
"""Backends that simulate the whole circuit."""


def sample(program: Program, backend: str, shots: int, seed: int) -> dict[str, int]:
    """Run a program and measure its data qubits.

    Where the program erases ANDs by measurement, its lowered circuit is run.

    Returns:
        Counts by bit string, data qubit 0 rightmost: what the program's ``decode`` takes.

    Raises:
        UnsupportedError: the simulator is not installed.
        DoesNotFitError: the state vector exceeds this machine's memory; says how many qubits would fit.
        BackendError: the simulator failed for another reason.
    """
    if backend == "pennylane":
        from gatesolve.simulate import pennylane

        circuit = program.to_pennylane(lowered=program.measured)
        return pennylane.run_function(circuit, program.num_qubits, program.space.num_qubits, shots, seed)
    from gatesolve.simulate import aer

    aer.require_width(program.num_qubits)
    return aer.run_circuit(program.lowered if program.measured else program.circuit, shots, seed)

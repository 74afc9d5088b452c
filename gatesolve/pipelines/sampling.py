"""Sampling a program's whole circuit: on a simulator, by name, or on a backend or sampler of the user's own."""

from __future__ import annotations

from collections.abc import Mapping

from gatesolve.encodings import Space
from gatesolve.pipelines.options import Backend
from gatesolve.programs.program import Program
from gatesolve.simulate.own_sampler import OwnSampler

Counts = dict[str, int]
"""Measured bits of the space's qubits, the highest first, with the shots of each."""


def codeword_counts(space: Space, numbers: Mapping[int, int]) -> Counts:
    """Return numbered codewords and their shots as a circuit would measure them."""
    width = space.num_qubits
    return {f"{space.state(number):0{width}b}" if width else "": shots for number, shots in numbers.items()}


def sample(program: Program, backend: Backend, shots: int, seed: int) -> Counts:
    """Run a program and measure its data qubits.

    Where the program erases ANDs by measurement, its lowered circuit is run. The counts are what the program's
    ``decode`` takes; raises as `run_circuit`, `run_function` and `OwnSampler.run`.
    """
    if isinstance(backend, OwnSampler):
        return backend.run(program.lowered, shots, seed)
    if backend == "pennylane":
        from gatesolve.simulate import pennylane

        circuit = program.to_pennylane(lowered=program.lowering.measured)
        return pennylane.run_function(circuit, program.num_qubits, program.space.num_qubits, shots, seed)
    from gatesolve.simulate import aer

    # Checked before the circuit is made, which takes long for many qubits.
    aer.require_width(program.num_qubits)
    return aer.run_circuit(program.lowered if program.lowering.measured else program.circuit, shots, seed)

"""Running circuits on Qiskit Aer's state-vector simulator."""

from __future__ import annotations

import math
import os
import warnings

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, transpile

from gatesolve.errors import BackendError, DoesNotFitError

BYTES_PER_AMPLITUDE = 16
SLOW_WIDTH = 23
"""Qubits from which a run takes minutes."""


def run_circuit(circuit: QuantumCircuit, shots: int, seed: int) -> dict[str, int]:
    """Sample a measured circuit.

    Its first classical register is counted, bit 0 rightmost. Gates with a definition are unrolled; ``mcx`` is native.

    Raises:
        DoesNotFitError: the state vector exceeds this machine's memory; says how many qubits would fit.
        BackendError: Aer failed for another reason, in its own words.
    """
    from qiskit_aer import AerError, AerSimulator
    from qiskit_aer.primitives import SamplerV2

    if circuit.num_clbits == 0:
        return {"": shots}
    # One thread: on few cores Aer's own threading costs more than it brings.
    options: dict[str, str | int] = {"method": "statevector", "max_parallel_threads": 1}
    require_width(circuit.num_qubits)
    if "GPU" in AerSimulator().available_devices():
        options["device"] = "GPU"
    simulator = AerSimulator(**options)
    if circuit.num_qubits > simulator.num_qubits:
        raise refuse_width(circuit.num_qubits, simulator.num_qubits)
    # Nothing is optimised: the exported circuit itself is to be run.
    ready = transpile(circuit, simulator, optimization_level=0)
    if circuit.num_qubits >= SLOW_WIDTH:
        slow = f"Aer takes minutes or hours to simulate {circuit.num_qubits} qubits"
        warnings.warn(f"{slow}: use max_qubits=16, which makes smaller circuits, or backend='space'", stacklevel=2)
    sampler = SamplerV2(seed=seed, options={"backend_options": options})
    try:
        result = sampler.run([ready], shots=shots).result()[0]
    except AerError as error:
        text = " ".join(str(error).split())
        if "memory" in text.lower():
            raise refuse_width(circuit.num_qubits, min(largest_width(), circuit.num_qubits - 1)) from error
        raise BackendError(f"Aer failed: {text}") from error
    counts: dict[str, int] = result.data[ready.cregs[0].name].get_counts()
    return counts


def run_vector(circuit: QuantumCircuit, vector: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Return the state that a circuit of CX and one-qubit gates makes of a state of norm 1.

    The state may have further qubits, which are higher and which no gate touches.

    Raises:
        BackendError: Aer failed.
    """
    from qiskit_aer import AerSimulator
    from qiskit_aer.library import SaveStatevector, SetStatevector

    whole = QuantumCircuit(len(vector).bit_length() - 1)
    whole.append(SetStatevector(vector), whole.qubits)
    whole.compose(circuit, whole.qubits[: circuit.num_qubits], inplace=True)
    whole.append(SaveStatevector(whole.num_qubits), whole.qubits)
    # By default Aer drops small amplitudes, which would be an error in an exact result.
    simulator = AerSimulator(method="statevector", max_parallel_threads=1, zero_threshold=0.0)
    result = simulator.run(whole, shots=1).result()
    if not result.success:
        raise BackendError(f"Aer failed: {' '.join(str(result.status).split())}")
    return np.asarray(result.data(0)["statevector"], dtype=np.complex128)


def require_width(num_qubits: int) -> None:
    """Refuse what this machine's memory does not hold, before a circuit so wide is even made."""
    if num_qubits > largest_width():
        raise refuse_width(num_qubits, largest_width())


def refuse_width(num_qubits: int, most: int, simulator: str = "Aer") -> DoesNotFitError:
    """Return the refusal of a circuit that is wider than ``most`` qubits."""
    return DoesNotFitError(
        f"{num_qubits} qubits do not fit {simulator}'s state vector on this machine, {most} would: "
        "use backend='space', fewer ancillas, or encoding='table'"
    )


def largest_width() -> int:
    """Qubits whose state vector fits this machine's memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return int(math.log2(memory / BYTES_PER_AMPLITUDE))

"""Readout errors removed from counts by mthree, without an additional job.

The errors are those the backend reports for each qubit. Source: matrix-free measurement mitigation, arXiv:2108.12518.
It solves for the distribution on the strings that were measured. The result has negative shares, and is replaced by the
nearest probabilities (arXiv:1106.5458). It corrects readout only, no gates. Its shares are estimates, not samples, so
no significance test may use them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from qiskit import QuantumCircuit

from gatesolve.errors import BackendError, InputError, MissingExtraError, UnsupportedError
from gatesolve.pipelines.device import ReadoutErrors
from gatesolve.programs.measured import REGISTER

DIRECT = 4096
"""Most different strings for which the equations are solved at once, with errors of any number of bits."""
NEAR = 3
"""With more strings: most bits that may be wrong at once."""


def find_measured_qubits(circuit: QuantumCircuit) -> tuple[int, ...]:
    """Return the backend's qubit that is last measured into each bit of `REGISTER`, bit 0 first."""
    bits = next((list(r) for r in circuit.cregs if r.name == REGISTER), None)
    if bits is None:
        raise InputError(f"the circuit has no classical register {REGISTER!r}: it is what counts are read from")
    found: dict[int, int] = {}
    places = {bit: place for place, bit in enumerate(bits)}
    for instruction in circuit.data:
        if instruction.operation.name == "measure" and instruction.clbits[0] in places:
            found[places[instruction.clbits[0]]] = circuit.find_bit(instruction.qubits[0]).index
    missing = [place for place in range(len(bits)) if place not in found]
    if missing:
        raise InputError(f"nothing is measured into bit {missing[0]} of {REGISTER!r}")
    return tuple(found[place] for place in range(len(bits)))


def read_reported_errors(backend: Any, qubits: Sequence[int]) -> ReadoutErrors:
    """Return the readout errors that a backend reports of some of its qubits, without a job.

    Where it does not report both kinds of error, its target's mean of both is used.

    Raises:
        UnsupportedError: the backend reports no error of one of the qubits.
    """
    properties = backend.properties() if callable(getattr(backend, "properties", None)) else None
    target = getattr(backend, "target", None)
    measured = target["measure"] if target is not None and "measure" in target.operation_names else {}
    flips = []
    for qubit in qubits:
        mean = getattr(measured.get((qubit,)), "error", None)
        pair = _read_properties(properties, qubit) or (None if mean is None else (float(mean), float(mean)))
        if pair is None:
            raise UnsupportedError(f"the backend reports no readout error of qubit {qubit}: leave out mitigate")
        flips.append(pair)
    return ReadoutErrors(tuple(qubits), tuple(flips), "as reported by the backend")


def require_mthree() -> None:
    """Refuse now what would otherwise fail after the shots were paid for."""
    if find_spec("mthree") is None:
        raise MissingExtraError("readout mitigation needs mthree", "mitigate")


def mitigate(counts: Mapping[str, int], errors: ReadoutErrors) -> dict[str, float]:
    """Return the probability of each measured bit string, bit 0 rightmost, with readout errors undone on average.

    Cost: for s different strings s^2 numbers up to 4096 strings; beyond, s^2 operations a step of about ten.

    Raises:
        InputError: no counts, or strings of another length.
        MissingExtraError: mthree is not installed.
        BackendError: mthree failed.
    """
    if not sum(counts.values()) > 0 or min(counts.values()) < 0:
        raise InputError("there are no counts to mitigate: give shots of at least one bit string")
    width = len(errors.qubits)
    for word in counts:
        if len(word) != width or set(word) - {"0", "1"}:
            raise InputError(f"{word[:80]!r} is not a string of {width} bits: mitigate the register {REGISTER!r} alone")
    if not errors.qubits:
        return {"": 1.0}
    require_mthree()
    from mthree import M3Mitigation
    from mthree.exceptions import M3Error

    # Bits are numbered by their place: a qubit may be measured into several.
    matrices = [np.array([[1 - up, down], [up, 1 - down]], dtype=np.float32) for up, down in errors.flips]
    solver = M3Mitigation()
    solver.cals_from_matrices(matrices)
    given = {word: counts[word] for word in sorted(counts) if counts[word]}
    distance = -1 if len(given) <= DIRECT else NEAR
    bits = list(range(len(matrices)))
    try:
        quasi = solver.apply_correction(given, bits, distance=distance)
    except M3Error as error:
        text = " ".join(str(error.message).split())
        raise BackendError(f"mthree failed: {text}") from error
    near = quasi.nearest_probability_distribution()
    shares = {word: max(0.0, float(near.get(word, 0.0))) for word in given}
    total = sum(shares.values())
    return {word: share / total for word, share in shares.items() if share > 0}


def _read_properties(properties: Any, qubit: int) -> tuple[float, float] | None:
    """Return both kinds of error as last calibrated."""
    try:
        pair = [properties.qubit_property(qubit, name)[0] for name in ("prob_meas1_prep0", "prob_meas0_prep1")]
        return float(pair[0]), float(pair[1])
    except Exception:
        # Every SDK raises another error class for a missing property, and there may be no properties at all.
        return None

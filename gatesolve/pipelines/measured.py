"""What users hold after a run, as counts by basis state: counts, and what Qiskit's samplers return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from qiskit.primitives import BitArray, DataBin, PrimitiveResult, PubResult

from gatesolve.errors import InputError

REGISTER = "measured"
"""The classical register of a program's measurement."""
TAKEN = "counts by bit string, such as {'0101': 7}, or the result of one circuit from Qiskit's SamplerV2"
Measured: TypeAlias = Mapping[str, int] | PrimitiveResult[PubResult] | PubResult | DataBin | BitArray
"""What `Program.decode` takes."""


def count_states(measured: Measured, num_bits: int, joined: Callable[[], int] = int) -> dict[int, int]:
    """Shots by basis state, of a program that measures ``num_bits`` qubits.

    Args:
        measured: counts, or what a sampler returns.
        num_bits: of the register of the program's measurement.
        joined: returns how many bits all registers have together, as ``join_data()`` joins them: this one lowest.

    Raises:
        InputError: nothing of the kind, or of another circuit.
    """
    found: object = measured
    if isinstance(found, PrimitiveResult):
        if len(found) != 1:
            raise InputError(f"the result is of {len(found)} circuits: hand over one of them, such as result[0]")
        found = found[0]
    if isinstance(found, PubResult):
        found = found.data
    if isinstance(found, DataBin):
        found = _choose_register(found)
    if isinstance(found, BitArray):
        if found.num_bits != num_bits:
            if found.num_bits != joined():
                raise InputError(f"{found.num_bits} bits were measured, this circuit measures {num_bits}: see .circuit")
            found = found.slice_bits(range(num_bits))
        found = found.get_counts()
    if not isinstance(found, Mapping):
        raise InputError(f"cannot decode an object of type {type(found).__name__}: give {TAKEN}")
    states: dict[int, int] = {}
    for key, shots in found.items():
        try:
            bits = _measured_bits(key, num_bits)
            state = int(bits or "0", 2)
        except (AttributeError, ValueError):
            raise InputError(f"cannot decode {key!r:.40}: give {TAKEN}") from None
        if len(bits) != num_bits:
            raise InputError(f"{key!r:.40} has {len(bits)} bits, this circuit measures {num_bits}: see .circuit")
        number = shots.item() if isinstance(shots, np.generic) else shots  # PennyLane's
        states[state] = states.get(state, 0) + number
    return states


def _measured_bits(key: str, num_bits: int) -> str:
    """The bits of a key without spaces, or those of its last register alone: others, of erased ANDs, stand before."""
    joined, last = key.replace(" ", ""), key.rpartition(" ")[2]
    return joined if len(joined) == num_bits or len(last) != num_bits else last


def _choose_register(data: DataBin) -> object:
    """The register of the program's measurement, or the only one."""
    if REGISTER in data:
        return data[REGISTER]
    if len(data) == 1:
        return next(iter(data.values()))
    raise InputError(f"no register '{REGISTER}' among {', '.join(data) or 'none'}: measure the circuit as it is made")

"""Counts by basis state from the forms that users hold: counts, and results of Qiskit's samplers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from qiskit.primitives import BitArray, DataBin, PrimitiveResult, PubResult

from gatesolve.errors import InputError

REGISTER = "measured"
"""The classical register of a program's measurement."""
TAKEN = (
    "counts by bit string, hexadecimal text, integer or tuple of bits, such as {'0101': 7}, "
    "or the result of one circuit from Qiskit's SamplerV2"
)
Measured: TypeAlias = Mapping[Any, int] | PrimitiveResult[PubResult] | PubResult | DataBin | BitArray
"""What `Program.decode` takes, besides shares."""
_BIT = bool | np.bool_ | int | np.integer


def count_states(
    measured: Measured | Mapping[Any, float], num_bits: int, joined: Callable[[], int] = int
) -> dict[int, Any]:
    """Return shots by basis state, of a program that measures ``num_bits`` qubits; shares where shares are given.

    ``joined`` returns how many bits all registers have together, as ``join_data()`` joins them: this one lowest.

    Raises:
        InputError: nothing of the kind, or of another circuit; or a key that came a negative number of times.
    """
    found: object = measured
    if isinstance(found, PrimitiveResult):
        if len(found) != 1:
            raise InputError(f"the result is of {len(found)} circuits: hand over one of them, such as result[0]")
        found = found[0]
    if isinstance(found, PubResult):
        found = found.data
    if isinstance(found, DataBin):
        # The register of the program's measurement, or the only one.
        name = next(iter(found)) if len(found) == 1 else REGISTER
        if name not in found:
            known = ", ".join(found) or "none"
            raise InputError(f"no register '{REGISTER}' among {known}: measure the circuit as it is made")
        found = found[name]
    if isinstance(found, BitArray):
        # ``join_data`` puts this register lowest, so its bits are the first ones of the joined register.
        if found.num_bits not in (num_bits, joined()):
            raise InputError(f"{found.num_bits} bits were measured, this circuit measures {num_bits}: see .circuit")
        found = found.slice_bits(range(num_bits)).get_counts()
    if not isinstance(found, Mapping):
        raise InputError(f"cannot decode an object of type {type(found).__name__}: give {TAKEN}")
    states: dict[int, Any] = {}
    for key, shots in found.items():
        state = _read_state(key, num_bits)
        # PennyLane's counts are scalars of NumPy.
        number = shots.item() if isinstance(shots, np.generic) else shots
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < math.inf:
            raise InputError(f"{key!r:.40} has {shots!r:.40} shots: give a whole number or a share, from 0")
        states[state] = states.get(state, 0) + number
    return states


def _read_state(key: object, num_bits: int) -> int:
    width = None
    # Classical bit 0 is rightmost in a text of bits, lowest in a number, and first in a tuple.
    if isinstance(key, str) and re.fullmatch("[01 ]*", key):
        # Qiskit writes later registers further left: those of erased ANDs stand before.
        bits, last = key.replace(" ", ""), key.rpartition(" ")[2]
        if len(bits) != num_bits and len(last) == num_bits:
            bits = last
        width, state = len(bits), int(bits or "0", 2)
    elif isinstance(key, str) and re.fullmatch("0[xX][0-9a-fA-F]+", key):
        state = int(key, 16)
    elif isinstance(key, int | np.integer) and not isinstance(key, bool):
        state = int(key)
    elif isinstance(key, tuple) and all(isinstance(bit, _BIT) and bit in (0, 1) for bit in key):
        width, state = len(key), sum(int(bit) << place for place, bit in enumerate(key))
    else:
        raise InputError(f"cannot decode {key!r:.40}: give {TAKEN}")
    if width not in (None, num_bits):
        raise InputError(f"{key!r:.40} has {width} bits, this circuit measures {num_bits}: see .circuit")
    if not 0 <= state < 1 << num_bits:
        raise InputError(f"{key!r:.40} is no state of the {num_bits} bits that this circuit measures: see .circuit")
    return state

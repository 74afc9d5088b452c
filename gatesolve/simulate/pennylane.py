"""Running quantum functions on PennyLane's state-vector simulators."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from gatesolve.errors import BackendError
from gatesolve.simulate.aer import largest_width, refuse_width

STATES = {"lightning.qubit": 1, "default.qubit": 3}
"""Simulators, the faster first, and how many state vectors each holds at its peak, as measured."""
SHOTS_AT_ONCE = 1_000_000
"""PennyLane keeps every sample of a run: about 200 bytes each, for 10 qubits."""


def run_function(circuit: Callable[[], None], num_qubits: int, bits: int, shots: int, seed: int) -> dict[str, int]:
    """Sample the first wires of a quantum function on ``lightning.qubit``, or ``default.qubit`` if that is not there.

    ``bits`` wires are measured at the end, wire 0 rightmost in the counts. The circuit may also queue measurements and
    use their outcomes.

    Raises:
        ImportError: PennyLane is not installed.
        DoesNotFitError: the state vector exceeds this machine's memory; says how many qubits would fit.
        BackendError: the simulator failed for another reason, in its own words.
    """
    import pennylane as qml

    if bits == 0:
        return {"": shots}
    name = next(name for name in STATES if name in qml.plugin_devices)
    most = largest_width() - _doublings(STATES[name])
    if num_qubits > most:
        raise refuse_width(num_qubits, most, "PennyLane")

    def sampled() -> Any:
        circuit()
        # The wire named first stands leftmost.
        return qml.counts(wires=range(bits)[::-1])

    counts: Counter[str] = Counter()
    try:
        device = qml.device(name, wires=num_qubits, seed=seed)
        node = qml.QNode(sampled, device, diff_method=None, mcm_method=_erasing(qml, circuit, most - num_qubits))
        # The device draws on from one seed, so the parts are not copies of each other.
        for done in range(0, shots, SHOTS_AT_ONCE):
            found = qml.set_shots(node, min(SHOTS_AT_ONCE, shots - done))()
            counts.update({str(key): int(times) for key, times in found.items()})
    except MemoryError as error:
        raise refuse_width(num_qubits, num_qubits - 1, "PennyLane") from error
    except (qml.exceptions.DeviceError, RuntimeError) as error:
        raise BackendError(f"PennyLane failed: {' '.join(str(error).split())}") from error
    return dict(counts)


def _erasing(qml: Any, circuit: Callable[[], None], spare: int) -> str | None:
    """How to follow measurements in the circuit: with a state vector for each, if so many fit; else shot by shot."""
    with qml.queuing.AnnotatedQueue() as queue:
        circuit()
    measurements = sum(isinstance(op, qml.ops.MidMeasure) for op in queue.queue)
    if measurements == 0:
        return None
    return "tree-traversal" if _doublings(measurements + 1) <= spare else "one-shot"


def _doublings(states: int) -> int:
    return math.ceil(math.log2(states))

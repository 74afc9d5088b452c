"""Checking what was compiled: the oracle on codewords, the lowered oracle on some of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.circuit import Certificate, PhaseCheck, certify
from gatesolve.encodings import Space
from gatesolve.encodings.slices import list_slices
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Model
from gatesolve.oracle import Oracle
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.options import SPACE_LIMIT
from gatesolve.simulate.branches import check_branches

LOWERED_SAMPLE = 16
"""Codewords, and marked codewords, on which the lowered oracle is compared."""
SAMPLE_SIZE = 1 << 16
"""Codewords drawn for a certificate above the limit."""


def certify_oracle(check: PhaseCheck, seed: int, clock: Clock) -> tuple[Certificate, NDArray[np.bool_] | None]:
    """Run the oracle on every codeword of a space that is simulated, on a sample of a larger one."""
    with clock.stage("certificate") as report:
        return certify(check, SPACE_LIMIT if check.size <= SPACE_LIMIT else SAMPLE_SIZE, seed, report)


def check_lowered(
    check: PhaseCheck,
    lowered: QuantumCircuit,
    marks: NDArray[np.bool_] | None,
    seed: int,
    expected: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None,
) -> int:
    """Simulate the lowered oracle exactly on some codewords, marked ones among them, against the reversible one.

    Where ``check`` has operations that are no basis-state maps, ``expected`` tells the marks of numbered codewords.
    Where the lowered circuit measures, several sequences of outcomes are followed. Returns how many codewords were
    compared; none if the lowered circuit's states are too wide to follow.

    Raises:
        CertificateError: some phase differs.
    """
    draw = np.random.default_rng(seed)
    numbers = draw.integers(0, min(check.size, 2**63 - 1), size=min(LOWERED_SAMPLE, check.size))
    if marks is not None:
        numbers = np.concatenate([numbers, np.flatnonzero(marks)[:LOWERED_SAMPLE]])
    numbers = np.unique(numbers)
    bits = np.zeros((lowered.num_qubits, len(numbers)), dtype=bool)
    bits[: check.num_data] = check.bits(numbers)
    try:
        check_branches(lowered, bits, (expected or check.marks)(numbers), seed)
    except DoesNotFitError:
        return 0
    return len(numbers)


def phase_check(model: Model, space: Space, oracle: Oracle) -> PhaseCheck:
    """The oracle with the model's predicate on the space's codewords."""

    def predicate(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.broadcast_to(model.holds(space.values(numbers)), numbers.shape)

    slices = partial(list_slices, model, space)
    return PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits, predicate, slices)

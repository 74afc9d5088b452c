"""An XOR oracle for any function of bits: its value onto target qubits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from qiskit import QuantumCircuit

from gatesolve.circuit.counting import Resources
from gatesolve.circuit.lowering import GateSet
from gatesolve.errors import DoesNotFitError, InputError, refuses_renamed
from gatesolve.functions.function import MOST_VARIABLES, Function, read_outputs
from gatesolve.functions.phase_oracle import (
    FunctionMetric,
    Measured,
    check_numbers,
    choose,
    measure_candidates,
    need_candidates,
    settle_metric,
)
from gatesolve.functions.xors import exact_candidates, relative_candidates
from gatesolve.simulate.certificate import Certificate, CertificateError
from gatesolve.simulate.product import follow_states

CHECKED = 1 << 16
"""Inputs on which the lowered circuit is run at most; of more, so many are drawn."""
CHUNK = 1 << 12
"""Inputs run side by side."""
NEAR = 1e-6


@dataclass(frozen=True)
class XorOracle:
    """A verified XOR oracle.

    Attributes:
        circuit: bit k of the input on qubit k, then the targets, lowest digit first, then ancillas, zero on entry and
            exit.
        resources: measured on ``circuit``.
        certificate: how it was checked.
        method: how it was built.
        names: of the bits, bit 0 first.
        num_targets: digits of the function's value.
        num_ancillas: clean ancillas used.
    """

    circuit: QuantumCircuit
    resources: Resources
    certificate: Certificate
    method: str
    names: tuple[str, ...]
    num_targets: int
    num_ancillas: int


@refuses_renamed
def xor_oracle(
    function: object,
    *,
    num_qubits: int | None = None,
    relative_phase: bool = False,
    ancillas: int | None = None,
    optimize: FunctionMetric = "cx",
    gates: GateSet = "cx+u",
) -> XorOracle:
    """Build a circuit that takes ``|x>|y>|0>`` to ``|x>|y XOR f(x)>|0>``.

    Args:
        function: what `phase_oracle` takes, of one target; or a table of whole numbers from 0, or a Python function
            that gives one, such as ``int.bit_count``, or a tuple of bits: a target for each digit, lowest first.
            Exceptions of its own pass through.
        num_qubits: bits of the input, for a callable of one integer; checked otherwise.
        relative_phase: the targets are zero before, and each input may gain a phase of its own. Fewer gates, and the
            inverse of the circuit takes the phases back: for values that are computed, read and uncomputed.
        ancillas: most clean ancillas; None for as many as help.
        optimize: what is compared after lowering: ``cx``, ``t`` (or Toffoli gates, by the gate set) or ``depth``.
        gates: the gate set, one of `GATE_SETS`.

    Returns:
        The circuit, up to a global phase, and its certificate: the lowered circuit was run on every input (and every
        value of the targets); where these are more than 2^16, on a drawn sample of 2^16 alone.

    Raises:
        InputError: not a function in one of these forms, or an option that is not offered.
        DoesNotFitError: more than 20 bits or 20 targets, or of both together where no network of ANDs is known.
        AncillaBudgetError: no method does with so few ancillas in this gate set.

    Cost: methods and their bounds in docs/phase_oracle.md; a truth table of 2^n is always built.
    """
    metric = settle_metric(optimize, gates)
    check_numbers({"ancillas": ancillas})
    if not isinstance(relative_phase, bool):
        raise InputError(f"relative_phase is {relative_phase!r}: give True or False")
    outputs = read_outputs(function, num_qubits)
    bits, width = outputs[0].num_bits, outputs[0].num_bits + len(outputs)
    found = list[Measured]()
    for some in relative_candidates(outputs, ancillas, gates) if relative_phase else ():
        found += measure_candidates(width, some, metric, gates)
    offers = list(exact_candidates(outputs, ancillas))  # they do for a relative phase too, and may be cheaper
    found += measure_candidates(width, offers, metric, gates, range(bits, width))
    if not found and width > MOST_VARIABLES:
        targets, mend = "1 target", "take fewer bits"
        if len(outputs) > 1:
            targets, mend = f"{len(outputs)} targets", f"{mend}, or split the targets over several calls"
        raise DoesNotFitError(f"{bits} bits and {targets} are too many: at most {MOST_VARIABLES} fit together; {mend}")
    need_candidates(found, ancillas, gates)
    candidate, circuit, resources = choose(found, metric)
    certificate = _certify(circuit, outputs, relative_phase)
    names = outputs[0].names
    return XorOracle(circuit, resources, certificate, candidate.method, names, len(outputs), candidate.num_ancillas)


def _certify(circuit: QuantumCircuit, outputs: tuple[Function, ...], relative_phase: bool) -> Certificate:
    """Run the circuit on every input, or drawn ones.

    Up to phases, from zero targets to the values. An exact one between H on the targets, where it is the phase of all
    targets with their functions: that is far easier to follow.
    """
    bits, width = outputs[0].num_bits, outputs[0].num_bits + len(outputs)
    size = 1 << (bits if relative_phase else width)
    chosen = np.arange(size) if size <= CHECKED else np.random.default_rng(0).choice(size, CHECKED, replace=False)
    around = QuantumCircuit(circuit.num_qubits)
    if not relative_phase:
        around.h(range(bits, width))
    whole = around.compose(circuit).compose(around)
    first: complex | None = None
    for numbers in np.array_split(chosen, -(-len(chosen) // CHUNK)):
        before = np.zeros((circuit.num_qubits, len(numbers)), dtype=bool)
        before[:width] = numbers >> np.arange(width)[:, None] & 1
        values = np.array([one.table[numbers & (1 << bits) - 1] for one in outputs])
        after, signs = before.copy(), 1 - 2.0 * np.logical_xor.reduce(values & before[bits:width])
        if relative_phase:
            after[bits:width] ^= values
        phases = follow_states(whole, before, after, NEAR)
        first = first if phases is None or first is not None else complex(phases[0] * signs[0])
        if phases is None or not (relative_phase or np.allclose(phases * signs, first or 0, rtol=0, atol=NEAR)):
            raise CertificateError("the XOR oracle differs from the function: please report this as a bug")
    method = "every input" if len(chosen) == size else "sample, seed 0"
    return Certificate(len(chosen), size, True, method, None, len(chosen))

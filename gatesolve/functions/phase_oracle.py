"""A phase oracle for any Boolean function; by rotations alone also a phase of any angle, which may be left open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import ParameterExpression

from gatesolve.circuit import Gate
from gatesolve.circuit.counting import Resources, count
from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering import GATE_SETS, GateSet, lower
from gatesolve.circuit.lowering.lower import build_general, build_merged, emit, merge_general
from gatesolve.errors import AncillaBudgetError, DoesNotFitError, InputError, refuses_renamed
from gatesolve.functions import Function, PhaseCandidate, bits_of, make_candidates, read_function
from gatesolve.functions.methods import MOST_QUBITS, angles, rotations
from gatesolve.oracle.parity_network import phase_network, turned_network
from gatesolve.simulate.certificate import Certificate, CertificateError, PhaseCheck, certify
from gatesolve.simulate.product import follow_states, product_phases

CHECKED = 1.0, math.sqrt(2)
"""Angles at which a circuit is run: sums of parities that are right at both, up to whole turns, are right at any."""
UNIT = 1 / 16
"""The angle with which gates are merged: so small that no rotation is a whole turn."""
MOST_PARITIES = 64
"""Up to which a network of CX is searched for them, beside Gray-code order."""
Turned = tuple[str, tuple[int, ...], tuple[tuple[float, float], ...] | None]
"""A gate on two qubits, or a ``u`` whose angles are each a constant and a multiple of the angle."""
FunctionMetric = Literal["cx", "t", "depth"]
METRICS: tuple[str, ...] = get_args(FunctionMetric)
LOWERED_INPUTS = 1 << 12
"""Inputs on which the lowered circuit itself is simulated, after its operations were run on all of them."""
FINALISTS = 4
"""Candidates that are lowered and measured at most; the others are dropped by their CX before lowering."""
MARGIN = {"cx": 1.25, "t": 1.25, "depth": 2.5}
"""How many times the CX of the cheapest, before lowering, a candidate may have to be worth lowering."""
LARGE = {"cx": 400, "t": 400, "depth": 1500}
"""CX above which only the cheapest is lowered, as lowering is what takes long."""
Measured = tuple[PhaseCandidate, QuantumCircuit, Resources]
PARTIAL = PhaseCandidate("rotations", 0)
"""How phases other than pi are made."""


def partial_phases(target: Function, angle: Any, gates: GateSet) -> list[QuantumCircuit]:
    """Circuits with phase ``exp(i angle)`` where the function is true, up to a global phase, each checked.

    ``gates`` is a gate set with rotations.

    Raises:
        DoesNotFitError: more than `MOST_QUBITS` bits.
        CertificateError: a circuit is wrong.

    Cost: at most 2^n - 2 CX and no ancillas.
    """
    if target.num_bits > MOST_QUBITS:
        raise DoesNotFitError(
            f"{target.num_bits} bits are too many for a phase other than pi, which takes up to {MOST_QUBITS}: "
            "compute the function with xor_oracle, put the phase on its target, and take the inverse"
        )
    coefficient = angles(target.table)
    masks = [int(mask) for mask in np.flatnonzero(abs(coefficient) > 1e-12)]
    orders: list[list[LowGate]] = [rotations(target.table)]
    if len(masks) <= MOST_PARITIES:
        turns = {mask: float(coefficient[mask]) / 2 for mask in masks}
        orders.append(list(emit(turned_network(phase_network(masks), turns))))
    found = []
    for order in orders:
        merged = _merge_turns(order, gates)
        for value in CHECKED:
            _check(target, _build(merged, target.num_bits, value), value)
        found.append(_build(merged, target.num_bits, angle))
    return found


def _merge_turns(order: Sequence[LowGate], gates: GateSet) -> list[Turned]:
    """Merge gates whose turns are multiples of the angle."""
    # Merging needs numbers. Merged angles are linear in the small angle, so two values determine the line.
    once, twice = (
        merge_general([(name, qubits, turn / math.pi * small) for name, qubits, turn in order], gates)
        for small in (UNIT, 2 * UNIT)
    )
    return [
        (name, qubits, None if one is None or two is None else tuple(map(_find_line, one, two)))
        for (name, qubits, one), (_, _, two) in zip(once, twice, strict=True)
    ]


def _find_line(one: float, two: float) -> tuple[float, float]:
    """Return a constant, a multiple of pi/2, and the factor of the angle, a multiple of 2^-11."""
    # A multiple of 2^-11 has 11 decimals, so that rounding to as many makes it exact.
    multiple = round(math.remainder(two - one, 2 * math.pi) / UNIT, 11)
    return round((one - multiple * UNIT) / (math.pi / 2)) * math.pi / 2, multiple


def _build(merged: Sequence[Turned], num_bits: int, angle: Any) -> QuantumCircuit:
    return build_merged(
        (
            (name, qubits, None if lines is None else [c + m * angle if m else c for c, m in lines])
            for name, qubits, lines in merged
        ),
        num_bits,
    )


def _check(target: Function, circuit: QuantumCircuit, angle: float) -> None:
    phases = product_phases(circuit, bits_of(target.num_bits))
    wanted = np.exp(1j * angle * target.table)
    # Both sides are relative to input 0, so that a global phase does not count.
    if phases is None or not np.allclose(phases * np.conj(phases[0] * wanted), np.conj(wanted[0]), rtol=0, atol=1e-8):
        raise CertificateError("the phase differs from the function's: please report this as a bug")


@dataclass(frozen=True)
class FunctionOracle:
    """A verified oracle of a function.

    Attributes:
        circuit: bit k of the input on qubit k (little-endian), then the targets of an XOR oracle, lowest digit first,
            then ancillas, zero on entry and exit.
        resources: measured on ``circuit``.
        certificate: how it was checked.
        method: how it was built.
        names: of the bits, bit 0 first.
        num_ancillas: clean ancillas used.
    """

    circuit: QuantumCircuit
    resources: Resources
    certificate: Certificate
    method: str
    names: tuple[str, ...]
    num_ancillas: int


class PhaseOracle(FunctionOracle):
    """A verified phase oracle."""


@refuses_renamed
def phase_oracle(
    function: object,
    *,
    angle: Any = math.pi,
    num_qubits: int | None = None,
    care: object = None,
    ancillas: int | None = None,
    max_qubits: int | None = None,
    max_depth: int | None = None,
    optimize: FunctionMetric = "cx",
    gates: GateSet = "cx+u",
    effort: int = 1,
    seed: int = 1,
) -> PhaseOracle:
    """Build a circuit with phase -1, or ``exp(i angle)``, on exactly the inputs where ``function`` is true.

    Args:
        function: an expression such as ``"(a & ~b) ^ c"`` (bits in order of appearance), DIMACS CNF text, a truth table
            of length 2^n (entry i is the input whose bit k is bit k of i), a bitmap ``rows[y][x]`` (x is the low
            bits, y the high ones), a Python function of n bits, or one of an integer.
        angle: of the phase; other than pi a number or a Qiskit parameter, by rotations alone, for up to 12 bits.
        num_qubits: n for a callable of one integer; checked otherwise.
        care: a table or bitmap like the function's; False where the phase does not matter.
        ancillas: most clean ancillas; None for as many as help.
        max_qubits: most qubits, those of the input included.
        max_depth: most layers of the lowered circuit.
        optimize: what is compared after lowering: ``cx``, ``t`` (or Toffoli gates, by the gate set) or ``depth``.
        gates: the gate set, one of `GATE_SETS`.
        effort: how many times as long to search where a method searches.
        seed: of that search; the same arguments give the same circuit.

    Returns:
        The circuit, up to a global phase, with ancillas zero before and after, and its certificate: run on every
        input as reversible operations, and simulated after lowering on every input (up to 2^12 of them).

    Raises:
        InputError: not a boolean function in one of these forms, or an option that is not offered.
        DoesNotFitError: more than 20 bits, or no circuit found within ``max_qubits`` or ``max_depth``.
        AncillaBudgetError: no method does with so few ancillas in this gate set.

    Cost: methods and their bounds in docs/functions.md; a truth table of 2^n is always built.
    """
    metric, angle = settle_metric(optimize, gates), _read_angle(angle, gates)
    limits = {"ancillas": ancillas, "max_qubits": max_qubits, "max_depth": max_depth}
    check_numbers({**limits, "effort": effort, "seed": seed})
    target = read_function(function, num_qubits, care)
    spare = _limit_ancillas(target.num_bits, ancillas, max_qubits)
    if angle != math.pi:
        found = [(PARTIAL, circuit, count(circuit, gates)) for circuit in partial_phases(target, angle, gates)]
    else:
        offers = list(make_candidates(target, spare, effort, seed, metric == "cx" and max_depth is None))
        found = need_candidates(measure_candidates(target.num_bits, offers, metric, gates), spare, gates)
        if max_depth is not None and min(one[2].depth for one in found) > max_depth:
            found += measure_candidates(target.num_bits, offers, "depth", gates)
    found = _within_depth(found, max_depth, spare)
    candidate, circuit, resources = choose(found, metric)
    certificate = _certify(target, candidate, circuit)
    if target.table.all():
        circuit.global_phase = angle
    return PhaseOracle(circuit, resources, certificate, candidate.method, target.names, candidate.num_ancillas)


def need_candidates(found: list[Measured], spare: int | None, gates: GateSet) -> list[Measured]:
    """Return the candidates; raise where there are none."""
    if not found:
        raise AncillaBudgetError(
            f"no method does with {spare} ancillas in {gates}: allow 1 or more, or use gates='cx+u'", least=1
        )
    return found


def choose(found: list[Measured], metric: FunctionMetric) -> Measured:
    """Return the best candidate by the metric, then by depth or CX, then by qubits."""
    first = "toffoli" if metric == "t" and found[0][2].toffoli is not None else metric
    second = "depth" if metric == "cx" else "cx"
    return min(found, key=lambda one: (getattr(one[2], first), getattr(one[2], second), one[2].qubits))


def _read_angle(angle: object, gates: GateSet) -> float | ParameterExpression:
    """The angle, pi itself for an odd multiple of pi."""
    if isinstance(angle, ParameterExpression):
        # At an arbitrary value, a complex expression is not real by chance.
        if not angle.bind(dict.fromkeys(angle.parameters, 0.7345)).is_real():
            raise InputError(f"angle must be real, not {angle}")
        found = angle if angle.parameters else float(angle)
    elif isinstance(angle, bool) or not isinstance(angle, Real):
        raise InputError(f"angle must be a number or a Qiskit parameter, not {angle!r:.60}")
    else:
        try:
            found = float(angle)
        except OverflowError:
            found = math.inf
    # An odd multiple of pi is as exact as floats allow; any error below 1e-12 is rounding.
    if isinstance(found, float):
        if not math.isfinite(found):
            raise InputError(f"angle must be finite, and within the range of a float, not {angle!r:.60}")
        if math.isclose(abs(math.remainder(found, 2 * math.pi)), math.pi, rel_tol=0, abs_tol=1e-12):
            return math.pi
    if not GATE_SETS[gates].has_rotations:
        raise InputError("a phase other than pi takes rotations of any angle: use gates='cx+u'")
    return found


def _limit_ancillas(num_bits: int, ancillas: int | None, max_qubits: int | None) -> int | None:
    if max_qubits is None:
        return ancillas
    if max_qubits < num_bits:
        raise DoesNotFitError(f"an input of {num_bits} bits does not fit on {max_qubits} qubits: max_qubits={num_bits}")
    return max_qubits - num_bits if ancillas is None else min(ancillas, max_qubits - num_bits)


def _within_depth(found: list[Measured], max_depth: int | None, spare: int | None) -> list[Measured]:
    if max_depth is None:
        return found
    fitting = [one for one in found if one[2].depth <= max_depth]
    if not fitting:
        least = min((one[2] for one in found), key=lambda resources: resources.depth)
        more = "" if spare is None else ", or allow more qubits or ancillas"
        raise DoesNotFitError(
            f"no circuit found within depth {max_depth}: the shallowest has depth {least.depth} on {least.qubits} "
            f"qubits, so a max_depth of {least.depth} would do{more}"
        )
    return fitting


def settle_metric(metric: FunctionMetric, gates: GateSet) -> FunctionMetric:
    """Return the metric, ``t`` in place of ``cx`` for Toffoli gates; refuse unknown names."""
    if metric not in METRICS:
        raise InputError(f"unknown metric '{metric}': use {', '.join(METRICS)}")
    if gates not in GATE_SETS:
        raise InputError(f"unknown gate set '{gates}': use {', '.join(GATE_SETS)}")
    if metric == "t" and GATE_SETS[gates].has_rotations:
        raise InputError(
            "T gates are counted in clifford+t and Toffoli gates in clifford+toffoli: use one of these as gates"
        )
    return "t" if metric == "cx" and GATE_SETS[gates].has_toffoli else metric


def check_numbers(numbers: dict[str, object]) -> None:
    """Whole numbers, from 1 for some; None for no limit."""
    for name, value in numbers.items():
        least = 1 if name in {"effort", "max_qubits"} else 0
        if value is None and name not in {"effort", "seed"}:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise InputError(f"{name} must be a whole number from {least}, not {value!r}")


def measure_candidates(
    width: int, offers: list[PhaseCandidate], metric: FunctionMetric, gates: GateSet, turned: Sequence[int] = ()
) -> list[Measured]:
    """The most promising candidates, lowered between H on the wires ``turned``; ``width`` without ancillas."""
    ranked = sorted(offers, key=lambda c: c.estimate)
    limit = MARGIN[metric] * (ranked[0].estimate if ranked else 0)
    found: list[Measured] = []
    for candidate in ranked[:FINALISTS]:
        # At least one candidate is always lowered, however large it is.
        if found and (candidate.estimate > limit or candidate.estimate > LARGE[metric]):
            break
        circuit = _lower(candidate, width + candidate.num_ancillas, metric, gates, turned)
        if circuit is not None:
            found.append((candidate, circuit, count(circuit, gates)))
    return found


def _lower(
    candidate: PhaseCandidate, width: int, metric: FunctionMetric, gates: GateSet, turned: Sequence[int]
) -> QuantumCircuit | None:
    """The candidate in the gate set, between H; None if it has no exact circuit there."""
    turns = [Gate("h", (wire,)) for wire in turned]
    if candidate.ops is not None:
        try:
            return lower((*turns, *candidate.ops, *turns), width, gates, metric)
        except DoesNotFitError:
            return None
    if not GATE_SETS[gates].has_rotations:
        return None
    around: list[LowGate] = [("h", (wire,), 0.0) for wire in turned]
    return build_general([*around, *candidate.rotations, *around], width, gates)


def _certify(target: Function, candidate: PhaseCandidate, circuit: QuantumCircuit) -> Certificate:
    """Run the operations on every input and the lowered circuit on every input or a sample."""
    size = target.table.size
    if candidate is PARTIAL:  # checked where it was made
        return Certificate(size, size, True, "every input", int(target.table.sum()), size)
    bits = bits_of(target.num_bits)
    care = np.ones(size, dtype=bool) if target.care is None else target.care
    everything = size <= LOWERED_INPUTS or candidate.ops is None
    # Rotations have no operations to run first, so their circuit itself is simulated on every input.
    chosen = np.arange(size) if everything else np.random.default_rng(0).choice(size, LOWERED_INPUTS, replace=False)
    _check_lowered(circuit, bits[:, chosen], (target.table & care)[chosen], care[chosen])
    marked = int((target.table & care).sum())
    if candidate.ops is None:
        return Certificate(size, size, True, "every input", marked, len(chosen))
    order = np.flatnonzero(care)
    check = PhaseCheck(
        ops=candidate.ops,
        num_data=target.num_bits,
        num_qubits=circuit.num_qubits,
        size=len(order),
        bits=lambda numbers: bits[:, order[numbers]],
        predicate=lambda numbers: target.table[order[numbers]],
    )
    certify(check, limit=max(len(order), 1), seed=0)
    return Certificate(len(order), len(order), True, "every input", marked, len(chosen))


def _check_lowered(
    circuit: QuantumCircuit, bits: NDArray[np.bool_], marked: NDArray[np.bool_], care: NDArray[np.bool_]
) -> None:
    """Compare the circuit's phases with the function's, up to one global phase."""
    inputs = np.zeros((circuit.num_qubits, bits.shape[1]), dtype=bool)
    inputs[: len(bits)] = bits
    phases = follow_states(circuit, inputs, inputs, 1e-9)
    wrong = phases is None
    if phases is not None and care.any():
        ratio = phases[care] * np.where(marked, -1.0, 1.0)[care]
        wrong = not np.allclose(ratio, ratio[0], rtol=0, atol=1e-8) or not math.isclose(abs(ratio[0]), 1, abs_tol=1e-8)
    if wrong:
        raise CertificateError("the lowered oracle differs from the function: please report this as a bug")

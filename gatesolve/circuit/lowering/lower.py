"""Lowering: reversible operations to a circuit in a stated gate set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import Gate as QiskitGate
from qiskit.circuit.library import UGate, get_standard_gate_name_mapping
from qiskit.synthesis import gridsynth_rz, synth_mcx_noaux_hp24, synth_mcx_noaux_sp22

from gatesolve.circuit.collection import collect_rarely
from gatesolve.circuit.cost import count_cx, count_t, count_toffoli
from gatesolve.circuit.gates import INVERSE_NAMES, TURNS, LowGate, count_eighths, drop_turns
from gatesolve.circuit.lowering.measured.plan import settle_phases
from gatesolve.circuit.lowering.passes.euler import Merged, merge_rotations
from gatesolve.circuit.lowering.passes.peephole import cancel_gates
from gatesolve.circuit.lowering.passes.phase_folding import phase_gates
from gatesolve.circuit.lowering.rules.mcz import expand_mcz
from gatesolve.circuit.lowering.target import PLAIN, LoweringTarget, check_metric
from gatesolve.circuit.ops import Op, emit_gates
from gatesolve.errors import DoesNotFitError
from gatesolve.gate_sets import GATE_SETS, GateSet, Metric

ROTATION_ERROR = 1e-10
"""Operator-norm error usually allowed for each rotation that Clifford+T cannot express."""
MOST_T = 23
"""T gates of the words that are found by their probability of zero."""
MOST_LISTED = 12
"""T gates of words whose ends are listed."""
Word = tuple[str, ...]
"""Gate names in circuit order."""
LINEAR = 28
"""Controls from which, without ancillas, a construction of linearly many CX takes fewer than one of least depth."""
_GATES: dict[str, QiskitGate] = get_standard_gate_name_mapping()
_FIXED = ("h", "x", "z", "s", "sdg", "t", "tdg", "cx", "ccx")


class RotationWords(NamedTuple):
    """Chosen words of rotations about Z with their angles, and the operator-norm error of those of other angles."""

    error: float = ROTATION_ERROR
    chosen: tuple[tuple[float, Word], ...] = ()

    def find(self, angle: float) -> Word:
        """Return the chosen word of an angle, else Ross-Selinger's."""
        found = next((word for known, word in self.chosen if known == angle), None)
        return approximate_rotation(angle, self.error) if found is None else found


USUAL = RotationWords()


def emit(ops: Iterable[Op], aim: LoweringTarget = PLAIN) -> Iterator[LowGate]:
    """Yield gates for ``ops``, multi-controlled ones by the best rule for ``aim`` (see `emit_gates`)."""
    return emit_gates(ops, aim, expand_mcz)


def lower(
    ops: Iterable[Op], num_qubits: int, gates: GateSet = "cx+u", metric: Metric = "cx", words: RotationWords = USUAL
) -> QuantumCircuit:
    """Lower operations to a gate set.

    Args:
        ops: the program's operations; ancillas named as clean must be zero there.
        num_qubits: width of the circuit.
        gates: the gate set, one of `GATE_SETS`. In ``clifford+t`` rotations without an exact form are approximated
            (Ross and Selinger, arXiv:1403.2975) by ``words``. In ``clifford+toffoli`` an AND is
            one ccx, a phase on n > 2 qubits 2 n - 5 with a clean ancilla, 4 n - 12 with a borrowed one from n = 4 on.
        metric: by what the rule for each multi-controlled gate is chosen: ``cx``, ``t``, ``depth``, ``t_depth``
            or ``qubits``. Its ancillas are those lent to it, and every qubit outside the gate can be borrowed.
        words: of rotations that Clifford+T cannot express.

    Returns:
        A circuit over ``num_qubits`` qubits without classical bits, equal to ``ops`` up to a global phase
        (and the rotation error).

    Raises:
        InputError: unknown metric.
        DoesNotFitError: a multi-controlled gate spans every qubit and the gate set has no rotations; or a rotation
            has no exact form in ``clifford+toffoli``, which has those by multiples of pi/2.
    """
    settled = settle_phases(ops, num_qubits, ()) if GATE_SETS[gates].has_toffoli else ops
    return lower_settled(settled, num_qubits, gates, metric, words)


def lower_settled(
    ops: Iterable[Op], num_qubits: int, gates: GateSet, metric: Metric, words: RotationWords = USUAL
) -> QuantumCircuit:
    """Lower operations whose ANDs, in ``clifford+toffoli``, have no relative phases any more (`settle_phases`)."""
    with collect_rarely():
        low = _emit_all(ops, num_qubits, gates, metric)
        if not GATE_SETS[gates].has_rotations:
            made = cancel_gates(_exact_rotations(low, gates, words))
            if not GATE_SETS[gates].has_t and any(name in {"t", "tdg"} for name, _, _ in made):
                raise DoesNotFitError(_no_rotation(math.pi / 4))
            return build(made, num_qubits)
        return build_general(cancel_gates(low, is_ordered_later=True), num_qubits, gates)


def reduce_gates(ops: Iterable[Op], num_qubits: int, gates: GateSet, metric: Metric) -> list[LowGate]:
    """Return gates for operations after all passes but the last, of a gate set with rotations.

    `build_general` makes them what `lower` returns; they can be followed by other operations before that. Arguments are
    those of `lower`.
    """
    with collect_rarely():
        return cancel_gates(_emit_all(ops, num_qubits, gates, metric), is_ordered_later=True)


def emit_circuit(ops: Iterable[Op], num_qubits: int, gates: GateSet = "cx+u", metric: Metric = "cx") -> QuantumCircuit:
    """Return CX and named one-qubit gates for operations, before the passes of `lower` that cancel and reorder gates.

    Quick, with at least as many CX; one-qubit gates are not in the gate set yet. Args and raises: as `lower`.
    """
    return build(_emit_all(ops, num_qubits, gates, metric), num_qubits)


def count_words(ops: Iterable[Op], num_qubits: int, gates: GateSet = "clifford+t", metric: Metric = "cx") -> int:
    """Return how many rotations of a circuit are approximated in a gate set; 0 where it has them all.

    Args and raises: as `lower`.
    """
    if not GATE_SETS[gates].has_t:
        return 0
    low = _exact_rotations(_emit_all(ops, num_qubits, gates, metric), gates, None)
    return sum(name == "p" for name, _, _ in low)


def estimate_cx(ops: Iterable[Op], num_qubits: int) -> int:
    """Return the CX after the short passes: close to the count of `lower`, in a fraction of the time.

    Args: as `lower`.
    """
    low = _emit_all(ops, num_qubits, "cx+u", "cx")
    return sum(name == "cx" for name, _, _ in cancel_gates(low, is_ordered_later=True, large=0))


def build(gates: Iterable[LowGate], num_qubits: int) -> QuantumCircuit:
    """Return the gates as a Qiskit circuit, unchanged."""
    circuit = QuantumCircuit(num_qubits)
    for name, qubits, angle in gates:
        if name in _FIXED:
            # The method is twice as fast as appending an instruction object.
            getattr(circuit, name)(*qubits)
        else:
            circuit.append(type(_GATES[name])(angle), qubits, copy=False)
    return circuit


def build_general(low: Iterable[LowGate], num_qubits: int, gates: GateSet) -> QuantumCircuit:
    """Return CX and one-qubit gates as a circuit of ``u`` and the gate set's gate on two qubits."""
    return build_merged(merge_general(low, gates), num_qubits)


def merge_general(low: Iterable[LowGate], gates: GateSet) -> list[Merged]:
    """Return CX and one-qubit gates as few ``u`` and the gate set's gate on two qubits."""
    written = GATE_SETS[gates].cx
    return merge_rotations(
        (name, tuple(gate[1][place] for place in places), gate[2])
        for gate in low
        for name, places in (written if gate[0] == "cx" else [(gate[0], range(len(gate[1])))])
    )


def build_merged(
    merged: Iterable[tuple[str, tuple[int, ...], Sequence[Any] | None]], num_qubits: int
) -> QuantumCircuit:
    """Return merged gates as a Qiskit circuit; angles may be parameters."""
    circuit = QuantumCircuit(num_qubits)
    for name, qubits, angles in merged:
        circuit.append(_GATES[name] if angles is None else UGate(*angles), qubits, copy=False)
    return circuit


def _emit_all(ops: Iterable[Op], num_qubits: int, gates: GateSet, metric: Metric) -> Iterator[LowGate]:
    """Yield gates for ``ops``, including multi-controlled gates without any spare qubit."""
    for name, qubits, angle in emit(ops, LoweringTarget(check_metric(metric), gates, num_qubits)):
        if name != "mcz_noaux":
            yield name, qubits, angle
            continue
        if not GATE_SETS[gates].has_rotations:
            raise DoesNotFitError(
                f"a Z over all {len(qubits)} qubits has no exact {gates.title()} circuit without a spare qubit: "
                "use ancillas=1 or more, or gates='cx+u'"
            )
        # Qiskit's circuit with the fewest CX after the passes, or with the fewest layers. Sources: da Silva and Park,
        # arXiv:2203.11882; Huang and Palsberg, doi:10.1145/3656436.
        controls = len(qubits) - 1
        is_long = controls >= LINEAR and metric not in {"depth", "t_depth"}
        yield from _mcz_by((synth_mcx_noaux_hp24 if is_long else synth_mcx_noaux_sp22)(controls), qubits)


def _mcz_by(flat: QuantumCircuit, qubits: tuple[int, ...]) -> Iterator[LowGate]:
    """Yield the gates of a multi-controlled X circuit between two H on its target, the last qubit."""
    # Qiskit nests definitions, so they are opened until only known gates are left.
    while set(flat.count_ops()) - {*_FIXED, "p", "ry", "rz", "u"}:
        flat = flat.decompose()
    yield "h", qubits[-1:], 0.0
    for instruction in flat.data:
        places = tuple(qubits[flat.find_bit(q).index] for q in instruction.qubits)
        params = [float(p) for p in instruction.operation.params]
        if len(params) > 1:
            theta, phi, lam = params
            # U(theta, phi, lambda) is RZ(phi) RY(theta) RZ(lambda) up to a global phase, the last one acting first.
            yield from (("rz", places, lam), ("ry", places, theta), ("rz", places, phi))
        else:
            yield instruction.operation.name, places, params[0] if params else 0.0
    yield "h", qubits[-1:], 0.0


def _exact_rotations(low: Iterable[LowGate], gates: GateSet, words: RotationWords | None) -> Iterator[LowGate]:
    """Yield rotations as Clifford+T: exact for multiples of pi/4, else by Ross-Selinger, or an error without T gates.

    If ``words`` is None, rotations by other angles are left unchanged.
    """
    for name, qubits, angle in low:
        if name == "ry":
            # RY is RZ in a basis that S-dagger and H change to.
            yield from (("sdg", qubits, 0.0), ("h", qubits, 0.0))
            yield from _rz(qubits, angle, gates, words)
            yield from (("h", qubits, 0.0), ("s", qubits, 0.0))
        elif name in {"rz", "p"}:
            yield from _rz(qubits, angle, gates, words)
        else:
            yield name, qubits, angle


def _rz(qubits: tuple[int, ...], angle: float, gates: GateSet, words: RotationWords | None) -> Iterator[LowGate]:
    for gate in phase_gates(qubits, count_eighths(angle)):
        # Phases that have an exact form were yielded under their own names, so ``p`` is any other angle.
        if gate[0] == "p" and not GATE_SETS[gates].has_t:
            raise DoesNotFitError(_no_rotation(angle))
        if gate[0] == "p" and words is not None:
            yield from ((name, qubits, 0.0) for name in words.find(angle))
        else:
            yield gate


def _no_rotation(angle: float) -> str:
    return (
        f"a rotation by {angle:.4g} has no exact circuit of Clifford and Toffoli gates: use gates='clifford+t', or a "
        "space without such rotations (encoding='binary', each domain of 2, 4, 8, ... values), or the oracle alone"
    )


def list_turns(ops: Iterable[Op]) -> list[tuple[str, float]]:
    """Return name and angle of each rotation that Clifford+T cannot express."""
    turns = ((name, angle, count_eighths(angle)) for name, _, angle in emit(ops) if name in TURNS)
    return [(name, angle) for name, angle, eighths in turns if abs(eighths - round(eighths)) >= 1e-12]


@lru_cache(maxsize=1 << 16)
def approximate_rotation(angle: float, error: float = ROTATION_ERROR) -> Word:
    """Return Ross-Selinger's word for a rotation about z, as gate names in circuit order."""
    # Its factoring ends by the clock, so a busy machine can give another, longer word.
    return tuple(instruction.operation.name for instruction in gridsynth_rz(drop_turns(angle), error).data)


def invert_word(word: Word) -> Word:
    """Return the word that undoes a word."""
    return tuple(INVERSE_NAMES.get(name, name) for name in reversed(word))


def find_share_word(share: float, error: float) -> Word | None:
    """Return the word with the fewest T that leaves zero with a probability of about ``share`` after zero.

    The phases of its amplitudes are arbitrary, so it has about a third of the T gates of a word that is close to a
    rotation. None where more than `MOST_T` are needed. Source: the normal form of Matsumoto and Amano, arXiv:0806.3834.
    """
    nearest = (_find_nearest(share, number) for number in range(1, MOST_T + 1))
    return next((word for distance, word in nearest if distance <= error), None)


@lru_cache(maxsize=1024)
def _find_nearest(share: float, number: int) -> tuple[float, Word]:
    """Return the word of so many T whose probability of zero is nearest to ``share``, and the distance."""
    # After H T come steps of H T or S H T. The first steps end at a point; the others and an axis are a row.
    aim, steps = 2 * share - 1, max(number - MOST_LISTED, 0)
    ends = _list_ends(min(number, MOST_LISTED))
    found = []
    for axis, last in enumerate((("h",), ("sdg", "h"), ())):
        values = _list_rows(steps, axis).T @ ends
        row, end = divmod(int(np.argmin(np.abs(np.abs(values) - abs(aim)))), ends.shape[1])
        value = float(values[row, end])
        bits = [end >> step & 1 for step in range(number - steps - 1)]
        bits += [row >> step & 1 for step in reversed(range(steps))]
        middle = (name for bit in bits for name in (*("s" * bit), "h", "t"))
        flip = ("x",) if value * aim < 0 else ()
        found.append((abs(abs(value) - abs(aim)) / 2, ("h", "t", *middle, *last, *flip)))
    return min(found, key=lambda one: one[0])


@lru_cache(maxsize=MOST_LISTED)
def _list_ends(number: int) -> NDArray[np.float64]:
    """Return x, y and z on the Bloch sphere after each word with so many T.

    Bit k of a column's number is whether the word has an S before the H that follows T gate k.
    """
    if number == 1:
        ends = np.array([[1.0], [0.0], [0.0]])
    else:
        x, y, z = _list_ends(number - 1)
        # H exchanges x and z and negates y; S takes x to y and y to -x.
        ends = np.array([[*z, *z], [*-y, *-x], [*x, *-y]])
    return np.array([(ends[0] - ends[1]) / np.sqrt(2), (ends[0] + ends[1]) / np.sqrt(2), ends[2]])


@lru_cache(maxsize=3 * MOST_T)
def _list_rows(steps: int, axis: int) -> NDArray[np.float64]:
    """Return the point that each list of so many steps takes to an axis; the last bit is that of the first step."""
    if not steps:
        return np.eye(3)[:, axis : axis + 1]
    x, y, z = _list_rows(steps - 1, axis)
    x, y = (x + y) / np.sqrt(2), (y - x) / np.sqrt(2)
    # The inverse of H, then that of S where there is one.
    return np.array([[*z, *-y], [*-y, *-z], [*x, *x]])


def price_ops(ops: Iterable[Op], num_qubits: int, metric: str, gates: GateSet = "cx+u") -> float:
    """Return declared CX (also for ``qubits``) or T, or Toffoli gates, or the depth of the lowered circuit."""
    if metric in {"cx", "qubits"}:
        return count_cx(ops)
    if metric == "t":
        return count_toffoli(ops) if GATE_SETS[gates].has_toffoli else count_t(ops)
    if metric == "depth":
        # Operations declare no depths, so the circuit is lowered and its layers are counted.
        return float(lower(ops, num_qubits, gates, "depth").depth())
    lowered = lower(ops, num_qubits, gates if GATE_SETS[gates].has_toffoli else "clifford+t", "t_depth")
    return float(lowered.depth(lambda gate: gate.operation.name in {"t", "tdg", "ccx"}))

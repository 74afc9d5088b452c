"""Lowering with measured erasure: circuits with mid-circuit measurement and feedback."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister

from gatesolve.circuit.counting import count
from gatesolve.circuit.lowering.lower import USUAL, RotationWords, lower, lower_settled
from gatesolve.circuit.lowering.measured.mcz import CCZ_ROOT, CZ_ROOT, MOST_AT_ROOT, Measure, Steps, turn_correction
from gatesolve.circuit.lowering.measured.plan import plan_erasures, settle_phases, widen_roots
from gatesolve.circuit.lowering.target import check_metric
from gatesolve.circuit.ops import Gate, Op, Ops
from gatesolve.gate_sets import GATE_SETS, GateSet, Metric

REGISTER = "erased"
"""Name of the classical register that holds the outcomes; a bit is written anew each time its qubit is erased."""


def lower_measured(
    ops: Iterable[Op],
    num_qubits: int,
    gates: GateSet = "cx+u",
    metric: Metric = "cx",
    words: RotationWords = USUAL,
    *,
    zeros: Iterable[int],
    whatever_cx: bool = False,
) -> QuantumCircuit:
    """Lower operations to CX, one-qubit gates, measurements and gates that depend on their outcomes.

    A logical AND onto a zeroed target costs 4 T, and its erasure none. A multi-controlled Z over n + 1 qubits costs
    4 n - 6 T if zeroed qubits are free for it. In ``clifford+toffoli`` these cost 1 and n - 1 Toffoli gates. ANDs
    onto conditionally clean targets stay unitary.

    Args:
        ops: the program's operations.
        num_qubits: width of the circuit.
        gates: as for `lower`.
        metric: ``depth`` and ``t_depth`` join by trees of ANDs, at 2 T more; ``t`` saves T also where that
            takes CX; all others save them where it takes none.
        words: as for `lower`.
        zeros: qubits that are zero at the start, whatever the data; those that are zero later are found.
        whatever_cx: whether T are saved where that takes CX, for any metric.

    Returns:
        A circuit over ``num_qubits`` qubits and a classical register `REGISTER`, with one bit for each qubit
        that is ever erased (no register if none is). Whatever the outcomes, equal to ``ops`` up to a global
        phase and the rotation error on every state in which ``zeros`` are zero; each outcome has
        probability one half and tells nothing of the state.

    Raises:
        InputError: unknown metric.
        DoesNotFitError: as `lower`.

    Source: Gidney, arXiv:1709.06648; Gidney and Jones, arXiv:2106.11513.
    """
    steps = _plan_steps(tuple(ops), num_qubits, gates, metric, tuple(zeros), whatever_cx or metric == "t")
    return _MeasuredWriter(num_qubits, gates, metric, words).write(steps)


def lower_cheapest(
    ops: Ops, num_qubits: int, gates: GateSet, metric: Metric, words: RotationWords = USUAL, *, zeros: Iterable[int]
) -> QuantumCircuit:
    """Lower operations with measured erasure, or without it where that is cheaper by the metric; as `lower_measured`.

    A correction waits for an outcome, so its CX cancel with no others.
    """
    ops, clean = tuple(ops), tuple(zeros)
    # For the metric t, and with Toffoli gates, both ways make the same circuit.
    ways = (True,) if metric == "t" or GATE_SETS[gates].has_toffoli else (False, True)
    made = [lower_measured(ops, num_qubits, gates, metric, words, zeros=clean, whatever_cx=saves) for saves in ways]
    if not made[0].clbits:
        return made[0]
    made.append(lower(ops, num_qubits, gates, metric, words))
    # Of equal ones the one with fewer T.
    return min(made, key=lambda circuit: tuple(count_metric(circuit, gates, one) for one in (metric, "t")))


def count_metric(circuit: QuantumCircuit, gates: GateSet, metric: Metric) -> int:
    """Return the count of a circuit that a metric keeps low; 0 if the gate set does not have these gates."""
    found = count(circuit, gates)
    layers = found.t_depth if found.toffoli_depth is None else found.toffoli_depth
    counts = {"t": found.costly[1], "depth": found.depth, "t_depth": layers}
    # With Toffoli gates these come first for ``cx`` too.
    return counts.get(metric, found.cx if found.toffoli is None else found.toffoli) or 0


def _plan_steps(
    ops: Ops, num_qubits: int, gates: GateSet, metric: Metric, clean: tuple[int, ...], whatever_cx: bool
) -> Steps:
    # A CZ at the root is shallower than the gadget of six T, which takes four factors one after the other.
    root = CZ_ROOT if check_metric(metric) in {"depth", "t_depth"} else MOST_AT_ROOT
    if GATE_SETS[gates].has_toffoli:
        return settle_phases(plan_erasures(ops, num_qubits, clean, CCZ_ROOT), num_qubits, clean)
    if root == MOST_AT_ROOT:
        ops = widen_roots(ops, num_qubits, clean, whatever_cx=metric == "t")
    steps = plan_erasures(ops, num_qubits, clean, root, whatever_cx)
    return tuple(chain.from_iterable(map(turn_correction, steps)))


class _MeasuredWriter:
    """Writes steps as a circuit; equal runs of operations are lowered once."""

    def __init__(self, num_qubits: int, gates: GateSet, metric: Metric, words: RotationWords) -> None:
        self._num_qubits, self._gates, self._metric, self._words = num_qubits, gates, metric, words
        self._known: dict[Ops, QuantumCircuit] = {}

    def write(self, steps: Steps) -> QuantumCircuit:
        bits = {q: k for k, q in enumerate(dict.fromkeys(s.qubit for s in steps if isinstance(s, Measure)))}
        circuit = QuantumCircuit(self._num_qubits)
        if bits:
            circuit.add_register(ClassicalRegister(len(bits), REGISTER))
        run: list[Op] = []
        for step in steps:
            if not isinstance(step, Measure):
                run.append(step)
                continue
            self._append(circuit, tuple(run))
            run = []
            bit = bits[step.qubit]
            circuit.measure(step.qubit, bit)
            with circuit.if_test((circuit.clbits[bit], 1)) as otherwise:
                self._append(circuit, (Gate("x", (step.qubit,)), *step.on_one))
            # Most erasures need no gate on outcome 0, and then there is no else block.
            if step.on_zero:
                with otherwise:
                    self._append(circuit, step.on_zero)
        self._append(circuit, tuple(run))
        return circuit

    def _append(self, circuit: QuantumCircuit, ops: Ops) -> None:
        # Corrections for equal erasures are equal, so most runs are lowered once.
        if ops not in self._known:
            self._known[ops] = lower_settled(ops, self._num_qubits, self._gates, self._metric, self._words)
        for instruction in self._known[ops].data:
            qubits = [self._known[ops].find_bit(q).index for q in instruction.qubits]
            circuit.append(instruction.operation, qubits, copy=False)

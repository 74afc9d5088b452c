"""Multi-controlled X as a circuit of its own."""

from __future__ import annotations

from numbers import Integral

from qiskit import QuantumCircuit

from gatesolve.circuit.gates import LowGate, reverse_gates
from gatesolve.circuit.lowering import GATE_SETS, GateSet, lower
from gatesolve.circuit.lowering.lower import build
from gatesolve.circuit.lowering.passes.commute import sweep_rotations
from gatesolve.circuit.lowering.rules.borrowed import most_in_group, toggle_parts
from gatesolve.circuit.lowering.rules.clean import batches, scheduled_tree
from gatesolve.circuit.lowering.rules.mcx_schedule import LAYERS, T_LAYERS, WIDTH
from gatesolve.circuit.lowering.rules.mcz import expand_mcz
from gatesolve.circuit.lowering.target import PLAIN, LoweringTarget, check_metric
from gatesolve.circuit.ops import Gate, Mcx, emit_gates
from gatesolve.errors import InputError, refuses_renamed
from gatesolve.gate_sets import Metric

COSTLY = ("t", "tdg", "ccx")
"""Gates that the metrics ``t`` and ``t_depth`` count."""


@refuses_renamed
def mcx(
    num_controls: int,
    *,
    clean: int = 0,
    borrowed: int = 0,
    optimize: Metric = "cx",
    gates: GateSet = "cx+u",
    width: int = WIDTH,
) -> QuantumCircuit:
    """Build a circuit of X on a target where all controls are 1, exact up to a global phase.

    Qubits in order: the controls, the target, the clean ancillas (0 before and after), the borrowed ancillas (in any
    state, restored). Ancillas that the best circuit does not need stay idle.

    Args:
        num_controls: number of controls.
        clean: number of clean ancillas.
        borrowed: number of borrowed ancillas.
        optimize: what to save: ``cx``, ``t``, ``depth``, ``t_depth``, or ``qubits``, which leaves clean ancillas
            alone where it can borrow.
        gates: the gate set, one of `GATE_SETS`. In ``clifford+toffoli``, ``t`` and ``t_depth`` stand for Toffoli gates
            and their layers; sets with the general one-qubit gate have no T gates.
        width: for ``depth`` and ``t_depth``: partial schedules that the search for a shallow circuit keeps.

    Returns:
        A circuit of num_controls + 1 + clean + borrowed qubits in the gate set.

    Raises:
        InputError: a number is negative or not whole, or the metric or gate set is unknown.
        DoesNotFitError: three or more controls, no ancilla, and the gate set has no rotations.

    Cost for k >= 3 controls:

    - With a clean ancilla: 6 k - 6 CX and 8 k - 9 T, or 2 k - 3 Toffoli gates.
    - With at least (k - 2) / 2 borrowed ancillas: 8 k - 12 CX (14 for k = 3) and 8 k - 8 T.
    - With fewer, w > 0: 4 (k - 2 - 2 w) CX and 8 (k - 2 - 2 w) T more.
    - With a borrowed ancilla: 4 (k - 2) Toffoli gates.
    """
    numbers = num_controls, clean, borrowed, width
    if not all(isinstance(one, Integral) for one in numbers) or min(numbers) < 0 or width < 1:
        raise InputError("controls and ancillas are whole numbers from 0, and the search width is one from 1")
    if gates not in GATE_SETS:
        raise InputError(f"unknown gate set '{gates}': choose one of {', '.join(GATE_SETS)}")
    check_metric(optimize)
    zeroed = tuple(range(num_controls + 1, num_controls + 1 + clean))
    flip = Mcx(tuple((qubit, True) for qubit in range(num_controls)), num_controls, zeroed)
    total = num_controls + 1 + clean + borrowed
    made = [lower([flip], total, gates, optimize)]
    turn = Gate("h", (num_controls,))
    if optimize in {"cx", "t"} and clean + borrowed and num_controls > 2:
        aim = LoweringTarget(optimize, gates)
        ops = expand_mcz(range(num_controls + 1), zeroed, range(total - borrowed, total), aim, is_shallow=True)
        made += [lower([turn, *ops, turn], total, gates)] if ops else []
    shallow = optimize in {"depth", "t_depth"} and not GATE_SETS[gates].has_toffoli
    if shallow and width > WIDTH and clean and num_controls > 2:
        timing = LAYERS if optimize == "depth" else T_LAYERS
        ops = scheduled_tree(range(num_controls + 1), zeroed[: num_controls - 2], timing=timing, width=width)
        made += [lower([turn, *ops, turn], total, gates)] if ops else []
    # No rule is best for every number of ancillas, so all candidates are lowered and counted.
    return min(made, key=lambda circuit: _key(circuit, optimize, GATE_SETS[gates].two_qubit))


def quick_mcx(num_controls: int, clean: int, borrowed: int) -> QuantumCircuit:
    """Build a circuit with the CX and T of `mcx` in milliseconds; deeper, as no schedule is searched.

    Args: as `mcx`; three controls or more and an ancilla. The circuit is of Clifford+T gates, neighbours unmerged.
    """
    n = num_controls + 1
    wires = range(n + clean + borrowed)
    turn: tuple[LowGate, ...] = (("h", (num_controls,), 0.0),)
    if clean:
        gates = list(emit_gates(batches(wires[:n], wires[n : n + min(clean, n - 3)]), PLAIN, None))
        return build((*turn, *gates, *turn), len(wires))
    parts = toggle_parts(wires[:n], wires[n:], most_in_group(n, borrowed), is_searched=False) or ((), (), ())
    # Each part is swept once; its inverse is the reversed gate list.
    compute, mark, toggle = (sweep_rotations(emit_gates(part, PLAIN, None), new_cz=False) for part in parts)
    undo = reverse_gates(compute)
    around = (*compute, *mark, *undo, *toggle, *compute, *reverse_gates(mark), *undo, *reverse_gates(toggle))
    return build((*turn, *around, *turn), len(wires))


def _key(circuit: QuantumCircuit, metric: Metric, two_qubit: str) -> tuple[int, ...]:
    """Return the count of the metric, then depth, then gates on two qubits."""
    names = circuit.count_ops()
    depth, cx, t = circuit.depth(), names.get(two_qubit, 0), sum(names.get(name, 0) for name in COSTLY)
    t_depth = circuit.depth(lambda i: i.operation.name in COSTLY)
    first = {"cx": cx, "t": t, "depth": depth, "t_depth": t_depth, "qubits": 0}[metric]
    return first, depth, cx

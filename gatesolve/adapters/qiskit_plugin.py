"""Plugin for Qiskit's high-level synthesis: ``mcx.gatesolve``.

Installed with gatesolve under the entry point group ``qiskit.synthesis``; chosen by
``transpile(circuit, ..., hls_config=HLSConfig(mcx=["gatesolve", "default"]))``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit.library import C3XGate, C4XGate, MCXGate
from qiskit.transpiler.passes.synthesis.hls_plugins import MCXSynthesisDefault
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPlugin

from gatesolve.circuit.lowering import GateSet
from gatesolve.circuit.lowering.rules.mcz import added_rules, choose_rule
from gatesolve.circuit.lowering.target import check_metric
from gatesolve.circuit.mcx import mcx, quick_mcx
from gatesolve.errors import refuse_renamed
from gatesolve.gate_sets import Metric

LARGE = 20
"""Number of controls above which no schedule is searched, unless layers are minimised."""


class MCXSynthesisGatesolve(HighLevelSynthesisPlugin):
    """Synthesis of multi-controlled X by gatesolve's rules.

    Options:
        num_clean_ancillas, num_dirty_ancillas: available ancillas; Qiskit sets them.
        optimize: ``cx`` (default), ``t``, ``depth``, ``t_depth`` or ``qubits``; ``t`` if it is not given and Qiskit
        saves T gates (``optimization_metric``).

    For ``cx`` Qiskit's own circuit is used where it has as few CX or will be routed.

    Gates of fewer than three controls or without ancillas, and other instructions named mcx, are left to the next
    method.
    """

    def run(self, high_level_object: Any, **options: Any) -> QuantumCircuit | None:
        """Return the circuit over controls, target, clean and dirty ancillas in this order; None to leave it.

        Clean ancillas start and end at zero; dirty ones are returned to their initial state.

        Raises:
            InputError: unknown metric.
        """
        if not isinstance(high_level_object, MCXGate | C3XGate | C4XGate):
            return None
        controls = int(high_level_object.num_ctrl_qubits)
        clean, dirty = (int(options.get(f"num_{kind}_ancillas", 0)) for kind in ("clean", "dirty"))
        if controls < 3 or clean + dirty == 0:
            return None
        metric, gates = _read_options(options)
        # Ancillas that no rule can use are dropped; borrowed ones help only if none is clean.
        clean, dirty = min(clean, controls - 2), min(dirty, max(1, controls - 3))
        if clean and metric != "qubits":
            dirty = 0
        is_routed = options.get("coupling_map") is not None
        made = _fewest_cx(controls, clean, dirty, is_routed) if metric == "cx" else None
        made = made or _made(controls, clean, dirty, metric, gates)
        # Bit q of Qiskit's control state belongs to control q, and is 0 for a control that acts on 0.
        open_controls = [q for q in range(controls) if not int(high_level_object.ctrl_state) >> q & 1]
        if not open_controls:
            return made
        circuit = QuantumCircuit(made.num_qubits)
        circuit.x(open_controls)
        circuit.compose(made, inplace=True)
        circuit.x(open_controls)
        return circuit


@lru_cache(maxsize=256)
def _fewest_cx(controls: int, clean: int, dirty: int, is_routed: bool) -> QuantumCircuit | None:
    """Return Qiskit's own circuit, where ours has no fewer CX; None where it has."""
    theirs: QuantumCircuit = MCXSynthesisDefault().run(
        MCXGate(controls), num_clean_ancillas=clean, num_dirty_ancillas=dirty
    )
    # Its parts cancel between gates that share controls, so it wins a tie. Before routing it is always used: the router
    # often adds more than we save.
    if is_routed or theirs.num_nonlocal_gates() == theirs.count_ops()["cx"] <= _least_cx(controls, clean, dirty):
        return theirs
    return None


@lru_cache(maxsize=256)
def _made(controls: int, clean: int, dirty: int, metric: Metric, gates: GateSet) -> QuantumCircuit:
    """Return our circuit, for all controls closed."""
    if controls > LARGE and metric in {"cx", "t"} and not added_rules():
        return quick_mcx(controls, clean, dirty)
    return mcx(controls, clean=clean, borrowed=dirty, optimize=metric, gates=gates)


def _least_cx(controls: int, clean: int, dirty: int) -> float:
    """CX that our circuit would have."""
    rule = choose_rule(controls + 1, clean, dirty)
    return float("inf") if rule is None else rule.cx(controls + 1, *rule.take_ancillas(controls + 1, clean, dirty))


def _read_options(options: dict[str, Any]) -> tuple[Metric, GateSet]:
    """Return metric and gate set of the options; Clifford+T where T gates are minimised."""
    refuse_renamed(options)
    saves_t = getattr(options.get("optimization_metric"), "name", "") == "COUNT_T"
    metric = check_metric(str(options.get("optimize", "t" if saves_t else "cx")))
    return metric, "clifford+t" if saves_t or metric in {"t", "t_depth"} else "cx+u"

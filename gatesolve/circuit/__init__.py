"""Circuits: reversible operations, lowering to gates, counting, OpenQASM and PennyLane export.

``ops.py`` defines the operations, ``simulate.py`` runs them on bits, ``lowering/`` turns them into a gate set, and
``counting.py`` counts the lowered gates. Imports no other room.

A new operation is a class in ``ops.py`` with the methods of ``operation.py``. A new way to lower a multi-controlled
gate is a rule in ``lowering/rules``, or an entry point ``gatesolve.rules`` of another package.
"""

from gatesolve.circuit.ops import And, AndNot, Gate, Mcx, Mux, Op, Ops, PhaseFlip, Write, Xor, inverse
from gatesolve.circuit.parity import Parity, independent_parities
from gatesolve.circuit.simulate import Planes, run_ops
from gatesolve.extensions import load_late

__all__ = [
    "And", "AndNot", "Gate", "Mcx", "Mux", "Op", "Ops", "Parity", "PhaseFlip", "Planes", "Write", "Xor",
    "independent_parities", "inverse", "run_ops",
]  # fmt: skip

_PUBLIC = {
    "gatesolve.circuit.cost": ("count_cx",),
    "gatesolve.circuit.counting": ("Resources", "count"),
    "gatesolve.circuit.gf2": ("AffineSpan", "rank", "reduce_row", "reduce_rows", "row_additions"),
    "gatesolve.circuit.kickmix": ("kickmix_text",),
    "gatesolve.circuit.lowering.lower": ("build", "emit", "lower"),
    "gatesolve.circuit.lowering.measured.in_place": ("compute_in_place",),
    "gatesolve.circuit.lowering.measured.lower": ("lower_measured",),
    "gatesolve.circuit.lowering.rules.clean": ("v_chain",),
    "gatesolve.circuit.lowering.rules.mcz": ("Rule", "choose_rule"),
    "gatesolve.circuit.named": ("named_circuit",),
    "gatesolve.circuit.notebook": ("html_table",),
    "gatesolve.circuit.qasm": ("strict_qasm2",),
    "gatesolve.circuit.simulate": ("pack_plane", "unpack_plane"),
}
"""Modules, and their names that are loaded when first asked for."""
__getattr__ = load_late(__name__, _PUBLIC)

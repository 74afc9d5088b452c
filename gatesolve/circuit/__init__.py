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
    "And",
    "AndNot",
    "Gate",
    "Mcx",
    "Mux",
    "Op",
    "Ops",
    "Parity",
    "PhaseFlip",
    "Planes",
    "Write",
    "Xor",
    "independent_parities",
    "inverse",
    "run_ops",
]

_PUBLIC = {
    "AffineSpan": "gatesolve.circuit.gf2",
    "Resources": "gatesolve.circuit.counting",
    "Rule": "gatesolve.circuit.lowering.rules.mcz",
    "build": "gatesolve.circuit.lowering.lower",
    "choose_rule": "gatesolve.circuit.lowering.rules.mcz",
    "compute_in_place": "gatesolve.circuit.lowering.measured.in_place",
    "count": "gatesolve.circuit.counting",
    "count_cx": "gatesolve.circuit.cost",
    "emit": "gatesolve.circuit.lowering.lower",
    "html_table": "gatesolve.circuit.notebook",
    "kickmix_text": "gatesolve.circuit.kickmix",
    "lower": "gatesolve.circuit.lowering.lower",
    "lower_measured": "gatesolve.circuit.lowering.measured.lower",
    "named_circuit": "gatesolve.circuit.named",
    "pack_plane": "gatesolve.circuit.simulate",
    "rank": "gatesolve.circuit.gf2",
    "reduce_row": "gatesolve.circuit.gf2",
    "reduce_rows": "gatesolve.circuit.gf2",
    "row_additions": "gatesolve.circuit.gf2",
    "strict_qasm2": "gatesolve.circuit.qasm",
    "unpack_plane": "gatesolve.circuit.simulate",
    "v_chain": "gatesolve.circuit.lowering.rules.clean",
}
"""Names that are imported on first use, and the modules that define them."""
__getattr__ = load_late(__name__, _PUBLIC)

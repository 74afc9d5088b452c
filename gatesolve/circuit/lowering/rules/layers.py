"""Counting gates and layers of operations, as they come out of lowering."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gatesolve.circuit import Ops
from gatesolve.circuit.lowering.gates import LowGate, emit_gates
from gatesolve.circuit.lowering.passes.euler import merge_rotations
from gatesolve.circuit.lowering.passes.peephole import cancel_gates
from gatesolve.circuit.lowering.passes.schedule import longest_chain
from gatesolve.circuit.lowering.target import PLAIN, Cost, LoweringTarget

_T = ("t", "tdg")


def measure(ops: Ops, aim: LoweringTarget = PLAIN) -> Cost:
    """Counts of ``ops`` after lowering's passes, without other operations around them."""
    gates = cancel_gates(emit_gates(ops, aim, None))
    general = [(name, qubits, 0.0) for name, qubits, _ in merge_rotations(gates)]
    return Cost(
        cx=sum(name == "cx" for name, _, _ in gates),
        t=sum(name in _T for name, _, _ in gates),
        depth=layers(general, lambda _: 1),
        clifford_t_depth=layers(gates, lambda _: 1),
        t_depth=layers(gates, lambda name: int(name in _T)),
    )


def layers(gates: Sequence[LowGate], length: Callable[[str], int]) -> int:
    """The longest chain of gates on common qubits, each as long as ``length`` says of its name."""
    return longest_chain([qubits for _, qubits, _ in gates], [length(name) for name, _, _ in gates])

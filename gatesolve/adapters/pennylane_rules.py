"""Our rules for multi-controlled X in PennyLane's decomposition graph.

The graph (``qml.decomposition.enable_graph()``) weighs the gates that each rule declares, and selects ours where they
cost less. This module needs PennyLane: `register_pennylane` checks for it first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import pennylane as qml

from gatesolve.circuit.mcx import quick_mcx
from gatesolve.circuit.pennylane_gates import apply_gate

WorkWires = Literal["zeroed", "borrowed"]
Gates = tuple[tuple[str, tuple[int, ...]], ...]
"""Gates by their Qiskit names, and the positions of their wires: controls, target, work wires."""
_TYPES = {"h": "Hadamard", "x": "PauliX", "z": "PauliZ", "s": "S", "t": "T", "cx": "CNOT"}


def _most_useful(num_controls: int, kind: WorkWires) -> int:
    """Return the number of work wires beyond which a multi-controlled X needs no fewer gates."""
    return num_controls - 2 if kind == "zeroed" else (num_controls - 1) // 2


@lru_cache(maxsize=256)
def _list_gates(num_controls: int, kind: WorkWires, number: int) -> Gates:
    """Return the gates of a multi-controlled X with ``number`` work wires, equal to it including its global phase."""
    lent = min(number, _most_useful(num_controls, kind))
    made = quick_mcx(num_controls, *((lent, 0) if kind == "zeroed" else (0, lent)))
    return tuple((i.operation.name, tuple(made.find_bit(q).index for q in i.qubits)) for i in made.data)


def _count(gates: Gates, flipped: int) -> dict[Any, int]:
    """Return the number of each operation, including X around ``flipped`` wires whose control value is 0."""
    names = Counter(name for name, _ in gates)
    names["x"] += 2 * flipped
    found = {qml.resource_rep(getattr(qml, _TYPES[name])): n for name, n in names.items() if n and name in _TYPES}
    # PennyLane has no class for the inverse of T: it is the adjoint of one.
    return found | {qml.decomposition.adjoint_resource_rep(qml.T): names["tdg"]}


def _apply(gates: Gates, wires: Sequence[Any], values: Sequence[Any]) -> None:
    """Queue the gates, between X on wires whose control value is 0."""
    flipped = [wire for wire, value in zip(wires, values, strict=False) if not value]
    for wire in flipped:
        qml.PauliX(wire)
    for name, places in gates:
        apply_gate(name, [wires[k] for k in places], ())
    for wire in flipped:
        qml.PauliX(wire)


def _takes_named(num_control_wires: int, num_work_wires: int, **_: Any) -> bool:
    return num_control_wires > 2 and num_work_wires > 0


def _count_named(
    num_control_wires: int, num_zero_control_values: int, num_work_wires: int, work_wire_type: WorkWires, **_: Any
) -> dict[Any, int]:
    return _count(_list_gates(num_control_wires, work_wire_type, num_work_wires), num_zero_control_values)


def _apply_named(wires: Any, control_values: Any, work_wires: Any, work_wire_type: WorkWires, **_: Any) -> None:
    """Queue X under three controls and more, with the work wires that the operation names."""
    gates = _list_gates(len(wires) - 1, work_wire_type, len(work_wires))
    _apply(gates, [*wires, *work_wires], control_values)


def _allocated(num_controls: int, kind: WorkWires) -> int:
    """Return the number of work wires to allocate."""
    # With one zeroed wire there are as few CNOT and T as with many.
    return 1 if kind == "zeroed" else _most_useful(num_controls, kind)


def _allocating(kind: WorkWires) -> Any:
    """Return the rule that allocates work wires from a transform or device."""

    def takes(num_control_wires: int, num_work_wires: int, **_: Any) -> bool:
        return num_control_wires > 2 and not num_work_wires

    def ask(num_control_wires: int, **_: Any) -> dict[str, int]:
        return {kind: _allocated(num_control_wires, kind)}

    def count(num_control_wires: int, num_zero_control_values: int, **_: Any) -> dict[Any, int]:
        number = _allocated(num_control_wires, kind)
        return _count(_list_gates(num_control_wires, kind, number), num_zero_control_values)

    def apply(wires: Any, control_values: Any, **_: Any) -> None:
        number = _allocated(len(wires) - 1, kind)
        with qml.allocate(number, state="zero" if kind == "zeroed" else "any", restored=True) as lent:
            _apply(_list_gates(len(wires) - 1, kind, number), [*wires, *lent], control_values)

    rule = qml.register_resources(count, apply, work_wires=ask, name=f"gatesolve_mcx_{kind}")
    return qml.register_condition(takes, rule)


named: Any = qml.register_condition(
    _takes_named, qml.register_resources(_count_named, _apply_named, name="gatesolve_mcx")
)
RULES = (named, _allocating("zeroed"), _allocating("borrowed"))


def add_rules() -> None:
    """Add the rules to the collection in force, where they are not in it."""
    # A second call adds nothing.
    if named not in qml.list_decomps(qml.MultiControlledX):
        qml.add_decomps(qml.MultiControlledX, *RULES)

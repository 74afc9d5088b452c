"""The call that registers our decomposition rules with PennyLane."""

from __future__ import annotations

from gatesolve.circuit.pennylane_gates import require_pennylane


def register_pennylane() -> None:
    """Add our rules to PennyLane's decomposition graph, which selects them where they cost less; may be repeated.

    The rules are for multi-controlled X with at least three controls. They use the work wires that the operation names,
    zeroed or borrowed, or those that ``num_work_wires`` of ``qml.decompose`` allows. They are exact, including the
    global phase, in Clifford+T; work wires are returned to their initial state.

    Cost for k controls. With at least one zeroed work wire: 6 k - 6 CNOT and 8 k - 9 T. With (k - 2) / 2 borrowed
    wires, rounded up: 8 k - 12 CNOT (14 for k = 3) and 8 k - 8 T. Fewer borrowed wires, w > 0, cost in addition 4 (k -
    2 - 2 w) CNOT and 8 (k - 2 - 2 w) T.

    Raises:
        MissingExtraError: PennyLane is not installed.
    """
    require_pennylane()
    from gatesolve.adapters.pennylane_rules import add_rules

    add_rules()

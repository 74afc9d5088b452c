"""The call that makes our decomposition rules known to PennyLane."""

from __future__ import annotations

from gatesolve.circuit.pennylane_gates import require_pennylane


def register_pennylane() -> None:
    """Add our rules to PennyLane's decomposition graph, which takes them where they weigh less; may be repeated.

    Multi-controlled X of three controls and more: with the work wires that it names, zeroed or borrowed, or with those
    that ``num_work_wires`` of ``qml.decompose`` allows. They are exact, global phase included, in Clifford+T; work
    wires are returned as they were.

    Raises:
        MissingExtraError: PennyLane is not installed.

    Cost for k controls: 6 k - 6 CNOT and 8 k - 9 T with a zeroed work wire or more; 8 k - 12 CNOT (14 for k = 3) and
    8 k - 8 T with (k - 2) / 2 borrowed ones, rounded up; with w < (k - 2) / 2 of them, w > 0, 4 (k - 2 - 2 w) CNOT and
    8 (k - 2 - 2 w) T more.
    """
    require_pennylane()
    from gatesolve.adapters.pennylane_rules import add_rules

    add_rules()

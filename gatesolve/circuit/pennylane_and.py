"""The logical AND as an operation of PennyLane.

This module needs PennyLane; only functions of `gatesolve.circuit.pennylane` import it, when they are called.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pennylane as qml

from gatesolve.circuit.lowering.lower import emit
from gatesolve.circuit.ops import And
from gatesolve.circuit.pennylane_gates import apply_gate


class LogicalAnd(qml.operation.Operation):
    """``target ^= left & right`` of two parities, up to the relative phase of Margolus' gate (`gatesolve.circuit.And`).

    ``op`` is the operation by positions in ``wires``, which are those of both parities and the target.

    Cost: 3 CNOT and 4 T, and more for longer parities.
    """

    num_params = 0
    grad_method = None
    resource_keys = frozenset({"op"})

    def __init__(self, wires: Any, op: And, id: str | None = None) -> None:
        super().__init__(wires=wires, id=id)
        self._hyperparameters = {"op": op}

    @property
    def resource_params(self) -> dict[str, And]:
        """The keyword arguments on which the decomposition's gates depend."""
        return {"op": self.hyperparameters["op"]}

    @staticmethod
    def compute_decomposition(*_: Any, wires: Any, op: And) -> list[Any]:
        """The gates, in order."""
        return [apply_gate(name, [wires[k] for k in places], (angle,)) for name, places, angle in emit([op])]

    def adjoint(self) -> LogicalAnd:
        """Return the AND with its gates in reverse order."""
        return LogicalAnd(self.wires, self.hyperparameters["op"].inverse())

    def label(
        self, decimals: int | None = None, base_label: str | None = None, cache: dict[str, Any] | None = None
    ) -> str:
        """Return the label shown in drawings."""
        return base_label or ("AND†" if self.hyperparameters["op"].undo else "AND")


def _gates_of(op: And) -> dict[Any, int]:
    """How often each type of gate is in the decomposition."""
    names = Counter(name for name, _, _ in emit([op]))
    types = {"h": qml.Hadamard, "x": qml.PauliX, "z": qml.PauliZ, "s": qml.S, "t": qml.T, "cx": qml.CNOT}
    plain = {qml.resource_rep(types[name]): n for name, n in names.items() if name in types}
    return plain | {qml.decomposition.adjoint_resource_rep(qml.T): names["tdg"]}


qml.add_decomps(LogicalAnd, qml.register_resources(_gates_of, LogicalAnd.compute_decomposition))

"""Gate sets that circuits are lowered to, their properties, and the metrics that lowering minimises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

GateSet = Literal["cx+u", "clifford+t", "clifford+toffoli", "cz+u"]
Metric = Literal["cx", "t", "depth", "t_depth", "qubits"]
"""A count of a circuit; the option ``optimize`` selects the one that is minimised."""
METRICS: tuple[Metric, ...] = get_args(Metric)
CLIFFORD = frozenset({"cx", "h", "x", "z", "s", "sdg"})


@dataclass(frozen=True)
class GateSetFacts:
    """A gate set, whose gates have Qiskit's names.

    ``swept`` are the metrics for which a sweep compiles, first the one that is drawn; a sweep skips a set without any.
    ``cx`` is a CX from qubit 0 to qubit 1 in these gates; lowering merges the gates on one qubit.
    """

    names: frozenset[str]
    swept: tuple[Metric, ...] = ()
    cx: tuple[tuple[str, tuple[int, ...]], ...] = (("cx", (0, 1)),)

    @property
    def two_qubit(self) -> str:
        """Return the name of the gate on two qubits, of which a CX needs one."""
        return next(name for name, places in self.cx if len(places) > 1)

    @property
    def has_rotations(self) -> bool:
        """Whether a rotation by any angle is one gate."""
        return "u" in self.names

    @property
    def has_t(self) -> bool:
        """Whether T gates are counted."""
        return "t" in self.names

    @property
    def has_toffoli(self) -> bool:
        """Whether a logical AND is one gate, without a phase."""
        return "ccx" in self.names


GATE_SETS: dict[str, GateSetFacts] = {
    "cx+u": GateSetFacts(frozenset({"cx", "u"}), ("cx", "depth")),
    "clifford+t": GateSetFacts(CLIFFORD | {"t", "tdg"}, ("t", "t_depth")),
    "clifford+toffoli": GateSetFacts(CLIFFORD | {"ccx"}),
    "cz+u": GateSetFacts(frozenset({"cz", "u"}), cx=(("h", (1,)), ("cz", (0, 1)), ("h", (1,)))),
}
assert tuple(GATE_SETS) == get_args(GateSet)


@dataclass(frozen=True)
class Lowering:
    """The way a program becomes a circuit of gates.

    Attributes:
        gates: gate set for counts and export.
        metric: what rules are chosen by.
        measured: erase logical ANDs by measurement and a correction instead of by gates.
        rotation_error: limit on the change of the success probability by all rotations together that the gate set
            cannot express; None for 1e-4 if iterations repeat the start, else an operator-norm error of 1e-10 each.
    """

    gates: GateSet = "cx+u"
    metric: Metric = "cx"
    measured: bool = False
    rotation_error: float | None = None

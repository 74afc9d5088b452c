"""The target of lowering, and the price of a rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gatesolve.errors import InputError
from gatesolve.gate_sets import GATE_SETS, METRICS, GateSetFacts, Metric

TOFFOLI: Literal["clifford+toffoli"] = "clifford+toffoli"
"""The gate set in which a logical AND is one gate, without a phase."""


@dataclass(frozen=True)
class LoweringTarget:
    """A gate set, a number of qubits, and the count that lowering saves.

    Attributes:
        metric: ``cx``, ``t``, ``depth``, ``t_depth`` (layers of T gates) or ``qubits`` (zeroed ancillas); in
            `TOFFOLI` Toffoli gates stand in place of T gates.
        gates: the gate set in which ``depth`` is counted.
        num_qubits: width of the circuit; qubits outside a gate may be borrowed. 0 lends none.
    """

    metric: Metric = "cx"
    gates: str = "cx+u"
    num_qubits: int = 0

    @property
    def facts(self) -> GateSetFacts:
        """The gate set."""
        return GATE_SETS[self.gates]

    def others(self, taken: Iterable[int]) -> tuple[int, ...]:
        """Return the qubits of the circuit that are not ``taken``."""
        return tuple(sorted(set(range(self.num_qubits)) - set(taken)))


PLAIN = LoweringTarget()
"""Fewest CX, nothing borrowed."""


def check_metric(name: str) -> Metric:
    """Return the metric called ``name``.

    Raises:
        InputError: no metric has that name.
    """
    for metric in METRICS:
        if metric == name:
            return metric
    raise InputError(f"unknown metric '{name}': choose one of {', '.join(METRICS)}")


@dataclass(frozen=True)
class RuleCost:
    """Counts of a rule as built and lowered.

    T counts also T-dagger gates, and Toffoli gates where they are not written out. ``depth`` is of CX and general
    one-qubit gates, ``clifford_t_depth`` of Clifford+T gates, ``t_depth`` of what ``t`` counts.
    """

    cx: int
    t: int
    depth: int
    clifford_t_depth: int
    t_depth: int

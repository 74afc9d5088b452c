"""Fault-tolerant estimates: Microsoft's resource estimator on logical counts of a whole run.

Source: Beverland et al., arXiv:2211.07629: the layout, its costs, the codes and T factories, the qubit models.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from gatesolve.errors import DoesNotFitError, InputError, MissingExtraError

MachineName = Literal[
    "qubit_gate_ns_e3",
    "qubit_gate_ns_e4",
    "qubit_gate_us_e3",
    "qubit_gate_us_e4",
    "qubit_maj_ns_e4",
    "qubit_maj_ns_e6",
]
MODELS: Mapping[MachineName, str] = {
    "qubit_gate_ns_e3": "surface_code",
    "qubit_gate_ns_e4": "surface_code",
    "qubit_gate_us_e3": "surface_code",
    "qubit_gate_us_e4": "surface_code",
    "qubit_maj_ns_e4": "floquet_code",
    "qubit_maj_ns_e6": "floquet_code",
}
"""The published qubit models, each with the code it is corrected by."""
BUDGET = 0.001
"""Probability, of a whole run, that some error was not corrected: the estimator's own default."""
MOST_CYCLES = 1 << 32
"""Logical operations up to which a run is handed over as it is."""
MOST_DISTANCE = 201
"""Largest code distance looked at; the estimator's own limit of 50 is too small for the longest searches."""


@dataclass(frozen=True)
class LogicalCounts:
    """What costs something on an error-corrected machine; Clifford gates are tracked, not applied.

    Attributes:
        qubits: width, ancillas included.
        t: T and T-dagger gates.
        ccz: Z with two controls.
        ccix: i X with two controls, which a logical AND is up to Clifford gates.
        measurements: in the circuit and at its end.
        rotations: by angles that are no multiple of pi/4; the estimator approximates them.
        rotation_depth: layers of them.
    """

    qubits: int
    t: int = 0
    ccz: int = 0
    ccix: int = 0
    measurements: int = 0
    rotations: int = 0
    rotation_depth: int = 0

    def then(self, other: LogicalCounts, times: int = 1) -> LogicalCounts:
        """This followed ``times`` times by ``other``: counts add, the wider one decides the width."""
        added = {k: v + times * asdict(other)[k] for k, v in asdict(self).items() if k != "qubits"}
        return LogicalCounts(max(self.qubits, other.qubits), **added)

    @property
    def cycles(self) -> int:
        """Logical operations one after the other, rotations aside (arXiv:2211.07629, section III.C)."""
        return self.t + 3 * (self.ccz + self.ccix) + self.measurements

    @property
    def t_states(self) -> int:
        """Magic states, rotations aside."""
        return self.t + 4 * (self.ccz + self.ccix)

    def handed_over(self, part: int = 1) -> dict[str, int]:
        """The counts by the estimator's names; with ``part``, those of one of so many equal parts, rounded up."""
        names = {
            "tCount": self.t,
            "rotationCount": self.rotations,
            "rotationDepth": self.rotation_depth,
            "cczCount": self.ccz,
            "ccixCount": self.ccix,
            "measurementCount": self.measurements,
        }
        return {"numQubits": self.qubits} | {name: -(-value // part) for name, value in names.items()}


@dataclass(frozen=True)
class Estimate:
    """A machine that does one whole run.

    Attributes:
        model: of its physical qubits.
        code: that corrects them.
        distance: of the code.
        counted: which of the circuits, and how its gates were counted.
        logical_qubits: with those that the layout adds.
        cycles: logical operations one after the other.
        t_states: magic states used.
        factories: T factories.
        factory_qubits: physical qubits in them.
        physical_qubits: in all.
        seconds: of the whole run.
    """

    model: str
    code: str
    distance: int
    counted: str
    logical_qubits: int
    cycles: int
    t_states: int
    factories: int
    factory_qubits: int
    physical_qubits: int
    seconds: float

    @property
    def qubit_seconds(self) -> float:
        """Physical qubits times seconds: what estimates are compared by."""
        return self.physical_qubits * self.seconds


def check_models(models: Sequence[str]) -> tuple[MachineName, ...]:
    """The models without repeats, all of them if none is named."""
    known: dict[str, MachineName] = {name: name for name in MODELS}
    for name in models:
        if name not in known:
            raise InputError(f"unknown machine '{name}': choose of {', '.join(MODELS)}")
    return tuple(known[name] for name in dict.fromkeys(models)) or tuple(MODELS)


def check_budget(budget: float) -> float:
    """The error budget, if it is a probability."""
    number = isinstance(budget, int | float) and not isinstance(budget, bool)
    if not number or not 0 < budget < 1:
        raise InputError(f"budget is {budget}: give a number between 0 and 1, the probability that a run may fail by")
    return float(budget)


def cheapest_machine(ways: Mapping[str, LogicalCounts], model: str, budget: float = BUDGET) -> Estimate:
    """The estimate of fewest qubit-seconds among circuits that do the same, each counted by its name."""
    return min(
        (estimate_machine(counts, model, budget, name) for name, counts in ways.items()), key=lambda e: e.qubit_seconds
    )


def estimate_machine(counts: LogicalCounts, model: str, budget: float = BUDGET, counted: str = "") -> Estimate:
    """The estimator's answer for one run.

    The estimator counts nanoseconds in 64 bits and wraps silently after 584 years. A longer run is handed over as
    one of 2^k equal parts with as small a part of the budget: all error rates that decide about the code, the
    factories and the rotations are ratios of the two, so nothing but the time changes.
    """
    (model,), budget = check_models([model]), check_budget(budget)
    if not counts.qubits or not (counts.cycles or counts.rotations):
        raise DoesNotFitError("nothing to estimate: the circuit has no gate that an error-corrected machine pays for")
    part = 1 << max(0, (counts.cycles + 100 * counts.rotations).bit_length() - MOST_CYCLES.bit_length())
    parameters = {
        "qubitParams": {"name": model},
        "qecScheme": {"name": MODELS[model], "maxCodeDistance": MOST_DISTANCE},
        "errorBudget": budget / part,
    }
    found = load_estimator()(counts.handed_over(part), parameters)
    all_of, patch = found["physicalCounts"], found["logicalQubit"]
    parts = all_of["breakdown"]
    cycles = part * int(parts["logicalDepth"])
    return Estimate(
        model,
        MODELS[model],
        int(patch["codeDistance"]),
        counted,
        int(parts["algorithmicLogicalQubits"]),
        cycles,
        part * int(parts["numTstates"]),
        int(parts["numTfactories"]),
        int(parts["physicalQubitsForTfactories"]),
        int(all_of["physicalQubits"]),
        cycles * int(patch["logicalCycleTime"]) / 1e9,
    )


def load_estimator() -> Callable[[dict[str, int], dict[str, Any]], Mapping[str, Any]]:
    """The estimator as a function of its counts and parameters."""
    try:
        with _no_telemetry():
            from qdk.estimator import EstimatorError
            from qdk.estimator import LogicalCounts as Counts
    except ImportError:
        raise MissingExtraError("physical estimates need Microsoft's resource estimator", "estimate") from None

    def run(counts: dict[str, int], parameters: dict[str, Any]) -> Mapping[str, Any]:
        try:
            result: Mapping[str, Any] = Counts(counts).estimate(parameters)
        # The estimator's own error is no `Exception`, and what its compiled part raises has no name to import.
        except (EstimatorError, Exception) as error:
            model, told = parameters["qubitParams"]["name"], " ".join(str(error).split())
            raise DoesNotFitError(f"the resource estimator finds no machine of {model}: {told}") from None
        return result

    return run


@contextlib.contextmanager
def _no_telemetry() -> Iterator[None]:
    """Import the estimator without its reports to its maker, unless the user has decided about them."""
    names = ("QDK_PYTHON_TELEMETRY", "QSHARP_PYTHON_TELEMETRY")
    if any(name in os.environ for name in names):
        yield
        return
    os.environ[names[0]] = "none"
    try:
        yield
    finally:
        del os.environ[names[0]]

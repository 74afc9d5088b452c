"""Fault-tolerant estimates: Microsoft's resource estimator ``qdk.qre`` on logical counts of a whole run.

Source of the layout, its costs and the qubit models: Beverland et al., arXiv:2211.07629.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ldexp
from types import ModuleType
from typing import Literal

from gatesolve.costs.estimate import Estimate, LogicalCounts
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
    "qubit_maj_ns_e4": "three_aux",
    "qubit_maj_ns_e6": "three_aux",
}
"""The published qubit models, each with the code it is corrected by: ThreeAux is arXiv:2310.12981."""
BUDGET = 0.001
"""Probability, of a whole run, that some error was not corrected."""
MOST_CYCLES = 1 << 32
"""Logical operations up to which a run is handed over as it is."""


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
    """The machine of fewest qubit-seconds for one run of circuits that do the same, each counted by its name.

    The estimator counts in 64 bits and wraps silently: nanoseconds after 584 years. A longer run is handed over as
    one of 2^k equal parts with as small a part of the budget: all error rates that decide about the code, the
    factories and the rotations are ratios of the two, so nothing but the time changes.
    """
    (model,), budget = check_models([model]), check_budget(budget)
    ways = {way: counts for way, counts in ways.items() if counts.qubits and (counts.cycles or counts.rotations)}
    if not ways:
        raise DoesNotFitError("nothing to estimate: the circuit has no gate that an error-corrected machine pays for")
    # Of ways that cost the same the estimator takes one or the other, from call to call: only the first is asked about.
    ways = {way: ways[way] for way in {_paid_for(ways[way]): way for way in reversed(ways)}.values()}
    longest = max(counts.cycles + 100 * counts.rotations for counts in ways.values())
    doublings = max(0, longest.bit_length() - MOST_CYCLES.bit_length())
    in_part = {way: counts.part(1 << doublings) for way, counts in ways.items()}
    found: Estimate = load_estimator().find_machine(in_part, model, MODELS[model], ldexp(budget, -doublings))
    return replace(
        found,
        cycles=found.cycles << doublings,
        t_states=found.t_states << doublings,
        seconds=ldexp(found.seconds, doublings),
    )


def _paid_for(counts: LogicalCounts) -> tuple[int, ...]:
    """All that an estimate depends on."""
    return (counts.qubits, counts.cycles, counts.t_states, counts.rotations, counts.rotation_depth)


def load_estimator() -> ModuleType:
    """`gatesolve.costs.machines`, which imports the estimator."""
    try:
        with _no_telemetry():
            import qdk.qre  # noqa: F401

            from gatesolve.costs import machines
    except ImportError:
        raise MissingExtraError("physical estimates need Microsoft's resource estimator", "estimate") from None
    return machines


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

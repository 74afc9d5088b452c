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
from typing import Literal, get_args

from gatesolve.costs.estimate import Estimate, LogicalCounts
from gatesolve.errors import DoesNotFitError, InputError, MissingExtraError

MachineName = Literal[
    "qubit_gate_ns_e3", "qubit_gate_ns_e4", "qubit_gate_us_e3", "qubit_gate_us_e4", "qubit_maj_ns_e4", "qubit_maj_ns_e6"
]
_NAMES: tuple[MachineName, ...] = get_args(MachineName)
MODELS: Mapping[MachineName, str] = {name: "three_aux" if "maj" in name else "surface_code" for name in _NAMES}
"""The published qubit models, each with the code it is corrected by: ThreeAux is arXiv:2310.12981."""
BUDGET = 0.001
"""Probability, of a whole run, that some error was not corrected."""
MOST_CYCLES = 1 << 32
"""Logical operations up to which a run is handed over as it is."""


def check_models(models: Sequence[str]) -> tuple[MachineName, ...]:
    """Return the names of machine models without repeats, refusing unknown ones, or all of them if none is named."""
    known: dict[str, MachineName] = {name: name for name in MODELS}
    for name in models:
        if name not in known:
            raise InputError(f"unknown machine '{name}': choose of {', '.join(MODELS)}")
    return tuple(known[name] for name in dict.fromkeys(models)) or tuple(MODELS)


def check_budget(budget: float) -> float:
    """Return the error budget as a float; refuses what is not between 0 and 1."""
    number = isinstance(budget, int | float) and not isinstance(budget, bool)
    if not number or not 0 < budget < 1:
        raise InputError(f"budget is {budget}: give a number between 0 and 1, the probability that a run may fail by")
    return float(budget)


def cheapest_machine(ways: Mapping[str, LogicalCounts], model: str, budget: float = BUDGET) -> Estimate:
    """Estimate the machine with the fewest qubit-seconds for one run, which fails with probability ``budget``.

    ``ways`` has logical counts of equivalent circuits, by how they are counted.

    Raises:
        InputError: unknown model, or a budget that is no probability.
        DoesNotFitError: no gate costs anything, or no machine is found up to the largest code distance.
        MissingExtraError: the estimator is not installed.
    """
    (model,), budget = check_models([model]), check_budget(budget)
    ways = {way: counts for way, counts in ways.items() if counts.qubits and (counts.cycles or counts.rotations)}
    if not ways:
        raise DoesNotFitError("nothing to estimate: the circuit has no gate that an error-corrected machine pays for")
    # Ways of equal counts are estimated once, as the first of them.
    first = {(c.qubits, c.cycles, c.t_states, c.rotations, c.rotation_depth): way for way, c in reversed(ways.items())}
    ways = {way: counts for way, counts in ways.items() if way in first.values()}
    # 100 stands roughly for the T gates of one rotation: only the bit length of the sum is used.
    longest = max(counts.cycles + 100 * counts.rotations for counts in ways.values())
    # The estimator counts nanoseconds in 64 bits, and wraps silently after 584 years. So a longer run is estimated as
    # one of 2^k equal parts, with the budget divided by 2^k too. The code, the factories and the rotations depend only
    # on the ratio of the two, so nothing but the time changes.
    doublings = max(0, longest.bit_length() - MOST_CYCLES.bit_length())
    in_part = {way: counts.part(1 << doublings) for way, counts in ways.items()}
    found: Estimate = load_estimator().find_machine(in_part, model, MODELS[model], ldexp(budget, -doublings))
    return replace(
        found,
        cycles=found.cycles << doublings,
        t_states=found.t_states << doublings,
        seconds=ldexp(found.seconds, doublings),
    )


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

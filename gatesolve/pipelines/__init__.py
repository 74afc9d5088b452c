"""Ways to search: from a problem to a `Recipe`, from its layout to a `Program`, its runs and the answer.

Modules here are shared: options as data, the protocol that every pipeline follows, the registry, the one judge. One
package a pipeline: ``grover``, ``gas``, ``qaoa``, ``anneal``; none imports another. May import planning, programs,
simulate, qubo, oracle, encodings, circuit and model. A new pipeline is a package here and a line in ``registry.py``, or
an entry point ``gatesolve.pipelines`` of another package.
"""

from importlib import import_module
from typing import Any

_PUBLIC = {
    "Accepted": "gatesolve.pipelines.events",
    "AnglesTried": "gatesolve.pipelines.events",
    "Answer": "gatesolve.pipelines.task",
    "Compiled": "gatesolve.pipelines.task",
    "Improved": "gatesolve.pipelines.events",
    "LayersFollowed": "gatesolve.pipelines.events",
    "Pipeline": "gatesolve.pipelines.protocol",
    "Report": "gatesolve.pipelines.protocol",
    "Settings": "gatesolve.pipelines.gas.state",
    "ShotOptions": "gatesolve.pipelines.options",
    "SpaceOptions": "gatesolve.pipelines.options",
    "Task": "gatesolve.pipelines.task",
    "anneal_qubo": "gatesolve.pipelines.anneal.anneal",
    "as_number": "gatesolve.pipelines.task",
    "cheapest_iterations": "gatesolve.pipelines.exact",
    "match_phases": "gatesolve.pipelines.exact",
    "exact_program": "gatesolve.pipelines.exact",
    "judge_candidates": "gatesolve.pipelines.judge",
    "make_judge": "gatesolve.pipelines.judge",
    "qaoa_template": "gatesolve.pipelines.qaoa.program",
    "phase_check": "gatesolve.pipelines.certify",
    "search_unknown": "gatesolve.pipelines.grover.run",
}
"""Names that are loaded when first asked for, and the modules that have them."""


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Ways to search: from a problem to a `Recipe`, from its layout to a `Program`, its runs and the answer.

Modules here are shared: options as data, the protocol that every pipeline follows, the registry, the one judge. One
package a pipeline: ``grover``, ``gas``, ``qaoa``, ``anneal``; none imports another. May import formats, planning,
programs, simulate, qubo, oracle, encodings, circuit and model. A new pipeline is a package here and a line in
``registry.py``, or an entry point ``gatesolve.pipelines`` of another package.
"""

from gatesolve.extensions import load_late

_PUBLIC = {
    "Accepted": "gatesolve.pipelines.events",
    "AnglesTried": "gatesolve.pipelines.events",
    "Answer": "gatesolve.pipelines.answer",
    "Compiled": "gatesolve.pipelines.answer",
    "Improved": "gatesolve.pipelines.events",
    "LayersFollowed": "gatesolve.pipelines.events",
    "Pipeline": "gatesolve.pipelines.protocol",
    "Report": "gatesolve.pipelines.protocol",
    "Settings": "gatesolve.pipelines.gas.search",
    "ShotOptions": "gatesolve.pipelines.options",
    "SpaceOptions": "gatesolve.pipelines.options",
    "anneal_qubo": "gatesolve.pipelines.anneal.pipeline",
    "as_number": "gatesolve.pipelines.answer",
    "cheapest_iterations": "gatesolve.pipelines.exact",
    "match_phases": "gatesolve.pipelines.exact",
    "exact_program": "gatesolve.pipelines.exact",
    "find_best": "gatesolve.pipelines.thresholds",
    "find_pipeline": "gatesolve.pipelines.registry",
    "judge_candidates": "gatesolve.pipelines.answer",
    "option": "gatesolve.pipelines.options",
    "own_entries": "gatesolve.pipelines.registry",
    "qaoa_template": "gatesolve.pipelines.qaoa.program",
    "phase_check": "gatesolve.pipelines.certify",
    "search_unknown": "gatesolve.pipelines.grover.pipeline",
}
"""Names that are loaded when first asked for, and the modules that have them."""
__getattr__ = load_late(__name__, _PUBLIC)

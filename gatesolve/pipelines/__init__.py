"""Ways to search: from a problem to a `Recipe`, from its layout to a `Program`, its runs and the answer.

Modules here are shared: options as data, the protocol that every pipeline follows, the registry, the one judge. One
package a pipeline: ``grover``, ``gas``, ``qaoa``, ``anneal``; none imports another. May import formats, planning,
programs, simulate, qubo, oracle, encodings, circuit and model. A new pipeline is a package here and a line in
``registry.py``, or an entry point ``gatesolve.pipelines`` of another package.
"""

from gatesolve.extensions import load_late

_PUBLIC = {
    "gatesolve.pipelines.anneal.pipeline": ("anneal_qubo",),
    "gatesolve.pipelines.answer": ("Answer", "Compiled", "as_number", "judge_candidates"),
    "gatesolve.pipelines.certify": ("phase_check",),
    "gatesolve.pipelines.events": ("Accepted", "AnglesTried", "Improved", "LayersFollowed"),
    "gatesolve.pipelines.exact": ("cheapest_iterations", "match_phases", "exact_program"),
    "gatesolve.pipelines.gas.search": ("Settings",),
    "gatesolve.pipelines.grover.pipeline": ("search_unknown",),
    "gatesolve.pipelines.options": ("ShotOptions", "SpaceOptions", "option"),
    "gatesolve.pipelines.protocol": ("Pipeline", "Report"),
    "gatesolve.pipelines.qaoa.program": ("qaoa_template",),
    "gatesolve.pipelines.registry": ("find_pipeline", "own_entries"),
    "gatesolve.pipelines.thresholds": ("find_best",),
}
"""Modules, and their names that are loaded when first asked for."""
__getattr__ = load_late(__name__, _PUBLIC)
